"""No answer at all: too late, no connection, or one that turned out dead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

import toolbridge as tb

from .answers import FORMATS, said
from .servers import Server, arun

Body = dict[str, Any]


def failed(server: Server, asynchronous: bool = False) -> tb.VendorError:
    """The error that a run ends with."""
    with pytest.raises(tb.VendorError) as raised:
        if asynchronous:
            asyncio.run(arun(server, "hi"))
        else:
            tb.run(server.model(), "hi")
    return raised.value


VENDORS = {"anthropic": "anthropic", "gemini": "google"}


def reply(status: int, body: Any, headers: dict[str, str] | None = None) -> httpx2.Response:
    if isinstance(body, str):
        return httpx2.Response(status, text=body, headers=headers)
    return httpx2.Response(status, json=body, headers=headers)


# --- no answer at all

Lost = Callable[[str], Exception]


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(
    "lost", [httpx2.ReadTimeout, httpx2.ConnectTimeout, httpx2.WriteTimeout, httpx2.PoolTimeout]
)
@pytest.mark.parametrize("format", FORMATS)
def test_no_answer_in_time(format: str, lost: Lost, asynchronous: bool) -> None:
    server = Server(format, [lost("too late")])
    error = failed(server, asynchronous)
    assert type(error) is tb.VendorTimeoutError
    assert (error.retryable, error.status) == (True, None)
    assert error.vendor == VENDORS.get(format, "openai")
    assert len(server.requests) == 1


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(
    "lost",
    [
        httpx2.ConnectError,
        httpx2.ReadError,
        httpx2.RemoteProtocolError,
        httpx2.ProxyError,
        httpx2.DecodingError,
        httpx2.TooManyRedirects,
    ],
)
@pytest.mark.parametrize("format", FORMATS)
def test_no_connection(format: str, lost: Lost, asynchronous: bool) -> None:
    server = Server(format, [lost("no route to host")])
    error = failed(server, asynchronous)
    assert type(error) is tb.VendorConnectionError
    assert error.retryable
    assert "no route to host" in str(error)
    assert len(server.requests) == 1, "the server may have seen the request"


DEAD = httpx2.RemoteProtocolError("Server disconnected without sending a response.")


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("format", FORMATS)
def test_a_dead_connection_is_tried_once_more(format: str, asynchronous: bool) -> None:
    """A server closes a connection that it had offered to keep (llama.cpp does so, after an
    answer): RFC 9112, 9.3.1."""
    server = Server(format, [DEAD, said("ok")])
    run = asyncio.run(arun(server, "hi")) if asynchronous else tb.run(server.model(), "hi")
    assert run.text == "ok"
    assert server.bodies[0] == server.bodies[1]
    assert len(run.steps) == 1


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("second", [DEAD, 500, httpx2.ReadTimeout("late")])
@pytest.mark.parametrize("format", FORMATS)
def test_and_only_once(format: str, second: Any, asynchronous: bool) -> None:
    server = Server(format, [DEAD, reply(second, {}) if second == 500 else second])
    kinds = (tb.VendorConnectionError, tb.ServerError, tb.VendorTimeoutError)
    assert isinstance(failed(server, asynchronous), kinds)
    assert len(server.requests) == 2
