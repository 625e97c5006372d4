"""What a model hears of arguments that do not fit: the argument, what was wrong, what was given and
a valid example, and no secret. The same for typed functions and for tools with a JSON Schema."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import pickle
import re
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, Field, SecretStr

import toolbridge as tb
from laws.corpus import requires_shared
from schemas.corpus_schemas import Real, real_schemas
from toolbridge.errors import ToolDefinitionError
from toolbridge.validation.fault_examples import put
from toolbridge.validation.faults import ArgumentsError, value_at
from toolbridge.validation.text_example import FORMATS, matching
from toolbridge.validation.valid_example import NOTHING, example_of
from toolbridge.validation.validators import accept, checker_of, schema_validator, validator

INTEGER: Final = {"type": "integer"}
TEXT: Final = {"type": "string"}


def told(schema: Any, arguments: Any) -> list[str]:
    """What is said of arguments under a JSON Schema."""
    with pytest.raises(ArgumentsError) as caught:
        schema_validator("find", schema)(arguments)
    return str(caught.value).splitlines()


def of(schema: Any, **rest: Any) -> Any:
    """The schema of arguments with one, `a`."""
    return {"type": "object", "properties": {"a": schema}, **rest}


# --- words


@pytest.mark.parametrize(
    ("schema", "value", "line"),
    [
        (INTEGER, "two", 'must be an integer (given: "two"); valid example: 1'),
        (
            {"type": ["number", "null"]},
            "x",
            'must be a number or null (given: "x"); valid example: 1',
        ),
        ({"enum": ["c", "f"]}, "k", 'must be one of "c", "f" (given: "k"); valid example: "c"'),
        ({"const": 3}, 4, "must be 3 (given: 4); valid example: 3"),
        ({**INTEGER, "minimum": 5}, 3, "must be at least 5 (given: 3); valid example: 5"),
        ({**INTEGER, "maximum": -5}, 3, "must be at most -5 (given: 3); valid example: -5"),
        ({**INTEGER, "exclusiveMinimum": 5}, 5, "must be more than 5 (given: 5); valid example: 6"),
        ({**INTEGER, "multipleOf": 7}, 3, "must be a multiple of 7 (given: 3); valid example: 7"),
        ({**TEXT, "minLength": 1}, "", 'must not be empty (given: ""); valid example: "text"'),
        (
            {**TEXT, "maxLength": 2},
            "abc",
            'must have at most 2 characters (given: "abc"); valid example: "te"',
        ),
        (
            {**TEXT, "pattern": r"^ord_\d+$"},
            "7",
            r'must match the regular expression "^ord_\\d+$" (given: "7"); valid example: "ord_1"',
        ),
        (
            {**TEXT, "format": "date"},
            "soon",
            'must be a date (YYYY-MM-DD) (given: "soon"); valid example: "2026-01-31"',
        ),
        (
            {"type": "array", "items": INTEGER, "minItems": 2},
            [1],
            "must have at least 2 items (given: [1]); valid example: [1, 1]",
        ),
        (
            {"type": "array", "uniqueItems": True},
            [1, 1],
            "must not have an item twice (given: [1, 1])",
        ),
        ({"anyOf": [INTEGER, {"type": "null"}]}, "x", 'must be an integer or null (given: "x")'),
        ({"not": TEXT}, "x", 'is what the schema rules out (given: "x")'),
    ],
)
def test_each_keyword_is_said_in_plain_words(schema: Any, value: Any, line: str) -> None:
    (found,) = told(of(schema), {"a": value})
    assert found.startswith(f"- a: {line}")


FLIGHT: Final = {
    "type": "object",
    "properties": {
        "legs": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"to": TEXT, "seat": INTEGER},
                "required": ["to"],
                "additionalProperties": False,
            },
        },
        "orderId": {"type": "string", "examples": ["A-7"]},
    },
    "required": ["orderId"],
    "additionalProperties": False,
    "dependentRequired": {"legs": ["orderId"]},
}


def test_a_missing_argument_is_named_with_the_example_of_its_schema() -> None:
    assert told(FLIGHT, {}) == ['- orderId: missing; valid example: "A-7"']


def test_arguments_inside_of_others_are_named_by_their_path() -> None:
    lines = told(FLIGHT, {"orderId": "A-1", "legs": [{"to": "ICN"}, {"seat": "x"}]})
    assert lines == [
        '- legs.1.seat: must be an integer (given: "x"); valid example: 1',
        '- legs.1.to: missing; valid example: "text"',
    ]


def test_an_unknown_argument_is_told_with_those_that_there_are_and_the_closest() -> None:
    lines = told(FLIGHT, {"orderId": "A-1", "order_id": "A-1", "zzz": 1})
    assert lines == [
        "- order_id: there is no such argument; there are: legs, orderId. Did you mean orderId?",
        "- zzz: there is no such argument; there are: legs, orderId",
    ]
    (nested,) = told(FLIGHT, {"orderId": "A-1", "legs": [{"to": "ICN", "sea": 1}]})
    assert nested.startswith("- legs.0.sea: there is no such property; there are: to, seat.")
    assert told({"type": "object", "additionalProperties": False}, {"a": 1}) == [
        "- a: there is no such argument; there are none"
    ]


CAT: Final = {
    "type": "object",
    "properties": {"kind": {"const": "cat"}, "lives": INTEGER},
    "required": ["kind", "lives"],
}
DOG: Final = {
    "type": "object",
    "properties": {"kind": {"const": "dog"}, "name": TEXT},
    "required": ["kind", "name"],
}


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_of_a_union_the_branch_that_was_meant_is_told(word: str) -> None:
    """Not that the value "is not valid under any of the given schemas"."""
    union = {word: [{"type": "null"}, CAT, DOG]}
    assert told(of(union), {"a": {"kind": "dog"}}) == ['- a.name: missing; valid example: "text"']
    assert told(of(union), {"a": {"kind": "cat", "lives": "x"}}) == [
        '- a.lives: must be an integer (given: "x"); valid example: 1'
    ]
    (all_wrong,) = told(of(union), {"a": 5})
    assert all_wrong.startswith("- a: must be null or an object (given: 5)")
    needed = {"type": "object", word: [{"required": ["x"]}, {"required": ["y"]}]}
    (line,) = told(needed, {})
    assert line.startswith("- the arguments: needs x or y (given: {})")


def test_a_value_that_fits_two_forms_of_one_is_told() -> None:
    (line,) = told(of({"oneOf": [INTEGER, {"minimum": 0}]}), {"a": 1})
    assert "fits several of the forms" in line


def test_what_no_value_fits_is_told() -> None:
    (line,) = told(of(False), {"a": 1})
    assert "is not allowed" in line


def test_a_lot_of_faults_and_long_values_stay_short() -> None:
    """Ten faults and the number of the rest; a value is cut, an example never."""
    names = [f"a{number}" for number in range(30)]
    schema = {"type": "object", "properties": {name: {"enum": names} for name in names}}
    lines = told(schema, dict.fromkeys(names, "x" * 10_000))
    assert len(lines) == 11
    assert lines[-1] == "- and 20 more"
    assert "a19 and 10 more" in lines[0].replace('"', "")
    assert all(len(line) < 600 for line in lines)
    long = of({**TEXT, "minLength": 300})
    assert told(long, {"a": ""}) == ['- a: must have at least 300 characters (given: "")']


# --- typed functions


class Unit(enum.Enum):
    """A unit."""

    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"


class Cat(BaseModel):
    """A cat."""

    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    """A dog."""

    kind: Literal["dog"]
    name: str
    tricks: list[str] = []


def even(number: int) -> int:
    """A check of the app's own."""
    if number % 2:
        raise ValueError("must be even, such as 4")
    return number


def visit(
    *,
    days: Annotated[int, Field(ge=2, le=9)] = 3,
    unit: Unit = Unit.CELSIUS,
    mode: Literal["a", "b"] = "a",
    pet: Cat | Dog | None = None,
    told: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None,
    mixed: int | list[int] = 0,
    due: datetime.date | None = None,
    code: Annotated[str, Field(pattern=r"^ord_\d+$")] = "ord_1",
    count: Annotated[int, AfterValidator(even)] = 2,
    tags: Annotated[set[str], Field(min_length=1)] | None = None,
) -> None:
    """A visit."""


VISIT: Final = tb.tool(visit)


def typed(arguments: Any) -> list[str]:
    """What is said of arguments of `visit`."""
    with pytest.raises(ArgumentsError) as caught:
        VISIT.validate(arguments)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({"days": "x"}, ['- days: must be an integer (given: "x"); valid example: 3']),
        ({"days": 1}, ["- days: must be at least 2 (given: 1); valid example: 3"]),
        ({"days": None}, ["- days: must be an integer (given: null); valid example: 3"]),
        (
            {"unit": 1},
            ['- unit: must be one of "celsius", "fahrenheit" (given: 1); valid example: "celsius"'],
        ),
        ({"mode": "c"}, ['- mode: must be one of "a", "b" (given: "c"); valid example: "a"']),
        ({"pet": {"kind": "dog"}}, ['- pet.name: missing; valid example: "text"']),
        (
            {"pet": {"kind": "dog", "name": "Rex", "tricks": "sit"}},
            ['- pet.tricks: must be an array (given: "sit"); valid example: []'],
        ),
        ({"told": {"kind": "cat"}}, ["- told.lives: missing; valid example: 1"]),
        (
            {"mixed": "x"},
            ['- mixed: must be an integer or an array (given: "x"); valid example: 0'],
        ),
        ({"mixed": [1, "x"]}, ['- mixed.1: must be an integer (given: "x"); valid example: 1']),
        (
            {"due": "soon"},
            ['- due: must be a date (YYYY-MM-DD) (given: "soon"); valid example: "2026-01-31"'],
        ),
        ({"tags": []}, ['- tags: must not be empty (given: []); valid example: ["text"]']),
        ({"count": 3}, ["- count: must be even, such as 4 (given: 3); valid example: 2"]),
    ],
)
def test_types_are_said_in_the_same_words(arguments: Any, lines: list[str]) -> None:
    assert typed(arguments) == lines


def test_an_unknown_argument_of_a_function_is_told_in_the_same_words() -> None:
    (line,) = typed({"dayz": 3})
    assert line.startswith("- dayz: there is no such argument; there are: days, unit, mode,")
    assert line.endswith(". Did you mean days?")


def refuse(text: str) -> str:
    """A check of the app's own that nothing passes."""
    raise ValueError("no such order")


def find(order: Annotated[str, AfterValidator(refuse)]) -> None:
    """Find an order."""


def test_an_example_that_a_check_of_the_apps_own_refuses_is_not_shown() -> None:
    with pytest.raises(ArgumentsError) as caught:
        tb.tool(find).validate({"order": "A-1"})
    assert str(caught.value) == '- order: no such order (given: "A-1")'


def test_a_validator_without_a_schema_takes_that_of_its_types() -> None:
    from pydantic import TypeAdapter

    with pytest.raises(ArgumentsError) as caught:
        validator(TypeAdapter(Cat))({"kind": "cat"})
    assert str(caught.value) == "- lives: missing; valid example: 1"


# --- secrets


@dataclasses.dataclass
class Login:
    """A login."""

    user: str
    key: SecretStr


def log_in(login: Login, pin: Annotated[SecretStr, Field(min_length=4)]) -> None:
    """Log in."""


LOGIN: Final = {
    "type": "object",
    "properties": {
        "login": {"$ref": "#/$defs/login"},
        "pin": {"type": "string", "format": "password", "minLength": 4},
    },
    "$defs": {
        "login": {
            "type": "object",
            "properties": {"user": TEXT, "key": {"type": "string", "writeOnly": True}},
            "required": ["user", "key"],
            "minProperties": 2,
        }
    },
}


@pytest.mark.parametrize(
    "arguments",
    [
        {"login": {"user": "ann", "key": "k"}, "pin": "7x7"},
        {"login": {"user": "ann", "key": {"in": "7x7"}}, "pin": ["7x7"]},
        {"login": {"kei": "7x7"}, "pin": "longer"},
        {"login": '{"user": "ann", "key": "7x7"', "pin": "longer"},
        {"login": ["7x7"], "pin": "longer"},
        {"login": '{"user": 1, "key": ["7x7"]}', "pin": "longer"},
    ],
)
@pytest.mark.parametrize(
    "tool",
    [tb.tool(log_in), tb.tool(name="log_in", schema=LOGIN)(lambda **given: None)],
    ids=["typed", "schema"],
)
def test_what_a_schema_calls_secret_is_never_shown(tool: tb.Tool, arguments: Any) -> None:
    """Nor what stands where a secret was expected: misspelt, or still encoded."""
    assert isinstance(tool.spec, tb.ToolSpec)
    with pytest.raises(ArgumentsError) as caught:
        accept(tool.validate, tool.spec.parameters, arguments)
    assert "7x7" not in str(caught.value)
    assert str(caught.value).startswith("- ")


# --- accepted


def test_arguments_are_mended_and_what_was_changed_is_told() -> None:
    schema = of(INTEGER, required=["a"])
    given = {"a": "3"}
    accepted = accept(schema_validator("find", schema), schema, given)
    assert accepted.values == accepted.arguments == {"a": 3}
    assert [(change.path, change.before, change.after) for change in accepted.changes] == [
        ("/a", "3", 3)
    ]
    assert given == {"a": "3"}


def test_an_error_shows_the_value_as_the_model_wrote_it() -> None:
    """What stood inside of an encoded array has no other form than the decoded one."""
    schema = of({**INTEGER, "minimum": 5})
    with pytest.raises(ArgumentsError, match=r'- a: must be at least 5 \(given: "3"\)'):
        accept(schema_validator("find", schema), schema, {"a": "3"})
    schema = of({"type": "array", "items": {**INTEGER, "minimum": 5}})
    with pytest.raises(ArgumentsError, match=r"- a\.1: must be at least 5 \(given: 3\)"):
        accept(schema_validator("find", schema), schema, {"a": "[7, 3]"})


def test_what_is_valid_as_it_came_is_not_refused_for_what_it_was_mended_to() -> None:
    """Null is no text; that the object may not be empty is a rule of the app's validator alone."""
    schema = of(TEXT)

    def validate(arguments: Any) -> Any:
        if not arguments:
            raise ArgumentsError((), schema, arguments)
        return arguments

    assert accept(validate, schema, {"a": None}) == ({"a": None}, {"a": None}, ())


def test_what_the_function_does_with_its_arguments_does_not_reach_the_record() -> None:
    schema = of({"type": "array"})
    accepted = accept(schema_validator("find", schema), schema, {"a": "[1]"})
    accepted.values["a"].append(2)
    assert accepted.arguments == {"a": [1]}
    assert accepted.changes[0].after == [1]


def test_an_error_can_be_sent_to_another_process() -> None:
    with pytest.raises(ArgumentsError) as caught:
        schema_validator("find", of(TEXT))({"a": 1})
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.faults) == (str(caught.value), caught.value.faults)


# --- examples


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_has_a_text_that_fits_it(name: str) -> None:
    assert example_of({"type": "string", "format": name}) == FORMATS[name]


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        ({"type": "integer", "examples": ["x", 7]}, 7),
        ({"type": "integer", "default": 4}, 4),
        ({"type": ["null", "integer"], "default": None}, 1),
        ({"const": None}, None),
        ({"enum": ["b", "a"]}, "b"),
        ({"type": "integer", "minimum": 10, "multipleOf": 7}, 14),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, 0.5),
        ({"type": "string", "minLength": 6}, "textte"),
        ({"type": "string", "maxLength": 0}, ""),
        ({"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3,}$"}, "AA-111"),
        ({"type": "boolean"}, True),
        ({"anyOf": [{"type": "null"}, INTEGER]}, 1),
        ({"type": "array", "items": {"enum": [1, 2]}, "minItems": 2, "uniqueItems": True}, [1, 2]),
        ({"prefixItems": [TEXT, INTEGER], "minItems": 2}, ["text", 1]),
        ({**of(INTEGER), "required": ["a"]}, {"a": 1}),
        ({"allOf": [{"minimum": 3}, {"type": "integer", "maximum": 4}]}, 3),
        ({"type": "string", "pattern": "^(?:x|y){3}(?=z)"}, NOTHING),
        ({"type": "string", "format": "password"}, NOTHING),
        ({"type": "integer", "minimum": 3, "maximum": 2}, NOTHING),
        ({}, NOTHING),
        (False, NOTHING),
    ],
)
def test_an_example_is_small_and_valid_or_none(schema: Any, example: Any) -> None:
    assert example_of(schema) == example


def test_an_example_of_what_holds_itself_ends() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "n": INTEGER}}
    schema = {"$ref": "#/$defs/node", "$defs": {"node": {**node, "required": ["n"]}}}
    assert example_of(schema) == {"n": 1}
    endless = {"$ref": "#/$defs/node", "$defs": {"node": {**node, "required": ["next"]}}}
    assert example_of(endless) is NOTHING


@given(st.text(alphabet=r"ab1\d[]-+*?{},^$.w|()", max_size=12), st.integers(0, 20))
def test_a_text_for_a_pattern_matches_it(pattern: str, least: int) -> None:
    try:
        re.compile(pattern)
    except (re.error, FutureWarning):
        return
    made = matching(pattern, least)
    assert made is None or re.search(pattern, made)


# --- real schemas


def refused() -> Iterator[tuple[Real, Any, Any, ArgumentsError]]:
    """A sample of the instances of real schemas that are refused, each with its validator."""
    for real in real_schemas()[::3]:
        try:
            checker, validate = checker_of(real.id, real.schema), schema_validator("f", real.schema)
        except ToolDefinitionError:
            continue
        for instance in real.instances:
            try:
                validate(instance.data)
            except ArgumentsError as error:
                yield real, checker, instance.data, error


@requires_shared
def test_what_is_said_of_real_arguments_names_a_place_and_shows_valid_examples() -> None:
    """A fault's place is there, or it is what is missing; an example put in that place leaves
    nothing wrong with it, and what was the only fault is none any more."""
    shown = faults = 0
    for real, checker, data, error in refused():
        assert error.faults, real.id
        for fault in error.faults:
            assert fault.what and "\n" not in fault.what
            is_there = value_at(data, fault.path) is not NOTHING
            parent = value_at(data, fault.path[:-1])
            assert is_there is not fault.is_missing, (real.id, fault)
            assert is_there or (isinstance(parent, dict) and fault.path), (real.id, fault)
            if fault.example is NOTHING:
                continue
            shown += 1
            changed = put(data, fault.path, fault.example)
            assert not any(
                tuple(left.absolute_path)[: len(fault.path)] == fault.path
                for left in checker.iter_errors(changed)
            ), (real.id, fault)
            if len(error.faults) == 1:
                assert checker.is_valid(changed), (real.id, fault)
        faults += len(error.faults)
    assert faults > 500
    assert shown > 0.6 * faults
