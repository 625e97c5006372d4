"""Waiting in an event loop for what ends early: by a token, or in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from toolbridge.app_tools import CancelToken

T = TypeVar("T")


async def stoppable(given: Awaitable[T], cancel: CancelToken) -> T:
    """The value of an awaitable; whoever cancels, in any thread, stops it at once."""
    loop, task, waiting = asyncio.get_running_loop(), asyncio.current_task(), True

    def stop() -> None:
        if waiting and task is not None:
            task.cancel()

    forget = cancel.on_cancel(lambda: soon(loop, stop))
    try:
        return await given
    finally:
        waiting = False
        forget()


def soon(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *given: Any) -> None:
    """Call a function in an event loop, from any thread; a loop that is closed needs it no more."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *given)


async def waited(given: Awaitable[T]) -> T:
    """The value of an awaitable."""
    return await given


def discard(given: object) -> None:
    """Let go of a coroutine that nobody will await; anything else is left as it is."""
    if isinstance(given, Coroutine):
        given.close()


def from_thread(given: Awaitable[T], loop: asyncio.AbstractEventLoop) -> T:
    """The value of an awaitable, from another thread than that of the event loop in which it is
    awaited. Raises RuntimeError if that is closed."""
    waiting = waited(given)
    try:
        future = asyncio.run_coroutine_threadsafe(waiting, loop)
    except RuntimeError:
        waiting.close()
        discard(given)
        raise
    return future.result()


async def in_thread(function: Callable[[], T]) -> T:
    """What a function gives that waits, from a thread of its own with the context variables of
    whoever waits. Should it hang, it keeps the interpreter from nothing, as a thread of asyncio's
    own executor would."""
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()
    future: asyncio.Future[T] = loop.create_future()

    def settle(given: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(given)
        else:
            future.set_exception(error)

    def run() -> None:
        try:
            given, error = context.run(function), None
        except BaseException as raised:  # in a thread, no interrupt of the user's arrives here
            given, error = None, raised
        soon(loop, settle, given, error)

    threading.Thread(target=run, name="toolbridge", daemon=True).start()
    return await future
