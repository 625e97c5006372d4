"""What a vendor answers in place of an answer: one kind of error for each, through each SDK."""

from __future__ import annotations

import asyncio
import pickle
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx2
import pytest

import toolbridge as tb
from toolbridge.retry_after import seconds_of

from .answers import FORMATS
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


def anthropic(type: str, message: str = "why") -> Body:
    error = {"type": type, "message": message}
    return {"type": "error", "error": error, "request_id": "req_body"}


def openai(type: str | None, message: str = "why", code: Any = None) -> Body:
    return {"error": {"message": message, "type": type, "param": None, "code": code}}


def google(status: str, code: int, message: str = "why", *details: Any) -> Body:
    told: Body = {"code": code, "message": message, "status": status}
    return {"error": {**told, "details": [*details]} if details else told}


KEY = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    "reason": "API_KEY_INVALID",
    "domain": "googleapis.com",
}
LONG = "prompt is too long: 208310 tokens > 200000 maximum"
Row = tuple[str, int, Body, type[tb.VendorError]]
"""Format, status, body, the kind of error."""

OPENAI: list[tuple[int, Body, type[tb.VendorError]]] = [
    (400, openai("invalid_request_error"), tb.BadRequestError),
    (
        400,
        openai("invalid_request_error", code="context_length_exceeded"),
        tb.ContextTooLongError,
    ),
    (
        400,
        openai("invalid_request_error", "This model's maximum context length is 8192"),
        tb.ContextTooLongError,
    ),
    (
        400,
        openai(None, "The response was filtered", "content_filter"),
        tb.ContentRefusedError,
    ),
    (
        401,
        openai("invalid_request_error", "Incorrect API key provided", "invalid_api_key"),
        tb.AuthenticationError,
    ),
    (403, openai("permission_error"), tb.PermissionDeniedError),
    (
        404,
        openai("invalid_request_error", code="model_not_found"),
        tb.NotFoundError,
    ),
    (
        429,
        openai("tokens", code="rate_limit_exceeded"),
        tb.RateLimitedError,
    ),
    (500, openai("server_error"), tb.ServerError),
    (503, openai("engine_overloaded"), tb.OverloadedError),
]

ROWS: list[Row] = [
    ("anthropic", 400, anthropic("invalid_request_error"), tb.BadRequestError),
    ("anthropic", 400, anthropic("invalid_request_error", LONG), tb.ContextTooLongError),
    ("anthropic", 401, anthropic("authentication_error"), tb.AuthenticationError),
    ("anthropic", 402, anthropic("billing_error"), tb.PermissionDeniedError),
    ("anthropic", 403, anthropic("permission_error"), tb.PermissionDeniedError),
    ("anthropic", 404, anthropic("not_found_error"), tb.NotFoundError),
    ("anthropic", 413, anthropic("request_too_large"), tb.ContextTooLongError),
    ("anthropic", 429, anthropic("rate_limit_error"), tb.RateLimitedError),
    ("anthropic", 500, anthropic("api_error"), tb.ServerError),
    ("anthropic", 504, anthropic("timeout_error"), tb.VendorTimeoutError),
    ("anthropic", 529, anthropic("overloaded_error"), tb.OverloadedError),
    *(
        (format, status, body, kind)
        for format in ("openai-chat", "openai-responses")
        for status, body, kind in OPENAI
    ),
    ("gemini", 400, google("INVALID_ARGUMENT", 400), tb.BadRequestError),
    (
        "gemini",
        400,
        google(
            "INVALID_ARGUMENT", 400, "The input token count exceeds the maximum number of tokens"
        ),
        tb.ContextTooLongError,
    ),
    (
        "gemini",
        400,
        google("INVALID_ARGUMENT", 400, "API key not valid. Please pass a valid API key.", KEY),
        tb.AuthenticationError,
    ),
    ("gemini", 403, google("PERMISSION_DENIED", 403), tb.PermissionDeniedError),
    ("gemini", 404, google("NOT_FOUND", 404), tb.NotFoundError),
    ("gemini", 429, google("RESOURCE_EXHAUSTED", 429), tb.RateLimitedError),
    ("gemini", 500, google("INTERNAL", 500), tb.ServerError),
    ("gemini", 503, google("UNAVAILABLE", 503), tb.OverloadedError),
    ("gemini", 504, google("DEADLINE_EXCEEDED", 504), tb.VendorTimeoutError),
]

LATER = (
    tb.RateLimitedError,
    tb.OverloadedError,
    tb.VendorTimeoutError,
    tb.VendorConnectionError,
    tb.ServerError,
)
VENDORS = {"anthropic": "anthropic", "gemini": "google"}


def reply(status: int, body: Any, headers: dict[str, str] | None = None) -> httpx2.Response:
    if isinstance(body, str):
        return httpx2.Response(status, text=body, headers=headers)
    return httpx2.Response(status, json=body, headers=headers)


def code_of(error: Body) -> str:
    """The vendor's own word: a code, else a type; Google's code is the status of HTTP."""
    words = (error.get(key) for key in ("code", "type", "status"))
    return next(word for word in words if isinstance(word, str))


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(("format", "status", "body", "kind"), ROWS)
def test_each_error_is_of_its_kind(
    format: str, status: int, body: Body, kind: type, asynchronous: bool
) -> None:
    headers = {"request-id": "req_1", "retry-after": "7"}
    server = Server(format, [reply(status, body, headers)])
    error = failed(server, asynchronous)
    assert type(error) is kind
    assert error.status == status
    assert error.code == code_of(body["error"])
    assert error.vendor == VENDORS.get(format, "openai")
    assert (error.request_id, error.retry_after) == ("req_1", 7.0)
    assert error.retryable is (kind in LATER)
    assert error.body.message == body["error"]["message"]
    assert str(status) in str(error) and body["error"]["message"] in str(error)
    assert len(server.requests) == 1
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (kind, str(error), vars(error))
    assert copy.run.stop_reason == "error" and copy.run.steps == ()


def test_a_quota_that_is_used_up_is_no_matter_of_time() -> None:
    """https://platform.openai.com/docs/guides/error-codes: add credits, or raise the limit."""
    body = openai("insufficient_quota", code="insufficient_quota")
    error = failed(Server("openai-chat", [reply(429, body)]))
    assert not error.retryable


# --- when to come again, and which request it was


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after-ms": "x", "retry-after": "2"}, 2.0),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("format", FORMATS)
def test_when_to_come_again(format: str, headers: dict[str, str], seconds: Any) -> None:
    body = {"error": {"message": "slow down"}}
    assert failed(Server(format, [reply(429, body, headers)])).retry_after == seconds


def test_when_to_come_again_as_a_date() -> None:
    now = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
    later = {"retry-after": format_datetime(now + timedelta(seconds=90), usegmt=True)}
    past = {"retry-after": format_datetime(now - timedelta(seconds=90), usegmt=True)}
    assert seconds_of(later, now) == 90
    assert seconds_of(past, now) == 0
    assert seconds_of({"retry-after": "Tue, 01 Dec 2026 12:00:30"}, now) == 30
    assert seconds_of({"retry-after": "Tue, 41 Dec 2026 12:00:30 GMT"}, now) is None


@pytest.mark.parametrize(
    ("format", "headers", "id"),
    [
        ("anthropic", {"request-id": "req_1"}, "req_1"),
        ("openai-chat", {"x-request-id": "req_2"}, "req_2"),
        ("gemini", {"x-goog-request-id": "req_3"}, "req_3"),
        ("openai-chat", {"cf-ray": "ray"}, "ray"),
        ("openai-chat", {}, None),
    ],
)
def test_the_id_of_the_request(format: str, headers: dict[str, str], id: str | None) -> None:
    error = failed(Server(format, [reply(500, {"error": {"message": "?"}}, headers)]))
    assert error.request_id == id


def test_the_id_of_the_request_in_the_body() -> None:
    error = failed(Server("anthropic", [reply(500, anthropic("api_error"))]))
    assert error.request_id == "req_body"


# --- bodies that are none

PAGE = "<html><body><h1>502 Bad Gateway</h1></body></html>"


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(
    ("status", "body", "kind", "said_there"),
    [
        (502, PAGE, tb.ServerError, PAGE),
        (503, "", tb.OverloadedError, None),
        (429, "slow down", tb.RateLimitedError, "slow down"),
        (500, "null", tb.ServerError, None),
        (400, "[]", tb.BadRequestError, None),
        (418, {"detail": "a teapot"}, tb.VendorError, None),
        (401, {}, tb.AuthenticationError, None),
        (404, {"message": "no route"}, tb.NotFoundError, None),
    ],
)
@pytest.mark.parametrize("format", FORMATS)
def test_a_body_that_is_no_error_of_the_vendors(
    format: str, status: int, body: Any, kind: type, said_there: str | None, asynchronous: bool
) -> None:
    error = failed(Server(format, [reply(status, body)]), asynchronous)
    assert type(error) is kind
    assert error.status == status
    if said_there is not None:
        assert error.body.message == said_there
    assert len(str(error)) < 2000


def test_a_whole_page_is_not_told_whole() -> None:
    error = failed(Server("anthropic", [reply(502, "x" * 100_000)]))
    assert len(str(error)) < 1200
    assert error.body.message is not None and len(error.body.message) == 100_000


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("body", [PAGE, "", "null", "[1]", '"text"', '{"id": '])
@pytest.mark.parametrize("format", FORMATS)
def test_a_reply_that_is_no_json_object_is_an_error_of_the_server(
    format: str, body: str, asynchronous: bool
) -> None:
    """Status 200 and a page: of a proxy that lets nobody through, or a wrong base URL."""
    error = failed(Server(format, [reply(200, body, {"x-request-id": "r"})]), asynchronous)
    assert type(error) is tb.ServerError
    assert (error.status, error.request_id) == (200, "r")
    assert "the answer is no JSON object" in str(error)


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(
    ("format", "body", "kind"),
    [
        ("anthropic", anthropic("overloaded_error"), tb.OverloadedError),
        ("openai-chat", openai("server_error"), tb.ServerError),
        ("openai-chat", {"error": {"message": "slow", "code": 429}}, tb.RateLimitedError),
        ("openai-responses", openai("rate_limit", code="rate_limit_exceeded"), tb.RateLimitedError),
        ("gemini", google("UNAVAILABLE", 503), tb.OverloadedError),
    ],
)
def test_an_error_of_status_200_is_an_error(
    format: str, body: Body, kind: type, asynchronous: bool
) -> None:
    """Gateways such as OpenRouter answer 200 once they have begun."""
    error = failed(Server(format, [reply(200, body, {"retry-after": "3"})]), asynchronous)
    assert type(error) is kind
    assert error.retry_after == 3
