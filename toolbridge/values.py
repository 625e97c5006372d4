"""Immutable values: the base class of the canonical model, and frozen JSON.

A value stores only the fields that were set. So making one is cheap, and whatever must not
forget a field (the loss frame in `shape`, equality, `to_json`) walks what is there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from typing import Self

JSON = Any
"""A JSON value: None, bool, int, float, str, list of JSON, dict of str to JSON."""

T = TypeVar("T")
V = TypeVar("V", bound="Value")

_set = object.__setattr__
_new = object.__new__


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    raise TypeError("this JSON is part of an immutable value: change a copy, toolbridge.thaw(it)")


class FrozenDict(dict[str, JSON]):
    """A JSON object that belongs to a value: a dict that refuses changes."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> Any:
        return FrozenDict, (dict(self),)


class FrozenList(list[JSON]):
    """A JSON array that belongs to a value: a list that refuses changes."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse

    def __reduce__(self) -> Any:
        return FrozenList, (list(self),)


def freeze(item: JSON) -> JSON:
    """The JSON value in objects and arrays that refuse changes (itself if it is frozen)."""
    if isinstance(item, (FrozenDict, FrozenList)):
        return item
    if isinstance(item, dict):
        return FrozenDict({key: freeze(member) for key, member in item.items()})
    if isinstance(item, (list, tuple)):
        return FrozenList([freeze(member) for member in item])
    return item


def thaw(item: JSON) -> JSON:
    """A copy of a JSON value in plain dicts and lists, shared with nobody."""
    if isinstance(item, dict):
        return {k: v if v.__class__ is str else thaw(v) for k, v in item.items()}
    if isinstance(item, list):
        return [v if v.__class__ is str else thaw(v) for v in item]
    return item


def same(left: Any, right: Any) -> bool:
    """Equality as JSON has it: 1, 1.0 and True are three different values."""
    if left is right:
        return True
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(same(member, right[key]) for key, member in left.items())
        )
    if isinstance(left, (list, tuple)):
        return (
            isinstance(right, (list, tuple))
            and len(left) == len(right)
            and all(map(same, left, right))
        )
    return left.__class__ is right.__class__ and bool(left == right)


@dataclass_transform(kw_only_default=True, frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a subclass of Value a dataclass: typed fields, keyword only, immutable.

    The methods come from Value, not from generated code: forty generated classes would take
    a third of the import time that the package allows itself.
    """
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=True)(cls)
    made.defaults = {field.name: field.default for field in dataclasses.fields(made)}
    return made  # type: ignore[no-any-return]


@value
class Value:
    """A canonical value: immutable, equal to what means the same, picklable.

    `extra` holds the wire fields that the reader did not know, nested as on the wire.
    `spelling` remembers how the wire wrote what it meant (see `spelling`); it takes no part
    in equality. `dataclasses.replace` and `.replace` give a changed copy.

    `derived` names the fields that a vendor made for exactly the fields `covered`, such as a
    signature: once those have changed they are stale and never written.
    """

    json_fields: ClassVar[frozenset[str]] = frozenset()
    derived: ClassVar[frozenset[str]] = frozenset()
    covered: ClassVar[tuple[str, ...]] = ()
    uncompared: ClassVar[frozenset[str]] = frozenset({"spelling"})
    defaults: ClassVar[dict[str, Any]] = {}

    extra: Mapping[str, JSON] | None = None
    spelling: Any = None

    def __init__(self, **fields: Any) -> None:
        defaults = self.defaults
        unknown = fields.keys() - defaults.keys()
        if unknown:
            known = ", ".join(defaults)
            raise TypeError(f"{type(self).__name__} has no field {min(unknown)!r}; it has {known}")
        for name, default in defaults.items():
            if default is dataclasses.MISSING and name not in fields:
                raise TypeError(f"{type(self).__name__} needs the field {name!r}")
        kept = {name: item for name, item in fields.items() if item is not defaults[name]}
        for name, item in kept.items():
            if name in self.json_fields or name == "extra":
                kept[name] = freeze(item)
            elif isinstance(item, list):
                kept[name] = tuple(item)
        _set(self, "__dict__", kept)

    def __setattr__(self, name: str, item: Any) -> None:
        raise AttributeError(
            f"{type(self).__name__} is immutable: use .replace({name}=...) for a changed copy"
        )

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def replace(self, **changes: Any) -> Self:
        """A copy with the named fields changed."""
        return type(self)(**{**vars(self), **changes})

    __replace__ = replace

    def set_fields(self) -> dict[str, Any]:
        """The fields that count in equality and say more than their default, by name."""
        defaults, skipped = self.defaults, self.uncompared
        return {
            name: item
            for name, item in vars(self).items()
            if name not in skipped and not same(item, defaults[name])
        }

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Value) or type(self) is not type(other):
            return NotImplemented
        return same(self.set_fields(), other.set_fields())

    def __hash__(self) -> int:
        scalars = (item for item in self.set_fields().values() if isinstance(item, (str, int)))
        return hash((type(self), frozenset(scalars)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={item!r}" for name, item in self.set_fields().items())
        return f"{type(self).__name__}({shown})"


def make(cls: type[V], fields: dict[str, Any]) -> V:
    """A value of fields known to be right and frozen already: what readers use."""
    made = _new(cls)
    _set(made, "__dict__", fields)
    return made
