"""What the writers of all formats share: which events a target can say, and in which words.

A writer says each canonical event as the vendor's events, at once. At the end it gets the body
of the whole answer in the target's format, and says what could not be known before: what closes,
usage and the stop. `unfold` says a body that is whole already.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from toolbridge.identifiers import NameMap, WordMap, digest
from toolbridge.lower.calls import INPUT, INVALID
from toolbridge.registry import find
from toolbridge.rules import resolve
from toolbridge.streams.events import (
    ArgumentsAdded,
    BlockFinished,
    CallFinished,
    CallStarted,
    Event,
    MessageStarted,
    ReasoningAdded,
    RefusalAdded,
    TextAdded,
)
from toolbridge.values import JSON

if TYPE_CHECKING:
    from toolbridge.adapter import Adapter

__all__ = ["INVALID", "Data", "StreamWriter"]

Data = dict[str, JSON]


class StreamWriter:
    """Writes one stream of a format. `source` is the adapter of the format that it came from."""

    format: ClassVar[str]
    prefix: ClassVar[str]

    def __init__(self, profile: str | None = None, source: Adapter | None = None) -> None:
        adapter, _ = find(self.format)
        self.rules = resolve(adapter.rules, profile, None)
        self.ids = WordMap(self.rules.id_pattern, self.rules.id_length, self.rules.id_exact)
        self.names = NameMap(self.rules.name_pattern, self.rules.name_length)
        self.reasoning = adapter.answer_reasoning and (source is None or source.answer_reasoning)
        self.started: MessageStarted | None = None
        self.wrapped: set[int] = set()
        self.written: set[int] = set()
        self.begun_calls: set[int] = set()
        self.waiting: dict[int, str] = {}

    def feed(self, event: Event) -> list[Data]:
        """The vendor's events for a canonical one."""
        return list(self.take(event))

    def take(self, event: Event) -> Iterator[Data]:
        """What `feed` gives. What the target has no place for is told by the losses of the whole
        answer."""
        alternative = getattr(event, "alternative", 0)
        if alternative and not self.rules.alternatives:
            return
        if isinstance(event, MessageStarted):
            self.started = event
            yield from self.start(
                event.id or f"{self.prefix}{digest(repr(event), 24)}", event.model
            )
        elif isinstance(event, TextAdded):
            yield from self.add_text(event)
        elif isinstance(event, RefusalAdded):
            yield from self.add_refusal(event)
        elif isinstance(event, ReasoningAdded):
            if self.reasoning:
                yield from self.add_reasoning(event)
        elif isinstance(event, (CallStarted, ArgumentsAdded, CallFinished)):
            yield from self.take_call(event)
        elif isinstance(event, BlockFinished):
            yield from self.finish_block(event.block)

    def take_call(self, event: CallStarted | ArgumentsAdded | CallFinished) -> Iterator[Data]:
        """Calls for the app; free text is wrapped in an object where there are functions only."""
        if isinstance(event, CallStarted):
            if event.executor == "client":
                yield from self.begin_call(event)
        elif event.block in self.written and isinstance(event, ArgumentsAdded):
            yield from self.tell_arguments(event)
        elif event.block in self.written and isinstance(event, CallFinished):
            if event.block in self.wrapped and event.status == "complete":
                yield from self.add_arguments(event.block, '"}')
            if event.block in self.waiting and event.status != "complete":
                yield from self.add_arguments(event.block, self.waiting[event.block])
            yield from self.finish_call(event)

    def begin_call(self, event: CallStarted) -> Iterator[Data]:
        """A call begins. One that is known by its type is that of a function."""
        self.written.add(event.block)
        kind = "custom" if event.kind == "custom" and self.rules.custom_tools else "function"
        name = self.name_of(event)
        yield from self.start_call(event._replace(id=self.ids.take(event.id), name=name, kind=kind))
        if event.kind == "custom" and kind == "function":
            self.wrapped.add(event.block)
            yield from self.add_arguments(event.block, f'{{"{INPUT}":"')

    def tell_arguments(self, event: ArgumentsAdded) -> Iterator[Data]:
        """A piece of arguments. `null` for none is no object: where only one will do, a text that
        may become that waits for more."""
        text = event.text
        if event.block in self.wrapped:
            text = json.dumps(text, ensure_ascii=False)[1:-1]
        elif not self.rules.json_text:
            text = self.waiting.pop(event.block, "") + text
            if event.block not in self.begun_calls and "null".startswith(text.strip()):
                self.waiting[event.block] = text
                return
            self.begun_calls.add(event.block)
        yield from self.add_arguments(event.block, text)

    def name_of(self, event: CallStarted) -> str:
        """The name of a call; a namespace that the target does not know goes before it."""
        return self.names.name(None if self.rules.namespaces else event.namespace, event.name)

    def start(self, id: str, model: str | None) -> Iterator[Data]:
        """The answer begins."""
        raise NotImplementedError

    def add_text(self, event: TextAdded) -> Iterator[Data]:
        """A piece of text."""
        raise NotImplementedError

    def add_refusal(self, event: RefusalAdded) -> Iterator[Data]:
        """A piece of a refusal: text, where refusals have no place of their own."""
        yield from self.add_text(TextAdded(event.block, event.text, event.alternative))

    def add_reasoning(self, event: ReasoningAdded) -> Iterator[Data]:
        """A piece of a thought, in targets that show another's."""
        return iter(())

    def start_call(self, event: CallStarted) -> Iterator[Data]:
        """A call begins."""
        raise NotImplementedError

    def add_arguments(self, block: int, text: str) -> Iterator[Data]:
        """A piece of a call's arguments."""
        raise NotImplementedError

    def finish_call(self, event: CallFinished) -> Iterator[Data]:
        """A call is whole."""
        return iter(())

    def finish_block(self, block: int) -> Iterator[Data]:
        """A text is whole."""
        return iter(())

    def end(self, body: Data, finished: bool = True) -> list[Data]:
        """What closes; `body` is the whole answer as the target has it. One that is not
        `finished` gets no stop: as its source, the stream ends before its answer does."""
        raise NotImplementedError

    def fail(self, body: Data) -> list[Data]:
        """The answer breaks off with an error, given in the target's format."""
        return [body]

    def unfold(self, body: Data) -> list[Data]:
        """The events of a whole body."""
        raise NotImplementedError
