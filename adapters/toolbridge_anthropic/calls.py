"""Calls, results and context blocks of the Messages API, and the union of all blocks.

https://platform.claude.com/docs/en/agents-and-tools/tool-use; types/tool_use_block_param.py,
types/server_tool_use_block.py, types/beta/beta_content_block.py of `anthropic` 2.14.0.

- The results of server tools are blocks of the assistant's, paired by `tool_use_id`.
- Identity of an MCP tool is (server, name).
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import ARRAY, BOOLEAN, OBJECT, Codec, Sealed
from toolbridge.content import JsonContent
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Inner, Row, Tag
from toolbridge.parts import (
    Compaction,
    Fallback,
    Media,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolChange,
    ToolListing,
    ToolReference,
    ToolResult,
)
from toolbridge.settings import Own
from toolbridge.shape import Shape
from toolbridge.union import Union
from toolbridge.values import JSON, Value
from toolbridge_anthropic.parts import (
    CACHE,
    CONNECTOR_TEXT,
    CONTAINER_UPLOAD,
    DOCUMENT,
    FORMAT,
    IMAGE,
    PARTS,
    REDACTED_THINKING,
    SEARCH_RESULT,
    TEXT,
    THINKING,
    block,
)

CALL: Final = (
    Row("id", "id"),
    Row("name", "name"),
    Row("input", "arguments", OBJECT),
    Row("caller", "caller", Own("caller", FORMAT)),
)
CALL_NEEDS: Final = ("id", "name", "arguments")


def finish_server_call(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """A server tool is known by its name, of a closed list (types/server_tool_use_block.py)."""
    fields["kind"] = fields.get("name", "server")


TOOL_USE: Final = block(
    "tool_use", ToolCall, *CALL, Row("toolset_name", "toolset"), CACHE, required=CALL_NEEDS
)
SERVER_TOOL_USE: Final = block(
    "server_tool_use",
    ToolCall,
    *CALL,
    CACHE,
    given={"executor": "vendor"},
    implied=("kind",),
    required=CALL_NEEDS,
    finish=finish_server_call,
)
MCP_TOOL_USE: Final = block(
    "mcp_tool_use",
    ToolCall,
    *CALL,
    Row("server_name", "namespace"),
    CACHE,
    given={"executor": "vendor", "kind": "mcp"},
    required=CALL_NEEDS,
)

TOOL_RESULT: Final = block(
    "tool_result",
    ToolResult,
    Row("tool_use_id", "call_id"),
    Row("content", "parts", PARTS),
    Row("is_error", "is_error", BOOLEAN),
    Row("toolset_name", "toolset"),
    CACHE,
    defaults={"is_error": False},
    required=("call_id",),
)
MCP_TOOL_RESULT: Final = block(
    "mcp_tool_result",
    ToolResult,
    Row("tool_use_id", "call_id"),
    Row("content", "parts", PARTS),
    Row("is_error", "is_error", BOOLEAN),
    CACHE,
    given={"executor": "vendor", "kind": "mcp"},
    required=("call_id",),
)
SERVER_RESULTS: Final = [
    block(
        f"{name}_tool_result",
        ToolResult,
        Row("tool_use_id", "call_id"),
        Row("content", "parts", JsonContent()),
        Row("caller", "caller", Own("caller", FORMAT)),
        CACHE,
        given={"executor": "vendor", "kind": name},
        required=("call_id",),
    )
    for name in (
        "web_search",
        "web_fetch",
        "code_execution",
        "bash_code_execution",
        "text_editor_code_execution",
        "tool_search",
        "advisor",
    )
]


class Named(Codec):
    """The one tool of a change, by reference."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        return (REFERENCED.read(raw, reading),)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return REFERENCED.write(item[0], writing)


NAMED_TOOL: Final = Shape(
    FORMAT,
    "named_tool",
    ToolReference,
    [Tag("type", "tool_reference"), Row("name", "name")],
    word="tool_reference",
    required=("name",),
)
REFERENCED: Final = Union([NAMED_TOOL])
TOOL_ADDITION: Final = block(
    "tool_addition", ToolChange, Row("tool", "added", Named("a tool")), required=("added",)
)
TOOL_REMOVAL: Final = block(
    "tool_removal", ToolChange, Row("tool", "removed", Named("a tool")), required=("removed",)
)

TOOL_REFERENCE: Final = block(
    "tool_reference", ToolReference, Row("tool_name", "name"), CACHE, required=("name",)
)
COMPACTION: Final = block(
    "compaction",
    Compaction,
    Row("content", "summary"),
    Row("encrypted_content", "encrypted", Sealed("encrypted")),
    CACHE,
)
FALLBACK: Final = block(
    "fallback",
    Fallback,
    Inner("from", [Row("model", "from_model")]),
    Inner("to", [Row("model", "to_model")]),
)
TOOL_LISTING: Final = block(
    "mcp_tool_listing",
    ToolListing,
    Row("mcp_server_name", "server"),
    Row("tools", "tools", ARRAY),
    required=("server", "tools"),
)

BLOCKS: Final[Union] = Union(
    [
        TEXT,
        CONNECTOR_TEXT,
        IMAGE,
        DOCUMENT,
        SEARCH_RESULT,
        CONTAINER_UPLOAD,
        THINKING,
        REDACTED_THINKING,
        TOOL_USE,
        SERVER_TOOL_USE,
        MCP_TOOL_USE,
        TOOL_RESULT,
        MCP_TOOL_RESULT,
        *SERVER_RESULTS,
        TOOL_REFERENCE,
        TOOL_ADDITION,
        TOOL_REMOVAL,
        COMPACTION,
        FALLBACK,
        TOOL_LISTING,
    ],
    lambda item, writing: choose_block(item),
)


def choose_block(item: Any) -> Shape | None:
    """The block for a part from elsewhere; what a vendor ran itself has none."""
    if isinstance(item, (ToolCall, ToolResult)):
        if item.executor == "vendor":
            return None
        return TOOL_USE if isinstance(item, ToolCall) else TOOL_RESULT
    if isinstance(item, Media):
        return {"image": IMAGE, "document": DOCUMENT, "file": DOCUMENT}.get(item.kind)
    if isinstance(item, Reasoning):
        return THINKING if item.text is not None else None
    return {Text: TEXT, Refusal: TEXT, ToolReference: TOOL_REFERENCE}.get(type(item))
