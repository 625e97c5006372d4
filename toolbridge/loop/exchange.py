"""One request and its answer, without I/O: written for the vendor, read back in the app's terms."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from random import random as random_number
from typing import Any, NamedTuple, TypeVar

from toolbridge.app_terms import restored
from toolbridge.convert import Envelope, read, read_error
from toolbridge.error_kinds import is_error
from toolbridge.errors import VendorError, vendor_error
from toolbridge.growing import GrowingWriter
from toolbridge.loop.state import Answered, Wait
from toolbridge.loss import Loss
from toolbridge.model import Model
from toolbridge.offered import Offered
from toolbridge.request import Request
from toolbridge.response import ErrorBody
from toolbridge.retry_after import seconds_of
from toolbridge.transport import Call, Reply, TransportError
from toolbridge.values import Value

T = TypeVar("T")
V = TypeVar("V", bound=Value)
Random = Callable[[], float]


def exchange(
    model: Model,
    request: Request,
    random: Random = random_number,
    writer: GrowingWriter | None = None,
) -> Generator[Any, Any, Answered]:
    """Yields the call to send and takes the reply; yields Wait before it tries again. `writer`
    is that of the run, which writes its history once.

    Raises VendorError, of the kind that it was.
    """
    sent = prepare(model, request, writer)

    def once() -> Generator[Any, Any, Reply]:
        reply: Reply = yield sent.call
        check_reply(model, reply)
        return reply

    reply = yield from attempts(model, once, random)
    response = read(reply.body, model.format, "response")
    return Answered(restored(response, sent.offered), sent.losses, sent.call, reply)


class Sent(NamedTuple):
    """A request as it goes out, and the tools as they are offered there."""

    call: Call
    losses: tuple[Loss, ...]
    offered: Offered


def prepare(model: Model, request: Request, writer: GrowingWriter | None = None) -> Sent:
    """The call of a request."""
    writer = writer or GrowingWriter(model.format, model.id)
    written, offered = writer.write_offered(request)
    headers = headers_of(model, written.envelope)
    return Sent(
        Call(written.envelope.path or "", written.payload, headers), written.losses, offered
    )


def attempts(
    model: Model,
    once: Callable[[], Generator[Any, Any, T]],
    random: Random,
    may_repeat: Callable[[], bool] = lambda: True,
) -> Generator[Any, Any, T]:
    """Try, and try again where it can help. A connection that turned out closed is tried once
    more at once, uncounted, as RFC 9112 (9.3.1) allows where the server has seen nothing."""
    retry, dead = 0, False
    while True:
        try:
            return (yield from once())
        except TransportError as lost:
            error, cause = vendor_error_of(model, lost), lost
            if lost.dead and not dead and may_repeat():
                dead = True
                continue
        except VendorError as told:
            error, cause = told, None
        wait = model.schedule.wait(retry, error, random) if may_repeat() else None
        if wait is None:
            raise error from cause
        retry += 1
        yield Wait(wait)


def check_reply(model: Model, reply: Reply) -> None:
    """Raise what stands in a reply of status 200 instead of an answer."""
    if not isinstance(reply.body, dict):
        said = f"the answer is no JSON object: {str(reply.body)[:200]!r}"
        body = ErrorBody(category="server_error", vendor=model.adapter.vendor, message=said)
        raise vendor_error(body, status=200, **details_of(reply.headers))
    if is_error(reply.body):
        found = read_error(model.adapter, reply.body)
        raise vendor_error(found, **details_of(reply.headers))


def headers_of(model: Model, envelope: Envelope) -> dict[str, str]:
    """The headers for the version and the beta features of a body."""
    adapter = model.adapter
    headers = {}
    if envelope.version and adapter.version_header:
        headers[adapter.version_header] = envelope.version
    if envelope.betas and adapter.beta_header:
        headers[adapter.beta_header] = ",".join(envelope.betas)
    return headers


def vendor_error_of(model: Model, error: TransportError) -> VendorError:
    """The VendorError of what a transport met."""
    if error.cause is not None:
        fields: dict[str, Any] = {"category": error.cause, "vendor": model.adapter.vendor}
        return vendor_error(ErrorBody(message=str(error), **fields))
    body = error.body if error.body not in (None, "") else str(error)
    found = read_error(model.adapter, body, error.status)
    return vendor_error(found, status=error.status, **details_of(error.headers))


def details_of(headers: Mapping[str, str]) -> dict[str, Any]:
    """What headers say of an error: the vendor's id of the request, and when to come again."""
    named = (headers[name] for name in REQUEST_IDS if name in headers)
    return {"request_id": next(named, None), "retry_after": seconds_of(headers)}


REQUEST_IDS = ("request-id", "x-request-id", "x-goog-request-id", "cf-ray")
"""Anthropic's, OpenAI's and that of most servers, Google's; what a proxy of theirs calls it."""
