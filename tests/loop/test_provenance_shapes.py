"""Provenance: what a typed function gets counts, in whatever shape the model wrote it."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Json,
    RootModel,
    model_validator,
)
from typing_extensions import TypedDict

import toolbridge as tb
from toolbridge.checkpoint.evidence import Evidence

from .provenance import USER, evidence, refused, told

Count = Annotated[int, USER]


class ByEither(BaseModel):
    """An alias, and the field's own name."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    user_id: Count = Field(alias="userId")


class ByChoice(BaseModel):
    """One of several names."""

    model_config = ConfigDict(extra="forbid")
    user_id: Count = Field(validation_alias=AliasChoices("user_id", "uid"))


class Open(BaseModel):
    """One of several names, beside any other."""

    model_config = ConfigDict(extra="allow")
    user_id: Count = Field(validation_alias=AliasChoices("user_id", AliasPath("who", 0)))


class Plain(BaseModel):
    """With a source."""

    user_id: Count


class Unmarked(BaseModel):
    """The same without."""

    user_id: int
    note: str = ""


class Twin(BaseModel):
    """The very same without."""

    user_id: int


class Flat(BaseModel):
    """One that makes an object of a number."""

    user_id: Count

    @model_validator(mode="before")
    @classmethod
    def flat(cls, value: Any) -> Any:
        """A bare number is the id."""
        return {"user_id": value} if isinstance(value, int) else value


class Swapped(BaseModel):
    """One that takes the id from another argument."""

    user_id: Count
    real: int = 0

    @model_validator(mode="before")
    @classmethod
    def swap(cls, value: Any) -> Any:
        """The other one counts."""
        return {**value, "user_id": value["real"]} if value.get("real") else value


class Made(BaseModel):
    """A default that is made of another argument."""

    real: int
    user_id: Count = Field(default_factory=lambda data: data["real"])


class Secretly(BaseModel):
    """A frozen model that changes itself, and says nothing of it."""

    model_config = ConfigDict(frozen=True)
    real: int
    user_id: Annotated[Count, Field(exclude=True)] = 1

    @model_validator(mode="after")
    def change(self) -> Secretly:
        """The other one counts."""
        object.__setattr__(self, "user_id", self.real)
        return self


class Root(RootModel[Count]):
    """Bare."""


class Pair(NamedTuple):
    """By place or by name."""

    user_id: Count
    note: str = ""


@dataclasses.dataclass
class Data:
    """Of the standard library."""

    user_id: Count
    note: str = ""


class Typed(TypedDict):
    """With an alias."""

    user_id: Annotated[Count, Field(validation_alias="uid")]


class Node(BaseModel):
    """A type that holds itself, in a union."""

    user_id: Count
    children: list[Node | Leafy] = []


class Leafy(BaseModel):
    """The other of the union."""

    name: str


SHAPES: list[tuple[Any, Any]] = [
    (ByEither, {"userId": 666}),
    (ByEither, {"user_id": 666}),
    (ByChoice, {"uid": 666}),
    (list[ByChoice], [{"uid": 666}]),
    (Open, {"who": [666], "more": 1}),
    (Plain | Unmarked, {"user_id": 666}),
    (Plain | dict[str, int], Plain(user_id=666)),
    (Plain | Any, {"user_id": 666}),
    (Json[Plain], '{"user_id": 666}'),
    (Flat, 666),
    (Flat | int, Flat(user_id=666)),
    (Swapped, {"user_id": 7, "real": 666}),
    (Made, {"real": 666}),
    (Secretly, {"real": 666}),
    (Annotated[Secretly, USER], {"real": 666}),
    (Root, 666),
    (Pair, [666]),
    (Pair, {"user_id": 666}),
    (Data, {"user_id": 666}),
    (Typed, {"uid": 666}),
    (Node, {"user_id": 7, "children": [{"name": "a"}, {"user_id": 666}]}),
    (Annotated[Count, BeforeValidator(lambda value: value["deep"])], {"deep": 666}),
    (Annotated[Plain, AfterValidator(lambda plain: plain.user_id)], {"user_id": 666}),
    (Annotated[list[Plain], USER], [{"user_id": 666}]),
    (Annotated[Plain | None, USER], {"user_id": 666}),
    (dict[Annotated[str, USER], int], {"666": 1}),
    (set[Count], [7, 666]),
    (tuple[Count, ...], [7, 666]),
    (tuple[str, Count], ["a", 666]),
    (deque[Count], [666]),
    (Sequence[Count], [666]),
    (Mapping[str, Count], {"a": 666}),
]


@pytest.mark.parametrize(("kind", "value"), SHAPES)
def test_a_made_up_value_is_refused_in_any_shape(kind: Any, value: Any) -> None:
    found = evidence({"find_user": {"user_id": 7}})
    lines = refused(kind, value, found)
    assert lines
    assert all("666" in line for line in lines)
    assert refused(kind, value, evidence({"find_user": {"user_id": [7, 666]}})) == []


def test_a_value_that_a_type_makes_of_what_the_tool_gave_is_grounded() -> None:
    """666 becomes 7 here, and 7 becomes 666: what the model wrote is where it must come from."""
    kind = Annotated[int, USER, AfterValidator(lambda value: 666 if value == 7 else 7)]
    assert refused(kind, 7, evidence({"find_user": {"user_id": 7}})) == []


def test_a_default_that_nobody_changed_needs_no_ground() -> None:
    assert refused(Secretly, {"real": 1}, Evidence()) == []


def test_a_twin_without_a_source_is_told_by_its_class() -> None:
    """Both have the same fields; pydantic takes the first of the union."""
    found = evidence({"find_user": {"user_id": 7}})
    assert refused(Twin | Plain, {"user_id": 666}, found) == []
    assert refused(Plain | Twin, {"user_id": 666}, found) != []


def test_an_alias_at_the_top_is_looked_at() -> None:
    kind = Annotated[Count, Field(validation_alias=AliasChoices("user_id", "uid"))]

    def orders(user_id: Any) -> None:
        """A tool."""

    orders.__annotations__ = {"user_id": kind, "return": None}
    tool, found = tb.tool(orders), evidence({"find_user": {"user_id": 7}})
    assert told(tool, {"uid": 7}, found) == []
    assert told(tool, {"uid": 666}, found)[0].startswith("- user_id: 666 is in no result")


def test_a_name_is_told_as_the_schema_has_it() -> None:
    lines = refused(ByEither, {"user_id": 666}, Evidence())
    assert lines[0].startswith("- x.userId: 666 is in no result of find_user at user_id.")


def test_deep_values_are_looked_into_or_refused() -> None:
    found = evidence({"find_user": {"user_id": 7}})
    for levels in (30, 200):
        value: Any = {"user_id": 666}
        for _ in range(levels):
            value = {"user_id": 7, "children": [value]}
        assert refused(Node, value, found) != []
