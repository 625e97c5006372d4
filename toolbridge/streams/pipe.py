"""A stream as text, in one end and out at the other, piece by piece."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Literal

from toolbridge.errors import WireError
from toolbridge.loss import Loss
from toolbridge.recognise import AUTO, recognise_stream
from toolbridge.registry import find
from toolbridge.streams.convert import StreamConverter
from toolbridge.streams.text import DONE, StreamText, as_event
from toolbridge.values import JSON

Form = Literal["sse", "lines", "array"]
"""Server-sent events, a JSON value a line, or one JSON array of all of them."""

FORMS: tuple[Form, ...] = ("sse", "lines", "array")


class Pipe:
    """Converts the text of one stream. The text that comes out has the form of the one that
    went in, unless `form` says which. `source` may be `auto`; it is the format that the stream
    was taken for once an event came. `losses` are there at the end."""

    def __init__(self, source: str, target: str, form: Form | None = None) -> None:
        self.source, self.target = source, target
        self._adapter = find(target)[0]
        self._converter = None if source == AUTO else StreamConverter(source, target)
        self._text = StreamText()
        self._form = form
        self._waiting: list[JSON] = []
        self._read = self._written = 0

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What the target could not carry."""
        return () if self._converter is None else self._converter.losses

    @property
    def is_broken_off(self) -> bool:
        """Whether the answer ended without a stop or with an error; unknown to a stream that is
        handed on in its own format."""
        if self._converter is None or self._converter.native:
            return False
        reader = self._converter.reader
        return not reader.finished or reader.failure is not None

    def run(self, chunks: Iterable[bytes]) -> Iterator[str]:
        """The text that comes out for each chunk that goes in. Raises WireError, after all that
        came before the fault."""
        for chunk in chunks:
            self._see_form(chunk)
            for line in chunk.splitlines(keepends=True):
                yield from self._take(self._text.feed(line))
        yield from self._take(self._text.end())
        if not self._read:
            raise WireError("", "the events of a stream", "none", "Pass the text of one stream")
        yield from self._take([], last=True)
        assert self._converter is not None
        yield from self._told(self._converter.end())
        yield from self._close()

    def _see_form(self, chunk: bytes) -> None:
        begin = chunk.lstrip(BEFORE)[:1]
        if self._form is None and begin:
            self._form = BEGINS.get(begin, "sse")

    def _take(self, found: list[JSON], last: bool = False) -> Iterator[str]:
        """What comes out for some data objects; they wait until their format is known."""
        self._read += len(found)
        if self._converter is None:
            self._waiting += found
            source = recognise_stream(self._waiting, last) if self._waiting else None
            if source is None:
                return
            self.source, self._converter = source, StreamConverter(source, self.target)
            found = self._waiting
        for data in found:
            yield from self._told(self._converter.feed(data))

    def _told(self, written: list[JSON]) -> Iterator[str]:
        for data in written:
            self._written += 1
            if self._form == "sse":
                yield as_event(data, self._adapter.names_events)
            elif self._form == "lines":
                yield f"{json.dumps(data, ensure_ascii=False)}\n"
            else:
                begin = "[" if self._written == 1 else ",\n"
                yield f"{begin}{json.dumps(data, ensure_ascii=False)}"

    def _close(self) -> Iterator[str]:
        """What says that a whole text of its form ends."""
        if self._form == "sse" and self._adapter.done_marker:
            yield f"data: {DONE}\n\n"
        elif self._form == "array":
            yield "]\n" if self._written else "[]\n"


BEFORE = b"\xef\xbb\xbf \t\r\n\x1e"
BEGINS: dict[bytes, Form] = {b"[": "array", b"{": "lines"}
"""How the text of a stream begins; server-sent events begin with the name of a field."""
