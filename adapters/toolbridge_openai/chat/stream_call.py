"""Calls in the chunks of a completion: which call a piece belongs to, and what is known of it."""

from __future__ import annotations

import dataclasses

from toolbridge.arguments import dump
from toolbridge.streams.calls import OpenCall
from toolbridge.values import JSON, thaw


@dataclasses.dataclass
class Slot:
    """A call of a choice: `wire` is what stands in the folded body, `waiting` its arguments
    until its name is known, `call` what is told of it from then on."""

    wire: dict[str, JSON]
    kind: str
    index: int | None = None
    place: str = "tool_calls"
    waiting: list[str] = dataclasses.field(default_factory=list)
    call: OpenCall | None = None

    @property
    def inner(self) -> dict[str, JSON]:
        """The object with the name and the text of the arguments."""
        held: dict[str, JSON] = self.wire[self.kind]
        return held

    def take(self, raw: dict[str, JSON]) -> str:
        """Keep what a piece says: the text of its arguments. Ids, types and names are set once;
        what comes again is a repeat."""
        inner = raw.get(self.kind) or {}
        for key, member in raw.items():
            if key not in ("index", self.kind):
                keep(self.wire, key, member, key in ("id", "type"))
        for key, member in inner.items():
            if key not in ("arguments", "input"):
                keep(self.inner, key, member, True)
        if self.call is not None and self.call.made_id and self.wire.get("id"):
            self.call.id, self.call.made_id = self.wire["id"], False
        told = inner.get("arguments", inner.get("input"))
        return told if isinstance(told, str) else "" if told is None else dump(told)

    def is_known(self, text: str) -> bool:
        """Whether enough is known to tell of the call: its name, and its id unless its arguments
        come without one."""
        if not self.inner.get("name"):
            return False
        return bool(self.wire.get("id") or text or self.place == "function_call")

    def fold(self) -> None:
        """Put the text of the arguments into the body."""
        key = "input" if self.kind == "custom" else "arguments"
        self.inner[key] = "".join(self.waiting) if self.call is None else self.call.joined()


def keep(into: dict[str, JSON], key: str, member: JSON, once: bool) -> None:
    """Keep a member; an empty one only where there is none."""
    if member in (None, ""):
        into.setdefault(key, member)
    elif not (once and into.get(key)):
        into[key] = thaw(member)


def open_slot(message: dict[str, JSON], raw: dict[str, JSON], place: str) -> Slot:
    """A new call, in the folded body as well. Snowflake sends both objects, one of them empty."""
    custom = raw.get("type") == "custom" or ("custom" in raw and not raw.get("function"))
    kind = "custom" if custom else "function"
    slot = Slot({"type": kind, kind: {}}, kind, raw.get("index"), place)
    if place == "function_call":
        message[place] = slot.inner
    else:
        message.setdefault(place, []).append(slot.wire)
    return slot


def find_slot(slots: list[Slot], raw: dict[str, JSON], place: str) -> Slot | None:
    """The call that a delta belongs to: by its id unless one of another index begins, else by its
    index unless the id there is another, else the latest. None: it begins a new one."""
    if place == "function_call":
        return next((slot for slot in slots if slot.place == place), None)
    told, index = raw.get("id"), raw.get("index")
    named = (raw.get("function") or raw.get("custom") or {}).get("name")
    for slot in slots if told else ():
        other = None not in (index, slot.index) and index != slot.index
        if slot.wire.get("id") == told and not (other and named):
            return slot
    for slot in reversed(slots):
        if index is not None and slot.index == index:
            return None if told and slot.wire.get("id") else slot
    if index is not None or told:
        return None
    latest = slots[-1] if slots else None
    return None if latest is None or (named and latest.inner.get("name")) else latest
