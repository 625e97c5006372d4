"""The writing half of the engine: a value and a Shape make a wire object.

A value is foreign when another format's shape read it: then what this shape has no row for
is reported. A value that this shape read is written in its own spelling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolbridge.codec import OMIT, Codec
from toolbridge.spelling import Spelling, is_stale
from toolbridge.values import JSON, Value, same, thaw

if TYPE_CHECKING:
    from toolbridge.conversion import Writing
    from toolbridge.nodes import Level
    from toolbridge.shape import Shape

Object = dict[str, JSON]


class WritePlan(NamedTuple):
    """What to do with one set of fields: those with a key at the top (no codec: as they are),
    those with a key in a nested object, those with several keys, and those without a row."""

    flat: tuple[tuple[str, str, Codec | None], ...]
    deep: tuple[tuple[str, tuple[str, ...], Codec], ...]
    several: tuple[str, ...]
    rowless: tuple[str, ...]


class InPieces(Codec):
    """The history of a request, by its codec, or in pieces that are written already."""

    def __init__(self, codec: Codec) -> None:
        super().__init__(codec.expected)
        self.codec = codec

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if writing.put_history is not None:
            return writing.put_history(item, owner)
        return self.codec.write(item, writing, owner)


def make_plan(shape: Shape, names: tuple[str, ...]) -> WritePlan:
    """See WritePlan."""
    flat: list[tuple[str, str, Codec | None]] = []
    deep: list[tuple[str, tuple[str, ...], Codec]] = []
    several: list[str] = []
    rowless: list[str] = []
    for name in names:
        row = shape.writers.get(name)
        if row is None:
            if name not in shape.passed:
                rowless.append(name)
        elif name in shape.alternates:
            several.append(name)
        elif len(row.path) > 1:
            deep.append((name, row.path, row.codec))
        else:
            plain = row.codec.__class__ is Codec and not row.codec.copied
            codec = InPieces(row.codec) if name == "history" else row.codec
            flat.append((name, "/".join(row.path), None if plain else codec))
    return WritePlan(tuple(flat), tuple(deep), tuple(several), tuple(rowless))


def write(shape: Shape, item: Any, writing: Writing) -> Object:
    """See Shape.write."""
    spelling: Spelling | None = item.spelling
    fields = vars(item)
    own = spelling is not None and spelling.format == shape.format
    if spelling is not None and spelling.covers is not None:
        fields = without_stale(item, writing)
    if not own and (spelling is not None or shape.fills):
        fields = filled(shape, item, fields, writing)
    if shape.prepare is not None:
        fields = shape.prepare(item, dict(fields), writing)
    out = put(shape, item, fields, spelling if own else None, writing)
    if own and spelling is not None and spelling.kind == shape.kind:
        return respell(shape, item, fields, spelling, out, writing)
    rest = fields.get(shape.rest)
    if rest:
        if own or spelling is None:
            merge(out, thaw(rest))
        else:
            writing.report.lose_unknown(item)
    writing.report.written(item, out, shape)
    return out


def put(
    shape: Shape, item: Any, fields: dict[str, Any], own: Spelling | None, writing: Writing
) -> Object:
    """The wire object of fields; `own` is the spelling of a value that this format wrote."""
    out = shape.constants.copy()
    for path, constant in shape.deep_tags:
        place(out, path, constant)
    names = tuple(fields)
    plan = shape.write_plans.get(names) or shape.write_plan(names)
    for field, key, codec in plan.flat:
        member = fields[field]
        if member is not None:
            written = member if codec is None else codec.write(member, writing, item)
            if written is not OMIT:
                out[key] = written
    for field, path, deep_codec in plan.deep:
        if fields[field] is not None:
            place(out, path, deep_codec.write(fields[field], writing, item))
    for field in (*plan.several, *plan.rowless):
        if fields[field] is not None:
            put_odd(shape, item, field, fields[field], own, out, writing)
    return out


def put_odd(
    shape: Shape,
    item: Any,
    field: str,
    member: Any,
    own: Spelling | None,
    out: Object,
    writing: Writing,
) -> None:
    """A field with several keys, or without a row: a bag or a part of the shape's, or a loss."""
    if field in shape.writers:
        for path, codec in shape.writers_for(field, member, own, writing):
            place(out, path, codec.write(member, writing, item))
    elif field in shape.subs:
        for made in member:
            merge(out, shape.subs[field].write(made, writing))
    elif field in shape.bags and is_own(item, field, member, own):
        merge(out, thaw(member))
    else:
        writing.lose(item, field)


def is_own(item: Any, field: str, member: Any, own: Spelling | None) -> bool:
    """Whether the keys of a bag are this format's: they came so, or were made for it."""
    return own is not None or item.spelling is None or member is not vars(item).get(field)


def filled(shape: Shape, item: Any, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The fields of a foreign value, with those that the type of an answer requires."""
    report = writing.report
    if item.spelling is not None and item.spelling.trip != ():
        report.return_trip(item, shape)
    if writing.kind != "response" or not shape.fills:
        return fields
    fields = dict(fields)
    for name in shape.fills:
        if fields.get(name) is None:
            fields[name] = shape.fill(name, fields)
            report.filled(item, name, fields[name])
    return fields


def place(out: Object, path: tuple[str, ...], written: JSON) -> None:
    """Put a value at a path of keys, unless there is none."""
    if written is OMIT:
        return
    for key in path[:-1]:
        out = out.setdefault(key, {})
    out[path[-1]] = written


def merge(out: Object, more: Any) -> None:
    """Add the members of a nested object to those of another; what is there already stays."""
    for key, member in more.items():
        if key not in out:
            out[key] = member
        elif isinstance(member, dict) and isinstance(out[key], dict):
            merge(out[key], member)


def without_stale(item: Any, writing: Writing) -> dict[str, Any]:
    """The fields of a value without those that a vendor made for a content since changed."""
    fields: dict[str, Any] = vars(item)
    if not is_stale(writing.report.origin(item)):
        return fields
    for field in sorted(item.derived & fields.keys()):
        writing.report.add("derived.stale", item, field)
    return {name: member for name, member in fields.items() if name not in item.derived}


def respell(
    shape: Shape,
    item: Any,
    fields: dict[str, Any],
    spelling: Spelling,
    out: Object,
    writing: Writing,
) -> Object:
    """The written object with the keys, nulls and forms that it was read with; a host's own
    form is not for other profiles."""
    for field, member in fields.items() if spelling.literals else ():
        writer = shape.writer(field, spelling)
        mark = None if writer is None else spelling.literals.get("/".join(writer.path))
        if writer is not None and mark is not None and member is not None:
            if writer.codec.odd_form and not writing.native:
                writing.report.add(writer.codec.odd_form, item, field)
                continue
            holder = out
            for key in writer.path[:-1]:
                holder = holder.get(key, {})
            key = writer.path[-1]
            if key in holder:
                holder[key] = thaw(writer.codec.remember(mark, member, holder[key]))
    for path, made in spelling.made.items():
        if same(vars(item).get(shape.fields_at[path]), made):
            remove(out, path)
    return arrange(shape.top, out, spelling.keys, spelling, fields.get(shape.rest) or {})


def remove(out: Object, path: str) -> None:
    """Take a value out again: at its place stands what came."""
    *outer, key = path.split("/")
    for step in outer:
        out = out.get(step, {})
    out.pop(key, None)


def arrange(
    level: Level, out: Object, keys: tuple[str, ...], spelling: Spelling, extra: Any
) -> Object:
    """One object in the order and spelling of its keys; what is new comes last."""
    arranged: Object = {}
    for key in keys:
        name = level.standard(key)
        path, inner = level.path + name, level.inner.get(name)
        if inner is not None and path in spelling.inner:
            held, more = out.pop(name, {}), extra.get(name, {})
            arranged[key] = arrange(inner, held, spelling.inner[path], spelling, more)
        elif level.constant(key) is not OMIT:
            out.pop(name, None)
            arranged[key] = thaw(spelling.literals.get(path, (level.constant(key),))[0])
        elif key in extra:
            out.pop(name, None)
            arranged[key] = thaw(extra[key])
        elif name in out:
            arranged[key] = out.pop(name)
        elif path in spelling.nulls:
            arranged[key] = None
    new = {name: member for name, member in out.items() if level.constant(name) is OMIT}
    rest = {
        key: thaw(member)
        for key, member in extra.items()
        if key not in arranged and key not in level.inner
    }
    return arranged | new | rest
