"""What the checkpoint knows of one call: what was asked for, checked, decided, and came of it."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from toolbridge.app_tools import Tool
from toolbridge.checkpoint.audit import AuditOutcome
from toolbridge.checkpoint.policies import Verdict
from toolbridge.checkpoint.questions import Decision, Deny, Question
from toolbridge.checkpoint.run_state import Settled
from toolbridge.loop.results import refuse
from toolbridge.loop.state import Job, Outcome
from toolbridge.parts import ToolCall, ToolResult
from toolbridge.values import JSON

RAN: Final = frozenset({"ok", "error", "timeout", "unknown", "recorded"})
"""Outcomes after which the tool itself has, or may have, said something."""


@dataclasses.dataclass
class Dossier:
    """A call on its way through the checkpoint.

    `place` is its place among the calls of its answer, `arguments` are JSON and `job` what will
    run; `edited` are arguments that a person gave. `question` is what it waits for, `asked`
    what it was asked, and `decision` what was said to that. `result` ends its way; `outcome` is a
    word of the audit, and `ends` the stop reason of a run that ends because of it. `begun`
    says that it runs already, before its answer was whole.
    """

    call: ToolCall
    place: int
    key: str
    tool: Tool | None = None
    arguments: JSON = None
    edited: JSON = None
    changes: tuple[Any, ...] = ()
    checks: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    job: Job | None = None
    question: Question | None = None
    asked: Question | None = None
    decision: Decision | None = None
    verdict: Verdict | None = None
    result: ToolResult | None = None
    outcome: AuditOutcome | None = None
    seconds: float | None = None
    error: BaseException | None = None
    ends: str | None = None
    begun: bool = False

    @property
    def ready(self) -> bool:
        """Whether it may run now."""
        return self.result is None and self.question is None

    def passed(self, layer: str) -> None:
        """Note that a layer let it pass."""
        self.checks.append({"layer": layer, "ok": True})

    def refuse(
        self,
        layer: str,
        what: str,
        mend: str,
        outcome: AuditOutcome = "invalid",
        noted: str | None = None,
    ) -> None:
        """Answer it without running it: what was wrong, and how to do better. `noted` is what the
        audit says of it, where the model's words repeat what was given."""
        self.checks.append({"layer": layer, "ok": False, "fault": noted or what})
        self.settle(refuse(self.call, what, mend), outcome)

    def settle(self, result: ToolResult, outcome: AuditOutcome) -> None:
        """Give it its one result."""
        self.result, self.outcome, self.question = result, outcome, None

    def take(self, came: Outcome) -> None:
        """Give it what came of its job, which may be a denial."""
        self.seconds, self.error = came.seconds, came.error
        denied = isinstance(self.decision, Deny) and came.how == "error"
        self.settle(came.result, "denied" if denied else came.how)

    def settled(self) -> Settled:
        """The result as a state keeps it."""
        assert self.result is not None and self.outcome is not None
        fields: dict[str, Any] = {"place": self.place, "result": self.result}
        if self.edited is not None:
            fields["edited"] = self.edited
        return Settled(outcome=self.outcome, **fields)
