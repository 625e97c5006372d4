"""Which calls may begin, as a law; and the token by which they hear of their end."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbridge as tb
from toolbridge.app_tools import CancelToken
from toolbridge.checkpoint.handling import Handling
from toolbridge.loop.roster import Assignment, Roster

from .crews import LONG, Performer, both, job, look, workplace

# --- who may begin, as a law

KINDS = st.sampled_from([{}, {"ordered": True}, {"ordered": "db"}, {"exclusive": True}])
PLANS = st.lists(st.tuples(st.sampled_from("ab"), KINDS), max_size=12)


@given(PLANS, st.integers(1, 4), st.randoms(use_true_random=False))
def test_who_may_begin(plans: Any, at_a_time: int, random: Any) -> None:
    """Whatever ends first: never too many, never two of a lane, an exclusive one alone and in its
    place, and all come to their turn."""
    line = Roster(at_a_time)
    calls = [assigned(name, str(at), handling) for at, (name, handling) in enumerate(plans)]
    for call in calls:
        line.add(call)
    running: list[Assignment] = []
    begun: list[Assignment] = []
    while len(line):
        for call in line.ready():
            call.began = 0.0
            running.append(call)
            begun.append(call)
        assert 0 < len(running) <= at_a_time
        lanes = [lane for lane in map(lane_of, running) if lane]
        assert len(lanes) == len(set(lanes))
        assert len(running) == 1 or not any(handling_of(call).exclusive for call in running)
        line.remove(running.pop(random.randrange(len(running))))
    assert len(begun) == len(calls)
    for lane in {lane_of(call) for call in calls} - {None}:
        assert [c for c in begun if lane_of(c) == lane] == [c for c in calls if lane_of(c) == lane]
    for at, call in enumerate(begun):
        if handling_of(call).exclusive:
            assert set(begun[:at]) == set(calls[: calls.index(call)])


def assigned(name: str, key: str, handling: dict[str, Any]) -> Assignment:
    """A call that waits."""
    made: Any = Assignment
    assignment: Assignment = made(job(look, key, name=name, **handling), None, None, None)
    return assignment


def handling_of(call: Assignment) -> Handling:
    return call.job.tool.handling


def lane_of(call: Assignment) -> str | None:
    return handling_of(call).lane(call.job.tool.name)


def test_checks_wait_for_nobody() -> None:
    """They only look: neither lanes nor exclusive ones hold them up."""
    line = Roster(8)
    checks = [job(look, str(at), check=True, exclusive=True, ordered=True) for at in range(3)]
    made: Any = Assignment
    for check in checks:
        line.add(made(check, None, None, None))
    assert len(line.ready()) == 3


# --- the token


def test_a_token_calls_back_once_and_at_once_if_it_was_before() -> None:
    token, heard = CancelToken(), list[str]()
    token.on_cancel(lambda: heard.append("a"))
    token.on_cancel(lambda: heard.append("b"))()
    token.on_cancel(lambda: heard.append("c"))
    token.cancel()
    token.cancel()
    assert heard == ["a", "c"]
    token.on_cancel(lambda: heard.append("d"))
    assert heard == ["a", "c", "d"]


def test_a_callback_that_fails_keeps_no_other_from_being_called() -> None:
    token, heard = CancelToken(), list[str]()

    def broken() -> None:
        raise ValueError("secret")

    token.on_cancel(broken)
    token.on_cancel(lambda: heard.append("b"))
    with pytest.raises(ValueError, match="secret"):
        token.cancel()
    assert heard == ["b"]
    assert token.cancelled


@both
def test_a_tool_may_ask_to_be_called_back(perform: Performer) -> None:
    """Such as to close the connection on which it waits: a thread can be stopped so."""
    closed = threading.Event()

    def reads(context: tb.Context) -> None:
        context.cancel.on_cancel(closed.set)
        closed.wait(LONG)

    perform(workplace(timeout=0.02), [job(reads)])
    assert closed.is_set()
