"""Law 1, edits: one change of a value through its public types, and which wire places it is about.

An edit removes one element from a list of the model, changes one text or the arguments of one
call, or puts a part at the end of a message. A body that is read here knows where each of its
values stood, as a conversion does.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import toolbridge as tb
from toolbridge.conversion import Places, Reading
from toolbridge.convert import read_value
from toolbridge.locate import pointer
from toolbridge.registry import find
from toolbridge.values import Value, freeze

from .pointers import Json

Action = Literal["remove", "change", "append"]

MARK = "One more thing."
"""Stands in every text and argument that an edit writes."""

NEW_TEXT = tb.Text(text=MARK)
NEW_CALL = tb.ToolCall(id="call_of_edit", name="remember", arguments={"what": MARK})
NEW_RESULT = tb.ToolResult(call_id="call_of_edit", parts=(NEW_TEXT,))


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed value.

    `pointers` are the wire places of what was removed or changed, or of the message that got a
    part: several for a message that the wire spreads over several items.
    """

    action: Action
    what: str
    pointers: tuple[str, ...]
    value: Any

    def __str__(self) -> str:
        return f"{self.action} {self.what} at {', '.join(self.pointers)}"


@dataclass(frozen=True, slots=True)
class Placed:
    """A value, and where the values in it stood in the body, by identity."""

    value: Any
    places: Mapping[int, str]

    def pointers(self, element: Value) -> tuple[str, ...]:
        """Where an element stood. A run of items is one message of the model: it stood where
        all its parts did."""
        own = self.places.get(id(element))
        if isinstance(element, tb.Message):
            parts = [self.places.get(id(part)) for part in element.parts]
            if own is None or parts[:1] == [own]:
                return tuple(dict.fromkeys(place for place in parts if place is not None))
        return () if own is None else (own,)


def read_placed(body: Json, format: str, kind: str) -> Placed:
    """Read a body as `tb.read` does, and remember where everything stood."""
    adapter, profile = find(format)
    places = Places()
    value = read_value(adapter, freeze(body), kind, Reading(adapter.name, profile, places))
    return Placed(value, {identity: pointer(path) for identity, path in places.items()})


def edits(placed: Placed) -> Iterator[Edit]:
    """Every edit of a value, in the order of the value. A choice keeps the tool that it names,
    and an answer without an element of its own stays: without either there is no value."""
    for owner, field, index in _elements(placed.value):
        elements = getattr(owner, field)
        element = elements[index]
        where = placed.pointers(element)
        if not where or "" in where or isinstance(element, tb.ToolName):
            continue
        others = (*elements[:index], *elements[index + 1 :])
        removed = _with(placed.value, owner, {field: others})
        yield Edit("remove", type(element).__name__, where, removed)
        for what, changes in _changes(element):
            action: Action = "append" if "parts" in changes else "change"
            yield Edit(action, what, where, _with(placed.value, element, changes))


def _changes(element: Value) -> Iterator[tuple[str, dict[str, Any]]]:
    """What can be changed in an element: the field with its new value."""
    if isinstance(element, tb.Text):
        yield "Text", {"text": f"{element.text} {MARK}"}
    if isinstance(element, tb.ToolCall):
        given = element.arguments
        new = {**given, "note": MARK} if isinstance(given, dict) else f"{given} {MARK}"
        yield "ToolCall", {"arguments": new}
    if isinstance(element, tb.Message):
        for part in _next_parts(element):
            yield type(part).__name__, {"parts": (*element.parts, part)}


def _next_parts(message: tb.Message) -> Iterator[tb.Text | tb.ToolCall | tb.ToolResult]:
    """What may be said next in a message; a result names its tool where the others do."""
    if message.role == "tool":
        named = message.parts[0] if message.parts else None
        name = named.name if isinstance(named, tb.ToolResult) else None
        yield NEW_RESULT.replace(name=name)
    else:
        yield NEW_TEXT
        if message.role == "assistant":
            yield NEW_CALL


def _elements(value: Value) -> Iterator[tuple[Value, str, int]]:
    """The elements of all lists of values in a value, the outer before the inner."""
    for field, member in vars(value).items():
        if isinstance(member, Value):
            yield from _elements(member)
        elif isinstance(member, tuple):
            for index, element in enumerate(member):
                if isinstance(element, Value):
                    yield value, field, index
                    yield from _elements(element)


def _with(value: Any, target: Value, changes: dict[str, Any]) -> Any:
    """The value with changes in the one value in it that is `target`."""
    if value is target:
        return dataclasses.replace(value, **changes)
    if isinstance(value, tuple):
        members = tuple(_with(member, target, changes) for member in value)
        kept = all(new is old for new, old in zip(members, value, strict=True))
        return value if kept else members
    if isinstance(value, Value):
        fields = vars(value)
        made = {name: _with(member, target, changes) for name, member in fields.items()}
        new = {name: member for name, member in made.items() if member is not fields[name]}
        return dataclasses.replace(value, **new) if new else value
    return value
