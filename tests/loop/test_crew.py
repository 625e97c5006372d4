"""The crews that run calls of tools: one outcome each, in time. What is at most once stands in
test_at_most_once."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import toolbridge as tb
from toolbridge.loop import async_crew, roster
from toolbridge.loop.state import Finished, Job, Outcome, Progress

from .crews import LONG, Hang, Performer, Rest, alook, both, job, look, workplace
from .play import text_of


def words(outcome: Outcome) -> str:
    return text_of(outcome.result)


# --- one outcome each


def broken() -> str:
    raise ValueError("secret")


async def abroken() -> str:
    raise ValueError("secret")


@both
def test_outcomes_come_in_the_order_of_the_calls(perform: Performer) -> None:
    functions = [look, abroken, alook, broken]
    jobs = [job(function, str(at)) for at, function in enumerate(functions)]
    outcomes = perform(workplace(), jobs)
    assert [outcome.how for outcome in outcomes] == ["ok", "error", "ok", "error"]
    assert [outcome.result.call_id for outcome in outcomes] == [each.call.id for each in jobs]
    assert [type(outcome.error) for outcome in outcomes[1::2]] == [ValueError, ValueError]


@both
def test_whoever_watches_hears_of_every_call_once_with_its_error(perform: Performer) -> None:
    heard: list[Finished] = []
    jobs = [job(look, "a"), job(broken, "b")]
    outcomes = perform(workplace(watch=heard.append), jobs)
    told = sorted(heard, key=lambda event: event.call.id)
    assert told == [
        Finished(each.call, outcome.result, outcome.error)
        for each, outcome in zip(jobs, outcomes, strict=True)
    ]


@both
def test_nobody_hears_of_a_check(perform: Performer) -> None:
    heard: list[Any] = []

    def check(context: tb.Context) -> None:
        context.progress("half")
        raise tb.ToolError("not yours")

    (outcome,) = perform(workplace(watch=heard.append), [job(check, check=True)])
    assert (outcome.how, words(outcome), heard) == ("error", "not yours", [])


@both
def test_an_outcome_says_how_long_it_took(perform: Performer) -> None:
    def nap() -> None:
        time.sleep(0.02)

    (outcome,) = perform(workplace(), [job(nap)])
    assert 0.02 <= outcome.seconds < LONG


@both
def test_what_whoever_watches_raises_ends_the_perform_as_it_is(perform: Performer) -> None:
    """Also on progress: the tool does not hear of it."""
    went_on = threading.Event()

    def watch(event: Any) -> None:
        if isinstance(event, Progress):
            raise KeyboardInterrupt

    def dig(context: tb.Context) -> None:
        context.progress(1)
        went_on.set()

    with pytest.raises(KeyboardInterrupt):
        perform(workplace(watch=watch), [job(dig)])
    assert went_on.wait(LONG)


# --- timeouts


@both
def test_a_sync_tool_that_times_out_has_an_unknown_outcome(perform: Performer) -> None:
    """It cannot be stopped; what it gives later is for the app, and told once."""
    hang, late, heard = Hang(), list[tuple[Job, Outcome]](), list[Any]()
    ended = threading.Event()

    def note(given: Job, outcome: Outcome) -> None:
        late.append((given, outcome))
        ended.set()

    slow = job(hang, timeout=0.02)
    (outcome,) = perform(workplace(late=note, watch=heard.append), [slow])
    assert outcome.how == "unknown"
    assert words(outcome) == (
        "The outcome of look is unknown, it may still complete: it took longer than 0.02 s.\n"
        "Check what was done before you try again."
    )
    assert late == []
    hang.let_go.set()
    assert ended.wait(LONG)
    assert [(each, words(later), later.how) for each, later in late] == [
        (slow, "done after all", "ok")
    ]
    assert heard == [Finished(slow.call, outcome.result)]


@both
def test_a_tool_that_timed_out_holds_nobody_else_up(perform: Performer) -> None:
    """One call at a time: the place is free when the time is over, though the thread hangs."""
    hang = Hang()
    try:
        slow = [job(hang, str(at), timeout=0.02) for at in range(2)]
        outcomes = perform(workplace(max_parallel=1), [*slow, job(look, "last")])
    finally:
        hang.let_go.set()
    assert [outcome.how for outcome in outcomes] == ["unknown", "unknown", "ok"]


@both
def test_a_sync_tool_hears_that_its_time_is_over(perform: Performer) -> None:
    heard = threading.Event()

    def patient(context: tb.Context) -> None:
        if context.cancel.wait(LONG):
            heard.set()

    place = workplace(timeout=0.02)
    perform(place, [job(patient)])
    assert heard.wait(LONG)
    assert not place.cancel.cancelled, "the run goes on"


@both
def test_an_async_tool_that_times_out_is_stopped(perform: Performer) -> None:
    rest = Rest()
    (outcome,) = perform(workplace(timeout=0.02), [job(rest)])
    assert outcome.how == "timeout"
    assert words(outcome) == (
        "look was stopped: it took longer than 0.02 s. What it had done by then may stand.\n"
        "Check what was done before you try again."
    )
    assert rest.stopped.is_set()


@both
def test_a_tool_that_cannot_be_stopped_is_left_to_itself(
    perform: Performer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "GRACE", 0.02)
    monkeypatch.setattr(async_crew, "GRACE", 0.02)
    (outcome,) = perform(workplace(timeout=0.02), [job(Rest(stubborn=0.2))])
    assert outcome.how == "unknown"


@both
def test_what_a_tool_gives_while_it_is_stopped_counts(perform: Performer) -> None:
    (outcome,) = perform(workplace(timeout=0.02), [job(Rest(stubborn=0.01))])
    assert (outcome.how, words(outcome)) == ("ok", "done after all")


@both
def test_progress_after_the_end_is_not_told(perform: Performer) -> None:
    heard: list[Any] = []
    ended = threading.Event()

    def chatty(context: tb.Context) -> None:
        context.cancel.wait(LONG)
        ended.wait(LONG)
        context.progress("too late")

    late: list[Outcome] = []
    told = threading.Event()

    def note(given: Job, outcome: Outcome) -> None:
        late.append(outcome)
        told.set()

    perform(workplace(timeout=0.02, watch=heard.append, late=note), [job(chatty)])
    ended.set()
    assert told.wait(LONG)
    assert [type(event) for event in heard] == [Finished]
    assert [outcome.how for outcome in late] == ["ok"]
