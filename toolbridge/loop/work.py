"""Running one call: at most once, with retries where its tool asks for them, and whatever comes
of it as one outcome. Limits of time and number are the crew's (`toolbridge.loop.roster`)."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import inspect
import random
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from toolbridge.app_tools import CancelToken, Context
from toolbridge.errors import ToolError
from toolbridge.loop.at_most_once import begin, end, is_counted
from toolbridge.loop.outcomes import Reason, failed, not_begun, stopped
from toolbridge.loop.results import result_of
from toolbridge.loop.state import Finished, Job, Outcome, Progress
from toolbridge.loop.waiting import in_thread, stoppable
from toolbridge.signature import written

if TYPE_CHECKING:
    from toolbridge.checkpoint.ledger import Ledger

Watch = Callable[[Any], None]


def unheard(job: Job, outcome: Outcome) -> None:
    """Nobody wants to know what came of a call too late."""


@dataclasses.dataclass(frozen=True)
class Workplace:
    """What all calls of a run share.

    `data` is the app's, `watch` gets what happens, `cancel` ends the run. The `ledger` lets no
    call run twice. At most `max_parallel` calls run at a time, each for `timeout` seconds where
    its tool names no other number; at `deadline`, by the clock of the event loop or
    time.monotonic, the run ends. `late` gets the outcome of a call whose result was told without
    it, from any thread; what it raises goes to threading.excepthook. `random` gives numbers from
    0 to 1 for the jitter of retries.
    """

    data: Any
    watch: Watch
    cancel: CancelToken
    ledger: Ledger | None = None
    max_parallel: int = 8
    timeout: float | None = None
    deadline: float | None = None
    late: Callable[[Job, Outcome], None] = unheard
    random: Callable[[], float] = random.random

    def left(self, now: float) -> float | None:
        """The seconds until the run ends; None where it may go on for ever."""
        return None if self.deadline is None else max(0.0, self.deadline - now)

    def limit(self, job: Job) -> float | None:
        """The seconds that a call may take."""
        own = job.tool.handling.timeout
        return self.timeout if own is None else own


class CallToken(CancelToken):
    """What one call hears: that the run was cancelled, or that its own time is over."""

    def __init__(self, run: CancelToken) -> None:
        super().__init__()
        self.reason: Reason = "cancelled"
        self._run = run
        self.release = run.on_cancel(partial(self.stop, "cancelled"))

    def cancel(self) -> None:
        """Cancel the run."""
        self._run.cancel()

    def stop(self, reason: Reason) -> None:
        """End this call alone."""
        if not self.cancelled:
            self.reason = reason
        super().cancel()


def work(job: Job, place: Workplace) -> Outcome:
    """Run a call here and now, to its end, in a thread without an event loop; an async function
    gets one. Tells whoever watches."""
    return told(job, place, carry_out(job, place))


async def awork(job: Job, place: Workplace) -> Outcome:
    """The same for an async function in the event loop that runs."""
    return told(job, place, await acarry_out(job, place))


def told(job: Job, place: Workplace, outcome: Outcome) -> Outcome:
    """Tell whoever watches of the end of a call."""
    if not job.check:
        place.watch(Finished(job.call, outcome.result, outcome.error))
    return outcome


def carry_out(job: Job, place: Workplace) -> Outcome:
    """Run a call, unless it ran before, and record what came of it."""
    began = time.monotonic()
    before = begin(job, place)
    outcome = end(job, place, attempts(job, place)) if before is None else before
    return outcome._replace(seconds=time.monotonic() - began)


async def acarry_out(job: Job, place: Workplace) -> Outcome:
    """The same in an event loop; the ledger is asked in a thread."""
    clock = asyncio.get_running_loop().time
    began = clock()
    if is_counted(job, place):
        before = await in_thread(partial(begin, job, place))
    else:
        before = begin(job, place)
    if before is not None:
        return before
    outcome = await aattempts(job, place)
    if is_counted(job, place):
        outcome = await in_thread(partial(end, job, place, outcome))
    return outcome._replace(seconds=clock() - began)


# --- one try after another


def attempts(job: Job, place: Workplace) -> Outcome:
    """Call the function, again where its tool says so and it can help."""
    retry = 0
    while not place.cancel.cancelled:
        try:
            return Outcome(result_of(job.call, called(job, place)), "ok")
        except BaseException as error:  # in a thread, no interrupt of the user's arrives here
            seconds = pause(job, place, retry, error)
            if seconds is None:
                return came_of(job, place, error)
        place.cancel.wait(seconds)
        retry += 1
    return cut(job, place) if retry else not_begun(job)


async def aattempts(job: Job, place: Workplace) -> Outcome:
    """The same for an async function, which can be stopped at any await."""
    retry = 0
    while not place.cancel.cancelled:
        try:
            given = await stoppable(value_of(start(job, place), job, place), place.cancel)
            return Outcome(result_of(job.call, given), "ok")
        except (Exception, SystemExit, asyncio.CancelledError) as error:
            if is_of_others(error, place):
                raise
            seconds = pause(job, place, retry, error)
            if seconds is None:
                return came_of(job, place, error)
        with contextlib.suppress(asyncio.CancelledError):
            await stoppable(asyncio.sleep(seconds), place.cancel)
        retry += 1
    return cut(job, place) if retry else not_begun(job)


def pause(job: Job, place: Workplace, retry: int, error: BaseException) -> float | None:
    """The seconds before a function is called again, after it raised; None if it is not. What a
    ToolError says is for the model to mend."""
    handling = job.tool.handling
    healing = isinstance(error, handling.heals) and not isinstance(error, ToolError)
    if handling.retries is None or not healing or place.cancel.cancelled:
        return None
    return handling.retries.delay(retry, place.random)


def came_of(job: Job, place: Workplace, error: BaseException) -> Outcome:
    """The outcome of a function that raised, or was stopped."""
    if isinstance(error, asyncio.CancelledError) and place.cancel.cancelled:
        return cut(job, place)
    return failed(job, error)


def cut(job: Job, place: Workplace) -> Outcome:
    """The outcome of a function that was stopped."""
    reason: Reason = place.cancel.reason if isinstance(place.cancel, CallToken) else "cancelled"
    return stopped(job, reason, place.limit(job))


def is_of_others(error: BaseException, place: Workplace) -> bool:
    """Whether somebody else cancels the task in which a tool runs: neither the run nor itself."""
    task = asyncio.current_task()
    cancelled = isinstance(error, asyncio.CancelledError) and not place.cancel.cancelled
    return cancelled and task is not None and task.cancelling() > 0


# --- the function itself


def is_async(function: Any) -> bool:
    """Whether a call of a function runs in an event loop."""
    called = written(function)
    return inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called)


def start(job: Job, place: Workplace) -> Any:
    """Call the function; arguments of a vendor's type that are no object are its one argument."""
    named: dict[str, Any] = {}
    if job.tool.context is not None:
        named[job.tool.context] = Context(
            call_id=job.call.id,
            call_key=job.key,
            data=place.data,
            cancel=place.cancel,
            progress=partial(report, job, place),
        )
    if isinstance(job.arguments, dict):
        return job.tool.function(**job.arguments, **named)
    return job.tool.function(job.arguments, **named)


def called(job: Job, place: Workplace) -> Any:
    """What the function gives, from a thread."""
    given = start(job, place)
    if inspect.isasyncgen(given) or inspect.isawaitable(given):
        return asyncio.run(stoppable(value_of(given, job, place), place.cancel))
    return last(given, job, place) if inspect.isgenerator(given) else given


async def value_of(given: Any, job: Job, place: Workplace) -> Any:
    """The value of an awaitable; of an async generator what it yields last, the rest is
    progress."""
    if not inspect.isasyncgen(given):
        return await given
    held: list[Any] = []
    async for value in given:
        held = [*report_all(held, job, place), value]
    return held[-1] if held else None


def last(generator: Any, job: Job, place: Workplace) -> Any:
    """What a generator returns, else what it yields last; the rest is progress."""
    held: list[Any] = []
    while True:
        try:
            value = next(generator)
        except StopIteration as done:
            if done.value is None:
                return held[-1] if held else None
            report_all(held, job, place)
            return done.value
        held = [*report_all(held, job, place), value]


def report_all(held: list[Any], job: Job, place: Workplace) -> list[Any]:
    """Report what turned out to be progress."""
    for value in held:
        report(job, place, value)
    return []


def report(job: Job, place: Workplace, value: Any) -> None:
    """Tell whoever watches what a tool says on its way."""
    if not job.check:
        place.watch(Progress(job.call, value))
