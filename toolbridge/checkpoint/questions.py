"""What a run asks a person, and what the person may answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from toolbridge.parts import ToolCall
from toolbridge.values import JSON, Value, value


@value
class Untrusted(Value):
    """A result in the context that others than the app and its user wrote: of which call of which
    tool, in which answer of the model (counted from 1; 0 for what came before the run), and how
    it begins."""

    call_id: str
    tool: str
    step: int = 0
    excerpt: str = ""


@value
class Question(Value):
    """A call that waits for a person: what it would do, why it asks, and which untrusted results
    the model had read by then. `call_key` names it for a decision, also where ids repeat.
    `fault` says what was wrong with the arguments of a decision that was given before."""

    json_fields: ClassVar = frozenset({"arguments"})

    call: ToolCall
    call_key: str
    arguments: JSON
    reason: str = ""
    untrusted: tuple[Untrusted, ...] = ()
    fault: str | None = None

    @property
    def id(self) -> str:
        """The vendor's id of the call."""
        return self.call.id

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.call.name


class Approve(NamedTuple):
    """Run the call as it was asked about. `by` is who says so, for the audit."""

    by: str | None = None


class Deny(NamedTuple):
    """Do not run it; the model is told the reason."""

    reason: str = ""
    by: str | None = None


class Edit(NamedTuple):
    """Run it with these arguments instead, once they have passed the same checks."""

    arguments: JSON
    by: str | None = None


Decision = Approve | Deny | Edit
Decisions = Mapping[str, Decision]


def as_decision(given: Any) -> Decision:
    """A decision; also the class of one that needs nothing. Raises TypeError for anything else."""
    if given is Approve or given is Deny:
        made: Decision = given()
        return made
    if not isinstance(given, (Approve, Deny, Edit)):
        raise TypeError(
            f"a decision is tb.Approve(), tb.Deny(reason) or tb.Edit(arguments), not {given!r}"
        )
    if isinstance(given, Edit) and not isinstance(given.arguments, (dict, str)):
        raise TypeError(f"tb.Edit takes the arguments as an object, not {given.arguments!r}")
    return given


def keyed(decisions: Decisions, questions: tuple[Question, ...]) -> dict[str, Decision]:
    """Decisions by call key. They may be given by the vendor's id of the call, or by its key
    where ids repeat. Raises ValueError for what names no call, or more than one."""
    by_key: dict[str, Decision] = {}
    for name, given in decisions.items():
        found = [each.call_key for each in questions if name in (each.call_key, each.id)]
        if len(found) != 1:
            waiting = ", ".join(
                f"{each.id} ({each.name}, key {each.call_key})" for each in questions
            )
            what = "no call" if not found else f"{len(found)} calls: name them by their key"
            raise ValueError(f"{name!r} names {what}. What waits: {waiting or 'nothing'}")
        if found[0] in by_key:
            raise ValueError(
                f"{name!r} names a call that was decided on already, by its other name"
            )
        by_key[found[0]] = as_decision(given)
    return by_key
