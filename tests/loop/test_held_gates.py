"""Gates that stay shut: states taken up twice, gates replaced, defaults unseen, texts that leak."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator

import toolbridge as tb
from toolbridge.checkpoint import policies

from .answers import Called, calling, said
from .play import fault_of, play, response, text_of
from .servers import Server

PAID: list[int] = []
KEY = "a key of sixteen bytes or more"


@pytest.fixture(autouse=True)
def nothing_paid() -> None:
    PAID.clear()


@tb.tool(effect="irreversible")
def pay(to: str, amount: int = 5000) -> str:
    """Pay."""
    PAID.append(amount)
    return "paid"


def paused(gate: tb.Gate | None = None, **options: Any) -> tuple[tb.Run, Server]:
    """A run that waits before a payment whose amount the model left out."""
    server = Server("anthropic", [calling(Called("pay", {"to": "kim"}, "p1")), said("끝")])
    gate = gate or tb.Gate()
    return tb.run(server.model(), "pay", tools=[pay], gate=gate, **options), server


YES = {"p1": tb.Approve()}


def test_a_state_is_the_same_whatever_the_order_of_its_keys() -> None:
    """Databases sort them."""
    run, server = paused()
    text = tb.to_json(run)
    sorted_text = json.dumps(json.loads(text), sort_keys=True)
    tb.resume(text, YES, tools=[pay], model=server.model())
    with pytest.raises(tb.StateError, match="taken up before"):
        tb.resume(sorted_text, YES, tools=[pay], model=server.model())
    assert PAID == [5000]


def test_a_saved_state_past_which_the_run_went_on_is_not_taken_up() -> None:
    saved: list[str] = []
    gate = tb.Gate(save=saved.append, approve=lambda question: tb.Approve())
    run, server = paused(gate)
    assert (run.text, PAID) == ("끝", [5000])
    for state in saved:
        with pytest.raises(tb.StateError, match="taken up before"):
            tb.resume(state, {}, tools=[pay], model=server.model(), gate=gate)
    assert PAID == [5000]


def test_the_key_of_the_gate_holds_for_what_is_taken_up() -> None:
    run, server = paused(tb.Gate(key=KEY))
    unsigned = json.loads(tb.to_json(run, key=KEY))
    del unsigned["signature"]
    with pytest.raises(tb.StateError, match="there is no signature"):
        tb.resume(unsigned, YES, tools=[pay], model=server.model(), gate=tb.Gate(key=KEY))
    assert PAID == []


def test_tool_choices_by_step_are_given_again() -> None:
    run, server = paused(tool_choice=["required", "auto"])
    text = tb.to_json(run)
    with pytest.raises(tb.StateError, match="tool_choice"):
        tb.resume(text, YES, tools=[pay], model=server.model())
    choice = ["required", "auto"]
    tb.resume(text, YES, tools=[pay], model=server.model(), tool_choice=choice)
    assert [body["tool_choice"]["type"] for body in server.bodies] == ["any", "auto"]


def test_a_gate_that_says_less_leaves_the_rest_as_it_was() -> None:
    """Whoever adds an audit loses no policy."""
    policy = policies.strictest(policies.default, policies.ask_about("pay", reason="ours"))
    again = calling(Called("pay", {"to": "lee"}, "p2"))
    server = Server("anthropic", [calling(Called("pay", {"to": "kim"}, "p1")), again, said("끝")])
    gate = tb.Gate(policy=policy)
    run = tb.run(server.model(), "pay", tools=[pay], gate=gate)
    later = tb.resume(run, YES, tools=[pay], gate=tb.Gate(audit=lambda record: None))
    assert later.stop_reason == "approval"
    assert [getattr(each, "reason", "") for each in later.pending] == ["ours"]


def test_a_person_a_policy_and_a_check_see_the_defaults() -> None:
    """Who reads {"to": "kim"} must see the 5,000 that go there."""
    (question,) = paused()[0].pending
    assert question.arguments == {"to": "kim", "amount": 5000}
    seen: list[Any] = []

    def policy(proposal: policies.Proposal) -> policies.Verdict:
        seen.append(proposal.arguments)
        return policies.RUN

    def small(amount: int) -> str | None:
        return f"amount: {amount} is too much" if amount > 100 else None

    checked = tb.tool(checks=[small])(pay.function)
    turns = [response(tb.ToolCall(id="c", name="pay", arguments={"to": "kim"})), response()]
    played = play(turns, tools=[checked], gate=tb.Gate(policy=policy))
    assert "5000 is too much" in text_of(played.results[0])
    paused(tb.Gate(policy=policy))
    assert seen == [{"to": "kim", "amount": 5000}]


def accident(text: str) -> str:
    return str(int(f"postgres://u:hunter2@{text}"))


def meant(text: str) -> str:
    raise ValueError("name a city of Korea")


def crashed(city: str) -> None:
    raise ValueError("hunter2")


def test_what_is_raised_by_accident_is_not_told() -> None:
    def find(city: Annotated[str, AfterValidator(accident)]) -> None: ...

    def name(city: Annotated[str, AfterValidator(meant)]) -> None: ...

    def look(city: str) -> None: ...

    assert "hunter2" not in fault_of(find, {"city": "db"})
    assert "name a city of Korea" in fault_of(name, {"city": "x"})
    told = fault_of(tb.tool(checks=[crashed])(look), {"city": "x"})
    assert "could not be checked" in told and "hunter2" not in told


def test_no_secret_stands_in_the_checks_of_the_audit() -> None:
    records: list[tb.AuditRecord] = []
    schema = {"type": "object", "properties": {"password": {"type": "string", "minLength": 12}}}
    login = tb.tool(name="login", schema=schema)(lambda password: password)
    call = tb.ToolCall(id="c", name="login", arguments={"password": "hunter2"})
    play([response(call), response()], tools=[login], gate=tb.Gate(audit=records.append))
    assert records[0].checks[0]["fault"] == "password: must have at least 12 characters"
    assert "hunter2" not in str(records[0].to_dict())


def test_what_the_loop_says_is_not_what_the_user_wrote() -> None:
    @tb.tool
    def cancel(order: Annotated[str, tb.From("find.order", or_user=True)]) -> str:
        """Cancel."""
        return "cancelled"

    turns = [("anthropic", said('{"a": "MADE-1"}')), ("anthropic", said('{"a": 1}'))]
    first = play(turns, output=dict[str, int])
    assert "MADE-1" in str(first.run.messages[2])
    call = tb.ToolCall(id="c", name="cancel", arguments={"order": "MADE-1"})
    played = play([response(call), response()], [*first.run.messages, "go on"], tools=[cancel])
    assert played.results[0].is_error


TWICE = '{"to": "kim", "amount": 5, "amount": 5000}'
NO_NUMBER = '{"amount": 1e999, "to": "kim"}'
DEEP = f'{{"to": {"[" * 70}{"]" * 70}}}'


@pytest.mark.parametrize("arguments", [TWICE, NO_NUMBER, DEEP])
def test_arguments_that_mean_no_one_thing_never_run(arguments: str) -> None:
    turns = [("openai-chat", calling(Called("pay", arguments, "p1"))), ("openai-chat", said("끝"))]
    played = play(turns, tools=[pay], gate=tb.Gate(approve=lambda question: tb.Approve()))
    assert (PAID, played.results[0].is_error) == ([], True)


def test_decisions_that_say_nothing_or_two_things_are_refused() -> None:
    run, _ = paused()
    (question,) = run.pending
    assert isinstance(question, tb.Question)
    with pytest.raises(TypeError, match=r"tb\.Edit takes the arguments as an object"):
        tb.resume(run, {"p1": tb.Edit(None)}, tools=[pay])
    both: dict[str, Any] = {"p1": tb.Deny(), question.call_key: tb.Approve()}
    with pytest.raises(ValueError, match="decided on already"):
        tb.resume(run, both, tools=[pay])
    assert PAID == []


def test_a_tool_named_like_a_kind_answers_for_nobody_else() -> None:
    spec = tb.ToolSpec(name="function", parameters={"type": "object"})
    function = tb.Tool(spec, lambda: "ran")
    call = tb.ToolCall(id="c", name="nobody", arguments={})
    played = play([response(call), response()], tools=[function])
    assert "There is no tool 'nobody'" in text_of(played.results[0])
