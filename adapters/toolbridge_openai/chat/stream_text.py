"""Texts in the chunks of a completion: content, refusal, reasoning in each of its spellings.

A host may spell a thought twice, as text and in `reasoning_details`; it is told once. Mistral
sends content as a list of parts, with thoughts among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolbridge.streams.events import Event, ReasoningAdded, RefusalAdded, TextAdded
from toolbridge.streams.pieces import Pieces
from toolbridge.streams.reader import StreamReader
from toolbridge.values import JSON, thaw
from toolbridge_openai.chat.beside import REASONING_KEYS

TEXTS: dict[str, Any] = {
    "content": TextAdded,
    "refusal": RefusalAdded,
    **dict.fromkeys(REASONING_KEYS, ReasoningAdded),
}
"""The event for each key whose text goes on from chunk to chunk."""

DETAILS = "reasoning_details"
DETAIL_TEXTS = ("text", "summary", "data")


class Texts:
    """The texts of a choice: their pieces by key, the blocks that they are told under."""

    def __init__(self, message: dict[str, JSON], number: int) -> None:
        self.message = message
        self.number = number
        self.pieces: dict[str, list[str]] = {}
        self.blocks: dict[str, int] = {}
        self.details: list[tuple[dict[str, JSON], dict[str, list[str]]]] = []
        self.thoughts_under: str | None = None

    def add(
        self, reader: StreamReader, key: str, member: JSON, delta: dict[str, JSON]
    ) -> Iterator[Event]:
        """A member of a delta."""
        if key in TEXTS and isinstance(member, str):
            self.pieces.setdefault(key, Pieces()).append(member)
            if member and (key not in REASONING_KEYS or self.tells(key, delta)):
                yield self.piece(reader, key, member)
        elif key == DETAILS:
            for raw in member:
                yield from self.add_detail(reader, raw, self.tells(key, delta))
        elif key == "content" and isinstance(member, list):
            for raw in member:
                yield from self.add_part(reader, raw)
        elif key in TEXTS:
            raise TypeError(f"{key} is {member!r}, no text")
        elif isinstance(member, list):
            add_elements(self.message.setdefault(key, []), member)
            yield from reader.tell_part({key: member}, self.number)
        else:
            extend(self.message, {key: member})

    def tells(self, key: str, delta: dict[str, JSON]) -> bool:
        """Whether a thought is told under this key: the first text of the first delta that has
        one."""
        if self.thoughts_under is None:
            spelled = [each for each in REASONING_KEYS if delta.get(each)]
            if any(raw.get("text") or raw.get("summary") for raw in delta.get(DETAILS) or ()):
                spelled.append(DETAILS)
            self.thoughts_under = next(iter(spelled), None)
        return self.thoughts_under == key

    def piece(self, reader: StreamReader, key: str, text: str) -> Event:
        """A piece of a text."""
        if key not in self.blocks:
            self.blocks[key] = reader.open_text(self.number)
        event: Event = TEXTS.get(key, ReasoningAdded)(
            self.blocks[key], text, alternative=self.number
        )
        return event

    def add_detail(self, reader: StreamReader, raw: JSON, tells: bool) -> Iterator[Event]:
        """A piece of `reasoning_details`: those of one index and type are one
        (openrouter.ai/docs/guides/best-practices/reasoning-tokens)."""
        wire, pieces = self.details[-1] if self.details else ({}, {})
        named = {key: raw.get(key) for key in ("type", "index")}
        if not self.details or {key: wire.get(key) for key in named} != named:
            wire, pieces = {}, {}
            self.details.append((wire, pieces))
        for key, member in raw.items():
            if key in DETAIL_TEXTS and isinstance(member, str):
                pieces.setdefault(key, Pieces()).append(member)
            elif member is not None or key not in wire:
                wire[key] = thaw(member)
        text = raw.get("text") or raw.get("summary")
        if tells and text:
            yield self.piece(reader, DETAILS, text)

    def add_part(self, reader: StreamReader, raw: JSON) -> Iterator[Event]:
        """A part of a content that is a list."""
        had = self.message.setdefault("content", [])
        if raw.get("type") == "text":
            self.pieces.setdefault("content", Pieces()).append(raw["text"])
            if raw["text"]:
                yield self.piece(reader, "content", raw["text"])
            return
        had.append(thaw(raw))
        thoughts = raw.get("thinking")
        for each in thoughts if isinstance(thoughts, list) else ():
            if each.get("text"):
                yield self.piece(reader, "thinking", each["text"])

    def fold(self) -> None:
        """Put the texts into the message."""
        message = self.message
        for key, pieces in self.pieces.items():
            text = "".join(pieces)
            had = message.get(key)
            if isinstance(had, list):
                parts = [each for each in had if each.get("type") != "text"]
                message[key] = [*parts, {"type": "text", "text": text}]
            else:
                message[key] = text
        if self.details:
            message[DETAILS] = [
                {**wire, **{key: "".join(pieces) for key, pieces in texts.items()}}
                for wire, texts in self.details
            ]


def add_elements(into: list[JSON], more: list[JSON]) -> None:
    """Add to a list: elements of one index are one."""
    for raw in more:
        index = raw.get("index") if isinstance(raw, dict) else None
        had = (each for each in into if index is not None and each.get("index") == index)
        same = next(had, None)
        if same is None:
            into.append(thaw(raw))
        else:
            same |= thaw(raw)


def extend(into: dict[str, JSON], more: dict[str, JSON]) -> None:
    """Add to an object: texts and lists go on, anything else is the newest."""
    for key, member in more.items():
        had = into.get(key)
        if isinstance(had, list) and isinstance(member, list):
            had += thaw(member)
        elif isinstance(had, str) and isinstance(member, str) and key in ("data", "transcript"):
            into[key] = had + member
        elif isinstance(had, dict) and isinstance(member, dict):
            extend(had, member)
        elif member is not None or key not in into:
            into[key] = thaw(member)
