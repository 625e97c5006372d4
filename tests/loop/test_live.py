"""`tb.stream` and `tb.astream` through the vendors' own SDKs: what happens, as it happens."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

import toolbridge as tb
from toolbridge.streams.events import (
    ArgumentsAdded,
    CallFinished,
    CallStarted,
    MessageStarted,
    Stopped,
    TextAdded,
)

from .answers import FORMATS, Called, calling, said
from .live_server import LiveServer
from .orders import CHAIN, TOOLS, WEATHER, transcript
from .servers import Server

every = pytest.mark.parametrize("format", FORMATS)
Live = Callable[..., tuple[list[Any], "tb.Run | None"]]


def sync(server: Server, *arguments: Any, **options: Any) -> tuple[list[Any], tb.Run | None]:
    """All that a stream tells, and its run."""
    live = tb.stream(server.model(), *arguments, **options)
    return list(live), live.run


def later(server: Server, *arguments: Any, **options: Any) -> tuple[list[Any], tb.Run | None]:
    """The same in an event loop."""

    async def main() -> tuple[list[Any], tb.Run | None]:
        live = tb.astream(server.model(asynchronous=True), *arguments, **options)
        return [event async for event in live], live.run

    return asyncio.run(main())


both = pytest.mark.parametrize("live", [sync, later])


def of(kind: type, events: list[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@both
@every
@pytest.mark.parametrize("turns", [WEATHER, CHAIN], ids=["weather", "orders"])
def test_a_run_that_is_told_is_the_run(turns: Any, format: str, live: Live) -> None:
    events, run = live(LiveServer(format, turns), "부탁해요", tools=TOOLS)
    whole = tb.run(Server(format, turns).model(), "부탁해요", tools=TOOLS)
    assert run is not None
    assert events[-1] is run
    assert transcript(run.messages) == transcript(whole.messages)
    assert (run.text, run.stop_reason) == (whole.text, whole.stop_reason)
    assert run.usage.output_tokens == whole.usage.output_tokens
    assert len(of(MessageStarted, events)) == len(of(Stopped, events)) == len(turns)
    assert len(of(tb.Answered, events)) == len(turns)
    assert len(of(tb.Finished, events)) == sum(len(turn.calls) for turn in turns)


@both
@every
def test_texts_and_arguments_come_in_pieces_that_are_the_whole(format: str, live: Live) -> None:
    turns = (calling(Called("weather", {"city": "서울"}), text="볼게요"), said("2도"))
    events, run = live(LiveServer(format, turns), "날씨", tools=TOOLS)
    assert "".join(event.text for event in of(TextAdded, events)) == "볼게요2도"
    (started,), (finished,) = of(CallStarted, events), of(CallFinished, events)
    assert (started.name, started.block, finished.status) == ("weather", finished.block, "complete")
    text = "".join(event.text for event in of(ArgumentsAdded, events))
    assert run is not None
    (call,) = run.steps[0].response.tool_calls
    assert tb.read({"content": [], "usage": {}}, "anthropic", "response").tool_calls == ()
    assert text.replace(" ", "") == '{"city":"서울"}'
    assert call.arguments == {"city": "서울"}


@both
@every
def test_events_name_tools_as_the_app_does(format: str, live: Live) -> None:
    """OpenAI takes no dot in a name."""
    tool = tb.tool(name="get.weather")(lambda_weather)
    server = LiveServer(format, [said("ok")])
    tb.run(Server(format, [said("ok")]).model(), "hi", tools=[tool])
    written = name_written(format, tool)
    server.replies[:] = [calling(Called(written, {"city": "서울"})), said("ok")]
    events, run = live(server, "hi", tools=[tool])
    assert [event.name for event in of(CallStarted, events)] == ["get.weather"]
    assert run is not None
    assert run.steps[0].results[0].is_error is None


def lambda_weather(city: str) -> str:
    """The weather."""
    return f"{city}: 2"


def name_written(format: str, tool: tb.Tool) -> str:
    """The name under which a tool goes out."""
    server = Server(format, [said("ok")])
    tb.run(server.model(), "hi", tools=[tool])
    (body,) = server.bodies
    (declared,) = body["tools"]
    for key in ("function", "functionDeclarations"):
        declared = declared.get(key, declared)
    return str((declared[0] if isinstance(declared, list) else declared)["name"])


@every
def test_what_tools_say_on_their_way_is_told_before_their_end(format: str) -> None:
    here, told = threading.Event(), []

    @tb.tool
    def slow(context: tb.Context) -> str:
        """Takes its time."""
        context.progress("half")
        assert here.wait(10), "the progress was told while the tool was at work"
        return "done"

    server = LiveServer(format, [calling(Called("slow")), said("ok")])
    for event in tb.stream(server.model(), "go", tools=[slow]):
        if isinstance(event, tb.Progress):
            told.append(event.value)
            here.set()
    assert told == ["half"]


def answered_once(run: tb.Run) -> None:
    """Each call of a run has exactly one result, in its place."""
    parts = [part for message in run.messages for part in getattr(message, "parts", ())]
    calls = [part.id for part in parts if isinstance(part, tb.ToolCall)]
    assert calls == [part.call_id for part in parts if isinstance(part, tb.ToolResult)]


@every
def test_closing_at_any_event_leaves_a_transcript_that_holds(format: str) -> None:
    turns = WEATHER
    total = len(sync(LiveServer(format, turns), "날씨", tools=TOOLS)[0])
    for stop_at in range(total - 1):
        server = LiveServer(format, turns)
        with tb.stream(server.model(), "날씨", tools=TOOLS) as live:
            for _ in range(stop_at + 1):
                next(live)
        assert live.run is not None
        over = stop_at == total - 2  # the last answer is told when the run has ended
        assert live.run.stop_reason == ("end" if over else "cancelled")
        answered_once(live.run)
        assert all(stream.closed for stream in server.streams)
        going_on = Server(format, [said("네")])
        more = tb.run(going_on.model(), [*live.run.messages, "다시"], tools=TOOLS)
        assert more.text == "네"


@every
def test_cancelling_the_task_closes_the_connection(format: str) -> None:
    server = LiveServer(format, [calling(Called("weather", {"city": "서울"})), said("ok")])

    async def main() -> tb.Run | None:
        live = tb.astream(server.model(asynchronous=True), "날씨", tools=TOOLS)

        async def read() -> None:
            async for event in live:
                if isinstance(event, CallFinished):
                    await asyncio.Event().wait()

        task = asyncio.create_task(read())
        while not server.streams:
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await live.close()
        return live.run

    run = asyncio.run(main())
    assert run is not None
    assert run.stop_reason == "cancelled"
    answered_once(run)
    assert server.streams[0].closed


@both
@every
def test_a_stream_that_breaks_off_raises_and_runs_nothing(format: str, live: Live) -> None:
    """No call of an answer that did not come to its end is run."""
    ran: list[str] = []

    @tb.tool
    def weather(city: str) -> str:
        """The weather."""
        ran.append(city)
        return "2"

    turns = [calling(Called("weather", {"city": "서울"}), text="볼게요")]
    lost = httpx2.ReadError("reset")
    server = LiveServer(format, turns, cut=-1, error=lost)
    with pytest.raises(tb.VendorConnectionError):
        live(server, "날씨", tools=[weather])
    assert ran == []
    assert len(server.requests) == 1, "what was told cannot be taken back"


@both
@every
def test_a_stream_without_an_end_is_incomplete(format: str, live: Live) -> None:
    """The server closed in the middle, without an error: the call was cut, and is not run."""
    cut = {"anthropic": 6, "openai-chat": 2, "openai-responses": 8, "gemini": 1}[format]
    turns = [calling(Called("weather", {"city": "서울"}), text="볼게요"), said("ok")]
    server = LiveServer(format, turns, cut=cut)
    events, _ = live(server, "날씨", tools=TOOLS, max_steps=1)
    assert all(event.status == "cut" for event in of(CallFinished, events))
    assert of(Stopped, events)[0].stop_reason == "incomplete"


@both
@every
def test_an_answer_is_tried_again_before_its_first_event_only(format: str, live: Live) -> None:
    server = LiveServer(format, [httpx2.ConnectError("no route"), said("ok")])
    model = tb.Model(
        server.model(live is later).name,
        client=server.client(live is later),
        retries=tb.Retries(base=0.0),
    )
    if live is sync:
        *_, run = tb.stream(model, "hi")
    else:
        run = asyncio.run(last(model))
    assert run.text == "ok"
    assert len(server.requests) == 2


async def last(model: tb.Model) -> Any:
    """The last that a stream tells."""
    return [event async for event in tb.astream(model, "hi")][-1]


ERRORS: dict[str, Any] = {
    "anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
    "openai-chat": {"error": {"type": "server_error", "code": 503, "message": "busy"}},
    "openai-responses": {
        "type": "response.failed",
        "response": {"id": "r", "status": "failed", "error": {"code": "server_error"}},
    },
    "gemini": {"error": {"code": 503, "status": "UNAVAILABLE", "message": "busy"}},
}
"""Hand-written: an error in the middle of a stream of status 200."""


@both
@every
def test_an_error_in_the_middle_is_of_its_kind(format: str, live: Live) -> None:
    from .live_server import HEADERS, Pieces, text_of

    stream = Pieces(text_of([ERRORS[format]], format))
    server = LiveServer(format, [httpx2.Response(200, headers=HEADERS, stream=stream)])
    with pytest.raises(tb.VendorError) as raised:
        live(server, "hi")
    assert type(raised.value) in (tb.OverloadedError, tb.ServerError)
    assert raised.value.retryable
