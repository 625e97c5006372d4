"""What stands elsewhere, or more, than in the source: the losses of order and of place.

An element that moved is missing at its old place and new at another. So it is reported twice:
where it stood, and at the list that it is new in.
"""

from __future__ import annotations

from typing import Any

from toolbridge.report import Report
from toolbridge.request import Message
from toolbridge.values import Value


def weight(item: Any) -> int:
    """How much a value holds: of two that changed places the lighter one is said to move."""
    if isinstance(item, Value):
        return 1 + sum(weight(member) for member in item.set_fields().values())
    if isinstance(item, (tuple, list)):
        return sum(map(weight, item))
    if isinstance(item, dict):
        return sum(map(weight, item.values()))
    return 1


class Moves:
    """Reports moves within one history: the list `field` of `owner`. `turns_merge` says that
    messages of one role next to each other are one turn in the source."""

    def __init__(self, report: Report, owner: Value, field: str, turns_merge: bool) -> None:
        self.report = report
        self.owner, self.field = owner, field
        self.turns_merge = turns_merge

    def past(self, result: Value, said: list[Any], message: Message) -> None:
        """A result stands after other parts of its message: it goes before them."""
        if said:
            lighter = said if weight(said) <= weight(result) else [result]
            for item in lighter:
                self.moved("result.moved", item, message)

    def late(self, result: Value, between: list[Any], message: Message) -> None:
        """A result came after something else was said: it goes to its call."""
        lighter = between if between and weight(between) <= weight(result) else [result]
        for item in lighter:
            self.moved("result.moved", item, None)

    def moved(self, code: str, item: Value, message: Message | None) -> None:
        """An element stands elsewhere in its message, or in the history."""
        self.report.add(code, item)
        self.added("order.changed", message)

    def joined(self, before: Message, after: Message) -> None:
        """Two messages become one: the parts of the lighter are new in the other."""
        first = weight(before) < weight(after)
        lighter, other = (before, after) if first else (after, before)
        self.report.add("message.joined", lighter)
        for _ in lighter.parts:
            self.report.add("order.changed", other, "parts")

    def added(self, code: str, message: Message | None, detail: str = "") -> None:
        """An element is new in a message, or in the history where turns do not merge."""
        if message is not None:
            self.report.add(code, message, "parts", detail)
        else:
            self.report.add(code, self.owner, self.field, detail)
