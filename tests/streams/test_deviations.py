"""The deviations of compatible servers are read right, and told as they are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import toolbridge as tb
from laws.corpus import FORMATS
from toolbridge import events

from .handmade import DEVIATIONS, ERROR_BODIES, FLAT_ERROR, Deviation
from .recorded import hear, words_in

Json = Any

CASES = [(format, name) for format, table in DEVIATIONS.items() for name in table]


def case_of(format: str, name: str) -> Deviation:
    return DEVIATIONS[format][name]


def agree(response: tb.Response, deviation: Deviation) -> Iterator[str]:
    """What of an answer is not as the deviation says."""
    calls = response.tool_calls
    told = [(call.name, tb.thaw(call.arguments)) for call in calls]
    usage = response.usage
    tokens = None if usage is None else (usage.input_tokens or 0, usage.output_tokens)
    found = {
        "text": (response.text, deviation.text),
        "calls": (told, [(name, arguments) for _, name, arguments in deviation.calls]),
        "stop": (response.stop_reason, deviation.stop),
        "usage": (tokens, deviation.usage),
        "errors": (tuple(call.name for call in response.broken_calls), deviation.errors),
    }
    yield from (f"{key}: {one!r} is not {two!r}" for key, (one, two) in found.items() if one != two)
    for call, (id, _, _) in zip(calls, deviation.calls, strict=False):
        if id not in (None, call.id) or not call.id:
            yield f"id: {call.id!r} is not {id!r}"


@pytest.mark.parametrize(("format", "name"), CASES)
def test_it_is_read(format: str, name: str) -> None:
    deviation = case_of(format, name)
    response = tb.read(deviation.data, format, kind="stream")
    assert list(agree(response, deviation)) == []
    if deviation.thoughts:
        assert deviation.thoughts in words_in(response, tb.Reasoning)


@pytest.mark.parametrize(("format", "name"), CASES)
def test_it_is_told(format: str, name: str) -> None:
    deviation = case_of(format, name)
    heard = hear(deviation.data, format)
    assert "".join(event.text for event in heard.of(events.TextAdded)) == deviation.text
    started = [event.name for event in heard.of(events.CallStarted)]
    assert sorted(started) == sorted([*(name for _, name, _ in deviation.calls), *deviation.errors])
    blocks = [event.block for event in heard.of(events.BlockFinished, events.CallFinished)]
    assert sorted(blocks) == list(range(len(blocks)))
    assert [event.alternative for event in heard.of(events.Stopped)] == [0]
    if deviation.thoughts:
        thoughts = [event.text for event in heard.of(events.ReasoningAdded)]
        assert "".join(thoughts) == deviation.thoughts
    assert heard.of(events.Unknown) == []


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize(("format", "name"), CASES)
def test_it_is_converted(format: str, name: str, target: str) -> None:
    deviation = case_of(format, name)
    if format == target or deviation.stop in ("error", "incomplete") or deviation.errors:
        return
    written = tb.convert(deviation.data, source=format, target=target, kind="stream").payload
    response = tb.read(written, target, kind="stream")
    assert response.text == deviation.text
    called = {call.name: tb.thaw(call.arguments) for call in response.tool_calls}
    free = target in ("anthropic", "gemini")
    assert called == {
        name: {"input": arguments} if free and isinstance(arguments, str) else arguments
        for _, name, arguments in deviation.calls
    }


def test_arguments_in_parts_are_told_as_text_while_they_come() -> None:
    heard = hear(DEVIATIONS["gemini"]["Vertex: arguments in parts"].data, "gemini")
    pieces = [
        [getattr(each, "text", None) for each in step if hasattr(each, "text")]
        for step in heard.steps
    ]
    assert pieces[:4] == [[], ['{"city":"Se'], ['o\\"ul'], ['","days":[1']]
    told = "".join(event.text for event in heard.of(events.ArgumentsAdded))
    assert told == '{"city":"Seo\\"ul","days":[1,{"x":true}],"a b":null}'


@pytest.mark.parametrize("format", FORMATS)
def test_an_error_body_in_place_of_a_stream_raises(format: str) -> None:
    with pytest.raises(tb.ServerError, match="no"):
        tb.read([ERROR_BODIES[format]], format, kind="stream")
    heard = hear([ERROR_BODIES[format]], format)
    assert [type(event) for event in heard.all] == [events.Failed, events.Stopped]
    assert heard.of(events.Stopped)[0].stop_reason == "error"


def test_a_flat_error_body_raises() -> None:
    with pytest.raises(tb.BadRequestError, match="no"):
        tb.read([FLAT_ERROR], "openai-chat", kind="stream")


@pytest.mark.parametrize("format", FORMATS)
def test_an_event_that_nobody_knows_is_kept(format: str) -> None:
    strange = {"type": "event_of_2027", "data": {"deep": [1, 1.0, None]}}
    whole = DEVIATIONS[format]
    data = next(iter(whole.values())).data
    for place in range(len(data) + 1):
        heard = hear([*data[:place], strange, *data[place:]], format)
        if format in ("anthropic", "openai-responses") or place == 0:
            assert heard.of(events.Unknown) == [events.Unknown(format, strange)]
        before = hear(data, format).reader.response()
        if place < len(data) or format in ("anthropic", "openai-responses"):
            assert heard.reader.response().tool_calls == before.tool_calls


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("data", ["text", 5, None, [], ["a"]])
def test_what_is_no_object_is_kept(format: str, data: Json) -> None:
    assert tb.stream_reader(format).feed(data) == [events.Unknown(format, data)]
