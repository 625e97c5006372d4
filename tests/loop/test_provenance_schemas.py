"""Provenance: the types and JSON Schemas that declare it, and the words for the model."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, TypeAdapter

import toolbridge as tb
from toolbridge.checkpoint.evidence import Evidence
from toolbridge.checkpoint.grounds import unfounded
from toolbridge.checkpoint.provenance import MARK, From, take_sources, with_sources, without_marks
from toolbridge.plain_schema import plain

from .provenance import (
    HINT,
    NAMES,
    OR_USER,
    SEVEN,
    USER,
    UserId,
    evidence,
    sources_of,
    sources_of_whole,
)

# --- types


def test_an_argument_that_is_absent_or_null_needs_no_ground() -> None:
    sourced = sources_of(UserId | None)
    assert unfounded(sourced, {"x": None}, Evidence(), NAMES) == []
    assert unfounded(sourced, {}, Evidence(), NAMES) == []
    assert unfounded(sourced, {"x": "U-7"}, Evidence(), NAMES) != []


def test_a_tool_without_sources_has_none() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string"}}}
    assert take_sources(schema) == (schema, None)
    assert unfounded(None, {"x": "U-7"}, Evidence(), NAMES) == []


class Item(BaseModel):
    """An argument with a source, and one without."""

    user_id: UserId
    amount: int = 1


@pytest.mark.parametrize(
    ("kind", "value", "places"),
    [
        (list[UserId], ["U-7", "U-8", "U-9"], ["x.1", "x.2"]),
        (Annotated[list[str], USER], ["U-7", "U-8"], ["x.1"]),
        (dict[str, UserId], {"a": "U-7", "b": "U-8"}, ["x.b"]),
        (dict[UserId, int], {"U-7": 1, "U-8": 1}, ["x.U-8"]),
        (tuple[UserId, str], ["U-8", "U-9"], ["x.0"]),
        (Item, {"user_id": "U-8", "amount": 3}, ["x.user_id"]),
        (list[Item] | None, [{"user_id": "U-8"}], ["x.0.user_id"]),
        (Annotated[str | None, USER], "U-8", ["x"]),
        (Annotated[dict[str, Any], USER], {"a": ["U-7", "U-8", None]}, ["x.a.1"]),
    ],
    ids=str,
)
def test_each_value_of_a_nested_type_needs_a_ground(
    kind: Any, value: Any, places: list[str]
) -> None:
    told = unfounded(sources_of(kind), {"x": value}, evidence({"find_user": SEVEN}), NAMES)
    assert [line.split(":")[0] for line in told] == [f"- {place}" for place in places]


@pytest.mark.parametrize("kind", [list[UserId], Annotated[list[str], USER], list[UserId] | None])
def test_a_list_that_was_written_as_text_is_looked_into(kind: Any) -> None:
    """Models encode arguments twice; else a made-up value would pass where no list is seen."""
    found = evidence({"find_user": SEVEN})
    assert unfounded(sources_of(kind), {"x": '["U-7"]'}, found, NAMES) == []
    assert unfounded(sources_of(kind), {"x": '["U-8"]'}, found, NAMES) != []


def test_an_object_under_a_source_is_that_of_the_result() -> None:
    """Its own keys are looked up under the path, so a value under another key is no ground."""
    sourced = sources_of(Annotated[dict[str, Any], From("find_user.who")])
    found = evidence({"find_user": {"who": {"name": "Kim", "age": 7}}})
    assert unfounded(sourced, {"x": {"name": "Kim", "age": 7}}, found, NAMES) == []
    assert unfounded(sourced, {"x": {"age": "Kim"}}, found, NAMES) != []


class ByUser(BaseModel):
    """One of two that differ in where the id comes from."""

    kind: Literal["user"]
    id: UserId


class ByOrder(BaseModel):
    """The other."""

    kind: Literal["order"]
    id: Annotated[str, From("find_order.id")]


OrderId = Annotated[str, From("find_order.id")]
Count = Annotated[int, USER]


@pytest.mark.parametrize(
    ("kind", "value", "refused"),
    [
        (UserId | Literal["me"], "me", False),
        (UserId | Literal["me"], "you", True),
        (UserId | int, 5, False),
        (UserId | int, "5", True),
        (Count | None, "5", True),
        (UserId | OrderId, "O-1", False),
        (UserId | OrderId, "U-8", True),
        (Annotated[str, USER, From("find_order.id")], "O-1", False),
        (ByUser | ByOrder, {"kind": "order", "id": "O-1"}, False),
        (ByUser | ByOrder, {"kind": "user", "id": "O-1"}, True),
        (list[ByUser | ByOrder], [{"kind": "order", "id": "U-7"}], True),
    ],
    ids=str,
)
def test_of_a_union_the_type_that_takes_the_value_counts(
    kind: Any, value: Any, refused: bool
) -> None:
    found = evidence({"find_user": SEVEN, "find_order": {"id": "O-1"}})
    assert (unfounded(sources_of(kind), {"x": value}, found, NAMES) != []) is refused


class Node(BaseModel):
    """A type that holds itself."""

    user_id: UserId
    children: list[Node] = []
    next: Node | None = None


class Tree(BaseModel):
    """Arguments of such a type."""

    x: Node


def test_recursive_types_are_looked_into_at_any_depth() -> None:
    value: Any = {"user_id": "made up"}
    for _ in range(40):
        value = {"user_id": "U-7", "children": [value]}
    told = unfounded(sources_of_whole(Tree), {"x": value}, evidence({"find_user": SEVEN}), NAMES)
    assert [line.split(":")[0] for line in told] == ["- x" + ".children.0" * 40 + ".user_id"]


def test_a_reference_that_comes_back_to_itself_ends() -> None:
    marks = [{"source": "find_user.user_id"}]
    schema = {
        "properties": {"x": {"$ref": "#/$defs/a"}},
        "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "string", MARK: marks}]}},
    }
    told = unfounded(take_sources(schema)[1], {"x": "U-8"}, Evidence(), NAMES)
    assert len(told) == 1


def test_a_json_schema_may_leave_names_open() -> None:
    """There the function gets what has no property as it is, under its own name."""
    sourced = take_sources(with_sources(ORDERS, {"who.id": USER}))[1]
    assert unfounded(sourced, {"who": {"other": 1}, "more": 1}, Evidence(), NAMES) == []


def test_the_default_of_the_app_is_not_made_up() -> None:
    schema = with_sources({"properties": {"x": {"default": "me"}}}, {"x": USER})
    sourced = take_sources(schema)[1]
    assert unfounded(sourced, {"x": "me"}, Evidence(), NAMES) == []
    assert unfounded(sourced, {"x": "you"}, Evidence(), NAMES) != []


# --- words


def test_a_refusal_names_the_argument_the_value_and_whom_to_ask_first() -> None:
    assert unfounded(sources_of(UserId), {"x": "U-7"}, Evidence(), NAMES) == [
        (
            '- x: "U-7" is in no result of find_user at user_id. Call find_user first, in a step '
            "of its own, and take x from its result."
        )
    ]


def test_a_refusal_names_all_sources() -> None:
    kind = Annotated[str, From("orders.get"), From("orders.get.id", or_user=True)]
    assert unfounded(sources_of(kind), {"x": "U-7"}, Evidence(), NAMES) == [
        (
            '- x: "U-7" is in no result of orders.get and in no result of orders.get at id and '
            "not in what the user wrote. Call orders.get first, in a step of its own, and take x "
            "from its result, or ask the user."
        )
    ]


@pytest.mark.parametrize(
    ("kind", "description"),
    [
        (UserId, HINT),
        (Annotated[str, USER, Field(description="Whose")], f"Whose. {HINT}"),
        (Annotated[str, USER, Field(description="Whose?")], f"Whose? {HINT}"),
        (
            Annotated[str, OR_USER],
            (
                "Take it from the result of find_user (user_id), or from what the user wrote; "
                "never make it up."
            ),
        ),
        (
            Annotated[str, USER, From("orders.get.id"), From("orders.get", "id")],
            (
                "Take it from the result of find_user (user_id), or from an earlier result "
                "(orders.get.id), or from the result of orders.get (id); never make it up."
            ),
        ),
        (Annotated[str, USER, From("find_user", "user_id")], HINT),
    ],
)
def test_the_hint_stands_after_the_description(kind: Any, description: str) -> None:
    schema, sourced = take_sources(TypeAdapter(kind).json_schema())
    assert schema == {"type": "string", "description": description}
    assert sourced is not None


@pytest.mark.parametrize("kind", [Item, ByUser | ByOrder, Tree, dict[UserId, list[UserId]]])
def test_no_mark_is_left_for_adapters(kind: Any) -> None:
    """Vendors refuse keywords that they do not know."""
    schema = plain(TypeAdapter(kind).json_schema())
    assert MARK in json.dumps(schema)
    made, sourced = take_sources(schema)
    assert MARK not in json.dumps(made)
    assert HINT in json.dumps(made)
    assert sourced is not None
    assert USER in sourced.sources


def test_without_marks_a_schema_is_as_if_there_were_no_sources() -> None:
    kind = TypeAdapter(list[UserId])
    assert without_marks(kind.json_schema()) == TypeAdapter(list[str]).json_schema()
    assert kind.json_schema(mode="serialization") == TypeAdapter(list[str]).json_schema()


def test_a_property_with_the_name_of_a_mark_is_a_property() -> None:
    schema = {"properties": {MARK: {"type": "string"}}, "default": {MARK: 1}}
    assert take_sources(schema) == (schema, None)


# --- sources of tools with a JSON Schema

ORDERS = {
    "type": "object",
    "properties": {
        "order_ids": {"type": "array", "items": {"type": "string"}},
        "who": {"$ref": "#/$defs/person"},
        "owner": {"$ref": "#/$defs/person"},
        "by.name": {"type": "object", "additionalProperties": {"type": "string"}},
        "maybe": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/person"}]},
    },
    "$defs": {"person": {"type": "object", "properties": {"id": {"type": "string"}}}},
}


@pytest.mark.parametrize(
    ("path", "arguments", "places"),
    [
        ("order_ids.*", {"order_ids": ["U-7", "U-8"]}, ["order_ids.1"]),
        ("order_ids", {"order_ids": ["U-7", "U-8"]}, ["order_ids.1"]),
        ("who.id", {"who": {"id": "U-8"}, "owner": {"id": "U-8"}}, ["who.id"]),
        ("by.name.*", {"by.name": {"a": "U-8"}}, ["by.name.a"]),
        ("maybe.id", {"maybe": {"id": "U-8"}}, ["maybe.id"]),
    ],
)
def test_a_json_schema_gets_its_sources_by_path(
    path: str, arguments: Any, places: list[str]
) -> None:
    schema, sourced = take_sources(with_sources(ORDERS, {path: USER}))
    told = unfounded(sourced, arguments, evidence({"find_user": SEVEN}), NAMES)
    assert [line.split(":")[0] for line in told] == [f"- {place}" for place in places]
    assert json.dumps(schema).count(HINT) == 1
    assert HINT not in json.dumps(ORDERS)


MARKED = {MARK: [{"source": "find_user.user_id"}]}


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [{"properties": {"x": MARKED}}, {}]},
        {"patternProperties": {"^x$": MARKED, "y": {}}},
        {"properties": {"x": True}, "allOf": [{"additionalProperties": MARKED}]},
        {"properties": {"x": {"$ref": "#/definitions/id"}}, "definitions": {"id": MARKED}},
    ],
)
def test_a_mark_is_found_wherever_a_schema_may_stand(schema: Any) -> None:
    sourced = take_sources(schema)[1]
    found = evidence({"find_user": SEVEN})
    assert unfounded(sourced, {"x": "U-7"}, found, NAMES) == []
    assert len(unfounded(sourced, {"x": "U-8"}, found, NAMES)) == 1


def test_several_sources_of_one_path_are_alternatives() -> None:
    sourced = take_sources(with_sources(ORDERS, {"order_ids": [USER, From("find_order.id")]}))[1]
    found = evidence({"find_order": {"id": "O-1"}})
    assert unfounded(sourced, {"order_ids": ["O-1"]}, found, NAMES) == []


@pytest.mark.parametrize("path", ["order_id", "order_ids.id", "who.*", "who.id.x", "a.a"])
def test_a_path_that_the_schema_does_not_have_is_a_mistake_of_the_app(path: str) -> None:
    """It would check nothing, and nobody would see that."""
    looped = {"a": {"$ref": "#/properties/a"}}
    schema = ORDERS | {"properties": ORDERS["properties"] | looped}  # type: ignore[operator]
    with pytest.raises(tb.ToolDefinitionError, match="has no argument"):
        with_sources(schema, {path: USER})
