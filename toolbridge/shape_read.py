"""The reading half of the engine: a wire object and its Shape make a value.

What is plain and common goes through one loop; `Found` is made only where there is more: nulls,
uncommon forms, unknown keys, values of the wrong form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolbridge.codec import Mismatch
from toolbridge.nodes import PLANS_KEPT, Bag, Step, Sub
from toolbridge.spelling import NO_INNER, Spelling, digest
from toolbridge.values import JSON, freeze, make, same

if TYPE_CHECKING:
    from toolbridge.conversion import Reading
    from toolbridge.nodes import Level, Plan
    from toolbridge.shape import Shape

Object = dict[str, JSON]


def read(shape: Shape, raw: JSON, reading: Reading) -> Any:
    """See Shape.read."""
    if not isinstance(raw, dict):
        raise Mismatch("", "an object", raw)
    top, keys = shape.top, tuple(raw)
    plan = top.plans.get(keys) or top.plan(keys)
    fields = shape.given.copy()
    found = take(shape, top, plan.steps, raw, fields, reading)
    for key, constant in plan.tags:
        if raw[key] != constant or raw[key].__class__ is not constant.__class__:
            found = mark_tag(top, key, raw[key], found)
    alike: Alike = ()
    if not plan.simple:
        found, alike = more(shape, top, plan, raw, fields, reading, found)
    if shape.finish is not None:
        shape.finish(fields, raw, reading)
    for name in shape.required:
        if name not in fields:
            raise Mismatch(name, "a value", None)
    spelling = plan.spellings.get(alike) if found is None else None
    if spelling is None or not shape.derived.isdisjoint(fields):
        spelling = spell(shape, plan, fields, found, alike)
        if found is not None and found.extra:
            fields[shape.rest] = freeze(found.extra)
    fields["spelling"] = spelling
    return make(shape.model, fields)


Alike = tuple[tuple[str, tuple[str, ...]], ...]
"""The nested objects of an object: the path of each and its keys."""


class Found:
    """What one object has besides plain values: nulls, uncommon forms, and unknown keys."""

    __slots__ = ("extra", "literals", "nulls")

    def __init__(self) -> None:
        self.extra: Object = {}
        self.nulls: tuple[str, ...] = ()
        self.literals: Object = {}

    def keep(self, level: Level, key: str, item: JSON) -> None:
        """Keep a key that is not understood, nested as it was found."""
        place = self.extra
        for step in level.path.split("/")[:-1]:
            place = place.setdefault(step, {})
        place[key] = item

    def holds(self, path: str) -> bool:
        """Whether the key at a path is among those not understood."""
        place: Any = self.extra
        for key in path.split("/"):
            if not isinstance(place, dict) or key not in place:
                return False
            place = place[key]
        return True


def take(
    shape: Shape,
    level: Level,
    steps: Sequence[Step],
    raw: Object,
    fields: dict[str, Any],
    reading: Reading,
    found: Found | None = None,
    prefix: str = "",
) -> Found | None:
    """Read the values of one object; `prefix` is the pointer to it as it is spelled."""
    for key, field, exact, direct, common, codec in steps:
        item = raw[key]
        kind = item.__class__
        if kind is exact:
            fields[field] = item
        elif direct is not None and kind is str and item in direct:
            fields[field] = direct[item]
        elif item is None:
            found = found or Found()
            found.nulls += (level.path + level.standard(key),)
        else:
            place = reading.path
            try:
                fields[field] = codec.read(item, reading, prefix + key)
            except Mismatch:
                if not shape.tolerant:
                    raise
                reading.path = place
                found = found or Found()
                found.keep(level, key, item)
                continue
            if common is not None and not (item and kind in common):
                mark = codec.mark(item, fields[field])
                if mark is not None:
                    found = found or Found()
                    found.literals[level.path + level.standard(key)] = mark
    return found


def mark_tag(level: Level, key: str, item: JSON, found: Found | None) -> Found:
    """Remember a word that is another than the constant of its key."""
    found = found or Found()
    found.literals[level.path + level.standard(key)] = [item]
    return found


def more(
    shape: Shape,
    level: Level,
    plan: Plan,
    raw: Object,
    fields: dict[str, Any],
    reading: Reading,
    found: Found | None,
    prefix: str = "",
) -> tuple[Found | None, Alike]:
    """Read what is no single value: nested objects, parts, bags, unknown keys."""
    alike: Alike = ()
    for key, inner in plan.inners:
        item = raw[key]
        if isinstance(item, dict):
            found, below = nested(shape, inner, item, fields, reading, found, f"{prefix}{key}/")
            alike += below
            continue
        found = found or Found()
        if item is None:
            found.nulls += (inner.path[:-1],)
        elif shape.tolerant:
            found.keep(level, key, item)
        else:
            raise Mismatch(prefix + key, "an object", item)
    if plan.others:
        take_others(plan, raw, fields, reading)
    for key in plan.unknown:
        found = found or Found()
        second(shape, level, key, raw[key], fields, reading, found, prefix)
    return found, alike


def nested(
    shape: Shape,
    inner: Level,
    raw: Object,
    fields: dict[str, Any],
    reading: Reading,
    found: Found | None,
    prefix: str,
) -> tuple[Found | None, Alike]:
    """Read a nested object."""
    keys = tuple(raw)
    plan = inner.plans.get(keys) or inner.plan(keys)
    steps: Sequence[Step] = plan.steps
    if shape.alternates:
        taken = [step for step in steps if step.field in fields.keys() - shape.given.keys()]
        for step in taken:
            found = found or Found()
            second(shape, inner, step.key, raw[step.key], fields, reading, found, prefix)
        steps = [step for step in steps if step not in taken]
    found = take(shape, inner, steps, raw, fields, reading, found, prefix)
    for key, constant in plan.tags:
        if raw[key] != constant or raw[key].__class__ is not constant.__class__:
            found = mark_tag(inner, key, raw[key], found)
    alike: Alike = ((inner.path[:-1], keys),)
    if not plan.simple:
        found, below = more(shape, inner, plan, raw, fields, reading, found, prefix)
        alike += below
    return found, alike


def take_others(plan: Plan, raw: Object, fields: dict[str, Any], reading: Reading) -> None:
    """Read the keys of values that have no object of their own, and those of bags."""
    parts: dict[Sub, Object] = {}
    bags: dict[Bag, Object] = {}
    for key, node in plan.others:
        if isinstance(node, Sub):
            parts.setdefault(node, {})[key] = raw[key]
        else:
            bags.setdefault(node, {})[key] = raw[key]
    for part, members in parts.items():
        fields[part.field] = (reading.placed(part.shape.read(members, reading)),)
    for bag, members in bags.items():
        fields[bag.field] = freeze(members)


def second(
    shape: Shape,
    level: Level,
    key: str,
    item: JSON,
    fields: dict[str, Any],
    reading: Reading,
    found: Found,
    prefix: str,
) -> None:
    """A key that nobody knows, or a further key for one field.

    The further key is read if the first left the field open, is a second spelling if it says
    the same, and is kept as unknown if it says something else.
    """
    node = level.by_key.get(key)
    codec, field = getattr(node, "codec", None), getattr(node, "field", "")
    if codec is not None and item is None:
        found.nulls += (level.path + level.standard(key),)
    elif codec is None:
        found.keep(level, key, item)
    elif field not in fields:
        take(shape, level, level.plan((key,)).steps, {key: item}, fields, reading, found, prefix)
    elif not says_again(codec, item, prefix + key, fields[field], reading):
        found.keep(level, key, item)


def says_again(codec: Any, item: JSON, key: str, said: Any, reading: Reading) -> bool:
    """Whether a further key for a field says what the first said."""
    place = reading.path
    try:
        return same(codec.read(item, reading, key), said)
    except Mismatch:
        reading.path = place
        return False


NOTHING = Found()


def made_up(shape: Shape, fields: dict[str, Any], found: Found) -> Mapping[str, JSON]:
    """What `finish` put in the place of nulls and of values that were not understood, by path."""
    made = {}
    for path, field in shape.fields_at.items():
        if isinstance(fields.get(field), (str, int, float, dict, list)):
            if path in found.nulls or found.holds(path):
                made[path] = fields[field]
    return freeze(made) if made else NO_INNER


def spell(
    shape: Shape, plan: Plan, fields: dict[str, Any], found: Found | None, alike: Alike
) -> Spelling:
    """The Spelling of an object just read: one instance for all that are spelled alike."""
    sealed = not shape.derived.isdisjoint(fields)
    odd = found or NOTHING
    inner = dict(alike) if alike else NO_INNER
    made = NO_INNER if found is None or shape.finish is None else made_up(shape, fields, found)
    if sealed or made or odd.literals:
        covers = digest(shape.model, fields) if sealed else None
        literals = freeze(odd.literals) if odd.literals else NO_INNER
        return Spelling(
            shape.format, shape.kind, plan.keys, inner, odd.nulls, literals, covers, made
        )
    known = (*alike, *odd.nulls)
    spelling = plan.spellings.get(known)
    if spelling is None:
        if len(plan.spellings) >= PLANS_KEPT:
            plan.spellings.clear()
        spelling = Spelling(shape.format, shape.kind, plan.keys, inner, odd.nulls)
        plan.spellings[known] = spelling
    return spelling
