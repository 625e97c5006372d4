"""Items of tools known by their type: run by OpenAI, or by the app after OpenAI's description.

types/responses/response_*_call.py, *_output.py and *_param.py of `openai` 3.57.0. Each row says
which key holds the arguments, and which the result.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.arguments import ArgumentText, finish_arguments, prepare_arguments
from toolbridge.codec import ANY, OBJECT, Codec
from toolbridge.content import JsonContent
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Row
from toolbridge.parts import ToolCall, ToolChange, ToolResult
from toolbridge.settings import Own, Words
from toolbridge.shape import Shape
from toolbridge.values import JSON, Value, make
from toolbridge_openai.responses.parts import FORMAT, INPUT, part
from toolbridge_openai.responses.tools import TOOL_LIST

STATUS: Final = Row("status", "item_status")
CALLER: Final = Row("caller", "caller", Own("caller", FORMAT))
EXECUTION: Final = Row(
    "execution", "executor", Words("executor", {"vendor": "server", "client": "client"})
)


def finish_named(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """A call is known by its own id where it needs no output, and named by its type."""
    if "id" not in fields:
        fields["id"] = reading.call_without_id(fields["kind"], call_id=fields.get("item_id"))
    fields.setdefault("name", fields["kind"])
    fields.setdefault("arguments", {})


def without_made_up(item: Any, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """What the reader set in default of a key on the wire is not written."""
    keys = item.spelling.keys if writing.owns(item) else ()
    if "call_id" not in keys or "call_id" in item.spelling.nulls:
        fields.pop("id", None)
        fields.pop("call_id", None)
    if fields.get("arguments") == {} and not has_arguments(item, writing):
        del fields["arguments"]
    return fields


def has_arguments(item: Any, writing: Writing) -> bool:
    """Whether a call came with arguments of its own."""
    if not writing.owns(item):
        return False
    shape = writing.target.shapes[item.spelling.kind]
    row = shape.writers.get("arguments")
    return row is not None and shape.spelled_with(row.path, item.spelling)


def call(kind: str, *rows: Row, executor: str = "vendor", name: str = "") -> Shape:
    """The item of a call of a tool known by type."""
    return part(
        f"{kind}_call",
        ToolCall,
        Row("id", "item_id"),
        Row("call_id", "id"),
        *rows,
        STATUS,
        CALLER,
        given={"kind": kind, "executor": executor} if executor else {"kind": kind},
        implied=("name", "id", "arguments", "executor"),
        fills={"item_status": "completed"},
        finish=finish_named,
        prepare=without_made_up,
    )


def result(kind: str, *rows: Row, executor: str = "client") -> Shape:
    """The item of the result of such a call."""
    return part(
        f"{kind}_output" if kind in ("program", "tool_search") else f"{kind}_call_output",
        ToolResult,
        Row("id", "item_id"),
        Row("call_id", "call_id"),
        *rows,
        CALLER,
        given={"kind": kind, "executor": executor} if executor else {"kind": kind},
        implied=("call_id", "executor"),
        finish=finish_paired,
        prepare=without_made_up,
    )


def finish_paired(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """A result without `call_id` answers the open call of its kind: by `id`, or by order."""
    open_call = fields.get("item_id") if fields["kind"] == "local_shell" else None
    fields.setdefault("call_id", open_call or reading.result_without_id(fields["kind"]))


class FoundTools(Codec):
    """The tools that a search found: from here on the model may call them."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        added = TOOL_LIST.read(raw, reading, key)
        path, reading.path = reading.path, (reading.path, key)
        change = reading.placed(make(ToolChange, {"added": added}))
        reading.path = path
        return (change,)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return TOOL_LIST.write(item[0].added if item else (), writing, owner)


MCP_ROWS: Final = (
    Row("id", "item_id"),
    Row("name", "name"),
    Row("arguments", "arguments_text", ArgumentText()),
    Row("server_label", "namespace"),
)


def finish_mcp(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """MCP calls carry their arguments as text and are known by their item's id."""
    fields.setdefault("id", fields.get("item_id", ""))
    finish_arguments(fields, raw, reading)


def mcp(kind: str, type_word: str, executor: str, *rows: Row) -> Shape:
    """The item of a call to an MCP server, or of the question whether it may be made."""
    return part(
        type_word,
        ToolCall,
        *MCP_ROWS,
        *rows,
        given={"kind": kind, "executor": executor},
        implied=("id", "arguments"),
        places={"arguments": ("arguments",)},
        required=("name",),
        finish=finish_mcp,
        prepare=prepare_arguments,
    )


PROGRAM: Final = part(
    "program",
    ToolCall,
    Row("id", "item_id"),
    Row("call_id", "id"),
    Row("code", "arguments"),
    given={"kind": "program", "executor": "vendor"},
    implied=("name", "id"),
    finish=finish_named,
    prepare=without_made_up,
)
HOSTED_CALLS: Final = [
    call("tool_search", Row("arguments", "arguments", ANY), EXECUTION, executor=""),
    call("web_search", Row("action", "arguments", ANY)),
    call("file_search", Row("queries", "arguments", ANY)),
    call("code_interpreter", Row("code", "arguments")),
    call("image_generation"),
    call("shell", Row("action", "arguments", OBJECT), executor="client"),
    call("local_shell", Row("action", "arguments", OBJECT), executor="client"),
    call("apply_patch", Row("operation", "arguments", OBJECT), executor="client"),
    call(
        "computer",
        Row("action", "arguments", ANY),
        Row("actions", "arguments", ANY),
        executor="client",
    ),
    PROGRAM,
    mcp("mcp", "mcp_call", "vendor", STATUS),
    mcp("mcp_approval", "mcp_approval_request", "client"),
]
FAILED: Final = Words("is_error", {False: "completed", True: "failed"})

HOSTED_RESULTS: Final = [
    result(
        "tool_search", Row("tools", "parts", FoundTools("a list")), EXECUTION, STATUS, executor=""
    ),
    result("program", Row("result", "parts", JsonContent()), STATUS, executor="vendor"),
    result("shell", Row("output", "parts", JsonContent()), STATUS),
    result("local_shell", Row("output", "parts", JsonContent()), STATUS),
    result("apply_patch", Row("output", "parts", INPUT), Row("status", "is_error", FAILED)),
    result("computer", Row("output", "parts", JsonContent()), STATUS),
    part(
        "mcp_approval_response",
        ToolResult,
        Row("id", "item_id"),
        Row("approval_request_id", "call_id"),
        Row("approve", "parts", JsonContent()),
        given={"kind": "mcp_approval"},
        required=("call_id",),
    ),
]
