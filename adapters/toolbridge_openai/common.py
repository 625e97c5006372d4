"""What Chat Completions and Responses share: data URLs, files, cache marks, error bodies.

Facts from the types of `openai` 3.57.0 and https://platform.openai.com/docs/api-reference.
"""

from __future__ import annotations

import base64
from typing import Any, Final

from toolbridge.adapter import ErrorWord, Server
from toolbridge.codec import ANY, OMIT, Codec, Mismatch, lose_rest
from toolbridge.conversion import Reading, Writing
from toolbridge.error_bodies import ErrorBodies
from toolbridge.error_kinds import by_status
from toolbridge.nodes import Inner, Row, Tag
from toolbridge.parts import Cache, Source
from toolbridge.response import ErrorBody, total_of
from toolbridge.rules import Rule
from toolbridge.settings import Words
from toolbridge.shape import Shape
from toolbridge.values import JSON, Value, make

VENDOR: Final = "openai"
BOTH: Final = ("openai-chat", "openai-responses")


class DataUrl(Codec):
    """The bytes themselves as a data URL; with `urls` any other URL as well, else plain base64."""

    marks = True

    def __init__(self, urls: bool = True) -> None:
        super().__init__("a URL or data URL")
        self.urls = urls

    def fits(self, item: Any) -> bool:
        return item.id is None and (self.urls or item.url is None)

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if not isinstance(raw, str):
            raise Mismatch(key, self.expected, raw)
        head, mark, data = raw.partition(";base64,")
        if mark and head.startswith("data:") and ";" not in head and "," not in head:
            named = {"media_type": head[5:]} if head[5:] else {}
            return make(Source, {"data": data, **named})
        return make(Source, {"url" if self.urls else "data": raw})

    def mark(self, raw: JSON, item: Any) -> JSON:
        return True if item.data == raw else None

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return item.data if item.data is not None and item.media_type is None else written

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if item.url is not None:
            lose_rest(item, writing, "url")
            return item.url
        data = item.data
        if item.text is not None:
            data = base64.b64encode(item.text.encode()).decode()
        if data is None:
            writing.report.add("element.no_place", owner)
            return OMIT
        lose_rest(item, writing, "data", "text", "media_type")
        return f"data:{item.media_type or ''};base64,{data}"


OUTPUT_NAME: Final = "output"
"""The name that is required of a schema (types/shared_params/response_format_json_schema.py),
where others have none."""

KINDS: Final = {"image": "image", "audio": "audio", "video": "video"}


def finish_file(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """What medium a file is follows from its media type, where that is known."""
    source = fields.get("source")
    media_type = source.media_type if isinstance(source, Source) else None
    if media_type is None:
        fields["kind"] = "file"
    else:
        fields["kind"] = KINDS.get(media_type.partition("/")[0], "document")


OWN_SERVER: Final = Server(None, ("OPENAI_API_KEY",), "https://platform.openai.com/api-keys")
"""[S] the variable that `openai` 3.57.0 reads (_client.py)."""

OPENROUTER_SERVER: Final = Server(
    "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",), "https://openrouter.ai/settings/keys"
)
"""[D] openrouter.ai/docs/quickstart."""

DEEPSEEK_SERVER: Final = Server(
    "https://api.deepseek.com", ("DEEPSEEK_API_KEY",), "https://platform.deepseek.com/api_keys"
)
"""[D] api-docs.deepseek.com."""

LIFETIMES: Final = {"30m": "30m", "12h": "12h", "5m": "30m", "1h": "30m"}
"""The lifetimes of a breakpoint (types/chat/chat_completion_content_part_text_param.py), and
the nearest of them to Anthropic's."""


def cache_breakpoint(format: str) -> Shape:
    """The shape of the cache mark of a content part."""
    rows: list[Tag | Row] = [Tag("mode", "explicit"), Row("ttl", "ttl", Words("ttl", LIFETIMES))]
    return Shape(format, "prompt_cache_breakpoint", Cache, rows)


class Role(Codec):
    """The role of a message; `developer` is the newer word for `system`."""

    marks = True

    def __init__(self) -> None:
        super().__init__("system, developer, user or assistant")
        self.direct = {word: word for word in ("system", "user", "assistant")}

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if raw == "developer":
            return "system"
        raise Mismatch(key, self.expected, raw)

    def mark(self, raw: JSON, item: Any) -> JSON:
        return raw

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return mark if item == "system" else written


ROLE: Final = Role()

EFFORTS: Final = {
    word: word for word in ("none", "minimal", "low", "medium", "high", "xhigh", "max")
}
"""types/shared/reasoning_effort.py of `openai` 3.57.0: our words are these."""

TIERS: Final = {word: word for word in ("auto", "default", "flex", "scale", "priority", "fast")}
"""types/chat/completion_create_params.py of `openai` 3.57.0; hosts have others."""


def hosted(*models: str) -> tuple[str, ...]:
    """The patterns of models, by themselves and after the name of a host's, such as
    `openai/gpt-5.6` (OpenRouter) or `openai.gpt-5.6-luna` (Bedrock)."""
    return (*models, *(f"*[./]{model}" for model in models))


REASONING: Final = ("o[1-9]*", "gpt-5", "gpt-5-[0-9mn]*", "gpt-5.[5-9]*", "gpt-[6-9]*")
REASONING_RULES: Final = tuple(
    Rule(
        "sampling", False, "[PAI] profiles/openai.py, verified live 2026-07", "2026-07", model=model
    )
    for model in hosted(*REASONING)
)
"""Models that reason unless told otherwise refuse any sampling but the default."""

CATEGORIES: Final = {
    "invalid_request_error": "bad_request",
    "BadRequestError": "bad_request",
    "exceed_context_size_error": "context_too_long",
    "context_length_exceeded": "context_too_long",
    "authentication_error": "authentication",
    "invalid_api_key": "authentication",
    "permission_error": "permission",
    "not_found_error": "not_found",
    "model_not_found": "not_found",
    "rate_limit_exceeded": "rate_limited",
    "insufficient_quota": "permission",
    "content_filter": "content_refused",
    "server_error": "server_error",
    "api_error": "server_error",
    "timeout": "timeout",
}
"""Types and codes of error bodies: facts of https://platform.openai.com/docs/guides/error-codes
and of the recorded bodies (llama.cpp, Azure, OpenRouter, Groq)."""

ERROR_WORDS: Final = {
    "rate_limited": ErrorWord("requests", 429, "rate_limit_exceeded"),
    "overloaded": ErrorWord("server_error", 503),
    "timeout": ErrorWord("timeout", 408),
    "authentication": ErrorWord("authentication_error", 401),
    "permission": ErrorWord("permission_error", 403),
    "not_found": ErrorWord("invalid_request_error", 404),
    "bad_request": ErrorWord("invalid_request_error", 400),
    "context_too_long": ErrorWord("invalid_request_error", 400, "context_length_exceeded"),
    "content_refused": ErrorWord("invalid_request_error", 400, "content_filter"),
    "server_error": ErrorWord("server_error", 500),
}
"""The words above, one for each category, and the statuses of the page."""


def finish_error(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The category in our words: by code, by type, by a status given as code."""
    code, kind = fields.get("code"), fields.get("type")
    named = [
        CATEGORIES[word] for word in (code, kind) if isinstance(word, str) and word in CATEGORIES
    ]
    fields["category"] = named[0] if named else by_status(code)
    fields["vendor"] = VENDOR


DETAIL: Final = (
    Row("message", "message"),
    Row("type", "type"),
    Row("param", "param", ANY),
    Row("code", "code", ANY),
)


def error_bodies(format: str) -> ErrorBodies:
    """The error bodies of OpenAI and of servers like it, told apart by what they hold.

    OpenAI nests under `error`; Mistral and old vLLM are flat; LM Studio and xAI give a text
    under `error`; ChatGPT's backend a `detail`.
    """
    options: dict[str, Any] = {
        "implied": ("vendor", "category"),
        "tolerant": True,
        "finish": finish_error,
    }
    nested = Shape(format, "error", ErrorBody, [Inner("error", DETAIL)], **options)
    text = Shape(
        format,
        "error_text",
        ErrorBody,
        [Row("error", "message"), Row("code", "code", ANY)],
        **options,
    )
    detail = Shape(format, "error_detail", ErrorBody, [Row("detail", "message")], **options)
    flat = Shape(format, "error_flat", ErrorBody, DETAIL, **options)
    return ErrorBodies([nested, text, detail, flat], kind_of_error)


def kind_of_error(raw: dict[str, JSON]) -> str:
    """The kind of an error body by its keys."""
    if "error" in raw:
        return "error_text" if isinstance(raw["error"], str) else "error"
    return "error_detail" if "detail" in raw else "error_flat"


COUNTS: Final = {"input_tokens": 0, "output_tokens": 0, "total_tokens": total_of}
"""Counts that are required (types/completion_usage.py, types/responses/response_usage.py)."""
