"""A run that ends early: cancelled, interrupted, or by an error of the app's. Tools are told."""

from __future__ import annotations

import asyncio
import dataclasses
import signal
import threading
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

import toolbridge as tb
from toolbridge.app_tools import CancelToken
from toolbridge.loop import drive
from toolbridge.loop.work import Workplace

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


@both
def test_a_token_of_the_apps_reaches_the_tools_and_theirs_reaches_the_app(run: Runner) -> None:
    """What a tool hears is its own: it ends with its call. To cancel it cancels the run."""
    token = CancelToken()
    seen: list[Any] = []

    def look(context: tb.Context) -> None:
        seen.append(context.cancel)

    run(Server("gemini", [CALL, said("ok")]), "hi", tools=[look], cancel=token)
    assert not token.cancelled, "the run came to its end by itself"
    assert not seen[0].cancelled
    seen[0].cancel()
    assert token.cancelled


@both
def test_a_tool_may_end_the_run(run: Runner) -> None:
    def look(context: tb.Context) -> str:
        context.cancel.cancel()
        return "enough"

    done = run(Server("gemini", [CALL, said("never")]), "hi", tools=[look])
    assert done.stop_reason == "cancelled"
    assert len(done.steps) == 1


# --- cancelled from elsewhere: the run ends, and says what there is


class Vendor(Server):
    """A server that never answers, until the test is over."""

    def __init__(self, format: str, replies: Any = ()) -> None:
        super().__init__(format, replies)
        self.asked, self.over = threading.Event(), threading.Event()

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        if self.replies:
            return super().handle(request)
        self.asked.set()
        self.over.wait(20)
        raise httpx2.ReadTimeout("over")

    async def ahandle(self, request: httpx2.Request) -> httpx2.Response:
        if self.replies:
            return await super().ahandle(request)
        self.asked.set()
        await asyncio.sleep(20)
        raise AssertionError("it was not stopped")


@both
def test_a_slow_vendor_is_not_waited_for_after_the_end(run: Runner) -> None:
    """Cancelled during the second request: the first step stands, the history is whole."""
    token, vendor = CancelToken(), Vendor("anthropic", [CALL])

    def cancel() -> None:
        vendor.asked.wait(20)
        token.cancel()

    threading.Thread(target=cancel).start()
    try:
        done = run(vendor, "hi", tools=[noted([])], cancel=token)
    finally:
        vendor.over.set()
    assert done.stop_reason == "cancelled"
    assert len(done.steps) == 1
    roles = [getattr(message, "role", None) for message in done.messages]
    assert roles == ["user", "assistant", "tool"]


@both
def test_a_deadline_ends_the_wait_for_a_vendor(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor = Vendor("anthropic")
    ends_in(0.05, monkeypatch)
    try:
        done = run(vendor, "hi")
    finally:
        vendor.over.set()
    assert (done.stop_reason, done.steps) == ("cancelled", ())


@both
def test_a_deadline_ends_the_wait_before_a_retry(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends_in(0.05, monkeypatch)
    busy = httpx2.Response(529, headers={"retry-after": "20"}, json={"type": "error"})
    server = Server("anthropic", [busy, said("never")])
    retrying: Any = server.model
    server.model = lambda asynchronous=False, id=None: dataclasses.replace(  # type: ignore[method-assign]
        retrying(asynchronous, id), max_retries=None
    )
    done = run(server, "hi")
    assert done.stop_reason == "cancelled"
    assert len(server.requests) == 1


def ends_in(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run end after so many seconds."""
    made = drive.workplace

    def workplace(setup: Any, plan: Any, now: float) -> Workplace:
        return dataclasses.replace(made(setup, plan, now), deadline=now + seconds)

    monkeypatch.setattr(drive, "workplace", workplace)
    monkeypatch.setattr(drive.Setup, "watched", True)


def noted(ran: list[str]) -> tb.Tool:
    """A tool that notes that it ran."""

    def look() -> str:
        ran.append("look")
        return "seen"

    return tb.tool(look)


@both
def test_calls_that_had_not_begun_did_not_run(run: Runner) -> None:
    """Two calls, one at a time: the first cancels the run."""
    ran: list[str] = []

    def first(context: tb.Context) -> str:
        context.cancel.cancel()
        return "enough"

    step = calling(Called("first", {}, "a"), Called("look", {}, "b"))
    server = Server("gemini", [step, said("never")])
    done = run(server, "hi", tools=[first, noted(ran)], max_parallel=1)
    assert done.stop_reason == "cancelled"
    assert ran == []
    second = done.steps[0].results[1]
    assert second.is_error
    assert "did not run" in str(second.parts)
