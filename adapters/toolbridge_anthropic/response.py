"""Responses and error bodies of the Messages API.

types/message.py, types/beta/beta_message.py, types/usage.py and types/shared/error_type.py of
`anthropic` 2.14.0; https://platform.claude.com/docs/en/api/errors.

- `input_tokens` leaves out what came from and went into the cache.
- A call at the end of an answer that stopped for its length may be cut.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.adapter import ErrorWord
from toolbridge.answers import StopWord, finish_alternative, with_id, with_stop_word
from toolbridge.codec import ANY, INTEGER, Element
from toolbridge.conversion import Reading, Writing
from toolbridge.error_bodies import ErrorBodies
from toolbridge.nodes import Inner, Row, Sub, Tag
from toolbridge.request import Message
from toolbridge.response import Alternative, ErrorBody, Response, Usage
from toolbridge.settings import Own
from toolbridge.shape import Shape
from toolbridge.values import JSON, make
from toolbridge_anthropic.parts import BLOCK_LIST, FORMAT

STOP_WORDS: Final = {
    "end": "end_turn",
    "tool_calls": "tool_use",
    "stop_sequence": "stop_sequence",
    "length": "max_tokens",
    "context_full": "model_context_window_exceeded",
    "refusal": "refusal",
    "pause": "pause_turn",
    "filter": "refusal",
    "malformed": "end_turn",
    "incomplete": "end_turn",
    "error": "end_turn",
    "unknown": "end_turn",
}
"""types/stop_reason.py of `anthropic` 2.14.0; later rows say the nearest where it has no word."""

STOP_WORD: Final = StopWord(STOP_WORDS)

CACHED: Final = ("cache_read_tokens", "cache_write_tokens")


def add_cached(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Anthropic counts cached input apart, we count it in."""
    if "input_tokens" in fields:
        fields["input_tokens"] += sum(fields.get(name, 0) for name in CACHED)


def subtract_cached(item: Usage, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The inverse of add_cached."""
    if fields.get("input_tokens") is not None:
        cached = sum(fields.get(name) or 0 for name in CACHED)
        fields["input_tokens"] = max(fields["input_tokens"] - cached, 0)
    return fields


USAGE: Final = Shape(
    FORMAT,
    "usage",
    Usage,
    [
        Row("input_tokens", "input_tokens", INTEGER),
        Row("output_tokens", "output_tokens", INTEGER),
        Row("cache_creation_input_tokens", "cache_write_tokens", INTEGER),
        Row("cache_read_input_tokens", "cache_read_tokens", INTEGER),
        Inner(
            "cache_creation",
            [
                Row("ephemeral_5m_input_tokens", "cache_write_5m_tokens", INTEGER),
                Row("ephemeral_1h_input_tokens", "cache_write_1h_tokens", INTEGER),
            ],
        ),
        Inner("output_tokens_details", [Row("thinking_tokens", "reasoning_tokens", INTEGER)]),
        Inner(
            "server_tool_use",
            [
                Row("web_search_requests", "web_searches", INTEGER),
                Row("web_fetch_requests", "web_fetches", INTEGER),
            ],
        ),
    ],
    fills={"input_tokens": 0, "output_tokens": 0},
    hinges=dict.fromkeys(CACHED, ("input_tokens",)),
    tolerant=True,
    finish=add_cached,
    prepare=subtract_cached,
)


def finish_answer(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The content is the assistant's."""
    fields["role"] = "assistant"
    fields["author"] = reading.author()


ANSWER: Final = Shape(
    FORMAT,
    "answer",
    Message,
    [Tag("role", "assistant"), Row("content", "parts", BLOCK_LIST)],
    implied=("role",),
    fills={"parts": ()},
    tolerant=True,
    finish=finish_answer,
)
ALTERNATIVE: Final = Shape(
    FORMAT,
    "alternative",
    Alternative,
    [
        Sub("messages", ANSWER),
        Row("stop_reason", "stop_word", STOP_WORD),
        Row("stop_sequence", "stop_sequence"),
        Row("stop_details", "stop_detail", Own("stop_detail", FORMAT)),
    ],
    tolerant=True,
    finish=finish_alternative(STOP_WORD),
    prepare=with_stop_word,
)
RESPONSE: Final = Shape(
    FORMAT,
    "response",
    Response,
    [
        Row("id", "id"),
        Tag("type", "message"),
        Row("model", "model"),
        Sub("alternatives", ALTERNATIVE),
        Row("usage", "usage", Element(USAGE)),
        Row("container", "container", Own("container", FORMAT)),
        Row("input_transformations", "transformations", Own("transformations", FORMAT)),
    ],
    fills={"usage": make(Usage, {})},
    tolerant=True,
    prepare=with_id("msg_"),
)
"""Usage is required (types/message.py), where others may leave it out."""

CATEGORIES: Final = {
    "invalid_request_error": "bad_request",
    "authentication_error": "authentication",
    "billing_error": "permission",
    "permission_error": "permission",
    "not_found_error": "not_found",
    "conflict_error": "bad_request",
    "request_too_large": "context_too_long",
    "rate_limit_error": "rate_limited",
    "api_error": "server_error",
    "timeout_error": "timeout",
    "overloaded_error": "overloaded",
}
"""types/shared/error_type.py of `anthropic` 2.14.0."""


ERROR_WORDS: Final = {
    "rate_limited": ErrorWord("rate_limit_error", 429),
    "overloaded": ErrorWord("overloaded_error", 529),
    "timeout": ErrorWord("timeout_error", 504),
    "authentication": ErrorWord("authentication_error", 401),
    "permission": ErrorWord("permission_error", 403),
    "not_found": ErrorWord("not_found_error", 404),
    "bad_request": ErrorWord("invalid_request_error", 400),
    "context_too_long": ErrorWord("invalid_request_error", 400),
    "content_refused": ErrorWord("invalid_request_error", 400),
    "server_error": ErrorWord("api_error", 500),
}
"""https://platform.claude.com/docs/en/api/errors."""


def finish_error(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The category in our words, by the type of the error."""
    fields["vendor"] = FORMAT
    fields["category"] = CATEGORIES.get(fields.get("type", ""), "unknown")


ERROR: Final = Shape(
    FORMAT,
    "error",
    ErrorBody,
    [
        Tag("type", "error"),
        Inner(
            "error",
            [Row("type", "type"), Row("message", "message"), Row("details", "details", ANY)],
        ),
        Row("request_id", "request_id"),
    ],
    implied=("vendor", "category"),
    tolerant=True,
    finish=finish_error,
)


ERRORS: Final = ErrorBodies([ERROR])


def read_response(raw: JSON, reading: Reading) -> Response:
    """The canonical response of a body; its author is exact."""
    reading.model = raw.get("model") if isinstance(raw.get("model"), str) else None
    return RESPONSE.read(raw, reading)  # type: ignore[no-any-return]


def write_response(item: Response, writing: Writing) -> JSON:
    """The body of a canonical response."""
    return RESPONSE.write(item, writing)
