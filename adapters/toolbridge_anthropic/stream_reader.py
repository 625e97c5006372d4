"""The events of a streamed message.

https://platform.claude.com/docs/en/build-with-claude/streaming; types/raw_*_event.py of
`anthropic` 2.14.0. Blocks are known by their `index`; the SDK's own fold takes broken arguments
for none (facts of lib/streaming/_messages.py), so they are joined here and parsed at the end.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from toolbridge.arguments import dump
from toolbridge.request import Author
from toolbridge.streams.calls import OpenCall
from toolbridge.streams.events import (
    CitationAdded,
    Event,
    MessageStarted,
    PartAdded,
    ReasoningAdded,
    SignatureAdded,
    TextAdded,
    Unknown,
    UsageTold,
)
from toolbridge.streams.pieces import Pieces
from toolbridge.streams.reader import StreamReader, index_in
from toolbridge.values import JSON, thaw
from toolbridge_anthropic.parts import FORMAT
from toolbridge_anthropic.response import USAGE

TEXTS = {"text": "text", "connector_text": "text", "thinking": "thinking"}
"""The key of the text of each block that has one."""

DELTAS = {"text_delta": "text", "thinking_delta": "thinking"}
"""The key of the text of each delta that has one. What else a delta says, such as the tokens that
a thought took so far, is none of the block's."""


@dataclasses.dataclass
class Block:
    """A block of the message: its body so far, and the texts that go on in it by key."""

    wire: dict[str, JSON]
    number: int
    kind: str
    pieces: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    call: OpenCall | None = None

    def folded(self) -> dict[str, JSON]:
        """The body with its texts so far."""
        return {**self.wire, **{key: "".join(pieces) for key, pieces in self.pieces.items()}}


class Reader(StreamReader):
    """Reads the stream of a message."""

    format = FORMAT

    def __init__(self, profile: str | None = None) -> None:
        super().__init__(profile)
        self.content: dict[int, Block] = {}

    def take(self, data: dict[str, JSON]) -> Iterator[Event]:
        handler = HANDLERS.get(str(data.get("type")))
        if handler is not None:
            yield from handler(self, data)
        elif data.get("type") == "error" or isinstance(data.get("error"), dict):
            yield from self.fail(data)
        elif data.get("type") != "ping":
            yield Unknown(FORMAT, data)

    def folded(self) -> dict[str, JSON]:
        content = [self.content[index].folded() for index in sorted(self.content)]
        return {**self.body, "content": content or self.body.get("content") or []}

    def told_calls(self) -> list[OpenCall]:
        blocks = (self.content[index] for index in sorted(self.content))
        return [block.call for block in blocks if block.call is not None]

    def start_message(self, data: dict[str, JSON]) -> Iterator[Event]:
        message = thaw(data.get("message") or {})
        self.body = message
        self.answers.add(0)
        fields: dict[str, Any] = {"format": FORMAT}
        if isinstance(message.get("model"), str):
            fields["model"] = message["model"]
        yield MessageStarted(message.get("id"), message.get("model"), Author(**fields))
        yield from self.count()

    def start_block(self, data: dict[str, JSON]) -> Iterator[Event]:
        wire = thaw(data.get("content_block") or {})
        kind, index = str(wire.get("type")), index_in(data, "index")
        if index is None:
            index = max(self.content, default=-1) + 1
        if kind.endswith("tool_use"):
            call, event = self.start_call(
                id=str(wire.get("id") or ""),
                name=str(wire.get("name") or ""),
                executor="client" if kind == "tool_use" else "vendor",
            )
            self.content[index] = Block(wire, call.block, kind, call=call)
            yield event
            return
        block = self.content[index] = Block(wire, self.open_text(), kind)
        key = TEXTS.get(kind)
        if key is not None and isinstance(wire.get(key), str) and wire[key]:
            block.pieces[key] = Pieces([wire[key]])
            yield piece(kind, block.number, wire[key])
        elif kind == "redacted_thinking":
            yield SignatureAdded(block.number, wire.get("data") or "", encrypted=True)

    def block_of(self, data: dict[str, JSON]) -> Block:
        """The block that an event is about: without an index the latest, and text where none
        began."""
        index = index_in(data, "index")
        if index is None:
            index = next(reversed(self.content), 0)
        block = self.content.get(index)
        if block is None:
            wire: dict[str, JSON] = {"type": "text", "text": ""}
            block = self.content[index] = Block(wire, self.open_text(), "text")
        return block

    def add_delta(self, data: dict[str, JSON]) -> Iterator[Event]:
        block, delta = self.block_of(data), data.get("delta") or {}
        kind = str(delta.get("type"))
        key = DELTAS.get(kind)
        if key is not None and key == TEXTS.get(block.kind):
            text = delta.get(key) or ""
            if text.__class__ is not str:
                raise TypeError(f"{key} is {text!r}, no text")
            if text:
                block.pieces.setdefault(key, Pieces()).append(text)
                yield piece(block.kind, block.number, text)
        elif kind == "input_json_delta" and block.call is not None and block.call.status is None:
            yield from self.add_arguments(block.call, delta.get("partial_json") or "")
        elif kind == "citations_delta":
            if not isinstance(block.wire.get("citations"), list):
                block.wire["citations"] = []
            block.wire["citations"].append(thaw(delta.get("citation")))
            yield CitationAdded(block.number, delta.get("citation"))
        elif kind == "signature_delta":
            block.wire["signature"] = delta.get("signature", "")
            yield SignatureAdded(block.number, block.wire["signature"])
        elif block.call is None and kind != "input_json_delta":
            yield from self.add_members(block, delta) if delta else ()
        else:
            yield Unknown(FORMAT, data)

    def add_members(self, block: Block, delta: dict[str, JSON]) -> Iterator[Event]:
        """Any other delta: texts go on, the rest is set on the block."""
        for key, member in delta.items():
            had = block.wire.get(key)
            if key == "type":
                continue
            if isinstance(member, str) and (key in block.pieces or isinstance(had, str)):
                block.pieces.setdefault(key, Pieces([str(had)])).append(member)
            elif member is not None or had is None:
                block.wire[key] = thaw(member)
        if delta.get("type") != "compaction_delta":
            yield Unknown(FORMAT, delta)

    def stop_block(self, data: dict[str, JSON]) -> Iterator[Event]:
        block = self.block_of(data)
        if block.call is None:
            if block.kind not in TEXTS and block.number in self.texts:
                yield PartAdded(block.number, block.folded())
            yield from self.close_texts(block=block.number)
        elif block.call.status is None:
            yield from self.stop_call(block, block.call)

    def stop_call(self, block: Block, call: OpenCall) -> Iterator[Event]:
        """A call is whole. Some servers send its input with its start."""
        given = block.wire.get("input")
        if given and not call.joined():
            yield from self.add_arguments(call, dump(given))
        yield self.finish_call(call)
        block.wire["input"] = call.arguments if call.status == "complete" else {}

    def add_message(self, data: dict[str, JSON]) -> Iterator[Event]:
        for key, member in (data.get("delta") or {}).items():
            self.body[key] = thaw(member)
        usage = data.get("usage")
        if isinstance(usage, dict):
            told = {key: thaw(member) for key, member in usage.items() if member is not None}
            self.body["usage"] = {**(self.body.get("usage") or {}), **told}
            yield from self.count()
        for key in data.keys() - {"type", "delta", "usage"}:
            self.body[key] = thaw(data[key])

    def stop_message(self, data: dict[str, JSON]) -> Iterator[Event]:
        yield from self.close_texts()
        yield from self.close_calls("cut")
        self.finished.add(0)
        yield from self.tell_stops()

    def count(self) -> Iterator[Event]:
        """The tokens so far: counts are running totals."""
        usage = self.body.get("usage")
        if isinstance(usage, dict):
            yield UsageTold(USAGE.read(usage, self.reading))


HANDLERS = {
    "message_start": Reader.start_message,
    "content_block_start": Reader.start_block,
    "content_block_delta": Reader.add_delta,
    "content_block_stop": Reader.stop_block,
    "message_delta": Reader.add_message,
    "message_stop": Reader.stop_message,
}


def piece(kind: str, at: int, text: str) -> Event:
    """A piece of text or of a thought."""
    return ReasoningAdded(at, text) if kind == "thinking" else TextAdded(at, text)
