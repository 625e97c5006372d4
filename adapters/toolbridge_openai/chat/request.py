"""Requests of Chat Completions: POST /v1/chat/completions.

https://platform.openai.com/docs/api-reference/chat/create; completion_create_params.py of
`openai` 3.57.0, and the fields that compatible servers add.

- Leading system text is the first message. `max_completion_tokens` is the newer `max_tokens`.
"""

from __future__ import annotations

from typing import Final

from toolbridge.codec import BOOLEAN, INTEGER, OBJECT, Strings
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Inner, Row
from toolbridge.request import Request
from toolbridge.settings import HostOnly, Own, Range, Words
from toolbridge.shape import Shape
from toolbridge.tools import OutputFormat
from toolbridge.union import One, Union
from toolbridge.values import JSON
from toolbridge_openai.chat.messages import HISTORY
from toolbridge_openai.chat.parts import FORMAT, part
from toolbridge_openai.chat.tools import OLD_TOOL_LIST, TOOL_LIST, Choice
from toolbridge_openai.common import BOTH, EFFORTS, OUTPUT_NAME, TIERS

OUTPUTS: Final[Union] = Union(
    [
        part("output_text_format", OutputFormat, word="text", given={"kind": "text"}),
        part("output_json", OutputFormat, word="json_object", given={"kind": "json"}),
        part(
            "output_schema",
            OutputFormat,
            Inner(
                "json_schema",
                [
                    Row("name", "name"),
                    Row("description", "description"),
                    Row("schema", "schema", OBJECT),
                    Row("strict", "strict", BOOLEAN),
                ],
            ),
            word="json_schema",
            given={"kind": "schema"},
            defaults={"strict": False, "name": OUTPUT_NAME},
        ),
    ],
    lambda item, writing: OUTPUTS.by_word[OUTPUT_KINDS[item.kind]],
)
OUTPUT_KINDS: Final[dict[str, str]] = {
    "text": "text",
    "json": "json_object",
    "schema": "json_schema",
}

DEFAULTS: Final = {
    "stream": False,
    "alternatives": 1,
    "temperature": 1,
    "top_p": 1,
    "presence_penalty": 0,
    "frequency_penalty": 0,
    "logprobs": False,
    "store": False,
    "parallel_tool_calls": True,
    "service_tier": "auto",
    "verbosity": "medium",
    "modalities": ("text",),
}
"""openai/openai-openapi, CreateChatCompletionRequest, and the docstrings of openai 3.57.0."""

REQUEST: Final = Shape(
    FORMAT,
    "request",
    Request,
    [
        Row("model", "model"),
        Row("messages", "history", HISTORY),
        Row("tools", "tools", TOOL_LIST),
        Row("functions", "tools", OLD_TOOL_LIST),
        Row("tool_choice", "tool_choice", Choice()),
        Row("function_call", "tool_choice", Choice(old=True)),
        Row("parallel_tool_calls", "parallel_tool_calls", BOOLEAN),
        Row("stream", "stream", BOOLEAN),
        Row("stream_options", "stream_options", Own("stream_options", FORMAT)),
        Row("max_completion_tokens", "output_limit", INTEGER),
        Row("max_tokens", "output_limit", INTEGER),
        Row("temperature", "temperature", Range("temperature", 0, 2)),
        Row("top_p", "top_p", Range("top_p", 0, 1)),
        Row("presence_penalty", "presence_penalty", Range("presence_penalty", -2, 2)),
        Row("frequency_penalty", "frequency_penalty", Range("frequency_penalty", -2, 2)),
        Row("seed", "seed", INTEGER),
        Row("stop", "stop_sequences", Strings(alone=True)),
        Row("n", "alternatives", Range("alternatives", 1, 128, whole=True)),
        Row("logprobs", "logprobs", BOOLEAN),
        Row("top_logprobs", "top_logprobs", INTEGER),
        Row("logit_bias", "logit_bias", OBJECT),
        Row("modalities", "modalities", Strings()),
        Row("audio", "audio", Own("audio", FORMAT)),
        Row("reasoning_effort", "effort", Words("effort", EFFORTS)),
        Inner(
            "reasoning",
            [
                Row("effort", "effort", Words("effort", EFFORTS)),
                Row(
                    "max_tokens",
                    "thinking_budget",
                    HostOnly("thinking_budget", INTEGER, "openrouter"),
                ),
            ],
        ),
        Row("verbosity", "verbosity"),
        Row("response_format", "output", One(OUTPUTS)),
        Row("service_tier", "service_tier", Words("service_tier", TIERS)),
        Row("safety_identifier", "user_id"),
        Row("user", "user"),
        Row("metadata", "metadata", OBJECT),
        Row("store", "store", BOOLEAN),
        Row("prompt_cache_key", "cache_key"),
        Row("prompt_cache_options", "cache_options", Own("cache_options", *BOTH)),
        Row("prompt_cache_retention", "cache_retention"),
        Row("prediction", "prediction", Own("prediction", FORMAT)),
        Row("moderation", "moderation", Own("moderation", *BOTH)),
        Row("web_search_options", "web_search", Own("web_search", FORMAT)),
    ],
    defaults=DEFAULTS,
    synonyms=("tools", "tool_choice", "output_limit"),
    tolerant=True,
)


def read_request(raw: JSON, reading: Reading) -> Request:
    """The canonical request of a body."""
    return REQUEST.read(raw, reading)  # type: ignore[no-any-return]


def write_request(item: Request, writing: Writing) -> JSON:
    """The body of a canonical request; some servers know the output limit by its older key."""
    body, key = REQUEST.write(item, writing), writing.rules.output_limit_key
    if key is not None and not writing.native and "max_completion_tokens" in body:
        body[key] = body.pop("max_completion_tokens")
    return body
