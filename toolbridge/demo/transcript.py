"""What was said in a run, whatever the vendor: to show it, and to see that it is the same."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any, NamedTuple

from toolbridge.loop import Run, Step
from toolbridge.loop.talk import client_calls
from toolbridge.parts import Json, Text, ToolCall, ToolResult


class Said(NamedTuple):
    """One step without what is the vendor's own: ids, signatures, thoughts, stop words."""

    text: str
    calls: tuple[tuple[str, Any], ...]
    results: tuple[tuple[bool, tuple[Any, ...]], ...]


def transcript(run: Run) -> tuple[Said, ...]:
    """The steps of a run."""
    return tuple(
        Said(
            step.response.text,
            tuple((call.name, call.arguments) for call in client_calls(step.response)),
            tuple((bool(each.is_error), each.parts) for each in step.results),
        )
        for step in run.steps
    )


def pairs(step: Step) -> list[tuple[ToolCall, ToolResult | None]]:
    """The calls of a step, each with its result; none where the run ended before."""
    return list(zip_longest(client_calls(step.response), step.results))


def call_text(call: ToolCall) -> str:
    """A call as code has it."""
    if not isinstance(call.arguments, dict):
        return f"{call.name}({call.arguments!r})"
    return f"{call.name}({', '.join(f'{key}={each!r}' for key, each in call.arguments.items())})"


def result_text(result: ToolResult) -> str:
    """What a result says; media and the like by their class."""
    told: list[str] = []
    for part in result.parts:
        if isinstance(part, Text):
            told.append(part.text)
        elif isinstance(part, Json):
            told.append(json.dumps(part.value, ensure_ascii=False))
        else:
            told.append(type(part).__name__)
    return "\n".join(told)
