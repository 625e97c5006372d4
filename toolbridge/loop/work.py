"""Running one call: the function with its arguments, and whatever comes of it as one result."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import inspect
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from toolbridge.app_tools import CancelToken, Context
from toolbridge.loop.results import failure_of, result_of
from toolbridge.loop.state import Finished, Job, Progress
from toolbridge.parts import ToolResult
from toolbridge.signature import written

Watch = Callable[[Any], None]


@dataclasses.dataclass(frozen=True)
class Workplace:
    """What all calls of a run share: the app's data, who watches, whether somebody waits."""

    data: Any
    watch: Watch
    cancel: CancelToken


def work(job: Job, place: Workplace) -> ToolResult:
    """Run a call here and now, in a thread of its own; an async function gets an event loop."""
    try:
        given = start(job, place)
        if inspect.isasyncgen(given):
            given = asyncio.run(last_async(given, job, place))
        elif inspect.isawaitable(given):
            given = asyncio.run(waited(given))
        elif inspect.isgenerator(given):
            given = last(given, job, place)
        result = result_of(job.call, given)
    except BaseException as error:  # in a thread, no interrupt of the user's arrives here
        result = failure_of(job.call, error)
    place.watch(Finished(job.call, result))
    return result


async def awork(job: Job, place: Workplace, executor: Executor) -> ToolResult:
    """The same in an event loop: an async function here, any other in a thread."""
    function = job.tool.function
    if not is_async(function):
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(executor, lambda: context.run(work, job, place))
    try:
        given = start(job, place)
        if inspect.isasyncgen(given):
            given = await last_async(given, job, place)
        else:
            given = await given
        result = result_of(job.call, given)
    except (Exception, SystemExit) as error:
        result = failure_of(job.call, error)
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        result = failure_of(job.call, error)
    place.watch(Finished(job.call, result))
    return result


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
            progress=lambda value: place.watch(Progress(job.call, value)),
        )
    if isinstance(job.arguments, dict):
        return job.tool.function(**job.arguments, **named)
    return job.tool.function(job.arguments, **named)


def last(generator: Any, job: Job, place: Workplace) -> Any:
    """What a generator returns, else what it yields last; the rest is progress."""
    held: list[Any] = []
    while True:
        try:
            value = next(generator)
        except StopIteration as done:
            return shown(held, job, place, done.value)
        held = [*report_all(held, job, place), value]


async def last_async(generator: Any, job: Job, place: Workplace) -> Any:
    """What an async generator yields last; the rest is progress."""
    held: list[Any] = []
    async for value in generator:
        held = [*report_all(held, job, place), value]
    return shown(held, job, place, None)


def report_all(held: list[Any], job: Job, place: Workplace) -> list[Any]:
    """Report what turned out to be progress."""
    for value in held:
        place.watch(Progress(job.call, value))
    return []


def shown(held: list[Any], job: Job, place: Workplace, returned: Any) -> Any:
    """The result: what was returned, else what was yielded last."""
    if returned is not None:
        report_all(held, job, place)
        return returned
    return held[-1] if held else None


async def waited(given: Any) -> Any:
    """The value of an awaitable."""
    return await given
