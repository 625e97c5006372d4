"""The drivers of a run that is told while it goes on: `stream` and `astream`."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from typing import Any

from toolbridge.app_tools import CancelToken
from toolbridge.loop.async_hands import aconduct
from toolbridge.loop.drive import Setup, aopened, opened
from toolbridge.loop.gate import OPEN, USUAL, Gate, Limits
from toolbridge.loop.hands import conduct, end_early
from toolbridge.loop.plan import Messages, Options, Tools
from toolbridge.loop.state import Run
from toolbridge.loop.streaming import exchange_stream
from toolbridge.model import Model, as_model
from toolbridge.request import Message


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
    gate: Gate = OPEN,
    limits: Limits = USUAL,
    run_id: str | None = None,
    eager: bool = False,
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

    Options are those of `run`; with `eager` a call of a tool declared `read` begins as soon as it
    is whole, while the answer goes on. Raises as `run` does, also in the middle.
    """
    basic = (tools, system, output, max_steps, max_parallel, format, settings, data)
    options = Options(*basic, gate, limits, run_id, eager)
    return telling(Setup(as_model(model), messages, options, cancel=cancel))


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
    gate: Gate = OPEN,
    limits: Limits = USUAL,
    run_id: str | None = None,
    eager: bool = False,
    cancel: CancelToken | None = None,
    format: str | None = None,
    **settings: Any,
) -> AsyncRunStream:
    """The same in an event loop: `async for event in tb.astream(...)`."""
    basic = (tools, system, output, max_steps, max_parallel, format, settings, data)
    options = Options(*basic, gate, limits, run_id, eager)
    return atelling(Setup(as_model(model), messages, options, cancel=cancel))


def telling(setup: Setup) -> RunStream:
    """The run of a setup, told as it happens."""
    heard = listening(setup)
    return RunStream(lambda made: tell_run(made, heard))


def atelling(setup: Setup) -> AsyncRunStream:
    """The same in an event loop."""
    heard = listening(setup)
    return AsyncRunStream(lambda made: atell_run(made, heard))


def listening(setup: Setup) -> Setup:
    """A setup whose events come to whoever reads the stream."""
    told: queue.SimpleQueue[Any] = queue.SimpleQueue()
    return setup._replace(watch=told.put, told=told)


def tell_run(made: RunStream, setup: Setup) -> Generator[Any]:
    """The events of a run."""
    with opened(setup, exchange_stream) as (steps, hands):
        try:
            yield from conduct(steps, hands)
        except BaseException:
            if hands.run is None:
                hands.crew.stop()
                hands.run = end_early(steps, hands.crew)
            raise
        finally:
            made.run = hands.run
        yield made.run


async def atell_run(made: AsyncRunStream, setup: Setup) -> AsyncGenerator[Any]:
    """The events of a run, in an event loop."""
    async with aopened(setup, exchange_stream) as (steps, hands):
        try:
            async with contextlib.aclosing(aconduct(steps, hands)) as events:
                async for event in events:
                    yield event
        except BaseException:
            if hands.run is None:
                await hands.crew.stop()
                hands.run = end_early(steps, hands.crew)
            raise
        finally:
            made.run = hands.run
        yield made.run
