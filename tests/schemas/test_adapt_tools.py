"""`tb.adapt_tools`: what it takes, what it gives, and the way back."""

from __future__ import annotations

from typing import Any, Final

import pytest

import toolbridge as tb
from schemas.proof import TARGETS, dialect_of, written_schema
from toolbridge.schemas.check import findings

SCHEMA: Final = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}
PLAIN: Final = {"name": "weather", "description": "d", "input_schema": SCHEMA}


def weather(city: str, days: int | None = None) -> str:
    """The weather."""
    return f"{city} {days}"


@pytest.mark.parametrize(
    "given",
    [
        PLAIN,
        tb.ToolSpec(name="weather", description="d", parameters=SCHEMA),
        tb.tool(name="weather", description="d", schema=SCHEMA)(weather),
    ],
)
def test_all_forms_of_a_tool_give_the_same(given: Any) -> None:
    adapted = tb.adapt_tools([given], "openai-chat", strict=True)
    wanted = tb.adapt_tools([PLAIN], "openai-chat", strict=True).payload
    assert adapted.payload == wanted
    assert adapted.restore("weather", {"city": "서울", "days": None}) == (
        "weather",
        {"city": "서울"},
    )


def test_a_vendors_list_is_read_with_source() -> None:
    tools = [{"functionDeclarations": [{"name": "f", "parametersJsonSchema": SCHEMA}]}]
    (made,) = tb.adapt_tools(tools, "anthropic", source="gemini").payload
    assert made == {"name": "f", "input_schema": SCHEMA}


def test_what_is_no_tool_is_said() -> None:
    with pytest.raises(TypeError, match="int is no tool: pass Tools, ToolSpecs, dicts of name"):
        tb.adapt_tools([5], "anthropic")


def test_auto_is_strict_where_it_costs_no_meaning_and_says_why_not() -> None:
    bounded = {**SCHEMA, "properties": {"days": {"type": "integer", "maximum": 7}}, "required": []}
    tools = [PLAIN, {"name": "b", "description": "d", "input_schema": bounded}]
    adapted = tb.adapt_tools(tools, "anthropic", strict="auto")
    assert [tool.get("strict") for tool in adapted.payload] == [True, None]
    (loss,) = adapted.losses
    assert (loss.code, loss.severity) == ("tool.auto_strict", "note")
    assert "at most 7" in loss.detail


def test_the_budget_of_a_request_is_kept() -> None:
    """20 strict tools; 21 were refused (recorded: rig, strict_schema_limits)."""
    tools = [{**PLAIN, "name": f"t{index}"} for index in range(21)]
    adapted = tb.adapt_tools(tools, "anthropic", strict=True)
    assert [tool.get("strict") for tool in adapted.payload] == [True] * 20 + [None]
    (loss,) = [each for each in adapted.losses if each.code == "tool.not_strict"]
    assert loss.detail == "a request may have 20 strict tools, with this tool it would have 21"


def test_names_of_properties_that_are_words_of_schemas_are_names() -> None:
    names = ("title", "const", "$ref", "default", "items", "type", "enum", "oneOf")
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": list(names),
    }
    for target in TARGETS:
        format, _, strict = target.partition(" ")
        tool = {"name": "t", "description": "d", "input_schema": schema}
        adapted = tb.adapt_tools([tool], format, strict=bool(strict))
        given = dict.fromkeys(names, "x")
        assert adapted.restore(*adapted.forward("t", given)) == ("t", given)


def test_null_that_means_something_is_kept() -> None:
    """Only a null that stands for absence is dropped; where both are possible a mark is."""
    schema = {
        "type": "object",
        "properties": {"note": {"type": ["string", "null"]}},
        "additionalProperties": False,
    }
    tool = {"name": "t", "description": "d", "input_schema": schema}
    adapted = tb.adapt_tools([tool], "openai-chat", strict=True)
    assert adapted.restore("t", {"note": None}) == ("t", {"note": None})
    assert adapted.restore("t", {"note": {"absent": True}}) == ("t", {})
    assert adapted.restore("t", adapted.forward("t", {})[1]) == ("t", {})


def test_the_answer_is_read_in_terms_of_the_tools() -> None:
    adapted = tb.adapt_tools([PLAIN], "openai-chat", strict=True)
    function = {"name": "weather", "arguments": '{"city": "부산", "days": null}'}
    message = {"role": "assistant", "content": None} | {
        "tool_calls": [{"id": "c", "type": "function", "function": function}]
    }
    body = {"id": "r", "object": "chat.completion", "created": 1, "model": "m"} | {
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]
    }
    response = tb.read(body, "openai-chat", "response", tools=adapted)
    assert response.tool_calls[0].arguments == {"city": "부산"}


def nested(depth: int) -> Any:
    """An object within an object, so many times."""
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    return schema


RECURSIVE: Final = {
    "type": "object",
    "properties": {"node": {"$ref": "#"}, "name": {"type": "string"}},
    "required": ["name"],
}
LARGE: Final = {
    "type": "object",
    "properties": {f"p{index}": {"type": "string"} for index in range(10_000)},
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "schema", [nested(30), nested(90), RECURSIVE, LARGE], ids=["deep", "deeper", "circle", "large"]
)
def test_what_is_deep_large_or_circular_has_a_result_that_is_taken_or_told(
    target: str, schema: Any
) -> None:
    format, _, strict = target.partition(" ")
    adapted = tb.adapt_tools(
        [{"name": "t", "description": "d", "input_schema": schema}], format, strict=bool(strict)
    )
    made, is_strict = written_schema(adapted.payload)
    refused = findings(made, dialect_of(format, is_strict))
    told = {loss.code for loss in adapted.losses}
    assert not refused or "schema.unreadable" in told


def test_what_is_too_deep_to_be_read_is_a_clear_error() -> None:
    """500 levels are more than a payload may have anywhere."""
    tool = {"name": "t", "description": "d", "input_schema": nested(500)}
    with pytest.raises(tb.WireError, match="at /0/input_schema"):
        tb.adapt_tools([tool], "anthropic")


def test_a_number_of_properties_counts_those_in_the_list_too() -> None:
    """As it is written an object with a list of entries has fewer properties than it means."""
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "additionalProperties": {"type": "string"},
        "minProperties": 3,
    }
    tool = {"name": "t", "description": "d", "input_schema": schema}
    adapted = tb.adapt_tools([tool], "gemini:parameters")
    made, _ = written_schema(adapted.payload)
    assert "minProperties" not in made
    assert made["description"] == "At least 3 properties"
    assert "schema.constraint" in {loss.code for loss in adapted.losses}
