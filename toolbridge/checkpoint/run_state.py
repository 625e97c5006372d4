"""The state of a run, as a value: what is kept while it waits, for days and in any database.

It is complete: with the tools and the options that are no JSON (`needs`), the run goes on from it
in another process as it would have here.
"""

from __future__ import annotations

from itertools import takewhile
from typing import ClassVar

from toolbridge.checkpoint.questions import Question
from toolbridge.loss import Loss
from toolbridge.parts import ToolResult
from toolbridge.request import Message, Request
from toolbridge.response import Response
from toolbridge.values import JSON, Value, value

VERSION = 1
"""Of what a state holds. A newer one is refused, every older one stays readable."""


@value
class Settled(Value):
    """A call that has its result: its place among the calls of its answer that the app must
    answer, and how the result came about. `edited` are the arguments that a person gave in place
    of the model's."""

    json_fields: ClassVar = frozenset({"edited"})

    place: int
    result: ToolResult
    outcome: str
    edited: JSON = None


@value
class SavedStep(Value):
    """An answer with the results of its calls, and what the loop said after them. `losses` are
    those of its request, told by how they differ from those of the step before (`coded`)."""

    json_fields: ClassVar = frozenset({"losses"})

    response: Response
    settled: tuple[Settled, ...] = ()
    losses: JSON = ()
    said: tuple[Message, ...] = ()


@value
class RunState(Value):
    """A run as it stands.

    `model` is `<format>/<model id>`. `request` holds the settings, the tools and the history with
    which the run began; what came after is in `steps`. `open` is the last answer if its calls
    have no results yet but those settled, `questions` are what it waits for. `stop_reason` says
    why it stands still. `options` are those of the run that are JSON, `needs` the names of those
    that must be given again.
    """

    json_fields: ClassVar = frozenset({"options", "needs"})

    version: int
    run_id: str
    model: str
    request: Request
    steps: tuple[SavedStep, ...] = ()
    open: SavedStep | None = None
    questions: tuple[Question, ...] = ()
    stop_reason: str | None = None
    options: JSON = None
    needs: JSON = ()


def coded(before: tuple[Loss, ...], now: tuple[Loss, ...]) -> JSON:
    """Losses as a state keeps them: each request carries what those before it lost, so a step
    tells how many are the same at both ends, and the others as lists of the fields of Loss."""
    if not now:
        return ()
    first = alike(before, now)
    last = alike(before[first:][::-1], now[first:][::-1])
    new = [list(loss) for loss in now[first : len(now) - last]]
    return {"first": first, "last": last, "new": new}


def alike(left: tuple[Loss, ...], right: tuple[Loss, ...]) -> int:
    """How many losses are the same from the beginning."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1] or pair[0] == pair[1], pairs))


def uncoded(before: tuple[Loss, ...], code: JSON) -> tuple[Loss, ...]:
    """The inverse of `coded`."""
    if not code:
        return ()
    new = tuple(Loss(*loss) for loss in code["new"])
    return before[: code["first"]] + new + before[len(before) - code["last"] :]
