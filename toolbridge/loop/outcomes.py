"""What may come of a call, in words for the model where it did not come to its end."""

from __future__ import annotations

from typing import Literal

from toolbridge.loop.results import failure_of, refuse
from toolbridge.loop.state import Job, Outcome

Reason = Literal["timeout", "cancelled"]
"""Why a call is ended before its end."""

LOOK_FIRST = "Check what was done before you try again."


def failed(job: Job, error: BaseException) -> Outcome:
    """The function raised."""
    return Outcome(failure_of(job.call, error), "error", error=error)


def not_begun(job: Job) -> Outcome:
    """The run was cancelled before the call began."""
    what = f"The run was cancelled before {job.call.name} began: it did not run."
    return Outcome(refuse(job.call, what, "Ask before you try again."), "cancelled")


def stopped(job: Job, reason: Reason, limit: float | None) -> Outcome:
    """An async function was stopped on its way. `limit` is the timeout, in seconds."""
    what = f"{job.call.name} was stopped: {why(reason, limit)}. What it had done by then may stand."
    return Outcome(refuse(job.call, what, LOOK_FIRST), reason)


def unknown(job: Job, reason: Reason, limit: float | None) -> Outcome:
    """A function that cannot be stopped was left to itself."""
    said = why(reason, limit)
    what = f"The outcome of {job.call.name} is unknown, it may still complete: {said}."
    return Outcome(refuse(job.call, what, LOOK_FIRST), "unknown")


def why(reason: Reason, limit: float | None) -> str:
    """Why a call was ended, in words."""
    if reason == "cancelled" or limit is None:
        return "the run was cancelled"
    return f"it took longer than {limit:g} s"


def begun_before(job: Job, error: BaseException | None = None) -> Outcome:
    """Somebody claimed the call before, and recorded nothing, or nothing that can be read."""
    return undone_or_done(job, "it began before", error)


def perhaps_begun(job: Job, error: BaseException) -> Outcome:
    """Whoever is to know whether a call was begun fails."""
    return undone_or_done(job, "it may have begun", error)


def undone_or_done(job: Job, why: str, error: BaseException | None) -> Outcome:
    """Nobody knows whether a call was done. `error` is for the app alone."""
    what = (
        f"The outcome of {job.call.name} is unknown: {why}, and nobody knows whether it was done."
    )
    mend = "Check whether it was done before you try again."
    return Outcome(refuse(job.call, what, mend), "unknown", error=error)
