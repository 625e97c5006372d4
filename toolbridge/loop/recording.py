"""The audit of the checkpoint: one record for each call that got its result, or that waits."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from toolbridge.loop.dossier import Dossier
from toolbridge.loop.effective import filled
from toolbridge.loop.state import Job, Outcome, Plan

if TYPE_CHECKING:
    from toolbridge.checkpoint.audit import AuditRecord
    from toolbridge.loop.talk import Talk

Report = Callable[[Dossier], None]


def recorder(talk: Talk, step: int) -> Report:
    """What reports the calls of a step, counted from 1, to whoever audits the run."""
    audit = talk.plan.gate.audit
    if audit is None:
        return lambda dossier: None

    def report(dossier: Dossier) -> None:
        try:
            audit(record_of(talk, step, dossier))
        except Exception as error:  # a full disk, say: the run is told once its calls are settled
            talk.trouble = talk.trouble or error

    return report


def record_of(talk: Talk, step: int, dossier: Dossier) -> AuditRecord:
    """The record of a call."""
    from toolbridge.checkpoint.audit import (
        AuditRecord,
        masked,
        masked_changes,
        result_size,
        time_of,
    )

    call, tool, verdict = dossier.call, dossier.tool, dossier.verdict
    spec = tool.spec if tool is not None else None
    arguments = call.arguments if dossier.arguments is None else dossier.arguments
    schema = getattr(spec, "parameters", None)
    changes = [change._asdict() for change in dossier.changes]
    return AuditRecord(
        time=time_of(),
        run_id=talk.plan.run_id,
        step=step,
        call_id=call.id,
        call_key=dossier.key,
        tool=call.name,
        namespace=call.namespace,
        effect=tool.stance.effect if tool is not None else None,
        arguments=masked(arguments, schema),
        changes=masked_changes(changes, schema),
        checks=tuple(map(without_secrets, dossier.checks)),
        decision=None if verdict is None else verdict.action,
        reason="" if verdict is None else verdict.reason,
        decided_by=decided_by(dossier),
        untrusted=tuple(each.call_id for each in talk.memory.untrusted),
        outcome=dossier.outcome or "asked",
        seconds=dossier.seconds,
        result_size=0 if dossier.result is None else result_size(dossier.result),
        error=traceback_of(dossier.error),
    )


def late_reporter(plan: Plan) -> Callable[[Job, Outcome], None]:
    """What reports a call that came back after nobody waited any more: to the app, not to the
    model."""
    audit = plan.gate.audit

    def report(job: Job, came: Outcome) -> None:
        if audit is None:
            return
        from toolbridge.checkpoint.audit import AuditRecord, masked, result_size, time_of

        call, schema = job.call, getattr(job.tool.spec, "parameters", None)
        audit(
            AuditRecord(
                time=time_of(),
                run_id=plan.run_id,
                call_id=call.id,
                call_key=job.key,
                tool=call.name,
                namespace=call.namespace,
                effect=job.tool.stance.effect,
                arguments=masked(filled({}, job.tool.function, job.arguments), schema),
                outcome="late",
                seconds=came.seconds,
                result_size=result_size(came.result),
                error=traceback_of(came.error),
            )
        )

    return report


def without_secrets(check: dict[str, Any]) -> dict[str, Any]:
    """What a layer said. The words of the app's own checks may hold what looks like a secret;
    ours quote nothing."""
    from toolbridge.checkpoint.secrets_of import masked_text

    return check | {"fault": masked_text(check["fault"])} if is_apps(check) else check


def is_apps(check: dict[str, Any]) -> bool:
    """Whether the app itself says what was wrong."""
    return "fault" in check and check["layer"] == "meaning"


def decided_by(dossier: Dossier) -> str | None:
    """Who decided on a call: a person by name, else the policy."""
    if dossier.decision is not None:
        return dossier.decision.by or "a person"
    return None if dossier.verdict is None else "policy"


def traceback_of(error: BaseException | None) -> str | None:
    """An error with where it was raised, for the app."""
    return None if error is None else "".join(traceback.format_exception(error))
