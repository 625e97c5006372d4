"""Reading and writing take time in proportion: twice the pieces, twice the work.

Calls of functions are counted and not time, so that a busy machine makes no difference; a text
that grows by `+=` would not show in them, so pieces are long enough for the copies to show in time,
by a wide margin.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

import toolbridge as tb
from laws.corpus import FORMATS
from loop.answers import Called, body_of, calling, said

Json = Any
PIECE = "word " * 8
FEW, MANY = 500, 2000


def pieces_of(format: str, count: int, arguments: bool) -> list[Json]:
    """A stream of an answer with that many pieces of text, or of arguments."""
    text = PIECE * count
    answer = calling(Called("write", {"text": text})) if arguments else said(text)
    whole = tb.read(body_of(answer, format), format, kind="response")
    return [each for data in tb.write(whole, format, kind="stream").payload for each in cut(data)]


def cut(data: Json) -> list[Json]:
    """A data object with a long text as many with short ones."""
    text = json.dumps(data, ensure_ascii=False)
    if "delta" not in text and "functionCall" in text:
        return [data]
    place = longest(data)
    if place is None or len(place[0][place[1]]) < len(PIECE) or not is_delta(data):
        return [data]
    holder, key = place
    whole = holder[key]
    made = []
    for start in range(0, len(whole), len(PIECE)):
        holder[key] = whole[start : start + len(PIECE)]
        made.append(json.loads(json.dumps(data)))
    return made


def is_delta(data: Json) -> bool:
    """Whether a data object is a piece of something."""
    kind = data.get("type", "")
    return not kind or kind.endswith("delta")


def longest(item: Json) -> tuple[Any, Any] | None:
    """The place of the longest text."""
    found: list[tuple[int, Any, Any]] = []

    def look(item: Json) -> None:
        if isinstance(item, (dict, list)):
            for key in [*item] if isinstance(item, dict) else range(len(item)):
                if isinstance(item[key], str):
                    found.append((len(item[key]), item, key))
                look(item[key])

    look(item)
    return max(found, key=lambda each: each[0])[1:] if found else None


def calls_of(work: Callable[[], Any]) -> int:
    """How many functions are called."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def read(data: list[Json], format: str) -> tb.Response:
    reader = tb.stream_reader(format)
    for each in data:
        reader.feed(each)
    reader.end()
    return reader.response()


def convert(data: list[Json], format: str) -> list[Json]:
    target = "anthropic" if format != "anthropic" else "openai-chat"
    converter = tb.StreamConverter(format, target)
    return [each for data_object in data for each in converter.feed(data_object)] + converter.end()


@pytest.mark.parametrize("arguments", [False, True], ids=["text", "arguments"])
@pytest.mark.parametrize("work", [read, convert], ids=["read", "converted"])
@pytest.mark.parametrize("format", FORMATS)
def test_four_times_the_pieces_take_four_times_the_calls(
    format: str, work: Callable[[list[Json], str], Any], arguments: bool
) -> None:
    short, long = (pieces_of(format, count, arguments) for count in (FEW, MANY))
    work(short, format)
    ratio = calls_of(lambda: work(long, format)) / calls_of(lambda: work(short, format))
    assert ratio < 4.5


@pytest.mark.parametrize("form", ["sse", "json"])
def test_an_object_in_small_pieces_is_looked_at_once(form: str) -> None:
    def text_of(count: int) -> str:
        whole = json.dumps({"list": [{"n": index} for index in range(count)]})
        return f"data: {whole}\n\n" if form == "sse" else f"[{whole}]"

    def seconds(count: int) -> float:
        whole, best = text_of(count), 9.0
        for _ in range(3):
            text, start = tb.StreamText(), time.process_time()
            for place in range(0, len(whole), 64):
                text.feed(whole[place : place + 64])
            text.end()
            best = min(best, time.process_time() - start)
        return best

    assert seconds(40_000) / seconds(10_000) < 10
