"""Which format a payload is in, over the recordings and over bodies that two formats share."""

from __future__ import annotations

from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, REQUESTS, TOOLS
from laws.corpus import Recording, recordings, requires_shared
from toolbridge.recognise import recognise, recognise_stream

TELLS_NOTHING: Final = "braintrust-sdk-python__cassettes__test_anthropic_client_error__0"
"""Its model is `there-is-no-such-model`, and all else in it is the same in two formats."""

NO_LIST: Final = 2
"""Recordings of Gemini whose `tools` is an object, against the API."""

SAID: Final[list[Any]] = [{"role": "user", "content": "hi"}]


def events_of(recording: Recording) -> list[Any]:
    return [each["data"] for each in recording.events or () if each["data"] != "[DONE]"]


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_every_recorded_request_and_response_is_recognised(format: str) -> None:
    wrong = [
        (recording.name, kind, found)
        for recording in recordings(format)
        for kind, body in recording.bodies
        if kind != "error" and (found := recognise(body, kind)) != format
    ]
    assert wrong == ([(TELLS_NOTHING, "request", "openai-chat")] if format == "anthropic" else [])


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_every_recorded_stream_is_recognised_by_its_first_event(format: str) -> None:
    streams = [events for each in recordings(format) if (events := events_of(each))]
    assert len(streams) > 20
    assert {recognise_stream(events[:1]) for events in streams} == {format}
    assert {recognise(events, "stream") for events in streams} == {format}


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_every_recorded_list_of_tools_is_recognised(format: str) -> None:
    requests = [each.request or {} for each in recordings(format)]
    found = [request["tools"] for request in requests if request.get("tools")]
    lists = [tools for tools in found if isinstance(tools, list)]
    assert len(found) - len(lists) == (NO_LIST if format == "gemini" else 0)
    assert [tools for tools in lists if recognise(tools, "tools") != format] == []


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_every_recorded_error_is_recognised(format: str) -> None:
    """The two formats of OpenAI have one error body, which reads the same in both."""
    errors = [each.error for each in recordings(format) if each.error]
    expected = "openai-chat" if format == "openai-responses" else format
    assert {recognise(error, "error") for error in errors} == {expected}


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_written_in_a_format_is_recognised(format: str) -> None:
    assert recognise(REQUESTS[format]) == format
    assert recognise(TOOLS[format], "tools") == format
    for source in FORMATS:
        payload = tb.convert(REQUESTS[source], source=source, target=format, model="m").payload
        assert recognise(payload) == format


@pytest.mark.parametrize(
    ("body", "format"),
    [
        ({"model": "m"}, "openai-chat"),
        ({"model": "m", "max_tokens": 9}, "openai-chat"),
        ({"model": "claude-opus-5", "max_tokens": 9}, "anthropic"),
        ({"model": "us.anthropic.claude-opus-5", "max_tokens": 9}, "anthropic"),
        ({"model": "anthropic/claude-opus-5", "max_tokens": 9}, "openai-chat"),
        ({"model": "claude-opus-5"}, "openai-chat"),
        ({"model": "glm-5", "max_tokens": 9, "system": "Be brief."}, "anthropic"),
        (
            {"model": "deepseek-v4", "max_tokens": 9, "thinking": {"type": "disabled"}},
            "openai-chat",
        ),
        (
            {"model": "claude-opus-5", "max_tokens": 9, "thinking": {"type": "disabled"}},
            "anthropic",
        ),
        ({"max_tokens": 9, "stop_sequences": ["."]}, "anthropic"),
        ({"max_tokens": 9, "stop": ["."]}, "openai-chat"),
    ],
)
def test_what_tells_chat_completions_from_anthropic(body: dict[str, Any], format: str) -> None:
    """Anthropic requires `max_tokens`, routers name its models after a slash, and some servers
    of Chat Completions take `thinking`."""
    assert recognise(body | {"messages": SAID}) == format


def test_leading_system_text_among_the_messages_is_of_chat_completions() -> None:
    messages = [{"role": "system", "content": "Be brief."}, *SAID]
    body = {"model": "claude-opus-5", "max_tokens": 9, "messages": messages}
    assert recognise(body) == "openai-chat"


def test_where_nothing_tells_the_likely_format_is_taken() -> None:
    body = {"model": "m", "max_tokens": 9, "messages": SAID}
    assert recognise(body, likely="anthropic") == "anthropic"
    assert recognise(body | {"seed": 7}, likely="anthropic") == "openai-chat"
    assert recognise(body, likely="gemini") == "openai-chat"


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        ({}, "request"),
        ([], "request"),
        ("hi", "request"),
        ({"foo": 1}, "request"),
        ({"messages": 5}, "response"),
        ([], "tools"),
        ({}, "tools"),
        (["a"], "tools"),
        ({}, "stream"),
        ([], "stream"),
        ([5, "x", {"foo": 1}], "stream"),
    ],
)
def test_what_no_format_reads_is_an_error_that_says_what_there_is(payload: Any, kind: str) -> None:
    with pytest.raises(tb.WireError) as caught:
        recognise(payload, kind)
    for word in (*FORMATS, "--from"):
        assert word in str(caught.value)


def test_a_stream_is_taken_for_a_format_once_one_alone_knows_its_events() -> None:
    ping = {"type": "ping"}
    start = {
        "type": "message_start",
        "message": {"id": "m", "type": "message", "role": "assistant", "content": [], "usage": {}},
    }
    assert recognise_stream([]) is None
    assert recognise_stream([ping]) is None
    assert recognise_stream([ping, start]) == "anthropic"


def test_a_stream_of_which_nothing_is_known_is_given_up_after_a_few_events() -> None:
    strange = {"foo": 1}
    assert recognise_stream([strange] * 4) is None
    with pytest.raises(tb.WireError):
        recognise_stream([strange] * 5)
    with pytest.raises(tb.WireError):
        recognise_stream([strange], last=True)


def test_recognising_leaves_the_payload_as_it_is() -> None:
    body = {"model": "m", "messages": SAID, "extra": {"a": [1]}}
    before = tb.thaw(body)
    recognise(body)
    assert body == before
