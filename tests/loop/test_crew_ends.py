"""The end of a run while its calls are at work, and calls that begin before they are asked for."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import toolbridge as tb
from toolbridge.app_tools import CancelToken
from toolbridge.loop import async_crew, roster
from toolbridge.loop.crew import Crew
from toolbridge.loop.state import Cancelled, Job, Outcome
from toolbridge.loop.workers import Workers

from .crews import LONG, Hang, Performer, Rest, alook, both, job, look, workplace
from .play import text_of


def words(outcome: Outcome) -> str:
    return text_of(outcome.result)


# --- the end of the run


def finished_of(perform: Performer, place: Any, jobs: list[Job]) -> list[Outcome]:
    """What came of each call of a run that ended meanwhile."""
    with pytest.raises(Cancelled) as raised:
        perform(place, jobs)
    assert raised.value.why == ("timeout" if place.deadline is not None else None)
    assert [*raised.value.finished] == [each.key for each in jobs]
    return [*raised.value.finished.values()]


@both
@pytest.mark.parametrize("by", ["token", "deadline"])
def test_the_end_of_a_run_leaves_each_call_with_its_outcome(perform: Performer, by: str) -> None:
    """Done, running in a thread, running in an event loop, not begun."""
    token, hang, rest, ran = CancelToken(), Hang(), Rest(), list[str]()
    seen = threading.Event()

    def waits() -> None:
        ran.append("waits")

    def cancels() -> None:
        for event in (seen, hang.began, rest.began):
            event.wait(LONG)
        token.cancel()

    jobs = [job(look, "0"), job(hang, "1"), job(rest, "2"), job(waits, "3", exclusive=True)]
    changes: dict[str, Any] = {"cancel": token, "watch": lambda event: seen.set()}
    if by == "token":
        threading.Thread(target=cancels).start()
    else:
        changes["deadline"] = time.monotonic() + 0.5
    try:
        outcomes = finished_of(perform, workplace(**changes), jobs)
    finally:
        hang.let_go.set()
    assert [outcome.how for outcome in outcomes] == ["ok", "unknown", "cancelled", "cancelled"]
    assert rest.stopped.is_set()
    assert ran == []
    assert "may still complete: the run was cancelled" in words(outcomes[1])
    assert "look was stopped: the run was cancelled" in words(outcomes[2])
    assert "it did not run" in words(outcomes[3])


@both
def test_a_run_that_is_over_begins_nothing(perform: Performer) -> None:
    token, ran = CancelToken(), list[str]()
    token.cancel()

    def act() -> None:
        ran.append("act")

    (outcome,) = finished_of(perform, workplace(cancel=token), [job(act)])
    assert (outcome.how, ran) == ("cancelled", [])


def test_an_async_tool_in_a_thread_that_blocks_is_left_to_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing reaches an event loop that is blocked; the crew does not wait for it for ever."""
    monkeypatch.setattr(roster, "GRACE", 0.02)
    hang = Hang()

    async def blocks() -> str:
        return hang()

    crew = Crew(workplace(timeout=0.02))
    try:
        for _ in crew.perform([job(blocks)]):
            pass
    finally:
        hang.let_go.set()
        crew.close()
    assert crew.finished["a"].how == "unknown"


HUNG = """
import threading
import toolbridge as tb
from tests.loop.answers import Called, calling, said
from tests.loop.servers import Server

@tb.tool(timeout=0.05)
def hang() -> None:
    threading.Event().wait()

server = Server("anthropic", [calling(Called("hang", {}, "a")), said("bye")])
run = tb.run(server.model(), "hi", tools=[hang])
assert run.steps[0].results[0].is_error
assert threading.active_count() > 1
"""


def test_a_tool_that_hangs_lets_the_interpreter_exit() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HUNG], timeout=60, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


@both
def test_the_first_reason_is_why_a_run_is_over(perform: Performer) -> None:
    """A tool may answer the deadline by cancelling the run: its time was over all the same."""

    token, over = CancelToken(), threading.Event()

    def cancels(context: tb.Context) -> None:
        context.cancel.on_cancel(token.cancel)
        over.wait(LONG)

    finished_of(perform, workplace(cancel=token, deadline=time.monotonic() + 0.3), [job(cancels)])
    over.set()
    assert token.cancelled


@both
def test_the_time_that_is_over_after_a_run_was_cancelled_is_not_why(perform: Performer) -> None:
    token, rest = CancelToken(), Rest(stubborn=0.2)

    def cancels() -> None:
        rest.began.wait(LONG)
        token.cancel()

    threading.Thread(target=cancels).start()
    with pytest.raises(Cancelled) as raised:
        perform(workplace(cancel=token, deadline=time.monotonic() + 0.15), [job(rest)])
    assert raised.value.why is None


class Reports:
    """A reporter of late calls that fails, and what threading.excepthook was told."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self.told: list[Any] = []
        self.heard = threading.Event()
        patched.setattr(threading, "excepthook", self.hook)

    def late(self, late: Job, outcome: Outcome) -> None:
        raise OSError("disk full")

    def hook(self, given: Any) -> None:
        self.told.append(given)
        self.heard.set()


@both
def test_a_reporter_of_late_calls_that_fails_is_told_of_once_and_ends_no_thread(
    perform: Performer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports, hang = Reports(monkeypatch), Hang()
    monkeypatch.setattr(Workers, "close", lambda self: None)
    (outcome,) = perform(workplace(timeout=0.02, late=reports.late), [job(hang)])
    hang.let_go.set()
    assert outcome.how == "unknown"
    assert reports.heard.wait(LONG)
    (told,) = reports.told
    assert str(told.exc_value) == "disk full"
    told.thread.join(0.05)
    assert told.thread.is_alive(), "it waits for the next call"


def test_a_reporter_that_fails_in_an_event_loop_leaves_the_task_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An exception that nobody retrieves would be a warning of asyncio's at any later time."""
    monkeypatch.setattr(roster, "GRACE", 0.02)
    monkeypatch.setattr(async_crew, "GRACE", LONG)
    reports = Reports(monkeypatch)
    unretrieved: list[Any] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, said: unretrieved.append(said))
        crew = async_crew.AsyncCrew(workplace(timeout=0.02, late=reports.late))
        async for _ in crew.perform([job(Rest(stubborn=0.1))]):
            pass
        await crew.close()

    asyncio.run(main())
    gc.collect()
    assert [str(told.exc_value) for told in reports.told] == ["disk full"]
    assert unretrieved == []


# --- calls that begin before


def test_a_call_that_was_started_is_not_begun_again() -> None:
    ran: list[str] = []
    began = threading.Event()

    def act() -> str:
        ran.append("act")
        began.set()
        return "seen"

    crew = Crew(workplace())
    crew.start(job(act))
    assert began.wait(LONG), "it runs while nobody waits"
    assert [outcome.how for outcome in drive(crew, [job(act, check=True)])] == ["ok"]
    (outcome,) = drive(crew, [job(act)])
    assert (words(outcome), len(ran)) == ("seen", 2), "once, and once as a check"
    drive(crew, [job(act)])
    assert len(ran) == 3, "its outcome is given once"


def drive(crew: Crew, jobs: list[Job]) -> list[Outcome]:
    """The outcomes of calls."""
    performing = crew.perform(jobs)
    while True:
        try:
            next(performing)
        except StopIteration as done:
            outcomes: list[Outcome] = done.value
            return outcomes


def test_checks_are_no_outcomes_of_their_calls_and_started_calls_have_theirs() -> None:
    """A check has the key of its call: what it gave is not what the call gave."""
    crew = Crew(workplace())
    crew.start(job(look, "started"))
    drive(crew, [job(look, "checked", check=True)])
    crew.end()
    assert [*crew.finished] == ["started"]
    drive(crew, [job(look, "later")])
    assert [*crew.finished] == ["later", "started"]


def cancelled_with(*at_work: Hang | Rest) -> CancelToken:
    """A token that is cancelled once all of these functions are at work."""
    token = CancelToken()

    def cancel() -> None:
        for each in at_work:
            each.began.wait(LONG)
        token.cancel()

    threading.Thread(target=cancel).start()
    return token


def test_a_run_that_is_cut_short_waits_for_what_was_started() -> None:
    """Each has its outcome, whatever was asked for last."""
    hang, rest = Hang(), Rest(stubborn=0.1)
    crew = Crew(workplace(cancel=cancelled_with(rest, hang)))
    crew.start(job(rest, "started"))
    with pytest.raises(Cancelled) as raised:
        drive(crew, [job(hang, "last")])
    hang.let_go.set()
    assert sorted(raised.value.finished) == ["last", "started"]


def test_a_run_that_is_cut_short_waits_for_what_was_started_in_an_event_loop() -> None:
    async def main() -> None:
        hang, rest = Hang(), Rest(stubborn=0.1)
        crew = async_crew.AsyncCrew(workplace(cancel=cancelled_with(rest, hang)))
        crew.start(job(rest, "started"))
        with pytest.raises(Cancelled) as raised:
            async for _ in crew.perform([job(hang, "last")]):
                pass
        hang.let_go.set()
        assert sorted(raised.value.finished) == ["last", "started"]

    asyncio.run(main())


def test_started_calls_have_their_limits_while_nobody_waits() -> None:
    hang, heard = Hang(), list[Any]()
    told = threading.Event()

    def watch(event: Any) -> None:
        heard.append(event)
        told.set()

    crew = Crew(workplace(watch=watch, max_parallel=1))
    crew.start(job(hang, "a", timeout=0.02))
    assert told.wait(LONG)
    hang.let_go.set()
    assert [outcome.how for outcome in drive(crew, [job(hang, "a")])] == ["unknown"]


def test_started_calls_are_ended_with_the_run_and_can_be_asked_for() -> None:
    hang, rest = Hang(), Rest()
    crew = Crew(workplace(max_parallel=3))
    jobs = [job(hang, "a"), job(rest, "b"), job(look, "c", exclusive=True)]
    for each in jobs:
        crew.start(each)
    rest.began.wait(LONG)
    crew.stop()
    hang.let_go.set()
    given_up = crew.give_up([*jobs, job(look, "d")])
    hows = ["unknown", "cancelled", "cancelled", "cancelled"]
    assert [outcome.how for outcome in given_up.values()] == hows


def test_started_calls_in_an_event_loop() -> None:
    async def main() -> None:
        crew = async_crew.AsyncCrew(workplace())
        rest = Rest()
        crew.start(job(alook, "a"))
        crew.start(job(rest, "b"))
        while not rest.began.is_set():
            await asyncio.sleep(0)
        async for _ in crew.perform([job(alook, "a")]):
            pass
        assert [outcome.how for outcome in crew.outcomes] == ["ok"]
        await crew.stop()
        assert [each.how for each in crew.give_up([job(rest, "b")]).values()] == ["cancelled"]
        assert rest.stopped.is_set()

    asyncio.run(main())
