"""Both crews behind one face, calls for them, and ledgers that fail."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import toolbridge as tb
from toolbridge.app_tools import CancelToken
from toolbridge.loop.async_crew import AsyncCrew
from toolbridge.loop.crew import Crew
from toolbridge.loop.state import Job, Outcome
from toolbridge.loop.work import Workplace

LONG = 20.0
"""Seconds after which a test has failed that waits for something."""

Performer = Callable[[Workplace, Sequence[Job]], list[Outcome]]


def sync(place: Workplace, jobs: Sequence[Job]) -> list[Outcome]:
    """The outcomes of calls in threads."""
    crew = Crew(place)
    try:
        performing = crew.perform(jobs)
        while True:
            next(performing)
    except StopIteration as done:
        outcomes: list[Outcome] = done.value
        return outcomes
    finally:
        crew.close()


def later(place: Workplace, jobs: Sequence[Job]) -> list[Outcome]:
    """The same in an event loop."""

    async def main() -> list[Outcome]:
        crew = AsyncCrew(place)
        try:
            async for _ in crew.perform(jobs):
                pass
            return crew.outcomes
        finally:
            await crew.close()

    return asyncio.run(main())


both = pytest.mark.parametrize("perform", [sync, later])


def job(function: Callable[..., Any], key: str = "a", check: bool = False, **handling: Any) -> Job:
    """A call of a function without arguments."""
    options: dict[str, Any] = {"name": getattr(function, "__name__", "look"), **handling}
    tool = tb.tool(**options)(function)
    call = tb.ToolCall(id=f"call_{key}", name=tool.name, arguments={})
    return Job(call, tool, {}, key, check)


def workplace(**changes: Any) -> Workplace:
    """Where nobody watches, unless `changes` say otherwise."""
    given: dict[str, Any] = {"data": None, "watch": lambda event: None, "cancel": CancelToken()}
    return Workplace(**(given | changes))


def look() -> str:
    """A tool that gives something."""
    return "seen"


async def alook() -> str:
    """The same in an event loop."""
    return "seen"


class Hang:
    """A function that cannot be stopped: it waits until it is let go."""

    def __init__(self) -> None:
        self.began, self.let_go = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.began.set()
        self.let_go.wait(LONG)
        return "done after all"


class Rest:
    """An async function that takes long. `stopped` says whether it was, `stubborn` that it goes
    on all the same, for so many seconds."""

    def __init__(self, stubborn: float = 0.0) -> None:
        self.began, self.stopped = threading.Event(), threading.Event()
        self.stubborn = stubborn

    async def __call__(self) -> str:
        self.began.set()
        try:
            await asyncio.sleep(LONG)
        except asyncio.CancelledError:
            self.stopped.set()
            if not self.stubborn:
                raise
            await asyncio.sleep(self.stubborn)
        return "done after all"


class Book:
    """A ledger in memory; notes what it was asked, and fails where it is told to."""

    def __init__(self, fails: str = "") -> None:
        self.held: dict[str, tb.ToolResult | None] = {}
        self.asked: list[tuple[str, str]] = []
        self.fails = fails
        self.changed = threading.Event()

    def claim(self, call_key: str) -> bool:
        self.note("claim", call_key)
        fresh = call_key not in self.held
        self.held.setdefault(call_key, None)
        return fresh

    def record(self, call_key: str, result: tb.ToolResult) -> None:
        self.note("record", call_key)
        self.held[call_key] = result
        self.changed.set()

    def recorded(self, call_key: str) -> tb.ToolResult | None:
        return self.held.get(call_key)

    def note(self, what: str, call_key: str) -> None:
        self.asked.append((what, call_key))
        if what == self.fails:
            raise OSError(f"no {what}")
