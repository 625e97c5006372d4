"""A response as a stream of chunks.

https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent: each chunk is a
response with what is new; calls come whole, the finish reason and the counts in the last one.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolbridge.arguments import parse
from toolbridge.streams.events import CallFinished, CallStarted, ReasoningAdded, TextAdded
from toolbridge.streams.writer import INVALID, Data, StreamWriter
from toolbridge.values import JSON
from toolbridge_google.parts import FORMAT


class Writer(StreamWriter):
    """Writes the chunks of a response."""

    format = FORMAT
    prefix = ""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.head: Data = {}
        self.calls: dict[int, tuple[CallStarted, list[str]]] = {}

    def start(self, id: str, model: str | None) -> Iterator[Data]:
        self.head = {"responseId": id, "modelVersion": model or ""}
        return iter(())

    def chunk(self, number: int, part: JSON) -> Data:
        """A chunk with a part of one candidate."""
        content = {"role": "model", "parts": [part]}
        return {"candidates": [{"index": number, "content": content}], **self.head}

    def add_text(self, event: TextAdded) -> Iterator[Data]:
        yield self.chunk(event.alternative, {"text": event.text})

    def add_reasoning(self, event: ReasoningAdded) -> Iterator[Data]:
        yield self.chunk(event.alternative, {"text": event.text, "thought": True})

    def start_call(self, event: CallStarted) -> Iterator[Data]:
        self.calls[event.block] = (event, [])
        return iter(())

    def add_arguments(self, block: int, text: str) -> Iterator[Data]:
        self.calls[block][1].append(text)
        return iter(())

    def finish_call(self, event: CallFinished) -> Iterator[Data]:
        started, pieces = self.calls[event.block]
        arguments, status = parse("".join(pieces))
        if status != "complete":
            arguments = {INVALID: arguments}
        called = {"id": started.id, "name": started.name, "args": arguments}
        yield self.chunk(event.alternative, {"functionCall": called})

    def end(self, body: Data, finished: bool = True) -> list[Data]:
        made = {**body, **self.head}
        left_out = ("content",) if finished else ("content", "finishReason")
        candidates: list[Data] = body.get("candidates") or []
        made["candidates"] = [
            {**{key: each[key] for key in each if key not in left_out}, "index": number}
            for number, each in enumerate(candidates)
        ]
        return [made]

    def fail(self, body: Data) -> list[Data]:
        return [{**body, "error": {"code": 500, "status": "INTERNAL", **(body.get("error") or {})}}]

    def unfold(self, body: Data) -> list[Data]:
        self.head = {key: body[key] for key in ("responseId", "modelVersion") if key in body}
        told: list[Data] = []
        last = {**body}
        if "candidates" in body:
            last["candidates"] = [{**each} for each in body["candidates"]]
        for candidate in last.get("candidates") or ():
            told += self.unfold_content(candidate)
        return [*told, last]

    def unfold_content(self, candidate: Data) -> Iterator[Data]:
        """The parts of a candidate, all that can stand alone in a chunk of its own. Texts next to
        each other stay in one: apart they would be one text."""
        content = candidate.get("content")
        parts = content.get("parts") if isinstance(content, dict) else None
        if not isinstance(content, dict) or not isinstance(parts, list) or not parts:
            return
        rest = {key: content[key] for key in content if key != "parts"}
        for group in groups(parts):
            made = {"content": {**rest, "parts": group}}
            made |= {"index": candidate["index"]} if "index" in candidate else {}
            yield {"candidates": [made], **self.head}
        del candidate["content"]


def groups(parts: list[JSON]) -> Iterator[list[JSON]]:
    """Parts in chunks: a text never begins a chunk after one that ends with a text."""
    group: list[JSON] = []
    for part in parts:
        if group and not (has_text(part) and has_text(group[-1])):
            yield group
            group = []
        group.append(part)
    yield group


def has_text(part: JSON) -> bool:
    """Whether a part is text or a thought."""
    return isinstance(part, dict) and "text" in part
