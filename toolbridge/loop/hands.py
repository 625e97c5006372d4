"""What carries out the actions of a conversation in threads: the transport, the crew."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import queue
import threading
import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from concurrent.futures import CancelledError, Future, InvalidStateError
from functools import partial
from typing import Any, NamedTuple

from toolbridge.loop.crew import Crew
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
from toolbridge.loop.waiting import waited
from toolbridge.loop.work import Workplace
from toolbridge.loop.workers import NAME
from toolbridge.transport import Transport, TransportError

Steps = Generator[Any, Any, Run]
Told = queue.SimpleQueue[Any]


def conduct(steps: Steps, hands: Hands) -> Generator[Any]:
    """Do what a conversation asks for until it is over; yields what is to be told meanwhile.
    `hands.run` is the Run in the end."""
    resume: Callable[[], Any] = partial(next, steps)
    while True:
        try:
            action = resume()
        except StopIteration as done:
            hands.run = done.value
            yield from drained(hands.told)
            return
        try:
            result = yield from hands.carry_out(action)
            resume = partial(steps.send, result)
        except TransportError as error:
            resume = partial(steps.throw, error)
        except Cancelled as error:
            error.finished = hands.crew.end()
            resume = partial(steps.throw, error)


def end_early(steps: Steps, crew: Any) -> Run | None:
    """The run as it stands when nobody waits any more; None if it had not begun. The crew has
    stopped."""
    finished = crew.finished
    while True:
        try:
            action = steps.throw(Cancelled(finished, crew.why))
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        except Cancelled:
            return None
        finished = crew.give_up(action.jobs) if isinstance(action, Perform) else crew.finished


def drained(told: Told) -> Iterator[Any]:
    """What the tools and the loop said meanwhile."""
    while not told.empty():
        yield told.get()


class Order(NamedTuple):
    """Something that a helper does."""

    future: Future[Any]
    context: contextvars.Context
    function: Callable[[], Any]


class Helper:
    """A thread that waits in the place of the run, which can end before what it waits for. It
    ends by itself when that has come."""

    def __init__(self) -> None:
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def do(self, function: Callable[[], Any], place: Workplace) -> Any:
        """What a function gives, or raises. Raises Cancelled if the run ends before."""
        order = self.begin(function)
        forget = place.cancel.on_cancel(order.future.cancel)
        try:
            return order.future.result(place.left(time.monotonic()))
        except CancelledError:
            raise Cancelled from None
        except TimeoutError:
            if order.future.done():
                raise
            raise Cancelled(why="timeout") from None
        finally:
            forget()

    def begin(self, function: Callable[[], Any]) -> Order:
        """Let a function be called after all before it."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=NAME, daemon=True)
            self._thread.start()
        order = Order(Future(), contextvars.copy_context(), function)
        self._orders.put(order)
        return order

    def close(self) -> None:
        """End after what it is at."""
        self._orders.put(None)

    def _serve(self) -> None:
        while (order := self._orders.get()) is not None:
            try:
                given, error = order.context.run(order.function), None
            except BaseException as raised:  # handed to whoever waits
                given, error = None, raised
            try:
                if error is None:
                    order.future.set_result(given)
                else:
                    order.future.set_exception(error)
            except InvalidStateError:
                continue  # nobody waits any more


class Hands:
    """Carry out what a run asks for. Where the run can end while a vendor is waited for
    (`watched`), a helper waits."""

    def __init__(
        self, transport: Transport, place: Workplace, crew: Crew, told: Told, watched: bool
    ) -> None:
        self._transport, self._place, self.crew, self.told = transport, place, crew, told
        self._helper = Helper() if watched else None
        self._stream: Any = iter(())
        self.run: Run | None = None

    def carry_out(self, action: Any) -> Generator[Any, None, Any]:
        """Do one thing: yields what is to be told meanwhile, gives what came of it. Raises
        Cancelled where the run is over."""
        yield from drained(self.told)
        if isinstance(action, Tell):
            yield action.event
            return None
        if isinstance(action, Perform):
            return (yield from self._perform(action))
        if self.crew.over:
            raise Cancelled(why=self.crew.why)
        return self._act(action)

    def _act(self, action: Any) -> Any:
        """Do one thing of which nothing is told meanwhile."""
        if isinstance(action, NextData):
            return self._wait_for(partial(next, self._stream, END))
        if isinstance(action, OpenStream):
            self.close_stream()
            self._stream = self._transport.stream(action.call)
        elif isinstance(action, Start):
            self.crew.start(action.job)
        elif isinstance(action, Wait):
            self._sleep(action.seconds)
        elif isinstance(action, Decide):
            return [self._wait_for(partial(decided, action, each)) for each in action.questions]
        else:
            return self._wait_for(partial(self._transport.send, action))
        return None

    def _perform(self, action: Perform) -> Generator[Any, None, Any]:
        """Run calls, and tell what they say meanwhile."""
        performing = self.crew.perform(action.jobs)
        while True:
            try:
                next(performing)
            except StopIteration as done:
                yield from drained(self.told)
                return done.value
            yield from drained(self.told)

    def _wait_for(self, function: Callable[[], Any]) -> Any:
        return function() if self._helper is None else self._helper.do(function, self._place)

    def _sleep(self, seconds: float) -> None:
        left = self._place.left(time.monotonic())
        self._place.cancel.wait(seconds if left is None else min(seconds, left))
        if self.crew.over:
            raise Cancelled(why=self.crew.why)

    def close_stream(self) -> None:
        """Close the connection, if there is one; where a helper still reads from it, after that."""
        close = getattr(self._stream, "close", None)
        if close is None:
            return
        if self._helper is None:
            close()
        else:
            self._helper.begin(close)

    def close(self) -> None:
        """Close what is open."""
        self.close_stream()
        if self._helper is not None:
            self._helper.close()


def decided(action: Decide, question: Any) -> Any:
    """What a person decides."""
    given = action.approve(question)
    return alone(given) if inspect.isawaitable(given) else given


def alone(given: Awaitable[Any]) -> Any:
    """The value of an awaitable, in an event loop of its own: here, or in another thread where
    one runs here already, as in a notebook."""
    run = partial(asyncio.run, waited(given))
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run()
    helper = Helper()
    try:
        return helper.begin(run).future.result()
    finally:
        helper.close()
