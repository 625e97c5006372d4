"""Which calls of an answer may be looked at: those that are whole, of an answer that was not
blocked, with arguments that can be stored and that say one thing only."""

from __future__ import annotations

import json
import math
from typing import Any, Final

from toolbridge.calls_of import map_calls
from toolbridge.parts import ToolCall
from toolbridge.response import Alternative, Response
from toolbridge.validation.lax import decoded
from toolbridge.values import JSON

BLOCKED: Final = ("refusal", "filter")
"""Stop reasons of answers that the vendor stopped because of what they say: nobody knows what is
left of their calls, and Anthropic says not to run them (platform.claude.com/docs,
refusals-and-fallback)."""

DOUBTFUL: Final = (*BLOCKED, "malformed")
"""Stop reasons of answers whose calls never run. Gemini says of a call that it was malformed, and
not of which (ai.google.dev, FinishReason)."""

DEEPEST: Final = 64
"""Levels of objects and lists in arguments: deeper ones could not be stored with the run."""


def meant(response: Response) -> Response:
    """An answer with its calls as they are to be taken: arguments that were encoded twice decoded,
    those of no one meaning invalid, and none whole in an answer that is doubtful."""
    answers = (each for each in response.alternatives if isinstance(each, Alternative))
    doubtful = any(each.stop_reason in DOUBTFUL for each in answers)

    def taken(call: ToolCall) -> ToolCall:
        if call.executor != "client":
            return call
        if doubtful and call.status == "complete":
            return call.replace(status="cut", arguments=call.arguments_text or "")
        return undoubled(call) if call.status == "invalid" else sound(call)

    return map_calls(response, taken)


def undoubled(call: ToolCall) -> ToolCall:
    """A call whose arguments were encoded twice, as it was meant. Broken JSON stays broken."""
    if call.kind != "function" or not isinstance(call.arguments, str):
        return call
    arguments = decoded(call.arguments)
    if arguments is None:
        return call
    return sound(call.replace(status="complete", arguments=arguments, arguments_text=None))


def sound(call: ToolCall) -> ToolCall:
    """A call, invalid where its arguments are too deep, hold what is no number, or name one thing
    twice: JSON leaves open which of two counts (RFC 8259, section 4)."""
    if call.status != "complete":
        return call
    text = call.arguments_text
    twice = isinstance(text, str) and isinstance(call.arguments, dict) and names_twice(text)
    if not twice and is_storable(call.arguments):
        return call
    return call.replace(status="invalid", arguments=text or "")


def is_storable(arguments: JSON) -> bool:
    """Whether arguments are of a depth and of numbers that can be stored."""
    level = [arguments]
    for _ in range(DEEPEST):
        level = [member for item in level for member in members(item)]
        if not level:
            return True
        if any(isinstance(item, float) and not math.isfinite(item) for item in level):
            return False
    return False


def members(item: JSON) -> Any:
    """What stands in an object or a list."""
    if isinstance(item, dict):
        return item.values()
    return item if isinstance(item, list) else ()


class Twice(ValueError):
    """A name stands twice in an object."""


def names_twice(text: str) -> bool:
    """Whether an object of a JSON text names something twice."""
    try:
        json.loads(text, object_pairs_hook=once)
    except Twice:
        return True
    except (ValueError, RecursionError):
        return False
    return False


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; raises Twice."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Twice
    return made
