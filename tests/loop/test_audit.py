"""One record of each call that got its result or waits: what came of it, and who decided."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toolbridge as tb
from toolbridge.checkpoint import policies

from .answers import Answer, Called, calling, said
from .crews import LONG
from .servers import Server, arun

SECRET = "sk-ant-api03-" + "a1B2" * 20


@tb.tool(effect="read", untrusted_output=False)
def look(place: str = "here", password: str = "") -> str:
    """Looks."""
    return f"seen {place}"


@tb.tool(effect="irreversible", untrusted_output=False)
def pay(amount: int) -> str:
    """Pays."""
    return f"paid {amount}"


@tb.tool(effect="write")
def fail() -> None:
    """Fails inside."""
    raise LookupError("a secret of the app's")


@tb.tool(effect="write")
def tell() -> None:
    """Fails, and says why."""
    raise tb.ToolError("not today")


TOOLS = (look, pay, fail, tell)
LOOK, PAY = Called("look", {}, "l1"), Called("pay", {"amount": 5}, "p1")


class Audit:
    """Keeps the records."""

    def __init__(self) -> None:
        self.records: list[tb.AuditRecord] = []
        self.late = threading.Event()

    def __call__(self, record: tb.AuditRecord) -> None:
        self.records.append(record)
        if record.outcome == "late":
            self.late.set()

    @property
    def outcomes(self) -> list[tuple[str, str]]:
        return [(each.call_id, each.outcome) for each in self.records]


def audited(*answers: Answer, tools: Any = TOOLS, **options: Any) -> tuple[tb.Run, Audit]:
    """A run and its records; options of the gate as `gate_...`."""
    audit = Audit()
    gate = {name[5:]: options.pop(name) for name in [*options] if name.startswith("gate_")}
    server = Server("anthropic", [*answers, said("끝")])
    checkpoint = tb.Gate(audit=audit, **gate)
    return tb.run(server.model(), "hi", tools=tools, gate=checkpoint, **options), audit


def only(*answers: Answer, **options: Any) -> tb.AuditRecord:
    """The one record of a run."""
    (record,) = audited(*answers, **options)[1].records
    return record


# what came of it

REFUSING = policies.forbid("look", reason="never")
OUTCOMES: tuple[tuple[str, Called, dict[str, Any]], ...] = (
    ("ok", LOOK, {}),
    ("error", Called("fail", {}, "f1"), {}),
    ("error", Called("tell", {}, "t1"), {}),
    ("invalid", Called("look", {"place": []}, "l1"), {}),
    ("invalid", Called("look", "{'place'", "l1"), {}),
    ("invalid", Called("nothing", {}, "n1"), {}),
    ("refused", LOOK, {"gate_policy": REFUSING}),
    ("denied", PAY, {"gate_approve": lambda question: tb.Deny("no")}),
    (
        "denied",
        PAY,
        {"gate_approve": lambda question: tb.Deny("no"), "gate_ledger": tb.MemoryLedger()},
    ),
    ("asked", PAY, {}),
    ("ok", PAY, {"gate_approve": lambda question: tb.Approve()}),
)


@pytest.mark.parametrize(("outcome", "call", "options"), OUTCOMES)
def test_a_call_has_one_record_with_its_outcome(
    outcome: str, call: Called, options: dict[str, Any]
) -> None:
    record = only(calling(call), **options)
    assert (record.outcome, record.call_id, record.tool, record.step) == (
        outcome,
        call.id,
        call.name,
        1,
    )
    ran = outcome in ("ok", "error") or "gate_ledger" in options
    assert (record.seconds is not None) is ran


def test_every_call_of_a_step_has_its_record_in_whatever_order() -> None:
    calls = (LOOK, PAY, Called("look", {"place": []}, "l2"), Called("fail", {}, "f1"))
    run, audit = audited(calling(*calls))
    assert sorted(audit.outcomes) == [
        ("f1", "error"),
        ("l1", "ok"),
        ("l2", "invalid"),
        ("p1", "asked"),
    ]
    assert {each.run_id for each in audit.records} == {run.state.run_id if run.state else ""}


def test_a_repeated_call_is_of_its_own_kind() -> None:
    _, audit = audited(*(calling(LOOK) for _ in range(4)))
    assert [outcome for _, outcome in audit.outcomes] == ["ok", "ok", "repeated", "repeated"]
    assert [each.step for each in audit.records] == [1, 2, 3, 4]
    assert len({each.call_key for each in audit.records}) == 4


def test_what_ran_before_is_recorded_as_such() -> None:
    """Two processes with one state: the second finds the result of the first."""
    run, audit = audited(calling(PAY), gate_ledger=tb.MemoryLedger())
    for _ in range(2):
        model = Server("anthropic", [said("끝")]).model()
        tb.resume(run, {"p1": tb.Approve(by="kim")}, tools=TOOLS, model=model)
    assert audit.outcomes == [("p1", "asked"), ("p1", "ok"), ("p1", "recorded")]
    assert len({each.call_key for each in audit.records}) == 1


def test_what_began_in_a_process_that_died_is_unknown() -> None:
    class Claimed(tb.MemoryLedger):
        def claim(self, call_key: str) -> bool:
            return False

    record = only(calling(Called("tell", {}, "t1")), gate_ledger=Claimed())
    assert record.outcome == "unknown"


@tb.tool(effect="write", timeout=0.05)
async def sleep() -> None:
    """Can be stopped."""
    await asyncio.sleep(LONG)


def test_what_was_stopped_in_time_says_so() -> None:
    record = only(calling(Called("sleep", {}, "s1")), tools=(sleep,))
    assert record.outcome == "timeout"
    assert record.seconds is not None and record.seconds < LONG


def test_what_came_back_late_has_another_record_and_no_step() -> None:
    """It is told to the app, not to the model."""
    go = threading.Event()

    @tb.tool(effect="write", timeout=0.05)
    def hang(password: str) -> str:
        """Cannot be stopped."""
        go.wait(LONG)
        return "done after all"

    _, audit = audited(calling(Called("hang", {"password": "hunter2"}, "h1")), tools=(hang,))
    assert audit.outcomes == [("h1", "unknown")]
    go.set()
    assert audit.late.wait(LONG)
    unknown, late = audit.records
    assert (late.outcome, late.step, late.call_key) == ("late", None, unknown.call_key)
    assert late.result_size == len("done after all")
    assert late.arguments == unknown.arguments == {"password": "[masked]"}


@pytest.mark.parametrize("asynchronous", [False, True])
def test_what_was_cancelled_has_a_record(asynchronous: bool) -> None:
    """Also the call that had not begun, and the one that waited for a person."""

    @tb.tool(effect="write", exclusive=True)
    def enough(context: tb.Context) -> str:
        """Ends the run."""
        context.cancel.cancel()
        return "enough"

    audit = Audit()
    calls = (Called("enough", {}, "e1"), Called("tell", {}, "t1"))
    server = Server("anthropic", [calling(*calls), said("never")])
    options: dict[str, Any] = {"tools": (enough, tell), "gate": tb.Gate(audit=audit)}
    token = tb.CancelToken()
    if asynchronous:
        run = asyncio.run(arun(server, "hi", cancel=token, **options))
    else:
        run = tb.run(server.model(), "hi", cancel=token, **options)
    assert run.stop_reason == "cancelled"
    assert [outcome for id, outcome in audit.outcomes if id == "t1"] == ["cancelled"]
    ended = {outcome for id, outcome in audit.outcomes if id == "e1"}
    assert ended <= {"ok", "unknown", "late"}, "a thread may see the end of the run before its own"


# who decided, and what was seen

BY: tuple[tuple[Callable[[Any], Any] | None, str, str], ...] = (
    (lambda question: tb.Approve(by="kim"), "kim", "run"),
    (lambda question: tb.Approve(), "a person", "run"),
    (lambda question: tb.Deny("no", by="lee"), "lee", "refuse"),
    (lambda question: tb.Edit({"amount": 7}, by="kim"), "kim", "run"),
    (None, "policy", "ask"),
)


@pytest.mark.parametrize(("approve", "by", "decision"), BY)
def test_who_decided(approve: Any, by: str, decision: str) -> None:
    record = only(calling(PAY), gate_approve=approve)
    assert (record.decided_by, record.decision) == (by, decision)


def test_a_call_that_nobody_had_to_decide_on_was_decided_by_none_or_the_policy() -> None:
    assert only(calling(Called("nothing", {}, "n1"))).decided_by is None
    record = only(calling(LOOK))
    assert (record.decided_by, record.decision, record.reason) == ("policy", "run", "")
    assert only(calling(PAY)).reason == "it cannot be undone"
    assert only(calling(LOOK), gate_policy=REFUSING).reason == "never"


def test_edited_arguments_are_those_of_the_record() -> None:
    record = only(calling(PAY), gate_approve=lambda question: tb.Edit({"amount": "7"}))
    assert record.arguments == {"amount": 7}


def test_the_layers_that_a_call_passed_and_the_one_that_it_did_not() -> None:
    fine = only(calling(LOOK))
    assert fine.checks == ({"layer": "schema", "ok": True},)
    wrong = only(calling(Called("look", {"place": []}, "l1")))
    (check,) = wrong.checks
    assert (check["layer"], check["ok"]) == ("schema", False)
    assert "place" in str(check["fault"])


def test_what_was_read_otherwise_than_it_was_written_is_noted() -> None:
    record = only(calling(Called("pay", {"amount": "5"}, "p1")))
    (change,) = record.changes
    assert isinstance(change, dict)
    assert (change["path"], change["before"], change["after"]) == ("/amount", "5", 5)
    double = only(calling(Called("pay", {"amount": 5}, "p1")))
    assert double.changes == ()


def test_untrusted_results_are_named_by_their_calls() -> None:
    _, audit = audited(calling(Called("tell", {}, "t1")), calling(PAY))
    assert [each.untrusted for each in audit.records] == [(), ("t1",)]


def test_the_traceback_is_the_apps_and_the_text_the_models() -> None:
    run, audit = audited(calling(Called("fail", {}, "f1")))
    (record,) = audit.records
    assert "LookupError: a secret of the app's" in str(record.error)
    assert "raise LookupError" in str(record.error)
    assert "secret" not in str(run.messages)


def test_a_policy_that_fails_is_told_to_the_app() -> None:
    def policy(proposal: policies.Proposal) -> None:
        raise KeyError("amount")

    record = only(calling(LOOK), gate_policy=policy)
    assert record.outcome == "refused"
    assert "KeyError: 'amount'" in str(record.error)


# secrets, and lines


def test_secrets_are_in_no_line(tmp_path: Path) -> None:
    """Neither those under a name that says so, nor those that look like one, nor in the words of
    what was wrong with them."""
    path = tmp_path / "calls.jsonl"
    calls = (
        Called("look", {"place": f"use {SECRET}", "password": "hunter2"}, "l1"),
        Called("look", {"place": [SECRET], "password": "hunter2"}, "l2"),
        Called("pay", {"amount": SECRET}, "p1"),
    )
    server = Server("anthropic", [calling(*calls), said("끝")])
    tb.run(server.model(), "hi", tools=TOOLS, gate=tb.Gate(audit=tb.AuditLines(path)))
    text = path.read_text(encoding="utf-8")
    assert SECRET not in text
    assert "hunter2" not in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert sorted(line["call_id"] for line in lines) == ["l1", "l2", "p1"]
    assert [line["arguments"] for line in lines if line["call_id"] == "l1"] == [
        {"place": "use [masked]", "password": "[masked]"}
    ]


def test_lines_are_readable_one_by_one_and_added_to(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    for _ in range(2):
        server = Server("anthropic", [calling(LOOK, PAY), said("끝")])
        tb.run(server.model(), "hi", tools=TOOLS, gate=tb.Gate(audit=tb.AuditLines(path)))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["outcome"] for line in lines] == ["ok", "asked"] * 2
    assert len({line["run_id"] for line in lines}) == 2
    assert lines[0].keys() == lines[1].keys()
