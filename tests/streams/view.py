"""What two answers must agree in, whichever way they came."""

from __future__ import annotations

from typing import Any

import toolbridge as tb

INVALID = "INVALID_JSON"


def called(call: tb.ToolCall) -> tuple[Any, ...]:
    """A call. What is no JSON stands as text in a stream, and under a key where a body has an
    object for it."""
    arguments = call.arguments
    if isinstance(arguments, dict) and arguments.keys() == {INVALID}:
        arguments = arguments[INVALID]
    return call.id, call.name, tb.thaw(arguments), call.kind


def cited(response: tb.Response) -> list[Any]:
    """What may have citations."""
    answers = response.alternatives[:1]
    messages = [each for answer in answers for each in getattr(answer, "messages", ())]
    return [*messages, *(part for each in messages for part in getattr(each, "parts", ()))]


def view(response: tb.Response) -> dict[str, Any]:
    """The text, the calls, why it ended, and the tokens."""
    usage = response.usage
    parts = [part for answer in response.alternatives[:1] for part in getattr(answer, "parts", ())]
    calls = [part for part in parts if isinstance(part, tb.ToolCall) and part.executor == "client"]
    return {
        "text": response.text,
        "calls": [called(call) for call in calls],
        "stop": response.stop_reason,
        "citations": sum(len(getattr(each, "citations", None) or ()) for each in cited(response)),
        "usage": None if usage is None else (usage.input_tokens, usage.output_tokens),
    }
