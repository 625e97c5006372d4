"""The schedule of retries: a pure function, and what the loop makes of it."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbridge as tb
from toolbridge.generated_sdk import causes, is_dead
from toolbridge.loop.exchange import exchange
from toolbridge.loop.state import Wait
from toolbridge.transport import Reply, TransportError

from .answers import body_of, said
from .servers import Server


def error(kind: type[tb.VendorError] = tb.OverloadedError, **details: Any) -> tb.VendorError:
    return kind(tb.ErrorBody(message="busy"), **details)


def test_the_nominal_waits_are_those_of_the_issue() -> None:
    """min(8 s, 0.5 s * 2**k), five of them: at most 15.5 s in all."""
    waits = [tb.Retries().wait(retry, error(), lambda: 1.0) for retry in range(6)]
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, None]
    assert sum(filter(None, waits)) == 15.5


@given(st.integers(0, 4), st.floats(0, 1))
def test_the_jitter_is_full(retry: int, drawn: float) -> None:
    schedule = tb.Retries()
    assert schedule.wait(retry, error(), lambda: drawn) == schedule.nominal(retry) * drawn


@given(st.integers(0, 4), st.floats(0, 60))
def test_what_the_vendor_asks_for_is_obeyed(retry: int, asked: float) -> None:
    assert tb.Retries().wait(retry, error(retry_after=asked), lambda: 0.5) == asked


def test_more_than_a_minute_is_not_waited_for() -> None:
    assert tb.Retries().wait(0, error(retry_after=61.0), lambda: 0.5) is None
    assert tb.Retries(longest=90.0).wait(0, error(retry_after=61.0), lambda: 0.5) == 61.0


@pytest.mark.parametrize(
    "kind",
    [
        tb.BadRequestError,
        tb.AuthenticationError,
        tb.PermissionDeniedError,
        tb.NotFoundError,
        tb.ContextTooLongError,
        tb.ContentRefusedError,
    ],
)
def test_what_cannot_heal_is_not_tried_again(kind: type[tb.VendorError]) -> None:
    assert tb.Retries().wait(0, error(kind), lambda: 0.5) is None


@pytest.mark.parametrize(
    "body",
    [
        {"code": "insufficient_quota"},
        {"type": "insufficient_quota"},
        {"details": {"error_code": "enforced_spend_limit_reached"}},
    ],
)
def test_a_quota_or_spend_cap_does_not_heal_by_waiting(body: dict[str, Any]) -> None:
    spent = tb.RateLimitedError(tb.ErrorBody(message="spent", **body))
    assert tb.Retries().wait(0, spent, lambda: 0.5) is None


def drive(replies: list[Any], model: tb.Model) -> tuple[list[float], Any]:
    """The waits of an exchange with these replies, and what came of it."""
    steps = exchange(model, tb.Request(), lambda: 1.0)
    waits: list[float] = []
    action = next(steps)
    try:
        while True:
            if isinstance(action, Wait):
                waits.append(action.seconds)
                action = steps.send(None)
                continue
            reply = replies.pop(0)
            failed = isinstance(reply, Exception)
            action = steps.throw(reply) if failed else steps.send(reply)
    except StopIteration as done:
        return waits, done.value
    except tb.VendorError as raised:
        return waits, raised


BUSY = TransportError("busy", status=529, body={"type": "error", "error": {"type": "x"}})
DEAD = TransportError("closed", cause="connection", dead=True)
FINE = Reply(body_of(said("ok"), "anthropic"), {})
MODEL = tb.Model("anthropic/claude", api_key="k")


def test_an_answer_after_two_failures() -> None:
    waits, answered = drive([BUSY, BUSY, FINE], MODEL)
    assert waits == [0.5, 1.0]
    assert answered.response.text == "ok"


def test_six_tries_and_no_more() -> None:
    waits, raised = drive([BUSY] * 7, MODEL)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0]
    assert isinstance(raised, tb.OverloadedError)


def test_a_dead_connection_is_tried_once_more_at_once_and_uncounted() -> None:
    assert drive([DEAD, FINE], MODEL)[0] == []
    waits, _ = drive([DEAD, *[BUSY] * 6], MODEL)
    assert len(waits) == 5
    waits, _ = drive([DEAD] * 7, MODEL)
    assert len(waits) == 5, "the second is a failure like any other"


def test_max_retries_sets_the_attempts() -> None:
    model = tb.Model("anthropic/claude", api_key="k", max_retries=1)
    assert drive([BUSY] * 3, model)[0] == [0.5]
    never = tb.Model("anthropic/claude", api_key="k", max_retries=0)
    assert drive([BUSY], never)[0] == []


def test_the_sdks_make_no_retries_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(tb.CancelToken, "wait", lambda token, seconds: slept.append(seconds))
    for format in ("anthropic", "openai-chat", "gemini"):
        busy = [httpx2.Response(503, json={"error": {"message": "busy"}}) for _ in range(2)]
        server = Server(format, [*busy, said("ok")])
        model = tb.Model(server.model().name, client=server.client())
        assert tb.run(model, "hi").text == "ok"
        assert len(server.requests) == 3
    assert len(slept) == 6


def test_a_chain_of_causes_may_lead_back_to_itself() -> None:
    """The Interactions client of google-genai builds such chains."""
    first, second = ConnectionError("lost"), ConnectionResetError("reset")
    first.__cause__, second.__cause__ = second, first
    assert causes(first) == [first, second]
    assert is_dead(first)
    second.__cause__ = None
    other = ConnectionError("refused")
    other.__cause__ = other
    assert not is_dead(other)
