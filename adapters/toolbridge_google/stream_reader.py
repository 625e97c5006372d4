"""Chunks of generateContent: each is a response with what is new in it.

https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent; types of
`google-genai` 3.6.1. Texts go on from chunk to chunk, calls come whole; on Vertex their arguments
may come in parts, each at a JSON path. Counts are running totals; the last chunk is known by the
end of the stream only, so stops and counts are told there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from toolbridge.arguments import dump
from toolbridge.parts import ToolCall
from toolbridge.request import Author
from toolbridge.streams.calls import OpenCall
from toolbridge.streams.events import (
    Event,
    MessageStarted,
    ReasoningAdded,
    SignatureAdded,
    TextAdded,
    Unknown,
)
from toolbridge.streams.pieces import Pieces
from toolbridge.streams.reader import StreamReader, index_in
from toolbridge.values import JSON
from toolbridge_google.calls import PARTS
from toolbridge_google.casing import got
from toolbridge_google.parts import FORMAT
from toolbridge_google.response import USAGE
from toolbridge_google.stream_partial import PIECES, PartialArguments

ANSWER = ("candidates", "promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata")
"""Keys of which a chunk has one."""

SIGNATURE = ("thoughtSignature", "thought_signature")


@dataclasses.dataclass
class Candidate:
    """One answer: its folded body, and what is open in it."""

    number: int
    wire: dict[str, JSON] = dataclasses.field(default_factory=dict)
    content: dict[str, JSON] = dataclasses.field(default_factory=dict)
    parts: list[JSON] = dataclasses.field(default_factory=list)
    pieces: list[str] = dataclasses.field(default_factory=Pieces)
    block: int | None = None
    call: OpenCall | None = None
    called: dict[str, JSON] = dataclasses.field(default_factory=dict)
    arguments: PartialArguments | None = None
    calls: list[OpenCall] = dataclasses.field(default_factory=list)

    def fold_open(self) -> None:
        """Put what goes on into its part."""
        if self.block is not None:
            self.parts[-1]["text"] = "".join(self.pieces)
        if self.arguments is not None:
            self.called["args"] = self.arguments.value()

    def folded(self) -> dict[str, JSON]:
        """The body."""
        self.fold_open()
        parts = {"parts": self.parts} if self.parts else {}
        if not self.content:
            return self.wire
        return {**self.wire, "content": {**self.content, **parts}}


class Reader(StreamReader):
    """Reads the chunks of a response."""

    format = FORMAT

    def __init__(self, profile: str | None = None) -> None:
        super().__init__(profile)
        self.candidates: dict[int, Candidate] = {}
        self.begun = False

    def take(self, data: dict[str, JSON]) -> Iterator[Event]:
        candidates = data.get("candidates")
        if data.get("error") and not candidates:
            yield from self.fail(data)
            return
        if not self.begun and data.keys().isdisjoint(ANSWER):
            yield Unknown(FORMAT, data)
            return
        self.body |= data
        if not self.begun:
            self.begun = True
            model = got(data, "modelVersion")
            fields: dict[str, Any] = {"format": FORMAT}
            fields |= {"model": model} if isinstance(model, str) else {}
            yield MessageStarted(got(data, "responseId"), model, Author(**fields))
        for raw in candidates or ():
            yield from self.take_candidate(raw)
        if got(data, "promptFeedback") and not self.candidates:
            self.finished.add(0)

    def take_candidate(self, raw: dict[str, JSON]) -> Iterator[Event]:
        number = index_in(raw, "index") or 0
        candidate = self.candidates.get(number)
        if candidate is None:
            candidate = self.candidates[number] = Candidate(number)
            self.answers.add(number)
        content = raw.get("content")
        if content:
            candidate.content |= content
            for place, part in enumerate(content.get("parts") or ()):
                yield from self.take_part(candidate, part, place == 0)
        candidate.wire |= raw
        if got(raw, "finishReason"):
            self.finished.add(number)

    def take_part(
        self, candidate: Candidate, part: dict[str, JSON], first: bool
    ) -> Iterator[Event]:
        if isinstance(part.get("text"), str):
            yield from self.take_text(candidate, part, first)
            return
        yield from self.close_text(candidate)
        called = got(part, "functionCall")
        if called is not None and (candidate.call is not None or is_piece(called)):
            yield from self.take_piece(candidate, part, called)
            return
        candidate.parts.append(part)
        if called is not None:
            arguments = called.get("args") or {}
            call, event = self.begin_call(candidate, called, arguments)
            yield event
            yield from self.add_arguments(call, dump(arguments))
            yield from self.tell_signature(candidate, part, call.block)
            yield self.finish_call(call)
        else:
            yield from self.take_other(candidate, part)

    def begin_call(
        self, candidate: Candidate, called: dict[str, JSON], arguments: JSON
    ) -> tuple[OpenCall, Event]:
        """A call begins; one without an id gets the one that it is read under."""
        name, number = called.get("name") or "", candidate.number
        told = called.get("id") or ""
        call, event = self.start_call(arguments, id=told, name=name, alternative=number)
        candidate.calls.append(call)
        return call, event

    def take_other(self, candidate: Candidate, part: dict[str, JSON]) -> Iterator[Event]:
        """Any other part: what Google itself ran is a call too."""
        read = PARTS.read(part, self.reading)
        if not isinstance(read, ToolCall):
            yield from self.tell_part(part, candidate.number)
            return
        call, event = self.start_call(
            id=read.id,
            name=read.name,
            kind=read.kind,
            executor=read.executor,
            alternative=candidate.number,
        )
        call.made_id = all("id" not in each for each in part.values() if isinstance(each, dict))
        call.free_text = isinstance(read.arguments, str)
        candidate.calls.append(call)
        yield event
        said = read.arguments if isinstance(read.arguments, str) else dump(read.arguments)
        yield from self.add_arguments(call, said)
        yield from self.tell_signature(candidate, part, call.block)
        yield from self.close_calls("complete", call)

    def take_text(
        self, candidate: Candidate, part: dict[str, JSON], first: bool
    ) -> Iterator[Event]:
        """Text goes on from chunk to chunk while it is of one kind and nothing is signed."""
        if candidate.block is None or not first or not goes_on(candidate.parts[-1], part):
            yield from self.close_text(candidate)
            candidate.parts.append({**part})
            candidate.block = self.open_text(candidate.number)
            candidate.pieces = Pieces()
        text: str = part["text"]
        candidate.pieces.append(text)
        if text:
            event = ReasoningAdded if part.get("thought") else TextAdded
            yield event(candidate.block, text, alternative=candidate.number)
        yield from self.tell_signature(candidate, part, candidate.block)

    def tell_signature(
        self, candidate: Candidate, part: dict[str, JSON], block: int
    ) -> Iterator[Event]:
        """What a part is signed with."""
        sealed = got(part, SIGNATURE[0])
        if isinstance(sealed, str):
            yield SignatureAdded(block, sealed, alternative=candidate.number)

    def close_text(self, candidate: Candidate) -> Iterator[Event]:
        """The text that goes on ends."""
        if candidate.block is not None:
            candidate.fold_open()
            yield from self.close_texts(block=candidate.block)
            candidate.block = None

    def take_piece(
        self, candidate: Candidate, part: dict[str, JSON], called: dict[str, JSON]
    ) -> Iterator[Event]:
        """A call whose arguments come in parts, told as the JSON text that they make."""
        if candidate.call is None or candidate.arguments is None:
            call, event = self.begin_call(candidate, called, {})
            candidate.call, candidate.arguments = call, PartialArguments()
            made = {key: part[key] for key in part if key != "function_call"}
            candidate.called = {key: called[key] for key in called if key not in PIECES}
            made["functionCall"] = candidate.called
            candidate.parts.append(made)
            yield event
            yield from self.tell_signature(candidate, part, call.block)
        call, arguments = candidate.call, candidate.arguments
        for piece in got(called, "partialArgs") or ():
            yield from self.add_arguments(call, arguments.add(piece))
        if not got(called, "willContinue"):
            candidate.fold_open()
            candidate.call = candidate.arguments = None
            whole = dump(arguments.value())
            yield from self.add_arguments(call, arguments.close())
            call.text = [whole]
            yield self.finish_call(call)

    def close(self) -> Iterator[Event]:
        for candidate in self.candidates.values():
            yield from self.close_text(candidate)
        counts = got(self.body, "usageMetadata")
        if isinstance(counts, dict):
            self.usage = USAGE.read(counts, self.reading)
        yield from super().close()

    def told_calls(self) -> list[OpenCall]:
        return [
            call for number in sorted(self.candidates) for call in self.candidates[number].calls
        ]

    def folded(self) -> dict[str, JSON]:
        candidates = [self.candidates[number].folded() for number in sorted(self.candidates)]
        return {**self.body, **({"candidates": candidates} if candidates else {})}


def goes_on(last: dict[str, JSON], part: dict[str, JSON]) -> bool:
    """Whether a text goes on with a part that says the same besides."""
    if last.keys() != part.keys() or not part.keys().isdisjoint(SIGNATURE):
        return False
    return len(part) == 1 or all(last[key] == part[key] for key in part if key != "text")


def is_piece(called: dict[str, JSON]) -> bool:
    """Whether a call comes in parts."""
    return any(called.get(key) for key in PIECES)
