"""Calls and the ledger: which it is asked about, and what comes of a call that was begun before."""

from __future__ import annotations

from typing import Any

import pytest

import toolbridge as tb

from .crews import LONG, Book, Hang, Performer, Rest, alook, both, job, look, workplace
from .play import text_of

RECORDED = tb.ToolResult(call_id="call_of_then", parts=(tb.Text(text="seen then"),))


class Counted:
    """A tool that counts how often it ran, and fails if it shall."""

    def __init__(self, error: Exception | None = None) -> None:
        self.ran = 0
        self.error = error

    def __call__(self) -> str:
        self.ran += 1
        if self.error is not None:
            raise self.error
        return "seen now"


@both
@pytest.mark.parametrize("function", [look, alook])
def test_a_call_is_claimed_before_it_runs_and_recorded_after(
    function: Any, perform: Performer
) -> None:
    book = Book()
    (outcome,) = perform(workplace(ledger=book), [job(function)])
    assert outcome.how == "ok"
    assert book.asked == [("claim", "a"), ("record", "a")]
    assert book.held == {"a": outcome.result}


@both
@pytest.mark.parametrize(
    ("held", "handling", "how", "ran", "said"),
    [
        (RECORDED, {}, "recorded", 0, "seen then"),
        (RECORDED, {"idempotent": True}, "recorded", 0, "seen then"),
        (None, {}, "unknown", 0, "it began before, and nobody knows whether it was done"),
        (None, {"effect": "irreversible"}, "unknown", 0, "it began before"),
        (None, {"idempotent": True}, "ok", 1, "seen now"),
        (None, {"effect": "read"}, "ok", 1, "seen now"),
        (RECORDED, {"effect": "read"}, "ok", 1, "seen now"),
    ],
)
def test_a_call_that_was_begun_before(
    held: Any, handling: Any, how: str, ran: int, said: str, perform: Performer
) -> None:
    """What only reads is no matter of the ledger's."""
    book, function = Book(), Counted()
    book.held["a"] = held
    (outcome,) = perform(workplace(ledger=book), [job(function, **handling)])
    assert (outcome.how, function.ran) == (how, ran)
    assert said in text_of(outcome.result)
    assert outcome.result.call_id == "call_a"
    assert bool(outcome.result.is_error) is (how == "unknown")


@both
@pytest.mark.parametrize("changes", [{"effect": "read"}, {"check": True}])
def test_what_reads_or_checks_claims_nothing(changes: Any, perform: Performer) -> None:
    book = Book()
    perform(workplace(ledger=book), [job(look, **changes)])
    assert book.asked == []


@both
def test_a_failure_is_recorded_too(perform: Performer) -> None:
    """The tool has run: it does not run again because it failed."""
    book = Book()
    (outcome,) = perform(workplace(ledger=book), [job(Counted(ValueError("secret")))])
    assert outcome.how == "error"
    assert book.held == {"a": outcome.result}


@both
def test_where_a_record_fails_the_result_stands_and_the_app_hears(perform: Performer) -> None:
    fault = ValueError("secret")
    tools = [job(look, "a"), job(Counted(fault), "b")]
    fine, failed = perform(workplace(ledger=Book(fails="record")), tools)
    assert (fine.how, text_of(fine.result)) == ("ok", "seen")
    assert isinstance(fine.error, OSError)
    assert failed.how == "error"
    assert isinstance(failed.error, OSError)
    assert failed.error.__context__ is fault


@both
def test_a_late_return_is_recorded_by_its_own_result(perform: Performer) -> None:
    book, hang = Book(), Hang()
    (outcome,) = perform(workplace(ledger=book, timeout=0.02), [job(hang)])
    assert outcome.how == "unknown"
    assert book.held == {"a": None}, "nobody knows yet"
    hang.let_go.set()
    assert book.changed.wait(LONG)
    result = book.held["a"]
    assert result is not None
    assert text_of(result) == "done after all"


@both
def test_a_call_that_was_stopped_is_recorded_as_such(perform: Performer) -> None:
    book = Book()
    (outcome,) = perform(workplace(ledger=book, timeout=0.05), [job(Rest())])
    assert outcome.how == "timeout"
    assert book.held == {"a": outcome.result}
