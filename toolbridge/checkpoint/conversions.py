"""What types make of the values that a model wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from toolbridge.checkpoint.evidence import parsed
from toolbridge.checkpoint.marked_types import Node, Types
from toolbridge.checkpoint.typed_members import is_equal
from toolbridge.values import JSON

Made = tuple[Any, JSON]
"""A value of a type, and what it was made of."""


class Conversions:
    """The values that a model wrote, at any place of the arguments, after types. Nothing is done
    before the first question about a type."""

    def __init__(self, types: Types, written: Sequence[JSON]) -> None:
        self.types = types
        self.written = written
        self.made: dict[int, dict[Any, list[Made]]] = {}

    def of(self, node: Node, config: Any, value: Any) -> Iterator[JSON]:
        """What a value of a type may be made of."""
        made = self.made.get(id(node))
        if made is None:
            made = self.made[id(node)] = self._make(node, config)
        for each, written in made.get(key_of(value), ()):
            if is_equal(each, value):
                yield written

    def _make(self, node: Node, config: Any) -> dict[Any, list[Made]]:
        """All values of a type, by their keys."""
        from pydantic_core import SchemaError, SchemaValidator, core_schema

        definitions: Any = list(self.types.definitions.values())
        schema = core_schema.definitions_schema(cast(Any, node), definitions)
        try:
            validator = SchemaValidator(schema, config)
        except SchemaError:
            return {}
        found: dict[Any, list[Made]] = {}
        for written in every_value(self.written):
            made = made_of(validator, written)
            if made is not None:
                found.setdefault(key_of(made), []).append((made, written))
        return found


def made_of(validator: Any, written: JSON) -> Any:
    """What a validator makes of a value; None for a fault."""
    try:
        return validator.validate_python(written)
    except Exception:  # validators of the app's fail in any way
        return None


def every_value(roots: Sequence[JSON]) -> Iterator[JSON]:
    """The values in these: keys of objects too, and what a text says that is JSON; no null and
    nothing empty, which are no words of the model's."""
    waiting = list(roots)
    while waiting:
        value = waiting.pop()
        if value is None or value in ({}, []):
            continue
        yield value
        if isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str):
            waiting.append(parsed(value))


def key_of(value: Any) -> Any:
    """What equal values share: their hash, or their class where they have none."""
    try:
        return type(value), hash(value)
    except Exception:  # classes of the app's fail in any way
        return type(value), None
