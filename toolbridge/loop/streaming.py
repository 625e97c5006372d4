"""One request and its answer in pieces, without I/O."""

from __future__ import annotations

from collections.abc import Generator
from random import random as random_number
from typing import Any, Literal

from toolbridge.app_terms import restored
from toolbridge.arguments import parse
from toolbridge.calls_of import map_calls
from toolbridge.errors import VendorError, vendor_error
from toolbridge.growing import GrowingWriter
from toolbridge.loop.exchange import Random, Sent, attempts, prepare
from toolbridge.loop.state import END, Answered, Cancelled, NextData, OpenStream, Tell
from toolbridge.model import Model
from toolbridge.parts import ToolCall
from toolbridge.registry import find
from toolbridge.request import Request
from toolbridge.response import Response
from toolbridge.rules import resolve
from toolbridge.streams.convert import stream_reader
from toolbridge.streams.events import CallStarted, Event, Failed
from toolbridge.transport import Reply


def exchange_stream(
    model: Model,
    request: Request,
    random: Random = random_number,
    writer: GrowingWriter | None = None,
) -> Generator[Any, Any, Answered]:
    """Yields OpenStream, then NextData until the end, and Tell for each event; Wait before it
    tries again, which it does before the first event only, unless the model's retries say
    otherwise. Whoever cancels gets what there is by then.

    Raises VendorError where the stream does not come to its end.
    """
    sent = prepare(model, as_stream(model, request), writer)
    answer = Answer(model, sent)

    def may_repeat() -> bool:
        return answer.last is None or model.schedule.after_first_event

    try:
        yield from attempts(model, answer.once, random, may_repeat)
    except Cancelled as by:
        answer.reader.end()
        return answer.answered(answer.so_far(), by.why or True)
    except VendorError as error:
        answer.reader.end()
        error.partial = answer.so_far()
        raise
    return answer.answered(restored(answer.reader.response(), sent.offered))


class Answer:
    """One answer as it comes; `last` is the event that was told last."""

    def __init__(self, model: Model, sent: Sent) -> None:
        self._model, self._sent = model, sent
        self.reader = stream_reader(model.format)
        self.last: Event | None = None

    def once(self) -> Generator[Any, Any, None]:
        """Open the stream, and tell its events to the end."""
        self.reader = stream_reader(self._model.format)
        yield OpenStream(self._sent.call)
        while (data := (yield NextData())) is not END:
            for event in self.reader.feed(data):
                yield from self.tell(event)
        for event in self.reader.end():
            yield from self.tell(event)
        if self.reader.failure is not None:
            raise vendor_error(self.reader.failure)

    def tell(self, event: Event) -> Generator[Any, Any, None]:
        """Hand an event on, the names of tools as the app has them. An error is raised later."""
        if isinstance(event, Failed):
            return
        if isinstance(event, CallStarted):
            identity = self._sent.offered.identity(event.name)
            if identity is not None:
                namespace, name = identity
                event = event._replace(name=name, namespace=namespace or event.namespace)
        self.last = event
        yield Tell(event, self.heard)

    def heard(self) -> Response:
        """What there is of it, in the app's terms, with the calls whole of which the stream said
        so: a body that is under way may say otherwise of its last one."""
        told = {each.id: each for each in self.reader.told_calls()}

        def whole(call: ToolCall) -> ToolCall:
            open_call = told.get(call.id)
            if call.status != "cut" or open_call is None or open_call.ended() != "complete":
                return call
            arguments, status = call.arguments, "complete"
            if isinstance(arguments, str) and not open_call.free_text:
                arguments, status = parse(arguments)
            return call.replace(status=status, arguments=arguments)

        return restored(map_calls(self.reader.response(), whole), self._sent.offered)

    def so_far(self) -> Response:
        """What there is of it, in the app's terms."""
        if not self.reader.body:
            return Response()
        return restored(self.reader.response(), self._sent.offered)

    def answered(
        self, response: Response, cancelled: bool | Literal["timeout"] = False
    ) -> Answered:
        """The answer with what went over the wire."""
        return Answered(response, self._sent.losses, self._sent.call, Reply(None, {}), cancelled)


def as_stream(model: Model, request: Request) -> Request:
    """The request for a stream, with its tokens counted where that must be asked for."""
    adapter, profile = find(model.format)
    counts = resolve(adapter.rules, profile, model.id).stream_usage
    if counts and request.stream_options is None:
        return request.replace(stream=True, stream_options={"include_usage": True})
    return request.replace(stream=True)
