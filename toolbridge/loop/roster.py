"""The calls of a run at work, whatever runs them: which may begin, how each ends, exactly once.

`toolbridge.loop.crew` runs them in threads, `toolbridge.loop.async_crew` in an event loop.
"""

from __future__ import annotations

import abc
import contextvars
import dataclasses
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Literal, Protocol

from toolbridge.loop.outcomes import Reason, failed, not_begun, perhaps_begun, unknown
from toolbridge.loop.state import Finished, Job, Outcome
from toolbridge.loop.work import CallToken, Workplace, carry_out, is_async
from toolbridge.loop.workers import Workers, tell_nobody

GRACE = 1.0
"""Seconds in which an async function that was stopped may clean up; then it is left to itself."""


class Timer(Protocol):
    """Something that happens later, unless it is cancelled."""

    def cancel(self) -> None:
        """Let it not happen."""
        ...


@dataclasses.dataclass(eq=False)
class Assignment:
    """A call on its way: `began` by the crew's clock, then its `outcome`. `token` is what the
    function hears, `context` are the context variables of whoever asked for the call."""

    job: Job
    token: CallToken
    place: Workplace
    context: contextvars.Context
    began: float | None = None
    settled: bool = False
    outcome: Outcome | None = None
    timer: Timer | None = None


class Roster:
    """The calls that have not ended, in order, and which of them may begin: at most so many at a
    time, those of a lane in turn, an exclusive one when all before it have ended and before all
    after it."""

    def __init__(self, at_a_time: int) -> None:
        self._at_a_time = at_a_time
        self._open: dict[Assignment, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Assignment]:
        return iter([*self._open])

    def add(self, assignment: Assignment) -> None:
        """Put a call at the end."""
        self._open[assignment] = None

    def remove(self, assignment: Assignment) -> None:
        """A call has ended."""
        self._open.pop(assignment, None)

    def ready(self) -> list[Assignment]:
        """The calls that may begin now."""
        found: list[Assignment] = []
        lanes: set[str] = set()
        free = self._at_a_time - sum(each.began is not None for each in self._open)
        for place, each in enumerate(self._open):
            if len(found) >= free:
                break
            handling = each.job.tool.handling
            alone = handling.exclusive and not each.job.check
            lane = None if each.job.check else handling.lane(each.job.tool.name)
            waits = (alone and place > 0) or lane in lanes
            if each.began is None and not waits:
                found.append(each)
            if alone:
                break
            if lane is not None:
                lanes.add(lane)
        return found


class BaseCrew(abc.ABC):
    """What both crews have in common. A call ends by itself, by its timeout, or because the run
    is over; the first of them counts, and what its function gives later is `late`."""

    def __init__(self, place: Workplace) -> None:
        self._place = place
        self._lock = threading.RLock()
        self._roster = Roster(place.max_parallel)
        self._workers = Workers()
        self._started: dict[str, Assignment] = {}
        self._latest: list[Assignment] = []
        self._broken: BaseException | None = None
        self._closed = self._due = self._over = False
        self._forget = place.cancel.on_cancel(self._wake)

    @property
    def over(self) -> bool:
        """Whether the run is to end: cancelled, at its deadline, or left by whoever reads it."""
        if not self._over:
            ended = self._closed or self._place.cancel.cancelled
            self._due = not ended and (self._due or self._place.left(self._now()) == 0)
            self._over = ended or self._due
        return self._over

    @property
    def why(self) -> Literal["timeout"] | None:
        """Whether the run is over because its time is: the first reason counts."""
        return "timeout" if self.over and self._due else None

    @property
    def finished(self) -> dict[str, Outcome]:
        """What came of the calls of the latest Perform and of those that were started before
        theirs, by their keys. Checks have the keys of their calls, and are left out."""
        known = [*self._latest, *self._started.values()]
        return {
            each.job.key: each.outcome
            for each in known
            if each.outcome is not None and not each.job.check
        }

    def start(self, job: Job) -> None:
        """Begin a call as soon as it may; a later Perform that names it has its outcome."""
        self._started[job.key] = self._assign(job)
        self._begin()

    def give_up(self, jobs: Iterable[Job]) -> dict[str, Outcome]:
        """The outcomes of calls after the run is over: of those that had begun what came of
        them, the others did not run."""
        self._take(jobs)
        self._stop_all()
        return self.finished

    # --- how a call goes through

    def _take(self, jobs: Iterable[Job]) -> None:
        """Make these calls the latest; one that was started is not begun again."""
        self._latest = [self._found(job) or self._assign(job) for job in jobs]
        self._begin()

    def _found(self, job: Job) -> Assignment | None:
        """The call if it was started before."""
        return None if job.check or job.key not in self._started else self._started.pop(job.key)

    def _assign(self, job: Job) -> Assignment:
        """Put a call on the roster."""
        token = CallToken(self._place.cancel)
        made = Assignment(job, token, self._place, contextvars.copy_context())
        made.place = dataclasses.replace(self._place, watch=partial(self._hear, made), cancel=token)
        with self._lock:
            self._roster.add(made)
        return made

    def _begin(self) -> None:
        """Begin the calls that may."""
        with self._lock:
            if self.over:
                return
            for each in self._roster.ready():
                if each.began is not None:
                    continue
                each.began = self._now()
                limit = self._place.limit(each.job)
                try:
                    self._launch(each)
                except RuntimeError as error:  # the system gives no more threads
                    self._settle(each, failed(each.job, error))
                    continue
                if limit is not None:
                    each.timer = self._after(limit, partial(self._stop, each, "timeout"))

    def _run(self, assignment: Assignment) -> None:
        """Run a call, in a thread, to its end."""
        try:
            outcome = assignment.context.run(carry_out, assignment.job, assignment.place)
        except BaseException as error:  # in a thread, no interrupt of the user's arrives here
            outcome = perhaps_begun(assignment.job, error)
        self._ended(assignment, outcome)

    def _ended(self, assignment: Assignment, outcome: Outcome) -> None:
        """A function has come to its end, in time or too late."""
        if self._settle(assignment, outcome):
            return
        try:
            self._place.late(assignment.job, outcome)
        except Exception as error:  # the app's own code, and nobody waits for it
            tell_nobody(error)

    def _settle(self, assignment: Assignment, outcome: Outcome) -> bool:
        """Give a call its outcome, unless it has one; tells whoever watches."""
        with self._lock:
            if assignment.settled:
                return False
            assignment.settled = True
        assignment.token.release()
        if assignment.began is not None:
            outcome = outcome._replace(seconds=self._now() - assignment.began)
        if not assignment.job.check:
            event = Finished(assignment.job.call, outcome.result, outcome.error)
            self._tell(event)
        self._publish(assignment, outcome)
        return True

    def _publish(self, assignment: Assignment, outcome: Outcome) -> None:
        """Let the outcome be seen, and others begin."""
        with self._lock:
            assignment.outcome = outcome
            self._roster.remove(assignment)
            if assignment.timer is not None:
                assignment.timer.cancel()
            self._begin()
        self._wake()

    def _stop(self, assignment: Assignment, reason: Reason) -> None:
        """End a call before its end, as far as it can be."""
        try:
            assignment.token.stop(reason)
        except Exception as error:  # callbacks are the app's own code
            self._broken = self._broken or error
        with self._lock:
            if assignment.settled:
                return
            if assignment.timer is not None:
                assignment.timer.cancel()
            left = partial(unknown, assignment.job, reason, self._place.limit(assignment.job))
            if assignment.began is not None and is_async(assignment.job.tool.function):
                assignment.timer = self._after(GRACE, lambda: self._settle(assignment, left()))
                return
        begun = assignment.began is not None
        self._settle(assignment, left() if begun else not_begun(assignment.job))

    def _stop_all(self) -> None:
        """End all calls."""
        for each in self._roster:
            self._stop(each, "cancelled")

    def _is_done(self, cut: bool) -> bool:
        """Whether all calls of the latest Perform have their outcomes; where the run is cut
        short, also those that were started for another."""
        if cut:
            return not len(self._roster)
        return all(each.outcome is not None for each in self._latest)

    def _outcomes(self) -> list[Outcome]:
        """The outcomes of the latest Perform, in order."""
        return [each.outcome for each in self._latest if each.outcome is not None]

    # --- whoever watches

    def _hear(self, assignment: Assignment, event: Any) -> None:
        """Pass on what a call says, until it is over."""
        if not assignment.settled:
            self._tell(event)

    def _tell(self, event: Any) -> None:
        """Tell whoever watches; what that raises ends the run."""
        try:
            self._place.watch(event)
        except BaseException as error:  # also an interrupt: the run ends by it
            self._broken = self._broken or error
        self._wake()

    def _raise_broken(self) -> None:
        """Raise what whoever watches raised."""
        if self._broken is not None:
            raise self._broken

    # --- what threads and event loops do in their own ways

    @abc.abstractmethod
    def _now(self) -> float:
        """The time, in seconds."""

    def _launch(self, assignment: Assignment) -> None:
        """Run a call, and go on."""
        self._workers.run(partial(self._run, assignment))

    @abc.abstractmethod
    def _after(self, seconds: float, function: Callable[[], Any]) -> Timer:
        """Call a function later."""

    @abc.abstractmethod
    def _wake(self) -> None:
        """Let whoever waits for the calls look again. Called from any thread."""
