"""Reading calls that begin while the answer is still streamed, through the vendors' own SDKs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import httpx2
import pytest

import toolbridge as tb
from acceptable.verdict import request_findings
from toolbridge.checkpoint import policies
from toolbridge.streams.convert import unfold
from toolbridge.streams.events import CallFinished, Stopped

from .answers import FORMATS, MODELS, Answer, Called, body_of, calling, said
from .crews import LONG
from .live_server import HEADERS, LiveServer, Pieces, text_of
from .play import text_of as words_of
from .servers import Reply, Server
from .test_live import Live, answered_once, both

BLOCKS = ("anthropic", "openai-responses", "gemini")
"""Formats that say when a call is whole. In Chat Completions pieces of any call may come until the
answer is over: nothing begins before."""

every = pytest.mark.parametrize("format", BLOCKS)


class Held(Pieces):
    """A stream that gives its last event only when it is let go; `waited` says whether it was."""

    def __init__(self, events: list[Any], format: str, let_go: threading.Event) -> None:
        super().__init__(b"")
        self.pieces = [text_of([event], format) for event in events]
        self.let_go, self.waited = let_go, True

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces[:-1]
        self.waited = self.let_go.wait(LONG)
        yield self.pieces[-1]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces[:-1]:
            yield piece
        self.waited = await asyncio.to_thread(self.let_go.wait, LONG)
        yield self.pieces[-1]


class HeldServer(LiveServer):
    """Holds the end of its first answer."""

    def __init__(self, format: str, replies: Iterable[Reply], let_go: threading.Event) -> None:
        super().__init__(format, replies)
        self.let_go = let_go

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        if self.streams:
            return super().handle(request)
        self.requests.append(request)
        answer = self.replies.pop(0)
        assert isinstance(answer, Answer)
        events: Any = unfold(body_of(answer, self.base), self.base)
        self.streams.append(Held(events, self.base, self.let_go))
        return httpx2.Response(200, headers=HEADERS, stream=self.streams[-1])


class Diary:
    """Tools that note when they are at work."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.looked = threading.Event()

    def tool(self, name: str, **options: Any) -> tb.Tool:
        """A tool of one number."""

        def work(number: int) -> str:
            """Works."""
            self.ran.append(f"{name} {number}")
            if name == "look":
                self.looked.set()
            return f"{name} gave {number}"

        return tb.tool(name=name, **options)(work)

    def look(self) -> tb.Tool:
        """The one that may begin early."""
        return self.tool("look", effect="read", untrusted_output=False)


def call(name: str, number: int) -> Called:
    return Called(name, {"number": number}, f"c{number}")


def result_texts(run: tb.Run | None) -> list[tuple[str, str]]:
    """The results of the first step, in order."""
    assert run is not None
    return [(each.call_id, words_of(each)) for each in run.steps[0].results]


@both
@every
def test_a_reading_call_begins_before_the_answer_is_over(format: str, live: Live) -> None:
    diary = Diary()
    turns = (calling(call("look", 1), call("look", 2), text="볼게요"), said("끝"))
    server = HeldServer(format, turns, diary.looked)
    events, run = live(server, "go", tools=[diary.look()], eager=True)
    assert [each.waited for each in server.streams if isinstance(each, Held)] == [True]
    assert sorted(diary.ran) == ["look 1", "look 2"], "each ran once"
    assert result_texts(run) == [("c1", "look gave 1"), ("c2", "look gave 2")]
    finished = [event for event in events if isinstance(event, tb.Finished)]
    assert sorted(each.call.id for each in finished) == ["c1", "c2"], "each is told once"
    assert run is not None
    assert (run.stop_reason, run.text) == ("end", "끝")


@both
@every
def test_without_being_asked_for_nothing_begins_early(format: str, live: Live) -> None:
    diary = Diary()
    turns = (calling(call("look", 1)), said("끝"))
    server = LiveServer(format, turns)
    events, run = live(server, "go", tools=[diary.look()])
    kinds = [type(event) for event in events]
    assert kinds.index(tb.Answered) < kinds.index(tb.Finished)
    assert result_texts(run) == [("c1", "look gave 1")]


def no_check(number: int) -> None:
    """A check that lets everything pass."""


WAITS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("writes", {"effect": "write"}),
    ("idempotent", {"effect": "write", "idempotent": True}),
    ("irreversible", {"effect": "irreversible"}),
    ("undeclared", {}),
    ("checked", {"effect": "read", "checks": [no_check]}),
    ("exclusive", {"effect": "read", "exclusive": True}),
    ("ordered", {"effect": "read", "ordered": True}),
    ("asked", {"effect": "read"}),
    ("sends", {"effect": "read", "sends_out": True}),
)


@both
@every
@pytest.mark.parametrize(("name", "options"), WAITS, ids=[row[0] for row in WAITS])
def test_all_else_waits_for_the_whole_answer(
    name: str, options: dict[str, Any], format: str, live: Live
) -> None:
    """At one call at a time, a call that had begun early would have run before the other."""
    diary = Diary()
    gate = tb.Gate(
        policy=policies.first(policies.ask_about("asked", "sends"), policies.default),
        approve=lambda question: tb.Approve(),
    )
    tools = [diary.tool(name, **options), diary.look(), diary.tool("last", effect="write")]
    calls = (call(name, 1), call("look", 2), call("last", 3))
    turns = (calling(*calls, text="볼게요"), said("끝"))
    server = HeldServer(format, turns, diary.looked)
    _, run = live(server, "go", tools=tools, gate=gate, eager=True, max_parallel=1)
    assert diary.ran == ["look 2", f"{name} 1", "last 3"]
    assert result_texts(run) == [
        ("c1", f"{name} gave 1"),
        ("c2", "look gave 2"),
        ("c3", "last gave 3"),
    ]


@both
@every
@pytest.mark.parametrize("wrong", ["text", '{"number": '])
def test_wrong_arguments_begin_nothing(wrong: Any, format: str, live: Live) -> None:
    arguments = {"number": wrong} if wrong == "text" else wrong
    diary = Diary()
    turns = (calling(Called("look", arguments, "c1"), call("look", 2)), said("끝"))
    _, run = live(LiveServer(format, turns), "go", tools=[diary.look()], eager=True)
    assert diary.ran == ["look 2"]
    assert run is not None
    assert [bool(each.is_error) for each in run.steps[0].results] == [True, False]


@both
def test_in_chat_completions_calls_run_when_the_answer_is_over(live: Live) -> None:
    diary = Diary()
    turns = (calling(call("look", 1), call("look", 2)), said("끝"))
    server = LiveServer("openai-chat", turns)
    _, run = live(server, "go", tools=[diary.look()], eager=True)
    assert result_texts(run) == [("c1", "look gave 1"), ("c2", "look gave 2")]
    assert sorted(diary.ran) == ["look 1", "look 2"]


# answers that break off


def broken_off(format: str, diary: Diary, live: Live) -> tb.Run:
    """The run of an answer that breaks off after a call of each tool is whole, and a third is not
    there yet or cut."""
    calls = (call("look", 1), call("note", 2), call("look", 3))
    body: Any = body_of(calling(*calls, text="볼게요"), format)
    cut = {"anthropic": -4, "openai-responses": -3, "gemini": -2}[format]
    server = LiveServer(format, [body], cut=cut, error=httpx2.ReadError("reset"))
    tools = [diary.look(), diary.tool("note", effect="write")]
    with pytest.raises(tb.VendorConnectionError) as raised:
        live(server, "go", tools=tools, eager=True)
    run = raised.value.run
    assert run is not None
    return run


@both
@every
def test_what_was_read_is_kept_when_the_answer_breaks_off(format: str, live: Live) -> None:
    """The others have results that say that they did not run."""
    diary = Diary()
    run = broken_off(format, diary, live)
    assert diary.ran == ["look 1"]
    assert run.stop_reason == "error"
    answered_once(run)
    (first, *others) = result_texts(run)
    assert first == ("c1", "look gave 1")
    assert others[0] == ("c2", "The call of note was cancelled.\nAsk before you try again.")
    assert all(result.is_error for result in run.steps[0].results[1:])


@both
@every
def test_a_run_that_broke_off_goes_on(format: str, live: Live) -> None:
    diary = Diary()
    run = broken_off(format, diary, live)
    tools = [diary.look(), diary.tool("note", effect="write")]
    for target in FORMATS:
        history: Any = run.messages
        request = tb.Request(history=history)
        written = tb.write(request, target, model=MODELS[target]).payload
        assert request_findings(written, target, model=MODELS[target]) == []
        server = Server(target, [said("끝")], first_turn=1)
        gate = tb.Gate(ledger=tb.MemoryLedger())
        done = tb.resume(run, {}, tools=tools, model=server.model(), gate=gate)
        assert (done.stop_reason, done.text) == ("end", "끝")
        assert done.messages[: len(run.messages)] == run.messages
    assert diary.ran == ["look 1"]


@both
def test_an_answer_that_breaks_off_before_anything_began_leaves_nothing(live: Live) -> None:
    """It is asked for again: nothing of it has happened."""
    diary = Diary()
    server = LiveServer(
        "anthropic", [calling(call("look", 1))], cut=3, error=httpx2.ReadError("reset")
    )
    with pytest.raises(tb.VendorConnectionError) as raised:
        live(server, "go", tools=[diary.look()], eager=True)
    run = raised.value.run
    assert run is not None
    assert (len(run.messages), run.steps, diary.ran) == (1, (), [])


# leaving early


@every
@pytest.mark.parametrize("asynchronous", [False, True])
def test_whoever_leaves_early_finds_each_call_with_its_result(
    format: str, asynchronous: bool
) -> None:
    turns = (calling(call("look", 1), call("note", 2)), said("never"))
    diary = Diary()
    server = LiveServer(format, turns)
    tools = [diary.look(), diary.tool("note", effect="write")]
    model = server.model(asynchronous)

    def is_left(event: Any) -> bool:
        return isinstance(event, Stopped)

    async def main() -> tb.Run | None:
        async with tb.astream(model, "go", tools=tools, eager=True) as events:
            async for event in events:
                if is_left(event):
                    await asyncio.to_thread(diary.looked.wait, LONG)
                    break
        return events.run

    if asynchronous:
        run = asyncio.run(main())
    else:
        with tb.stream(model, "go", tools=tools, eager=True) as live:
            next(event for event in live if is_left(event))
            assert diary.looked.wait(LONG)
        run = live.run
    assert run is not None
    assert run.stop_reason == "cancelled"
    answered_once(run)
    assert diary.ran == ["look 1"]
    assert run.steps[0].results[1].is_error
    assert server.streams[0].closed


def test_left_while_a_tool_reads_its_outcome_is_unknown() -> None:
    over = threading.Event()

    @tb.tool(effect="read")
    def slow(context: tb.Context) -> str:
        """Takes its time, whoever waits."""
        context.progress("at work")
        over.wait(LONG)
        return "done"

    server = LiveServer("anthropic", [calling(Called("slow"), Called("slow", {}, "c2"))])
    try:
        with tb.stream(server.model(), "go", tools=[slow], eager=True) as live:
            next(event for event in live if isinstance(event, CallFinished))
            next(event for event in live if isinstance(event, tb.Progress))
    finally:
        over.set()
    assert live.run is not None
    answered_once(live.run)
    assert "may still complete" in words_of(live.run.steps[0].results[0])
