"""Policies: what runs, what a person is asked about, what is refused.

A policy is a function of a Proposal that gives a Verdict, or None where it has no opinion:

    def no_large_payments(proposal):
        if proposal.name == "pay" and proposal.arguments["amount"] > 1000:
            return refuse("more than 1,000 at once is never paid")

    tb.Gate(policy=strictest(no_large_payments, default))

The rule of untrusted results is that of data flow from an untrusted source to a sink: CaMeL
(https://arxiv.org/abs/2503.18813) and the "lethal trifecta" of untrusted content, private data
and a way out.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

from toolbridge.checkpoint.questions import Untrusted
from toolbridge.parts import ToolCall
from toolbridge.tools import ToolGroup, ToolSpec
from toolbridge.values import JSON

Action = Literal["run", "ask", "refuse"]
Effect = Literal["read", "write", "irreversible"]


class Verdict(NamedTuple):
    """What is to become of a call, and why: a person reads the reason of a question, the model
    that of a refusal."""

    action: Action
    reason: str = ""


RUN: Final = Verdict("run")


def ask(reason: str) -> Verdict:
    """Ask a person first."""
    return Verdict("ask", reason)


def refuse(reason: str) -> Verdict:
    """Refuse; the model is told the reason."""
    return Verdict("refuse", reason)


class Stance(NamedTuple):
    """What a tool is taken for where its spec leaves something open. `declared` says whether it
    says anything at all."""

    effect: Effect
    idempotent: bool
    untrusted_output: bool
    sends_out: bool
    declared: bool


UNDECLARED: Final = Stance("write", False, True, True, False)
"""A tool of the app's that says nothing of itself."""

FIELDS: Final = ("effect", "idempotent", "untrusted_output", "sends_out")


def stance_of(spec: Any) -> Stance:
    """The Stance of a tool. One that declares its effect sends nothing out unless it says so;
    its output is untrusted until it says otherwise."""
    told = {name: getattr(spec, name, None) for name in FIELDS}
    if not isinstance(spec, ToolSpec) or all(each is None for each in told.values()):
        return UNDECLARED
    effect: Effect = told["effect"] or UNDECLARED.effect
    untrusted, sends_out = told["untrusted_output"], told["sends_out"]
    return Stance(
        effect,
        effect == "read" or bool(told["idempotent"]),
        UNDECLARED.untrusted_output if untrusted is None else untrusted,
        told["effect"] is None if sends_out is None else sends_out,
        True,
    )


def for_vendors(spec: Any) -> Any:
    """A tool without what it says to the gate, for a request: that stays with the app."""
    if isinstance(spec, ToolGroup):
        return spec.replace(tools=tuple(map(for_vendors, spec.tools)))
    if not isinstance(spec, ToolSpec) or all(getattr(spec, name) is None for name in FIELDS):
        return spec
    return spec.replace(**dict.fromkeys(FIELDS))


@dataclasses.dataclass(frozen=True)
class Proposal:
    """A call that has passed the checks of its arguments and may run now.

    `arguments` are JSON, the proposal's own to read. `data` is what the app gave to the run.
    `untrusted` are the results in the context that others than the app and its user wrote, oldest
    first. `step` counts the answers of the model from 1. `gated` says whether any tool of the
    run declares what it does.
    """

    call: ToolCall
    spec: Any
    stance: Stance
    arguments: JSON
    data: Any
    untrusted: tuple[Untrusted, ...]
    step: int
    gated: bool = True

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.call.name


Policy = Callable[[Proposal], Verdict | None]


def by_effect(proposal: Proposal) -> Verdict:
    """Reading and writing run; what cannot be undone asks."""
    if proposal.stance.effect in ("read", "write"):
        return RUN
    return ask("it cannot be undone")


def taint(proposal: Proposal) -> Verdict | None:
    """Once the context holds an untrusted result, what cannot be undone or sends data out asks.

    Where no tool of the run declares anything, nothing can be told apart: every call after the
    first would ask, and questions that come always are not read.
    """
    if not proposal.untrusted or not proposal.gated:
        return None
    sources = ", ".join(dict.fromkeys(each.tool for each in proposal.untrusted))
    if proposal.stance.effect == "irreversible":
        return ask(f"it cannot be undone, and the model has read what others wrote: {sources}")
    if proposal.stance.sends_out:
        return ask(f"it {sends_out(proposal)}, and the model has read what others wrote: {sources}")
    return None


def sends_out(proposal: Proposal) -> str:
    """In words: whether a tool says that it sends data out, or says nothing."""
    if getattr(proposal.spec, "sends_out", None) is None:
        return "does not say whether it sends data out (declare effect= or sends_out=)"
    return "sends data out"


STRICTNESS: Final[dict[Action, int]] = {"run": 0, "ask": 1, "refuse": 2}


def strictest(*policies: Policy) -> Policy:
    """The strictest verdict of several; of equals the last, so that later policies may say more.
    None where none has an opinion."""

    def combined(proposal: Proposal) -> Verdict | None:
        verdicts = [policy(proposal) for policy in policies]
        told = [each for each in verdicts if each is not None]
        if not told:
            return None
        hardest = max(STRICTNESS[each.action] for each in told)
        return [each for each in told if STRICTNESS[each.action] == hardest][-1]

    return combined


def first(*policies: Policy) -> Policy:
    """The first opinion of several: exceptions stand before the rule."""

    def combined(proposal: Proposal) -> Verdict | None:
        verdicts = (policy(proposal) for policy in policies)
        return next((each for each in verdicts if each is not None), None)

    return combined


def named(names: tuple[str, ...], verdict: Verdict) -> Policy:
    """One verdict for the tools of these names."""
    return lambda proposal: verdict if proposal.name in names else None


def allow(*names: str) -> Policy:
    """These tools run unasked, whatever comes after in `first`."""
    return named(names, RUN)


def ask_about(*names: str, reason: str = "the app wants to be asked") -> Policy:
    """A person is asked about these tools."""
    return named(names, ask(reason))


def forbid(*names: str, reason: str = "it is not allowed here") -> Policy:
    """These tools are refused."""
    return named(names, refuse(reason))


BUILT_IN: Final = strictest(by_effect, taint)


def default(proposal: Proposal) -> Verdict | None:
    """What holds unless the app says otherwise: `by_effect` and `taint`, the stricter."""
    return BUILT_IN(proposal)


def judge(policy: Policy, proposal: Proposal) -> Verdict:
    """The verdict of a policy; where it has no opinion, that of the default.

    Raises TypeError for what is no verdict.
    """
    verdict = policy(proposal)
    if verdict is None:
        verdict = default(proposal)
    if inspect.iscoroutine(verdict):
        verdict.close()
        raise TypeError("a policy is a plain function, not an async one: ask elsewhere, before")
    if not isinstance(verdict, Verdict) or verdict.action not in STRICTNESS:
        raise TypeError(f"a policy gives a Verdict or None, not {verdict!r}")
    return verdict
