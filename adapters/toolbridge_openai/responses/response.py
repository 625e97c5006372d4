"""Responses of the Responses API.

https://platform.openai.com/docs/api-reference/responses/object; types/responses/response.py and
response_usage.py of `openai` 3.57.0.

- There is no finish reason: it follows from `status`, `incomplete_details` and the output.
- The settings of the request are repeated, with defaults filled in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolbridge.answers import StopWord, finish_alternative, with_id, with_stop_word
from toolbridge.codec import INTEGER, NUMBER, OBJECT, Element
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Bag, Inner, Row, Sub, Tag
from toolbridge.response import Alternative, Response, Usage
from toolbridge.settings import Own, Words
from toolbridge.shape import Shape
from toolbridge.times import Timestamp
from toolbridge.values import JSON, Value
from toolbridge_openai.common import COUNTS, error_bodies
from toolbridge_openai.responses.messages import HISTORY
from toolbridge_openai.responses.parts import FORMAT
from toolbridge_openai.responses.request import MORE_TIERS

STOP_WORDS: Final = {
    "end": "completed",
    "tool_calls": "completed",
    "length": "incomplete:max_output_tokens",
    "filter": "incomplete:content_filter",
    "incomplete": "incomplete",
    "error": "failed",
    "stop_sequence": "completed",
    "context_full": "incomplete:max_output_tokens",
    "refusal": "completed",
    "pause": "incomplete",
    "malformed": "failed",
    "unknown": "completed",
}
"""Status and the reason it is incomplete (types/responses/response_status.py and response.py of
`openai` 3.57.0); later rows say the nearest where there is no word."""

OTHER_WORDS: Final = {
    "incomplete:max_messages": "incomplete",
    "incomplete:steered": "incomplete",
    "cancelled": "incomplete",
    "queued": "incomplete",
    "in_progress": "incomplete",
}


class Status(StopWord):
    """The status; why an answer is incomplete stands in a detail beside it."""

    def word_of(self, answer: Alternative) -> str | None:
        reason = answer.stop_detail.get("reason") if answer.stop_detail else None
        return f"{answer.stop_word}:{reason}" if reason else answer.stop_word

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return super().write(item, writing, owner).partition(":")[0]


STATUS: Final = Status(STOP_WORDS, OTHER_WORDS)

USAGE: Final = Shape(
    FORMAT,
    "usage",
    Usage,
    [
        Row("input_tokens", "input_tokens", INTEGER),
        Inner(
            "input_tokens_details",
            [
                Row("cached_tokens", "cache_read_tokens", INTEGER),
                Row("cache_write_tokens", "cache_write_tokens", INTEGER),
                Inner(
                    "cache_write_tokens_details",
                    [
                        Row("ttl_30m_tokens", "cache_write_30m_tokens", INTEGER),
                        Row("ttl_12h_tokens", "cache_write_12h_tokens", INTEGER),
                    ],
                ),
            ],
        ),
        Row("output_tokens", "output_tokens", INTEGER),
        Inner("output_tokens_details", [Row("reasoning_tokens", "reasoning_tokens", INTEGER)]),
        Row("total_tokens", "total_tokens", INTEGER),
    ],
    fills={**COUNTS, "cache_read_tokens": 0, "cache_write_tokens": 0, "reasoning_tokens": 0},
    tolerant=True,
)


def why_incomplete(fields: Mapping[str, Any]) -> JSON:
    """Why an answer is incomplete follows from our reason."""
    reason = STATUS.ours[fields.get("stop_reason", "unknown")].partition(":")[2]
    return {"reason": reason} if reason else None


ALTERNATIVE: Final = Shape(
    FORMAT,
    "alternative",
    Alternative,
    [
        Row("output", "messages", HISTORY),
        Row("status", "stop_word", STATUS),
        Row("incomplete_details", "stop_detail", OBJECT),
    ],
    follows={"stop_detail": why_incomplete},
    tolerant=True,
    finish=finish_alternative(STATUS),
    prepare=lambda item, fields, writing: prepare_answer(item, fields, writing),
)


def prepare_answer(item: Alternative, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """Another's detail of why the answer ended gives way to ours."""
    if writing.owns(item):
        return fields
    if item.stop_detail is not None:
        writing.lose(item, "stop_detail")
    fields["stop_detail"] = why_incomplete(vars(item))
    return with_stop_word(item, fields, writing)


ECHO: Final = (
    "background",
    "background_options",
    "frequency_penalty",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "moderation",
    "parallel_tool_calls",
    "presence_penalty",
    "previous_response_id",
    "conversation",
    "prompt",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "store",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
    "access_programs",
    "image",
)
"""Settings of the request that the response repeats (types/responses/response.py)."""

ECHO_DEFAULTS: Final = {
    "background": False,
    "parallel_tool_calls": True,
    "reasoning": {"effort": None, "summary": None},
    "service_tier": "auto",
    "store": True,
    "temperature": 1,
    "text": {"format": {"type": "text"}, "verbosity": "medium"},
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1,
    "truncation": "disabled",
}
"""openai/openai-openapi, ModelResponseProperties and ResponseProperties."""

NO_ECHO: Final = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
"""What the type requires (types/responses/response.py), where others repeat nothing."""

RESPONSE: Final = Shape(
    FORMAT,
    "response",
    Response,
    [
        Row("id", "id"),
        Tag("object", "response"),
        Row("created_at", "created", Timestamp()),
        Row("completed_at", "completed", NUMBER),
        Row("model", "model"),
        Sub("alternatives", ALTERNATIVE),
        Row("output_text", "output_text"),
        Row("usage", "usage", Element(USAGE)),
        Row("tool_usage", "tool_usage", OBJECT),
        Row("error", "error", OBJECT),
        Row("service_tier", "service_tier", Words("service_tier", MORE_TIERS)),
        Row("metadata", "metadata", OBJECT),
        Row("input_transformations", "transformations", Own("transformations", FORMAT)),
        Bag("echo", ECHO),
    ],
    defaults=ECHO_DEFAULTS,
    fills={"created": 0, "echo": NO_ECHO},
    tolerant=True,
    prepare=with_id("resp_"),
)

ERRORS: Final = error_bodies(FORMAT)


def read_response(raw: JSON, reading: Reading) -> Response:
    """The canonical response of a body; its author is exact."""
    reading.model = raw.get("model") if isinstance(raw.get("model"), str) else None
    return RESPONSE.read(raw, reading)  # type: ignore[no-any-return]


def write_response(item: Response, writing: Writing) -> JSON:
    """The body of a canonical response."""
    return RESPONSE.write(item, writing)
