"""Law 5: a stream converted event by event folds to what the folded answer converts to."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbridge as tb
from laws.corpus import FORMATS, Recording, requires_shared
from laws.strategies import answers
from laws.test_generated import as_source, few

from .recorded import RECORDED, calls_in, data_of, hear
from .view import view

Json = Any
PAIRS = [(source, target) for source in FORMATS for target in FORMATS if source != target]

EXEMPT = {
    "compaction_usage_with_cache_streaming": "the text of a compaction is told as a part, in the "
    "vendor's form, and a whole answer says it as text",
    "snowflake_thinking_streaming": "the server names no finish reason: the stream gets none either"
    ", and a whole answer needs a word",
}
"""Recorded streams of which this is not asked, with the reason."""


def convert(data: list[Json], source: str, target: str) -> list[Json]:
    """Event by event, each as it comes."""
    converter = tb.StreamConverter(source, target)
    return [each for data_object in data for each in converter.feed(data_object)] + converter.end()


def both_ways(data: list[Json], source: str, target: str) -> tuple[tb.Response, tb.Response]:
    """The answer that the converted stream folds to, and that of the folded answer converted."""
    whole = tb.read(data, source, kind="stream")
    return (
        tb.read(convert(data, source, target), target, kind="stream"),
        tb.read(tb.write(whole, target).payload, target, kind="response"),
    )


@pytest.mark.parametrize("recording", RECORDED, ids=str)
@pytest.mark.parametrize("target", FORMATS)
def test_a_recorded_stream_is_converted(recording: Recording, target: str) -> None:
    source, data = recording.format, data_of(recording)
    if source == target or any(name in recording.name for name in EXEMPT):
        return
    if hear(data, source).reader.failure is not None:
        heard = hear(convert(data, source, target), target)
        assert heard.reader.failure is not None
        assert not heard.reader.body or heard.reader.response().tool_calls == ()
        return
    one, other = both_ways(data, source, target)
    assert view(one) == view(other)


@requires_shared
def test_few_streams_are_exempt() -> None:
    counts = Counter(name for name in EXEMPT for each in RECORDED if name in each.name)
    assert counts == Counter(EXEMPT.keys())


@pytest.mark.parametrize("recording", RECORDED, ids=str)
@pytest.mark.parametrize("target", FORMATS)
def test_a_piece_goes_out_as_soon_as_it_came(recording: Recording, target: str) -> None:
    """The end says nothing that could have been said before: no text, and of calls only what
    closes them."""
    if recording.format == target:
        return
    converter = tb.StreamConverter(recording.format, target)
    before = [each for data in data_of(recording) for each in converter.feed(data)]
    texts = [event.text for event in hear(before, target).of(tb.events.TextAdded)]
    whole = hear([*before, *converter.end()], target)
    assert [event.text for event in whole.of(tb.events.TextAdded)] == texts


@pytest.mark.parametrize("recording", RECORDED, ids=str)
@pytest.mark.parametrize("target", FORMATS)
def test_wherever_it_breaks_off_no_call_of_the_target_looks_whole(
    recording: Recording, target: str
) -> None:
    """What a server of another format relays, its client may take for whole."""
    data = data_of(recording)
    whole = hear(data, recording.format).reader.response()
    right = [call.arguments for call in calls_in(whole) if call.status == "complete"]
    for length in range(1, len(data), max(1, len(data) // 12)):
        written = convert(data[:length], recording.format, target)
        heard = hear(written, target)
        if not heard.reader.body:
            continue
        for call in heard.reader.response().tool_calls:
            assert call.arguments in right


def in_pieces(data: list[Json], sizes: list[int]) -> list[Json]:
    """Chunks of a completion with their texts in smaller pieces."""
    return [piece for each in data for piece in split(each, sizes)]


def split(chunk: Json, sizes: list[int]) -> list[Json]:
    """A chunk as several, each with a piece of its text or of its arguments."""
    choices = chunk.get("choices") or [{}]
    delta = choices[0].get("delta") or {}
    text, calls = delta.get("content"), delta.get("tool_calls") or []
    if isinstance(text, str) and len(text) > 1:
        return [with_delta(chunk, {**delta, "content": each}) for each in cut(text, sizes)]
    kind = calls[0]["type"] if calls else ""
    if kind == "function":
        first = {**calls[0], "function": {**calls[0]["function"], "arguments": ""}}
        pieces = cut(calls[0]["function"]["arguments"], sizes)
        rest = [{"index": first["index"], "function": {"arguments": each}} for each in pieces]
        return [with_delta(chunk, {"tool_calls": [each]}) for each in [first, *rest]]
    return [chunk]


def with_delta(chunk: Json, delta: Json) -> Json:
    """A chunk with another delta."""
    return {**chunk, "choices": [{**chunk["choices"][0], "delta": delta}]}


def cut(text: str, sizes: list[int]) -> list[str]:
    """A text in pieces of these sizes, the rest in one."""
    pieces, position = [], 0
    for size in sizes:
        pieces.append(text[position : position + size])
        position += size
    return [piece for piece in [*pieces, text[position:]] if piece]


@pytest.mark.parametrize(("source", "target"), PAIRS)
@few
@given(answers(), st.lists(st.integers(1, 5), max_size=4))
def test_a_generated_stream_is_converted(
    source: str, target: str, answer: Json, sizes: list[int]
) -> None:
    whole = tb.read(as_source(answer, source, "response"), source, kind="response")
    data = tb.write(whole, source, kind="stream").payload
    if source == "openai-chat":
        data = in_pieces(data, sizes)
    one, other = both_ways(data, source, target)
    assert view(one) == view(other)
