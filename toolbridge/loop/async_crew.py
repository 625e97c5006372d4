"""The calls of a run in an event loop: async functions in tasks, all others in threads."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import Any

from toolbridge.loop.at_most_once import LoopLedger
from toolbridge.loop.outcomes import unknown
from toolbridge.loop.roster import GRACE, Assignment, BaseCrew, Timer
from toolbridge.loop.state import Cancelled, Job, Outcome
from toolbridge.loop.waiting import soon
from toolbridge.loop.work import Workplace, acarry_out, is_async


class AsyncCrew(BaseCrew):
    """Runs calls in the event loop in which it is made, by the clock of that loop."""

    def __init__(self, place: Workplace) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._woken = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        if place.ledger is not None:
            place = dataclasses.replace(place, ledger=LoopLedger(place.ledger, self._loop))
        super().__init__(place)
        self._alarm: Timer | None = None
        if place.deadline is not None:
            self._alarm = self._loop.call_at(place.deadline, self._ring)

    async def perform(self, jobs: Iterable[Job]) -> AsyncGenerator[None]:
        """Run calls; yields whenever there may be something to tell, and `outcomes` has what
        came of them in the end. Raises as Crew.perform does."""
        cut = False
        self._take(jobs)
        while not self._is_done(cut):
            if self.over and not cut:
                cut = True
                self._stop_all()
                continue
            await self._woken.wait()
            self._woken.clear()
            self._raise_broken()
            yield
        self._raise_broken()
        if cut:
            raise Cancelled(self.finished, self.why)

    @property
    def outcomes(self) -> list[Outcome]:
        """What came of the latest calls, in order."""
        return self._outcomes()

    async def stop(self) -> None:
        """End all calls, wait as `end` does, and run no others."""
        self._close()
        await self.end()

    async def end(self) -> dict[str, Outcome]:
        """As Crew.end does."""
        self._stop_all()
        while len(self._roster):
            await self._woken.wait()
            self._woken.clear()
        return self.finished

    async def close(self) -> None:
        """End all calls, and give async functions a moment to clean up."""
        self._close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=GRACE)

    def _ring(self) -> None:
        """The deadline has come."""
        if not self.over:
            self._due = True
        self._woken.set()

    def _close(self) -> None:
        self._closed = True
        self._forget()
        if self._alarm is not None:
            self._alarm.cancel()
        self._stop_all()
        self._workers.close()

    def _now(self) -> float:
        return self._loop.time()

    def _launch(self, assignment: Assignment) -> None:
        if not is_async(assignment.job.tool.function):
            super()._launch(assignment)
            return
        task = self._loop.create_task(self._attend(assignment), context=assignment.context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _attend(self, assignment: Assignment) -> None:
        """Run a call to its end, in a task."""
        try:
            outcome = await acarry_out(assignment.job, assignment.place)
        except BaseException:  # the loop itself is being ended
            job = assignment.job
            self._settle(assignment, unknown(job, "cancelled", None))
            raise
        self._ended(assignment, outcome)

    def _publish(self, assignment: Assignment, outcome: Outcome) -> None:
        if threading.get_ident() == self._thread:
            super()._publish(assignment, outcome)
        else:
            soon(self._loop, super()._publish, assignment, outcome)

    def _after(self, seconds: float, function: Callable[[], Any]) -> Timer:
        return self._loop.call_later(seconds, function)

    def _wake(self) -> None:
        if threading.get_ident() == self._thread:
            self._woken.set()
        else:
            soon(self._loop, self._woken.set)
