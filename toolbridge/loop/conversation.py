"""The loop itself, without I/O: a generator that says what to do and takes what came of it.

It goes on because of the calls in an answer, not because of its stop reason: servers contradict
themselves, calls do not. Every call gets exactly one result, in the order of the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from toolbridge.app_tools import Tool
from toolbridge.identifiers import digest
from toolbridge.loop.output import Parsed, answer_output, parse_output
from toolbridge.loop.replay import replayable
from toolbridge.loop.results import failure_of, refuse
from toolbridge.loop.state import (
    Answered,
    Cancelled,
    Finished,
    Job,
    Perform,
    Plan,
    Run,
    Step,
    said,
)
from toolbridge.lower.calls import INPUT
from toolbridge.parts import ToolCall, ToolResult
from toolbridge.request import Message, Request
from toolbridge.response import Alternative, Response
from toolbridge.storage import to_json
from toolbridge.tools import HostedTool
from toolbridge.validation import short
from toolbridge.values import thaw

Ask = Callable[[Request], Generator[Any, Any, Answered]]
"""Sends a request, by yielding what is to be sent."""


def conversation(plan: Plan, ask: Ask, watch: Callable[[Any], None]) -> Generator[Any, Any, Run]:
    """The run of a plan: yields what `ask` yields, and Perform for calls to run together."""
    history = list(plan.request.history)
    steps: list[Step] = []
    while len(steps) < plan.max_steps:
        try:
            answered = yield from ask(plan.request.replace(history=tuple(history)))
        except Cancelled:
            return Run(tuple(history), tuple(steps), "cancelled")
        watch(answered)
        response = answered.response
        history += messages_of(response)
        if answered.cancelled:
            return stopped(history, steps, answered)
        unhandled = tuple(call for call in client_calls(response) if not has_handler(plan, call))
        if unhandled:
            steps.append(Step(response, (), answered.losses))
            return Run(tuple(history), tuple(steps), "unhandled_call", pending=unhandled)
        parsed = parse_output(plan, response)
        results, cancelled = yield from perform(plan, response, len(history), watch)
        steps.append(Step(response, results, answered.losses))
        if results:
            history.append(Message(role="tool", parts=results))
        if cancelled:
            return Run(tuple(history), tuple(steps), "cancelled")
        if parsed.fault and not results:
            history.append(said(parsed.fault))
        elif is_done(response, results, parsed):
            return Run(tuple(history), tuple(steps), response.stop_reason, parsed.output)
    return Run(tuple(history), tuple(steps), "max_steps")


def stopped(history: list[Any], steps: list[Step], answered: Answered) -> Run:
    """The run whose last answer nobody waited for: its calls have their results all the same."""
    results = tuple(map(cancelled_result, client_calls(answered.response)))
    if results:
        history.append(Message(role="tool", parts=results))
    if first_of(answered.response) is not None:
        steps.append(Step(answered.response, results, answered.losses))
    return Run(tuple(history), tuple(steps), "cancelled")


def cancelled_result(call: ToolCall) -> ToolResult:
    """The result of a call that did not come to its end."""
    return refuse(call, f"The call of {call.name} was cancelled.", "Ask before you try again.")


def is_done(response: Response, results: tuple[ToolResult, ...], parsed: Parsed) -> bool:
    """Whether an answer is the last one: no call is left, and the vendor did not just pause."""
    if parsed.done:
        return True
    return not results and not parsed.fault and response.stop_reason != "pause"


def first_of(response: Response) -> Alternative | None:
    """The first answer of several."""
    return next((each for each in response.alternatives if isinstance(each, Alternative)), None)


def messages_of(response: Response) -> tuple[Any, ...]:
    """What the model said, for the history; its first answer of several."""
    first = first_of(response)
    return tuple(map(replayable, first.messages)) if first is not None else ()


def has_handler(plan: Plan, call: ToolCall) -> bool:
    """Whether the app can answer a call: functions and free text always (an unknown one gets an
    error), a call known by the vendor's type where there is a tool for it."""
    if (call.namespace, call.name) in plan.declared:
        return False
    return call.kind in ("function", "custom") or tool_of(plan, call) is not None


def tool_of(plan: Plan, call: ToolCall) -> Tool | None:
    """The app's tool for a call: by name, else by the vendor's type."""
    return plan.tools.get((call.namespace, call.name)) or plan.tools.get((None, call.kind))


def perform(
    plan: Plan, response: Response, place: int, watch: Callable[[Any], None]
) -> Generator[Any, Any, tuple[tuple[ToolResult, ...], bool]]:
    """The one result of each call, in order, and whether the run was cancelled meanwhile; the
    calls that can run run together. `place` is that of the calls in the history."""
    settled: dict[int, ToolResult] = {}
    jobs: dict[int, Job] = {}
    calls = client_calls(response)
    for index, call in enumerate(calls):
        planned = plan_call(plan, call, f"{place}.{index}")
        if isinstance(planned, Job):
            jobs[index] = planned
        else:
            settled[index] = planned
            watch(Finished(call, planned))
    cancelled = False
    if jobs:
        try:
            results: list[ToolResult] = yield Perform(tuple(jobs.values()))
        except Cancelled as by:
            cancelled = True
            results = [
                by.finished.get(at) or cancelled_result(job.call)
                for at, job in enumerate(jobs.values())
            ]
        settled |= dict(zip(jobs, results, strict=True))
    return tuple(settled[index] for index in range(len(calls))), cancelled


def client_calls(response: Response) -> list[ToolCall]:
    """The calls of an answer that the app must answer, broken ones included, in order."""
    first = first_of(response)
    parts = first.parts if first is not None else ()
    return [part for part in parts if isinstance(part, ToolCall) and part.executor == "client"]


def plan_call(plan: Plan, call: ToolCall, place: str) -> Job | ToolResult:
    """What to do with a call: run it, or answer it at once."""
    if call.status != "complete":
        return broken(call)
    if call.name == plan.output_tool:
        return answer_output(plan, call)
    tool = tool_of(plan, call)
    if tool is None:
        return unknown(plan, call)
    try:
        arguments = arguments_of(tool, call)
    except ValueError as error:
        return refuse(
            call,
            f"The arguments of {call.name} are not valid:\n{error}",
            "Call it again with arguments that fit its schema.",
        )
    except Exception as error:  # validators are the app's own code, and fail in any way
        return failure_of(call, error)
    return Job(call, tool, arguments, key_of(call, place))


def arguments_of(tool: Tool, call: ToolCall) -> Any:
    """The arguments as the function takes them, its own to change; those of vendors' types as
    they came. Raises ValueError."""
    arguments = thaw(call.arguments)
    if tool.free_text is not None:
        return {tool.free_text: text_of(arguments)}
    if isinstance(tool.spec, HostedTool):
        return arguments
    if not isinstance(arguments, dict):
        raise ValueError("- the arguments: a JSON object is wanted, not a text")
    return tool.validate(arguments)


def text_of(arguments: Any) -> str:
    """Free text, as it came or in the schema that stands for it."""
    text = arguments.get(INPUT) if isinstance(arguments, dict) else arguments
    if not isinstance(text, str):
        raise ValueError(f"- {INPUT}: a text is wanted (given: {short(arguments)})")
    return text


def key_of(call: ToolCall, place: str) -> str:
    """A key that is the same whenever this call of this conversation is run again."""
    return digest(f"{place}\n{call.id}\n{call.name}\n{to_json(call.replace(spelling=None))}", 22)


def broken(call: ToolCall) -> ToolResult:
    """The answer to a call that must never run."""
    if call.status == "cut":
        return refuse(
            call,
            f"The call of {call.name} was cut off before its end: it did not run.",
            "Call it again, with shorter arguments or in several calls.",
        )
    return refuse(
        call,
        f"The arguments of {call.name} are no JSON object: it did not run.",
        "Call it again with a JSON object that fits its schema.",
    )


def unknown(plan: Plan, call: ToolCall) -> ToolResult:
    """The answer to a call of a tool that there is not."""
    offered = [*plan.tools, *plan.declared]
    names = ", ".join(sorted(name for _, name in offered)) or "none"
    return refuse(call, f"There is no tool {call.name!r}.", f"The tools are: {names}.")
