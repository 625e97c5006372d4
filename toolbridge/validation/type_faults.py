"""The errors of pydantic as faults in plain words.

The types of errors are those of https://docs.pydantic.dev/latest/errors/validation_errors; what is
not in the table is said as pydantic says it, and what a validator of the app's raises as it says it
itself.
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from toolbridge.schemas.places import branched, schemas_at
from toolbridge.validation.faults import (
    MISSING,
    Fault,
    Path,
    best_of,
    has,
    listed_in_words,
    names_at,
    unknown,
)
from toolbridge.values import JSON

KIND_WORDS: Final = {
    **dict.fromkeys(
        ("int_type", "int_parsing", "int_from_float", "int_parsing_size"), "an integer"
    ),
    **dict.fromkeys(("float_type", "float_parsing", "decimal_type", "decimal_parsing"), "a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    **dict.fromkeys(("string_type", "string_sub_type", "bytes_type"), "a string"),
    **dict.fromkeys(
        ("list_type", "set_type", "frozen_set_type", "tuple_type", "iterable_type"), "an array"
    ),
    **dict.fromkeys(
        ("dict_type", "mapping_type", "model_type", "model_attributes_type", "dataclass_type"),
        "an object",
    ),
    "none_required": "null",
    **dict.fromkeys(
        ("date_type", "date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact"),
        "a date (YYYY-MM-DD)",
    ),
    **dict.fromkeys(
        ("datetime_type", "datetime_parsing", "datetime_from_date_parsing"),
        "a date and time (ISO 8601)",
    ),
    **dict.fromkeys(("time_type", "time_parsing"), "a time (ISO 8601)"),
    **dict.fromkeys(("time_delta_type", "time_delta_parsing"), "a duration (ISO 8601)"),
    **dict.fromkeys(("uuid_type", "uuid_parsing"), "a UUID"),
    **dict.fromkeys(("url_type", "url_parsing", "url_syntax_violation"), "a URL"),
}
"""What a value must be, by the error that says that it is something else."""

WORDS: Final = {
    "finite_number": "must be a finite number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match the regular expression {pattern}",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "url_scheme": "must be a URL of the scheme {expected_schemes}",
    "timezone_aware": "must have an offset from UTC",
    "timezone_naive": "must have no offset from UTC",
    "date_past": "must be in the past",
    "date_future": "must be in the future",
    "datetime_past": "must be in the past",
    "datetime_future": "must be in the future",
    "decimal_max_digits": "must have at most {max_digits} digits",
    "decimal_max_places": "must have at most {decimal_places} decimal places",
    "union_tag_invalid": "must have one of {expected_tags} as {discriminator}",
    "union_tag_not_found": "must say what it is by {discriminator}",
    "json_type": "must be a string of JSON",
    "json_invalid": "must be a string of JSON: {error}",
}
"""What else a value must be; the names in braces are those of the error's context."""

RAISE: Final = dis.opmap["RAISE_VARARGS"]
"""The instruction of the statement `raise`, and of a failed `assert`
(https://docs.python.org/3/library/dis.html#opcode-RAISE_VARARGS)."""

MISSES: Final = ("missing", "missing_argument", "missing_keyword_only_argument")
UNKNOWN: Final = ("extra_forbidden", "unexpected_keyword_argument")
LISTED: Final = ("literal_error", "enum")
OWN: Final = {"value_error": "Value error, ", "assertion_error": "Assertion failed, "}
"""What validators of the app's raise, and what pydantic puts before their words. Errors of other
classes come about by accident, and are not told: a ValidationError of other data, a text that is
no JSON."""


class Located(NamedTuple):
    """An error of pydantic's, and its place: the keys into the arguments, and between them the
    names of the branches and validators that pydantic went through, each with the number of keys
    before it. `in_union` if there were any."""

    error: Any
    path: Path
    tags: tuple[tuple[int, str], ...]
    in_union: bool


def type_faults(errors: Iterable[Any], schema: JSON, arguments: JSON) -> list[Fault]:
    """The faults that errors of pydantic tell; of a union those of the branch that was meant."""
    located = [locate(error, arguments) for error in errors]
    return [*dict.fromkeys(untangled(located, schema))]


def locate(error: Any, arguments: JSON) -> Located:
    """An error with its place in the arguments."""
    path: list[Any] = []
    tags: list[tuple[int, str]] = []
    value = arguments
    last = len(error["loc"]) - 1
    for index, key in enumerate(error["loc"]):
        if has(value, key):
            value = value[key]
            path.append(key)
        elif index == last and error["type"] in MISSES:
            path.append(key)
        else:
            tags.append((len(path), str(key)))
    return Located(error, tuple(path), tuple(tags), bool(tags))


def untangled(located: list[Located], schema: JSON) -> list[Fault]:
    """Faults in the order of the errors, with those of all branches of a union where its first
    stands."""
    places: dict[Any, dict[str, list[Located]]] = {}
    for index, each in enumerate(located):
        if each.tags:
            (length, tag), *rest = each.tags
            branches = places.setdefault(each.path[:length], {})
            branches.setdefault(tag, []).append(each._replace(tags=tuple(rest)))
        else:
            places[index] = {"": [each]}
    found: list[Fault] = []
    for place, branches in places.items():
        if isinstance(place, int):
            found.append(fault_of(located[place], schema))
        else:
            found += best_of([untangled(each, schema) for each in branches.values()], place)
    return found


def fault_of(located: Located, schema: JSON) -> Fault:
    """One error as a fault."""
    error, path = located.error, located.path
    kind = error["type"]
    if kind in MISSES:
        return Fault(path, MISSING)
    if kind in UNKNOWN:
        return unknown(path, names_at(schema, path[:-1]))
    if kind in LISTED:
        values = [] if located.in_union else listed_at(schema, path)
        return Fault(path, listed_in_words(values) if values else words_of(error), unlisted=True)
    return Fault(path, words_of(error), wrong_kind=kind in KIND_WORDS)


def is_meant(error: Any) -> bool:
    """Whether a validator meant what it raised for whoever gave the arguments: it says so by
    `raise` or `assert`. What comes out of a function of C, such as int(), is an accident."""
    if type(error) not in (ValueError, AssertionError):
        return error is None
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is None or place.tb_frame.f_code.co_code[place.tb_lasti] == RAISE


def words_of(error: Any) -> str:
    """What is wrong, in words."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in KIND_WORDS:
        return f"must be {KIND_WORDS[kind]}"
    if kind in OWN:
        meant = is_meant(context.get("error"))
        return str(error["msg"].removeprefix(OWN[kind])) if meant else "is not valid"
    if kind in LISTED:
        return expected_in_words(context["expected"])
    if kind in ("string_too_short", "too_short") and context.get("min_length") == 1:
        return "must not be empty"
    if kind in WORDS:
        return WORDS[kind].format_map(context)
    message: str = error["msg"].replace("Input should be ", "must be ")
    return message[:1].lower() + message[1:]


def expected_in_words(expected: str) -> str:
    """The values that pydantic lists, such as `'a', 'b' or 'c'`."""
    several = ", " in expected or " or " in expected
    quoted = expected if '"' in expected else expected.replace("'", '"')
    return f"must be {'one of ' if several else ''}{quoted}"


def listed_at(schema: JSON, path: Path) -> list[JSON]:
    """The values that a schema lists for a place, in whatever branch."""
    listed: list[JSON] = []
    for each in schemas_at(schema, schema, path):
        for held in branched(each, schema):
            for node in held:
                listed += [node["const"]] if "const" in node else node.get("enum", ())
    return [each for index, each in enumerate(listed) if each not in listed[:index]]


def wrong_paths(errors: Iterable[Any], arguments: JSON) -> Iterator[Path]:
    """Every place of which something is wrong, under whatever branch of a union."""
    return (locate(error, arguments).path for error in errors)
