"""A person is asked: what waits, what is decided, and what the model hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import toolbridge as tb
from toolbridge.checkpoint import policies

from .answers import Called, calling, said
from .play import text_of
from .servers import Server

DONE: list[Any] = []
"""What was really done, in order."""


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    DONE.clear()


@tb.tool(effect="read", untrusted_output=False)
def look(place: str = "here") -> str:
    """Looks."""
    DONE.append(("look", place))
    return "seen"


def is_small(amount: int) -> str | None:
    """A check of the app's."""
    return "amount: at most 100" if amount > 100 else None


@tb.tool(effect="irreversible", untrusted_output=False, checks=[is_small])
def pay(amount: int) -> str:
    """Pays."""
    DONE.append(("pay", amount))
    return f"paid {amount}"


TOOLS = (look, pay)
PAY = Called("pay", {"amount": 5}, "p1")
LOOK = Called("look", {}, "l1")

Do = Callable[..., tb.Run]


def sync(server: Server, **options: Any) -> tb.Run:
    return tb.run(server.model(), "hi", tools=TOOLS, **options)


def later(server: Server, **options: Any) -> tb.Run:
    model = server.model(asynchronous=True)
    return asyncio.run(tb.arun(model, "hi", tools=TOOLS, **options))


both = pytest.mark.parametrize("do", [sync, later])


def server_of(*answers: Any) -> Server:
    """A model that calls, and then has a last word."""
    return Server("anthropic", [*answers, said("끝")])


def asked(*calls: Called, **options: Any) -> tuple[tb.Run, Server]:
    """A run that waits for a decision about one of the calls."""
    server = server_of(calling(*calls))
    run = sync(server, **options)
    assert run.stop_reason == "approval"
    return run, server


def questions(run: tb.Run) -> list[tb.Question]:
    return [each for each in run.pending if isinstance(each, tb.Question)]


def told(server: Server) -> list[Any]:
    """The results that the model was sent last, as the vendor has them."""
    content: list[Any] = server.bodies[-1]["messages"][-1]["content"]
    return content


# what waits


def test_what_cannot_be_undone_waits_and_the_other_calls_of_the_step_run() -> None:
    run, server = asked(LOOK, PAY, Called("look", {"place": "there"}, "l2"))
    assert DONE == [("look", "here"), ("look", "there")]
    (question,) = questions(run)
    assert (question.id, question.name, question.arguments) == ("p1", "pay", {"amount": 5})
    assert (question.reason, question.untrusted, question.fault) == (
        "it cannot be undone",
        (),
        None,
    )
    assert [result.call_id for result in run.steps[-1].results] == ["l1", "l2"]
    done = tb.resume(run, {"p1": tb.Approve()}, tools=TOOLS)
    assert DONE == [("look", "here"), ("look", "there"), ("pay", 5)], "nothing runs again"
    assert [each["tool_use_id"] for each in told(server)] == ["l1", "p1", "l2"]
    assert (done.stop_reason, done.text) == ("end", "끝")


def test_a_call_that_cannot_run_is_not_asked_about() -> None:
    """Nobody decides on arguments that are wrong: the model mends them first."""
    server = server_of(calling(Called("pay", {"amount": 500}, "p1")), calling(PAY))
    run = sync(server)
    assert [question.arguments for question in questions(run)] == [{"amount": 5}]
    assert "amount: at most 100" in text_of(run.steps[0].results[0])


# what is decided


def test_a_denial_is_told_with_its_reason() -> None:
    run, server = asked(PAY)
    done = tb.resume(run, {"p1": tb.Deny("not today", by="kim")}, tools=TOOLS)
    assert DONE == []
    (result,) = told(server)
    assert result["is_error"]
    said_why = "A person was asked and does not want this call of pay: not today."
    assert said_why in str(result["content"])
    assert done.stop_reason == "end"


@pytest.mark.parametrize(("decision", "ran"), [(tb.Approve, [("pay", 5)]), (tb.Deny, [])])
def test_a_decision_without_words_may_be_its_class(decision: Any, ran: list[Any]) -> None:
    run, _ = asked(PAY)
    tb.resume(run, {"p1": decision}, tools=TOOLS)
    assert ran == DONE


def test_edited_arguments_run_and_the_model_is_told_of_them() -> None:
    run, server = asked(PAY)
    done = tb.resume(run, {"p1": tb.Edit({"amount": "7"})}, tools=TOOLS)
    assert DONE == [("pay", 7)], "they are read as the model's are"
    (result,) = told(server)
    texts = [part["text"] for part in result["content"]]
    assert texts == ['A person changed the arguments before it ran: {"amount": "7"}', "paid 7"]
    calls = done.steps[0].response.tool_calls
    assert [call.arguments for call in calls] == [{"amount": 5}], "what the model said stays"
    assert text_of(done.steps[0].results[0]) == "paid 7"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"amount": "much"}, "amount"),
        ({}, "amount"),
        ({"amount": 101}, "at most 100"),
        ("5", "a JSON object is wanted"),
    ],
)
def test_edited_arguments_pass_the_layers_too(arguments: Any, fault: str) -> None:
    """The person hears what is wrong, and not the model; the question stays."""
    run, server = asked(PAY)
    again = tb.resume(run, {"p1": tb.Edit(arguments)}, tools=TOOLS)
    assert (again.stop_reason, DONE, len(server.requests)) == ("approval", [], 1)
    (question,) = questions(again)
    assert fault in str(question.fault)
    assert question.replace(fault=None) == questions(run)[0]
    assert tb.resume(again, {"p1": tb.Approve()}, tools=TOOLS).stop_reason == "end"
    assert DONE == [("pay", 5)], "the model's own arguments, as they were asked about"


def test_what_nobody_decided_on_goes_on_waiting() -> None:
    run, server = asked(PAY, Called("pay", {"amount": 6}, "p2"))
    half = tb.resume(run, {"p2": tb.Approve()}, tools=TOOLS)
    assert [question.id for question in questions(half)] == ["p1"]
    assert DONE == [("pay", 6)]
    done = tb.resume(half, {"p1": tb.Deny()}, tools=TOOLS)
    assert [each["tool_use_id"] for each in told(server)] == ["p1", "p2"]
    assert (done.stop_reason, len(server.requests)) == ("end", 2)


def test_without_a_decision_the_run_waits_as_before() -> None:
    run, server = asked(PAY)
    assert tb.resume(run, {}, tools=TOOLS) == run
    assert len(server.requests) == 1


def test_calls_of_one_id_are_decided_on_by_their_keys() -> None:
    run, _ = asked(PAY, Called("pay", {"amount": 6}, "p1"))
    one, two = questions(run)
    assert one.call_key != two.call_key
    with pytest.raises(ValueError, match="'p1' names 2 calls: name them by their key"):
        tb.resume(run, {"p1": tb.Approve()}, tools=TOOLS)
    tb.resume(run, {one.call_key: tb.Deny(), two.call_key: tb.Approve()}, tools=TOOLS)
    assert DONE == [("pay", 6)]


def test_a_decision_about_what_does_not_wait_is_refused_with_what_does() -> None:
    """A call that ran already does not wait either; nothing runs of a list that is wrong."""
    run, _ = asked(LOOK, PAY)
    DONE.clear()
    (question,) = questions(run)
    for name in ("l1", "p9", ""):
        waits = f"names no call. What waits: p1 .pay, key {question.call_key}."
        with pytest.raises(ValueError, match=waits):
            tb.resume(run, {"p1": tb.Approve(), name: tb.Approve()}, tools=TOOLS)
    assert DONE == []


@pytest.mark.parametrize("wrong", [True, "yes", None, {"amount": 5}])
def test_what_is_no_decision_is_refused(wrong: Any) -> None:
    run, _ = asked(PAY)
    with pytest.raises(TypeError, match=r"a decision is tb\.Approve\(\)"):
        tb.resume(run, {"p1": wrong}, tools=TOOLS)
    assert DONE == []


# somebody is there


def always(decision: Any) -> list[Any]:
    """Functions that decide so: sync, async, and one that gives something to wait for."""

    async def in_a_while(question: tb.Question) -> Any:
        await asyncio.sleep(0)
        return decision

    return [lambda question: decision, in_a_while, lambda question: in_a_while(question)]


@both
@pytest.mark.parametrize("approve", always(tb.Approve(by="kim")))
def test_whoever_is_there_is_asked_at_once(do: Do, approve: Any) -> None:
    run = do(server_of(calling(PAY)), gate=tb.Gate(approve=approve))
    assert (run.stop_reason, DONE) == ("end", [("pay", 5)])


@both
@pytest.mark.parametrize("approve", always(None))
def test_somebody_who_does_not_decide_pauses_the_run(do: Do, approve: Any) -> None:
    run = do(server_of(calling(PAY)), gate=tb.Gate(approve=approve))
    assert (run.stop_reason, DONE) == ("approval", [])
    assert [question.id for question in questions(run)] == ["p1"]


@both
def test_somebody_who_edits_badly_is_asked_again_and_hears_why(do: Do) -> None:
    faults: list[str | None] = []

    def approve(question: tb.Question) -> tb.Edit:
        faults.append(question.fault)
        return tb.Edit({"amount": 7 if question.fault else 700})

    do(server_of(calling(PAY)), gate=tb.Gate(approve=approve))
    assert DONE == [("pay", 7)]
    assert faults[0] is None
    assert "at most 100" in str(faults[1])


def test_somebody_who_edits_badly_for_ever_is_not_asked_for_ever() -> None:
    count: list[tb.Question] = []

    def approve(question: tb.Question) -> tb.Edit:
        count.append(question)
        return tb.Edit({})

    run = sync(server_of(calling(PAY)), gate=tb.Gate(approve=approve))
    assert (run.stop_reason, len(count), DONE) == ("approval", 3, [])


@pytest.mark.parametrize("stored", [False, True])
def test_one_who_was_asked_may_decide_later(stored: bool) -> None:
    """The questions of a run that paused are asked again only if nobody decides in `resume`."""
    server = server_of(calling(PAY, Called("pay", {"amount": 6}, "p2")))
    run = sync(server, gate=tb.Gate(approve=lambda question: None))
    source: Any = tb.to_json(run) if stored else run
    gate = tb.Gate(approve=lambda question: tb.Deny("no"))
    done = tb.resume(source, {"p2": tb.Approve()}, tools=TOOLS, gate=gate, model=server.model())
    assert (done.stop_reason, DONE) == ("end", [("pay", 6)])


# policies of one's own


def policy_of(action: Any) -> policies.Policy:
    """A policy that says the same of everything, or raises it."""

    def policy(proposal: policies.Proposal) -> Any:
        if isinstance(action, Exception):
            raise action
        return action

    return policy


@pytest.mark.parametrize(
    ("action", "stop", "ran", "text"),
    [
        (policies.RUN, "end", True, "paid 5"),
        (policies.ask("look first"), "approval", False, ""),
        (policies.refuse("never"), "end", False, "The call of pay is refused: never."),
        (policies.refuse(""), "end", False, "The call of pay is refused."),
        (None, "approval", False, ""),
        (LookupError("secret"), "end", False, "refused: the app could not decide on it."),
        ("run", "end", False, "refused: the app could not decide on it."),
    ],
)
def test_a_policy_says_what_becomes_of_a_call(action: Any, stop: str, ran: bool, text: str) -> None:
    """One that fails, or gives what is no verdict, opens no gate; what it raised is the app's."""
    run = sync(server_of(calling(PAY)), gate=tb.Gate(policy=policy_of(action)))
    assert run.stop_reason == stop
    assert ([("pay", 5)] if ran else []) == DONE
    results = [text_of(result) for result in run.steps[0].results]
    assert all(text in each and "secret" not in each for each in results)
    assert len(results) == (stop == "end")


def test_a_policy_sees_the_call_the_data_and_the_step_and_can_change_nothing() -> None:
    seen: list[policies.Proposal] = []

    def policy(proposal: policies.Proposal) -> None:
        seen.append(proposal)
        if proposal.name == "look":
            proposal.arguments["place"] = "elsewhere"

    server = server_of(calling(LOOK), calling(Called("pay", {"amount": "5"}, "p1")))
    sync(server, gate=tb.Gate(policy=policy), data="kim")
    assert [(each.name, each.step, each.data) for each in seen] == [
        ("look", 1, "kim"),
        ("pay", 2, "kim"),
    ]
    assert seen[1].arguments == {"amount": 5}, "as they will run, not as they were written"
    assert DONE == [("look", "here")]
