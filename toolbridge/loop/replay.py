"""What the model said, in a form that every server takes back."""

from __future__ import annotations

from typing import Any

from toolbridge.parts import ToolCall
from toolbridge.request import Message


def replayable(item: Any) -> Any:
    """A message for the history: arguments that are no JSON go back as none. Servers parse what
    comes back (llama.cpp answers 500, Ollama 400), and the result of the call says what was
    wrong with it."""
    if not isinstance(item, Message):
        return item
    parts = tuple(map(parsable, item.parts))
    changed = any(made is not part for made, part in zip(parts, item.parts, strict=True))
    return item.replace(parts=parts) if changed else item


def parsable(part: Any) -> Any:
    """A part with arguments that can be parsed."""
    if not isinstance(part, ToolCall) or part.kind != "function" or part.status == "complete":
        return part
    if isinstance(part.arguments, dict):
        return part
    return part.replace(arguments={}, arguments_text="{}")
