"""A response as a stream of events.

https://platform.openai.com/docs/api-reference/responses-streaming: items are added, their parts
told in pieces and once more whole; every event is numbered; the last holds the whole response.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from toolbridge.identifiers import digest
from toolbridge.streams.events import (
    CallFinished,
    CallStarted,
    ReasoningAdded,
    RefusalAdded,
    TextAdded,
)
from toolbridge.streams.writer import Data, StreamWriter
from toolbridge.values import JSON
from toolbridge_openai.responses.parts import FORMAT


@dataclasses.dataclass
class Part:
    """A text that goes on: its item, the events' word for it, where it stands, its pieces."""

    index: int
    word: str
    place: Data
    key: str
    pieces: list[str] = dataclasses.field(default_factory=list)


class Writer(StreamWriter):
    """Writes the stream of a response."""

    format = FORMAT
    prefix = "resp_"

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.number = -1
        self.head: Data = {}
        self.items: list[Data] = []
        self.open: dict[int, Part] = {}

    def event(self, kind: str, **members: Any) -> Data:
        """The next event."""
        self.number += 1
        return {"type": kind, "sequence_number": self.number, **members}

    def start(self, id: str, model: str | None) -> Iterator[Data]:
        self.head = {"id": id, "object": "response", "created_at": 0, "model": model or ""}
        yield from self.begin({**self.head, "output": [], "tools": [], "tool_choice": "auto"})

    def begin(self, body: Data) -> Iterator[Data]:
        """The events before any output."""
        response = {**body, "status": "in_progress", "output": []}
        yield self.event("response.created", response=response)
        yield self.event("response.in_progress", response=response)

    def add_text(self, event: TextAdded) -> Iterator[Data]:
        yield from self.go_on(event.block, event.text, MESSAGE, "output_text")

    def add_refusal(self, event: RefusalAdded) -> Iterator[Data]:
        yield from self.go_on(event.block, event.text, MESSAGE, "refusal")

    def add_reasoning(self, event: ReasoningAdded) -> Iterator[Data]:
        yield from self.go_on(event.block, event.text, REASONING, "reasoning_summary_text")

    def go_on(self, block: int, text: str, item: Data, word: str) -> Iterator[Data]:
        """A piece of a text; its item begins with the first one."""
        if block not in self.open:
            index = len(self.items)
            made = {**item, "id": f"{PREFIXES[item['type']]}{digest(f'{self.head} {index}', 24)}"}
            yield self.add_item(made)
            self.open[block] = Part(index, word, place_of(word), KEYS[word])
            yield from self.open_part(self.open[block])
        part = self.open[block]
        part.pieces.append(text)
        yield self.at(part, f"response.{part.word}.delta", delta=text, **beside(part.word))

    def at(self, text: Part, kind: str, /, **members: Any) -> Data:
        """An event about a part."""
        told = {"item_id": self.items[text.index]["id"], "output_index": text.index, **text.place}
        return self.event(kind, **told, **members)

    def open_part(self, part: Part) -> Iterator[Data]:
        """A part begins."""
        yield self.at(part, f"{part_word(part.word)}.added", part=whole_part(part.word, ""))

    def add_item(self, item: Data) -> Data:
        """An item begins."""
        self.items.append(item)
        index = len(self.items) - 1
        return self.event("response.output_item.added", output_index=index, item=dict(item))

    def finish_block(self, block: int) -> Iterator[Data]:
        part = self.open.pop(block, None)
        if part is None:
            return
        text = "".join(part.pieces)
        made, item = whole_part(part.word, text), self.items[part.index]
        told = {part.key: text, **beside(part.word)}
        yield self.at(part, f"response.{part.word}.done", **told)
        yield self.at(part, f"{part_word(part.word)}.done", part=made)
        field = "summary" if item["type"] == "reasoning" else "content"
        item[field] = [made]
        yield self.finish_item(part.index)

    def finish_item(self, index: int) -> Data:
        """An item is whole."""
        item = self.items[index]
        if "status" in item:
            item["status"] = "completed"
        return self.event("response.output_item.done", output_index=index, item=dict(item))

    def start_call(self, event: CallStarted) -> Iterator[Data]:
        index, custom = len(self.items), event.kind == "custom"
        made = {
            "type": "custom_tool_call" if custom else "function_call",
            "id": f"{'ctc_' if custom else 'fc_'}{digest(f'{self.head} {index}', 24)}",
            "call_id": event.id,
            "name": event.name,
            "input" if custom else "arguments": "",
            "status": "in_progress",
        }
        made |= {"namespace": event.namespace} if event.namespace else {}
        yield self.add_item(made)
        word = "custom_tool_call_input" if custom else "function_call_arguments"
        self.open[event.block] = Part(index, word, {}, "input" if custom else "arguments")

    def add_arguments(self, block: int, text: str) -> Iterator[Data]:
        part = self.open[block]
        part.pieces.append(text)
        yield self.at(part, f"response.{part.word}.delta", delta=text)

    def finish_call(self, event: CallFinished) -> Iterator[Data]:
        part = self.open.pop(event.block)
        text, item = "".join(part.pieces), self.items[part.index]
        item[part.key] = text
        if event.status == "cut":
            item["status"] = "incomplete"
            return
        yield self.at(part, f"response.{part.word}.done", **{part.key: text})
        yield self.finish_item(part.index)

    def end(self, body: Data, finished: bool = True) -> list[Data]:
        closing = [each for block in sorted(self.open) for each in self.finish_block(block)]
        self.cite(body.get("output") or [])
        made = {**body, **self.head, "output": [dict(item) for item in self.items]}
        made["created_at"] = body.get("created_at", 0)
        made |= {} if finished else {"status": "incomplete"}
        return [*closing, self.last(made)]

    def cite(self, output: list[Data]) -> None:
        """Citations of another vendor's texts are known with the whole text only: they stand in
        the last event."""
        parts = [part for item in output for part in item.get("content") or ()]
        cited = {part["text"]: part["annotations"] for part in parts if part.get("annotations")}
        for item in self.items:
            for part in item.get("content") or ():
                if part.get("text") in cited:
                    part["annotations"] = cited[part["text"]]

    def fail(self, body: Data) -> list[Data]:
        error = body.get("error") or {}
        error = {"message": "", **error, "code": error.get("code") or "server_error"}
        for part in self.open.values():
            item = self.items[part.index]
            item |= {part.key: "".join(part.pieces)} if part.key in item else {}
            item |= {"status": "incomplete"} if "status" in item else {}
        output = [dict(item) for item in self.items]
        made = {**self.head, "status": "failed", "output": output, "error": error}
        return [self.event("response.failed", response=made)]

    def last(self, body: Data) -> Data:
        """The event with the whole response."""
        status = body.get("status")
        word = status if status in ("incomplete", "failed") else "completed"
        return self.event(f"response.{word}", response=body)

    def unfold(self, body: Data) -> list[Data]:
        told = [*self.begin(body)]
        for index, item in enumerate(body.get("output") or ()):
            told += self.unfold_item(index, item)
        return [*told, self.last(body)]

    def unfold_item(self, index: int, item: JSON) -> Iterator[Data]:
        """An item that is whole: its texts in one piece each."""
        kind = item.get("type") if isinstance(item, dict) else None
        begun = dict(item) if isinstance(item, dict) else item
        key = {"function_call": "arguments", "custom_tool_call": "input"}.get(str(kind))
        if isinstance(begun, dict) and "status" in begun:
            begun["status"] = "in_progress"
        if key is not None:
            begun[key] = ""
        if kind == "message":
            begun["content"] = []
        yield self.event("response.output_item.added", output_index=index, item=begun)
        if key is not None:
            word, text = f"{kind}_{key}", item.get(key) or ""
            at = {"item_id": item.get("id"), "output_index": index}
            yield self.event(f"response.{word}.delta", **at, delta=text)
            yield self.event(f"response.{word}.done", **at, **{key: text})
        elif kind == "message":
            yield from self.unfold_message(index, item)
        yield self.event("response.output_item.done", output_index=index, item=item)

    def unfold_message(self, index: int, item: Data) -> Iterator[Data]:
        """The parts of a message."""
        for place, part in enumerate(item.get("content") or ()):
            at = {"item_id": item.get("id"), "output_index": index, "content_index": place}
            word = str(part.get("type")) if isinstance(part, dict) else ""
            if word not in KEYS or not isinstance(part.get(KEYS[word]), str):
                continue
            key, text = KEYS[word], part[KEYS[word]]
            yield self.event("response.content_part.added", **at, part=whole_part(word, ""))
            yield self.event(f"response.{word}.delta", **at, delta=text, **beside(word))
            for number, each in enumerate(part.get("annotations") or ()):
                yield self.event(
                    "response.output_text.annotation.added",
                    **at,
                    annotation_index=number,
                    annotation=each,
                )
            yield self.event(f"response.{word}.done", **at, **{key: text}, **beside(word))
            yield self.event("response.content_part.done", **at, part=part)


MESSAGE = {"type": "message", "role": "assistant", "status": "in_progress", "content": []}
REASONING = {"type": "reasoning", "summary": []}
PREFIXES = {"message": "msg_", "reasoning": "rs_"}
KEYS = {"output_text": "text", "refusal": "refusal", "reasoning_summary_text": "text"}


def place_of(word: str) -> Data:
    """The index of a part in its item."""
    return {"summary_index" if word == "reasoning_summary_text" else "content_index": 0}


def beside(word: str) -> Data:
    """What the events of a text must have besides (response_text_delta_event.py)."""
    return {"logprobs": []} if word == "output_text" else {}


def part_word(word: str) -> str:
    """The events' word for the part that a text stands in."""
    named = "reasoning_summary_part" if word == "reasoning_summary_text" else "content_part"
    return f"response.{named}"


def whole_part(word: str, text: str) -> Data:
    """A part of the output with a text."""
    if word == "reasoning_summary_text":
        return {"type": "summary_text", "text": text}
    if word == "refusal":
        return {"type": "refusal", "refusal": text}
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
