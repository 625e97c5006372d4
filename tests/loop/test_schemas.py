"""A run with tools whose schemas a vendor takes in another form only: the function gets what it
declared, and the model sees its own calls in the terms that it was offered."""

from __future__ import annotations

from typing import Any, Final

import pytest

import toolbridge as tb

from .answers import Called, calling, said
from .live_server import LiveServer
from .servers import Server

SCHEMA: Final = {
    "type": "object",
    "properties": {
        "item": {"type": "string"},
        "count": {"type": "integer"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["item", "labels"],
    "additionalProperties": False,
}
WRITTEN: Final = {"item": "pen", "count": None, "labels": [{"key": "color", "value": "red"}]}
"""What a model writes that OpenAI holds to the strict form of the schema."""

GIVEN: Final = {"item": "pen", "labels": {"color": "red"}}
"""What that means."""


def order_tool(got: list[Any], **options: Any) -> tb.Tool:
    """A tool that keeps what it got."""

    def order(**arguments: Any) -> str:
        got.append(arguments)
        return "ok"

    return tb.tool(name="order", schema=SCHEMA, **options)(order)


@pytest.mark.parametrize("format", ["openai-chat", "openai-responses"])
def test_the_function_gets_arguments_after_its_own_schema(format: str) -> None:
    got: list[Any] = []
    server = Server(format, [calling(Called("order", WRITTEN)), said("done")])
    run = tb.run(server.model(), "hi", tools=[order_tool(got, strict=True)])
    assert got == [GIVEN]
    assert run.steps[0].response.tool_calls[0].arguments == GIVEN
    assert run.steps[0].results[0].is_error is None


@pytest.mark.parametrize("format", ["openai-chat", "openai-responses"])
def test_the_model_sees_its_call_as_it_wrote_it(format: str) -> None:
    """Byte for byte: the vendor's cache and its reasoning are bound to the text."""
    text = '{"labels": [{"value": "red", "key": "color"}], "item": "pen", "count": null}'
    server = Server(format, [calling(Called("order", text)), said("done")])
    tb.run(server.model(), "hi", tools=[order_tool([], strict=True)])
    body = str(server.bodies[1])
    assert text in body


def test_another_vendor_sees_it_in_the_terms_that_it_is_offered() -> None:
    """Anthropic holds a strict model to optional properties, but to no maps."""
    first = Server("openai-chat", [calling(Called("order", WRITTEN)), said("done")])
    tool = order_tool([], strict=True)
    run = tb.run(first.model(), "hi", tools=[tool])
    second = Server("anthropic", [said("ok")])
    tb.run(second.model(), [*run.messages, "again"], tools=[tool])
    (call,) = [
        block
        for message in second.bodies[0]["messages"]
        for block in message["content"]
        if isinstance(block, dict) and block["type"] == "tool_use"
    ]
    assert call["input"] == {"item": "pen", "labels": WRITTEN["labels"]}


def test_streams_bring_arguments_back_too() -> None:
    got: list[Any] = []
    server = LiveServer("openai-chat", [calling(Called("order", WRITTEN)), said("done")])
    with tb.stream(server.model(), "hi", tools=[order_tool(got, strict=True)]) as events:
        *_, run = events
    assert got == [GIVEN]
    assert isinstance(run, tb.Run)
    assert run.steps[0].response.tool_calls[0].arguments == GIVEN


def test_what_the_vendor_did_not_enforce_is_refused_by_the_original() -> None:
    """A wrong type goes through the way back as it is, and the validation says so."""
    got: list[Any] = []
    wrong = {**WRITTEN, "count": "three"}
    server = Server("openai-chat", [calling(Called("order", wrong)), said("done")])
    run = tb.run(server.model(), "hi", tools=[order_tool(got, strict=True)])
    (result,) = run.steps[0].results
    assert got == []
    assert result.is_error
    assert "count" in str(result.parts)
