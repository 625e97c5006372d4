"""Converting streams: event by event, or all at once."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from toolbridge.adapter import Adapter
from toolbridge.errors import UnknownFormatError
from toolbridge.loss import Loss
from toolbridge.registry import find
from toolbridge.response import ErrorBody, Response
from toolbridge.streams.events import CallFinished, MessageStarted
from toolbridge.streams.reader import StreamReader
from toolbridge.streams.writer import StreamWriter
from toolbridge.values import JSON


def stream_reader(format: str) -> StreamReader:
    """A reader of a format's streams."""
    adapter, profile = find(format)
    made: StreamReader = import_module(f"{package(adapter)}.stream_reader").Reader(profile)
    return made


def stream_writer(format: str, source: str | None = None) -> StreamWriter:
    """A writer of a format's streams, for events of another."""
    adapter, profile = find(format)
    origin = None if source is None else find(source)[0]
    module = import_module(f"{package(adapter)}.stream_writer")
    made: StreamWriter = module.Writer(profile, origin)
    return made


def package(adapter: Adapter) -> str:
    """The package with an adapter's streams."""
    if adapter.streams is None:
        raise UnknownFormatError(f"{adapter.name} has no streams: kinds are request and response")
    return adapter.streams


CUT = ErrorBody(category="server_error", message="The stream ended inside a tool call")
"""What a target is told of a call that nobody cut but the network: the official SDKs would take
the arguments that are there for whole."""


class StreamConverter:
    """Converts one stream: `feed` each data object of the source, then `end`.

    Each gives the target's data objects, as soon as they are known; `end` only those that
    close, usage and the stop. `losses` are those of the whole answer, with pointers into the
    response that the stream folds to; they are there after `end`.
    """

    def __init__(self, source: str, target: str) -> None:
        self.source, self.target = source, target
        self.reader = stream_reader(source)
        self.writer = stream_writer(target, source)
        self.native = find(source)[0] is find(target)[0]
        self.ended = False
        self.losses: tuple[Loss, ...] = ()

    def feed(self, data: JSON) -> list[JSON]:
        """What the target says for a data object. Raises WireError, and ValueError after `end`."""
        if self.native and not self.ended:
            return [data]
        written: list[JSON] = []
        for event in self.reader.feed(data):
            written += self.writer.feed(event)
        return written

    def end(self) -> list[JSON]:
        """What the target says at the end. Raises WireError if there was no event."""
        closing = [] if self.ended else self.reader.end()
        native, self.ended = self.native or self.ended, True
        if native:
            return []
        finished = 0 in self.reader.finished
        written: list[JSON] = []
        for event in closing:
            if finished or not isinstance(event, CallFinished) or event.status != "cut":
                written += self.writer.feed(event)
        if self.reader.failure is not None:
            return [*written, *self.break_off(self.reader.failure)]
        if self.writer.started is None:
            written += self.writer.feed(MessageStarted())
        response = self.reader.response()
        body = self.whole(response)
        if response.broken_calls and not finished:
            return [*written, *self.break_off(CUT)]
        return [*written, *self.writer.end(body, finished)]

    def whole(self, response: Response) -> Any:
        """The whole answer in the target's format."""
        from toolbridge.convert import write

        made = write(response, self.target)
        self.losses = made.losses
        return made.payload

    def break_off(self, error: ErrorBody) -> list[JSON]:
        """The error in the target's words."""
        from toolbridge.convert import write

        return [*self.writer.fail(write(error, self.target).payload)]


def unfold(body: Any, format: str) -> list[JSON]:
    """The stream of a whole response body in its own format."""
    return [*stream_writer(format).unfold(body)]
