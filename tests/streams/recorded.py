"""The recorded streams of the corpus, and what tests ask of a stream that was read."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import toolbridge as tb
from laws.corpus import FORMATS, Recording, recordings
from toolbridge import events
from toolbridge.streams.reader import StreamReader

Json = Any
Body = dict[str, Json]

STREAMS = 116
"""The recorded streams of the four formats."""

RECORDED = [each for each in recordings(*FORMATS) if each.events]

Piece = events.TextAdded | events.ReasoningAdded | events.RefusalAdded


def data_of(recording: Recording) -> list[Json]:
    """The data objects of a stream."""
    return [event["data"] for event in recording.events or () if event["data"] != "[DONE]"]


@dataclasses.dataclass
class Heard:
    """What a reader told: its events by the data object that they came for; `last` those of the
    end."""

    reader: StreamReader
    steps: list[list[events.Event]]
    last: list[events.Event]

    @property
    def all(self) -> list[events.Event]:
        """All events, in order."""
        return [event for step in [*self.steps, self.last] for event in step]

    def of(self, *kinds: type) -> list[Any]:
        """The events of some kinds."""
        return [event for event in self.all if isinstance(event, kinds)]


def hear(data: Iterable[Json], format: str) -> Heard:
    """Read a stream to its end."""
    reader = tb.stream_reader(format)
    steps = [reader.feed(each) for each in data]
    return Heard(reader, steps, reader.end())


def calls_in(response: tb.Response) -> list[tb.ToolCall]:
    """All calls of an answer, in every alternative."""
    return [
        part
        for answer in response.alternatives
        if isinstance(answer, tb.Alternative)
        for part in answer.parts
        if isinstance(part, tb.ToolCall)
    ]


def words_in(response: tb.Response, kind: type) -> str:
    """The text of all parts of a kind, in every alternative."""
    return "".join(
        getattr(part, "text", "") or ""
        for answer in response.alternatives
        if isinstance(answer, tb.Alternative)
        for part in answer.parts
        if isinstance(part, kind)
    )
