"""The keywords of all drafts of JSON Schema: what must stand under them, and older spellings.

https://json-schema.org/specification lists the drafts; `nullable` is of OpenAPI 3.0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from toolbridge.schemas.words import ONE, TYPES
from toolbridge.values import JSON

Test = Callable[[JSON], bool]

SINGLE: Final = ONE - {"items", "additionalItems"}
LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
MAPS: Final = ("properties", "patternProperties", "dependentSchemas")

ANNOTATIONS: Final = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}
    | {"$comment"}
)
"""What is said about a schema: it counts beside `$ref` in every draft."""

NAMING: Final = frozenset(
    {"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$defs"}
    | {"definitions"}
)
"""What names schemas."""

NOT_FOR_NULL: Final = frozenset(
    {"$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "const"}
    | {"extends", "disallow"}
)
"""Keywords that may refuse null, whatever `type` and `enum` say."""


def counted(schema: dict[str, Any], draft: str) -> dict[str, Any]:
    """The keywords that count: in drafts 3 to 7 only annotations do beside `$ref`."""
    if "$ref" not in schema or not draft.startswith("draft-"):
        return schema
    return {key: schema[key] for key in schema if key == "$ref" or key in ANNOTATIONS}


def is_older(schema: dict[str, Any], draft: str) -> bool:
    """Whether a schema has a keyword in an older spelling, or one that its draft passes over."""
    if any(test(schema[key]) for key, test in OLDER.items() if key in schema):
        return True
    return not schema.keys() <= counted(schema, draft).keys() | NAMING


def null_needs_union(schema: dict[str, Any]) -> bool:
    """Whether more than `type` and `enum` may refuse null."""
    types = listed(schema.get("type"))
    return not NOT_FOR_NULL.isdisjoint(schema) or any(isinstance(each, dict) for each in types)


def with_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A nullable schema with null in its type and its enum."""
    made = {key: member for key, member in schema.items() if key != "nullable"}
    types = listed(made.get("type", "any"))
    null = "NULL" if types[0].isupper() else "null"
    if null not in types and "any" not in types:
        made["type"] = [*types, null]
    if None not in made.get("enum", [None]):
        made["enum"] = [*made["enum"], None]
    return made


def listed(said: JSON) -> list[JSON]:
    """A value as a list."""
    return said if isinstance(said, list) else [said]


def is_bool(said: JSON) -> bool:
    """Whether a value is true or false."""
    return isinstance(said, bool)


def is_text(said: JSON) -> bool:
    """Whether a value is a string."""
    return isinstance(said, str)


def is_number(said: JSON) -> bool:
    """Whether a value is a number."""
    return isinstance(said, (int, float)) and not isinstance(said, bool)


def is_count(said: JSON) -> bool:
    """Whether a value is a number of things."""
    return is_number(said) and said >= 0 and said % 1 == 0


def is_object(said: JSON) -> bool:
    """Whether a value is an object."""
    return isinstance(said, dict)


def is_list(said: JSON) -> bool:
    """Whether a value is a list."""
    return isinstance(said, list)


def are_texts(said: JSON) -> bool:
    """Whether a value is a list of strings."""
    return is_list(said) and all(map(is_text, said))


def is_type(said: JSON) -> bool:
    """Whether a value is a type: Google writes them in upper case, draft 3 has schemas there."""
    if isinstance(said, str):
        return said in TYPES or said == "any" or (said.isupper() and said.lower() in TYPES)
    return isinstance(said, dict)


def are_types(said: JSON) -> bool:
    """Whether a value is the name of a type or a list of types."""
    return isinstance(said, (str, list)) and said != [] and all(map(is_type, listed(said)))


OLDER: Final[Mapping[str, Test]] = {
    **dict.fromkeys(("additionalItems", "dependencies", "divisibleBy", "disallow"), lambda _: True),
    "$recursiveRef": lambda _: True,
    "extends": lambda said: isinstance(said, (dict, list)),
    "items": is_list,
    "type": lambda said: any(each == "any" or is_object(each) for each in listed(said)),
    **dict.fromkeys(("required", "nullable", "exclusiveMinimum", "exclusiveMaximum"), is_bool),
}
"""Keywords with an older spelling, and how to tell it."""

CHECKS: Final[Mapping[str, tuple[str, Test]]] = {
    **dict.fromkeys(
        ("$ref", "$dynamicRef", "$recursiveRef", "$schema", "$id", "$anchor", "$dynamicAnchor"),
        ("a string", is_text),
    ),
    **dict.fromkeys(
        ("$comment", "title", "description", "pattern", "format"), ("a string", is_text)
    ),
    **dict.fromkeys(("minimum", "maximum"), ("a number", is_number)),
    **dict.fromkeys(
        ("exclusiveMinimum", "exclusiveMaximum"),
        ("a number", lambda said: is_number(said) or is_bool(said)),
    ),
    **dict.fromkeys(
        ("multipleOf", "divisibleBy"),
        ("a number above 0", lambda said: is_number(said) and said > 0),
    ),
    **dict.fromkeys(
        [f"{end}{of}" for end in ("min", "max") for of in ("Length", "Items", "Properties")]
        + ["minContains", "maxContains"],
        ("a whole number of at least 0", is_count),
    ),
    "uniqueItems": ("a boolean", is_bool),
    "enum": ("a list", is_list),
    "prefixItems": ("a list", is_list),
    **dict.fromkeys(
        ("allOf", "anyOf", "oneOf"),
        ("a list of at least one schema", lambda said: is_list(said) and said != []),
    ),
    "required": ("a list of strings", lambda said: is_bool(said) or are_texts(said)),
    "type": (f"one of {', '.join(TYPES)}, or a list of them", are_types),
    "disallow": ("a type or a list of types", are_types),
    **dict.fromkeys(
        (*MAPS, "$defs", "definitions", "dependencies"),
        ("an object", is_object),
    ),
    "dependentRequired": (
        "an object of lists of strings",
        lambda said: is_object(said) and all(map(are_texts, said.values())),
    ),
}
"""What must stand under a keyword, and the test of it."""
