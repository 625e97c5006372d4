"""Streams as the vendors send them, of any length: what each repeats in every event is there.

The first and the last events are those of a short stream of Chat Completions, converted; the
delta in the middle is repeated for each piece, with the members beside it that recordings of the
vendors' traffic have. Gemini's arguments come in parts on Vertex AI alone
(cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling).
"""

from __future__ import annotations

import json
from typing import Any, Final

import toolbridge as tb

FORMATS: Final = ("anthropic", "openai-chat", "openai-responses", "gemini")
Event = dict[str, Any]

BASE: Final[Event] = {
    "id": "chatcmpl-CVHCJBpDYf9nOTbYPDwsXRpVLYpRK",
    "object": "chat.completion.chunk",
    "created": 1761587659,
    "model": "gpt-5.4-2026-03-05",
    "service_tier": "default",
    "system_fingerprint": "fp_51db84afab",
}
OBFUSCATED: Final = {"obfuscation": "gV8mXq1nZ0c"}
COUNTS: Final = {
    "promptTokenCount": 57,
    "totalTokenCount": 157,
    "candidatesTokenCount": 100,
    "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 57}],
}
BESIDE: Final[dict[str, Event]] = {
    "anthropic": {},
    "openai-chat": OBFUSCATED,
    "openai-responses": OBFUSCATED,
    "gemini": {
        "usageMetadata": COUNTS,
        "modelVersion": "gemini-3.5-flash",
        "responseId": "Dh3GaNqxL9yMmtkP3bLcsQs",
    },
}
"""What stands in every event of a vendor's beside the delta."""

MARK: Final = "@@"
"""Stands for the text until the pieces are put there."""


def text_stream(format: str, count: int) -> list[Event]:
    """An answer of so many pieces of text."""
    pieces = [f" 단어 {number}" for number in range(count)]
    return spread(converted([{"content": MARK}], "stop", format), pieces, format)


def call_stream(format: str, size: int, step: int = 8) -> list[Event]:
    """A call whose argument is so many bytes of text, in pieces of so many bytes."""
    line = "The quick brown fox jumps over the lazy dog. "
    said = (line * (size // len(line) + 1))[:size]
    if format == "gemini":
        return vertex_call([said[at : at + step] for at in range(0, size, step)])
    text = json.dumps({"path": "notes.md", "text": said})
    pieces = [text[at : at + step] for at in range(0, len(text), step)]
    function = {"name": "write_file", "arguments": ""}
    call = {"index": 0, "id": "call_1", "type": "function", "function": function}
    more = {"index": 0, "function": {"arguments": MARK}}
    whole = converted([{"tool_calls": [call]}, {"tool_calls": [more]}], "tool_calls", format)
    return spread(whole, pieces, format)


def vertex_call(pieces: list[str]) -> list[Event]:
    """A call of Gemini's with its argument in parts."""
    parts = ({"jsonPath": "$.text", "stringValue": piece, "willContinue": True} for piece in pieces)
    calls: list[Event] = [
        {"name": "write_file", "willContinue": True},
        {"partialArgs": [{"jsonPath": "$.path", "stringValue": "notes.md"}], "willContinue": True},
        *({"partialArgs": [part], "willContinue": True} for part in parts),
        {},
    ]
    contents = ({"role": "model", "parts": [{"functionCall": call}]} for call in calls)
    events: list[Event] = [
        {"candidates": [{"content": content}], **BESIDE["gemini"]} for content in contents
    ]
    events[-1]["candidates"][0]["finishReason"] = "STOP"
    return events


def converted(deltas: list[Event], word: str, format: str) -> list[Event]:
    """A short stream in a format."""
    first = {"role": "assistant", "content": None, "refusal": None}
    usage = {"prompt_tokens": 57, "completion_tokens": 100, "total_tokens": 157}
    events = [
        *(chunk(delta, None) for delta in (first, *deltas)),
        chunk({}, word),
        {**BASE, "choices": [], "usage": usage},
    ]
    if format == "openai-chat":
        return events
    made: list[Event] = tb.convert(
        events, source="openai-chat", target=format, kind="stream"
    ).payload
    return made


def chunk(delta: Event, word: str | None) -> Event:
    """A chunk of Chat Completions."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": word}
    return {**BASE, "choices": [choice], "usage": None}


def spread(events: list[Event], pieces: list[str], format: str) -> list[Event]:
    """The events with the first one that holds the mark once for each piece; whatever repeats
    the text after that has all of it."""
    texts = [json.dumps(event, ensure_ascii=False) for event in events]
    at = next(number for number, text in enumerate(texts) if MARK in text)
    deltas = [{**filled(texts[at], piece), **BESIDE[format]} for piece in pieces]
    whole = "".join(pieces)
    return [*events[:at], *deltas, *(filled(text, whole) for text in texts[at + 1 :])]


def filled(text: str, piece: str) -> Event:
    """An event with a piece where the mark was."""
    made: Event = json.loads(text.replace(MARK, json.dumps(piece, ensure_ascii=False)[1:-1]))
    return made
