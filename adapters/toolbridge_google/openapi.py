"""Schemas in Google's subset of OpenAPI: types in upper case, or as numbers.

https://ai.google.dev/api/caching#Schema. In the model a schema is JSON Schema, whose types
are in lower case; nothing else is changed here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from toolbridge.codec import OBJECT, Codec, Mismatch
from toolbridge.conversion import Reading, Writing
from toolbridge.locate import escape
from toolbridge.values import JSON, Value, same, thaw

TYPES: Final = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
"""Type of google/cloud/aiplatform/v1/openapi.proto, in its order from 1: the vertexai SDK sends
the numbers (recorded with 1 and 6)."""

MAPS: Final = ("properties", "$defs", "defs")
LISTS: Final = ("anyOf", "any_of", "prefixItems", "prefix_items")
SCHEMAS: Final = ("items", "additionalProperties", "additional_properties")


def lower_types(schema: JSON) -> JSON:
    """A copy of a schema with its types as JSON Schema writes them."""
    return with_types(schema, lower_type)


def with_types(schema: JSON, spell: Callable[[Any], JSON]) -> JSON:
    """A copy of a schema with its types spelled in another way."""
    if not isinstance(schema, dict):
        return thaw(schema)
    lowered: dict[str, JSON] = {}
    for key, member in schema.items():
        if key == "type":
            lowered[key] = spell(member)
        elif key in MAPS and isinstance(member, dict):
            lowered[key] = {name: with_types(each, spell) for name, each in member.items()}
        elif key in LISTS and isinstance(member, list):
            lowered[key] = [with_types(each, spell) for each in member]
        elif key in SCHEMAS:
            lowered[key] = with_types(member, spell)
        else:
            lowered[key] = thaw(member)
    return lowered


def lower_type(word: JSON) -> JSON:
    """One type as JSON Schema writes it."""
    if isinstance(word, int) and not isinstance(word, bool) and 0 < word <= len(TYPES):
        return TYPES[word - 1].lower()
    return word.lower() if isinstance(word, str) and word in TYPES else word


def numbered_types(schema: JSON, path: str) -> list[str]:
    """The pointers to the types of a schema that are numbers."""
    if not isinstance(schema, (dict, list)):
        return []
    members = schema.items() if isinstance(schema, dict) else enumerate(schema)
    found = (
        [f"{path}/type"] if isinstance(schema, dict) and isinstance(schema.get("type"), int) else []
    )
    for key, member in members:
        found += numbered_types(member, f"{path}/{escape(str(key))}")
    return found


class OpenApiSchema(Codec):
    """A schema of the subset, read as JSON Schema; its own spelling is remembered. With `upper`
    types are written as the API documents them."""

    marks = True
    odd_form = "schema.type_number"

    def __init__(self, upper: bool = False) -> None:
        super().__init__("a schema")
        self.upper = upper

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, dict):
            return lower_types(raw)
        raise Mismatch(key, self.expected, raw)

    def mark(self, raw: JSON, item: Any) -> JSON:
        return None if same(raw, item) else raw

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return mark if same(lower_types(mark), item) else written

    def odd_places(self, mark: JSON) -> list[str]:
        return numbered_types(mark, "")

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        written = OBJECT.write(item, writing, owner)
        return with_types(written, str.upper) if self.upper else written
