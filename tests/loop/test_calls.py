"""One call of a tool: its arguments are checked, and the function runs with them and a context."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import BaseModel, Field, field_validator

import toolbridge as tb

from .answers import FORMATS, Called, calling, said
from .play import called, error_of, fault_of, play, result_of, text_of

Bare = tb.Context


@dataclasses.dataclass
class Shop:
    """The app's own."""

    name: str


# --- arguments


class Unit(enum.Enum):
    """A unit."""

    CELSIUS = "celsius"


class Order(BaseModel):
    """An order."""

    id: int
    due: datetime.date


def test_arguments_come_as_the_types_of_the_function() -> None:
    got: list[Any] = []

    def take(unit: Unit, order: Order, shop: Shop, count: int = 1, tag: str | None = None) -> None:
        got.extend((unit, order, shop, count, tag))

    result_of(
        take,
        {
            "unit": "celsius",
            "order": {"id": "7", "due": "2026-12-01"},
            "shop": {"name": "A"},
            "tag": None,
        },
    )
    due = datetime.date(2026, 12, 1)
    assert got == [Unit.CELSIUS, Order(id=7, due=due), Shop("A"), 1, None]


def test_arguments_are_the_functions_own_to_change() -> None:
    """The history holds the same ones: it must not change with them."""

    @tb.tool(schema={"type": "object"})
    def by_schema(**found: Any) -> Any:
        found["list"].append({})
        return found["list"]

    @tb.tool
    def by_type(list: Any) -> Any:
        list.append({})
        return list

    for tool in (by_schema, by_type):
        played = called(tool, {"list": [1]})
        assert played.results[0].parts == (tb.Json(value=[1, {}]),)
        assert played.run.steps[0].response.tool_calls[0].arguments == {"list": [1]}


def test_wrong_arguments_are_told_in_words_and_the_function_does_not_run() -> None:
    def find(
        city: str, days: Annotated[int, Field(ge=1)], mode: Literal["a", "b"] = "a", *, order: Order
    ) -> None:
        raise NotImplementedError

    arguments = {"days": 0, "mode": "c", "order": {"id": 1, "due": "soon"}, "town": "서울"}
    played = called(find, arguments)
    assert played.performed == []
    lines = text_of(played.results[0]).splitlines()
    assert lines[0] == "The arguments of find are not valid:"
    assert lines[-1] == "Call it again with arguments that fit its schema."
    assert [line.partition(":")[0] for line in lines[1:-1]] == [
        "- city",
        "- days",
        "- mode",
        "- order.due",
        "- town",
    ]
    assert '- city: missing; valid example: "text"' in lines
    assert '- mode: must be one of "a", "b" (given: "c"); valid example: "a"' in lines
    assert "https://" not in "".join(lines), "addresses of pydantic's are of no use to a model"


def test_a_long_value_is_not_told_whole() -> None:
    def find(days: int) -> None: ...

    assert len(fault_of(find, {"days": "x" * 10_000})) < 400


class Careful(BaseModel):
    """Has a check of the app's own."""

    id: int

    @field_validator("id")
    @classmethod
    def check(cls, id: int) -> int:
        raise KeyError("no such id")


def test_a_check_of_the_apps_own_may_fail_in_any_way() -> None:
    def find(order: Careful) -> None: ...

    assert "an error inside it" in fault_of(find, {"order": {"id": 1}})
    error = error_of(find, {"order": {"id": 1}})
    assert isinstance(error, KeyError), "the app gets what the model does not"


def test_a_schema_that_refers_outside_is_told_and_does_not_end_the_run() -> None:
    @tb.tool(schema={"type": "object", "properties": {"q": {"$ref": "http://localhost:9/s"}}})
    def find(q: str) -> None: ...

    assert "an error inside it" in fault_of(find, {"q": "x"})
    assert "the schema refers to what it does not hold" in str(error_of(find, {"q": "x"}))


# --- the context


def bare(item: str, context: tb.Context) -> Any:
    return context


def typed(item: str, context: tb.Context[Shop]) -> Any:
    return context


def optional(item: str, context: Optional[tb.Context[Shop]] = None) -> Any:  # noqa: UP045
    return context


def either(item: str, context: tb.Context[Shop] | None = None) -> Any:
    return context


def annotated(item: str, context: Annotated[tb.Context, "filled by the loop"]) -> Any:
    return context


def first(ctx: Bare, item: str) -> Any:
    return ctx


def keyword(item: str, *, anything: tb.Context[Any]) -> Any:
    return anything


class Method:
    """Has a method."""

    def method(self, item: str, context: tb.Context) -> Any:
        return context


TAKING = [bare, typed, optional, either, annotated, first, keyword, Method().method]


def by_schema(function: Any) -> tb.Tool:
    return tb.tool(schema={"type": "object", "properties": {"item": {}}})(function)


@pytest.mark.parametrize("function", TAKING)
@pytest.mark.parametrize("make", [tb.tool, by_schema])
def test_a_context_is_filled_and_never_offered(make: Any, function: Any) -> None:
    shop = Shop("A")
    seen: list[tb.Context[Shop]] = []
    keep = functools.wraps(function)(lambda *args, **named: seen.append(function(*args, **named)))
    tool = make(keep)
    assert set(tool.spec.parameters["properties"]) == {"item"}
    called(tool, {"item": "tea"}, data=shop)
    (context,) = seen
    assert isinstance(context, tb.Context)
    assert context.data is shop
    assert context.call_id == "call_1"
    assert len(context.call_key) == 22
    assert not context.cancel.cancelled


def test_an_annotation_that_cannot_be_resolved_still_names_the_context() -> None:
    def find(item: str, context: Any) -> str:
        return str(context.data)

    find.__annotations__ = {"item": "Nowhere", "context": "tb.Context[app.Data]"}
    assert by_schema(find).context == "context"
    find.__annotations__ = {"item": "Nowhere", "context": "NoContextAtAll"}
    assert by_schema(find).context is None


def test_a_key_is_the_same_for_the_same_call_and_no_other() -> None:
    keys: list[str] = []

    def buy(item: str, context: tb.Context) -> None:
        keys.append(context.call_key)

    def conversation(run_id: str) -> list[str]:
        keys.clear()
        same = Called("buy", {"item": "tea"}, None)
        turns = [("gemini", calling(same)), ("gemini", calling(same)), ("gemini", said("ok"))]
        play(turns, tools=[buy], run_id=run_id)
        play([*turns[:1], *turns[2:]], tools=[buy], run_id=f"{run_id}, later")
        return [*keys]

    first, second = conversation("A"), conversation("A")
    assert first == second
    assert len(set(first)) == 3, "calls of one text at two places of a run, and in another run"
    assert not set(first) & set(conversation("B")), "two runs that say the same are two orders"


# --- free text


def shout(context: tb.Context, text: str) -> str:
    """Say it loud."""
    return f"{text.upper()} {context.data}"


@pytest.mark.parametrize("format", FORMATS)
def test_free_text_in_the_arguments_of_a_function_reaches_the_tool(format: str) -> None:
    """So it comes from vendors that have functions only."""
    result = result_of(tb.tool(kind="custom")(shout), {"input": "hey"}, format=format, data="A")
    assert text_of(result) == "HEY A"


@pytest.mark.parametrize("arguments", [{"text": "hey"}, {"input": 5}, {}])
def test_arguments_that_are_no_free_text_are_told(arguments: Any) -> None:
    fault = fault_of(tb.tool(kind="custom")(shout), arguments)
    assert "- input: a text is wanted" in fault


def test_a_call_with_free_text_of_a_tool_that_takes_an_object_is_told() -> None:
    def find(city: str) -> None: ...

    custom = tb.ToolCall(id="call_1", name="find", arguments="서울", kind="custom")
    message = tb.Message(role="assistant", parts=(custom,))
    response = tb.Response(alternatives=(tb.Alternative(messages=(message,)),))
    played = play([response, ("anthropic", said("ok"))], tools=[find])
    assert played.performed == []
    assert "a JSON object is wanted, not a text" in text_of(played.results[0])
    assert played.results[0].kind == "custom"
