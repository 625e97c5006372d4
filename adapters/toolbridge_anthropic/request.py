"""Requests of the Messages API: POST /v1/messages.

https://platform.claude.com/docs/en/api/messages; types/message_create_params.py and
types/beta/message_create_params.py of `anthropic` 2.14.0.

- `max_tokens` is required. Version 2026-10-21 takes no temperature, top_p or top_k.
- Effort and output schema stand in `output_config`; `output_format` is its older place.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import BOOLEAN, INTEGER, NUMBER, OBJECT, Element, Strings
from toolbridge.content import Instructions
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Bag, Inner, Row, Tag
from toolbridge.request import Request
from toolbridge.settings import Own, Range, Words
from toolbridge.shape import Shape
from toolbridge.tools import OutputFormat
from toolbridge.values import JSON
from toolbridge_anthropic.messages import HISTORY
from toolbridge_anthropic.parts import CACHE, FORMAT, PARTS
from toolbridge_anthropic.tools import TOOL_CHOICE, TOOL_LIST, join_parallel, split_parallel

OUTPUT: Final = Shape(
    FORMAT,
    "output_format",
    OutputFormat,
    [Tag("type", "json_schema"), Row("schema", "schema", OBJECT)],
    given={"kind": "schema"},
)

EFFORTS: Final = {
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "xhigh",
    "max": "max",
    "minimal": "low",
}
"""types/output_config_param.py; `minimal` is written as the lowest there is."""

DISPLAYS: Final = {
    "summarized": "summarized",
    "omitted": "omitted",
    "auto": "summarized",
    "concise": "summarized",
    "detailed": "summarized",
}
"""types/thinking_config_adaptive_param.py; OpenAI's kinds of summary are written as one."""

TIERS: Final = {"auto": "auto", "default": "standard_only"}
"""types/message_create_params.py: what is not priority is the standard."""

REQUEST: Final = Shape(
    FORMAT,
    "request",
    Request,
    [
        Row("model", "model"),
        Row("max_tokens", "output_limit", INTEGER),
        Row("system", "instructions", Instructions(PARTS)),
        Row("messages", "history", HISTORY),
        Row("tools", "tools", TOOL_LIST),
        Row("tool_choice", "tool_choice", Element(TOOL_CHOICE)),
        Row("mcp_servers", "tool_servers", Own("tool_servers", FORMAT)),
        Row("stream", "stream", BOOLEAN),
        Row("temperature", "temperature", Range("temperature", 0, 1)),
        Row("top_p", "top_p", NUMBER),
        Row("top_k", "top_k", NUMBER),
        Row("stop_sequences", "stop_sequences", Strings()),
        Inner(
            "thinking",
            [
                Row("type", "thinking"),
                Row("budget_tokens", "thinking_budget", INTEGER),
                Row("display", "thinking_display", Words("thinking_display", DISPLAYS)),
            ],
        ),
        Inner(
            "output_config",
            [
                Row("effort", "effort", Words("effort", EFFORTS)),
                Row("format", "output", Element(OUTPUT)),
            ],
        ),
        Row("output_format", "output", Element(OUTPUT)),
        Inner("metadata", [Row("user_id", "user_id")]),
        Row("service_tier", "service_tier", Words("service_tier", TIERS)),
        Row("speed", "speed"),
        Row("inference_geo", "geography"),
        Row("context_management", "context_management", Own("context_management", FORMAT)),
        CACHE,
        Bag("state", ("container", "thread")),
    ],
    defaults={"stream": False, "parallel_tool_calls": True},
    places={"parallel_tool_calls": ("tool_choice", "disable_parallel_tool_use")},
    tolerant=True,
    finish=split_parallel,
    prepare=lambda item, fields, writing: prepare_request(item, fields, writing),
)


def prepare_request(item: Request, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The parallel switch stands inside the tool choice."""
    join_parallel(item, fields, writing)
    return fields


def read_request(raw: JSON, reading: Reading) -> Request:
    """The canonical request of a body."""
    return REQUEST.read(raw, reading)  # type: ignore[no-any-return]


def write_request(item: Request, writing: Writing) -> JSON:
    """The body of a canonical request."""
    return REQUEST.write(item, writing)
