"""Arguments of another JSON type than the schema wants: what is read as it was meant, what stays,
and what is told of it."""

from __future__ import annotations

import copy
import json
import math
import re
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from laws.corpus import requires_shared
from schemas.corpus_schemas import real_schemas
from toolbridge.schemas.instances import equal
from toolbridge.validation.lax import Change, Mended, decoded, mend
from toolbridge.values import freeze

INTEGER: Final = {"type": "integer"}
NUMBER: Final = {"type": "number"}
BOOLEAN: Final = {"type": "boolean"}
TEXT: Final = {"type": "string"}
NUMBERS: Final = {"type": "array", "items": INTEGER}
POINT: Final = {"type": "object", "properties": {"x": INTEGER, "y": INTEGER}, "required": ["x"]}
CAT: Final = {
    "type": "object",
    "properties": {"kind": {"const": "cat"}, "lives": INTEGER},
    "required": ["kind", "lives"],
}
DOG: Final = {
    "type": "object",
    "properties": {"kind": {"const": "dog"}, "lives": TEXT},
    "required": ["kind", "lives"],
}


def of(schema: Any, **rest: Any) -> Any:
    """The schema of arguments with one, `a`, that must be there."""
    return {"type": "object", "properties": {"a": schema}, "required": ["a"], **rest}


def mended(schema: Any, value: Any) -> Any:
    """What becomes of a value under a schema."""
    return mend(of(schema), {"a": value}).arguments["a"]


# --- what is read as another type


@pytest.mark.parametrize(
    ("schema", "written", "meant"),
    [
        (INTEGER, "3", 3),
        (INTEGER, " -1_000.0 ", -1000),
        (INTEGER, 3.0, 3),
        (INTEGER, True, 1),
        (NUMBER, "3.5", 3.5),
        (NUMBER, "3.0", 3.0),
        (NUMBER, "1e3", 1000.0),
        (NUMBER, "9007199254740993", 9007199254740993),
        (BOOLEAN, "Yes", True),
        (BOOLEAN, "off", False),
        (BOOLEAN, 0, False),
        (BOOLEAN, 1.0, True),
        ({"enum": [1, 2]}, "2", 2),
        ({"const": True}, "true", True),
        ({"type": ["integer", "null"]}, "3", 3),
        ({"type": "integer", "nullable": True}, "3", 3),
        (NUMBERS, "[1,2]", [1, 2]),
        (NUMBERS, '["1", 2]', [1, 2]),
        (POINT, '{"x": "1"}', {"x": 1}),
        ({"type": "array", "items": POINT}, '["{\\"x\\": 1}"]', [{"x": 1}]),
        ({"prefixItems": [INTEGER, TEXT], "items": BOOLEAN}, ["1", "2", "1"], [1, "2", True]),
        ({"items": [INTEGER], "additionalItems": BOOLEAN}, ["1", "1"], [1, True]),
        ({"type": "object", "additionalProperties": INTEGER}, {"k": "1"}, {"k": 1}),
        ({"patternProperties": {"^n": INTEGER}}, {"n": "1", "m": "1"}, {"n": 1, "m": "1"}),
        ({"allOf": [{"type": ["integer", "array"]}, {"type": "integer"}]}, "3", 3),
        ({"anyOf": [INTEGER, {"type": "null"}]}, "3", 3),
        ({"anyOf": [INTEGER, BOOLEAN]}, "true", True),
        ({"anyOf": [INTEGER, BOOLEAN]}, "1", 1),
        ({"anyOf": [INTEGER, NUMBERS]}, '["1"]', [1]),
        ({"oneOf": [CAT, DOG]}, {"kind": "cat", "lives": "9"}, {"kind": "cat", "lives": 9}),
    ],
)
def test_what_has_one_meaning_is_read_so(schema: Any, written: Any, meant: Any) -> None:
    found = mended(schema, written)
    assert json.dumps(found) == json.dumps(meant), "1, 1.0 and True are not the same here"


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        (TEXT, "[1,2]"),
        (TEXT, 3),
        (TEXT, None),
        (INTEGER, "3.5"),
        (INTEGER, 3.5),
        (INTEGER, "three"),
        (INTEGER, "1e3"),
        (INTEGER, "9" * 5000),
        (INTEGER, ["3"]),
        (INTEGER, None),
        (NUMBER, "NaN"),
        (NUMBER, "1e400"),
        (BOOLEAN, " true "),
        (BOOLEAN, 2),
        (NUMBERS, "[1, 2"),
        (NUMBERS, '{"x": 1}'),
        (NUMBERS, "[NaN]"),
        (NUMBERS, "[1e400]"),
        (NUMBERS, "1"),
        (POINT, '{"x": 1, "x": 2}'),
        (POINT, '{"x": "\\ud800"}'),
        (POINT, '{"x": 1} and more'),
        (NUMBERS, "[" * 100_000),
        ({"anyOf": [INTEGER, TEXT]}, "3"),
        ({"anyOf": [NUMBERS, TEXT]}, "[1]"),
        ({"type": ["string", "object"]}, '{"x": 1}'),
        ({}, "3"),
        (True, "3"),
        (False, "3"),
        ({"type": "any"}, "3"),
        ({"$ref": "#/nowhere"}, "3"),
        ({"allOf": [INTEGER, TEXT]}, True),
        ({"oneOf": [CAT, DOG]}, {"kind": "cow", "lives": "9"}),
    ],
)
def test_what_is_of_a_type_that_is_wanted_or_cannot_be_read_stays(
    schema: Any, written: Any
) -> None:
    arguments = {"a": written}
    made = mend(of(schema), arguments)
    assert made == Mended(arguments, ())
    assert made.arguments is arguments


def test_an_object_that_several_branches_read_differently_stays() -> None:
    """Which one was meant would be a guess."""
    one = {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]}
    other = {"type": "object", "properties": {"x": BOOLEAN}, "required": ["x"]}
    assert mended({"anyOf": [one, other]}, {"x": "1"}) == {"x": "1"}
    assert mended({"anyOf": [one, other]}, {"x": "5"}) == {"x": 5}


# --- null


def test_null_for_an_argument_that_may_be_left_out_is_left_out() -> None:
    schema = {"type": "object", "properties": {"a": INTEGER, "b": TEXT}, "required": ["a"]}
    made = mend(schema, {"a": 1, "b": None})
    assert made.arguments == {"a": 1}
    assert made.changes == (Change("/b", None, None, "null for an argument that may be left out"),)


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"b": {"type": ["string", "null"]}}},
        {"properties": {"b": {}}},
        {"properties": {"b": {"enum": ["x", None]}}},
        {"properties": {"b": TEXT}, "required": ["b"]},
        {"properties": {"b": TEXT}, "allOf": [{"required": ["b"]}]},
        {"additionalProperties": TEXT},
        {"additionalProperties": False},
    ],
)
def test_null_stays_where_it_is_allowed_or_something_must_be_there(schema: Any) -> None:
    assert mend(schema, {"b": None}).changes == ()


# --- what is told


def test_each_change_is_told_with_its_place_and_what_was_written() -> None:
    """What was written and taken stays as it was: the changes do not show later ones."""
    schema = {"type": "object", "properties": {"p/q": NUMBERS, "b": INTEGER}}
    made = mend(schema, {"p/q": '["1"]', "b": "2"})
    assert made.arguments == {"p/q": [1], "b": 2}
    assert made.changes == (
        Change("/p~1q", '["1"]', ["1"], "a JSON text for an array"),
        Change("/p~1q/0", "1", 1, "a string for an integer"),
        Change("/b", "2", 2, "a string for an integer"),
    )


def test_what_came_is_not_changed_even_where_it_is_frozen() -> None:
    schema = of({"type": "object", "properties": {"n": INTEGER, "l": NUMBERS}})
    arguments = freeze({"a": {"n": "1", "l": ["1", 2]}})
    before = copy.deepcopy(arguments)
    assert mend(freeze(schema), arguments).arguments == {"a": {"n": 1, "l": [1, 2]}}
    assert arguments == before


# --- references and sizes


def test_references_are_followed_and_circles_end() -> None:
    tree = {
        "type": "object",
        "properties": {"n": INTEGER, "next": {"$ref": "#/definitions/tree"}},
    }
    circle = {"allOf": [{"$ref": "#/$defs/circle"}], "anyOf": [{"$ref": "#/$defs/circle"}]}
    schema = {
        **of({"$ref": "#/definitions/tree"}),
        "definitions": {"tree": tree},
        "$defs": {"circle": circle},
    }
    made = mend(schema, {"a": {"n": "1", "next": {"n": "2", "next": None}}})
    assert made.arguments == {"a": {"n": 1, "next": {"n": 2}}}
    held = {**schema, "properties": {"a": {"$ref": "#/$defs/circle"}}}
    assert mend(held, {"a": "1"}).changes == ()


def test_unions_in_unions_that_take_too_long_are_left_alone() -> None:
    """Each level doubles the work; a call must not hang on it."""
    node = {"type": "object", "properties": {"c": {"$ref": "#/$defs/node"}}, "required": ["n"]}
    branches = [{**node, "title": str(number)} for number in range(4)]
    schema = {**of({"$ref": "#/$defs/node"}), "$defs": {"node": {"anyOf": branches}}}
    value: Any = {}
    for _ in range(40):
        value = {"c": value}
    assert mend(schema, {"a": value}).changes == ()


def test_a_value_that_is_nested_very_deep_is_left_alone_below() -> None:
    schema = {
        **of({"$ref": "#/$defs/list"}),
        "$defs": {"list": {"items": {"$ref": "#/$defs/list"}}},
    }
    value: Any = []
    for _ in range(900):
        value = [value]
    assert mend(schema, {"a": value}).changes == ()


# --- laws

LETTERS: Final = "0123456789+-._eE \t\n\xa0\u2003\x1c\u0663truefalsyonTRUEinfNa"
TEXTS: Final = st.one_of(
    st.text(alphabet=LETTERS, max_size=8),
    st.text(max_size=6),
    st.from_regex(r"\A\s?[+-]?[0-9_]{1,6}(\.[0-9_]{0,4})?([eE][+-]?[0-9]{1,3})?\s?\Z"),
    st.sampled_from(["true", "False", "YES", "n", "on", "OFF", "t", "1", "0", "inf", "-nan"]),
)


ODD: Final = re.compile(r"\s*[+-]?0[0_]*(__|[+-])")
"""After leading zeros pydantic overlooks what follows: it reads 0-1 as -1, which nobody meant."""


def lax(kind: type, text: str) -> Any:
    """What pydantic's lax mode makes of a text; None for nothing that JSON could say."""
    try:
        made: Any = TypeAdapter(kind).validate_python(text)
    except ValidationError:
        return None
    return made if math.isfinite(made) else None


@pytest.mark.parametrize(
    ("kind", "schema"),
    [(int, INTEGER), (float, NUMBER), (bool, BOOLEAN)],
    ids=["int", "float", "bool"],
)
@given(text=TEXTS)
@example("0" * 5000 + "1")
@example("9" * 5000)
@example("-_1")
@example("1_.5")
@example("3.")
@example("\ufeff3")
def test_texts_are_read_as_pydantic_reads_them(kind: type, schema: Any, text: str) -> None:
    found = mended(schema, text)
    meant = lax(kind, text)
    if meant is None or (ODD.match(text) and found == text):
        assert found == text
    else:
        assert found == meant
        assert isinstance(found, bool) is (kind is bool)


VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, 1.0, 2.5]) | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        | inner.map(json.dumps)
    ),
    max_leaves=8,
)
KINDS: Final = st.sampled_from(
    ["string", "integer", "number", "boolean", "null", "array", "object"]
)
SCHEMAS: Final = st.recursive(
    st.builds(lambda kind: {"type": kind}, KINDS)
    | st.builds(lambda kinds: {"type": sorted(kinds)}, st.sets(KINDS, min_size=1, max_size=3))
    | st.builds(lambda values: {"enum": values}, st.lists(st.sampled_from([1, "1", None, 2.5]))),
    lambda inner: (
        st.builds(lambda each: {"type": "array", "items": each}, inner)
        | st.builds(
            lambda members, needed: {
                "type": "object",
                "properties": members,
                "required": sorted(needed),
            },
            st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            st.sets(st.sampled_from("abc"), max_size=2),
        )
        | st.builds(lambda branches: {"anyOf": branches}, st.lists(inner, min_size=1, max_size=3))
        | st.builds(lambda each: {"allOf": [each]}, inner)
    ),
    max_leaves=8,
)


@given(schema=SCHEMAS, value=VALUES)
def test_what_is_valid_stays_and_what_was_mended_needs_no_mending(schema: Any, value: Any) -> None:
    from jsonschema import Draft202012Validator

    whole = of(schema)
    arguments = {"a": value}
    before = copy.deepcopy(arguments)
    made = mend(whole, arguments)
    assert json.dumps(arguments) == json.dumps(before)
    if not made.changes:
        assert made.arguments is arguments
    if Draft202012Validator(whole).is_valid(arguments):
        assert equal(made.arguments, arguments), "3.0 may become 3, nothing else changes"
    assert mend(whole, made.arguments).changes == ()


# --- whole arguments

OBJECTS: Final = st.dictionaries(st.text(max_size=3), VALUES, max_size=3)


@given(arguments=OBJECTS)
def test_arguments_that_were_encoded_twice_are_decoded(arguments: dict[str, Any]) -> None:
    assert decoded(json.dumps(json.dumps(arguments))) == arguments


@given(arguments=OBJECTS, data=st.data())
def test_cut_arguments_are_never_completed(arguments: dict[str, Any], data: st.DataObject) -> None:
    """Neither where the outer text was cut nor where the inner one was."""
    inner = json.dumps(arguments)
    outer = json.dumps(inner)
    assert decoded(outer[: data.draw(st.integers(0, len(outer) - 1))]) is None
    assert decoded(json.dumps(inner[: data.draw(st.integers(0, len(inner) - 1))])) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "{}",
        '{"a": 1}',
        '""',
        '"null"',
        '"[1]"',
        '"\\"{}\\""',
        '"{} {}"',
        '"{\\"a\\":NaN}"',
    ],
)
def test_what_is_not_an_object_encoded_twice_is_none(text: str) -> None:
    assert decoded(text) is None


# --- real schemas


@requires_shared
def test_valid_instances_of_real_schemas_stay() -> None:
    """3.0 may become 3 where an integer is wanted."""
    valid = [
        (real, instance.data)
        for real in real_schemas()
        for instance in real.instances
        if instance.valid
    ]
    assert len(valid) > 2000
    for real, data in valid:
        assert equal(mend(real.schema, data).arguments, data), real.id
