"""The nodes of a shape's table, and what to do with one set of keys: worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from toolbridge.codec import OMIT, STRING, Codec, Mismatch
from toolbridge.values import JSON

if TYPE_CHECKING:
    from toolbridge.shape import Shape
    from toolbridge.spelling import Spelling

PLANS_KEPT = 512
"""Key sets remembered per object; foreign data may bring any number of others."""


class Row(NamedTuple):
    """Wire key `key` (also read under one of `aliases`) is the field `field`.

    Of several rows for one field the first is the one to write; the others are older or
    hosts' own keys, written where the value came under them.
    """

    key: str
    field: str
    codec: Codec = STRING
    aliases: tuple[str, ...] = ()


class Tag(NamedTuple):
    """Wire key `key` always holds `constant`; a new object leaves it out unless `written`."""

    key: str
    constant: JSON
    written: bool = True
    aliases: tuple[str, ...] = ()


class Inner(NamedTuple):
    """A nested object whose keys are fields of the same value."""

    key: str
    rows: Sequence[Row | Tag | Inner]
    aliases: tuple[str, ...] = ()


class Sub(NamedTuple):
    """Keys that are no field of this value but make a value of their own, of shape `shape`,
    held in `field` as a tuple of one."""

    field: str
    shape: Shape


class Bag(NamedTuple):
    """Keys kept together, unread, in one field: a mapping from the vendor's key to its value."""

    field: str
    keys: tuple[str, ...]


Node = Row | Tag | Inner | Sub | Bag


class Step(NamedTuple):
    """One value to read: a value of class `exact` is taken as it is, a word in `direct` is
    looked up; `common` are the classes whose values need no mark (None: no value needs one)."""

    key: str
    field: str
    exact: type | None
    direct: dict[JSON, JSON] | None
    common: frozenset[type] | None
    codec: Codec


class Plan:
    """What to do with one set of keys: values to read, tags to compare, nested objects, and
    what else there is (`others`: value objects without an object of their own and bags;
    `unknown`: keys that nobody knows, or that name a field a second time).

    `simple` plans have values and tags only. `spellings` are those of objects with
    these keys, by the keys of their nested object.
    """

    __slots__ = ("inners", "keys", "others", "simple", "spellings", "steps", "tags", "unknown")

    def __init__(self, keys: tuple[str, ...]) -> None:
        self.keys = keys
        self.steps: tuple[Step, ...] = ()
        self.tags: tuple[tuple[str, JSON], ...] = ()
        self.inners: tuple[tuple[str, Level], ...] = ()
        self.others: tuple[tuple[str, Sub | Bag], ...] = ()
        self.unknown: tuple[str, ...] = ()
        self.simple = False
        self.spellings: dict[object, Spelling] = {}


class Level:
    """One object of a shape: the outer one, or a nested one at `path` (which ends in `/`)."""

    def __init__(self, nodes: Sequence[Node], path: str = "") -> None:
        self.path = path
        self.by_key: dict[str, Node] = {}
        self.inner: dict[str, Level] = {}
        self.plans: dict[tuple[str, ...], Plan] = {}
        for node in nodes:
            if isinstance(node, Inner):
                self.inner[node.key] = Level(node.rows, f"{path}{node.key}/")
            self.by_key.update(dict.fromkeys(keys_of(node), node))

    def plan(self, keys: tuple[str, ...]) -> Plan:
        """The plan for a set of keys, made once."""
        plan = self.plans.get(keys)
        if plan is None:
            if len(self.plans) >= PLANS_KEPT:
                self.plans.clear()
            plan = self.plans[keys] = self.make_plan(keys)
        return plan

    def make_plan(self, keys: tuple[str, ...]) -> Plan:
        """See `plan`. A second key for one field is unknown."""
        plan, seen = Plan(keys), set[str]()
        for key in keys:
            if not isinstance(key, str):
                raise Mismatch(str(key), "a string as key", key)
            node = self.by_key.get(key)
            name = node.field if isinstance(node, Row) else key
            if node is None or name in seen:
                plan.unknown += (key,)
            elif isinstance(node, Row):
                seen.add(name)
                codec = node.codec
                common = codec.common if codec.marks else None
                plan.steps += (Step(key, name, codec.exact, codec.direct, common, codec),)
            elif isinstance(node, Tag):
                plan.tags += ((key, node.constant),)
            elif isinstance(node, Inner):
                plan.inners += ((key, self.inner[node.key]),)
            else:
                plan.others += ((key, node),)
        plan.simple = not (plan.inners or plan.others or plan.unknown)
        return plan

    def constant(self, key: str) -> JSON:
        """What a tag's key always holds; OMIT for any other key."""
        node = self.by_key.get(key)
        return node.constant if isinstance(node, Tag) else OMIT

    def standard(self, key: str) -> str:
        """The key as the table has it, for a key as it is spelled."""
        node = self.by_key.get(key)
        return key if node is None or isinstance(node, (Bag, Sub)) else node.key


def keys_of(node: Node) -> tuple[str, ...]:
    """Every key under which a node is found."""
    if isinstance(node, Bag):
        return node.keys
    if isinstance(node, Sub):
        return tuple(node.shape.top.by_key)
    return (node.key, *node.aliases)
