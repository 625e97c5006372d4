"""Codes of losses that no wire form can bring: `auto` is said in Python alone."""

from __future__ import annotations

from typing import Any

import pytest

import toolbridge as tb

CITY: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
CLOSED = {**CITY, "additionalProperties": False}
SHORT = {**CLOSED, "properties": {"city": {"type": "string", "maxLength": 9}}}
LATER = {**CLOSED, "required": []}


@pytest.mark.parametrize("schema", [CITY, SHORT], ids=["open", "length"])
@pytest.mark.parametrize(
    ("format", "off"), [("openai-chat", None), ("openai-responses", False), ("anthropic", None)]
)
def test_auto_is_off_where_strict_costs_meaning(
    format: str, off: bool | None, schema: dict[str, Any]
) -> None:
    """An open object would be closed, a length only be said in words. The schema stays."""
    tool = tb.ToolSpec(name="weather", parameters=schema, strict="auto")
    adapted = tb.adapt_tools([tool], format)
    made = function_of(adapted)
    assert made.get("parameters", made.get("input_schema")) == schema
    assert made.get("strict") is off
    (loss,) = adapted.losses
    assert (loss.code, loss.path) == ("tool.auto_strict", "/value/0/strict")
    assert (loss.effect, loss.severity, loss.reversible) == ("dropped", "note", True)
    assert loss.detail.startswith("strict would cost meaning")


@pytest.mark.parametrize("format", ["openai-chat", "openai-responses", "anthropic"])
def test_auto_is_strict_where_it_costs_nothing(format: str) -> None:
    """null stands for what is left out, and is turned back: that costs no meaning."""
    for schema in (CLOSED, LATER):
        tool = tb.ToolSpec(name="weather", parameters=schema, strict="auto")
        adapted = tb.adapt_tools([tool], format)
        assert function_of(adapted)["strict"] is True
        assert {loss.code for loss in adapted.losses} <= {"schema.rewritten"}


def function_of(adapted: tb.AdaptedTools) -> dict[str, Any]:
    """The one tool that was written."""
    (made,) = adapted.payload
    function: dict[str, Any] = made.get("function", made)
    return function
