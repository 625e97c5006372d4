"""What stands beside the content of a chat message: joined into parts, and split again.

The order of a turn is reasoning, content, refusal, spoken answer, calls. Reasoning that a host
spells twice (text beside `reasoning_details`) is one part; the second spelling is derived.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from toolbridge.conversion import Writing
from toolbridge.parts import Media, Reasoning, Refusal, Text, ToolCall
from toolbridge.request import Message
from toolbridge.return_trip import Difference
from toolbridge.spelling import Spelling
from toolbridge.values import make

REASONING_KEYS: Final = ("reasoning_content", "reasoning")
"""Keys of reasoning text: of DeepSeek, Moonshot, xAI and Qwen; of OpenRouter, Groq, vLLM and
Ollama (facts of each server's documentation)."""


def text_of(parts: tuple[Any, ...]) -> str:
    """The text of all reasoning parts: what a host's second spelling says."""
    return "".join(part.text or "" for part in parts if isinstance(part, Reasoning))


def join_parts(fields: dict[str, Any]) -> None:
    """Make one list of parts of what stands in and beside the content."""
    parts = thoughts(fields) if not fields.keys().isdisjoint(THOUGHTS) else ()
    for field in ORDER:
        if field in fields:
            parts += fields.pop(field)
    fields["parts"] = parts


ORDER: Final = ("content", "refusal", "audio", "calls", "old_call")
THOUGHTS: Final = ("details", *REASONING_KEYS)


def thoughts(fields: dict[str, Any]) -> tuple[Any, ...]:
    """The reasoning of a message, without its second spelling."""
    details = fields.pop("details", ())
    derived, plain = text_of(details), ()
    for key in REASONING_KEYS:
        told = fields.pop(key, ())
        if told and told[0].text not in (derived, text_of(plain)):
            plain += told
    return (*plain, *details)


PLACES: Final = {
    "refusal_text": "refusal",
    "audio": "audio",
    "function_call": "old_call",
    "tool_calls": "calls",
    "reasoning_details": "details",
    **{key: key for key in REASONING_KEYS},
}
"""The key that a part came under, by the kind of its spelling."""


def place_of(part: Any, writing: Writing) -> str:
    """The key that a part goes to."""
    if writing.owns(part) and part.spelling.kind in PLACES:
        field = writing.rules.reasoning_field
        moved = isinstance(part, Reasoning) and not writing.native
        return field if field is not None and moved else PLACES[part.spelling.kind]
    if isinstance(part, ToolCall):
        return "calls"
    if isinstance(part, Refusal) and not (writing.owns(part) and part.spelling.kind == "refusal"):
        return "refusal"
    if isinstance(part, Reasoning):
        return "details" if writing.owns(part) else writing.rules.reasoning_field or "details"
    if isinstance(part, Media) and part.kind == "audio" and part.source.id is not None:
        return "audio"
    return "content"


def echoed_reasoning(spelling: Spelling) -> list[Difference]:
    """The second spelling of reasoning does not come back from elsewhere."""
    return [
        Difference("reasoning.echo", below=f"/{key}", when=partial(is_echo, key))
        for key in REASONING_KEYS
        if key in spelling.keys and key not in {*spelling.nulls, *spelling.literals}
    ]


def is_echo(key: str, item: Message) -> bool:
    """Whether no part of a message came under a key of reasoning: another key says the same."""
    return all(part.spelling is None or part.spelling.kind != key for part in item.parts)


def split_parts(item: Message, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """Put each part where it stands on the wire."""
    placed: dict[str, tuple[Any, ...]] = {}
    for part in fields.pop("parts", ()):
        place = place_of(part, writing)
        placed[place] = (*placed.get(place, ()), part)
    field = writing.rules.reasoning_field
    if field == "reasoning_content" and "calls" in placed and not writing.native:
        placed.setdefault(field, ())
    if writing.owns(item):
        keep_emptied(placed, item)
        repeat_reasoning(item, placed)
    elif writing.kind == "request" and placed.keys().isdisjoint(
        ("content", "calls", "refusal", "audio")
    ):
        placed["content"] = NOTHING_SAID
    return {**fields, **placed}


NOTHING_SAID: Final = (make(Text, {"text": ""}),)
"""A message says something (types/chat/chat_completion_assistant_message_param.py)."""

LISTS: Final = {"tool_calls": "calls", "reasoning_details": "details"}
TEXTS: Final = ("refusal", *REASONING_KEYS)


def keep_emptied(placed: dict[str, tuple[Any, ...]], item: Message) -> None:
    """A key that came with an empty value, or was emptied since, stays."""
    spelling = item.spelling
    unread = {*spelling.nulls, *(item.extra or ())}
    for key in spelling.keys:
        if key in unread:
            continue
        if key in LISTS:
            placed.setdefault(LISTS[key], ())
        elif key in TEXTS and key in spelling.literals:
            placed.setdefault(key, ())
        elif key == "content" and key not in placed:
            placed[key] = () if key in spelling.literals else NOTHING_SAID


def repeat_reasoning(item: Message, placed: dict[str, tuple[Any, ...]]) -> None:
    """Derive the second spelling of reasoning again, from the parts as they are now."""
    spelling, text = item.spelling, text_of(item.parts)
    for key in REASONING_KEYS:
        came = key in spelling.keys and key not in spelling.nulls
        if text and came and key not in placed and key not in (item.extra or ()):
            placed[key] = (make(Reasoning, {"text": text}),)
