"""The one spelling: everything that law 2 forgives, and what it does not."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from .align import align
from .pointers import Json
from .spelling import Kind, one_spelling
from .tree import leaves


@dataclass(frozen=True)
class Case:
    """Two spellings of one body."""

    name: str
    format: str
    one: Json
    other: Json
    kind: Kind = "request"


def differences(one: Json, other: Json, format: str, kind: Kind) -> list[str]:
    alignment = align(one_spelling(one, format, kind).root, one_spelling(other, format, kind).root)
    lost = [lost.leaf.pointers[0] for lost in alignment.lost]
    return lost + [added.element.pointers[0] for added in alignment.added]


def say(content: Json, role: str = "user") -> Json:
    """A Messages or Chat body with one message."""
    return {"messages": [{"role": role, "content": content}]}


def result(**keys: Json) -> Json:
    """An Anthropic body with one tool result."""
    return say([{"type": "tool_result", "tool_use_id": "t", **keys}])


def call(arguments: str) -> Json:
    """A Chat body with one call."""
    function: Json = {"name": "f", "arguments": arguments}
    calls: Json = [{"id": "c", "type": "function", "function": function}]
    return {"messages": [{"role": "assistant", "content": None, "tool_calls": calls}]}


def declare(**keys: Json) -> Json:
    """A Gemini body with one function."""
    return {"tools": [{"functionDeclarations": [{"name": "f", **keys}]}]}


def text(value: str, part_type: str = "text") -> list[Json]:
    return [{"type": part_type, "text": value}]


def turn(role: str, *texts: str) -> Json:
    """A Gemini turn."""
    return {"role": role, "parts": [{"text": value} for value in texts]}


FUNCTION: Json = {"name": "f", "parameters": {"type": "object"}}
SCHEMA: Json = {
    "type": "OBJECT",
    "properties": {"type": {"type": "STRING"}, "any_of": {"type": "ARRAY", "min_items": 1}},
    "property_ordering": ["type"],
}
JSON_SCHEMA: Json = {
    "type": "object",
    "properties": {"type": {"type": "string"}, "any_of": {"type": "array", "minItems": 1}},
    "propertyOrdering": ["type"],
}
OLD_CHAT: Json = {
    "functions": [FUNCTION],
    "function_call": {"name": "f"},
    "messages": [
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "1"},
    ],
}
NEW_CHAT: Json = {
    "tools": [{"type": "function", "function": FUNCTION}],
    "tool_choice": {"type": "function", "function": {"name": "f"}},
    "messages": [
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{ }"}}
            ],
        },
        {"role": "tool", "tool_call_id": "c", "content": text("1")},
    ],
}

FORGIVEN = (
    # a string and one text part
    Case("content", "anthropic", say("a"), say(text("a"))),
    Case("system", "anthropic", {"system": "a"}, {"system": text("a")}),
    Case("result content", "anthropic", result(content="a"), result(content=text("a"))),
    Case(
        "document source",
        "anthropic",
        say([{"type": "document", "source": {"type": "content", "content": "a"}}]),
        say([{"type": "document", "source": {"type": "content", "content": text("a")}}]),
    ),
    Case("content of a user", "openai-chat", say("a"), say(text("a"))),
    Case("content of a tool", "openai-chat", say("a", "tool"), say(text("a"), "tool")),
    Case("content of the assistant", "openai-chat", say("a", "assistant"),
         say(text("a"), "assistant")),
    Case(
        "content of a choice",
        "openai-chat",
        {"choices": [{"message": {"role": "assistant", "content": "a"}}]},
        {"choices": [{"message": {"role": "assistant", "content": text("a")}}]},
        "response",
    ),
    Case(
        "input",
        "openai-responses",
        {"input": "a"},
        {"input": [{"type": "message", "role": "user", "content": text("a", "input_text")}]},
    ),
    Case(
        "message of the assistant",
        "openai-responses",
        {"input": [{"role": "assistant", "content": "a"}]},
        {"input": [{"role": "assistant", "content": text("a", "output_text")}]},
    ),
    Case(
        "output of a call",
        "openai-responses",
        {"input": [{"type": "function_call_output", "call_id": "c", "output": "a"}]},
        {
            "input": [
                {
                    "type": "function_call_output",
                    "call_id": "c",
                    "output": text("a", "input_text"),
                }
            ]
        },
    ),
    Case(
        "instructions",
        "openai-responses",
        {"instructions": "a"},
        {"instructions": [{"role": "developer", "content": text("a", "input_text")}]},
        "response",
    ),
    # argument text
    Case("spaces in arguments", "openai-chat", call('{"a":[1,{}]}'), call('{ "a": [ 1, { } ] }')),
    Case("escapes in arguments", "openai-chat", call('{"a":"\\u00e9"}'), call('{"a":"é"}')),
    Case(
        "arguments of an item",
        "openai-responses",
        {"output": [{"type": "function_call", "arguments": '{"a":1}'}]},
        {"output": [{"type": "function_call", "arguments": '{"a": 1}'}]},
        "response",
    ),
    # absent and the documented default
    Case("no error", "anthropic", result(is_error=False), result()),
    Case("custom tool", "anthropic", {"tools": [{"type": "custom"}]}, {"tools": [{}]}),
    Case("null type of a tool", "anthropic", {"tools": [{"type": None}]}, {"tools": [{}]}),
    Case("stream", "anthropic", {"stream": False}, {}),
    Case("null of an unknown key", "anthropic", {"abc": None}, {}),
    Case("null stop sequence", "anthropic", {"stop_sequence": None}, {}, "response"),
    Case(
        "auto with tools",
        "anthropic",
        {"tools": [{}], "tool_choice": {"type": "auto", "disable_parallel_tool_use": False}},
        {"tools": [{}]},
    ),
    Case("none without tools", "anthropic", {"tool_choice": {"type": "none"}}, {}),
    Case("cache mark", "anthropic",
         say([{"type": "text", "text": "a", "cache_control": {"type": "ephemeral", "ttl": "5m"}}]),
         say([{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}])),
    Case("auto", "openai-chat", {"tools": [{}], "tool_choice": "auto"}, {"tools": [{}]}),
    Case("null content of a call", "openai-chat",
         {"messages": [{"role": "assistant", "content": None}]},
         {"messages": [{"role": "assistant"}]}),
    Case("numbers of settings", "openai-chat", {"temperature": 1.0, "n": 1}, {}),
    Case("parallel calls", "openai-responses", {"parallel_tool_calls": True}, {}),
    Case("nothing but defaults", "openai-responses",
         {"reasoning": {"effort": None, "summary": None}, "text": {"format": {"type": "text"}}},
         {}, "response"),
    Case("null field", "gemini", {"generationConfig": None}, {}),
    Case("empty settings", "gemini", {"generationConfig": {}}, {}),
    Case("no thought", "gemini", {"contents": [{"parts": [{"text": "a", "thought": False}]}]},
         {"contents": [{"parts": [{"text": "a"}]}]}),
    Case("mode AUTO beside functions", "gemini",
         {"tools": [{"functionDeclarations": [{"name": "f"}]}],
          "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}}},
         {"tools": [{"functionDeclarations": [{"name": "f"}]}]}),
    # keys in either case
    Case("keys of the vendor", "gemini",
         {"system_instruction": {"parts": [{"inline_data": {"mime_type": "a/b"}}]}},
         {"systemInstruction": {"parts": [{"inlineData": {"mimeType": "a/b"}}]}}),
    # turns
    Case("turns of one role", "anthropic",
         {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": text("b")}]},
         {"messages": [{"role": "user", "content": [*text("a"), *text("b")]}]}),
    Case("turns of one role", "gemini", {"contents": [turn("model", "a"), turn("model", "b")]},
         {"contents": [turn("model", "a", "b")]}),
    Case("absent role", "gemini", {"contents": [turn("user", "a"), {"parts": [{"text": "b"}]}]},
         {"contents": [{"parts": [{"text": "a"}, {"text": "b"}]}]}),
    Case("role of the instruction", "gemini", {"systemInstruction": turn("user", "a")},
         {"systemInstruction": turn("model", "a")}),
    Case("one object", "gemini", {"contents": turn("user", "a"), "tools": {"googleSearch": {}}},
         {"contents": [turn("user", "a")], "tools": [{"googleSearch": {}}]}),
    # names of keys and roles
    Case("output limit", "openai-chat", {"max_tokens": 5}, {"max_completion_tokens": 5}),
    Case("system role", "openai-chat", say("a", "system"), say("a", "developer")),
    Case("system role", "openai-responses", {"input": [{"role": "system", "content": "a"}]},
         {"input": [{"role": "developer", "content": "a", "type": "message"}]}),
    Case("functions", "openai-chat", OLD_CHAT, NEW_CHAT),
    Case("function call of a choice", "openai-chat",
         {"choices": [{"finish_reason": "function_call",
                       "message": {"function_call": {"name": "f", "arguments": "{}"}}}]},
         {"choices": [{"finish_reason": "tool_calls",
                       "message": {"tool_calls": [{"id": "c", "type": "function", "function":
                                                   {"name": "f", "arguments": "{}"}}]}}]},
         "response"),
    # schemas
    Case("parameters", "gemini", declare(parameters=SCHEMA),
         declare(parametersJsonSchema=JSON_SCHEMA)),
    Case("type names", "gemini", declare(parameters={"type": "STRING"}),
         declare(parameters={"type": "string"})),
    Case("output schema", "gemini", {"generationConfig": {"response_schema": SCHEMA}},
         {"generationConfig": {"responseJsonSchema": JSON_SCHEMA}}),
)  # fmt: skip

NOT_FORGIVEN = (
    Case("two text parts", "anthropic", say("ab"), say([*text("a"), *text("b")])),
    Case("empty text", "anthropic", result(content=""), result(content=[])),
    Case("absent result", "anthropic", result(), result(content=[])),
    Case("turns of two roles", "anthropic", {"messages": [{"role": "user", "content": "a"}]},
         {"messages": [{"role": "assistant", "content": "a"}]}),
    Case("an error", "anthropic", result(is_error=True), result(is_error=False)),
    Case("auto without tools", "anthropic", {"tool_choice": {"type": "auto"}}, {}),
    Case("null in arguments", "anthropic", say([{"type": "tool_use", "input": {"title": None}}]),
         say([{"type": "tool_use", "input": {}}])),
    Case("order in arguments", "openai-chat", call('{"a":1,"b":2}'), call('{"b":2,"a":1}')),
    Case("numbers in arguments", "openai-chat", call('{"a":1}'), call('{"a":1.0}')),
    Case("broken arguments", "openai-chat", call('{"a":1'), call('{"a": 1')),
    Case("empty argument text", "openai-chat", call(""), call("{}")),
    Case("a JSON text and a text", "openai-chat", call('"abc"'), call("abc")),
    Case("defaults in arguments", "openai-responses",
         {"output": [{"type": "function_call", "arguments": '{"tools":[{"size":"auto"}]}'}]},
         {"output": [{"type": "function_call", "arguments": '{"tools":[{}]}'}]}, "response"),
    Case("empty string and null", "openai-chat", say("", "assistant"), say(None, "assistant")),
    Case("ids of the new form", "openai-chat", call("{}"),
         {"messages": [{"role": "assistant", "tool_calls": [
             {"id": "d", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}]}),
    Case("turns of one role", "openai-chat",
         {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]},
         {"messages": [{"role": "user", "content": [*text("a"), *text("b")]}]}),
    Case("case in arguments", "gemini",
         {"contents": [{"parts": [{"functionCall": {"args": {"a_b": 1}}}]}]},
         {"contents": [{"parts": [{"functionCall": {"args": {"aB": 1}}}]}]}),
    Case("case of a property", "gemini", declare(parameters={"properties": {"a_b": {}}}),
         declare(parameters={"properties": {"aB": {}}})),
    Case("keywords of JSON Schema", "gemini", declare(parametersJsonSchema={"min_items": 1}),
         declare(parametersJsonSchema={"minItems": 1})),
    Case("case of an enum", "gemini", declare(parameters={"enum": ["OBJECT"]}),
         declare(parameters={"enum": ["object"]})),
    Case("a tool switched on", "gemini", {"tools": [{"googleSearch": {}}]}, {"tools": [{}]}),
    Case("absent args", "gemini", {"contents": [{"parts": [{"functionCall": {"name": "f"}}]}]},
         {"contents": [{"parts": [{"functionCall": {"name": "f", "args": {}}}]}]}),
)  # fmt: skip


def label(case: Case) -> str:
    return f"{case.format}: {case.name}"


@pytest.mark.parametrize("case", FORGIVEN, ids=label)
def test_forgiven(case: Case) -> None:
    assert differences(case.one, case.other, case.format, case.kind) == []
    assert differences(case.other, case.one, case.format, case.kind) == []


@pytest.mark.parametrize("case", NOT_FORGIVEN, ids=label)
def test_not_forgiven(case: Case) -> None:
    assert differences(case.one, case.other, case.format, case.kind)
    assert differences(case.other, case.one, case.format, case.kind)


def places(body: Json, format: str) -> Iterator[tuple[str, ...]]:
    return (leaf.pointers for leaf in leaves(one_spelling(body, format, "request").root))


def test_a_part_stands_for_its_string() -> None:
    assert set(places(say("a"), "anthropic")) == {
        ("/messages/0/role",),
        ("/messages/0/content",),
    }


def test_an_argument_stands_for_its_text() -> None:
    arguments = "/messages/0/tool_calls/0/function/arguments"
    assert list(places(call('{"a":[1,2]}'), "openai-chat")).count((arguments,)) == 2


def test_merged_turns_stand_for_all() -> None:
    body: Json = {"contents": [turn("model", "a"), turn("model", "b")]}
    assert list(places(body, "gemini")) == [
        ("/contents/0/role", "/contents/1/role"),
        ("/contents/0/parts/0/text",),
        ("/contents/1/parts/0/text",),
    ]


def test_the_body_is_not_changed() -> None:
    body: Json = {"functions": [FUNCTION], "messages": [{"role": "user", "content": "a"}]}
    one_spelling(body, "openai-chat:azure", "request")
    assert body == {"functions": [FUNCTION], "messages": [{"role": "user", "content": "a"}]}


def test_what_is_no_message_stays() -> None:
    assert list(places({"messages": ["Invalid content"]}, "anthropic")) == [("/messages/0",)]
