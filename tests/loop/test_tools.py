"""`@tb.tool`: what a typed function becomes for the model. Schemas are written out in full, so
that a title, a needless union or a lost description cannot pass."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

import toolbridge as tb


class Unit(enum.Enum):
    """A unit."""

    CELSIUS = "celsius"
    KELVIN = "kelvin"


@dataclasses.dataclass
class Place:
    """Where."""

    city: str
    country: str = "KR"


class Order(BaseModel):
    """An order of a customer's."""

    id: int = Field(description="the number on the receipt", ge=1)
    title: str
    note: str | None = None


class Filter(TypedDict, total=False):
    """Which."""

    tag: str
    limit: int


class Node(BaseModel):
    """A tree."""

    name: str
    children: list[Node] = []


UNIT: Any = {"type": "string", "enum": ["celsius", "kelvin"], "description": "A unit."}
PLACE: Any = {
    "type": "object",
    "description": "Where.",
    "properties": {"city": {"type": "string"}, "country": {"type": "string", "default": "KR"}},
    "required": ["city"],
}
SEOUL = Place("서울")
NOBODY = object()


def parameters(function: Callable[..., Any]) -> Any:
    spec = tb.tool(function).spec
    assert isinstance(spec, tb.ToolSpec)
    return spec.parameters


def properties(function: Callable[..., Any]) -> Any:
    return parameters(function)["properties"]


# --- types


def test_types_become_plain_schemas() -> None:
    def everything(
        mode: Literal["fast", "slow"],
        unit: Unit,
        place: Place,
        order: Order,
        filter: Filter,
        tags: list[str],
        counts: dict[str, int],
        either: int | str,
    ) -> None: ...

    assert properties(everything) == {
        "mode": {"type": "string", "enum": ["fast", "slow"]},
        "unit": UNIT,
        "place": {**PLACE, "additionalProperties": False},
        "order": {
            "type": "object",
            "description": "An order of a customer's.",
            "properties": {
                "id": {"type": "integer", "description": "the number on the receipt", "minimum": 1},
                "title": {"type": "string"},
                "note": {"type": "string"},
            },
            "required": ["id", "title"],
        },
        "filter": {
            "type": "object",
            "description": "Which.",
            "properties": {"tag": {"type": "string"}, "limit": {"type": "integer"}},
            "additionalProperties": False,
        },
        "tags": {"type": "array", "items": {"type": "string"}},
        "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    }


def test_where_null_is_the_default_absence_says_it() -> None:
    def find(
        city: str | None = None,
        unit: Unit | None = None,
        mode: Literal["a", "b"] | None = None,
        place: Place | None = None,
        either: int | str | None = None,
    ) -> None: ...

    found = properties(find)
    assert found["city"] == {"type": "string"}
    assert found["unit"] == UNIT
    assert found["mode"] == {"type": "string", "enum": ["a", "b"]}
    assert found["place"]["type"] == "object"
    assert found["either"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert "required" not in parameters(find)


def test_where_null_says_something_of_its_own_it_stays() -> None:
    """A required parameter that may be null, and one whose default is something else."""

    def update(due: str | None, limit: int | None = 5) -> None: ...

    assert properties(update) == {
        "due": {"type": ["string", "null"]},
        "limit": {"type": ["integer", "null"], "default": 5},
    }
    assert parameters(update)["required"] == ["due"]


def test_defaults_are_told_as_json_where_json_can_say_them() -> None:
    def find(
        unit: Unit = Unit.KELVIN,
        tags: tuple[str, ...] = ("new",),
        place: Place = SEOUL,
        odd: float = float("nan"),
        free: Any = NOBODY,
    ) -> None: ...

    defaults = {name: each.get("default") for name, each in properties(find).items()}
    assert defaults == {
        "unit": "kelvin",
        "tags": ["new"],
        "place": {"city": "서울", "country": "KR"},
        "odd": None,
        "free": None,
    }


def test_a_recursive_type_keeps_its_definition_and_no_other_does() -> None:
    def grow(tree: Node, order: Order) -> None: ...

    assert properties(grow)["tree"] == {"$ref": "#/$defs/Node"}
    assert parameters(grow)["$defs"] == {
        "Node": {
            "type": "object",
            "description": "A tree.",
            "properties": {
                "name": {"type": "string"},
                "children": {
                    "type": "array",
                    "items": {"$ref": "#/$defs/Node"},
                    "default": [],
                },
            },
            "required": ["name"],
        }
    }


def test_many_types_that_hold_each_other_stay_small() -> None:
    """Put in place of each reference, ten such types would be millions of schemas."""
    names = [f"T{index}" for index in range(10)]
    kinds: dict[str, Any] = {}
    for name in names:
        fields: dict[str, Any] = {other.lower(): (f"{other} | None", None) for other in names}
        annotations = {field: kind for field, (kind, _) in fields.items()}
        body = {"__annotations__": annotations, **dict.fromkeys(annotations), "__module__": name}
        kinds[name] = type(name, (BaseModel,), body)
    for kind in kinds.values():
        kind.model_rebuild(_types_namespace=kinds)

    def walk(start: Any) -> None: ...

    walk.__annotations__ = {"start": kinds["T0"], "return": None}
    assert len(parameters(walk)["$defs"]) == 10


def test_a_property_may_have_a_name_that_json_schema_uses() -> None:
    def odd(title: str, items: int, type: str) -> None: ...

    assert properties(odd) == {
        "title": {"type": "string"},
        "items": {"type": "integer"},
        "type": {"type": "string"},
    }


def test_a_function_that_takes_nothing() -> None:
    def now() -> str:
        return "now"

    assert parameters(now) == {"type": "object", "properties": {}, "additionalProperties": False}


# --- results


def test_the_return_annotation_gives_the_output_schema() -> None:
    def find() -> Place:
        raise NotImplementedError

    spec = tb.tool(find).spec
    assert isinstance(spec, tb.ToolSpec)
    assert spec.output_schema == PLACE


def text() -> str:
    raise NotImplementedError


def nothing() -> None: ...
def anything() -> Any: ...
def untold():  # type: ignore[no-untyped-def]
    raise NotImplementedError


def media() -> tb.Media:
    raise NotImplementedError


def parts() -> tuple[tb.Text, tb.Media]:
    raise NotImplementedError


def iterated() -> Iterator[int]:
    raise NotImplementedError


async def streamed() -> AsyncIterator[int]:
    raise NotImplementedError


@pytest.mark.parametrize(
    "function", [text, nothing, anything, untold, media, parts, iterated, streamed]
)
def test_text_and_what_is_not_known_have_no_output_schema(function: Callable[..., Any]) -> None:
    spec = tb.tool(function).spec
    assert isinstance(spec, tb.ToolSpec)
    assert spec.output_schema is None


def test_the_result_of_a_generator_is_what_it_returns() -> None:
    def count() -> Generator[str, None, int]:
        yield "half"
        return 2

    spec = tb.tool(count).spec
    assert isinstance(spec, tb.ToolSpec)
    assert spec.output_schema == {"type": "integer"}
