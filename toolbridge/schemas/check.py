"""What a target refuses of a schema, read from the table of its dialect and nothing else.

`findings` judges what is about to be sent; it knows nothing of how a schema is adapted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from toolbridge.schemas.circles import at, circles
from toolbridge.schemas.dialect import Dialect
from toolbridge.schemas.instances import type_of
from toolbridge.schemas.modern import is_modern
from toolbridge.schemas.records import Finding
from toolbridge.schemas.words import MAPS, children, is_definition, nodes
from toolbridge.values import JSON


@lru_cache(maxsize=64)
def compiled(expression: str) -> re.Pattern[str]:
    """A compiled pattern."""
    return re.compile(expression)


def findings(schema: JSON, dialect: Dialect) -> list[Finding]:
    """What the target would refuse of a tool's schema; empty if it takes it."""
    if not isinstance(schema, dict):
        return [Finding("", "it is no object")]
    found = list(of_root(schema, dialect))
    names = keyword_names(dialect)
    for place, node in nodes(schema):
        suspects = node.keys() & names if dialect.others != "refused" else node.keys()
        found += [
            Finding(f"{place}/{keyword}", f"{keyword} is refused")
            for keyword in suspects
            if not dialect.takes(keyword)
        ]
        found += of_node(place, node, dialect)
        if dialect.subset:
            found += of_subset(place, node, dialect)
    if dialect.modern and not is_modern(schema):
        found.append(Finding("", "it is not written as in draft 2020-12"))
    if dialect.references != "free" or not dialect.recursion:
        found += of_references(schema, dialect)
    return [*found, *of_sizes(schema, dialect)]


@lru_cache(maxsize=64)
def keyword_names(dialect: Dialect) -> frozenset[str]:
    """The keywords that are refused by name."""
    return frozenset(word for word, status in dialect.statuses.items() if status == "refused")


def of_root(schema: Mapping[str, Any], dialect: Dialect) -> Iterator[Finding]:
    """What is wrong with the root."""
    if schema.get("type") != "object":
        yield Finding("", "the type of the root is not object")
    for keyword in dialect.root_refused & schema.keys():
        yield Finding(f"/{keyword}", f"{keyword} is refused at the root")
    if dialect.root_properties and not isinstance(schema.get("properties"), dict):
        yield Finding("", "the root does not say its properties")
    properties = schema.get("properties")
    if dialect.root_keys is not None and isinstance(properties, dict):
        for name in properties:
            if not is_key(name, dialect.root_keys, dialect.key_length):
                yield Finding("/properties", f"the name {name!r} is refused")


def is_key(name: str, expression: str, length: int) -> bool:
    """Whether a name of a property is taken."""
    return len(name) <= length and compiled(expression).fullmatch(name) is not None


def of_node(place: str, node: Mapping[str, Any], dialect: Dialect) -> Iterator[Finding]:
    """What is wrong with one schema, whatever the dialect."""
    if dialect.items and "items" not in node and has_type(node, "array"):
        yield Finding(place, "an array does not say its items")
    reference = node.get("$ref")
    if reference is not None and dialect.references == "bare":
        beside = [key for key in node if not key.startswith("$") and key not in MAPS]
        if beside:
            yield Finding(place, f"{beside[0]} stands beside a reference")


def has_type(node: Mapping[str, Any], kind: str) -> bool:
    """Whether a schema names a type, alone or in a list."""
    said = node.get("type")
    return said == kind or (isinstance(said, list) and kind in said)


def of_subset(place: str, node: Mapping[str, Any], dialect: Dialect) -> Iterator[Finding]:
    """What is wrong with one schema, where only a subset is taken."""
    kind = node.get("type")
    said = {"type", "anyOf", "$ref", *(("enum", "const") if dialect.bare_values else ())}
    if dialect.typed and not node.keys() & said:
        yield Finding(place, "it says no type")
    if isinstance(kind, list) and not dialect.type_lists:
        yield Finding(f"{place}/type", "a list of types")
    if has_type(node, "object"):
        yield from of_object(place, node, dialect)
    yield from of_values(place, node, dialect)
    if any(isinstance(child, bool) for below, child in children(node) if below not in CLOSING):
        yield Finding(place, "a schema that is true or false")


def of_values(place: str, node: Mapping[str, Any], dialect: Dialect) -> Iterator[Finding]:
    """What is wrong with what a schema says of values."""
    kind = node.get("type")
    for value in node.get("enum", ()) if dialect.enum_types is not None else ():
        if type_of(value) not in (dialect.enum_types or ()) or value == "":
            yield Finding(f"{place}/enum", f"the value {value!r} is refused")
    if isinstance(kind, str) and dialect.formats is not None and "format" in node:
        if node["format"] not in dialect.formats.get(kind, ()):
            yield Finding(f"{place}/format", f"the format {node['format']!r} is refused")
    if dialect.least_items is not None and node.get("minItems", 0) > dialect.least_items:
        yield Finding(f"{place}/minItems", f"more than {dialect.least_items} is refused")
    pattern = node.get("pattern")
    if dialect.refused_patterns is not None and isinstance(pattern, str):
        if compiled(dialect.refused_patterns).search(pattern):
            yield Finding(f"{place}/pattern", "a construct of the pattern is refused")


CLOSING = frozenset({"/additionalProperties"})


def of_object(place: str, node: Mapping[str, Any], dialect: Dialect) -> Iterator[Finding]:
    """What is wrong with the schema of an object."""
    properties = node.get("properties", {})
    if dialect.closed and node.get("additionalProperties") is not False:
        yield Finding(place, "the object is open")
    missing = properties.keys() - set(node.get("required", ()))
    if dialect.all_required and missing:
        yield Finding(place, f"the property {min(missing)!r} is not required")
    unknown = set(node.get("required", ())) - properties.keys()
    if unknown:
        yield Finding(f"{place}/required", f"there is no property {min(unknown)!r}")
    if not dialect.empty_objects and not properties and place:
        yield Finding(place, "the object has no properties")
    for name in properties if dialect.keys is not None else ():
        if not is_key(name, dialect.keys or "", dialect.key_length):
            yield Finding(f"{place}/properties", f"the name {name!r} is refused")


def of_references(schema: Mapping[str, Any], dialect: Dialect) -> Iterator[Finding]:
    """What is wrong with references: some that there may not be, or circles."""
    if dialect.references == "none":
        return
    for place, node in nodes(schema) if dialect.subset else ():
        if isinstance(node.get("$ref"), str) and at(schema, node["$ref"]) is None:
            yield Finding(f"{place}/$ref", "the reference is to nothing in the schema")
    for place, required in circles(schema):
        if not dialect.recursion:
            yield Finding(place, "the reference closes a circle")
        elif dialect.recursion_optional and required:
            yield Finding(place, "the reference closes a circle, and its property is required")


def of_sizes(schema: Mapping[str, Any], dialect: Dialect) -> Iterator[Finding]:
    """Which sizes are over the target's limits."""
    limits = (dialect.nesting, dialect.properties, dialect.enum_values, dialect.texts)
    if limits == (None,) * 4:
        return
    properties = values = texts = 0
    for place, node in nodes(schema):
        names = node.get("properties", {})
        members = [*node.get("enum", ()), *([node["const"]] if "const" in node else [])]
        said = sum(len(each) for each in members if isinstance(each, str))
        properties, values = properties + len(names), values + len(members)
        texts += sum(map(len, names)) + said + sum(map(len, node.get("$defs", ())))
        if dialect.enum_texts is not None and len(members) > 250 and said > dialect.enum_texts:
            yield Finding(f"{place}/enum", f"{said} characters in one enum")
    counts = {"properties": properties, "enum_values": values, "texts": texts}
    for name, count in counts.items():
        limit = getattr(dialect, name)
        if limit is not None and count > limit:
            yield Finding("", f"{count} {name.replace('_', ' ')}, where {limit} are taken")
    levels = depth_of(schema)
    if dialect.nesting is not None and levels > dialect.nesting:
        yield Finding("", f"{levels} levels of nesting, where {dialect.nesting} are taken")


def depth_of(schema: JSON) -> int:
    """The levels of objects and arrays within each other, of the root and of each definition."""
    deepest = 0
    waiting = [(schema, 0)]
    while waiting:
        node, level = waiting.pop()
        if not isinstance(node, dict):
            continue
        level += has_type(node, "object") or has_type(node, "array")
        deepest = max(deepest, level)
        for below, child in children(node):
            waiting.append((child, 0 if is_definition(below) else level))
    return deepest
