"""A message as a stream of events.

https://platform.claude.com/docs/en/build-with-claude/streaming: each block is started, added to
and stopped under its index; usage and the stop come in `message_delta`.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolbridge.arguments import dump
from toolbridge.streams.events import CallFinished, CallStarted, ReasoningAdded, TextAdded
from toolbridge.streams.writer import Data, StreamWriter
from toolbridge.values import JSON
from toolbridge_anthropic.parts import FORMAT

STOPS = ("stop_reason", "stop_sequence")
"""Members of a message that are known at its end only."""


class Writer(StreamWriter):
    """Writes the stream of a message."""

    format = FORMAT
    prefix = "msg_"

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.indexes: dict[int, int] = {}
        self.open: set[int] = set()

    def start(self, id: str, model: str | None) -> Iterator[Data]:
        message = {"id": id, "type": "message", "role": "assistant", "model": model or ""}
        yield begin({**message, "usage": {"input_tokens": 0, "output_tokens": 0}})

    def add_text(self, event: TextAdded) -> Iterator[Data]:
        yield from self.open_block(event.block, {"type": "text", "text": ""})
        yield delta(self.indexes[event.block], {"type": "text_delta", "text": event.text})

    def add_reasoning(self, event: ReasoningAdded) -> Iterator[Data]:
        block = {"type": "thinking", "thinking": "", "signature": ""}
        yield from self.open_block(event.block, block)
        yield delta(self.indexes[event.block], {"type": "thinking_delta", "thinking": event.text})

    def start_call(self, event: CallStarted) -> Iterator[Data]:
        called = {"type": "tool_use", "id": event.id, "name": event.name, "input": {}}
        yield from self.open_block(event.block, called)

    def add_arguments(self, block: int, text: str) -> Iterator[Data]:
        piece = {"type": "input_json_delta", "partial_json": text}
        yield delta(self.indexes[block], piece)

    def finish_call(self, event: CallFinished) -> Iterator[Data]:
        yield from self.finish_block(event.block)

    def open_block(self, block: int, content: Data) -> Iterator[Data]:
        """Start a block, unless it is open."""
        if block in self.open:
            return
        self.indexes[block] = len(self.indexes)
        self.open.add(block)
        yield started(self.indexes[block], content)

    def finish_block(self, block: int) -> Iterator[Data]:
        if block in self.open:
            self.open.discard(block)
            yield stopped(self.indexes[block])

    def end(self, body: Data, finished: bool = True) -> list[Data]:
        closing = [each for block in sorted(self.open) for each in self.finish_block(block)]
        if finished:
            return [*closing, *finish(body)]
        return [*closing, finish({"usage": body.get("usage")})[0]]

    def fail(self, body: Data) -> list[Data]:
        return [{**body, "error": {"type": "api_error", **(body.get("error") or {})}}]

    def unfold(self, body: Data) -> list[Data]:
        told = [begin({key: body[key] for key in body if key not in ("content", *STOPS)})]
        for index, block in enumerate(body.get("content") or ()):
            told += unfold_block(index, block)
        return [*told, *finish(body)]


def begin(message: Data) -> Data:
    """The first event: a message with nothing in it."""
    empty: Data = {"content": [], "stop_reason": None, "stop_sequence": None}
    return {"type": "message_start", "message": {**message, **empty}}


def started(index: int, block: JSON) -> Data:
    """A block begins."""
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, piece: Data) -> Data:
    """A block goes on."""
    return {"type": "content_block_delta", "index": index, "delta": piece}


def stopped(index: int) -> Data:
    """A block ends."""
    return {"type": "content_block_stop", "index": index}


def finish(body: Data) -> list[Data]:
    """The end of a message."""
    told = {key: body.get(key) for key in STOPS}
    usage = body.get("usage") or {"input_tokens": 0, "output_tokens": 0}
    return [{"type": "message_delta", "delta": told, "usage": usage}, {"type": "message_stop"}]


def unfold_block(index: int, block: JSON) -> Iterator[Data]:
    """A block that is whole: what has pieces in pieces, all else at once."""
    kind = block.get("type") if isinstance(block, dict) else None
    pieces: list[Data] = []
    if kind in ("text", "connector_text") and isinstance(block.get("text"), str):
        pieces = [{"type": "text_delta", "text": block["text"]}]
        cited = block.get("citations") if kind == "text" else None
        pieces += [{"type": "citations_delta", "citation": each} for each in cited or ()]
        block = {**block, "text": ""} | ({"citations": []} if cited else {})
    elif kind == "thinking" and isinstance(block.get("thinking"), str):
        pieces = [{"type": "thinking_delta", "thinking": block["thinking"]}]
        if block.get("signature"):
            pieces.append({"type": "signature_delta", "signature": block["signature"]})
        block = {**block, "thinking": "", "signature": ""}
    elif kind in ("tool_use", "server_tool_use", "mcp_tool_use") and block.get("input"):
        pieces = [{"type": "input_json_delta", "partial_json": dump(block["input"])}]
        block = {**block, "input": {}}
    yield started(index, block)
    yield from (delta(index, piece) for piece in pieces)
    yield stopped(index)
