"""Responses and error bodies of generateContent.

https://ai.google.dev/api/generate-content; types.GenerateContentResponse and types.FinishReason
of `google-genai` 3.6.1.

- An answer that calls functions ends with STOP: the reason follows from the parts.
- `candidatesTokenCount` leaves thoughts out; `promptTokenCount` counts cached input in.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.adapter import ErrorWord
from toolbridge.answers import StopWord, finish_alternative, with_stop_word
from toolbridge.codec import ARRAY, INTEGER, NUMBER, OBJECT, Codec, Element, Elements
from toolbridge.conversion import Reading, Writing
from toolbridge.error_bodies import ErrorBodies
from toolbridge.nodes import Inner, Row
from toolbridge.response import Alternative, ErrorBody, Response, Usage, total_of
from toolbridge.settings import Own
from toolbridge.shape import Shape
from toolbridge.times import Timestamp
from toolbridge.union import Union
from toolbridge.values import JSON, Value
from toolbridge_google.casing import inner, row
from toolbridge_google.messages import CONTENT
from toolbridge_google.parts import FORMAT, VENDOR

STOP_WORDS: Final = {
    "end": "STOP",
    "tool_calls": "STOP",
    "length": "MAX_TOKENS",
    "filter": "SAFETY",
    "malformed": "MALFORMED_FUNCTION_CALL",
    "pause": "CONTINUATION",
    "error": "MALFORMED_RESPONSE",
    "unknown": "OTHER",
    "stop_sequence": "STOP",
    "context_full": "MAX_TOKENS",
    "refusal": "PROHIBITED_CONTENT",
    "incomplete": "OTHER",
}
"""types.FinishReason of `google-genai` 3.6.1; later rows say the nearest where it has no word."""

OTHER_WORDS: Final = {
    **dict.fromkeys(
        (
            "PROHIBITED_CONTENT",
            "BLOCKLIST",
            "SPII",
            "RECITATION",
            "IMAGE_SAFETY",
            "IMAGE_PROHIBITED_CONTENT",
            "IMAGE_RECITATION",
            "MODEL_ARMOR",
            "ESCALATION",
            "PUP_LIMITED_DISABLED",
        ),
        "SAFETY",
    ),
    "UNEXPECTED_TOOL_CALL": "MALFORMED_FUNCTION_CALL",
    "TOO_MANY_TOOL_CALLS": "OTHER",
    "MISSING_THOUGHT_SIGNATURE": "MALFORMED_RESPONSE",
}
NUMBERS: Final = {
    1: "STOP",
    2: "MAX_TOKENS",
    3: "SAFETY",
    4: "RECITATION",
    5: "OTHER",
    6: "BLOCKLIST",
    7: "PROHIBITED_CONTENT",
    8: "SPII",
    9: "MALFORMED_FUNCTION_CALL",
}
"""Candidate.FinishReason of google/cloud/aiplatform/v1/content.proto, as far as both of Google's
APIs number alike; the vertexai SDK asks for numbers."""


STOP_WORD: Final = StopWord(STOP_WORDS, OTHER_WORDS, NUMBERS)


def add_thoughts(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Google counts thoughts, and what its tools put in, apart: we count both in."""
    if "reasoning_tokens" in fields:
        fields["output_tokens"] = fields.get("output_tokens", 0) + fields["reasoning_tokens"]
    if "tool_input_tokens" in fields:
        fields["input_tokens"] = fields.get("input_tokens", 0) + fields["tool_input_tokens"]


def subtract_thoughts(item: Usage, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The inverse of add_thoughts."""
    if fields.get("tool_input_tokens") is not None and fields.get("input_tokens") is not None:
        fields["input_tokens"] = max(fields["input_tokens"] - fields["tool_input_tokens"], 0)
    thoughts = fields.get("reasoning_tokens")
    if thoughts is not None and fields.get("output_tokens") is not None:
        fields["output_tokens"] = max(fields["output_tokens"] - thoughts, 0)
        came = item.spelling.keys if writing.owns(item) else ("candidatesTokenCount",)
        if not fields["output_tokens"] and "candidatesTokenCount" not in came:
            del fields["output_tokens"]
    return fields


NONE: Final[dict[str, int]] = dict.fromkeys(
    ("output_tokens", "cache_read_tokens", "reasoning_tokens", "tool_input_tokens"), 0
)
"""Counts that protobuf leaves out where there are none (protobuf.dev, JSON mapping)."""

USAGE: Final = Shape(
    FORMAT,
    "usage",
    Usage,
    [
        row("promptTokenCount", "input_tokens", INTEGER),
        row("candidatesTokenCount", "output_tokens", INTEGER),
        row("totalTokenCount", "total_tokens", INTEGER),
        row("cachedContentTokenCount", "cache_read_tokens", INTEGER),
        row("thoughtsTokenCount", "reasoning_tokens", INTEGER),
        row("toolUsePromptTokenCount", "tool_input_tokens", INTEGER),
        row("promptTokensDetails", "input_details", ARRAY),
        row("candidatesTokensDetails", "output_details", ARRAY),
        row("cacheTokensDetails", "cache_details", ARRAY),
        row("toolUsePromptTokensDetails", "tool_input_details", ARRAY),
    ],
    defaults=NONE,
    fills={"total_tokens": total_of},
    hinges={"tool_input_tokens": ("input_tokens",), "reasoning_tokens": ("output_tokens",)},
    tolerant=True,
    finish=add_thoughts,
    prepare=subtract_thoughts,
)


class Answer(Codec):
    """The content of a candidate is its one message."""

    def __init__(self) -> None:
        super().__init__("a content")
        self.element = Element(CONTENT)

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        return (self.element.read(raw, reading, key),)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return self.element.write(item[0], writing, owner)


ALTERNATIVE: Final = Shape(
    FORMAT,
    "alternative",
    Alternative,
    [
        row("content", "messages", Answer()),
        row("finishReason", "stop_word", STOP_WORD),
        row("finishMessage", "stop_detail", Own("stop_detail", FORMAT)),
        row("index", "index", INTEGER),
        row("logprobsResult", "logprobs", Own("logprobs", FORMAT)),
        row("avgLogprobs", "average_logprobs", NUMBER),
        inner(
            "groundingMetadata",
            [
                row("groundingChunks", "grounding", ARRAY),
                row("groundingSupports", "grounding_supports", ARRAY),
                row("webSearchQueries", "searches", ARRAY),
            ],
        ),
    ],
    defaults={"index": 0},
    tolerant=True,
    finish=finish_alternative(STOP_WORD),
    prepare=with_stop_word,
)
CANDIDATES: Final = Union(
    [], lambda item, writing: ALTERNATIVE, untagged=ALTERNATIVE, default=ALTERNATIVE
)
RESPONSE: Final = Shape(
    FORMAT,
    "response",
    Response,
    [
        row("candidates", "alternatives", Elements(CANDIDATES.read, CANDIDATES.write)),
        row("promptFeedback", "prompt_feedback", OBJECT),
        row("usageMetadata", "usage", Element(USAGE)),
        row("modelVersion", "model"),
        row("responseId", "id"),
        row("createTime", "created", Timestamp(worded=True)),
    ],
    tolerant=True,
)
CATEGORIES: Final = {
    "INVALID_ARGUMENT": "bad_request",
    "FAILED_PRECONDITION": "bad_request",
    "UNAUTHENTICATED": "authentication",
    "PERMISSION_DENIED": "permission",
    "NOT_FOUND": "not_found",
    "RESOURCE_EXHAUSTED": "rate_limited",
    "INTERNAL": "server_error",
    "UNAVAILABLE": "overloaded",
    "DEADLINE_EXCEEDED": "timeout",
}
"""google.rpc.Code (https://cloud.google.com/apis/design/errors)."""


ERROR_WORDS: Final = {
    "rate_limited": ErrorWord("RESOURCE_EXHAUSTED", 429),
    "overloaded": ErrorWord("UNAVAILABLE", 503),
    "timeout": ErrorWord("DEADLINE_EXCEEDED", 504),
    "authentication": ErrorWord("UNAUTHENTICATED", 401),
    "permission": ErrorWord("PERMISSION_DENIED", 403),
    "not_found": ErrorWord("NOT_FOUND", 404),
    "bad_request": ErrorWord("INVALID_ARGUMENT", 400),
    "context_too_long": ErrorWord("INVALID_ARGUMENT", 400),
    "content_refused": ErrorWord("INVALID_ARGUMENT", 400),
    "server_error": ErrorWord("INTERNAL", 500),
}
"""google.rpc.Code and its statuses of HTTP (https://cloud.google.com/apis/design/errors)."""


def finish_error(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The category in our words, by the status."""
    fields["vendor"] = VENDOR
    fields["category"] = CATEGORIES.get(fields.get("type", ""), "unknown")
    delay = retry_delay(fields.get("details"))
    if delay is not None:
        fields["retry_after"] = delay


def retry_delay(details: JSON) -> float | None:
    """The seconds of google.rpc.RetryInfo, written such as `3.5s` (protobuf.dev, JSON mapping)."""
    for detail in details if isinstance(details, list) else ():
        told = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(told, str) and told.endswith("s"):
            try:
                return float(told[:-1])
            except ValueError:
                return None
    return None


ERROR: Final = Shape(
    FORMAT,
    "error",
    ErrorBody,
    [
        Inner(
            "error",
            [
                Row("code", "status", INTEGER),
                Row("message", "message"),
                Row("status", "type"),
                Row("details", "details", ARRAY),
            ],
        )
    ],
    implied=("vendor", "category", "retry_after"),
    tolerant=True,
    finish=finish_error,
)
ERRORS: Final = ErrorBodies([ERROR])


def read_response(raw: JSON, reading: Reading) -> Response:
    """The canonical response of a body; its author is exact."""
    model = raw.get("modelVersion", raw.get("model_version"))
    reading.model = model if isinstance(model, str) else None
    return RESPONSE.read(raw, reading)  # type: ignore[no-any-return]


def write_response(item: Response, writing: Writing) -> JSON:
    """The body of a canonical response."""
    return RESPONSE.write(item, writing)
