"""Streams that are there as a whole: a list of data objects, `[DONE]` left out or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from toolbridge.errors import LossError, WireError
from toolbridge.streams.convert import StreamConverter, stream_reader
from toolbridge.streams.text import DONE
from toolbridge.values import JSON, thaw

if TYPE_CHECKING:
    from toolbridge.convert import Converted
    from toolbridge.response import Response


def read_stream(events: Any, format: str) -> Response:
    """The Response that a stream folds to. Raises WireError, and VendorError where there is
    nothing but an error."""
    reader = stream_reader(format)
    for data in data_objects(events):
        reader.feed(data)
    reader.end()
    return reader.response()


def convert_stream(
    events: Any, source: str, target: str, on_loss: str, ignore: Iterable[str]
) -> Converted:
    """See `convert`. Losses point into `to_json` of the Response that the stream folds to."""
    from toolbridge.convert import Converted, Envelope

    converter = StreamConverter(source, target)
    written: list[JSON] = []
    for data in data_objects(events):
        written += converter.feed(thaw(data))
    written += converter.end()
    ignored = frozenset([ignore] if isinstance(ignore, str) else ignore)
    grave = [
        loss for loss in converter.losses if loss.severity == "warning" and loss.code not in ignored
    ]
    if on_loss == "raise" and grave:
        raise LossError(tuple(grave))
    return Converted(written, converter.losses, Envelope())


def data_objects(events: Any) -> list[JSON]:
    """The data objects of a stream. Raises WireError for anything but a list."""
    if not isinstance(events, (list, tuple)):
        raise WireError(
            "",
            "a list of data objects",
            type(events).__name__,
            "Pass the parsed data of each event, or the text to StreamText",
        )
    return [data for data in events if data != DONE]
