"""Responses of Chat Completions.

https://platform.openai.com/docs/api-reference/chat/object; types/chat/chat_completion.py and
types/completion_usage.py of `openai` 3.57.0.

- `prompt_tokens` counts cached input in, `completion_tokens` reasoning.
- A forced function may end with `stop`: the calls say more than the finish reason.
"""

from __future__ import annotations

from typing import Final

from toolbridge.answers import StopWord, finish_alternative, with_id, with_stop_word
from toolbridge.codec import INTEGER, OBJECT, Element, Elements
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Inner, Row, Tag
from toolbridge.response import Alternative, Response, Usage
from toolbridge.settings import Own, Words
from toolbridge.shape import Shape
from toolbridge.times import Timestamp
from toolbridge.union import Union
from toolbridge.values import JSON
from toolbridge_openai.chat.messages import MESSAGE
from toolbridge_openai.chat.parts import FORMAT, AsOne
from toolbridge_openai.common import COUNTS, TIERS, error_bodies

STOP_WORDS: Final = {
    "end": "stop",
    "tool_calls": "tool_calls",
    "length": "length",
    "filter": "content_filter",
    "stop_sequence": "stop",
    "context_full": "length",
    "refusal": "content_filter",
    "pause": "stop",
    "malformed": "stop",
    "incomplete": "length",
    "error": "error",
    "unknown": "stop",
}
"""types/chat/chat_completion.py of `openai` 3.57.0; later rows say the nearest where it has no
word. `error` is OpenRouter's and Mistral's."""


class ChatStop(StopWord):
    """The older word for calls says what the newer says."""

    def word_of(self, answer: Alternative) -> str | None:
        return "tool_calls" if answer.stop_word == "function_call" else answer.stop_word


OTHER_WORDS: Final = {"function_call": "tool_calls", "tool": "tool_calls", "model_length": "length"}
"""The older word for calls, and those of Mistral and llama.cpp."""

STOP_WORD: Final = ChatStop(STOP_WORDS, OTHER_WORDS)

USAGE: Final = Shape(
    FORMAT,
    "usage",
    Usage,
    [
        Row("prompt_tokens", "input_tokens", INTEGER),
        Row("completion_tokens", "output_tokens", INTEGER),
        Row("total_tokens", "total_tokens", INTEGER),
        Inner(
            "prompt_tokens_details",
            [
                Row("cached_tokens", "cache_read_tokens", INTEGER),
                Row("cache_write_tokens", "cache_write_tokens", INTEGER),
                Row("audio_tokens", "audio_input_tokens", INTEGER),
            ],
        ),
        Inner(
            "completion_tokens_details",
            [
                Row("reasoning_tokens", "reasoning_tokens", INTEGER),
                Row("audio_tokens", "audio_output_tokens", INTEGER),
                Row("accepted_prediction_tokens", "accepted_prediction_tokens", INTEGER),
                Row("rejected_prediction_tokens", "rejected_prediction_tokens", INTEGER),
            ],
        ),
    ],
    fills=COUNTS,
    tolerant=True,
)
ALTERNATIVE: Final = Shape(
    FORMAT,
    "alternative",
    Alternative,
    [
        Row("index", "index", INTEGER),
        Row("message", "messages", AsOne(MESSAGE)),
        Row("logprobs", "logprobs", Own("logprobs", FORMAT)),
        Row("finish_reason", "stop_word", STOP_WORD),
    ],
    fills={"index": 0},
    tolerant=True,
    finish=finish_alternative(STOP_WORD),
    prepare=with_stop_word,
)
"""The index is required (types/chat/chat_completion.py)."""

CHOICES: Final = Union(
    [], lambda item, writing: ALTERNATIVE, untagged=ALTERNATIVE, default=ALTERNATIVE
)

RESPONSE: Final = Shape(
    FORMAT,
    "response",
    Response,
    [
        Row("id", "id"),
        Tag("object", "chat.completion"),
        Row("created", "created", Timestamp(whole=True)),
        Row("model", "model"),
        Row("choices", "alternatives", Elements(CHOICES.read, CHOICES.write)),
        Row("usage", "usage", Element(USAGE)),
        Row("service_tier", "service_tier", Words("service_tier", TIERS)),
        Row("system_fingerprint", "system_fingerprint"),
        Row("metadata", "metadata", OBJECT),
    ],
    fills={"created": 0},
    tolerant=True,
    prepare=with_id("chatcmpl-"),
)
"""A time is required (types/chat/chat_completion.py), where others have none."""


ERRORS: Final = error_bodies(FORMAT)


def read_response(raw: JSON, reading: Reading) -> Response:
    """The canonical response of a body; its author is exact."""
    reading.model = raw.get("model") if isinstance(raw.get("model"), str) else None
    return RESPONSE.read(raw, reading)  # type: ignore[no-any-return]


def write_response(item: Response, writing: Writing) -> JSON:
    """The body of a canonical response."""
    return RESPONSE.write(item, writing)
