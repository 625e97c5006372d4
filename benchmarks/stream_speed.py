"""Streams: read and folded, written and converted, against `json.loads` of the same events."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import toolbridge as tb
from measure import Row, Times, ratio, ratios, side_by_side
from stream_events import FORMATS, Event, call_stream, text_stream
from toolbridge.streams.convert import StreamConverter, stream_reader, stream_writer

DELTAS: Final = 5000
ARGUMENT: Final = 41_000
"""Bytes of the argument that arrives eight at a time: a file of 900 lines."""

LENGTHS: Final = (500, 5000, 50_000)


def tables(rounds: int) -> Iterator[tuple[str, list[Row]]]:
    """Title and rows of each table."""
    streams = {
        f"{DELTAS} deltas of text": partial(text_stream, count=DELTAS),
        f"an argument of {ARGUMENT} bytes in pieces of 8": partial(call_stream, size=ARGUMENT),
    }
    for title, stream in streams.items():
        yield f"{title}, in times of json.loads of the events", speeds(stream, rounds)
    yield "Reading, time per event in times of the shortest stream", growth(rounds)
    yield "Memory of an endless text stream, in times of the text that came", memory()


def speeds(stream: Callable[[str], list[Event]], rounds: int) -> list[Row]:
    """A row for each format."""
    rows = []
    for name in FORMATS:
        times = measured(stream(name), name, rounds)
        rows.append((name, *ratios(times, "json")))
    return rows


def measured(events: list[Event], format: str, rounds: int) -> Times:
    """Reading, writing and converting a stream, in turns."""
    texts = [json.dumps(event, ensure_ascii=False) for event in events]
    reader = stream_reader(format)
    told = [event for data in events for event in reader.feed(data)] + reader.end()
    body = tb.write(reader.response(), format).payload

    def written() -> None:
        writer = stream_writer(format)
        for event in told:
            writer.feed(event)
        writer.end(body)

    things: dict[str, Callable[[], object]] = {
        "json": lambda: [json.loads(text) for text in texts],
        "read": lambda: tb.read(events, format, kind="stream"),
        "written": written,
    }
    others = (other for other in FORMATS if other != format)
    things |= {f"to {other}": partial(converted, events, format, other) for other in others}
    return side_by_side(things, dict.fromkeys(things, 1), rounds)


def converted(events: list[Event], source: str, target: str) -> int:
    """What is written for each event, as it comes."""
    converter = StreamConverter(source, target)
    return sum(len(converter.feed(event)) for event in events) + len(converter.end())


def growth(rounds: int) -> list[Row]:
    """Time per event of longer and longer streams."""
    rows = []
    for name in FORMATS:
        streams = {str(length): text_stream(name, length) for length in LENGTHS}
        things = {
            length: partial(tb.read, events, name, "stream") for length, events in streams.items()
        }
        loops = {str(length): LENGTHS[-1] // length for length in LENGTHS}
        times = side_by_side(things, loops, max(rounds // 3, 1))
        each = {size: [time / len(streams[size]) for time in times[size]] for size in times}
        first = str(LENGTHS[0])
        rows.append((name, *(f"{size}: {ratio(each[size], each[first])}" for size in each)))
    return rows


def memory() -> list[Row]:
    """What stays in memory of each stream, the longer the nearer to the text alone."""
    rows = []
    for name in FORMATS:
        kept = (f"{length}: {kept_of(name, length):.2f}" for length in LENGTHS)
        rows.append((name, *kept))
    return rows


def kept_of(format: str, length: int) -> float:
    """Memory per byte of text once a stream was read, its events gone."""
    texts = [json.dumps(event) for event in text_stream(format, length)]
    reader = stream_reader(format)
    tracemalloc.start()
    for text in texts:
        reader.feed(json.loads(text))
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return used / len(reader.response().text.encode())
