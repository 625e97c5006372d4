"""The end of a run while its calls are at work, and calls that begin before they are asked for."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from toolbridge.app_tools import CancelToken
from toolbridge.loop import async_crew, roster
from toolbridge.loop.crew import Crew
from toolbridge.loop.state import Cancelled, Job, Outcome

from .crews import LONG, Hang, Performer, Rest, alook, both, job, look, workplace
from .play import text_of


def words(outcome: Outcome) -> str:
    return text_of(outcome.result)


# --- the end of the run


def finished_of(perform: Performer, place: Any, jobs: list[Job]) -> list[Outcome]:
    """What came of each call of a run that ended meanwhile."""
    with pytest.raises(Cancelled) as raised:
        perform(place, jobs)
    assert [*raised.value.finished] == [*range(len(jobs))]
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
    assert crew.finished[0].how == "unknown"


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
    for _ in crew.perform(jobs):
        pass
    return [*crew.finished.values()]


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
