"""A history that grows, lowered in pieces: what is settled is not lowered again.

A piece begins with a step of calls and ends before the next. Nothing reaches across that border:
a result joins what the user says after it, and an answer that is left out joins what stands
around it, but a step of calls begins with words of the assistant's that stay. So only the last
piece changes when the history grows, unless a result comes late.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from itertools import pairwise

from toolbridge.lower.history import begin, join_results, lower_entries
from toolbridge.lower.lowering import Lowering, Marks
from toolbridge.lower.moves import Moves
from toolbridge.lower.turns import History, Step, Turn
from toolbridge.parts import ToolCall
from toolbridge.report import Section
from toolbridge.values import JSON, Value


class Unsure(Exception):
    """Nobody can say that a request comes out in pieces as it does as a whole."""


@dataclasses.dataclass(eq=False, slots=True)
class Piece:
    """Entries of a history from `first` to `end`, as they were when there were `size` messages
    and results in them; the messages and the JSON that they became, and what was reported when
    they were lowered, when the history was begun with them, and when they were written."""

    first: int
    end: int
    size: int
    before: Marks
    after: Marks
    messages: tuple[Value, ...] = ()
    json: list[JSON] = dataclasses.field(default_factory=list)
    lowered: Section = dataclasses.field(default_factory=Section)
    begun: Section = dataclasses.field(default_factory=Section)
    written: Section = dataclasses.field(default_factory=Section)

    @property
    def sections(self) -> tuple[Section, Section, Section]:
        """All that was reported of it."""
        return self.lowered, self.begun, self.written


class GrowingHistory:
    """A history that items are added to, in `pieces`; those that are settled may be taken out.
    `collected` is what adding them reported. `owner` is the request that the history is of."""

    def __init__(self, lowering: Lowering, owner: Value) -> None:
        self.lowering = lowering
        self.moves = Moves(lowering.report, owner, "history", turns_merge=False)
        self.history = History(lowering.writing, self.moves)
        self.collected = Section()
        self.pieces: list[Piece] = []
        self.run_by_vendor: set[str] = set()

    def add(self, items: Iterable[Value]) -> None:
        """More items. Raises Unsure where one of them changes what is settled."""
        self.lowering.report.section = self.collected
        settled, late = bool(self.history.entries), self.history.late
        for item in items:
            self.history.add(item)
        if settled and self.history.late > late:
            raise Unsure

    def lower(self, item: Value) -> list[Piece]:
        """Lower what is new, and the last piece again if it changed; gives these pieces. `item`
        is the first of the history. Raises Unsure where there is nothing to lower."""
        entries = self.history.entries
        if not entries:
            raise Unsure
        last = self.pieces[-1] if self.pieces else None
        first = 0 if last is None else last.first
        borders = [first, *cut(entries, first)]
        if last is not None:
            same_end = last.end == borders[1]
            if same_end and last.size == size_of(entries[first : last.end]):
                self.lowering.rewind(last.after)
                del borders[0]
            else:
                self.take_back(self.pieces.pop())
        made = [self.lower_piece(start, end, item) for start, end in pairwise(borders)]
        if self.run_by_vendor and self.lowering.ids.shares(self.run_by_vendor):
            raise Unsure  # results of one id may be written by the call that has it
        self.pieces += made
        return made

    def lower_piece(self, first: int, end: int, item: Value) -> Piece:
        """The piece of some entries, not yet written."""
        lowering, entries = self.lowering, self.history.entries[first:end]
        before = lowering.mark()
        piece = Piece(first, end, size_of(entries), before, before)
        lowering.report.section = piece.lowered
        made = lower_entries(lowering, entries, self.moves)
        if first == 0:
            lowering.report.section = piece.begun
            begin(lowering, item, entries[0], made, self.moves)
        piece.messages = join_results(lowering, made)
        piece.after = lowering.mark()
        self.run_by_vendor |= vendor_calls(piece.messages)
        return piece

    def take_back(self, piece: Piece) -> None:
        """Undo what a piece did."""
        self.lowering.rewind(piece.before)
        for section in piece.sections:
            self.lowering.report.drop(section)


def cut(entries: Sequence[Step | Turn], first: int) -> list[int]:
    """Where the pieces end, the first of which begins at `first`. The first step of the history
    stays with what stands before it: one message by itself may be written otherwise."""
    starts = [index for index in range(first, len(entries)) if has_calls(entries[index])]
    return [*starts[1:], len(entries)]


def has_calls(entry: Step | Turn) -> bool:
    """Whether an entry is a step of calls."""
    return isinstance(entry, Step) and bool(entry.slots)


def size_of(entries: Iterable[Step | Turn]) -> int:
    """How many messages and results were collected into entries."""
    steps = [entry for entry in entries if isinstance(entry, Step)]
    return sum(len(step.turns) + len(step.answered) for step in steps)


def vendor_calls(messages: Iterable[Value]) -> set[str]:
    """The ids of calls that a vendor ran: they are not mapped, so that others may have them."""
    parts = [part for message in messages for part in getattr(message, "parts", ())]
    return {part.id for part in parts if isinstance(part, ToolCall) and part.executor == "vendor"}
