"""Faults that llama.cpp's server showed on 2026-11-30, replayed: a cut or doubtful call never
runs, and the run goes on. `test_local` asks the server itself, where it is installed."""

from __future__ import annotations

import json
from typing import Any, Final

import httpx2
import pytest

import toolbridge as tb
from loop.answers import said
from loop.servers import Server

RAN: list[str] = []


@tb.tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    RAN.append(city)
    return "clear"


@tb.tool
def get_time(city: str = "") -> str:
    """The time in a city."""
    RAN.append(f"time {city}")
    return "12:00"


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    RAN.clear()


def chat(arguments: str, stop: str, name: str = "get_weather") -> dict[str, Any]:
    call = {
        "type": "function",
        "function": {"name": name, "arguments": arguments},
        "id": "ZBfBysuv2ZGWyhp8TqEpi1LPksnWfsBf",
    }
    message = {"role": "assistant", "content": "", "tool_calls": [call]}
    return {
        "choices": [{"finish_reason": stop, "index": 0, "message": message}],
        "created": 1796068920,
        "model": "smollm2",
        "system_fingerprint": "b0-unknown",
        "object": "chat.completion",
        "usage": {"completion_tokens": 14, "prompt_tokens": 323, "total_tokens": 337},
        "id": "chatcmpl-vLxlhWVgZvwmCxO4Svxs36xgzll88kLV",
    }


def responses(arguments: str, name: str = "get_weather") -> dict[str, Any]:
    call = {
        "id": "fc_qsnoK4HWDqYYZpxeb3m1jbo0N68edH68",
        "type": "function_call",
        "status": "completed",
        "arguments": arguments,
        "call_id": "call_qsnoK4HWDqYYZpxeb3m1jbo0N68edH68",
        "name": name,
    }
    return {
        "completed_at": 1796068925,
        "created_at": 1796068925,
        "id": "resp_0ShMNmj0l4fj3fuwsGryFIuYxTonKSFA",
        "model": "smollm2",
        "object": "response",
        "output": [call],
        "status": "completed",
        "usage": {"input_tokens": 323, "output_tokens": 16, "total_tokens": 339},
    }


def messages(given: dict[str, Any], stop: str, name: str = "get_weather") -> dict[str, Any]:
    call = {"type": "tool_use", "id": "geXd1oA0JSiud95sYwnpVXaQ", "name": name, "input": given}
    return {
        "id": "chatcmpl-1FrLnXFlyOHdv7UMZ0AL6m3l71l9rgPN",
        "type": "message",
        "role": "assistant",
        "content": [call],
        "model": "smollm2",
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"cache_read_input_tokens": 322, "input_tokens": 1, "output_tokens": 14},
    }


CUT: Final = {
    "chat, nothing but a bracket": ("openai-chat", chat("{", "length")),
    "chat, within a key": ("openai-chat", chat('{"city', "length")),
    "chat, that looks whole": ("openai-chat", chat("{}", "length")),
    "responses, called completed": ("openai-responses", responses('{"city": "')),
    "messages, arguments silently gone": ("anthropic", messages({}, "max_tokens")),
    "messages, that looks whole": ("anthropic", messages({"city": "Seo"}, "max_tokens")),
}


@pytest.mark.parametrize(("format", "reply"), CUT.values(), ids=CUT)
def test_a_cut_call_never_runs_and_the_run_goes_on(format: str, reply: dict[str, Any]) -> None:
    server = Server(format, [reply, said("4도")])
    run = tb.run(server.model(), "서울 날씨?", tools=[get_weather])
    first = run.steps[0]
    assert first.response.tool_calls == () and len(first.response.broken_calls) == 1
    assert [result.is_error for result in first.results] == [True]
    assert RAN == []
    assert (run.text, run.stop_reason) == ("4도", "end")


@pytest.mark.parametrize("format", ["openai-chat", "openai-responses"])
def test_arguments_that_are_no_json_are_not_sent_back(format: str) -> None:
    """The server answers 500 to them, as do others that parse the history."""
    reply = chat('{"city', "length") if format == "openai-chat" else responses('{"city')
    server = Server(format, [reply, said("4도")])
    run = tb.run(server.model(), "서울 날씨?", tools=[get_weather])
    assert '{\\"city' not in json.dumps(server.bodies[1])
    assert '"arguments": "{}"' in json.dumps(server.bodies[1])
    (broken,) = run.steps[0].response.broken_calls
    assert broken.arguments == '{"city', "what came stays in the step"


def test_no_arguments_where_some_are_required_are_told() -> None:
    """A call that came whole, by its stop reason, without what its tool needs."""
    server = Server("anthropic", [messages({}, "tool_use"), said("4도")])
    run = tb.run(server.model(), "서울 날씨?", tools=[get_weather])
    (result,) = run.steps[0].results
    assert result.is_error and "city: missing" in str(result.parts)
    assert RAN == []


IGNORED: Final = {
    "openai-chat": chat('{"city":"서울"}', "tool_calls"),
    "openai-responses": responses('{"city":"서울"}'),
    "anthropic": messages({"city": "서울"}, "tool_use"),
}


@pytest.mark.parametrize("format", IGNORED)
def test_a_forced_tool_that_is_ignored_ends_nothing(format: str) -> None:
    server = Server(format, [IGNORED[format], said("4도")])
    forced = tb.ToolChoice(mode="tool", tools=(tb.ToolName(name="get_time"),))
    run = tb.run(server.model(), "몇 시?", tools=[get_weather, get_time], tool_choice=forced)
    assert RAN == ["서울"]
    assert (run.text, run.stop_reason) == ("4도", "end")


def dropped() -> Exception:
    return httpx2.RemoteProtocolError("Server disconnected without sending a response.")


@pytest.mark.parametrize("format", IGNORED)
def test_a_connection_dropped_after_a_reply_is_tried_once_more(format: str) -> None:
    """The server drops connections that it offered to keep; retries of the SDK are off here."""
    server = Server(format, [IGNORED[format], dropped(), said("4도")])
    run = tb.run(server.model(), "서울 날씨?", tools=[get_weather])
    assert run.text == "4도" and RAN == ["서울"]
    assert server.bodies[1] == server.bodies[2]


@pytest.mark.parametrize("format", IGNORED)
def test_a_connection_that_stays_closed_is_an_error(format: str) -> None:
    server = Server(format, [IGNORED[format], dropped(), dropped()])
    with pytest.raises(tb.VendorConnectionError, match="disconnected"):
        tb.run(server.model(), "서울 날씨?", tools=[get_weather])
    assert RAN == ["서울"], "no call runs twice"
