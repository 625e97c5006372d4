"""Calls of Chat Completions; results are messages (`messages`).

https://platform.openai.com/docs/guides/function-calling;
types/chat/chat_completion_message_*_tool_call_param.py of `openai` 3.57.0.

- Arguments are JSON text. A custom tool's input is free text.
- `function_call` is the form before `tool_calls`: without an id.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.arguments import (
    ArgumentText,
    CallId,
    finish_arguments,
    parse_arguments,
    prepare_arguments,
)
from toolbridge.codec import Sealed
from toolbridge.conversion import Reading
from toolbridge.nodes import Inner, Row
from toolbridge.parts import ToolCall
from toolbridge.shape import Shape
from toolbridge.union import Union
from toolbridge.values import JSON
from toolbridge_openai.chat.parts import FORMAT, part

GOOGLE_SIGNATURE: Final = Inner(
    "extra_content",
    [Inner("google", [Row("thought_signature", "signature", Sealed("signature"))])],
)
"""Gemini's compatible endpoint (https://ai.google.dev/gemini-api/docs/openai)."""

FUNCTION_CALL: Final = part(
    "call_function",
    ToolCall,
    Row("id", "id", CallId()),
    Inner("function", [Row("name", "name"), Row("arguments", "arguments_text", ArgumentText())]),
    GOOGLE_SIGNATURE,
    implied=("kind", "arguments"),
    places={"arguments": ("function", "arguments")},
    required=("id", "name", "arguments"),
    word="function",
    finish=finish_arguments,
    prepare=prepare_arguments,
)
CUSTOM_CALL: Final = part(
    "call_custom",
    ToolCall,
    Row("id", "id", CallId()),
    Inner("custom", [Row("name", "name"), Row("input", "arguments")]),
    word="custom",
    given={"kind": "custom"},
    required=("id", "name", "arguments"),
)


def finish_old_call(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The form before `tool_calls` has no id."""
    parse_arguments(fields)
    if fields.get("name"):
        fields["id"] = reading.call_without_id(fields["name"], fields["arguments"])


OLD_CALL: Final = Shape(
    FORMAT,
    "function_call",
    ToolCall,
    [Row("name", "name"), Row("arguments", "arguments_text", ArgumentText())],
    implied=("kind", "id", "arguments"),
    places={"arguments": ("arguments",)},
    required=("id", "name", "arguments"),
    finish=finish_old_call,
    prepare=prepare_arguments,
)
CALLS: Final = Union(
    [FUNCTION_CALL, CUSTOM_CALL],
    lambda item, writing: CUSTOM_CALL if item.kind == "custom" else FUNCTION_CALL,
    untagged=FUNCTION_CALL,
    name="tool_calls",
)
