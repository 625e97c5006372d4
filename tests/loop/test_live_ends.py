"""Streams that are left, or cancelled, while tools are at work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import toolbridge as tb

from .answers import Answer, Called, calling, said
from .live_server import LiveServer
from .play import text_of
from .test_live import Live, answered_once, both, sync


def left_at_work(tool: tb.Tool, live: Live) -> tb.Run:
    """The run of a stream that is left when the tool says that it is at work."""
    server = LiveServer("anthropic", [calling(Called(tool.name, {}, "a")), said("never")])
    if live is sync:
        with tb.stream(server.model(), "go", tools=[tool]) as events:
            next(event for event in events if isinstance(event, tb.Progress))
        assert events.run is not None
        return events.run

    async def main() -> tb.Run:
        async with tb.astream(server.model(asynchronous=True), "go", tools=[tool]) as events:
            async for event in events:
                if isinstance(event, tb.Progress):
                    break
        assert events.run is not None
        return events.run

    return asyncio.run(main())


@both
def test_a_sync_tool_at_work_is_left_to_itself(live: Live) -> None:
    over = threading.Event()

    @tb.tool
    def slow(context: tb.Context) -> str:
        """Takes its time, whoever waits."""
        context.progress("at work")
        over.wait(20)
        return "done"

    try:
        run = left_at_work(slow, live)
    finally:
        over.set()
    assert run.stop_reason == "cancelled"
    answered_once(run)
    assert "may still complete" in str(run.steps[0].results[0].parts)


@both
def test_an_async_tool_at_work_is_stopped(live: Live) -> None:
    stopped = threading.Event()

    @tb.tool
    async def slow(context: tb.Context) -> str:
        """Takes its time."""
        context.progress("at work")
        try:
            await asyncio.sleep(20)
        finally:
            stopped.set()
        return "done"

    run = left_at_work(slow, live)
    assert stopped.is_set()
    assert run.stop_reason == "cancelled"
    answered_once(run)
    assert "slow was stopped" in str(run.steps[0].results[0].parts)


@both
def test_a_token_ends_a_stream_with_what_there_is(live: Live) -> None:
    """Cancelled by a tool: no other answer is asked for, and the run is told as ever."""

    @tb.tool
    def enough(context: tb.Context) -> str:
        """Ends the run."""
        context.cancel.cancel()
        return "enough"

    server = LiveServer("anthropic", [calling(Called("enough", {}, "a")), said("never")])
    events, run = live(server, "go", tools=[enough], cancel=tb.CancelToken())
    assert run is not None
    assert events[-1] is run
    assert run.stop_reason == "cancelled"
    answered_once(run)
    assert len(server.requests) == 1


# --- each call has what came of itself


def left_when(
    is_time: Callable[[Any], bool], replies: Sequence[Answer], live: Live, **options: Any
) -> tb.Run:
    """The run of a stream that is left at an event."""
    server = LiveServer("anthropic", replies)
    if live is sync:
        with tb.stream(server.model(), "go", **options) as events:
            next(event for event in events if is_time(event))
        assert events.run is not None
        return events.run

    async def main() -> tb.Run:
        async with tb.astream(server.model(asynchronous=True), "go", **options) as events:
            async for event in events:
                if is_time(event):
                    break
        assert events.run is not None
        return events.run

    return asyncio.run(main())


def refused(event: Any) -> bool:
    """Whether a call of a tool that there is not was refused."""
    return isinstance(event, tb.Finished) and event.call.name == "nope"


def looks_fine(number: int) -> None:
    """A check without objections."""


@tb.tool(effect="write", checks=[looks_fine])
def pay(number: int) -> str:
    """Pays."""
    return f"paid {number}"


@tb.tool(effect="read", untrusted_output=False)
def look(number: int) -> str:
    """Looks."""
    return f"looked {number}"


NOPE = Called("nope", {}, "n")
Given = tuple[str, str, bool]


def given_in(run: tb.Run) -> list[list[Given]]:
    """Of each step the id of each result, what it says, and whether it is a failure."""
    return [
        [(each.call_id, text_of(each), bool(each.is_error)) for each in step.results]
        for step in run.steps
    ]


@both
@pytest.mark.parametrize(
    ("replies", "name", "before"),
    [
        ([calling(Called("pay", {"number": 5}, "p"), NOPE)], "pay", []),
        (
            [
                calling(Called("look", {"number": 1}, "before")),
                calling(Called("look", {"number": 2}, "p"), NOPE),
            ],
            "look",
            [[("before", "looked 1", False)]],
        ),
    ],
    ids=["its own check", "the step before"],
)
def test_a_call_that_did_not_run_gets_the_outcome_of_nothing_else(
    replies: list[Answer], name: str, before: list[Any], live: Live
) -> None:
    """The stream is left while the run is about to begin a call: what ran last was another."""
    run = left_when(refused, replies, live, tools=[pay, look])
    *steps, last = given_in(run)
    words = f"The call of {name} was cancelled.\nAsk before you try again."
    assert steps == before
    assert last[0] == ("p", words, True)
    assert last[1][0] == "n"
    answered_once(run)


class Glances:
    """A tool that begins while the answer comes, and looks for as long as it may."""

    def __init__(self) -> None:
        self.began, self.over = threading.Event(), threading.Event()

        @tb.tool(effect="read", untrusted_output=False)
        def glance() -> str:
            """Looks."""
            self.began.set()
            self.over.wait(20)
            return "seen"

        self.tool = glance


@both
def test_a_call_that_began_while_the_answer_came_keeps_its_outcome(live: Live) -> None:
    """It is at work, though the run had not asked for it yet when the stream was left."""
    glances = Glances()
    reply = calling(Called("glance", {}, "g"), Called("pay", {"number": 5}, "p"), NOPE)
    tools = [glances.tool, pay]
    run = left_when(
        lambda event: refused(event) and glances.began.wait(20),
        [reply],
        live,
        tools=tools,
        eager=True,
    )
    glances.over.set()
    ((glanced, paid, _),) = given_in(run)
    assert "may still complete" in glanced[1]
    assert paid[1].startswith("The call of pay was cancelled")


@both
def test_a_person_who_ends_the_run_takes_no_outcome_away(live: Live) -> None:
    """A call that is at work while somebody is asked about another has not been cancelled."""
    token, glances = tb.CancelToken(), Glances()

    def stops(question: Any) -> None:
        assert glances.began.wait(20)
        token.cancel()

    drop = tb.tool(effect="irreversible", name="drop")(lambda: "gone")
    server = LiveServer("anthropic", [calling(Called("glance", {}, "g"), Called("drop", {}, "d"))])
    gate = tb.Gate(approve=stops)
    tools = [glances.tool, drop]
    _, run = live(server, "go", tools=tools, gate=gate, eager=True, cancel=token)
    glances.over.set()
    assert run is not None
    ((glanced, dropped),) = given_in(run)
    assert "may still complete" in glanced[1]
    assert dropped[1].startswith("The call of drop was cancelled")
