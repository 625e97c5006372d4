"""Servers that stream given answers, and may break off, behind the vendors' own SDKs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import httpx2

from toolbridge.streams.convert import unfold
from toolbridge.streams.text import as_event

from .answers import Answer, body_of
from .servers import Reply, Server

HEADERS = {"content-type": "text/event-stream"}


class Pieces(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """The text of a stream in pieces, then an error if there is one."""

    def __init__(self, text: bytes, size: int = 64, error: Exception | None = None) -> None:
        self.pieces = [text[at : at + size] for at in range(0, len(text), size)]
        self.error = error
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces
        if self.error is not None:
            raise self.error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        self.closed = True

    async def aclose(self) -> None:
        self.closed = True


class LiveServer(Server):
    """Streams the answers. After `cut` events of each answer the connection breaks with `error`."""

    def __init__(
        self,
        format: str,
        replies: Iterable[Reply],
        cut: int | None = None,
        error: Exception | None = None,
    ) -> None:
        super().__init__(format, replies)
        self.cut, self.error = cut, error
        self.streams: list[Pieces] = []

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        turn = len(self.requests)
        self.requests.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, httpx2.Response):
            return reply
        body: Any = body_of(reply, self.base, turn) if isinstance(reply, Answer) else reply
        text = text_of(unfold(body, self.base)[: self.cut], self.base)
        self.streams.append(Pieces(text, error=self.error))
        return httpx2.Response(200, headers=HEADERS, stream=self.streams[-1])


def text_of(events: list[Any], format: str) -> bytes:
    """Data objects as server-sent events."""
    named = format in ("anthropic", "openai-responses")
    return "".join(as_event(data, named) for data in events).encode()
