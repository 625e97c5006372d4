"""The first look at a call: whether there is such a tool, and whether its arguments fit its
schema and come from where they must. The app's own checks come after (`checks`)."""

from __future__ import annotations

from typing import Any

from toolbridge.app_tools import Tool
from toolbridge.checkpoint.grounds import unfounded
from toolbridge.identifiers import digest
from toolbridge.loop.dossier import Dossier
from toolbridge.loop.effective import filled
from toolbridge.loop.memory import Memory, asked_for
from toolbridge.loop.output import answer_output
from toolbridge.loop.results import failure_of
from toolbridge.loop.state import Job, Plan
from toolbridge.lower.calls import INPUT
from toolbridge.parts import ToolCall
from toolbridge.tools import HostedTool
from toolbridge.validation.faults import ArgumentsError, short
from toolbridge.validation.validators import accept
from toolbridge.values import thaw

MEND_ARGUMENTS = "Call it again with arguments that fit its schema."


def key_of(run_id: str, step: int, place: int, call: ToolCall) -> str:
    """A key that is the same whenever this call of this run is run again, and no other's: two
    runs that say the same are two orders."""
    return digest(f"{run_id}\n{step}.{place}\n{call.id}\n{asked_for(call)}", 22)


def tool_of(plan: Plan, call: ToolCall) -> Tool | None:
    """The app's tool for a call: by name, else by the vendor's type."""
    named = plan.tools.get((call.namespace, call.name))
    typed = plan.tools.get((None, call.kind))
    return named or (typed if typed and isinstance(typed.spec, HostedTool) else None)


def has_handler(plan: Plan, call: ToolCall) -> bool:
    """Whether the app can answer a call: functions and free text always (an unknown one gets an
    error), a call known by the vendor's type where there is a tool for it."""
    if (call.namespace, call.name) in plan.declared:
        return False
    return call.kind in ("function", "custom") or tool_of(plan, call) is not None


def examine(plan: Plan, memory: Memory, dossier: Dossier) -> None:
    """Give the dossier its job, or the result that says why there is none."""
    call = dossier.call
    dossier.tool = tool_of(plan, call)
    dossier.checks.clear()
    dossier.changes = tuple(each for each in dossier.changes if not each.path)
    if call.status != "complete":
        broken(dossier)
    elif call.name == plan.output_tool:
        result = answer_output(plan, call)
        dossier.settle(result, "invalid" if result.is_error else "ok")
    elif is_over(plan, memory, dossier):
        return
    elif dossier.tool is None:
        unknown(plan, dossier)
    else:
        look(plan, memory, dossier, dossier.tool)


def look(plan: Plan, memory: Memory, dossier: Dossier, tool: Tool) -> None:
    """Hold the arguments against the schema, and against what was said before."""
    call = dossier.call
    try:
        given = arguments_of(tool, dossier)
    except ValueError as error:
        what = f"The arguments of {call.name} are not valid:\n{error}"
        noted = error.unquoted if isinstance(error, ArgumentsError) else None
        return dossier.refuse("schema", what, MEND_ARGUMENTS, noted=noted)
    except Exception as error:  # validators are the app's own code, and fail in any way
        dossier.error = error
        dossier.checks.append({"layer": "schema", "ok": False, "fault": type(error).__name__})
        return dossier.settle(failure_of(call, error), "error")
    dossier.passed("schema")
    sources = tool.handling.sources
    if sources is not None and isinstance(dossier.arguments, dict):
        faults = unfounded(
            sources,
            dossier.arguments,
            memory.evidence,
            memory.names,
            namespace=call.namespace,
            values=given,
            written=thaw(call.arguments if dossier.edited is None else dossier.edited),
        )
        if faults:
            what = f"The arguments of {call.name} come from nowhere:\n" + "\n".join(faults)
            names = ", ".join(fault.removeprefix("- ").partition(":")[0] for fault in faults)
            noted = f"{names}: of no earlier result"
            return dossier.refuse("provenance", what, f"Then call {call.name} again.", noted=noted)
        dossier.passed("provenance")
    if not isinstance(tool.spec, HostedTool):
        dossier.arguments = filled(dossier.arguments, tool.function, given)
    dossier.job = Job(call, tool, given, dossier.key)
    return None


def arguments_of(tool: Tool, dossier: Dossier) -> Any:
    """The arguments as the function takes them, its own to change; those of vendors' types as
    they came. Raises ValueError."""
    arguments = thaw(dossier.call.arguments if dossier.edited is None else dossier.edited)
    dossier.arguments = arguments
    if tool.free_text is not None:
        shown = tool.free_text if dossier.edited is not None else INPUT
        dossier.arguments = {tool.free_text: text_of(arguments, shown)}
        return dict(dossier.arguments)
    if isinstance(tool.spec, HostedTool):
        return arguments
    if not isinstance(arguments, dict):
        raise ValueError("- the arguments: a JSON object is wanted, not a text")
    accepted = accept(tool.validate, tool.spec.parameters, arguments)
    dossier.arguments = accepted.arguments
    dossier.changes = (*dossier.changes, *accepted.changes)
    return accepted.values


def text_of(arguments: Any, parameter: str) -> str:
    """Free text, as it came, in the schema that stands for it, or by the name of its parameter,
    as a person is shown it."""
    text = arguments
    if isinstance(arguments, dict):
        text = arguments.get(INPUT, arguments.get(parameter))
    if not isinstance(text, str):
        raise ValueError(f"- {INPUT}: a text is wanted (given: {short(arguments)})")
    return text


def is_over(plan: Plan, memory: Memory, dossier: Dossier) -> bool:
    """Whether a tool has failed too often, or a call was asked for too often: it does not run,
    and the run ends if it was told before."""
    limits, call = plan.limits, dossier.call
    failed = memory.failed(call)
    if limits.tool_retries is not None and failed > limits.tool_retries:
        what = f"{call.name} failed in {failed} steps, one after another: it did not run."
        dossier.refuse("limits", what, "Do without it.", "refused")
        dossier.ends = ends_by(plan, memory, dossier)
        return True
    exempt = dossier.tool is not None and dossier.tool.handling.repeatable
    if limits.equal_results is None or exempt:
        return False
    asked = memory.repeats(call, limits.equal_results)
    if not asked:
        return False
    what = (
        f"{call.name} was called with these arguments before, and gave the same result "
        f"{limits.equal_results} times: it did not run again."
    )
    mend_it = "Use the result that you have, change the arguments, or answer without it."
    dossier.refuse("limits", what, mend_it, "repeated")
    dossier.ends = ends_by(plan, memory, dossier)
    return True


def ends_by(plan: Plan, memory: Memory, dossier: Dossier) -> str | None:
    """The stop reason of a run that ends by a call that the limits refused, also where that was
    before the run was put down."""
    limits, call = plan.limits, dossier.call
    if dossier.outcome == "repeated" and limits.equal_results is not None:
        again = memory.repeats(call, limits.equal_results) > 1
        return "repeated_call" if again else None
    if dossier.outcome == "refused" and limits.tool_retries is not None:
        return "error" if memory.failed(call) > limits.tool_retries else None
    return None


def broken(dossier: Dossier) -> None:
    """The answer to a call that must never run."""
    call = dossier.call
    if call.status == "cut":
        what = f"The call of {call.name} was cut off before its end: it did not run."
        return dossier.refuse(
            "schema", what, "Call it again, with shorter arguments or in several calls."
        )
    what = f"The arguments of {call.name} are no JSON object: it did not run."
    return dossier.refuse("schema", what, "Call it again with a JSON object that fits its schema.")


def unknown(plan: Plan, dossier: Dossier) -> None:
    """The answer to a call of a tool that there is not."""
    offered = [*plan.tools, *plan.declared]
    names = ", ".join(sorted(name for _, name in offered)) or "none"
    what = f"There is no tool {dossier.call.name!r}."
    dossier.refuse("schema", what, f"The tools are: {names}.")
