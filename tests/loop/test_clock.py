"""How long things take, by a virtual clock: the figures of the design, in no real time."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import httpx2
import pytest

import toolbridge as tb
from toolbridge.loop import drive
from toolbridge.loop.work import Workplace

from .answers import FORMATS, Called, calling, said
from .servers import Server, arun
from .virtual_clock import timed

every = pytest.mark.parametrize("format", FORMATS)


class SlowServer(Server):
    """A model takes 1.0 s a turn."""

    async def ahandle(self, request: httpx2.Request) -> httpx2.Response:
        await asyncio.sleep(1.0)
        return self.handle(request)


class BusyServer(Server):
    """A vendor that answers at once. Notes when it was asked."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.times: list[float] = []

    async def ahandle(self, request: httpx2.Request) -> httpx2.Response:
        self.times.append(asyncio.get_running_loop().time())
        return self.handle(request)


def adjust(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Let every run have another workplace; an `ends_in` is its deadline from its begin."""
    made, ends_in = drive.workplace, changes.pop("ends_in", None)

    def workplace(setup: Any, plan: Any, now: float) -> Workplace:
        if ends_in is not None:
            changes["deadline"] = now + ends_in
        return dataclasses.replace(made(setup, plan, now), **changes)

    monkeypatch.setattr(drive, "workplace", workplace)


def one(_: Any = None) -> float:
    """The longest wait: without jitter."""
    return 1.0


# --- the seed's figures: turns of 1.0 s, tools of 0.2 s


@tb.tool(effect="read")
async def weather(city: str) -> str:
    """The weather in a city."""
    await asyncio.sleep(0.2)
    return f"{city}: 2도"


CITIES = [Called("weather", {"city": city}) for city in ("서울", "부산", "인천")]


@every
def test_three_cities_in_parallel_take_2_2_s(format: str) -> None:
    server = SlowServer(format, [calling(*CITIES), said("추워요")])
    run, seconds = timed(arun(server, "날씨?", tools=[weather]))
    assert seconds == 2.2
    assert [len(step.results) for step in run.steps] == [3, 0]


@every
def test_three_cities_one_by_one_take_4_6_s(format: str) -> None:
    server = SlowServer(format, [*map(calling, CITIES), said("추워요")])
    run, seconds = timed(arun(server, "날씨?", tools=[weather]))
    assert seconds == 4.6
    assert [len(step.results) for step in run.steps] == [1, 1, 1, 0]


# --- waits between tries: 0.5, 1, 2, 4, 8, together 15.5 s

MOMENTS = [0.0, 0.5, 1.5, 3.5, 7.5, 15.5]
"""When six tries begin that fail at once."""


def test_a_vendor_is_asked_again_after_15_5_s_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    adjust(monkeypatch, random=one)
    busy = [httpx2.Response(529, json={"type": "error"}) for _ in range(5)]
    server = BusyServer("anthropic", [*busy, said("ok")])
    model = tb.Model(server.model().name, client=server.client(asynchronous=True))
    run, seconds = timed(tb.arun(model, "hi"))
    assert run.text == "ok"
    assert (server.times, seconds) == (MOMENTS, 15.5)


def healing(failures: int, moments: list[float], error: type[Exception] = ConnectionError) -> Any:
    """A tool that fails so often, and notes when it was called."""

    @tb.tool(effect="read", retries=tb.Retries())
    async def look() -> str:
        moments.append(asyncio.get_running_loop().time())
        if len(moments) <= failures:
            raise error("lost")
        return "seen"

    return look


CALL = calling(Called("look", {}, "a"))


@pytest.mark.parametrize(("failures", "fails"), [(5, False), (6, True)])
def test_a_tool_is_tried_again_by_the_same_schedule(
    failures: int, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five retries, no more."""
    adjust(monkeypatch, random=one)
    moments: list[float] = []
    server = Server("anthropic", [CALL, said("ok")])
    run, seconds = timed(arun(server, "hi", tools=[healing(failures, moments)]))
    assert (moments, seconds) == (MOMENTS, 15.5)
    assert bool(run.steps[0].results[0].is_error) is fails


@pytest.mark.parametrize("error", [ValueError, tb.ToolError])
def test_what_does_not_heal_is_not_tried_again(error: type[Exception]) -> None:
    moments: list[float] = []
    server = Server("anthropic", [CALL, said("ok")])
    run, _ = timed(arun(server, "hi", tools=[healing(1, moments, error)]))
    assert moments == [0.0]
    assert run.steps[0].results[0].is_error


# --- limits


def slow(name: str, log: list[tuple[str, float]], seconds: float = 1.0, **handling: Any) -> tb.Tool:
    """A tool that takes its time, and notes when it begins."""

    async def take() -> str:
        log.append((name, asyncio.get_running_loop().time()))
        await asyncio.sleep(seconds)
        return name

    return tb.tool(name=name, effect="read", **handling)(take)


def played(tools: list[tb.Tool], names: str, **options: Any) -> tuple[tb.Run, float]:
    """A run in which the calls of one answer are `names`, of a model that takes no time."""
    step = calling(*(Called(name, {}, f"call_{at}") for at, name in enumerate(names)))
    server = Server("gemini", [step, said("ok")])
    return timed(arun(server, "hi", tools=tools, **options))


@pytest.mark.parametrize(("at_a_time", "seconds"), [(1, 5.0), (2, 3.0), (5, 1.0), (8, 1.0)])
def test_so_many_run_at_a_time(at_a_time: int, seconds: float) -> None:
    """Five calls of 1 s each."""
    run, took = played([slow("a", [])], "aaaaa", max_parallel=at_a_time)
    assert took == seconds
    assert len(run.steps[0].results) == 5


def test_ordered_calls_run_one_after_another_and_hold_nobody_else_up() -> None:
    log: list[tuple[str, float]] = []
    _, took = played([slow("a", log, ordered=True), slow("b", log)], "aaba")
    assert log == [("a", 0.0), ("b", 0.0), ("a", 1.0), ("a", 2.0)]
    assert took == 3.0


def test_tools_of_one_word_share_their_order() -> None:
    log: list[tuple[str, float]] = []
    tools = [slow("a", log, ordered="db"), slow("b", log, 0.5, ordered="db"), slow("c", log)]
    _, took = played(tools, "abca")
    assert sorted(log) == [("a", 0.0), ("a", 1.5), ("b", 1.0), ("c", 0.0)]
    assert took == 2.5


def test_an_exclusive_call_runs_alone() -> None:
    """Those before it end first, those after it begin when it has ended."""
    log: list[tuple[str, float]] = []
    _, took = played([slow("a", log), slow("b", log, 0.5), slow("x", log, exclusive=True)], "abxba")
    assert log == [("a", 0.0), ("b", 0.0), ("x", 1.0), ("b", 2.0), ("a", 2.0)]
    assert took == 3.0


def test_a_timeout_is_exact_and_counts_from_the_begin_of_the_call() -> None:
    """Two calls of 10 s, one at a time, of which each may take 1.5 s."""
    log: list[tuple[str, float]] = []
    run, took = played([slow("a", log, 10.0, timeout=1.5)], "aa", max_parallel=1)
    assert log == [("a", 0.0), ("a", 1.5)]
    assert took == 3.0
    assert [result.is_error for result in run.steps[0].results] == [True, True]
    assert "stopped: it took longer than 1.5 s" in str(run.steps[0].results[0].parts)


def test_a_timeout_of_all_tools_gives_way_to_a_tools_own(monkeypatch: pytest.MonkeyPatch) -> None:
    adjust(monkeypatch, timeout=1.0)
    run, took = played([slow("a", [], 9.0), slow("b", [], 9.0, timeout=2.5)], "ab")
    assert took == 2.5
    assert all(result.is_error for result in run.steps[0].results)


def test_a_timeout_ends_retries_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """0.5 s, 1 s and 2 s apart: the third wait is cut short."""
    adjust(monkeypatch, random=one, timeout=2.0)
    moments: list[float] = []
    server = Server("anthropic", [CALL, said("ok")])
    _, took = timed(arun(server, "hi", tools=[healing(9, moments)]))
    assert (moments, took) == ([0.0, 0.5, 1.5], 2.0)


@pytest.mark.parametrize(
    ("ends_in", "steps"),
    [(0.5, 0), (1.0, 0), (1.1, 1), (1.5, 1), (2.1, 1), (3.0, 2)],
)
def test_a_run_ends_at_its_deadline_whatever_it_is_at(
    ends_in: float, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn until 1.0 s, a tool until 1.2 s, a turn until 2.2 s: then it is at its end."""
    adjust(monkeypatch, ends_in=ends_in)
    monkeypatch.setattr(drive.Setup, "watched", True)
    server = SlowServer("anthropic", [calling(CITIES[0]), said("추워요")])
    run, took = timed(arun(server, "날씨?", tools=[weather]))
    assert took == min(ends_in, 2.2)
    assert run.stop_reason == ("end" if steps == 2 else "cancelled")
    assert len(run.steps) == steps
