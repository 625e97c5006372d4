"""The drivers of a run that is told while it goes on: `stream` and `astream`."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any

from toolbridge.app_tools import CancelToken
from toolbridge.loop.drive import Steps, aact, act, aopened, opened, submit
from toolbridge.loop.plan import Messages, Options, Tools
from toolbridge.loop.state import END, Cancelled, Job, NextData, OpenStream, Perform, Run, Tell
from toolbridge.loop.streaming import exchange_stream
from toolbridge.loop.work import Workplace, awork
from toolbridge.model import Model, as_model
from toolbridge.parts import ToolResult
from toolbridge.request import Message
from toolbridge.transport import Transport, TransportError


class RunStream:
    """The events of a run as they come, then the Run. `close`, or leaving its `with`, ends it
    early: the connection is closed, and `run` is then what there was, each call with its one
    result, marked as cancelled."""

    def __init__(self, tell: Callable[[RunStream], Generator[Any]]) -> None:
        self.run: Run | None = None
        self._events = tell(self)

    def __iter__(self) -> Iterator[Any]:
        return self._events

    def __next__(self) -> Any:
        return next(self._events)

    def __enter__(self) -> RunStream:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End early; nothing where the run is over."""
        self._events.close()


class AsyncRunStream:
    """The same in an event loop. Cancelling the task that reads it ends it too."""

    def __init__(self, tell: Callable[[AsyncRunStream], AsyncGenerator[Any]]) -> None:
        self.run: Run | None = None
        self._events = tell(self)

    def __aiter__(self) -> AsyncIterator[Any]:
        return self._events

    async def __anext__(self) -> Any:
        return await anext(self._events)

    async def __aenter__(self) -> AsyncRunStream:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End early; nothing where the run is over."""
        await self._events.aclose()


def stream(
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
    format: str | None = None,
    **settings: Any,
) -> RunStream:
    """Run as `run` does, and give what happens as it happens: the canonical events of the
    answers (`toolbridge.streams.events`), Answered after each, Progress and Finished of the
    tools, and the Run in the end.

        with tb.stream("anthropic/claude-opus-5", "서울 날씨?", tools=[weather]) as events:
            for event in events:
                ...
        events.run

    Options are those of `run`. Raises as `run` does, also in the middle.
    """
    options = Options(tools, system, output, max_steps, max_parallel, format, settings)
    told: queue.SimpleQueue[Any] = queue.SimpleQueue()
    place = Workplace(data, told.put, cancel or CancelToken())
    asked = as_model(model)
    return RunStream(lambda made: tell_run(made, asked, messages, options, place, told))


def astream(
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
    format: str | None = None,
    **settings: Any,
) -> AsyncRunStream:
    """The same in an event loop: `async for event in tb.astream(...)`."""
    options = Options(tools, system, output, max_steps, max_parallel, format, settings)
    told: queue.SimpleQueue[Any] = queue.SimpleQueue()
    place = Workplace(data, told.put, cancel or CancelToken())
    asked = as_model(model)
    return AsyncRunStream(lambda made: atell_run(made, asked, messages, options, place, told))


Told = queue.SimpleQueue[Any]


def drained(told: Told) -> Iterator[Any]:
    """What the tools and the loop said meanwhile."""
    while not told.empty():
        event = told.get()
        if event is not None:
            yield event


def end_early(steps: Steps, finished: dict[int, ToolResult]) -> Run | None:
    """The run as it stands when nobody waits any more; None if it had not begun."""
    try:
        steps.throw(Cancelled(finished))
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    except Cancelled:
        return None
    return None


def tell_run(
    made: RunStream,
    model: Model,
    messages: Messages,
    options: Options,
    place: Workplace,
    told: Told,
) -> Generator[Any]:
    """The events of a run."""
    with opened(model, messages, options, place, exchange_stream) as (steps, transport, executor):
        hands = Hands(transport, place, executor, told)
        resume: Callable[[], Any] = partial(next, steps)
        try:
            while True:
                try:
                    action = resume()
                except StopIteration as done:
                    made.run = done.value
                    yield from (*drained(told), made.run)
                    return
                yield from drained(told)
                try:
                    result = yield from hands.carry_out(action)
                    resume = partial(steps.send, result)
                except TransportError as error:
                    resume = partial(steps.throw, error)
        except BaseException:
            made.run = made.run or end_early(steps, hands.finished)
            raise
        finally:
            hands.close()


class Hands:
    """Carry out what a run asks for: the vendor's stream that is open, the calls of tools.
    `finished` are the results of the latest calls, by place."""

    def __init__(
        self, transport: Transport, place: Workplace, executor: Executor, told: Told
    ) -> None:
        self._transport, self._place = transport, place
        self._executor, self._told = executor, told
        self._stream: Any = iter(())
        self.finished: dict[int, ToolResult] = {}

    def carry_out(self, action: Any) -> Generator[Any, None, Any]:
        """Do one thing: yields what is to be told meanwhile, gives what came of it."""
        if isinstance(action, Tell):
            yield action.event
        elif isinstance(action, Perform):
            yield from self._perform(action)
            return [self.finished[at] for at in range(len(action.jobs))]
        elif isinstance(action, OpenStream):
            self.close()
            self._stream = self._transport.stream(action.call)
        elif isinstance(action, NextData):
            return next(self._stream, END)
        else:
            return act(self._transport, self._place, self._executor, action)
        return None

    def _perform(self, action: Perform) -> Generator[Any]:
        """Run calls in threads, and tell what they say meanwhile."""
        self.finished = {}
        waiting: dict[int, Future[ToolResult]] = {}
        for at, job in enumerate(action.jobs):
            waiting[at] = submit(self._executor, job, self._place)
            waiting[at].add_done_callback(lambda _: self._told.put(None))
        while waiting:
            event = self._told.get()
            for at in [at for at, each in waiting.items() if each.done()]:
                self.finished[at] = waiting.pop(at).result()
            if event is not None:
                yield event
        yield from drained(self._told)

    def close(self) -> None:
        """Close the connection, if there is one."""
        close = getattr(self._stream, "close", None)
        if close is not None:
            close()


async def atell_run(
    made: AsyncRunStream,
    model: Model,
    messages: Messages,
    options: Options,
    place: Workplace,
    told: Told,
) -> AsyncGenerator[Any]:
    """The events of a run, in an event loop."""
    async with aopened(model, messages, options, place, exchange_stream) as parts:
        steps, transport, executor = parts
        hands = AsyncHands(transport, place, executor, told, options.max_parallel)
        resume: Callable[[], Any] = partial(next, steps)
        try:
            while True:
                try:
                    action = resume()
                except StopIteration as done:
                    made.run = done.value
                    for event in (*drained(told), made.run):
                        yield event
                    return
                try:
                    async for event in hands.carry_out(action):
                        yield event
                    resume = partial(steps.send, hands.result)
                except TransportError as error:
                    resume = partial(steps.throw, error)
        except BaseException:
            made.run = made.run or end_early(steps, hands.finished)
            raise
        finally:
            await hands.close()


class AsyncHands:
    """The same in an event loop; `result` is what came of the latest thing."""

    def __init__(
        self,
        transport: Transport,
        place: Workplace,
        executor: Executor,
        told: Told,
        at_a_time: int,
    ) -> None:
        self._transport, self._place = transport, place
        self._executor, self._told, self._at_a_time = executor, told, at_a_time
        self._stream: Any = None
        self.finished: dict[int, ToolResult] = {}
        self.result: Any = None

    async def carry_out(self, action: Any) -> AsyncGenerator[Any]:
        """Do one thing: yields what is to be told meanwhile."""
        self.result = None
        for event in drained(self._told):
            yield event
        if isinstance(action, Tell):
            yield action.event
        elif isinstance(action, Perform):
            async for event in self._perform(action):
                yield event
            self.result = [self.finished[at] for at in range(len(action.jobs))]
        elif isinstance(action, OpenStream):
            await self.close()
            self._stream = self._transport.astream(action.call)
        elif isinstance(action, NextData):
            self.result = await anext(self._stream, END)
        else:
            self.result = await aact(self._transport, self._place, self._executor, 1, action)

    async def _perform(self, action: Perform) -> AsyncGenerator[Any]:
        """Run calls in tasks, and tell what they say meanwhile."""
        self.finished = {}
        free = asyncio.Semaphore(self._at_a_time)

        async def one(at: int, job: Job) -> None:
            async with free:
                self.finished[at] = await awork(job, self._place, self._executor)

        tasks = [asyncio.ensure_future(one(at, job)) for at, job in enumerate(action.jobs)]
        try:
            waiting = {*tasks}
            while waiting:
                _, waiting = await asyncio.wait(waiting, timeout=POLL)
                for event in drained(self._told):
                    yield event
            for task in tasks:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        """Close the connection, if there is one."""
        close = getattr(self._stream, "aclose", None)
        if close is not None:
            await close()


POLL = 0.02
"""Seconds between two looks at what tools in threads have said."""
