"""Requests of the Responses API: POST /v1/responses.

https://platform.openai.com/docs/api-reference/responses/create; response_create_params.py of
`openai` 3.57.0.

- Instructions stand apart from the input and are not kept by `previous_response_id`.
- There is no stop sequence, seed, penalty, n or logit bias.
"""

from __future__ import annotations

from typing import Final

from toolbridge.codec import BOOLEAN, INTEGER, OBJECT, Strings
from toolbridge.content import Instructions
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Bag, Inner, Row
from toolbridge.request import Request
from toolbridge.settings import Own, Range, Words
from toolbridge.shape import Shape
from toolbridge.union import One
from toolbridge.values import JSON
from toolbridge_openai.common import BOTH, EFFORTS, TIERS
from toolbridge_openai.responses.messages import HISTORY
from toolbridge_openai.responses.parts import FORMAT, INPUT
from toolbridge_openai.responses.tools import CHOICE, OUTPUTS, TOOL_LIST

SUMMARIES: Final = {
    "auto": "auto",
    "concise": "concise",
    "detailed": "detailed",
    "summarized": "auto",
}
"""types/shared/reasoning.py; what others call summarized is any summary."""

MORE_TIERS: Final = {**TIERS, "ultrafast": "ultrafast"}
"""types/responses/service_tier.py of `openai` 3.57.0."""

DEFAULTS: Final = {
    "stream": False,
    "store": True,
    "background": False,
    "truncation": "disabled",
    "parallel_tool_calls": True,
    "temperature": 1,
    "top_p": 1,
    "service_tier": "auto",
    "verbosity": "medium",
}
"""openai/openai-openapi, CreateResponse, and the docstrings of openai 3.57.0."""

REQUEST: Final = Shape(
    FORMAT,
    "request",
    Request,
    [
        Row("model", "model"),
        Row("instructions", "instructions", Instructions(INPUT)),
        Row("input", "history", HISTORY),
        Row("tools", "tools", TOOL_LIST),
        Row("tool_choice", "tool_choice", CHOICE),
        Row("parallel_tool_calls", "parallel_tool_calls", BOOLEAN),
        Row("max_tool_calls", "max_tool_calls", INTEGER),
        Bag("state", ("previous_response_id", "conversation", "prompt")),
        Row("stream", "stream", BOOLEAN),
        Row("stream_options", "stream_options", Own("stream_options", FORMAT)),
        Row("max_output_tokens", "output_limit", Range("output_limit", 16, whole=True)),
        Row("temperature", "temperature", Range("temperature", 0, 2)),
        Row("top_p", "top_p", Range("top_p", 0, 1)),
        Row("top_logprobs", "top_logprobs", INTEGER),
        Inner(
            "reasoning",
            [
                Row("effort", "effort", Words("effort", EFFORTS)),
                Row("summary", "thinking_display", Words("thinking_display", SUMMARIES)),
                Row("generate_summary", "thinking_display", Words("thinking_display", SUMMARIES)),
                Row("context", "reasoning_context"),
                Row("mode", "reasoning_mode"),
            ],
        ),
        Inner("text", [Row("format", "output", One(OUTPUTS)), Row("verbosity", "verbosity")]),
        Row("include", "include", Strings()),
        Row("truncation", "truncation"),
        Row("context_management", "context_management", Own("context_management", FORMAT)),
        Row("service_tier", "service_tier", Words("service_tier", MORE_TIERS)),
        Row("safety_identifier", "user_id"),
        Row("user", "user"),
        Row("metadata", "metadata", OBJECT),
        Row("store", "store", BOOLEAN),
        Row("background", "background", BOOLEAN),
        Row("background_options", "background_options", Own("background_options", FORMAT)),
        Row("prompt_cache_key", "cache_key"),
        Row("prompt_cache_options", "cache_options", Own("cache_options", *BOTH)),
        Row("prompt_cache_retention", "cache_retention"),
        Row("moderation", "moderation", Own("moderation", *BOTH)),
    ],
    defaults=DEFAULTS,
    tolerant=True,
)


def read_request(raw: JSON, reading: Reading) -> Request:
    """The canonical request of a body."""
    return REQUEST.read(raw, reading)  # type: ignore[no-any-return]


def write_request(item: Request, writing: Writing) -> JSON:
    """The body of a canonical request."""
    return REQUEST.write(item, writing)
