"""Law 5 over the recorded streams: what is read of them, at every event, and what is left at the
end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import toolbridge as tb
from laws.corpus import FORMATS, Recording, requires_shared
from laws.inject import strict_equal
from toolbridge import events
from toolbridge.arguments import dump, parse

from .recorded import RECORDED, STREAMS, calls_in, data_of, hear, words_in

every_stream = pytest.mark.parametrize("recording", RECORDED, ids=str)
every_format = pytest.mark.parametrize("format", FORMATS)


@requires_shared
def test_every_recorded_stream_is_read() -> None:
    assert len(RECORDED) == STREAMS
    counts = Counter(recording.format for recording in RECORDED)
    print(", ".join(f"{count} of {format}" for format, count in counts.items()))


UNKNOWN = ("keepalive",)
"""Events of servers that the SDKs' types do not have, and that say nothing of the answer."""


@every_stream
def test_every_event_is_known(recording: Recording) -> None:
    heard = hear(data_of(recording), recording.format)
    strange = {str(event.data) for event in heard.of(events.Unknown)}
    assert [each for each in strange if not any(word in each for word in UNKNOWN)] == []


@every_stream
def test_the_events_say_what_the_folded_answer_says(recording: Recording) -> None:
    heard = hear(data_of(recording), recording.format)
    response = heard.reader.response()
    text = "".join(event.text for event in heard.of(events.TextAdded))
    assert text == words_in(response, tb.Text)
    started = {event.block: event for event in heard.of(events.CallStarted)}
    folded = calls_in(response)
    assert [(event.id, event.name) for event in started.values()] == [
        (call.id, call.name) for call in folded
    ]
    ended = [event.status for event in heard.of(events.CallFinished)]
    failed = heard.reader.failure is not None
    for call, status in zip(folded, ended, strict=True):
        assert call.status == status or (failed and call.status == "cut")


@every_stream
def test_a_call_is_told_with_the_arguments_that_are_folded(recording: Recording) -> None:
    heard = hear(data_of(recording), recording.format)
    told: dict[int, list[str]] = {event.block: [] for event in heard.of(events.CallStarted)}
    for event in heard.of(events.ArgumentsAdded):
        told[event.block].append(event.text)
    for call, pieces in zip(calls_in(heard.reader.response()), told.values(), strict=True):
        text = "".join(pieces)
        arguments = tb.thaw(call.arguments)
        assert text in (arguments, dump(arguments)) or parse(text)[0] == arguments


@every_stream
def test_each_block_ends_once_and_nothing_of_it_comes_later(recording: Recording) -> None:
    heard = hear(data_of(recording), recording.format)
    ended: list[int] = []
    stopped: list[int] = []
    for event in heard.all:
        block = getattr(event, "block", None)
        assert block is None or block not in ended
        if isinstance(event, (events.BlockFinished, events.CallFinished)):
            ended.append(event.block)
        if isinstance(event, events.Stopped):
            stopped.append(event.alternative)
    begun = {getattr(event, "block", -1) for event in heard.all} - {-1}
    assert sorted(begun) == sorted(ended) == list(range(len(begun)))
    assert len(stopped) == len(set(stopped)) > 0
    assert len(heard.of(events.MessageStarted)) <= 1


@every_stream
def test_converted_to_its_own_format_it_is_the_same_data(recording: Recording) -> None:
    data = data_of(recording)
    converted = tb.convert(data, source=recording.format, target=recording.format, kind="stream")
    assert strict_equal(data, converted.payload)
    assert converted.losses == ()


def of_anthropic(data: Any) -> list[Any]:
    delta = data.get("delta") or {}
    return [delta.get(key) for key in ("text", "thinking", "partial_json")]


def of_chat(data: Any) -> list[Any]:
    said: list[Any] = []
    for choice in data.get("choices") or ():
        delta = choice.get("delta") or {}
        said += [delta.get("content"), delta.get("refusal")]
        said.append(delta.get("reasoning_content") or delta.get("reasoning"))
        for call in delta.get("tool_calls") or ():
            said.append((call.get("function") or {}).get("arguments"))
    return said


def of_responses(data: Any) -> list[Any]:
    words = ("output_text", "refusal", "reasoning", "arguments", "input", "code")
    spoken = any(word in str(data.get("type")) for word in words)
    return [data.get("delta")] if spoken else []


def of_gemini(data: Any) -> list[Any]:
    return [
        part.get("text")
        for candidate in data.get("candidates") or ()
        for part in (candidate.get("content") or {}).get("parts") or ()
    ]


SPOKEN: dict[str, Callable[[Any], list[Any]]] = {
    "anthropic": of_anthropic,
    "openai-chat": of_chat,
    "openai-responses": of_responses,
    "gemini": of_gemini,
}
"""The text and the arguments that a data object adds."""


@every_stream
def test_after_each_event_all_that_was_read_has_been_told(recording: Recording) -> None:
    """Nothing is held back, whatever the reader waits for."""
    reader = tb.stream_reader(recording.format)
    read = told = 0
    for data in data_of(recording):
        pieces = SPOKEN[recording.format](data)
        read += sum(len(piece) for piece in pieces if isinstance(piece, str))
        told += sum(len(getattr(event, "text", "")) for event in reader.feed(data))
        assert told >= read


@every_stream
def test_wherever_it_breaks_off_no_call_looks_whole_that_is_not(recording: Recording) -> None:
    """At every event: calls that are open are cut, and arguments of a whole call are those that
    the whole stream gives it."""
    data = data_of(recording)
    last = {call.id: call for call in calls_in(hear(data, recording.format).reader.response())}
    for length in range(1, len(data)):
        heard = hear(data[:length], recording.format)
        open_calls = {event.block for event in heard.of(events.CallStarted)}
        for step in heard.steps:
            open_calls -= {each.block for each in step if isinstance(each, events.CallFinished)}
        closing = [each for each in heard.last if isinstance(each, events.CallFinished)]
        assert {each.block for each in closing} == open_calls
        if heard.reader.failure is not None or not heard.reader.body:
            continue
        response = heard.reader.response()
        for call in calls_in(response):
            whole = last[call.id]
            assert call.status != "complete" or call.arguments == whole.arguments
        if not heard.reader.finished:
            assert response.stop_reason == "incomplete"
            assert {each.status for each in closing} <= {"cut"}


@every_stream
def test_an_error_in_the_middle_lets_no_call_run(recording: Recording) -> None:
    data = data_of(recording)
    for length in range(1, len(data), 3):
        heard = hear([*data[:length], ERRORS[recording.format]], recording.format)
        assert heard.reader.failure is not None
        if not heard.reader.body:
            continue
        response = heard.reader.response()
        assert response.stop_reason == "error"
        assert response.tool_calls == ()
        assert len(heard.of(events.Failed)) == 1


ERRORS = {
    "anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
    "openai-chat": {"error": {"message": "overloaded", "type": "server_error"}},
    "openai-responses": {"type": "error", "code": "server_error", "message": "overloaded"},
    "gemini": {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}},
}


@every_stream
def test_the_best_parse_so_far_only_grows(recording: Recording) -> None:
    """Partial arguments are there at any moment, and at the end they are the arguments."""
    reader = tb.stream_reader(recording.format)
    for data in data_of(recording):
        for event in reader.feed(data):
            if isinstance(event, events.ArgumentsAdded):
                partial = reader.partial_arguments(event.block)
                assert isinstance(partial, (dict, list, str))
    reader.end()
    for block, call in reader.calls.items():
        if call.status == "complete" and not call.free_text:
            arguments, status = parse(call.joined())
            if status == "complete":
                assert reader.partial_arguments(block) == arguments


@requires_shared
@every_format
def test_a_stream_is_read_as_a_kind_of_payload(format: str) -> None:
    recording = next(each for each in RECORDED if each.format == format)
    assert recording.events is not None
    with_marker = [*data_of(recording), "[DONE]"]
    assert tb.read(with_marker, format, kind="stream") == tb.read(
        data_of(recording), format, kind="stream"
    )


PROFILES = {
    "anthropic": "anthropic:2023-06-01",
    "openai-chat": "openai-chat:openrouter",
    "openai-responses": "openai-responses:azure",
    "gemini": "gemini:vertex",
}


@every_stream
def test_a_stream_under_another_profile_loses_nothing(recording: Recording) -> None:
    """Signatures and calls that the vendor ran have no place among the canonical events alone."""
    given = data_of(recording)
    other = PROFILES[recording.format]
    converted = tb.convert(given, source=recording.format, target=other, kind="stream")
    assert converted.payload == given
    assert converted.losses == ()
