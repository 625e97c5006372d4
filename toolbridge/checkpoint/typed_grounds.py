"""The check of provenance on what a typed function gets: values after validation, beside their
types. An alias, a validator of the app's or a union that takes a value another way leaves no way
round it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolbridge.checkpoint.conversions import Conversions
from toolbridge.checkpoint.evidence import Path
from toolbridge.checkpoint.lookup import Leaf, Lookup, leaves
from toolbridge.checkpoint.marked_types import Node, Types, choices
from toolbridge.checkpoint.provenance import From
from toolbridge.checkpoint.typed_members import (
    LISTS,
    Member,
    Mismatch,
    fields_given,
    is_equal,
    members,
)
from toolbridge.checkpoint.typed_ranks import Ranks
from toolbridge.values import JSON, same


class Spot(NamedTuple):
    """A type, a value of it, and where that stands in the arguments. `whole` is the outermost type
    of the same value, `config` that of the model around it."""

    node: Node
    value: Any
    path: Path
    whole: Node
    config: Any = None


class Unreadable(Exception):
    """A value that JSON cannot say."""


class TypedCheck:
    """One walk through the values of a call, beside their types. `written` is what the model
    wrote, `defaults` are those of the parameters as the schema has them."""

    def __init__(
        self,
        types: Types,
        lookup: Lookup,
        written: Sequence[JSON],
        defaults: Mapping[str, JSON],
    ) -> None:
        self.types = types
        self.defaults = defaults
        self.lookup = lookup
        self.conversions = Conversions(types, written)
        self.ranks = Ranks(types)
        self.told: dict[tuple[int, int, Path], list[str]] = {}

    def all_faults(self, values: Mapping[str, Any]) -> list[str]:
        """The lines for all arguments."""
        return self.faults(Spot(self.types.root, values, (), self.types.root))

    def faults(self, start: Spot) -> list[str]:
        """The lines for a value and all in it."""
        found: list[str] = []
        waiting = [start]
        while waiting:
            spot = waiting.pop()
            if not self.types.is_marked(spot.node) or is_default(spot.node, spot.value):
                continue
            found += self.own_faults(spot, self.types.marks(spot.node))
            waiting += reversed(self.under(spot, found))
        return found

    def under(self, spot: Spot, found: list[str]) -> list[Spot]:
        """Where to look next. Adds the lines of a union, and those of a value that its type does
        not tell the parts of: each scalar in it must then come from one of the places under it."""
        node = self.types.target(spot.node)
        if node is not spot.node:
            return [spot._replace(node=node)]
        if "choices" in node:
            found += self.union_faults(spot)
            return []
        try:
            inside = members(node, spot.value)
        except Mismatch:
            found += self.own_faults(spot, list(self.types.under(node)))
            return []
        return [
            Spot(
                each.node,
                each.value,
                spot.path if not each.name else (*spot.path, each.name),
                spot.whole if each.name is None else each.node,
                each.config or spot.config,
            )
            for each in inside
            if self.types.is_marked(each.node) and not (spot.path == () and self.is_told(each))
        ]

    def is_told(self, member: Member) -> bool:
        """Whether an argument is the default that the schema tells the model."""
        if member.name is None or member.name not in self.defaults:
            return False
        try:
            return same(dumped(member.value), self.defaults[member.name])
        except Unreadable:
            return False

    def union_faults(self, spot: Spot) -> list[str]:
        """The lines of the type with the fewest, of those that the value fits best."""
        key = (id(spot.node), id(spot.value), spot.path)
        if key not in self.told:
            taken = self.ranks.best(choices(spot.node), spot.value)
            told = [self.faults(spot._replace(node=each)) for each in taken]
            if not told:
                told = [self.own_faults(spot, list(self.types.under(spot.node)))]
            self.told[key] = min(told, key=len)
        return self.told[key]

    def own_faults(self, spot: Spot, sources: Sequence[From]) -> list[str]:
        """The lines for the marks of one type."""
        if not sources:
            return []
        try:
            lines = [
                self.lookup.line(".".join(spot.path + steps), leaf, sources)
                for steps, leaf in self.lookup.ungrounded(leaves_of(spot.value), sources)
            ]
        except Unreadable:
            name, kind = ".".join(spot.path), type(spot.value).__name__
            told = f"what it becomes ({kind}) cannot be compared with a result"
            lines = [f"- {name}: {told}. Leave it out, or do without this call."]
        return [] if lines and self.is_made_of(spot, sources) else lines

    def is_made_of(self, spot: Spot, sources: Sequence[From]) -> bool:
        """Whether a value is what its type makes of something that the model wrote and that is
        where it must come from: "7.50" for a number, a date with a time."""
        return any(
            not self.lookup.ungrounded(leaves(written), sources)
            for written in self.conversions.of(spot.whole, spot.config, spot.value)
        )


def is_default(node: Node, value: Any) -> bool:
    """Whether a value is the default of the app's."""
    if node["type"] != "default" or "default" not in node:
        return False
    return is_equal(value, node["default"])


def leaves_of(value: Any, steps: Path = (), keys: Path = ()) -> Iterator[Leaf]:
    """The scalars in a value of any class, as JSON: the same as `leaves`. Raises Unreadable."""
    if type(value) in (str, int, float, bool, type(None)):
        yield steps, keys, value
    elif isinstance(value, LISTS):
        for index, each in enumerate(value):
            yield from leaves_of(each, (*steps, str(index)), keys)
    else:
        yield from object_leaves(value, steps, keys)


def object_leaves(value: Any, steps: Path, keys: Path) -> Iterator[Leaf]:
    """The scalars in an object with fields, or in what JSON says for another."""
    try:
        fields = [*fields_given(value), *extras(value)]
    except Mismatch:
        yield steps, keys, dumped(value)
        return
    for name, each in fields:
        own = () if getattr(type(value), "__pydantic_root_model__", False) else (str(name),)
        yield from leaves_of(each, steps + own, keys + own)


def extras(value: Any) -> list[tuple[str, Any]]:
    """What a model has beside its fields."""
    return list((getattr(value, "__pydantic_extra__", None) or {}).items())


def dumped(value: Any) -> JSON:
    """A scalar of any class as JSON. Raises Unreadable."""
    if isinstance(value, Iterator):
        raise Unreadable
    from pydantic_core import to_jsonable_python

    try:
        made: JSON = to_jsonable_python(value, by_alias=False)
    except Exception:  # classes of the app's fail in any way
        raise Unreadable from None
    if made is None or isinstance(made, (list, dict)):
        raise Unreadable
    return made
