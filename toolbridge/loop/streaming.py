"""One request and its answer in pieces, without I/O."""

from __future__ import annotations

from collections.abc import Generator
from random import random as random_number
from typing import Any

from toolbridge.app_terms import restored
from toolbridge.errors import vendor_error
from toolbridge.loop.exchange import Random, Sent, attempts, prepare
from toolbridge.loop.state import END, Answered, Cancelled, NextData, OpenStream, Tell
from toolbridge.model import Model
from toolbridge.registry import find
from toolbridge.request import Request
from toolbridge.response import Response
from toolbridge.rules import resolve
from toolbridge.streams.convert import stream_reader
from toolbridge.streams.events import CallStarted, Event, Failed
from toolbridge.streams.reader import StreamReader
from toolbridge.transport import Reply


def exchange_stream(
    model: Model, request: Request, random: Random = random_number
) -> Generator[Any, Any, Answered]:
    """Yields OpenStream, then NextData until the end, and Tell for each event; Wait before it
    tries again, which it does before the first event only, unless the model's retries say
    otherwise. Whoever cancels gets what there is by then.

    Raises VendorError where the stream does not come to its end.
    """
    sent = prepare(model, as_stream(model, request))
    told: list[Event] = []
    reader = stream_reader(model.format)

    def once() -> Generator[Any, Any, StreamReader]:
        nonlocal reader
        reader = stream_reader(model.format)
        yield OpenStream(sent.call)
        while (data := (yield NextData())) is not END:
            for event in reader.feed(data):
                yield from tell(event, sent, told)
        for event in reader.end():
            yield from tell(event, sent, told)
        if reader.failure is not None:
            raise vendor_error(reader.failure)
        return reader

    def may_repeat() -> bool:
        return not told or model.schedule.after_first_event

    try:
        yield from attempts(model, once, random, may_repeat)
    except Cancelled:
        reader.end()
        response = reader.response() if reader.body else Response()
        return answered(response, sent, cancelled=True)
    return answered(reader.response(), sent)


def as_stream(model: Model, request: Request) -> Request:
    """The request for a stream, with its tokens counted where that must be asked for."""
    adapter, profile = find(model.format)
    counts = resolve(adapter.rules, profile, model.id).stream_usage
    if counts and request.stream_options is None:
        return request.replace(stream=True, stream_options={"include_usage": True})
    return request.replace(stream=True)


def tell(event: Event, sent: Sent, told: list[Event]) -> Generator[Any, Any, None]:
    """Hand an event on, the names of tools as the app has them. An error is raised later."""
    if isinstance(event, Failed):
        return
    identity = sent.offered.identity(event.name) if isinstance(event, CallStarted) else None
    if isinstance(event, CallStarted) and identity is not None:
        namespace, name = identity
        event = event._replace(name=name, namespace=namespace or event.namespace)
    told[:] = [event]
    yield Tell(event)


def answered(response: Response, sent: Sent, cancelled: bool = False) -> Answered:
    """The answer in the app's terms."""
    return Answered(
        restored(response, sent.offered), sent.losses, sent.call, Reply(None, {}), cancelled
    )
