"""Waiting in an event loop for what ends early: by a token, or in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
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


async def in_thread(function: Callable[[], T]) -> T:
    """What a function gives that waits, from a thread of its own. Should it hang, it keeps the
    interpreter from nothing, as a thread of asyncio's own executor would."""
    loop = asyncio.get_running_loop()
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
            given, error = function(), None
        except BaseException as raised:  # in a thread, no interrupt of the user's arrives here
            given, error = None, raised
        soon(loop, settle, given, error)

    threading.Thread(target=run, name="toolbridge", daemon=True).start()
    return await future
