"""The drivers of the loop: `run` for threads, `arun` for an event loop. No logic of their own."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from toolbridge.app_tools import CancelToken
from toolbridge.loop.conversation import conversation
from toolbridge.loop.exchange import exchange
from toolbridge.loop.plan import Messages, Options, Tools, make_plan
from toolbridge.loop.state import Job, Perform, Run, Wait
from toolbridge.loop.work import Watch, Workplace, awork, work
from toolbridge.model import Model, as_model
from toolbridge.parts import ToolResult
from toolbridge.request import Message
from toolbridge.transport import Call, Transport, TransportError

Steps = Generator[Any, Any, Run]


def nobody(event: Any) -> None:
    """Nobody watches."""


def run(
    model: str | Model,
    messages: Messages,
    *,
    tools: Tools = (),
    system: str | Message | None = None,
    output: Any = None,
    data: Any = None,
    max_steps: int = 20,
    max_parallel: int = 8,
    cancel: CancelToken | None = None,
    watch: Watch = nobody,
    format: str | None = None,
    **settings: Any,
) -> Run:
    """Ask a model, run the calls of its answer, hand back the results, until no call is left.

    `model` is `<format>/<model id>` or a Model. `messages` is text, a list of text, canonical
    messages and vendors' dicts (with `format`), or a Run to go on with. `tools` are functions,
    Tools, or specs without a function: a call of those ends the run as `unhandled_call`.
    `output` is a type for the last answer: a pydantic model, a dataclass, anything pydantic
    takes. `data` reaches the tools in their Context. `max_steps` counts answers of the model,
    `max_parallel` the calls of a step that run at a time, each in a thread. `watch` gets
    Answered, Progress and Finished events as they come, from any thread. `settings` are fields
    of Request, such as output_limit or temperature.

    Blocks until the end; in a running event loop use `arun`. Raises VendorError, MissingKeyError,
    MissingSDKError, ToolDefinitionError. A tool that fails raises nothing: the model is told.
    """
    options = Options(tools, system, output, max_steps, max_parallel, format, settings)
    place = Workplace(data, watch, cancel or CancelToken())
    with opened(as_model(model), messages, options, place) as (steps, transport, executor):
        return drive(steps, partial(act, transport, place, executor))


async def arun(
    model: str | Model,
    messages: Messages,
    *,
    tools: Tools = (),
    system: str | Message | None = None,
    output: Any = None,
    data: Any = None,
    max_steps: int = 20,
    max_parallel: int = 8,
    cancel: CancelToken | None = None,
    watch: Watch = nobody,
    format: str | None = None,
    **settings: Any,
) -> Run:
    """The same as `run` in an event loop: async tools run in it, the others in threads."""
    options = Options(tools, system, output, max_steps, max_parallel, format, settings)
    place = Workplace(data, watch, cancel or CancelToken())
    async with aopened(as_model(model), messages, options, place) as (steps, transport, executor):
        return await adrive(steps, partial(aact, transport, place, executor, max_parallel))


Opened = tuple[Steps, Transport, Executor]


@contextlib.contextmanager
def opened(
    model: Model, messages: Messages, options: Options, place: Workplace, ask: Any = exchange
) -> Generator[Opened]:
    """A conversation and what it needs. Whatever ends it early tells the tools still at work."""
    plan = make_plan(model, messages, options)
    transport = model.open(asynchronous=False)
    executor = ThreadPoolExecutor(options.max_parallel, thread_name_prefix="toolbridge")
    try:
        yield conversation(plan, partial(ask, model), place.watch), transport, executor
    except BaseException:
        place.cancel.cancel()
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        transport.close()


@contextlib.asynccontextmanager
async def aopened(
    model: Model, messages: Messages, options: Options, place: Workplace, ask: Any = exchange
) -> AsyncGenerator[Opened]:
    """The same in an event loop."""
    plan = make_plan(model, messages, options)
    transport = model.open(asynchronous=True)
    executor = ThreadPoolExecutor(options.max_parallel, thread_name_prefix="toolbridge")
    try:
        yield conversation(plan, partial(ask, model), place.watch), transport, executor
    except BaseException:
        place.cancel.cancel()
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        await transport.aclose()


def drive(steps: Steps, do: Callable[[Any], Any]) -> Run:
    """Do what the conversation asks for until it is over."""
    resume: Callable[[], Any] = partial(next, steps)
    while True:
        try:
            action = resume()
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        try:
            resume = partial(steps.send, do(action))
        except TransportError as error:
            resume = partial(steps.throw, error)


async def adrive(steps: Steps, do: Callable[[Any], Awaitable[Any]]) -> Run:
    """The same in an event loop."""
    resume: Callable[[], Any] = partial(next, steps)
    while True:
        try:
            action = resume()
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        try:
            resume = partial(steps.send, await do(action))
        except TransportError as error:
            resume = partial(steps.throw, error)


def act(
    transport: Transport, place: Workplace, executor: Executor, action: Call | Wait | Perform
) -> Any:
    """Send a call; run calls of tools together, each in a thread with the caller's context."""
    if isinstance(action, Call):
        return transport.send(action)
    if isinstance(action, Wait):
        return time.sleep(action.seconds)
    waiting = [submit(executor, job, place) for job in action.jobs]
    return [each.result() for each in waiting]


def submit(executor: Executor, job: Job, place: Workplace) -> Future[ToolResult]:
    """Run a call in a thread with the caller's context."""
    return executor.submit(contextvars.copy_context().run, work, job, place)


async def aact(
    transport: Transport,
    place: Workplace,
    executor: Executor,
    at_a_time: int,
    action: Call | Wait | Perform,
) -> Any:
    """The same in an event loop."""
    if isinstance(action, Call):
        return await transport.asend(action)
    if isinstance(action, Wait):
        return await asyncio.sleep(action.seconds)
    free = asyncio.Semaphore(at_a_time)

    async def one(job: Job) -> ToolResult:
        async with free:
            return await awork(job, place, executor)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(job)) for job in action.jobs]
    except BaseExceptionGroup as group_error:  # as in threads: the first of them, by itself
        raise group_error.exceptions[0] from None
    return [task.result() for task in tasks]
