"""One request and its answer, without I/O: written for the vendor, read back in the app's terms."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from operator import is_
from typing import Any, TypeVar

from toolbridge.conversion import Reading
from toolbridge.convert import Envelope, read, write_with_names
from toolbridge.error_kinds import categorised
from toolbridge.errors import VendorError, vendor_error
from toolbridge.loop.state import Answered
from toolbridge.lower.calls import INPUT
from toolbridge.model import Model
from toolbridge.parts import ToolCall
from toolbridge.request import Message, Request
from toolbridge.response import Alternative, ErrorBody, Response
from toolbridge.retry_after import seconds_of
from toolbridge.tools import ToolSpec
from toolbridge.transport import Call, Reply, TransportError
from toolbridge.values import Value, make

V = TypeVar("V", bound=Value)
Names = Mapping[str, tuple[str | None, str]]


def exchange(model: Model, request: Request) -> Generator[Call, Reply, Answered]:
    """Yields the call to send and takes the reply. A connection that turned out closed is tried
    once more, as RFC 9112 (9.3.1) allows where the server has seen nothing.

    Raises VendorError, of the kind that it was.
    """
    written, names = write_with_names(request, model.format, model=model.id)
    call = Call(written.envelope.path or "", written.payload, headers_of(model, written.envelope))
    try:
        reply = yield call
    except TransportError as error:
        if not error.dead:
            raise vendor_error_of(model, error) from error
        reply = yield from second_try(model, call)
    response = response_of(model, reply)
    return Answered(restore(response, request, names), written.losses, call, reply)


def second_try(model: Model, call: Call) -> Generator[Call, Reply, Reply]:
    """The same call on a new connection."""
    try:
        return (yield call)
    except TransportError as error:
        raise vendor_error_of(model, error) from error


def response_of(model: Model, reply: Reply) -> Response:
    """The response in a reply of status 200. An error may stand there all the same, or a page of
    whoever stands before the server."""
    if not isinstance(reply.body, dict):
        said = f"the answer is no JSON object: {str(reply.body)[:200]!r}"
        body = ErrorBody(category="server_error", vendor=model.adapter.vendor, message=said)
        raise vendor_error(body, status=200, **details_of(reply.headers))
    try:
        response: Response = read(reply.body, model.format, "response")
    except VendorError as error:
        raise vendor_error(error.body, **details_of(reply.headers)) from None
    return response


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
    read_body = model.adapter.reads["error"]
    found = categorised(read_body(body, Reading(model.adapter.name)), error.status)
    return vendor_error(found, status=error.status, **details_of(error.headers))


def details_of(headers: Mapping[str, str]) -> dict[str, Any]:
    """What headers say of an error: the vendor's id of the request, and when to come again."""
    named = (headers[name] for name in REQUEST_IDS if name in headers)
    return {"request_id": next(named, None), "retry_after": seconds_of(headers)}


REQUEST_IDS = ("request-id", "x-request-id", "x-goog-request-id", "cf-ray")
"""Anthropic's, OpenAI's and that of most servers, Google's; what a proxy of theirs calls it."""


def restore(response: Response, request: Request, names: Names) -> Response:
    """The answer with the calls named, and their free text unwrapped, as in the request."""
    offered = (tool for tool in request.tools or () if isinstance(tool, ToolSpec))
    custom = {tool.name for tool in offered if tool.kind == "custom"}

    def restored(item: Any) -> Any:
        if isinstance(item, ToolCall):
            return restore_call(item, names, custom)
        field = HOLDERS.get(type(item))
        if field is None:
            return item
        had = getattr(item, field)
        made = tuple(map(restored, had))
        return item if all(map(is_, made, had)) else settled(item, {field: made})

    return restored(response)  # type: ignore[no-any-return]


HOLDERS = {Response: "alternatives", Alternative: "messages", Message: "parts"}
"""Where the parts of an answer are."""


def restore_call(call: ToolCall, names: Names, custom: set[str]) -> ToolCall:
    """One call. What the model called by no name that was offered stays as it is."""
    if call.executor != "client" or call.name not in names:
        return call
    namespace, name = names[call.name]
    changes: dict[str, Any] = {}
    if name != call.name:
        changes = {"name": name, "namespace": namespace}
    if name in custom and call.kind == "function" and is_wrapped(call.arguments):
        changes |= {"kind": "custom", "arguments": call.arguments[INPUT]}
    return settled(call, changes) if changes else call


def is_wrapped(arguments: Any) -> bool:
    """Whether arguments are free text in the schema that stands for a custom tool."""
    is_object = isinstance(arguments, dict) and arguments.keys() == {INPUT}
    return is_object and isinstance(arguments[INPUT], str)


def settled(item: V, changes: dict[str, Any]) -> V:
    """A value in the app's terms; what the vendor made for it (a signature) still holds."""
    made = make(type(item), {**vars(item), **changes})
    if made.spelling is None:
        return made
    return make(type(item), {**vars(made), "spelling": made.spelling.covering(made)})
