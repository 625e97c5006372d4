"""At most once: a call is claimed before it runs, and what came of it is recorded afterwards.

Where the ledger fails nobody knows whether the call ran before. It does not run, and its outcome is
unknown: of a failure the model would read that it may try once more.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any, Final

from toolbridge.checkpoint.ledger import recorded_in
from toolbridge.loop.outcomes import begun_before, not_begun, perhaps_begun
from toolbridge.loop.state import Job, Outcome
from toolbridge.loop.waiting import discard, from_thread
from toolbridge.parts import ToolResult
from toolbridge.signature import written

if TYPE_CHECKING:
    from toolbridge.checkpoint.ledger import Ledger
    from toolbridge.loop.work import Workplace

METHODS: Final = ("claim", "record", "recorded")
ERRORS: Final = (Exception, SystemExit, asyncio.CancelledError)
"""What the code of an app raises in a thread without ending anything else."""


def is_counted(job: Job, place: Workplace) -> bool:
    """Whether the ledger sees to a call: what only reads, or checks, may run as often as it is
    asked for."""
    reads = job.tool.stance.effect == "read"
    return place.ledger is not None and not job.check and not reads


def begin(job: Job, place: Workplace) -> Outcome | None:
    """Claim a call; None if it may run."""
    if place.cancel.cancelled:
        return not_begun(job)
    if place.ledger is None or not is_counted(job, place):
        return None
    try:
        if has_claimed(place.ledger, job.key):
            return None
    except ERRORS as error:
        return perhaps_begun(job, error)
    try:
        held = held_in(place.ledger, job.key)
    except ERRORS as error:
        return begun_before(job, error)
    if held is not None:
        return Outcome(held.replace(call_id=job.call.id), "recorded")
    return None if job.tool.stance.idempotent else begun_before(job)


def end(job: Job, place: Workplace, outcome: Outcome) -> Outcome:
    """Record what came of a call, a failure too: it has run. The error of a ledger that fails
    goes to the app, the call keeps its result."""
    if place.ledger is None or not is_counted(job, place):
        return outcome
    try:
        record(place.ledger, job.key, outcome.result)
    except ERRORS as error:
        error.__context__ = outcome.error
        return outcome._replace(error=error)
    return outcome


# --- what a ledger gives


def has_claimed(ledger: Any, call_key: str) -> bool:
    """Whether this was the first claim of a key. Raises TypeError where the ledger says neither
    True nor False: what merely counts as true, such as a coroutine, would let every call run."""
    given = ledger.claim(call_key)
    if isinstance(given, bool):
        return given
    raise is_no("claim", "True or False", given)


def held_in(ledger: Any, call_key: str) -> ToolResult | None:
    """What a ledger holds as the result of a call; None if nothing, or if it cannot tell. Raises
    TypeError for anything else."""
    given: Any = recorded_in(ledger, call_key)
    if given is None or isinstance(given, ToolResult):
        return given
    raise is_no("recorded", "a ToolResult or None", given)


def record(ledger: Any, call_key: str, result: ToolResult) -> None:
    """Let a ledger keep a result. Raises TypeError where that is still to be awaited."""
    given = ledger.record(call_key, result)
    if inspect.isawaitable(given):
        raise is_no("record", "nothing", given)


def is_no(method: str, right: str, given: Any) -> TypeError:
    """The error of a method that gives the wrong thing."""
    discard(given)
    return TypeError(f"{method} of the ledger gives {right}, not a {type(given).__name__}")


# --- ledgers for an event loop


def check_sync(ledger: Ledger | None) -> None:
    """Raise TypeError for a ledger with async methods, where there is no event loop for them."""
    for name in METHODS:
        method = getattr(ledger, name, None)
        if method is not None and inspect.iscoroutinefunction(written(method)):
            raise TypeError(
                f"{name} of the ledger is async, and its event loop does not run here: use arun, "
                "aresume, astream or aresume_stream, or give a ledger whose methods are not async"
            )


class LoopLedger:
    """A ledger as threads ask it: what its methods give to be awaited is awaited in the event
    loop of the run, where its connections are at home."""

    def __init__(self, ledger: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._ledger, self._loop = ledger, loop

    def claim(self, call_key: str) -> Any:
        """What the ledger says to a claim."""
        return self._come(self._ledger.claim(call_key))

    def record(self, call_key: str, result: ToolResult) -> Any:
        """Let the ledger keep a result."""
        return self._come(self._ledger.record(call_key, result))

    def recorded(self, call_key: str) -> Any:
        """What the ledger holds; None if it cannot tell."""
        return self._come(recorded_in(self._ledger, call_key))

    def _come(self, given: Any) -> Any:
        return from_thread(given, self._loop) if inspect.isawaitable(given) else given
