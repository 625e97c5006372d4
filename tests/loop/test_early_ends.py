"""A run that ends early: cancelled, interrupted, or by an error of the app's. Tools are told."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

import toolbridge as tb
from toolbridge.app_tools import CancelToken

from .answers import Called, calling, said
from .servers import Server, arun

Runner = Callable[..., tb.Run]


def sync(server: Server, *arguments: Any, **options: Any) -> tb.Run:
    return tb.run(server.model(), *arguments, **options)


def later(server: Server, *arguments: Any, **options: Any) -> tb.Run:
    return asyncio.run(arun(server, *arguments, **options))


def in_a_loop(server: Server, *arguments: Any, **options: Any) -> tb.Run:
    """`run` where an event loop is running already, as in a notebook."""

    async def main() -> tb.Run:
        return tb.run(server.model(), *arguments, **options)

    return asyncio.run(main())


both = pytest.mark.parametrize("run", [sync, later])

CALL = calling(Called("look", {}, "call_1"))


# --- the end comes early


class Gone(Exception):
    """Whoever watches fails."""


@both
def test_an_error_of_whoever_watches_ends_the_run_as_it_is(run: Runner) -> None:
    token = CancelToken()

    def watch(event: Any) -> None:
        if isinstance(event, tb.Finished):
            raise Gone

    async def look() -> None: ...

    with pytest.raises(Gone):
        run(Server("gemini", [CALL, CALL]), "hi", tools=[look], watch=watch, cancel=token)
    assert token.cancelled


def test_cancelling_arun_ends_it_and_tells_the_tools() -> None:
    tokens: list[CancelToken] = []
    heard = threading.Event()

    def wait(context: tb.Context) -> None:
        tokens.append(context.cancel)
        if context.cancel.wait(20):
            heard.set()

    async def linger(context: tb.Context) -> None:
        tokens.append(context.cancel)
        await asyncio.sleep(20)

    async def main() -> None:
        step = calling(Called("wait", {}, "a"), Called("linger", {}, "b"))
        server = Server("gemini", [step, said("never")])
        task = asyncio.create_task(arun(server, "hi", tools=[wait, linger]))
        while len(tokens) < 2:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(server.requests) == 1

    asyncio.run(main())
    assert all(token.cancelled for token in tokens)
    assert heard.wait(20), "the thread has ended too"


def test_a_tool_that_cancels_itself_has_failed() -> None:
    async def look() -> None:
        raise asyncio.CancelledError

    done = later(Server("gemini", [CALL, said("ok")]), "hi", tools=[look])
    assert done.steps[0].results[0].is_error
    assert done.text == "ok"


def test_an_interrupt_ends_run_and_tells_the_tools() -> None:
    """Control-C arrives in the main thread, while it waits for the tools."""
    token = CancelToken()

    def watch(event: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sync(Server("gemini", [CALL]), "hi", watch=watch, cancel=token)
    assert token.cancelled


def test_control_c_while_tools_are_at_work() -> None:
    """The main thread is interrupted while it waits; the tool hears that nobody does any more."""
    main = threading.main_thread()
    assert threading.current_thread() is main and main.ident is not None
    ident = main.ident
    heard = threading.Event()

    def look(context: tb.Context) -> None:
        signal.pthread_kill(ident, signal.SIGINT)
        if context.cancel.wait(20):
            heard.set()

    with pytest.raises(KeyboardInterrupt):
        sync(Server("gemini", [CALL]), "hi", tools=[look])
    assert heard.wait(20)


def test_a_token_of_the_apps_reaches_the_tools() -> None:
    token = CancelToken()
    seen: list[Any] = []

    def look(context: tb.Context) -> None:
        seen.append(context.cancel)

    sync(Server("gemini", [CALL, said("ok")]), "hi", tools=[look], cancel=token)
    assert seen == [token]
    assert not token.cancelled, "the run came to its end by itself"
