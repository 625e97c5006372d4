"""What a tool is taken for, and what becomes of its calls by that."""

from __future__ import annotations

from typing import Any

import pytest

import toolbridge as tb
from toolbridge.checkpoint import policies
from toolbridge.checkpoint.policies import RUN, Proposal, Stance, Verdict, stance_of


def spec(**fields: Any) -> tb.ToolSpec:
    return tb.ToolSpec(name="act", **fields)


UNTRUSTED = (tb.Untrusted(call_id="c1", tool="fetch_page", step=1),)


def proposal(*untrusted: tb.Untrusted, gated: bool = True, **fields: Any) -> Proposal:
    made = spec(**fields)
    call = tb.ToolCall(id="c9", name="act", arguments={"amount": 5})
    return Proposal(call, made, stance_of(made), {"amount": 5}, None, untrusted, 2, gated)


STANCES: tuple[tuple[dict[str, Any], Stance], ...] = (
    ({}, Stance("write", False, True, True, False)),
    ({"effect": "read"}, Stance("read", True, True, False, True)),
    ({"effect": "write"}, Stance("write", False, True, False, True)),
    ({"effect": "write", "idempotent": True}, Stance("write", True, True, False, True)),
    ({"effect": "read", "sends_out": True}, Stance("read", True, True, True, True)),
    ({"effect": "irreversible"}, Stance("irreversible", False, True, False, True)),
    ({"untrusted_output": False}, Stance("write", False, False, True, True)),
    ({"sends_out": False}, Stance("write", False, True, False, True)),
)


@pytest.mark.parametrize(("fields", "stance"), STANCES)
def test_what_a_tool_is_taken_for(fields: dict[str, Any], stance: Stance) -> None:
    """One that says nothing counts as the worst that runs unasked; its effect settles the rest."""
    assert stance_of(spec(**fields)) == stance


def test_a_tool_of_the_vendors_type_says_nothing() -> None:
    bash = tb.HostedTool(format="anthropic", type="bash_20250124", name="bash")
    assert stance_of(bash) == policies.UNDECLARED == stance_of(None)


VERDICTS: tuple[tuple[str, Proposal, str], ...] = (
    ("reading", proposal(effect="read"), "run"),
    ("writing", proposal(effect="write"), "run"),
    ("nothing is said", proposal(), "run"),
    ("what cannot be undone", proposal(effect="irreversible"), "ask"),
    ("reading after others' words", proposal(*UNTRUSTED, effect="read"), "run"),
    ("writing after others' words", proposal(*UNTRUSTED, effect="write"), "run"),
    ("sending out after", proposal(*UNTRUSTED, effect="read", sends_out=True), "ask"),
    ("sending out before", proposal(effect="write", sends_out=True), "run"),
    ("nothing is said, after", proposal(*UNTRUSTED), "ask"),
    ("no tool of the run says anything", proposal(*UNTRUSTED, gated=False), "run"),
)


@pytest.mark.parametrize(("what", "given", "action"), VERDICTS, ids=[row[0] for row in VERDICTS])
def test_what_the_default_says(what: str, given: Proposal, action: str) -> None:
    verdict = policies.default(given)
    assert verdict is not None and verdict.action == action
    if action == "ask" and given.untrusted:
        assert "fetch_page" in verdict.reason, "it says whose words came in between"


def test_a_question_about_a_tool_that_says_nothing_says_how_to_mend_it() -> None:
    verdict = policies.default(proposal(*UNTRUSTED))
    assert verdict is not None and "declare effect= or sends_out=" in verdict.reason


ASK, REFUSE = policies.ask("a"), policies.refuse("b")


def fixed(verdict: Verdict | None) -> policies.Policy:
    return lambda proposal: verdict


@pytest.mark.parametrize(
    ("given", "strictest", "first"),
    [
        ((RUN, ASK), ASK, RUN),
        ((ASK, REFUSE, RUN), REFUSE, ASK),
        ((None, RUN), RUN, RUN),
        ((None, None), None, None),
        ((policies.ask("x"), policies.ask("y")), policies.ask("y"), policies.ask("x")),
        ((), None, None),
    ],
)
def test_policies_combine(
    given: tuple[Verdict | None, ...], strictest: Verdict | None, first: Verdict | None
) -> None:
    each = [*map(fixed, given)]
    assert policies.strictest(*each)(proposal()) == strictest
    assert policies.first(*each)(proposal()) == first


@pytest.mark.parametrize(
    ("policy", "action"),
    [
        (policies.allow("act"), "run"),
        (policies.ask_about("act"), "ask"),
        (policies.forbid("act"), "refuse"),
    ],
)
def test_tools_by_name(policy: policies.Policy, action: str) -> None:
    verdict = policy(proposal(effect="irreversible"))
    assert verdict is not None and verdict.action == action
    other = tb.ToolCall(id="c", name="other", arguments={})
    assert policy(Proposal(other, spec(), stance_of(None), {}, None, (), 1)) is None


def test_a_policy_without_an_opinion_leaves_it_to_the_default() -> None:
    """Silence about a call that cannot be undone opens nothing."""
    asked = policies.judge(fixed(None), proposal(effect="irreversible"))
    assert asked.action == "ask"


@pytest.mark.parametrize("said", [True, "run", ("run", ""), Verdict("maybe")])  # type: ignore[arg-type]
def test_what_is_no_verdict_is_an_error(said: Any) -> None:
    with pytest.raises(TypeError, match="a policy gives a Verdict or None"):
        policies.judge(fixed(said), proposal())


def test_an_effect_that_there_is_not_is_refused() -> None:
    """A slip of the pen would open the gate."""
    with pytest.raises(tb.ToolDefinitionError, match="one of read, write, irreversible, not 'dele"):

        @tb.tool(effect="delete")
        def act() -> None: ...


@pytest.mark.parametrize("target", ["anthropic", "openai-chat", "openai-responses", "gemini"])
def test_what_a_tool_says_to_the_gate_is_no_vendors(target: str) -> None:
    """A spec that is written loses it, as a note; tools that are adapted are still the app's."""
    said = spec(effect="read", sends_out=True, parameters={"type": "object", "properties": {}})
    losses = tb.write([said], target).losses
    assert {(loss.code, loss.severity) for loss in losses} == {("tool.stance", "note")}
    assert {loss.path for loss in losses} == {"/value/0/effect", "/value/0/sends_out"}
    assert tb.adapt_tools([said], target).losses == ()
    assert "effect" not in str(tb.adapt_tools([said], target).payload)
