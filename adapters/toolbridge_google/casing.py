"""Keys in camelCase and snake_case: the REST API takes both, its own SDK sends a mix.

google-genai 3.6.1 camelises only what its converters touch. What is written is camelCase,
unless the value came otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from toolbridge.codec import STRING, Codec
from toolbridge.nodes import Bag, Inner, Row, Tag
from toolbridge.values import JSON


@cache
def snake(key: str) -> str:
    """The snake_case spelling of a key."""
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", key)


def got(raw: dict[str, JSON], key: str) -> JSON:
    """A member under either spelling of its key."""
    return raw[key] if key in raw else raw.get(snake(key))


def both(key: str) -> tuple[str, ...]:
    """The other spellings of a key."""
    other = snake(key)
    return (other,) if other != key else ()


def row(key: str, field: str, codec: Codec = STRING) -> Row:
    """A row under both spellings of its key."""
    return Row(key, field, codec, both(key))


def inner(key: str, rows: Sequence[Row | Tag | Inner]) -> Inner:
    """A nested object under both spellings of its key."""
    return Inner(key, rows, both(key))


def bag(field: str, keys: Sequence[str]) -> Bag:
    """Keys kept together, in both spellings."""
    return Bag(field, tuple(spelled for key in keys for spelled in (key, *both(key))))
