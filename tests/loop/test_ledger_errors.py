"""Ledgers that fail, or give the wrong thing: nobody knows whether the call ran. So it does not
run, and no model reads that it may try once more. And async ledgers."""

from __future__ import annotations

import asyncio
import gc
import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import toolbridge as tb

from .answers import Called, calling, said
from .crews import LONG, Book, Hang, Performer, both, job, look, workplace
from .play import text_of
from .servers import Server, arun

BEGAN = "it began before, and nobody knows whether it was done"
PERHAPS = "it may have begun, and nobody knows whether it was done"


class Odd(Book):
    """A ledger of which one method does something else."""

    def __init__(
        self, method: str, instead: Callable[..., Any], held: tuple[str, ...] = ()
    ) -> None:
        super().__init__()
        self.held.update(dict.fromkeys(held))
        setattr(self, method, instead)


def raises(error: BaseException) -> Callable[..., Any]:
    """A method that fails."""

    def fails(*given: Any) -> Any:
        raise error

    return fails


def gives(value: Any) -> Callable[..., Any]:
    """A method that gives the same always."""
    return lambda *given: value


def is_async(value: Any = None) -> Callable[..., Any]:
    """An async method, where nobody can see that it is one."""

    async def come() -> Any:
        return value

    return lambda *given: come()


UNCLEAR: list[tuple[str, Callable[..., Any], type[BaseException]]] = [
    ("claim", raises(OSError("down")), OSError),
    ("claim", raises(SystemExit(3)), SystemExit),
    ("claim", raises(asyncio.CancelledError()), asyncio.CancelledError),
    ("claim", gives(None), TypeError),
    ("claim", gives(1), TypeError),
    ("claim", gives("OK"), TypeError),
    ("recorded", raises(OSError("down")), OSError),
    ("recorded", raises(SystemExit(3)), SystemExit),
    ("recorded", gives("paid"), TypeError),
    ("recorded", gives({}), TypeError),
]


@both
@pytest.mark.parametrize("handling", [{}, {"idempotent": True}], ids=["once", "idempotent"])
@pytest.mark.parametrize(("method", "instead", "error"), UNCLEAR)
def test_where_a_ledger_fails_nothing_runs_and_the_outcome_is_unknown(
    method: str,
    instead: Callable[..., Any],
    error: type[BaseException],
    handling: dict[str, Any],
    perform: Performer,
) -> None:
    ran: list[str] = []

    def act() -> None:
        ran.append("act")

    ledger = Odd(method, instead, held=("a",) if method == "recorded" else ())
    (outcome,) = perform(workplace(ledger=ledger), [job(act, **handling)])
    assert (outcome.how, ran, type(outcome.error)) == ("unknown", [], error)
    words = text_of(outcome.result)
    assert (PERHAPS if method == "claim" else BEGAN) in words
    assert "Check whether it was done before you try again." in words
    assert outcome.result.is_error


class Ends(BaseException):
    """Something that is no Exception."""


@both
def test_a_ledger_that_raises_anything_keeps_no_run_waiting(perform: Performer) -> None:
    """In its thread nobody else would hear of it."""
    ledger = Odd("claim", raises(Ends()))
    (outcome,) = perform(workplace(ledger=ledger), [job(look)])
    assert outcome.how == "unknown"
    assert isinstance(outcome.error, Ends)


@pytest.mark.parametrize("method", ["claim", "recorded"])
def test_a_coroutine_counts_as_no_answer_where_nobody_can_await_it(method: str) -> None:
    """It is true, as every object is: each call would run, each time."""
    ran: list[str] = []

    @tb.tool(effect="write")
    def pay() -> str:
        ran.append("pay")
        return "paid"

    ledger = Odd(method, is_async(True))
    if method == "recorded":
        ledger.claim = gives(False)  # type: ignore[method-assign]
    server = Server("anthropic", [calling(Called("pay", {}, "p")), said("ok")])
    with warnings.catch_warnings(record=True) as warned:
        run = tb.run(server.model(), "hi", tools=[pay], gate=tb.Gate(ledger=ledger))
        gc.collect()
    assert ran == []
    assert "nobody knows whether it was done" in text_of(run.steps[0].results[0])
    assert [str(each.message) for each in warned if "never awaited" in str(each.message)] == []


def test_a_record_that_nobody_can_await_leaves_the_result_and_tells_the_app() -> None:
    events: list[Any] = []

    @tb.tool(effect="write")
    def pay() -> str:
        return "paid"

    server = Server("anthropic", [calling(Called("pay", {}, "p")), said("ok")])
    gate = tb.Gate(ledger=Odd("record", is_async()))
    run = tb.run(server.model(), "hi", tools=[pay], gate=gate, watch=events.append)
    assert text_of(run.steps[0].results[0]) == "paid"
    (error,) = (each.error for each in events if isinstance(each, tb.Finished))
    assert str(error) == "record of the ledger gives nothing, not a coroutine"


class Awaited:
    """An async ledger, which notes the event loops in which it was asked."""

    def __init__(self, fails: str = "") -> None:
        self.held: dict[str, tb.ToolResult | None] = {}
        self.fails = fails
        self.loops: set[asyncio.AbstractEventLoop] = set()

    async def claim(self, call_key: str) -> bool:
        await self.ask("claim")
        fresh = call_key not in self.held
        self.held.setdefault(call_key, None)
        return fresh

    async def record(self, call_key: str, result: tb.ToolResult) -> None:
        await self.ask("record")
        self.held[call_key] = result

    async def recorded(self, call_key: str) -> tb.ToolResult | None:
        await self.ask("recorded")
        return self.held[call_key]

    async def ask(self, method: str) -> None:
        self.loops.add(asyncio.get_running_loop())
        await asyncio.sleep(0)
        if method == self.fails:
            raise OSError(f"no {method}")


class Promised(Awaited):
    """The same ledger, where nobody can see that its methods are async."""

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return (lambda *given: found(*given)) if name in ("claim", "record", "recorded") else found


def payments(ran: list[str]) -> list[Any]:
    """Two tools that note that they ran, one of them async."""

    @tb.tool(effect="write")
    def pay() -> str:
        ran.append("pay")
        return "paid"

    @tb.tool(effect="write")
    async def apay() -> str:
        ran.append("apay")
        return "paid too"

    return [pay, apay]


BOTH = calling(Called("pay", {}, "p"), Called("apay", {}, "q"))


@pytest.mark.parametrize("kind", [Awaited, Promised])
def test_an_async_ledger_lets_no_call_run_twice_under_arun(kind: type[Awaited]) -> None:
    """Asked in the event loop of the run, where its connections are at home."""
    ran: list[str] = []
    ledger = kind()

    async def main() -> list[list[str]]:
        said_then = []
        for _ in range(2):
            server = Server("anthropic", [BOTH, said("ok")])
            gate = tb.Gate(ledger=ledger)
            run = await arun(server, "hi", tools=payments(ran), gate=gate, run_id="same")
            said_then.append([text_of(each) for each in run.steps[0].results])
        assert ledger.loops == {asyncio.get_running_loop()}
        return said_then

    assert asyncio.run(main()) == [["paid", "paid too"]] * 2
    assert sorted(ran) == ["apay", "pay"]


@pytest.mark.parametrize(
    ("fails", "words", "runs"),
    [("claim", PERHAPS, 0), ("recorded", BEGAN, 2), ("record", BEGAN, 2)],
)
def test_an_async_ledger_that_fails_leaves_the_second_run_unknown(
    fails: str, words: str, runs: int
) -> None:
    ran: list[str] = []
    ledger = Awaited(fails)

    async def once() -> tb.Run:
        server = Server("anthropic", [BOTH, said("ok")])
        gate = tb.Gate(ledger=ledger)
        return await arun(server, "hi", tools=payments(ran), gate=gate, run_id="same")

    async def main() -> tb.Run:
        await once()
        return await once()

    results = asyncio.run(main()).steps[0].results
    assert [words in text_of(each) for each in results] == [True, True]
    assert len(ran) == runs


@pytest.mark.parametrize("begin", [tb.run, tb.stream])
@pytest.mark.parametrize("method", ["claim", "record", "recorded"])
def test_an_async_ledger_is_refused_where_no_event_loop_runs(begin: Any, method: str) -> None:
    """Before the model is asked: of what runs afterwards nothing could be taken back."""
    server = Server("anthropic", [said("never")])
    ledger = Odd(method, getattr(Awaited(), method))
    with pytest.raises(TypeError, match=rf"{method} of the ledger is async.* use arun"):
        list(begin(server.model(), "hi", gate=tb.Gate(ledger=ledger)))
    assert server.requests == []


def test_a_call_that_ends_after_the_event_loop_is_told_to_be_unrecorded() -> None:
    """No loop is left in which the ledger could be asked: the next run finds the call unknown."""
    ledger, late = Awaited(), list[Any]()
    heard = threading.Event()
    hang = Hang()

    def audit(record: tb.AuditRecord) -> None:
        if record.outcome == "late":
            late.append(record)
            heard.set()

    @tb.tool(effect="write", timeout=0.02)
    def pay() -> str:
        return hang()

    server = Server("anthropic", [calling(Called("pay", {}, "p")), said("ok")])
    gate = tb.Gate(ledger=ledger, audit=audit)
    asyncio.run(arun(server, "hi", tools=[pay], gate=gate))
    hang.let_go.set()
    assert heard.wait(LONG)
    assert "Event loop is closed" in late[0].error
    assert [*ledger.held.values()] == [None]
