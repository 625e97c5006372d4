"""What carries out the actions of a conversation in an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from toolbridge.loop.async_crew import AsyncCrew
from toolbridge.loop.hands import Steps, Told, drained
from toolbridge.loop.state import (
    END,
    Cancelled,
    Decide,
    NextData,
    OpenStream,
    Perform,
    Run,
    Start,
    Tell,
    Wait,
)
from toolbridge.loop.waiting import in_thread, soon
from toolbridge.loop.work import Workplace, is_async
from toolbridge.transport import Transport, TransportError

T = TypeVar("T")


async def aconduct(steps: Steps, hands: AsyncHands) -> AsyncGenerator[Any]:
    """Do what a conversation asks for until it is over; yields what is to be told meanwhile.
    `hands.run` is the Run in the end."""
    resume: Callable[[], Any] = partial(next, steps)
    while True:
        try:
            action = resume()
        except StopIteration as done:
            hands.run = done.value
            for event in drained(hands.told):
                yield event
            return
        try:
            async with contextlib.aclosing(hands.carry_out(action)) as events:
                async for event in events:
                    yield event
            resume = partial(steps.send, hands.result)
        except TransportError as error:
            resume = partial(steps.throw, error)
        except Cancelled as error:
            error.finished = await hands.crew.end()
            resume = partial(steps.throw, error)


class AsyncHands:
    """Carry out what a run asks for; `result` is what came of the latest thing."""

    def __init__(self, transport: Transport, place: Workplace, crew: AsyncCrew, told: Told) -> None:
        self._transport, self._place, self.crew, self.told = transport, place, crew, told
        self._stream: Any = None
        self.result: Any = None
        self.run: Run | None = None

    async def carry_out(self, action: Any) -> AsyncGenerator[Any]:
        """Do one thing: yields what is to be told meanwhile. Raises Cancelled where the run is
        over."""
        self.result = None
        for event in drained(self.told):
            yield event
        if isinstance(action, Tell):
            yield action.event
        elif isinstance(action, Perform):
            async with contextlib.aclosing(self.crew.perform(action.jobs)) as performing:
                async for _ in performing:
                    for event in drained(self.told):
                        yield event
            for event in drained(self.told):
                yield event
            self.result = self.crew.outcomes
        elif self.crew.over:
            raise Cancelled(why=self.crew.why)
        else:
            self.result = await self._act(action)

    async def _act(self, action: Any) -> Any:
        """Do one thing of which nothing is told meanwhile."""
        if isinstance(action, NextData):
            return await self._wait_for(anext(self._stream, END))
        if isinstance(action, OpenStream):
            await self.close()
            self._stream = self._transport.astream(action.call)
        elif isinstance(action, Start):
            self.crew.start(action.job)
        elif isinstance(action, Wait):
            await self._wait_for(asyncio.sleep(action.seconds))
        elif isinstance(action, Decide):
            return [await self._wait_for(decided(action, each)) for each in action.questions]
        else:
            return await self._wait_for(self._transport.asend(action))
        return None

    async def _wait_for(self, given: Awaitable[T]) -> T:
        """The value of an awaitable. Raises Cancelled if the run ends before; it is stopped
        then."""
        loop = asyncio.get_running_loop()
        scope = asyncio.timeout_at(self._place.deadline)

        def stop() -> None:
            with contextlib.suppress(RuntimeError):  # it has come meanwhile
                scope.reschedule(loop.time())

        try:
            async with scope:
                forget = self._place.cancel.on_cancel(partial(soon, loop, stop))
                try:
                    return await given
                finally:
                    forget()
        except Exception:
            if scope.expired():
                cancelled = self._place.cancel.cancelled
                raise Cancelled(why=None if cancelled else "timeout") from None
            raise

    async def close(self) -> None:
        """Close the connection, if there is one."""
        close = getattr(self._stream, "aclose", None)
        if close is not None:
            await close()


async def decided(action: Decide, question: Any) -> Any:
    """What a person decides; a function that is not async may wait in a thread."""
    if is_async(action.approve):
        return await action.approve(question)
    given = await in_thread(partial(action.approve, question))
    return await given if inspect.isawaitable(given) else given
