"""Reasoning and context items of the Responses API.

types/responses/response_reasoning_item_param.py, response_compaction_item_param_param.py and
response_input_item_param.py of `openai` 3.57.0.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import ARRAY, Sealed
from toolbridge.conversion import Writing
from toolbridge.identifiers import digest
from toolbridge.nodes import Inner, Row
from toolbridge.parts import (
    Compaction,
    ItemReference,
    Reasoning,
    SettingsChange,
    Text,
    ToolChange,
    ToolListing,
)
from toolbridge.settings import Words
from toolbridge.union import One
from toolbridge.values import make
from toolbridge_openai.common import EFFORTS
from toolbridge_openai.responses.calls import ITEM
from toolbridge_openai.responses.parts import CONTENT, SUMMARY, part
from toolbridge_openai.responses.tools import OUTPUTS, TOOL_LIST

REASONING: Final = part(
    "reasoning",
    Reasoning,
    *ITEM,
    Row("summary", "summary", SUMMARY),
    Row("content", "content", CONTENT),
    Row("encrypted_content", "encrypted", Sealed("encrypted")),
    prepare=lambda item, fields, writing: prepare_reasoning(item, fields, writing),
)


def prepare_reasoning(item: Reasoning, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """Another's thoughts are shown as a summary; the item needs an id of its content."""
    text = fields.pop("text", None)
    if text is not None:
        fields["summary"] = (make(Text, {"text": text}),)
    if not writing.owns(item):
        fields["item_id"] = f"rs_{digest(text or '', 24)}"
    return fields


COMPACTION: Final = part(
    "compaction",
    Compaction,
    Row("id", "item_id"),
    Row("encrypted_content", "encrypted", Sealed("encrypted")),
)
COMPACTION_TRIGGER: Final = part(
    "compaction_trigger", Compaction, Row("id", "item_id"), given={"trigger": True}
)
ITEM_REFERENCE: Final = part("item_reference", ItemReference, Row("id", "id"), required=("id",))
ADDITIONAL_TOOLS: Final = part(
    "additional_tools",
    ToolChange,
    Row("id", "item_id"),
    Row("role", "role"),
    Row("tools", "added", TOOL_LIST),
    required=("added",),
)
CONFIGURATION_UPDATE: Final = part(
    "configuration_update",
    SettingsChange,
    Row("id", "item_id"),
    Inner("reasoning", [Row("effort", "effort", Words("effort", EFFORTS))]),
    Inner("text", [Row("format", "output", One(OUTPUTS))]),
    tolerant=True,
)
LIST_TOOLS: Final = part(
    "mcp_list_tools",
    ToolListing,
    Row("id", "item_id"),
    Row("server_label", "server"),
    Row("tools", "tools", ARRAY),
    required=("server", "tools"),
)
