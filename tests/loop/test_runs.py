"""`tb.run` and `tb.arun` through the vendors' own SDKs, with a server at the other end."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

import toolbridge as tb

from .answers import FORMATS, Answer, Called, calling, said
from .orders import CHAIN, TOOLS, WEATHER, transcript
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


RUNNERS = [sync, later, in_a_loop]
both = pytest.mark.parametrize("run", [sync, later])

LAST = {len(WEATHER): "서울은 2도, 부산은 3도예요.", len(CHAIN): "A-2를 취소했어요."}


@pytest.mark.parametrize("run", RUNNERS)
@pytest.mark.parametrize("said_by", FORMATS)
@pytest.mark.parametrize("turns", [WEATHER, CHAIN], ids=["weather", "orders"])
def test_a_conversation_is_the_same_whatever_the_vendor(
    turns: tuple[Answer, ...], said_by: str, run: Runner
) -> None:
    ours = run(Server(said_by, turns), "부탁해요", tools=TOOLS, system="짧게")
    other = sync(Server("anthropic", turns), "부탁해요", tools=TOOLS, system="짧게")
    assert transcript(ours.messages) == transcript(other.messages)
    assert ours.text == LAST[len(turns)]
    assert ours.stop_reason == "end"
    assert ours.usage.input_tokens == 10 * len(turns)
    assert [len(step.results) for step in ours.steps] == [len(turn.calls) for turn in turns]


@pytest.mark.parametrize("format", FORMATS)
def test_sync_and_async_give_equal_runs_and_send_the_same(format: str) -> None:
    servers = [Server(format, CHAIN) for _ in RUNNERS]
    first, *others = [
        run(server, "부탁해요", tools=TOOLS) for run, server in zip(RUNNERS, servers, strict=True)
    ]
    assert all(other == first for other in others)
    assert servers[0].bodies == servers[1].bodies == servers[2].bodies
    assert len(servers[0].bodies) == len(CHAIN)


def test_the_failure_is_told_as_one() -> None:
    run = sync(Server("anthropic", CHAIN), "부탁해요", tools=TOOLS)
    failures = [[bool(result.is_error) for result in step.results] for step in run.steps]
    assert failures == [[False], [False, False], [True], [False], []]


# --- together

STEP = calling(*(Called("meet", {"number": number}, f"call_{number}") for number in range(3)))


@both
def test_the_calls_of_a_step_run_together(run: Runner) -> None:
    """Each waits for the others: one after the other, none would ever end."""
    barrier = threading.Barrier(3, timeout=20)

    def meet(number: int) -> int:
        barrier.wait()
        return number

    done = run(Server("openai-chat", [STEP, said("ok")]), "hi", tools=[meet])
    assert [result.parts for result in done.steps[0].results] == [
        (tb.Json(value=number),) for number in range(3)
    ]


def test_async_calls_of_a_step_run_together() -> None:
    async def main() -> tb.Run:
        barrier = asyncio.Barrier(3)

        async def meet(number: int) -> int:
            async with asyncio.timeout(20):
                await barrier.wait()
            return number

        return await arun(Server("gemini", [STEP, said("ok")]), "hi", tools=[meet])

    assert not any(result.is_error for result in asyncio.run(main()).steps[0].results)


def test_sync_and_async_calls_of_a_step_run_together() -> None:
    async def main() -> tb.Run:
        started = threading.Event()

        async def first() -> str:
            while not started.is_set():
                await asyncio.sleep(0)
            return "first"

        def second() -> str:
            started.set()
            return "second"

        step = calling(Called("first", {}, "a"), Called("second", {}, "b"))
        async with asyncio.timeout(20):
            return await arun(Server("gemini", [step, said("ok")]), "hi", tools=[first, second])

    assert not any(result.is_error for result in asyncio.run(main()).steps[0].results)


class Crowd:
    """Counts how many are at work."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.lock = threading.Lock()

    def __enter__(self) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.now -= 1


MANY = calling(*(Called("meet", {}, f"call_{number}") for number in range(12)))


@both
@pytest.mark.parametrize("at_a_time", [1, 3, 8])
def test_at_most_so_many_run_at_a_time(at_a_time: int, run: Runner) -> None:
    """Exactly so many: those that wait for each other come on, and no more beside them."""
    crowd = Crowd()
    barrier = threading.Barrier(at_a_time, timeout=20)

    def meet() -> None:
        with crowd:
            if at_a_time < 8:  # 12 is no multiple of 8
                barrier.wait()

    options = {} if at_a_time == 8 else {"max_parallel": at_a_time}
    run(Server("gemini", [MANY, said("ok")]), "hi", tools=[meet], **options)
    assert crowd.most == at_a_time if at_a_time < 8 else crowd.most <= 8


@pytest.mark.parametrize("at_a_time", [1, 3])
def test_at_most_so_many_async_calls_run_at_a_time(at_a_time: int) -> None:
    crowd = Crowd()

    async def meet() -> None:
        with crowd:
            for _ in range(5):
                await asyncio.sleep(0)

    server = Server("gemini", [MANY, said("ok")])
    asyncio.run(arun(server, "hi", tools=[meet], max_parallel=at_a_time))
    assert crowd.most == at_a_time


# --- where tools run

CALL = calling(Called("look", {}, "call_1"))


def test_sync_tools_run_in_threads_and_async_ones_in_the_loop() -> None:
    where: list[Any] = []

    def look() -> None:
        where.append(threading.current_thread())

    async def watch() -> None:
        where.append((threading.current_thread(), asyncio.get_running_loop()))

    async def main() -> Any:
        step = calling(Called("look", {}, "a"), Called("watch", {}, "b"))
        await arun(Server("gemini", [step, said("ok")]), "hi", tools=[look, watch])
        return threading.current_thread(), asyncio.get_running_loop()

    mine = asyncio.run(main())
    threads = [each for each in where if isinstance(each, threading.Thread)]
    assert len(threads) == 1
    assert threads[0] is not mine[0]
    assert [each for each in where if isinstance(each, tuple)] == [mine]


class Watcher:
    """An async callable."""

    def __init__(self) -> None:
        self.loops: list[asyncio.AbstractEventLoop] = []

    async def __call__(self, number: int = 0) -> None:
        self.loops.append(asyncio.get_running_loop())

    async def look(self, number: int = 0) -> None:
        await self(number)


def test_async_callables_methods_and_partials_run_in_the_loop_too() -> None:
    import functools

    watcher = Watcher()
    tools = [
        tb.tool(name="a")(watcher),
        tb.tool(name="b")(watcher.look),
        tb.tool(name="c")(functools.partial(watcher.look, number=1)),
        tb.tool(name="d")(functools.partial(watcher, number=1)),
    ]

    async def main() -> asyncio.AbstractEventLoop:
        step = calling(*(Called(name, {}, name) for name in "abcd"))
        await arun(Server("gemini", [step, said("ok")]), "hi", tools=tools)
        return asyncio.get_running_loop()

    loop = asyncio.run(main())
    assert watcher.loops == [loop] * 4


USER: contextvars.ContextVar[str] = contextvars.ContextVar("user", default="nobody")


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("run", RUNNERS)
def test_context_variables_reach_the_tools(run: Runner, asynchronous: bool) -> None:
    def look() -> str:
        return USER.get()

    async def alook() -> str:
        return USER.get()

    tool = tb.tool(name="look")(alook if asynchronous else look)
    token = USER.set("kim")
    try:
        done = run(Server("gemini", [CALL, said("ok")]), "hi", tools=[tool])
    finally:
        USER.reset(token)
    assert done.steps[0].results[0].parts == (tb.Text(text="kim"),)


def yielding(context: tb.Context) -> Iterator[Any]:
    yield 1
    yield 2
    yield {"user": USER.get(), "data": context.data}


async def streaming(context: tb.Context) -> AsyncIterator[Any]:
    for value in yielding(context):
        yield value


@pytest.mark.parametrize("run", RUNNERS)
@pytest.mark.parametrize("function", [yielding, streaming])
def test_generators_run_to_their_end(function: Any, run: Runner) -> None:
    events: list[Any] = []
    tool = tb.tool(name="look")(function)
    server = Server("gemini", [CALL, said("ok")])
    done = run(server, "hi", tools=[tool], data=7, watch=events.append)
    assert [each.value for each in events if isinstance(each, tb.Progress)] == [1, 2]
    assert done.steps[0].results[0].parts == (tb.Json(value={"user": "nobody", "data": 7}),)


@both
def test_progress_and_results_come_to_whoever_watches(run: Runner) -> None:
    events: list[Any] = []

    async def look(context: tb.Context) -> str:
        context.progress(1)
        return "seen"

    done = run(Server("gemini", [CALL, said("ok")]), "hi", tools=[look], watch=events.append)
    kinds = [type(event) for event in events]
    assert kinds == [tb.Answered, tb.Progress, tb.Finished, tb.Answered]
    assert events[0].call.body["contents"] == [{"role": "user", "parts": [{"text": "hi"}]}]
    assert events[0].reply.body["responseId"] == "resp-0"
    assert events[0].response == done.steps[0].response
    assert events[2].result == done.steps[0].results[0]
