"""What carries out the actions of a conversation beside calls: people are asked, vendors waited
for."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

from toolbridge.app_tools import CancelToken
from toolbridge.loop.async_crew import AsyncCrew
from toolbridge.loop.async_hands import AsyncHands
from toolbridge.loop.crew import Crew
from toolbridge.loop.hands import Hands, Helper, Told, end_early
from toolbridge.loop.state import END, Cancelled, Decide, NextData, OpenStream, Start, Wait
from toolbridge.loop.work import Workplace
from toolbridge.transport import Call

from .crews import LONG, job, look, workplace

Doer = Callable[..., Any]
NO_TRANSPORT: Any = None


def conducted(hands: Hands, action: Any) -> Any:
    """What comes of one action."""
    doing = hands.carry_out(action)
    try:
        while True:
            next(doing)
    except StopIteration as done:
        return done.value


def sync(action: Any, place: Workplace | None = None) -> Any:
    """What comes of one action in the thread of the run."""
    place = place or workplace()
    return conducted(Hands(NO_TRANSPORT, place, Crew(place), Told(), watched=False), action)


def watched(action: Any, place: Workplace | None = None) -> Any:
    """The same where the run may have to end meanwhile."""
    place = place or workplace()
    hands = Hands(NO_TRANSPORT, place, Crew(place), Told(), watched=True)
    try:
        return conducted(hands, action)
    finally:
        hands.close()


def later(action: Any, place: Workplace | None = None) -> Any:
    """The same in an event loop."""

    async def main() -> Any:
        given = place or workplace()
        hands = AsyncHands(NO_TRANSPORT, given, AsyncCrew(given), Told())
        async for _ in hands.carry_out(action):
            pass
        return hands.result

    return asyncio.run(main())


def in_a_loop(action: Any, place: Workplace | None = None) -> Any:
    """The same in the thread of the run, where an event loop is running already."""

    async def main() -> Any:
        return sync(action, place)

    return asyncio.run(main())


every = pytest.mark.parametrize("do", [sync, in_a_loop, watched, later])


def says_yes(question: Any) -> str:
    """Whoever is asked."""
    return f"yes to {question}"


async def says_yes_later(question: Any) -> str:
    """The same, after a while."""
    await asyncio.sleep(0)
    return says_yes(question)


def gives_a_promise(question: Any) -> Any:
    """No async function, and yet there is something to wait for."""
    return says_yes_later(question)


@every
@pytest.mark.parametrize("approve", [says_yes, says_yes_later, gives_a_promise])
def test_a_person_is_asked_one_question_after_another(approve: Any, do: Doer) -> None:
    questions: Any = ("a", "b")
    assert do(Decide(questions, approve)) == ["yes to a", "yes to b"]


@every
def test_what_an_approver_raises_ends_the_run(do: Doer) -> None:
    def fails(question: Any) -> None:
        raise TimeoutError("nobody there")

    questions: Any = ("a",)
    with pytest.raises(TimeoutError, match="nobody there"):
        do(Decide(questions, fails))


@every
@pytest.mark.parametrize("action", [Decide((), says_yes), Start(job(look)), NextData()])
def test_nothing_is_done_after_the_end_of_the_run(action: Any, do: Doer) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled) as raised:
        do(action, workplace(cancel=token, deadline=0.0))
    assert raised.value.why is None, "the time is over too, and it was cancelled"


@every
def test_nothing_is_done_after_the_deadline(do: Doer) -> None:
    with pytest.raises(Cancelled) as raised:
        do(NextData(), workplace(deadline=0.0))
    assert raised.value.why == "timeout"


@pytest.mark.parametrize("do", [watched, later])
@pytest.mark.parametrize("by", ["timeout", None])
def test_whoever_waits_for_a_person_learns_why_the_run_is_over(by: str | None, do: Doer) -> None:
    token, over = CancelToken(), threading.Event()

    def waits(question: Any) -> None:
        if by is None:
            token.cancel()
        over.wait(LONG)

    questions: Any = ("a",)
    deadline = time.monotonic() + 0.05 if by else None
    with pytest.raises(Cancelled) as raised:
        do(Decide(questions, waits), workplace(cancel=token, deadline=deadline))
    over.set()
    assert raised.value.why == by


@pytest.mark.parametrize("do", [sync, watched, later])
@pytest.mark.parametrize("by", ["timeout", None])
def test_whoever_waits_before_a_retry_learns_why_the_run_is_over(by: str | None, do: Doer) -> None:
    token = CancelToken()
    if by is None:
        timer = threading.Timer(0.05, token.cancel)
        timer.start()
    deadline = time.monotonic() + 0.05 if by else None
    with pytest.raises(Cancelled) as raised:
        do(Wait(LONG), workplace(cancel=token, deadline=deadline))
    assert raised.value.why == by


@pytest.mark.parametrize(("deadline", "why"), [(0.0, "timeout"), (None, None)])
def test_whoever_leaves_a_run_is_told_why_it_was_over(
    deadline: float | None, why: str | None
) -> None:
    """A stream may be left while its calls are ended at the deadline."""
    crew = Crew(workplace(deadline=deadline))
    assert crew.over is (deadline is not None)
    crew.stop()

    def steps() -> Generator[Any, Any, Any]:
        try:
            yield NextData()
        except Cancelled as by:
            return by.why

    asked = steps()
    next(asked)
    given: Any = end_early(asked, crew)
    assert given == why


USER: contextvars.ContextVar[str] = contextvars.ContextVar("user", default="nobody")


def test_a_helper_has_the_context_variables_of_whoever_waits() -> None:
    helper = Helper()
    USER.set("kim")
    assert helper.do(USER.get, workplace()) == "kim"
    helper.close()


async def who_asks(question: Any) -> str:
    """Reads a context variable, as an app does that keeps its user there."""
    return USER.get()


@every
@pytest.mark.parametrize("approve", [who_asks, lambda question: USER.get()])
def test_whoever_is_asked_has_the_context_variables_of_the_run(approve: Any, do: Doer) -> None:
    USER.set("lee")
    questions: Any = ("a",)
    assert do(Decide(questions, approve)) == ["lee"]


class Stalled:
    """A transport whose stream gives one thing, and then nothing until the test is over."""

    def __init__(self) -> None:
        self.waits, self.over, self.closed = (threading.Event() for _ in range(3))

    def stream(self, call: Call) -> Iterator[Any]:
        try:
            yield "first"
            self.waits.set()
            self.over.wait(LONG)
        finally:
            self.closed.set()


def test_a_stream_that_stalls_is_left_at_the_end_and_closed_when_it_goes_on() -> None:
    transport: Any = Stalled()
    token = CancelToken()
    place = workplace(cancel=token)
    hands = Hands(transport, place, Crew(place), Told(), watched=True)
    conducted(hands, OpenStream(Call("", {}, {})))
    assert conducted(hands, NextData()) == "first"

    def cancel() -> None:
        transport.waits.wait(LONG)
        token.cancel()

    threading.Thread(target=cancel).start()
    with pytest.raises(Cancelled):
        conducted(hands, NextData())
    hands.close()
    assert not transport.closed.is_set(), "a thread still waits for it"
    transport.over.set()
    assert transport.closed.wait(LONG)


def test_a_stream_that_ends_says_so() -> None:
    transport: Any = Stalled()
    transport.over.set()
    place = workplace()
    hands = Hands(transport, place, Crew(place), Told(), watched=True)
    conducted(hands, OpenStream(Call("", {}, {})))
    assert [conducted(hands, NextData()) for _ in range(2)] == ["first", END]
    hands.close()
