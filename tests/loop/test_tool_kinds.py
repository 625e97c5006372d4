"""What may be a tool, and what may not: functions, methods, callables and partials, tools by a
JSON Schema, and tools of free text."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field

import toolbridge as tb


def parameters(function: Callable[..., Any]) -> Any:
    spec = tb.tool(function).spec
    assert isinstance(spec, tb.ToolSpec)
    return spec.parameters


def properties(function: Callable[..., Any]) -> Any:
    return parameters(function)["properties"]


def google(city: str, days: int = 1) -> str:
    """The weather in a city.

    Call it when the user asks about the weather.

    Args:
        city: such as Seoul
        days (int): how many days,
            today included

    Returns:
        a sentence
    """
    return f"{city} {days}"


# --- what may be a tool


class Shop:
    """A shop."""

    def __init__(self, name: str) -> None:
        self.name = name

    def sell(self, item: str) -> str:
        """Sell an item."""
        return f"{self.name} sells {item}"

    @classmethod
    def open(cls, name: str) -> str:
        """Open a shop."""
        return cls(name).name

    @staticmethod
    def price(item: str) -> int:
        """The price of an item."""
        return len(item)


class Silent:
    """Says what it is for in its class."""

    async def __call__(self, item: str, context: tb.Context) -> str:
        return item


class Spoken(Silent):
    """Its class is not what says it."""

    async def __call__(self, item: str, context: tb.Context) -> str:
        """Says it here.

        Args:
            item: any
        """
        return item


@pytest.mark.parametrize(
    ("function", "name", "description"),
    [
        (Shop("A").sell, "sell", "Sell an item."),
        (Shop.open, "open", "Open a shop."),
        (Shop.price, "price", "The price of an item."),
        (Silent(), "Silent", "Says what it is for in its class."),
        (Spoken(), "Spoken", "Says it here."),
        (functools.cache(google), "google", google.__doc__),
    ],
)
def test_whatever_can_be_called(function: Any, name: str, description: str) -> None:
    made = tb.tool(function)
    assert made.name == name
    assert (
        made.spec.set_fields()["description"].partition("\n")[0] == description.partition("\n")[0]
    )
    assert {each.get("type") for each in properties(function).values()} <= {"string", "integer"}


def test_what_a_partial_gives_is_not_the_models_to_give() -> None:
    def order(customer: str, item: str, count: int = 1, *, shop: str) -> str:
        """Order.

        Args:
            item: what
        """
        return f"{customer} {item} {count} {shop}"

    made = tb.tool(functools.partial(functools.partial(order, "kim"), shop="B"))
    assert made.spec == tb.ToolSpec(
        name="order",
        description="Order.",
        parameters={
            "type": "object",
            "properties": {
                "item": {"type": "string", "description": "what"},
                "count": {"type": "integer", "default": 1},
            },
            "required": ["item"],
            "additionalProperties": False,
        },
    )
    assert made(item="tea") == "kim tea 1 B"


def test_a_tool_is_still_the_function() -> None:
    made = tb.tool(google)
    assert made("Seoul", days=2) == made(city="Seoul", days=2) == "Seoul 2"


# --- what may not


class Opaque:
    """Nothing that JSON could say."""


class Classic:
    """Has a method."""

    def method(self, city: str) -> str:
        return city


def unannotated(city, days: int): ...  # type: ignore[no-untyped-def]
def many(*cities: str) -> None: ...
def named(**cities: str) -> None: ...
def positional(city: str, /) -> None: ...
def unresolved(city: Any) -> None: ...
def misspelt(context: Any) -> None: ...
def no_schema(thing: Opaque) -> None: ...
def no_json_schema(thing: Callable[[], int]) -> None: ...
def field_default(city: str = Field("서울", description="?")) -> None: ...


unresolved.__annotations__["city"] = "Nowhere"
misspelt.__annotations__["context"] = "tb.Contxt"


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (unannotated, r"unannotated: the parameter city has no type\. Annotate it, such as city: "),
        (many, r"many: the model cannot give \*cities: .*Name each parameter, or .*schema="),
        (named, r"named: the model cannot give \*\*cities: .*Name each parameter"),
        (positional, r"positional: city is positional only\. Remove the `/`"),
        (unresolved, r"unresolved: .*'Nowhere'.*Import its type at module level"),
        (misspelt, r"misspelt: .*'Contxt'"),
        (no_schema, r"no_schema: a type has no JSON Schema\. .*Opaque"),
        (no_json_schema, r"no_json_schema: a type has no JSON Schema\. .*[Cc]allable"),
        (field_default, r"field_default: Field\(\.\.\.\) is no default of city\. Write city: Anno"),
        (Classic.method, r"method is a method without its object\. .*tool\(thing\.method\)"),
        (Classic, r"Classic is a class: pass a function or a method"),
        (lambda: None, r"a lambda has no name: tool\(name=\.\.\.\)"),
    ],
)
def test_what_cannot_be_a_tool_says_why_and_how_to_mend_it(function: Any, told: str) -> None:
    with pytest.raises(tb.ToolDefinitionError, match=told) as raised:
        tb.tool(function)
    assert isinstance(raised.value, TypeError)


def test_a_field_that_tools_do_not_have() -> None:
    with pytest.raises(TypeError, match="ToolSpec has no field 'colour'"):
        tb.tool(colour="red")(google)


# --- by a JSON Schema

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"q": {"type": "string"}, "n": {"type": "integer", "title": "kept"}},
    "required": ["q"],
}


def test_a_json_schema_stays_as_it_is() -> None:
    @tb.tool(schema=SCHEMA, name="search")
    def anything(**arguments: Any) -> Any:
        """Search."""
        return arguments

    assert anything.spec == tb.ToolSpec(name="search", description="Search.", parameters=SCHEMA)
    assert anything.validate({"q": "moss"}) == {"q": "moss"}


def test_arguments_are_checked_against_the_schema() -> None:
    made = tb.tool(schema=SCHEMA, name="search")(lambda q, n=1: q * n)
    with pytest.raises(ValueError) as raised:
        made.validate({"n": "two"})
    assert sorted(str(raised.value).splitlines()) == [
        '- n: must be an integer (given: "two"); valid example: 1',
        '- q: missing; valid example: "text"',
    ]


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "array"}, "search: the schema must be that of an object"),
        ("object", "search: the schema must be that of an object"),
        ({"type": "object", "properties": {"q": {"type": "text"}}}, "properties/q/type: 'text'"),
    ],
)
def test_a_wrong_schema_is_told_when_the_tool_is_made(schema: Any, told: str) -> None:
    with pytest.raises(tb.ToolDefinitionError, match=told):
        tb.tool(schema=schema, name="search")(lambda **found: found)


def test_a_reference_is_never_fetched() -> None:
    """A schema is data of somebody's: looking an address up would be a request of theirs."""
    schema = {"type": "object", "properties": {"q": {"$ref": "http://localhost:9/schema"}}}
    made = tb.tool(schema=schema, name="search")(lambda **found: found)
    with pytest.raises(tb.ToolDefinitionError, match="search: the schema refers to what it does"):
        made.validate({"q": 1})


# --- free text


def test_a_tool_of_free_text_offers_no_parameters() -> None:
    @tb.tool(kind="custom", grammar={"syntax": "regex", "definition": "[a-z]+"})
    def run_code(context: tb.Context, code: str) -> str:
        """Run a program.

        Args:
            code: in Python
        """
        return code

    assert run_code.spec == tb.ToolSpec(
        name="run_code",
        description="Run a program.\n\nin Python",
        kind="custom",
        grammar={"syntax": "regex", "definition": "[a-z]+"},
    )
    assert (run_code.free_text, run_code.context) == ("code", "context")


def test_an_annotated_text_is_a_text() -> None:
    def run_code(code: Annotated[str, Field(description="in Python")]) -> str:
        return code

    assert tb.tool(kind="custom")(run_code).free_text == "code"


def two(code: str, name: str) -> None: ...
def number(code: int) -> None: ...
def none() -> None: ...


@pytest.mark.parametrize("function", [two, number, none])
def test_free_text_needs_one_text(function: Callable[..., Any]) -> None:
    with pytest.raises(tb.ToolDefinitionError, match="takes one parameter of type str, not"):
        tb.tool(kind="custom")(function)


def test_free_text_has_no_schema() -> None:
    with pytest.raises(tb.ToolDefinitionError, match="free text has no schema"):
        tb.tool(kind="custom", schema=SCHEMA)(google)
