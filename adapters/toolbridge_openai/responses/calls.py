"""Calls of the app's and their outputs in the Responses API.

https://platform.openai.com/docs/guides/function-calling;
types/responses/response_function_tool_call_param.py and response_input_item_param.py of
`openai` 3.57.0.

- A call and its output are items of their own, paired by `call_id`; `id` names the item.
- `caller` goes from the call onto its output; identity of a tool is (namespace, name).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolbridge.arguments import ArgumentText, finish_arguments, prepare_arguments
from toolbridge.codec import BOOLEAN
from toolbridge.conversion import Reading
from toolbridge.failure import finish_failure, prepare_failure
from toolbridge.nodes import Node, Row
from toolbridge.parts import (
    ToolCall,
    ToolResult,
)
from toolbridge.settings import Own
from toolbridge.shape import Shape
from toolbridge.values import JSON
from toolbridge_openai.responses.parts import FORMAT, INPUT, part

ITEM: Final = (Row("id", "item_id"), Row("status", "item_status"))
CALLER: Final = (Row("namespace", "namespace"), Row("caller", "caller", Own("caller", FORMAT)))


def finish_call(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """A call that the answer ended inside is cut."""
    if fields.get("item_status") == "incomplete":
        fields["status"] = "cut"


def how_far(fields: Mapping[str, Any]) -> str:
    """The status of a call that another vendor's model made."""
    return "incomplete" if fields.get("status") == "cut" else "completed"


def finish_function(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Arguments are JSON text."""
    finish_arguments(fields, raw, reading)
    finish_call(fields, raw, reading)


FUNCTION_CALL: Final = part(
    "function_call",
    ToolCall,
    Row("call_id", "id"),
    Row("name", "name"),
    Row("arguments", "arguments_text", ArgumentText()),
    *ITEM,
    *CALLER,
    Row("async", "asynchronous", BOOLEAN),
    implied=("kind", "arguments"),
    places={"arguments": ("arguments",)},
    fills={"item_status": how_far},
    required=("id", "name", "arguments"),
    finish=finish_function,
    prepare=prepare_arguments,
)
CUSTOM_CALL: Final = part(
    "custom_tool_call",
    ToolCall,
    Row("call_id", "id"),
    Row("name", "name"),
    Row("input", "arguments"),
    *ITEM,
    *CALLER,
    Row("async", "asynchronous", BOOLEAN),
    given={"kind": "custom"},
    fills={"item_status": how_far},
    required=("id", "name", "arguments"),
    finish=finish_call,
)


def output(kind: str, *nodes: Node, result_of: str = "function", **options: Any) -> Shape:
    """The output of a call of the app's: text or parts, failure told by the first line."""
    return part(
        kind,
        ToolResult,
        Row("call_id", "call_id"),
        *nodes,
        *ITEM,
        *CALLER,
        given={} if result_of == "function" else {"kind": result_of},
        implied=("kind",),
        required=("call_id",),
        **options,
    )


FAILURE: Final[dict[str, Any]] = {
    "finish": finish_failure,
    "prepare": prepare_failure,
}
FUNCTION_OUTPUT: Final = output(
    "function_call_output", Row("output", "parts", INPUT), Row("name", "name"), **FAILURE
)
CUSTOM_OUTPUT: Final = output(
    "custom_tool_call_output",
    Row("output", "parts", INPUT),
    Row("name", "name"),
    result_of="custom",
    **FAILURE,
)
