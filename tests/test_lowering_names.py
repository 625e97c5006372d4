"""Ids and names that the target takes: deterministic maps in which no two become one."""

from __future__ import annotations

import re
from typing import Any

import pytest

import toolbridge as tb
from lowering_bodies import (
    Body,
    answer,
    assistant,
    call,
    call_ids,
    calls,
    chat,
    contents,
    from_chat,
    function,
    items,
    losses,
    messages,
    result,
    said,
    to,
    use,
    user,
)

MISTRAL = "openai-chat:mistral"
NINE = re.compile("[a-zA-Z0-9]{9}")
ANTHROPIC = re.compile("[a-zA-Z0-9_-]+")
ODD_IDS = ("call.1", "call:1", "call_1", "call 1", "호출1", "call_" + "a" * 80, "call_" + "a" * 81)


def steps(*ids: str) -> list[Body]:
    """A history of Chat with a step for each id."""
    made: list[Body] = [user("날씨")]
    for call_id in ids:
        made += [calls(call(call_id)), result(call_id)]
    return made


def written_ids(target: str, *ids: str) -> list[tuple[str, str]]:
    """The ids of calls and results in Messages or Chat."""
    body = from_chat(target, *steps(*ids))
    if target != "anthropic":
        return call_ids(body)
    pairs = {"tool_use": ("call", "id"), "tool_result": ("result", "tool_use_id")}
    blocks: list[Any] = [each for turn in body["messages"][1:] for each in turn["content"]]
    return [(pairs[each["type"]][0], each[pairs[each["type"]][1]]) for each in blocks]


# --- ids


@pytest.mark.parametrize(
    ("target", "pattern"), [(MISTRAL, NINE), ("anthropic", ANTHROPIC)], ids=["mistral", "anthropic"]
)
def test_ids_fit_the_alphabet_and_no_two_become_one(target: str, pattern: re.Pattern[str]) -> None:
    """Nine letters and digits at Mistral (anomalyco/opencode#1680), letters, digits, _ and - in
    Messages (BerriAI/litellm#21114)."""
    ids = written_ids(target, *ODD_IDS)
    assert all(pattern.fullmatch(made) for _, made in ids)
    assert len({made for _, made in ids}) == len(ODD_IDS)


@pytest.mark.parametrize("target", [MISTRAL, "anthropic", "openai-chat:azure"])
def test_a_result_has_the_id_of_its_call(target: str) -> None:
    ids = written_ids(target, *ODD_IDS)
    assert [made for kind, made in ids if kind == "call"] == [
        made for kind, made in ids if kind == "result"
    ]


@pytest.mark.parametrize("target", [MISTRAL, "anthropic"])
def test_ids_are_the_same_each_time(target: str) -> None:
    """A clock or a random source would break prompt caches and recordings."""
    assert written_ids(target, *ODD_IDS) == written_ids(target, *ODD_IDS)


def test_ids_of_a_shorter_history_stay_in_a_longer_one() -> None:
    assert written_ids(MISTRAL, *ODD_IDS)[:6] == written_ids(MISTRAL, *ODD_IDS[:3])


def test_ids_of_chat_have_at_most_40_characters() -> None:
    """Responses takes 64 (Portkey-AI/gateway#1062; openai-openapi)."""
    long = "call_" + "a" * 59
    inputs = [
        {"type": "function_call", "call_id": long, "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": long, "output": "됐다"},
    ]
    ids = call_ids(to(items(user("해"), *inputs), "openai-responses", "openai-chat"))
    assert len(ids[0][1]) == 40
    assert ids[0][1] == ids[1][1]


@pytest.mark.parametrize("target", ["anthropic", "openai-responses", "gemini"])
def test_an_id_that_fits_stays(target: str) -> None:
    assert losses(chat(*steps("call_abc-1"), max_tokens=64), "openai-chat", target) == []


def test_a_made_id_does_not_meet_a_later_one() -> None:
    """Whatever the history brings, the id made before is taken."""
    ((_, made), *_) = written_ids("anthropic", "call.1")
    ids = written_ids("anthropic", "call.1", made)
    assert len({each for _, each in ids}) == 2


def test_an_id_used_twice_becomes_two() -> None:
    """Messages refuses one id for two calls (anthropics/claude-code#21317)."""
    first, second = written_ids("anthropic", "call_1", "call_1")[::2]
    assert first == ("call", "call_1")
    assert second != first


def test_each_renamed_id_is_told_at_its_place() -> None:
    assert losses(chat(*steps("call.1"), max_tokens=9), "openai-chat", "anthropic") == [
        ("id.renamed", "/messages/1/tool_calls/0/id"),
        ("id.renamed", "/messages/2/tool_call_id"),
    ]


def test_the_id_of_an_invented_result_is_no_loss() -> None:
    """The history has no such id: that of the call is told already."""
    body = chat(user("날씨"), calls(call("call.1")), user("응"), max_tokens=9)
    assert losses(body, "openai-chat", "anthropic") == [
        ("id.renamed", "/messages/1/tool_calls/0/id"),
        ("result.invented", "/messages"),
    ]


# --- names


def test_a_name_is_the_same_in_tools_history_and_choice() -> None:
    turns = (
        said("주문 추적"),
        {"role": "model", "parts": [{"functionCall": {"id": "f1", "name": "orders.track"}}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"id": "f1", "name": "orders.track", "response": {}}}],
        },
    )
    body = contents(
        *turns,
        tools=[{"functionDeclarations": [{"name": "orders.track"}]}],
        toolConfig={
            "functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["orders.track"]}
        },
    )
    written = to(body, "gemini", "anthropic", model="claude-haiku-4-5")
    name = written["tools"][0]["name"]
    assert ANTHROPIC.fullmatch(name)
    assert written["messages"][1]["content"][0]["name"] == name
    assert written["tool_choice"]["name"] == name


def test_the_result_of_gemini_has_the_name_of_its_call() -> None:
    """A name is required there, and no other vendor's result has one."""
    history = [user("컵"), calls(call("call_1", name="3d_print")), result("call_1")]
    body = from_chat("gemini", *history, tools=[function("3d_print")])
    name = body["tools"][0]["functionDeclarations"][0]["name"]
    assert re.fullmatch("[a-zA-Z_][a-zA-Z0-9_.:-]*", name)
    parts = [turn["parts"][0] for turn in body["contents"][1:]]
    assert [parts[0]["functionCall"]["name"], parts[1]["functionResponse"]["name"]] == [name] * 2


def names(*declared: str, target: str = "openai-chat") -> list[str]:
    """The names of tools of Gemini in another format."""
    tools = [{"functionDeclarations": [{"name": name} for name in declared]}]
    written = tb.convert(tools, source="gemini", target=target, kind="tools").payload
    return [tool.get("function", tool)["name"] for tool in written]


def test_no_two_names_become_one() -> None:
    """Dots and underscores clean to one word, long names share their beginning."""
    long = "list_orders_of_one_customer_by_region_and_by_year_and_by_month_"
    made = names("a.b", "a:b", "a_b", f"{long}one", f"{long}two")
    assert len(set(made)) == 5
    assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in made)
    assert made[2] == "a_b"


def test_a_name_does_not_hang_on_the_others() -> None:
    """Else a tool more would change the history of all."""
    assert names("orders.track") == names("a", "orders.track", "z.z")[1:2]


def test_long_names_stay_where_they_may() -> None:
    """Messages and Responses take 128 characters, Chat 64 (home-assistant/core#147760)."""
    name = "a" * 100
    assert names(name, target="anthropic") == [name]
    assert names(name, target="openai-responses") == [name]
    assert len(names(name)[0]) == 64


def test_a_name_that_only_the_history_knows_is_mapped_too() -> None:
    """A tool may be gone from the list, its calls are not."""
    parts = [{"functionCall": {"id": "f1", "name": "orders.track", "args": {}}}]
    body = contents(said("추적"), {"role": "model", "parts": parts}, said("응"))
    written = to(body, "gemini", "anthropic", model="claude-haiku-4-5")
    assert written["messages"][1]["content"][0]["name"] == names("orders.track")[0]


def test_a_tool_of_a_namespace_does_not_meet_one_that_is_called_so() -> None:
    """Identity is namespace and name; elsewhere both stand in the name."""
    find = {"type": "function", "name": "find", "parameters": {"type": "object"}, "strict": False}
    group = {"type": "namespace", "name": "crm", "description": "고객", "tools": [find]}
    body = items(
        user("찾아"),
        {
            "type": "function_call",
            "call_id": "1",
            "name": "find",
            "namespace": "crm",
            "arguments": "{}",
        },
        {"type": "function_call_output", "call_id": "1", "output": "김민수"},
        tools=[{**find, "name": "crm__find"}, group],
    )
    written = to(body, "openai-responses", "openai-chat")
    plain, grouped = (tool["function"]["name"] for tool in written["tools"])
    assert plain == "crm__find" != grouped
    assert written["messages"][1]["tool_calls"][0]["function"]["name"] == grouped


def test_names_and_ids_stay_in_the_same_format() -> None:
    body = messages(
        user("날씨"), assistant([use("id with spaces", name="a.b")]), user([answer("other id")])
    )
    assert to(body, "anthropic", "anthropic") == body
