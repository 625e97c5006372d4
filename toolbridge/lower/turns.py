"""Turns: the history cut into steps, each call with exactly one result straight after it.

Of several results for a call the first stays; a late result moves to its call; a result
without its call becomes marked text; a call without a result gets one that says so. All this
looks only at what came before, so that a longer history never changes a shorter one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from toolbridge.codec import lose_rest
from toolbridge.conversion import Writing
from toolbridge.errors import ConversionError
from toolbridge.lower.moves import Moves, weight
from toolbridge.parts import ItemReference, Json, Media, Opaque, Text, ToolCall, ToolResult
from toolbridge.request import Message
from toolbridge.values import Value, make

NOT_RECORDED = "No result of this call was recorded."
"""What the invented result of an unanswered call says."""

NO_CALL = "[Result of a tool call that is not in this conversation]"
"""What stands before the text of a result whose call is missing."""


@dataclasses.dataclass(eq=False, slots=True)
class Turn:
    """What one role says in one go; `message` is the source message that it began with."""

    role: str
    message: Message | None
    parts: list[Any]


@dataclasses.dataclass(eq=False, slots=True)
class Slot:
    """A call of the app's, and its one result."""

    call: ToolCall
    step: Step
    result: ToolResult | None = None


@dataclasses.dataclass(eq=False, slots=True)
class Step:
    """Turns of the assistant's up to the next word of somebody else, its calls, and those of
    them that were answered, in the order of the answers."""

    turns: list[Turn]
    slots: list[Slot]
    answered: list[Slot]
    results_from: Message | None = None


class History:
    """Collects a history into `entries`: steps, and the turns of others, in order. All but the
    last step and what follows it stays as it is when more is added, but for `late` results."""

    def __init__(self, writing: Writing, moves: Moves) -> None:
        self.writing = writing
        self.report = writing.report
        self.moves = moves
        self.entries: list[Step | Turn] = []
        self.step: Step | None = None
        self.answering: Step | None = None
        self.calls: dict[str, list[Slot]] = {}
        self.late = 0

    def add(self, item: Any) -> None:
        """The next item of the history."""
        if item.__class__ is not Message:
            self.add_other(item)
        elif item.role == "assistant":
            self.add_assistant(item)
        elif item.role == "system":
            self.put(Turn("system", item, list(item.parts)))
        else:
            self.add_user(item)

    def add_assistant(self, message: Message) -> None:
        """A message of the assistant's goes on with the step, or begins one."""
        if self.step is None:
            self.answering = None
            self.step = Step([], [], [])
            self.entries.append(self.step)
        self.step.turns.append(Turn("assistant", message, list(message.parts)))
        for part in message.parts:
            if isinstance(part, ToolCall) and part.executor == "client":
                slot = Slot(part, self.step)
                self.step.slots.append(slot)
                self.calls.setdefault(part.id, []).append(slot)

    def add_user(self, message: Message) -> None:
        """Results go to their calls; the rest of the message is the user's."""
        said: list[Any] = []
        for part in message.parts:
            if isinstance(part, ToolResult):
                self.add_result(part, message, said)
            else:
                said.append(part)
        if said or not message.parts:
            self.put(Turn("user", message, said))
        else:
            lose_rest(message, self.writing, "role", "parts")

    def add_result(self, part: ToolResult, message: Message, said: list[Any]) -> None:
        """Give a result to the earliest open call of its id in the latest step that has any:
        some servers give all calls of a step one id."""
        slots = self.calls.get(part.call_id, ())
        slot = first_open(slots)
        if slot is None:
            self.add_stray(part, said, bool(slots))
            return
        slot.result = part
        slot.step.answered.append(slot)
        if slot.step in (self.step, self.answering):
            self.step, self.answering = None, slot.step
            slot.step.results_from = slot.step.results_from or message
            self.moves.past(part, said, message)
        else:
            self.late += 1
            between = self.entries[self.entries.index(slot.step) + 1 :]
            self.moves.late(part, [*turns_of(between), *said], message)

    def add_stray(self, part: ToolResult, said: list[Any], answered: bool) -> None:
        """A second result is dropped; one without a call becomes text of the user's."""
        if answered:
            self.report.add("result.duplicate", part)
            return
        self.report.add("result.orphan", part)
        said.append(self.report.derive(orphan_text(part), part))
        said += [piece for piece in part.parts if isinstance(piece, Media)]

    def add_other(self, item: Value) -> None:
        """Context items have a place in their own format only."""
        if self.writing.owns(item) or getattr(item, "format", None) == self.writing.format:
            self.put(Turn("other", None, [item]))
        elif isinstance(item, ItemReference):
            raise ConversionError(
                self.report.path(item),
                "the history refers to an item that only the vendor's server holds",
                "Put the item itself in its place",
            )
        else:
            code = "element.opaque" if isinstance(item, Opaque) else "context.dropped"
            self.report.add(code, item)

    def put(self, turn: Turn) -> None:
        """Somebody else speaks: the step is over."""
        self.step = self.answering = None
        self.entries.append(turn)


def first_open(slots: Sequence[Slot]) -> Slot | None:
    """See `History.add_result`."""
    open_slots = [slot for slot in slots if slot.result is None]
    return next((slot for slot in open_slots if slot.step is open_slots[-1].step), None)


def turns_of(entries: list[Step | Turn]) -> list[Any]:
    """The source messages of entries."""
    turns = [
        turn for each in entries for turn in (each.turns if isinstance(each, Step) else [each])
    ]
    return [turn.message for turn in turns if turn.message is not None]


def orphan_text(part: ToolResult) -> Text:
    """The words for a result whose call is not in the history."""
    said = [
        piece.text if isinstance(piece, Text) else str(piece.value)
        for piece in part.parts
        if isinstance(piece, (Text, Json))
    ]
    return make(Text, {"text": "\n".join((NO_CALL, *said))})


def invented_result(slot: Slot) -> ToolResult:
    """The result of a call that has none."""
    text = make(Text, {"text": NOT_RECORDED})
    return make(ToolResult, {"call_id": slot.call.id, "parts": (text,), "is_error": True})


__all__ = ["History", "Slot", "Step", "Turn", "invented_result", "weight"]
