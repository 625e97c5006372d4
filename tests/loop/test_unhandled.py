"""Calls of tools that the app only declares, and of tools known by a vendor's type."""

from __future__ import annotations

from typing import Any

import pytest

import toolbridge as tb

from .answers import FORMATS, Called, calling, said
from .play import Played, play, response, shown, text_of

RAN: list[str] = []


@tb.tool
def weather(city: str) -> str:
    """The weather in a city."""
    RAN.append(city)
    return f"맑음, {city}"


SEOUL = Called("weather", {"city": "서울"}, "call_1")


def one(*calls: Called, format: str = "openai-chat", tools: Any) -> Played:
    """A conversation of one step, with a last word after it."""
    return play([(format, calling(*calls)), (format, said("끝"))], tools=tools)


SPEC = tb.ToolSpec(name="ask_user", parameters={"type": "object"})
COMPUTER = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "output": [
        {
            "type": "computer_call",
            "id": "cu_1",
            "call_id": "call_9",
            "action": {"type": "screenshot"},
            "status": "completed",
            "pending_safety_checks": [],
        }
    ],
}


@pytest.mark.parametrize("format", FORMATS)
def test_a_call_of_a_tool_without_function_ends_the_run(format: str) -> None:
    ask = Called("ask_user", {}, "call_3")
    played = one(SEOUL, ask, format=format, tools=[weather, SPEC])
    assert played.run.stop_reason == "unhandled_call"
    assert [call.id for call in played.run.pending] == ["call_3"]
    assert len(played.requests) == 1
    assert RAN == [], "nothing runs of a step that cannot be answered"


def test_a_call_of_the_vendors_type_without_handler_ends_the_run() -> None:
    read: tb.Response = tb.read(COMPUTER, "openai-responses", "response")
    hosted = tb.HostedTool(format="openai-responses", type="computer_use_preview")
    run = play([read], tools=[weather, hosted]).run
    assert run.stop_reason == "unhandled_call"
    (pending,) = run.pending
    assert (pending.id, pending.arguments) == ("call_9", {"type": "screenshot"})


def test_a_call_of_the_vendors_type_runs_where_there_is_a_function() -> None:
    read: tb.Response = tb.read(COMPUTER, "openai-responses", "response")
    (call,) = read.tool_calls
    got: list[Any] = []

    def screen(**action: Any) -> tb.Media:
        got.append(action)
        return tb.Media(kind="image", source=tb.Source(data="aGk=", media_type="image/png"))

    hosted = tb.HostedTool(format="openai-responses", type=call.kind, executor="client")
    played = play([read, ("openai-responses", said("봤어요"))], tools=[tb.Tool(hosted, screen)])
    assert got == [{"type": "screenshot"}]
    (result,) = played.results
    assert (result.call_id, result.kind) == ("call_9", call.kind)


BASH = tb.HostedTool(format="anthropic", type="bash_20250124", name="bash")


def test_a_tool_of_the_vendors_type_that_is_called_by_name() -> None:
    call = Called("bash", {"command": "ls"}, "call_1")
    pending = one(call, format="anthropic", tools=[BASH]).run
    assert (pending.stop_reason, len(pending.pending)) == ("unhandled_call", 1)
    bash = tb.Tool(BASH, lambda command: f"ran {command}")
    assert shown(one(call, format="anthropic", tools=[bash])) == [("call_1", False, "ran ls")]


def test_a_tool_of_a_group_is_known_by_its_namespace() -> None:
    find = tb.ToolSpec(name="find", parameters={"type": "object"})
    group = tb.ToolGroup(name="crm", tools=(find,))
    call = tb.ToolCall(id="call_1", name="find", arguments={}, namespace="crm")
    assert play([response(call)], tools=[group]).run.stop_reason == "unhandled_call"
    stranger = call.replace(namespace="erp")
    played = play([response(stranger), response()], tools=[group])
    assert "There is no tool 'find'" in text_of(played.results[0])


def test_two_tools_of_one_name_in_two_namespaces_are_two_tools() -> None:
    def make(namespace: str) -> tb.Tool:
        return tb.tool(name="find", namespace=namespace)(lambda: namespace)

    def call(namespace: str) -> tb.ToolCall:
        return tb.ToolCall(id=namespace, name="find", arguments={}, namespace=namespace)

    tools = [make("crm"), make("erp")]
    played = play([response(call("erp"), call("crm")), response()], tools=tools)
    assert [text_of(result) for result in played.results] == ["erp", "crm"]
