"""Streams that are left, or cancelled, while tools are at work."""

from __future__ import annotations

import asyncio
import threading

import toolbridge as tb

from .answers import Called, calling, said
from .live_server import LiveServer
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
