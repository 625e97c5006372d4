"""Requests of generateContent.

https://ai.google.dev/api/generate-content; types.GenerateContentConfig of `google-genai` 3.6.1.

- The model and whether to stream stand in the URL, not in the body.
- Sampling, limits, output format and thinking stand in `generationConfig`.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import (
    ANY,
    ARRAY,
    BOOLEAN,
    INTEGER,
    NUMBER,
    OBJECT,
    Codec,
    Element,
    Mismatch,
    Strings,
    lose_rest,
)
from toolbridge.conversion import Reading, Writing
from toolbridge.request import Request
from toolbridge.settings import Range, Words
from toolbridge.shape import Shape
from toolbridge.spelling import Spelling
from toolbridge.tools import OutputFormat
from toolbridge.values import JSON, Value, make
from toolbridge_google.casing import bag, inner, row
from toolbridge_google.messages import HISTORY, SYSTEM
from toolbridge_google.openapi import OpenApiSchema
from toolbridge_google.parts import FORMAT
from toolbridge_google.tools import CHOICE_CODEC, TOOL_LIST, grouped

LEVELS: Final = {
    "minimal": "MINIMAL",
    "low": "LOW",
    "medium": "MEDIUM",
    "high": "HIGH",
    "xhigh": "XHIGH",
    "max": "XHIGH",
}
"""types.ThinkingLevel of `google-genai` 3.6.1; `max` is written as the highest there is."""

TIERS: Final = {"default": "standard", "flex": "flex", "priority": "priority"}
"""types.ServiceTier of `google-genai` 3.6.1."""

DISPLAYS: Final = {
    "summarized": True,
    "omitted": False,
    "auto": True,
    "concise": True,
    "detailed": True,
}
"""types.ThinkingConfig of `google-genai` 3.6.1: thoughts are included as summaries, or not."""


class Modalities(Codec):
    """The kinds of output, in our lower case."""

    marks = True

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, list) and all(isinstance(word, str) for word in raw):
            return tuple(word.lower() for word in raw)
        raise Mismatch(key, self.expected, raw)

    def mark(self, raw: JSON, item: Any) -> JSON:
        return None if raw == [word.upper() for word in item] else raw

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return mark if tuple(word.lower() for word in mark) == item else written

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return [word.upper() for word in item]


class MimeType(Codec):
    """The media type of the answer: what says that it is JSON, or text."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if raw in ("application/json", "text/plain"):
            return raw
        raise Mismatch(key, self.expected, raw)


def finish_request(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The media type and the schema together are the output format."""
    mime, schema = fields.pop("mime", None), fields.pop("schema", None)
    if mime is None and schema is None:
        return
    kind = "text" if mime == "text/plain" else "json" if schema is None else "schema"
    output = {"kind": kind} if schema is None else {"kind": kind, "schema": schema}
    path, reading.path = reading.path, (reading.path, *place_of_output(raw, schema is None))
    fields["output"] = reading.placed(make(OutputFormat, output | {"spelling": NO_OBJECT}))
    reading.path = path


def place_of_output(raw: JSON, bare: bool) -> tuple[str, ...]:
    """The keys to an output format: those of the media type where it is no more than that."""
    config = next(key for key in ("generationConfig", "generation_config") if raw.get(key))
    mimes = [key for key in ("responseMimeType", "response_mime_type") if key in raw[config]]
    return (config, *mimes[:1]) if bare else (config,)


NO_OBJECT: Final = Spelling(FORMAT, "output")
"""An output format has no object of its own."""


def prepare_request(item: Request, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The inverse of finish_request; functions from elsewhere stand in one Tool object."""
    if fields.get("tools"):
        fields["tools"] = grouped(fields["tools"])
    output = fields.pop("output", None)
    if isinstance(output, OutputFormat):
        named = {"application/json": output.kind != "text", "text/plain": output.kind == "text"}
        came = "mime" if writing.owns(item) and not came_with_mime(item) else ""
        if not came:
            fields["mime"] = next(mime for mime, is_it in named.items() if is_it)
        if output.schema is not None:
            fields["schema"] = output.schema
        if not writing.owns(output):
            lose_rest(output, writing, "kind", "schema")
    elif output is not None:
        writing.report.add("element.opaque", output)
    return fields


def came_with_mime(item: Request) -> bool:
    """Whether a request named the media type of its answer."""
    keys = item.spelling.inner.get("generationConfig", ())
    return not {"responseMimeType", "response_mime_type"}.isdisjoint(keys)


CONFIG: Final = (
    row("maxOutputTokens", "output_limit", INTEGER),
    row("temperature", "temperature", Range("temperature", 0, 2)),
    row("topP", "top_p", NUMBER),
    row("topK", "top_k", NUMBER),
    row("presencePenalty", "presence_penalty", NUMBER),
    row("frequencyPenalty", "frequency_penalty", NUMBER),
    row("seed", "seed", INTEGER),
    row("stopSequences", "stop_sequences", Strings()),
    row("candidateCount", "alternatives", INTEGER),
    row("responseLogprobs", "logprobs", BOOLEAN),
    row("logprobs", "top_logprobs", INTEGER),
    row("responseModalities", "modalities", Modalities("a list of words")),
    row("speechConfig", "speech", OBJECT),
    row("mediaResolution", "media_resolution"),
    row("responseMimeType", "mime", MimeType("a media type of text or JSON")),
    row("responseJsonSchema", "schema", ANY),
    row("responseSchema", "schema", OpenApiSchema()),
    inner(
        "thinkingConfig",
        [
            row(
                "includeThoughts",
                "thinking_display",
                Words("thinking_display", DISPLAYS),
            ),
            row("thinkingBudget", "thinking_budget", INTEGER),
            row("thinkingLevel", "effort", Words("effort", LEVELS, fold=True)),
        ],
    ),
)
REQUEST: Final = Shape(
    FORMAT,
    "request",
    Request,
    [
        row("contents", "history", HISTORY),
        row("systemInstruction", "instructions", Element(SYSTEM)),
        row("tools", "tools", TOOL_LIST),
        inner("toolConfig", [row("functionCallingConfig", "tool_choice", CHOICE_CODEC)]),
        inner("generationConfig", CONFIG),
        row("safetySettings", "safety_settings", ARRAY),
        row("labels", "metadata", OBJECT),
        row("serviceTier", "service_tier", Words("service_tier", TIERS)),
        row("store", "store", BOOLEAN),
        bag("state", ("cachedContent",)),
    ],
    defaults={"alternatives": 1, "service_tier": "default", "thinking_display": "omitted"},
    places={"output": ("generationConfig", "responseJsonSchema")},
    synonyms=("schema",),
    tolerant=True,
    finish=finish_request,
    prepare=prepare_request,
)


def read_request(raw: JSON, reading: Reading) -> Request:
    """The canonical request of a body."""
    return REQUEST.read(raw, reading)  # type: ignore[no-any-return]


def write_request(item: Request, writing: Writing) -> JSON:
    """The body of a canonical request."""
    return REQUEST.write(item, writing)
