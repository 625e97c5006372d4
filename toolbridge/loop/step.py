"""One answer of the model: its calls on their way through the checkpoint, to one result each.

A generator without I/O: it yields Perform for what is to run, Decide where a person is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from toolbridge.app_tools import Tool
from toolbridge.checkpoint import policies
from toolbridge.checkpoint.policies import Proposal, Verdict, judge
from toolbridge.checkpoint.questions import Decision, Deny, Edit, Question, as_decision
from toolbridge.checkpoint.run_state import Settled
from toolbridge.errors import ToolError
from toolbridge.loop.checks import check_job
from toolbridge.loop.dossier import Dossier
from toolbridge.loop.examine import ends_by, examine, key_of, tool_of
from toolbridge.loop.memory import Memory
from toolbridge.loop.recording import Report
from toolbridge.loop.results import refuse
from toolbridge.loop.state import Cancelled, Decide, Finished, Job, Outcome, Perform, Plan
from toolbridge.loop.work import Watch
from toolbridge.parts import ToolCall, ToolResult
from toolbridge.validation.lax import Change
from toolbridge.values import thaw

if TYPE_CHECKING:
    from toolbridge.checkpoint.audit import AuditOutcome

ROUNDS = 3
"""How often a person is asked about one call, before the run waits instead."""


class Checkpoint:
    """The calls of one answer. `step` counts the answers from 1; `why` says why the run was
    cancelled meanwhile, if it is known."""

    def __init__(
        self,
        plan: Plan,
        memory: Memory,
        step: int,
        calls: Sequence[ToolCall],
        watch: Watch,
        report: Report,
    ) -> None:
        self._plan, self._memory, self._step = plan, memory, step
        self._watch, self._report = watch, report
        self.why: str | None = None
        self.dossiers = [
            Dossier(call, place, key_of(plan.run_id, step, place, call))
            for place, call in enumerate(calls)
        ]

    def note_decoded(self, written: Sequence[ToolCall]) -> None:
        """Note which calls came with arguments that were encoded twice."""
        for dossier, call in zip(self.dossiers, written, strict=True):
            if call.status == "invalid" and dossier.call.status == "complete":
                why = "the arguments were encoded twice"
                change = Change("", call.arguments, thaw(dossier.call.arguments), why)
                dossier.changes = (change,)

    def note_begun(self, begun: Collection[str]) -> None:
        """Note the keys of calls that run already: no policy can take that back."""
        for dossier in self.dossiers:
            dossier.begun = dossier.key in begun

    def restore(
        self,
        settled: Sequence[Settled],
        questions: Sequence[Question],
        decisions: Mapping[str, Decision],
    ) -> None:
        """Take up what was settled, asked and decided before the run was put down."""
        for done in settled:
            dossier = self.dossiers[done.place]
            dossier.settle(done.result, cast("AuditOutcome", done.outcome))
            dossier.edited = thaw(done.edited)
            dossier.ends = ends_by(self._plan, self._memory, dossier)
        asked = {question.call_key: question for question in questions}
        for dossier in self.dossiers:
            if dossier.result is None:
                dossier.question = dossier.asked = asked.get(dossier.key)
                dossier.decision = decisions.get(dossier.key)

    def pass_through(self) -> Generator[Any, Any, bool]:
        """Bring every call to its result, or to a question that waits; gives whether the run was
        cancelled meanwhile."""
        open_ones = [each for each in self.dossiers if each.result is None]
        try:
            yield from self.prepare(
                [each for each in open_ones if not each.question or each.decision]
            )
            yield from self.ask(open_ones)
            yield from self.perform([each for each in open_ones if each.ready])
        except Cancelled as by:
            self.why = by.why
            self.cancel(by.finished)
            return True
        return False

    def prepare(self, batch: list[Dossier]) -> Generator[Any, Any, None]:
        """Check the calls, then decide on them."""
        for dossier in batch:
            if isinstance(dossier.decision, Deny):
                self.deny(dossier, dossier.decision)
        batch = [each for each in batch if not isinstance(each.decision, Deny)]
        for dossier in batch:
            if isinstance(dossier.decision, Edit):
                dossier.edited = thaw(dossier.decision.arguments)
            examine(self._plan, self._memory, dossier)
        fit = [each for each in batch if each.result is None]
        yield from self.check([each for each in fit if each.job and each.job.tool.handling.checks])
        for dossier in batch:
            if dossier.result is None:
                self.judge(dossier)
            if dossier.result is not None and isinstance(dossier.decision, Edit):
                ask_again(dossier)
            self.tell(dossier)

    def check(self, batch: list[Dossier]) -> Generator[Any, Any, None]:
        """Let the app's own checks look at the arguments."""
        if not batch:
            return
        jobs = tuple(check_job(each.job) for each in batch if each.job)
        outcomes: list[Outcome] = yield Perform(jobs)
        for dossier, came in zip(batch, outcomes, strict=True):
            name = dossier.call.name
            if not came.result.is_error:
                dossier.passed("meaning")
            elif isinstance(came.error, ToolError):
                what = f"The arguments of {name} are refused:\n{came.error.content}"
                dossier.refuse("meaning", what, "Call it again with other arguments.")
            else:
                dossier.error = came.error
                what = f"The arguments of {name} could not be checked: it did not run."
                dossier.refuse("meaning", what, "Do without it.")

    def judge(self, dossier: Dossier) -> None:
        """Run, ask or refuse, as the policy says; a person may say yes where it asks, and not
        where it refuses."""
        if dossier.tool is None or dossier.begun:
            return
        proposal = self.proposal(dossier, dossier.tool)
        dossier.verdict = verdict = self.verdict(dossier, proposal)
        name, reason = dossier.call.name, verdict.reason
        if verdict.action == "refuse":
            what = f"The call of {name} is refused{': ' * bool(reason)}{reason}."
            dossier.settle(refuse(dossier.call, what, "Do without it."), "refused")
        elif dossier.decision is not None:
            dossier.question, dossier.verdict = None, Verdict("run", reason)
        elif verdict.action == "ask":
            dossier.question = dossier.asked = Question(
                call=dossier.call,
                call_key=dossier.key,
                arguments=thaw(dossier.arguments),
                reason=reason,
                untrusted=proposal.untrusted,
            )

    def proposal(self, dossier: Dossier, tool: Tool) -> Proposal:
        """A call as a policy sees it."""
        return Proposal(
            dossier.call,
            tool.spec,
            tool.stance,
            thaw(dossier.arguments),
            self._plan.data,
            tuple(self._memory.untrusted),
            self._step,
            self._plan.gated,
        )

    def verdict(self, dossier: Dossier, proposal: Proposal) -> Verdict:
        """What the policy says. It is the app's own code: what fails opens no gate."""
        try:
            return judge(self._plan.gate.policy, proposal)
        except Exception as error:
            dossier.error = error
            return policies.refuse("the app could not decide on it")

    def deny(self, dossier: Dossier, decision: Deny) -> None:
        """Answer a call that a person does not want."""
        told = f": {decision.reason}" if decision.reason else ""
        what = f"A person was asked and does not want this call of {dossier.call.name}{told}."
        mend = "Do not ask for it again unless you are told to."
        dossier.verdict, dossier.question = policies.refuse(decision.reason), None
        dossier.tool = tool_of(self._plan, dossier.call)
        if self._plan.gate.ledger is not None and dossier.tool is not None:
            dossier.job = denial(dossier, dossier.tool, f"{what}\n{mend}")
            return
        dossier.settle(refuse(dossier.call, what, mend), "denied")
        self.tell(dossier)

    def ask(self, batch: list[Dossier]) -> Generator[Any, Any, None]:
        """Ask whoever is there; without anybody the questions stay."""
        approve = self._plan.gate.approve
        for _ in range(ROUNDS if approve is not None else 0):
            asked = [each for each in batch if each.question is not None]
            if not asked or approve is None:
                return
            questions = tuple(each.question for each in asked if each.question is not None)
            given: list[Decision | None] = yield Decide(questions, approve)
            decided = []
            for dossier, decision in zip(asked, given, strict=True):
                dossier.decision = None if decision is None else as_decision(decision)
                if decision is not None:
                    decided.append(dossier)
            if not decided:
                return
            yield from self.prepare(decided)

    def perform(self, batch: list[Dossier]) -> Generator[Any, Any, None]:
        """Run what may run, together."""
        running = [(each, each.job) for each in batch if each.job is not None]
        if not running:
            return
        outcomes: list[Outcome] = yield Perform(tuple(job for _, job in running))
        for (dossier, _), came in zip(running, outcomes, strict=True):
            dossier.take(came)
            self._report(dossier)

    def cancel(self, finished: Mapping[str, Outcome]) -> None:
        """Give every call that has none its result: what came of it, by its key, else that it was
        cancelled."""
        for dossier in self.dossiers:
            if dossier.result is not None:
                continue
            if dossier.key in finished:
                dossier.take(finished[dossier.key])
            else:
                dossier.settle(cancelled_result(dossier.call), "cancelled")
            self._report(dossier)

    def report_waiting(self) -> None:
        """Tell the audit of what waits."""
        for dossier in self.dossiers:
            if dossier.question is not None:
                self._report(dossier)

    def tell(self, dossier: Dossier) -> None:
        """Tell whoever watches of a call that got its result without running."""
        if dossier.result is not None and dossier.outcome is not None:
            self._watch(Finished(dossier.call, dossier.result, dossier.error))
            self._report(dossier)


def denial(dossier: Dossier, tool: Tool, words: str) -> Job:
    """A job that denies a call, through the ledger: of two decisions about one call the first
    counts, whoever comes to it in whatever process. A call that ran before says what it gave."""

    def deny() -> None:
        raise ToolError(words)

    return Job(dossier.call, Tool(tool.spec, deny), {}, dossier.key)


def ask_again(dossier: Dossier) -> None:
    """The arguments that a person gave are not valid: the person hears that, not the model."""
    assert dossier.question is None and dossier.result is not None
    fault = "\n".join(getattr(part, "text", "") for part in dossier.result.parts)
    decision, dossier.decision = dossier.decision, None
    assert isinstance(decision, Edit)
    dossier.result = dossier.outcome = dossier.job = dossier.edited = None
    dossier.question = dossier.asked
    if dossier.question is not None:
        dossier.question = dossier.question.replace(fault=fault)


def cancelled_result(call: ToolCall) -> ToolResult:
    """The result of a call that did not come to its end."""
    return refuse(call, f"The call of {call.name} was cancelled.", "Ask before you try again.")
