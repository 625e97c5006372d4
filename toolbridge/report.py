"""The report of one conversion: what was lost, where in the source, in words and as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from toolbridge.locate import Locator, escape, pointers
from toolbridge.loss import (
    CODES,
    Loss,
    approximated_code,
    dropped_code,
    is_invented,
    is_new,
    unknown_code,
)
from toolbridge.return_trip import differences
from toolbridge.values import JSON, Value, same

if TYPE_CHECKING:
    from toolbridge.shape import Shape

V = TypeVar("V", bound=Value)


class Entry(NamedTuple):
    """A loss before its place is worked out."""

    code: str
    item: Value
    field: str | None
    below: str
    detail: str
    target_path: str | None


class Section:
    """What one stretch of a conversion left in the report: its losses and the values that it
    made, the identities of values at which it invented something, and of those whose wire object
    it wrote. `losses` are those that have their places, as many entries as are `told`."""

    __slots__ = ("entries", "invented", "losses", "made", "told", "written")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.made: list[Value] = []
        self.invented: list[int] = []
        self.written: list[int] = []
        self.losses: list[Loss] = []
        self.told = 0


class Report:
    """Collects losses by the value they happen at. Pointers are worked out at the end, by the
    locator, so that a conversion without losses pays for none.

    Values made on the way from others stand where those stand (`derive`). `shape_of` gives the
    shape that read a value, `kind` is the kind of payload.
    """

    def __init__(
        self,
        locator: Callable[[], Locator],
        shape_of: Callable[[Value], Shape | None] = lambda item: None,
    ) -> None:
        self._locator = locator
        self._shape_of = shape_of
        self.kind = "request"
        self.section = Section()
        self._inventive: dict[int, tuple[JSON, Shape] | None] = {}
        self._origins: dict[int, Value] = {}

    def derive(self, made: V, origin: Value) -> V:
        """`made` stands for `origin` from here on."""
        self.section.made.append(made)
        self._origins[id(made)] = origin
        return made

    def add(
        self,
        code: str,
        item: Value,
        field: str | None = None,
        detail: str = "",
        *,
        below: str = "",
        target_path: str | None = None,
    ) -> None:
        """A loss at a value, or at its `field`, or at the pointer `below` either."""
        self.section.entries.append(Entry(code, item, field, below, detail, target_path))
        if target_path is None and is_invented(code):
            origin = id(self.origin(item))
            if origin not in self._inventive:
                self._inventive[origin] = None
                self.section.invented.append(origin)

    def written(self, item: Value, raw: JSON, shape: Shape) -> None:
        """Remember the wire object of a value at which something was invented: it is found in
        the payload once that is whole."""
        if self._inventive:
            origin = id(self.origin(item))
            if origin in self._inventive and self._inventive[origin] is None:
                self._inventive[origin] = raw, shape
                self.section.written.append(origin)

    def lose(self, item: Value, field: str, detail: str = "", code: str = "") -> None:
        """A field for which the target has no place. A value that says no more than its absence
        is none; where other counts of the source hinge on the field, they are off."""
        member = getattr(item, field)
        origin = self.origin(item)
        shape = self._shape_of(origin)
        if shape is not None and field in shape.bags:
            self.lose_bag(item, field, shape)
            return
        if same(member, item.defaults[field]) and not is_spelled(origin, field, shape):
            return
        if shape is not None and field in shape.defaults and member == shape.defaults[field]:
            return
        if shape is not None and self.kind == "response" and shape.comes_back(field, origin):
            return
        if isinstance(member, (tuple, list, dict)) and not member:
            code = "default.dropped" if self.kind == "response" else "empty.dropped"
        self.add(code or dropped_code(item, field), item, field, detail)
        for other in shape.hinges.get(field, ()) if shape is not None and member else ():
            self.add("usage.approximated", item, other)

    def follow(self, item: Value, **changes: Any) -> None:
        """What follows in the source from fields that come back changed."""
        origin = self.origin(item)
        shape = self._shape_of(origin)
        for field, rule in shape.follows.items() if shape is not None else ():
            had = vars(origin).get(field)
            if not same(rule({**vars(origin), **changes}), had):
                self.add("stop.detail" if had is None else "stop.approximated", item, field)

    def lose_bag(self, item: Value, field: str, shape: Shape) -> None:
        """The keys of a bag, down to those parts of them that say something."""
        code = dropped_code(item, field)
        for key, member in getattr(item, field).items():
            for below in telling(member, shape.defaults.get(key, MISSING), f"/{escape(key)}"):
                self.add(code, item, below=below)
            if (
                key in (shape.fills.get(field) or {})
                and isinstance(member, (dict, list))
                and member
            ):
                self.add("default.invented", item, below=f"/{escape(key)}")

    def return_trip(self, item: Value, target: Shape | None = None) -> None:
        """What the spelling of a value makes different once it has come back from an object of
        shape `target`."""
        spelling = item.spelling
        if spelling is None:
            return
        trip = spelling.trip
        if trip is None:
            shape = self._shape_of(item)
            trip = spelling.remember_trip(() if shape is None else differences(shape, spelling))
        for code, field, below, answers_only, when in trip:
            carried = target is not None and field in target.writers
            gone = code in WHERE_CARRIED and not carried
            told = when is None or when(self.origin(item))
            if told and not gone and (not answers_only or self.kind == "response"):
                self.add(code, item, field, below=below)

    def filled(self, item: Value, field: str, fill: Any, code: str = "default.invented") -> None:
        """A field that the target requires: it comes back where the source has a place for it.
        An empty list says nothing, and goes on the way back."""
        shape = self._shape_of(self.origin(item))
        if fill == () or shape is None or field not in shape.writers or field in shape.fills:
            return
        if shape.writers[field].codec.takes_foreign and shape.defaults.get(field, MISSING) != fill:
            self.add(code, item, field)

    def approximate(self, item: Value, field: str, detail: str) -> None:
        """A field of which the target gets the nearest that it has."""
        self.add(approximated_code(item, field), item, field, detail)

    def change(self, code: str, item: Value, *fields: str) -> None:
        """Several fields of a value that are not what they were."""
        for field in fields:
            self.add(code, item, field)

    def lose_unknown(self, item: Value) -> None:
        """The unknown keys of a value that goes to another format, each at its own place."""
        self.add(unknown_code(item), item, "extra")

    def path(self, item: Value, field: str | None = None) -> str:
        """The pointer to a value, for an error that cannot wait."""
        entry = Entry("", item, field, "", "", None)
        locator, origin = self._locator(), self.origin(item)
        return locator.where(origin) + self._below(entry, origin, locator)[0]

    def losses(self, payload: JSON) -> tuple[Loss, ...]:
        """The losses, in the order in which they were met, each with its JSON pointer into the
        source, and for what was invented into `payload`, which was written."""
        if not self.section.entries:
            return ()
        locator = self._locator()
        sought = {id(raw) for raw, _ in filter(None, self._inventive.values())}
        found = pointers([("", payload)], sought)
        return tuple(
            loss for entry in self.section.entries for loss in self._resolve(entry, locator, found)
        )

    def locate(self, section: Section, found: Mapping[int, str]) -> set[int]:
        """Give the losses of a section that have none yet their places; `found` are the pointers
        of the objects in which something was invented. Gives the `id` of the values at which
        these losses are."""
        entries = section.entries[section.told :]
        if not entries:
            return set()
        locator = self._locator()
        for entry in entries:
            section.losses += self._resolve(entry, locator, found)
        section.told += len(entries)
        return {id(self.origin(entry.item)) for entry in entries}

    def sought(self, section: Section) -> set[int]:
        """The `id` of the wire objects in which a section wrote something invented."""
        held = (self._inventive.get(origin) for origin in section.written)
        return {id(raw) for raw, _ in filter(None, held)}

    def drop(self, section: Section) -> None:
        """Forget what a section left, as if it had not been."""
        for made in section.made:
            self._origins.pop(id(made), None)
        for origin in section.invented:
            self._inventive.pop(origin, None)
        for origin in section.written:
            if origin in self._inventive:
                self._inventive[origin] = None

    def _target(self, entry: Entry, origin: Value, found: Mapping[int, str]) -> str | None:
        """The pointer to something invented in the payload, or to the nearest object there."""
        if entry.target_path is not None or not is_invented(entry.code):
            return entry.target_path
        raw, shape = self._inventive.get(id(origin)) or (None, None)
        if shape is None or id(raw) not in found:
            return ""
        place = found[id(raw)]
        writer = shape.writers.get(entry.field or "")
        for key in writer.path if writer is not None else ():
            if not isinstance(raw, dict) or key not in raw:
                break
            place, raw = f"{place}/{escape(key)}", raw[key]
        return place

    def _resolve(self, entry: Entry, locator: Locator, found: Mapping[int, str]) -> list[Loss]:
        origin = self.origin(entry.item)
        code, detail = CODES[entry.code], entry.detail or CODES[entry.code].meaning
        path = locator.where(origin)
        return [
            Loss(
                code=entry.code,
                path=f"{path}{below}{entry.below}",
                effect=code.effect,
                severity=code.severity,
                detail=detail,
                target_path=self._target(entry, origin, found),
            )
            for below in self._below(entry, origin, locator)
        ]

    def origin(self, item: Value) -> Value:
        """The value that a value made on the way stands for."""
        while id(item) in self._origins:
            item = self._origins[id(item)]
        return item

    def _below(self, entry: Entry, origin: Value, locator: Locator) -> list[str]:
        if entry.field is None:
            return [""]
        if entry.field == "extra":
            return locator.unknown(origin)
        if is_new(entry.code):
            return [locator.parent(origin, entry.field)]
        return locator.fields(origin, entry.field)


def is_spelled(item: Value, field: str, shape: Shape | None) -> bool:
    """Whether the source has a key for a field, and wrote it."""
    if shape is None or item.spelling is None or field not in shape.writers:
        return False
    writers = shape.writers[field], *shape.alternates.get(field, ())
    return any(shape.spelled_with(writer.path, item.spelling) for writer in writers)


MISSING = object()
WHERE_CARRIED = frozenset({"field.moved", "field.moved_to", "field.host_only"})
"""Differences of fields that are carried: where they are not, their loss is reported."""


def telling(member: JSON, default: JSON, path: str) -> list[str]:
    """The pointers to what says something in a JSON value: neither null nor the default."""
    if member is None or (default is not MISSING and same_number(member, default)):
        return []
    if isinstance(member, dict) and member:
        inner = default if isinstance(default, dict) else {}
        found = {
            key: telling(each, inner.get(key, MISSING), f"{path}/{escape(key)}")
            for key, each in member.items()
        }
        whole = all(below == [f"{path}/{escape(key)}"] for key, below in found.items())
        return [path] if whole else [below for each in found.values() for below in each]
    return [path]


def same_number(one: JSON, other: JSON) -> bool:
    """Equality in which 1 and 1.0 are one default."""
    return bool(one == other) and (isinstance(one, bool) == isinstance(other, bool))
