"""The pieces that adapted schemas have and originals have not, and how they are described."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from toolbridge.schemas.dialect import Dialect
from toolbridge.schemas.forms import ENTRIES, JSON_TEXT, KEY, VALUE
from toolbridge.values import JSON

ANY_VALUE: Final = "any_value"
"""The definition of any value, where references may form circles."""

SCALARS: Final = ("string", "number", "boolean", "null")


def simple(kind: str) -> dict[str, Any]:
    """The schema of a type."""
    return {"type": kind}


def closed_object(dialect: Dialect, properties: dict[str, Any]) -> dict[str, Any]:
    """An object with just these properties, all required, closed where that can be said."""
    closed = {"additionalProperties": False} if dialect.takes("additionalProperties") else {}
    return {"type": "object", "properties": properties, "required": [*properties], **closed}


def json_text(dialect: Dialect, words: str) -> dict[str, Any]:
    """An object that holds JSON text."""
    text = {"type": "string", "description": f"{words}, as JSON text"}
    return closed_object(dialect, {JSON_TEXT: text})


def entry_list(dialect: Dialect, key: dict[str, Any], member: dict[str, Any]) -> dict[str, Any]:
    """A list of entries."""
    return {"type": "array", "items": closed_object(dialect, {KEY: key, VALUE: member})}


def any_value(dialect: Dialect) -> dict[str, Any]:
    """The schema of any value, by a reference to itself."""
    itself = {"$ref": f"#/$defs/{ANY_VALUE}"}
    entries = closed_object(dialect, {ENTRIES: entry_list(dialect, {"type": "string"}, itself)})
    entries["description"] = "An object, as the list of its entries"
    return {"anyOf": [*map(simple, SCALARS), {"type": "array", "items": itself}, entries]}


def sentence(head: JSON, said: Iterable[str]) -> str:
    """A description with further words behind it."""
    text = head if isinstance(head, str) else ""
    rest = "; ".join(str(each) for each in dict.fromkeys(said))
    if text and rest:
        return f"{text} ({rest})"
    return text or rest[:1].upper() + rest[1:]
