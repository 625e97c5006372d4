"""States that do not hold together: each is refused before anything runs, and told why."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import toolbridge as tb

from .test_state import DONE, going_on, nothing_done, stored

__all__ = ["nothing_done"]

DROPPED = object()
"""In the place of a value: the key is taken out."""

Path = tuple[str | int, ...]
STEP: Path = ("value", "steps", 0)
OPEN: Path = ("value", "open")
QUESTION: Path = ("value", "questions", 0)
SETTLED: Path = (*STEP, "settled", 0)
TEXT = {"class": "Text", "text": "x"}
PAID = {
    "class": "Settled",
    "place": 1,
    "outcome": "ok",
    "result": {"class": "ToolResult", "call_id": "p1", "parts": []},
}


def changed(path: Path, member: Any) -> Any:
    """The state with one place changed; a function of what stood there, too."""
    made = stored()
    at: Any = made
    for key in path[:-1]:
        at = at[key]
    if member is DROPPED:
        del at[path[-1]]
    else:
        at[path[-1]] = member(copy.deepcopy(at[path[-1]])) if callable(member) else member
    return made


def first_part(step: Path) -> Path:
    """Where the first call of an answer stands."""
    return (*step, "response", "alternatives", 0, "messages", 0, "parts", 0)


NOT_A_STATE: tuple[tuple[Path, Any, str], ...] = (
    (("toolbridge",), 2, "expected version 1 or older, found version 2. Upgrade toolbridge"),
    (("toolbridge",), DROPPED, 'expected an object with "toolbridge" and "value"'),
    (("value",), DROPPED, 'expected an object with "toolbridge" and "value"'),
    (("value",), [], "to_json.run., is wanted, not tuple"),
    (("value",), TEXT, "to_json.run., is wanted, not Text"),
    (("value",), None, "expected a value or a list of them, found None"),
    (("value", "class"), "Run", "expected the name of a value"),
    (("value", "class"), "Request", "expected fields of Request"),
    (("value", "note"), 1, "expected fields of RunState, found 'note'"),
    (("value", "version"), 2, "the state is of version 2, this is 1: upgrade"),
    (("value", "version"), DROPPED, "expected the field 'version'"),
    (("value", "run_id"), DROPPED, "expected the field 'run_id'"),
    ((*SETTLED, "outcome"), DROPPED, "at /value/steps/0/settled/0: expected the field 'outcome'"),
)

UNMATCHED = "calls and results of a step do not match"
ANOTHERS = "a result is not that of its call"
UNASKED = "a question is not about a call that is open"

MALFORMED: tuple[tuple[Path, Any, str], ...] = (
    (("value", "run_id"), "another", UNASKED),
    (("value", "steps"), None, "malformed"),
    (("value", "steps"), "text", "malformed"),
    (("value", "steps"), [TEXT], "malformed"),
    (("value", "steps"), [], UNASKED),
    (("value", "steps"), lambda steps: steps * 2, UNASKED),
    ((*STEP, "settled"), DROPPED, UNMATCHED),
    ((*STEP, "settled"), None, "malformed"),
    ((*STEP, "settled"), lambda settled: settled * 2, UNMATCHED),
    ((*SETTLED, "place"), 1, UNMATCHED),
    ((*SETTLED, "place"), "0", "malformed"),
    ((*SETTLED, "result"), None, "malformed"),
    ((*SETTLED, "result", "call_id"), "x", ANOTHERS),
    ((*STEP, "response"), None, "malformed"),
    ((*STEP, "response", "alternatives"), DROPPED, UNMATCHED),
    ((*STEP, "response", "alternatives"), [5], "malformed"),
    ((*first_part(STEP), "id"), "x", ANOTHERS),
    (OPEN, None, "it asks about calls that there are not"),
    (OPEN, TEXT, "malformed"),
    ((*OPEN, "settled", 0, "place"), 7, UNMATCHED),
    ((*OPEN, "settled", 0, "place"), -1, UNMATCHED),
    ((*OPEN, "settled", 0, "place"), 1, ANOTHERS),
    ((*OPEN, "settled"), lambda settled: [*settled, PAID], UNASKED),
    ((*first_part(OPEN)[:-1], 1, "arguments", "amount"), 500, UNASKED),
    (("value", "questions"), 5, "malformed"),
    (("value", "questions"), [TEXT], "malformed"),
    ((*QUESTION, "call_key"), "x", UNASKED),
    ((*QUESTION, "call", "arguments", "amount"), 500, UNASKED),
    ((*QUESTION, "call"), None, "malformed"),
    (("value", "needs"), ["something new"], "not stored: something new"),
)


def named(rows: tuple[tuple[Path, Any, str], ...]) -> list[str]:
    """A name for each row."""
    return ["/".join(map(str, path)) + f"-{at}" for at, (path, _, _) in enumerate(rows)]


@pytest.mark.parametrize(("path", "member", "told"), NOT_A_STATE, ids=named(NOT_A_STATE))
def test_what_is_no_state_is_refused(path: Path, member: Any, told: str) -> None:
    with pytest.raises(tb.StateError, match=told):
        going_on(changed(path, member))
    assert DONE == []


@pytest.mark.parametrize(("path", "member", "told"), MALFORMED, ids=named(MALFORMED))
def test_a_state_that_does_not_hold_together_is_refused(path: Path, member: Any, told: str) -> None:
    with pytest.raises(tb.StateError, match=told):
        going_on(changed(path, member))
    assert DONE == []


@pytest.mark.parametrize(
    "given", ["", "x", "5", "[]", "{}", b"\xff", '{"toolbridge": 1}', None, 5, [], object()]
)
def test_what_is_no_text_of_a_state_is_refused(given: Any) -> None:
    with pytest.raises(tb.StateError, match=r"no state of a run|is wanted"):
        going_on(given)


def test_the_state_that_is_changed_here_holds_by_itself() -> None:
    """Else the tests above say nothing."""
    assert going_on(stored()).stop_reason == "end"
