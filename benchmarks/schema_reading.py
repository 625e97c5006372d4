"""Which values a schema accepts once it is sent, read by jsonschema.

Vendors do not say how they read one. Here its `$schema` counts, else draft 2020-12; `nullable` and
types in upper case count where Google's subset of OpenAPI is sent.
"""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for
from referencing.jsonschema import EMPTY_REGISTRY

from toolbridge.schemas.modern import modern, whole
from toolbridge.values import JSON
from toolbridge_google.openapi import TYPES


def lowered(node: Any) -> Any:
    """A schema with Google's types in lower case, wherever they stand."""
    if isinstance(node, list):
        return [lowered(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: each.lower() if key == "type" and each in TYPES else lowered(each)
        for key, each in node.items()
    }


def validator(schema: Any, nullable: bool = False) -> Any:
    """jsonschema's for a schema, by its `$schema` or draft 2020-12, with `nullable` if that counts
    there; None if it cannot be read."""
    try:
        readable = whole(modern(schema)) if nullable else schema
        kind = validator_for(readable, default=Draft202012Validator)
        return kind(readable, registry=EMPTY_REGISTRY)
    except Exception:
        return None


def accepts(reading: Any, data: JSON, nulls: bool = False) -> bool | None:
    """Whether a schema accepts a value; None if it cannot be applied."""
    try:
        valid = reading.is_valid(with_nulls(data, reading.schema, reading) if nulls else data)
    except Exception:
        return None
    return bool(valid)


def with_nulls(item: Any, node: Any, reading: Any) -> Any:
    """A value with null for every absent property that is required and may be null."""
    if not isinstance(node, dict):
        return item
    if "$ref" in node:
        item = with_nulls(item, pointed(node["$ref"], reading.schema), reading)
    for each in node.get("allOf", ()):
        item = with_nulls(item, each, reading)
    options = (
        (with_nulls(item, each, reading), reading.evolve(schema=each))
        for each in (*node.get("anyOf", ()), *node.get("oneOf", ()))
    )
    item = next((made for made, option in options if option.is_valid(made)), item)
    if isinstance(item, list):
        return [with_nulls(each, node.get("items"), reading) for each in item]
    if not isinstance(item, dict):
        return item
    members = node.get("properties", {})
    made = {name: with_nulls(each, members.get(name), reading) for name, each in item.items()}
    absent = [name for name in node.get("required", ()) if name in members and name not in made]
    may = [name for name in absent if reading.evolve(schema=members[name]).is_valid(None)]
    return made | dict.fromkeys(may)


def pointed(reference: str, root: Any) -> Any:
    """What a reference within a schema refers to."""
    for step in reference.removeprefix("#").split("/")[1:]:
        root = root[step.replace("~1", "/").replace("~0", "~")]
    return root
