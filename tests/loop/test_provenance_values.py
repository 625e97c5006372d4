"""Provenance: what a typed function gets is held against the results, however it was written."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import uuid
from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Literal
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    AnyUrl,
    BaseModel,
    ConfigDict,
    Json,
    SecretStr,
    StringConstraints,
    field_validator,
)

import toolbridge as tb
from toolbridge.checkpoint.conversions import every_value
from toolbridge.checkpoint.evidence import Evidence

from .provenance import SEVEN, USER, UserId, evidence, refused, told

Count = Annotated[int, USER]


class Unmarked(BaseModel):
    """Without a source."""

    user_id: int
    note: str = ""


@dataclasses.dataclass
class Data:
    """Of the standard library."""

    user_id: int


class Level(enum.Enum):
    """An enum."""

    HIGH = "A-1"


DAY = "2024-01-05T00:00:00+00:00"
UPPER = "12345678-1234-5678-1234-567812345ABC"
LAX: list[tuple[Any, Any, Any]] = [
    (Count, "7", 7),
    (Count, "07", "07"),
    (Annotated[datetime.date, USER], "2024-01-05", "2024-01-05"),
    (Annotated[datetime.datetime, USER], DAY, DAY),
    (list[Annotated[datetime.datetime, USER]], [DAY], DAY),
    (Annotated[list[datetime.datetime], USER], [DAY], DAY),
    (Annotated[datetime.timedelta, USER], "1 day", "1 day"),
    (Annotated[Decimal, USER], "7.50", "7.50"),
    (Annotated[Decimal, USER], "7.0", "7.0"),
    (Annotated[Decimal, USER], 7.5, 7.5),
    (Annotated[Level, USER], "A-1", "A-1"),
    (Annotated[uuid.UUID, USER], UPPER, UPPER),
    (Annotated[AnyUrl, USER], "http://a.example", "http://a.example"),
    (Annotated[SecretStr, USER], "U-7", "U-7"),
    (Annotated[bytes, USER], "U-7", "U-7"),
    (Annotated[bool, USER], "yes", "yes"),
    (Annotated[str, USER, StringConstraints(to_lower=True)], "U-7", "U-7"),
    (Annotated[str, StringConstraints(to_lower=True), USER], "U-7", "U-7"),
    (Json[Count], "7", 7),
    (Annotated[list[UserId], AfterValidator(lambda ids: ids[0])], ["U-7"], "U-7"),
    (Annotated[Count, AfterValidator(lambda value: Data(value))], 7, 7),
]


@pytest.mark.parametrize(("kind", "value", "gave"), LAX)
def test_what_validation_makes_of_a_value_is_not_made_up(kind: Any, value: Any, gave: Any) -> None:
    assert refused(kind, value, evidence({"find_user": {"user_id": gave}})) == []
    assert refused(kind, value, evidence({"find_user": {"user_id": "another"}})) != []


class Stripped(BaseModel):
    """A validator of the field's, and settings of the model's."""

    model_config = ConfigDict(str_to_upper=True)
    user_id: UserId
    number: Count = 1

    @field_validator("number", mode="before")
    @classmethod
    def bare(cls, value: Any) -> Any:
        """Without its prefix."""
        return value.removeprefix("n-") if isinstance(value, str) else value


def test_validators_and_settings_of_a_model_are_no_making_up() -> None:
    found = evidence({"find_user": {"user_id": ["u-7", "n-8"]}})
    assert refused(Stripped, {"user_id": "u-7", "number": "n-8"}, found) == []
    lines = refused(Stripped, {"user_id": "u-8", "number": "n-9"}, found)
    assert [line.partition(":")[0] for line in lines] == ["- x.user_id", "- x.number"]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Count | None, None),
        (UserId | int, 5),
        (Count | str, "free"),
        (Count | Literal["me"], "me"),
        (Unmarked, {"user_id": 666}),
        (Annotated[Unmarked, USER], {"user_id": 7}),
        (list[Count], []),
        (Stripped, {"user_id": "U-7"}),
    ],
    ids=str,
)
def test_what_has_no_source_or_is_a_default_needs_no_ground(kind: Any, value: Any) -> None:
    assert refused(kind, value, evidence({"find_user": {"user_id": ["U-7", 7]}})) == []


def test_the_default_of_a_parameter_is_not_made_up() -> None:
    def orders(level: Annotated[Level, USER] = Level.HIGH, count: Count = 1) -> None:
        """A tool."""

    tool = tb.tool(orders)
    assert told(tool, {}, Evidence()) == []
    assert told(tool, {"level": "A-1", "count": 1}, Evidence()) == []
    assert len(told(tool, {"level": "A-1", "count": 2}, Evidence())) == 1


def test_a_value_that_cannot_be_compared_is_refused() -> None:
    """Nobody knows what is in it: the class has no fields and no equality."""
    kind = Annotated[str, USER, AfterValidator(lambda value: object())]
    lines = refused(kind, "U-7", evidence({"find_user": SEVEN}))
    assert lines == [
        (
            "- x: what it becomes (object) cannot be compared with a result. Leave it out, or do "
            "without this call."
        )
    ]


def lazy(ids: Iterable[Count]) -> None:
    """Reading the values would take them away from the function."""


@dataclasses.dataclass
class Passing:
    """A value that is gone after the making."""

    user_id: dataclasses.InitVar[Count]


def passing(who: Passing) -> None:
    """A tool."""


@pytest.mark.parametrize("function", [lazy, passing])
def test_what_nobody_can_look_at_is_a_mistake_of_the_app(function: Any) -> None:
    with pytest.raises(tb.ToolDefinitionError, match="looked at before the call"):
        tb.tool(function)


def test_nothing_is_validated_again_for_values_that_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Validating costs time and runs the app's validators; most values are as they came."""
    read = Mock(side_effect=every_value)
    monkeypatch.setattr("toolbridge.checkpoint.conversions.every_value", read)
    found = evidence({"find_user": {"user_id": [7, "8"]}})
    assert refused(list[Count], [7, 7, 8], found) == []
    assert read.call_count == 0
    assert len(refused(list[Count], [5, 6], found)) == 2
    assert read.call_count == 1


@given(st.lists(st.integers(0, 9), max_size=4), st.lists(st.integers(0, 9), max_size=4))
def test_a_set_is_grounded_where_all_its_members_are(ids: list[int], gave: list[int]) -> None:
    found = evidence({"find_user": {"user_id": gave}})
    assert (refused(set[Count], ids, found) == []) is (set(ids) <= set(gave))
