"""Which type of a union a value that a function gets is of."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from toolbridge.checkpoint.marked_types import Node, Types, choices
from toolbridge.checkpoint.typed_members import Mismatch, members

NO, MAYBE, YES = range(3)
"""A value is not of a type; may be, for all that the type tells; is."""

SCALARS: Final[Mapping[str, type]] = {
    "bool": bool,
    "bytes": bytes,
    "complex": complex,
    "date": datetime.date,
    "datetime": datetime.datetime,
    "decimal": Decimal,
    "float": float,
    "int": int,
    "none": type(None),
    "str": str,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "uuid": uuid.UUID,
}
"""The classes of types that pydantic has a name for."""

CONTAINERS: Final[Mapping[str, type]] = {
    "dict": dict,
    "frozenset": frozenset,
    "list": list,
    "set": set,
    "tuple": tuple,
}
"""Those of values that hold others."""


class Ranks:
    """How well values fit types, each asked for once."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.told: dict[tuple[int, int], int] = {}

    def best(self, options: list[Node], value: Any) -> list[Node]:
        """The types that a value fits best; none if it fits none."""
        ranks = [self.rank(option, value) for option in options]
        most = max(ranks, default=NO)
        return [option for option, rank in zip(options, ranks, strict=True) if NO < rank == most]

    def rank(self, node: Node, value: Any) -> int:
        """How well a value fits a type."""
        node = self.types.target(node)
        key = (id(node), id(value))
        if key not in self.told:
            self.told[key] = MAYBE
            self.told[key] = self._rank(node, value)
        return self.told[key]

    def _rank(self, node: Node, value: Any) -> int:
        kind = node["type"]
        if "choices" in node:
            return max((self.rank(each, value) for each in choices(node)), default=NO)
        if kind in SCALARS:
            return of_class(SCALARS[kind], value)
        if kind == "literal":
            return YES if is_listed(value, node["expected"]) else NO
        if kind in ("model", "dataclass", "enum", "named-tuple"):
            return of_class(node["cls"], value)
        if kind == "typed-dict" and not names_fit(node, value):
            return NO
        if kind in CONTAINERS and not isinstance(value, CONTAINERS[kind]):
            return NO
        inside = self.inside(node, value)
        return inside if kind in KEPT or has_parts(node) else max(MAYBE, inside)

    def inside(self, node: Node, value: Any) -> int:
        """How well what is in a value fits: as well as the worst of it."""
        try:
            found = members(node, value)
        except Mismatch:
            return NO
        if not found:
            empty = isinstance(value, tuple(CONTAINERS.values())) and has_parts(node)
            return YES if empty or node["type"] == "nullable" else MAYBE
        return min(self.rank(each.node, each.value) for each in found)


KEPT: Final = frozenset(
    {"custom-error", "default", "function-before", "json", "json-or-python", "nullable"}
)
"""Types whose values are those of the type in them; others may make anything of these."""


def has_parts(node: Node) -> bool:
    """Whether a type says what its values hold."""
    return any(key in node for key in ("items_schema", "keys_schema", "values_schema", "fields"))


def of_class(wanted: type, value: Any) -> int:
    """How well a value fits a class: a subclass may have another type."""
    if type(value) is wanted:
        return YES
    return MAYBE if isinstance(value, wanted) else NO


def is_listed(value: Any, listed: list[Any]) -> bool:
    """Whether a value is one of a Literal."""
    return any(type(each) is type(value) and each == value for each in listed)


def names_fit(node: Node, value: Any) -> bool:
    """Whether an object has the keys of a TypedDict."""
    if not isinstance(value, Mapping):
        return False
    total = node.get("total", True)
    wanted = {name for name, field in node["fields"].items() if field.get("required", total)}
    open_to_more = node.get("extra_behavior") == "allow"
    return wanted <= value.keys() and (open_to_more or value.keys() <= node["fields"].keys())
