"""What we write is taken by the vendors' own clients, over a real connection: the final message
says the same."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

import toolbridge as tb
from laws.corpus import FORMATS, Recording
from loop.answers import Called, body_of, calling, said

from .recorded import RECORDED, data_of, hear
from .replay import CLIENTS, Replay, replaying
from .view import view

Json = Any


@pytest.fixture(scope="module")
def server() -> Iterator[Replay]:
    with replaying() as running:
        yield running


def heard_by_client(server: Replay, format: str, events: list[Json]) -> tb.Response:
    """What the vendor's clients make of events, both of them the same."""
    server.format, server.events = format, events
    ask, ask_later = CLIENTS[format]
    told = ask(f"{server.url}/v1" if format.startswith("openai") else server.url)
    assert told == asyncio.run(
        ask_later(f"{server.url}/v1" if format.startswith("openai") else server.url)
    )
    kind = "stream" if format == "gemini" else "response"
    answer: tb.Response = tb.read(told, format, kind=kind)
    return answer


SEOUL = Called("weather", {"city": "서울", "days": [1, 2.5, None], "deep": {"a": {}}}, "call_1")
SUVA = Called("weather", {"city": 'Suva "Fiji"\n'}, "call_2")
ANSWERS = {
    "text": said("Hello, 🙂 안녕.\n\nTwo lines."),
    "a call": calling(SEOUL),
    "text and two calls": calling(SEOUL, SUVA, text="Let me look."),
    "a call without arguments": calling(Called("now", {}, "call_3")),
}


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_an_answer_is_taken(server: Replay, source: str, target: str, name: str) -> None:
    """Written as a stream in its own format, and from there event by event in another."""
    answer = tb.read(body_of(ANSWERS[name], source), source, kind="response")
    events = tb.write(answer, source, kind="stream").payload
    if source != target:
        events = tb.convert(events, source=source, target=target, kind="stream").payload
    expected = tb.read(events, target, kind="stream")
    assert view(heard_by_client(server, target, events)) == view(expected)
    assert expected.text == answer.text
    assert [(call.name, call.arguments) for call in expected.tool_calls] == [
        (call.name, call.arguments) for call in answer.tool_calls
    ]


SHORTENED = 4
"""So many recordings stand for one that is replayed, to keep the test short."""


@pytest.mark.parametrize("recording", RECORDED[::SHORTENED], ids=str)
@pytest.mark.parametrize("target", FORMATS)
def test_a_converted_recording_is_taken(server: Replay, recording: Recording, target: str) -> None:
    source, data = recording.format, data_of(recording)
    if source == target or hear(data, source).reader.failure is not None:
        return
    events = tb.convert(data, source=source, target=target, kind="stream").payload
    expected = tb.read(events, target, kind="stream")
    if expected.broken_calls and target == "anthropic":
        return  # its client takes the arguments of a call that was cut for none
    assert view(heard_by_client(server, target, events)) == view(expected)


BROKEN = [
    {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
    }
    for delta in (
        {"role": "assistant", "content": "Let me look."},
        {
            "tool_calls": [
                {
                    "index": 0,
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "read", "arguments": '{"path":"/etc/pas'},
                }
            ]
        },
    )
]


@pytest.mark.parametrize("target", ["anthropic", "openai-responses", "gemini"])
def test_a_stream_that_breaks_inside_a_call_is_an_error_to_the_client(
    server: Replay, target: str
) -> None:
    """The SDK of Anthropic would make `{}` of these arguments, and run the tool with them."""
    converter = tb.StreamConverter("openai-chat:groq", target)
    events = [each for chunk in BROKEN for each in converter.feed(chunk)] + converter.end()
    if target == "openai-responses":
        answer = heard_by_client(server, target, events)
        assert (answer.stop_reason, answer.tool_calls) == ("error", ())
        return
    with pytest.raises(Exception, match="ended inside a tool call"):
        heard_by_client(server, target, events)
