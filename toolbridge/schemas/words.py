"""The keywords of JSON Schema: where schemas stand under them, and how constraints are said.

Draft 2020-12, https://json-schema.org/draft/2020-12/json-schema-core and -validation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from toolbridge.locate import escape
from toolbridge.values import JSON

Schema = dict[str, Any] | bool
"""A schema: an object of keywords, or False, which nothing fits. (True is written `{}`.)"""

ONE: Final = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords under which one schema stands; a list of them under the `items` of older drafts."""

LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "any_of", "prefix_items"})
"""Keywords under which a list of schemas stands, in both spellings that Google takes."""

MAPS: Final = frozenset(
    {"$defs", "definitions", "defs", "dependencies", "dependentSchemas", "patternProperties"}
    | {"properties"}
)
"""Keywords under which schemas stand by name."""

TYPES: Final = ("string", "number", "integer", "boolean", "null", "array", "object")

OF_TYPE: Final[Mapping[str, tuple[str, ...]]] = {
    "string": (
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
    ),
    "number": (
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "format",
    ),
    "array": (
        "prefixItems",
        "items",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "minContains",
        "maxContains",
        "unevaluatedItems",
    ),
    "object": (
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
    ),
}
"""The keywords that say something of values of a type only."""

CONSTRAINTS: Final = frozenset(word for words in OF_TYPE.values() for word in words) | {
    *("type", "enum", "const", "not"),
    *("allOf", "anyOf", "oneOf", "if", "then", "else", "$ref"),
}
"""The keywords that decide what is valid; all others say something about a schema."""

ANNOTATIONS: Final = ("title", "description", "default", "examples")


def of_type(kind: str) -> tuple[str, ...]:
    """The keywords that say something of a type."""
    return OF_TYPE.get("number" if kind == "integer" else kind, ())


def children(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The schemas that stand directly in a schema, each with the pointer to it."""
    for key, member in schema.items():
        if key in ONE:
            if isinstance(member, list):
                yield from ((f"/{key}/{index}", each) for index, each in enumerate(member))
            elif isinstance(member, (dict, bool)):
                yield f"/{key}", member
        elif key in LISTS and isinstance(member, list):
            yield from ((f"/{key}/{index}", each) for index, each in enumerate(member))
        elif key in MAPS and isinstance(member, dict):
            for name, each in member.items():
                if isinstance(each, (dict, bool)):
                    yield f"/{key}/{escape(name)}", each


def is_definition(below: str) -> bool:
    """Whether a pointer from a schema to one directly in it leads to a definition."""
    return below.startswith(("/$defs/", "/definitions/"))


def nodes(schema: JSON, definitions: bool = True) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema in a schema that is an object of keywords, with its pointer: itself first; with
    or without those among its definitions."""
    waiting = [("", schema)]
    while waiting:
        place, node = waiting.pop()
        if isinstance(node, dict):
            yield place, node
            waiting += [
                (place + below, child)
                for below, child in children(node)
                if definitions or not is_definition(below)
            ]


def short(item: JSON, most: int = 200) -> str:
    """A JSON value in one line."""
    text = json.dumps(item, ensure_ascii=False)
    return text if len(text) <= most else f"{text[: most - 1]}…"


PHRASES: Final[Mapping[str, Callable[[Any], str]]] = {
    "minLength": lambda limit: f"at least {limit} characters",
    "maxLength": lambda limit: f"at most {limit} characters",
    "pattern": lambda pattern: f"matches the regular expression {pattern}",
    "format": lambda name: f"format: {name}",
    "contentEncoding": lambda name: f"encoded as {name}",
    "contentMediaType": lambda name: f"of the media type {name}",
    "minimum": lambda limit: f"at least {limit}",
    "maximum": lambda limit: f"at most {limit}",
    "exclusiveMinimum": lambda limit: f"greater than {limit}",
    "exclusiveMaximum": lambda limit: f"less than {limit}",
    "multipleOf": lambda number: f"a multiple of {number}",
    "minItems": lambda limit: f"at least {limit} items",
    "maxItems": lambda limit: f"at most {limit} items",
    "uniqueItems": lambda _: "no item twice",
    "minProperties": lambda limit: f"at least {limit} properties",
    "maxProperties": lambda limit: f"at most {limit} properties",
    "default": lambda item: f"default: {short(item)}",
    "examples": lambda items: f"examples: {short(items)}",
    "additionalProperties": lambda _: "no other properties",
}
"""Constraints and hints in words, for targets that do not take the keyword."""


def phrase(keyword: str, said: JSON) -> str:
    """A constraint in words."""
    known = PHRASES.get(keyword)
    return known(said) if known is not None else f"{keyword}: {short(said)}"
