"""Two flat schemas as one: what fits the one is what fits both, and never less."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolbridge.schemas.merge import disjoint, intersect_types, merge, types_of
from toolbridge.values import freeze, same

TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}
NUMBER: Final = {"type": "number"}
OBJECT: Final = {"type": "object"}
HERE: Final = {"properties": {"a": TEXT}, "required": ["a"]}
"""Schemas that many cases hold."""


def both(*schemas: Any) -> Any:
    return {"allOf": [*schemas]}


# the table


EXACT: Final[dict[str, tuple[Any, Any, Any]]] = {
    "nothing fits False": (False, {}, False),
    "what accepts all leaves the other": ({}, TEXT, TEXT),
    "from the other side too": (TEXT, {}, TEXT),
    "the same twice": (HERE, HERE, HERE),
    # types
    "types meet in the order of the left": (
        {"type": ["null", "string", "array"]},
        {"type": ["array", "null"]},
        {"type": ["null", "array"]},
    ),
    "integers are numbers": (NUMBER, WHOLE, WHOLE),
    "and numbers may be integers": ({"type": ["integer", "null"]}, NUMBER, WHOLE),
    "no common type": (TEXT, NUMBER, False),
    "a type on one side": (
        {"type": ["string"]},
        {"title": "b"},
        {"type": ["string"], "title": "b"},
    ),
    # values
    "const that is alone stays": ({"const": 1}, {"title": "b"}, {"const": 1, "title": "b"}),
    "const on both sides stays": ({"const": [1]}, {"const": [1.0]}, {"const": [1]}),
    "const among enum": ({"const": 1}, {"enum": [2, 1]}, {"enum": [1]}),
    "1.0 is 1, True is not": ({"enum": [True, 1.0, "a"]}, {"enum": [1, "a"]}, {"enum": [1.0, "a"]}),
    "numbers are equal at any depth": (
        {"enum": [{"a": [1]}, 0]},
        {"enum": [{"a": [1.0]}]},
        {"enum": [{"a": [1]}]},
    ),
    "no common value": ({"enum": ["a"]}, {"const": "b"}, False),
    "no common const": ({"const": "a"}, {"const": "b"}, False),
    "the type refuses values": ({"enum": [1, "a", 1.5]}, WHOLE, {"enum": [1], "type": "integer"}),
    "the type refuses all": ({"const": "a"}, WHOLE, False),
    # bounds
    "the narrower bounds": (
        {"minimum": 1, "maxLength": 5, "minItems": 2, "exclusiveMaximum": 9},
        {"minimum": 2, "maxLength": 7, "minItems": 1, "exclusiveMaximum": 8},
        {"minimum": 2, "maxLength": 5, "minItems": 2, "exclusiveMaximum": 8},
    ),
    "no number between": ({**NUMBER, "minimum": 3}, {"maximum": 2}, False),
    "no number between exclusive bounds": ({**WHOLE, "minimum": 2}, {"exclusiveMaximum": 2}, False),
    "no number above one bound that the other takes": (
        {**NUMBER, "exclusiveMinimum": 2},
        {"maximum": 2},
        False,
    ),
    "one number between": (
        {**NUMBER, "minimum": 2},
        {"maximum": 2},
        {**NUMBER, "minimum": 2, "maximum": 2},
    ),
    "one length between": (
        {**TEXT, "minLength": 2},
        {"maxLength": 2},
        {**TEXT, "minLength": 2, "maxLength": 2},
    ),
    "no length between": ({**TEXT, "minLength": 3}, {"maxLength": 2}, False),
    "no count between": ({"type": "array", "minItems": 3}, {"maxItems": 2}, False),
    "other types may fit": ({"minimum": 3}, {"maximum": 2}, {"minimum": 3, "maximum": 2}),
    "one type is empty, the other not": (
        {"type": ["number", "string"], "minimum": 3},
        {"maximum": 2},
        {"type": ["number", "string"], "minimum": 3, "maximum": 2},
    ),
    "multiples of two integers": ({"multipleOf": 4}, {"multipleOf": 6.0}, {"multipleOf": 12}),
    "one divides the other": ({"multipleOf": 0.1}, {"multipleOf": 0.3}, {"multipleOf": 0.3}),
    # names
    "required by either": (
        {"required": ["a", "b"]},
        {"required": ["c", "a"]},
        {"required": ["a", "b", "c"]},
    ),
    "dependentRequired by name": (
        {"dependentRequired": {"a": ["b"], "d": ["e"]}},
        {"dependentRequired": {"a": ["c"]}},
        {"dependentRequired": {"a": ["b", "c"], "d": ["e"]}},
    ),
    "dependentSchemas by name": (
        {"dependentSchemas": {"a": TEXT}},
        {"dependentSchemas": {"a": WHOLE}},
        {"dependentSchemas": {"a": both(TEXT, WHOLE)}},
    ),
    "a property of both": (
        {"properties": {"a": TEXT, "b": TEXT}},
        {"properties": {"a": WHOLE, "b": TEXT}},
        {"properties": {"a": both(TEXT, WHOLE), "b": TEXT}},
    ),
    "a property of one obeys the other's patterns": (
        {"properties": {"a": TEXT, "b": TEXT}},
        {"patternProperties": {"^a": WHOLE}, "additionalProperties": NUMBER},
        {"properties": {"a": both(TEXT, WHOLE), "b": both(TEXT, NUMBER)}}
        | {"patternProperties": {"^a": WHOLE}, "additionalProperties": NUMBER},
    ),
    "a property that the other refuses": (
        {"properties": {"a": TEXT}},
        {"additionalProperties": False},
        {"properties": {"a": False}, "additionalProperties": False},
    ),
    "a required property that the other refuses": (
        {**OBJECT, **HERE},
        {"properties": {"b": TEXT}, "additionalProperties": False},
        False,
    ),
    "it refuses objects alone": (
        {"required": ["a"]},
        {"properties": {"a": False}},
        {"required": ["a"], "properties": {"a": False}},
    ),
    "a pattern obeys the other's rest": (
        {"patternProperties": {"^a": TEXT}},
        {"additionalProperties": WHOLE},
        {"patternProperties": {"^a": both(TEXT, WHOLE)}, "additionalProperties": WHOLE},
    ),
    "but not for names that the other lists: a closed list says what the pattern says": (
        {"patternProperties": {"^a": TEXT}},
        {"properties": {"ab": {"minLength": 1}, "b": TEXT}, "additionalProperties": False},
        {
            "properties": {"ab": both(TEXT, {"minLength": 1}), "b": TEXT},
            "additionalProperties": False,
        },
    ),
    "and of the names that both list": (
        {"properties": {"ab": TEXT}, "patternProperties": {"^a": {"minLength": 1}}},
        {"properties": {"ab": {}}, "additionalProperties": False},
        {"properties": {"ab": both(TEXT, {"minLength": 1})}, "additionalProperties": False},
    ),
    "a pattern that refuses needs no rest": (
        {"patternProperties": {"^a": False}},
        {"patternProperties": {"b$": TEXT}, "additionalProperties": WHOLE},
        {"patternProperties": {"^a": False, "b$": TEXT}, "additionalProperties": WHOLE},
    ),
    "a pattern of both": (
        {"patternProperties": {"a": TEXT}, "additionalProperties": False},
        {"patternProperties": {"a": WHOLE}, "additionalProperties": TEXT},
        {"patternProperties": {"a": both(TEXT, WHOLE)}, "additionalProperties": False},
    ),
    "names obey both": (
        {"propertyNames": TEXT},
        {"propertyNames": {"maxLength": 1}},
        {"propertyNames": both(TEXT, {"maxLength": 1})},
    ),
    "what is left alone in both": (
        {"unevaluatedItems": TEXT},
        {"unevaluatedItems": WHOLE},
        {"unevaluatedItems": both(TEXT, WHOLE)},
    ),
    "what is left alone sees the right's properties": (
        {"unevaluatedProperties": False},
        {"properties": {"a": TEXT}},
        {"unevaluatedProperties": False, "properties": {"a": TEXT}},
    ),
    # items
    "place by place, then the other's items": (
        {"prefixItems": [TEXT, TEXT], "items": False},
        {"prefixItems": [WHOLE], "items": NUMBER},
        {"prefixItems": [both(TEXT, WHOLE), both(TEXT, NUMBER)], "items": False},
    ),
    "items of both": ({"items": TEXT}, {"items": WHOLE}, {"items": both(TEXT, WHOLE)}),
    "unique if one says so": ({"uniqueItems": False}, {"uniqueItems": True}, {"uniqueItems": True}),
    "contains of one with its counts": (
        {"minContains": 0, "maxContains": 1, "minItems": 1},
        {"contains": TEXT, "minContains": 2},
        {"minContains": 2, "minItems": 1, "contains": TEXT},
    ),
    "the same contains: the counts meet": (
        {"contains": TEXT, "minContains": 0, "maxContains": 4},
        {"contains": TEXT, "maxContains": 3},
        {"contains": TEXT, "minContains": 1, "maxContains": 3},
    ),
    # others
    "not": ({"not": TEXT}, {"not": WHOLE}, {"not": {"anyOf": [TEXT, WHOLE]}}),
    "words of the left count": (
        {"title": "a", "x-own": 1},
        {"title": "b", "x-own": 2, "description": "b"},
        {"title": "a", "x-own": 1, "description": "b"},
    ),
}
"""Two schemas, and the one that says what both say."""

UNSAID: Final[dict[str, tuple[Any, Any, Any, list[tuple[str, Any]]]]] = {
    "a second pattern": ({"pattern": "a"}, {"pattern": "b"}, {"pattern": "a"}, [("pattern", "b")]),
    "a second format": (
        {"format": "date"},
        {"format": "time", "minLength": 1},
        {"format": "date", "minLength": 1},
        [("format", "time")],
    ),
    "multiples of fractions": (
        {"multipleOf": 0.4},
        {"multipleOf": 0.6},
        {"multipleOf": 0.4},
        [("multipleOf", 0.6)],
    ),
    "a second contains, and what it would evaluate": (
        {"contains": TEXT, "unevaluatedItems": False},
        {"contains": WHOLE, "maxContains": 2},
        {"contains": TEXT, "unevaluatedItems": {}},
        [("contains", WHOLE), ("maxContains", 2), ("unevaluatedItems", False)],
    ),
    "what the right leaves alone, where the left evaluates more": (
        {"properties": {"a": TEXT}},
        {"unevaluatedProperties": False},
        {"properties": {"a": TEXT}, "unevaluatedProperties": False},
        [("unevaluatedProperties", False)],
    ),
    "the rest beside two patterns": (
        {"patternProperties": {"^a": TEXT}},
        {"patternProperties": {"b$": TEXT}, "additionalProperties": False},
        {"patternProperties": {"^a": TEXT, "b$": TEXT}, "additionalProperties": False},
        [("additionalProperties", False)],
    ),
    "the rest beside a pattern for a listed name": (
        {"patternProperties": {"^a": TEXT}},
        {"properties": {"ab": {}}, "additionalProperties": WHOLE},
        {
            "patternProperties": {"^a": TEXT},
            "properties": {"ab": TEXT},
            "additionalProperties": WHOLE,
        },
        [("additionalProperties", WHOLE)],
    ),
    "a pattern that Python cannot read may match": (
        {"properties": {"a": TEXT}},
        {"patternProperties": {r"^\p{L}$": {}}, "additionalProperties": False},
        {"properties": {"a": TEXT}, "patternProperties": {r"^\p{L}$": {}}}
        | {"additionalProperties": False},
        [("additionalProperties", False)],
    ),
}
"""Two schemas, one that accepts more, and the constraints that it lacks."""


@pytest.mark.parametrize(("left", "right", "merged"), EXACT.values(), ids=EXACT)
def test_one_schema_says_it(left: Any, right: Any, merged: Any) -> None:
    made = merge(freeze(left), freeze(right))
    assert same(made.schema, merged), made.schema
    assert made.unsaid == ()


@pytest.mark.parametrize(("left", "right", "merged", "unsaid"), UNSAID.values(), ids=UNSAID)
def test_one_schema_cannot_say_it(left: Any, right: Any, merged: Any, unsaid: Any) -> None:
    made = merge(freeze(left), freeze(right))
    assert same(made.schema, merged), made.schema
    assert same(made.unsaid, unsaid), made.unsaid


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        (False, set()),
        ({}, {"string", "number", "boolean", "null", "array", "object"}),
        (NUMBER, {"number"}),
        ({"type": ["integer", "number"]}, {"number"}),
        ({"enum": [1, 2.0]}, {"integer"}),
        ({"enum": [1, 1.5, None]}, {"number", "null"}),
        ({"const": True}, {"boolean"}),
        ({"const": {}, "type": ["object", "array"]}, {"object"}),
        ({"enum": ["a", []], "type": "string"}, {"string"}),
        ({"const": "a", "enum": ["b"]}, set()),
    ],
)
def test_types_are_those_of_type_enum_and_const(schema: Any, types: set[str]) -> None:
    assert types_of(schema) == types


def test_types_meet_in_the_order_of_the_left() -> None:
    assert intersect_types(["null", "number", "array"], ["integer", "null"]) == ["null", "integer"]


# apart


def kind(name: str, **others: Any) -> Any:
    """An object that says by a property which kind it is."""
    return {**OBJECT, "properties": {"kind": {"const": name}, **others}, "required": ["kind"]}


def inside(schema: Any, depth: int) -> Any:
    """A schema of a property of a property, that deep."""
    for _ in range(depth):
        schema = {**OBJECT, "properties": {"a": schema}, "required": ["a"]}
    return schema


APART: Final[dict[str, tuple[Any, Any, bool]]] = {
    "nothing fits False": (False, {}, True),
    "other types": (TEXT, {"type": ["integer", "null"]}, True),
    "integer and number": (WHOLE, NUMBER, False),
    "other values": ({"enum": ["a", "b"]}, {"const": "c"}, True),
    "a common value": ({"enum": ["a", 1]}, {"const": 1.0}, False),
    "values of another type": ({"enum": ["a"]}, NUMBER, True),
    "values that the other's type refuses": ({"enum": [1.5]}, WHOLE, True),
    "values decide alone": ({"enum": [{}]}, {**OBJECT, "required": ["a"]}, False),
    "bounds": ({**NUMBER, "maximum": 1}, {**WHOLE, "minimum": 2}, True),
    "bounds of one type of two": (
        {"type": ["number", "null"], "maximum": 1},
        {"type": ["number", "null"], "minimum": 2},
        False,
    ),
    "a property tells the kind": (kind("a"), kind("b"), True),
    "the same kind": (kind("a", b=TEXT), kind("a", b=WHOLE), False),
    "it tells where one requires it": (kind("a"), {**kind("b"), "required": []}, True),
    "nobody requires it": ({**kind("a"), "required": []}, {**kind("b"), "required": []}, False),
    "an object or null": (
        {**kind("a"), "type": ["object", "null"]},
        {**kind("b"), "type": ["object", "null"]},
        False,
    ),
    "a property that the other refuses": (
        kind("a"),
        {**OBJECT, "additionalProperties": False},
        True,
    ),
    "a required property of which nothing else is said": (
        {**OBJECT, "required": ["kind"]},
        {**OBJECT, "additionalProperties": False},
        True,
    ),
    "a property that a pattern of the other's takes": (
        kind("a"),
        {**OBJECT, "additionalProperties": False, "patternProperties": {"^k": {}}},
        False,
    ),
    "a pattern that Python cannot read may take it": (
        kind("a"),
        {**OBJECT, "additionalProperties": False, "patternProperties": {r"\p{L}": {}}},
        False,
    ),
    "a property that is False": (kind("a"), {**OBJECT, "properties": {"kind": False}}, True),
    "a property that the rest of the other does not fit": (
        kind("a"),
        {**OBJECT, "additionalProperties": WHOLE},
        True,
    ),
    "three deep": (inside(TEXT, 3), inside(WHOLE, 3), True),
    "nobody looks deeper": (inside(TEXT, 4), inside(WHOLE, 4), False),
    "a union is unknown": (inside({"anyOf": [TEXT]}, 1), inside(WHOLE, 1), False),
    "a reference is unknown": (inside({"$ref": "#", **TEXT}, 1), inside(WHOLE, 1), False),
}
"""Two schemas, and whether it is certain that nothing fits both."""


@pytest.mark.parametrize(("left", "right", "certain"), APART.values(), ids=APART)
def test_apart(left: Any, right: Any, certain: bool) -> None:
    assert disjoint(left, right) is certain
    assert disjoint(right, left) is certain


# whatever the schemas


Strategy = st.SearchStrategy[Any]

names: Strategy = st.sampled_from(["a", "ab", "b"])
patterns: Strategy = st.sampled_from(["^a", "b"])
counts: Strategy = st.integers(0, 3)
scalars: Strategy = st.sampled_from([None, True, 0, 1, 1.0, 1.5, 2, 3, "", "a", "ab"])
values: Strategy = st.recursive(
    scalars,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(names, each, max_size=3),
    max_leaves=4,
)
types: Strategy = st.sampled_from(
    [
        "string",
        "number",
        "integer",
        "boolean",
        "array",
        "object",
        ["null", "object"],
        ["array", "number", "string"],
        ["integer", "string"],
    ]
)
leaves: Strategy = st.sampled_from(
    [
        {},
        False,
        TEXT,
        WHOLE,
        NUMBER,
        {"const": 1},
        {"enum": ["a", 1.0, None]},
        {"minimum": 2},
        {"anyOf": [TEXT]},
    ]
)


def named(keys: Strategy, members: Strategy) -> Strategy:
    return st.dictionaries(keys, members, max_size=2)


OF_ALL: Final[dict[str, Strategy]] = {"type": types, "title": st.just("a"), "not": leaves}
FAMILIES: Final[tuple[dict[str, Strategy], ...]] = (
    {"enum": st.lists(scalars | values, min_size=1, max_size=4), "const": scalars},
    dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), counts)
    | {"multipleOf": st.sampled_from([1, 2, 3, 0.5, 1.5])},
    dict.fromkeys(("minLength", "maxLength"), counts) | {"pattern": patterns},
    dict.fromkeys(("items", "contains"), leaves)
    | dict.fromkeys(("minItems", "maxItems", "minContains", "maxContains"), counts)
    | {"prefixItems": st.lists(leaves, min_size=1, max_size=2), "uniqueItems": st.booleans()},
    dict.fromkeys(("properties", "dependentSchemas"), named(names, leaves))
    | {"patternProperties": named(patterns, leaves), "additionalProperties": leaves}
    | {"required": st.lists(names, max_size=2, unique=True)},
    dict.fromkeys(("minProperties", "maxProperties"), counts)
    | {"dependentRequired": named(names, st.lists(names, max_size=1))}
    | {"propertyNames": st.sampled_from([{"maxLength": 1}, {"enum": ["a", "b"]}])},
)
LEFT_ALONE: Final = dict.fromkeys(("unevaluatedProperties", "unevaluatedItems"), leaves)


def flat(**others: Strategy) -> Strategy:
    """Flat schemas with a few keywords that have to do with each other."""
    made = [
        st.fixed_dictionaries({}, optional={**family, **OF_ALL, **others}) for family in FAMILIES
    ]
    return st.one_of(made).map(freeze)


def wide(**others: Strategy) -> Strategy:
    """Flat schemas with keywords of two families."""
    return st.tuples(flat(**others), flat(**others)).map(lambda two: freeze({**two[0], **two[1]}))


def valid(schema: Any, items: list[Any]) -> list[bool]:
    validator = Draft202012Validator(schema)
    return [validator.is_valid(item) for item in items]


few = settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@few
@given(left=flat() | wide(), right=flat(**LEFT_ALONE) | wide(), items=st.lists(values, min_size=6))
def test_merged_schemas_accept_what_both_accept(left: Any, right: Any, items: list[Any]) -> None:
    """Never less; more only with something unsaid; nothing if they are apart."""
    items += left.get("enum", []) + right.get("enum", [])
    merged = merge(left, right)
    if merged.schema is not False:
        Draft202012Validator.check_schema(merged.schema)
    apart = disjoint(left, right)
    accepted = zip(
        valid(left, items), valid(right, items), valid(merged.schema, items), strict=True
    )
    for item, (in_left, in_right, in_merged) in zip(items, accepted, strict=True):
        if in_left and in_right:
            assert in_merged, item
            assert not apart, item
        elif not merged.unsaid:
            assert not in_merged, item
