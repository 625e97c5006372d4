"""Lines of the vendors' batches: a payload in a wrapper that names it.

Anthropic: types/messages/batch_create_params.py and message_batch_individual_response.py of
`anthropic` 2.14.0. OpenAI: developers.openai.com/api/docs/guides/batch. Gemini:
ai.google.dev/gemini-api/docs/batch-api. Data sets often have the same wrappers, with members of
their own beside the payload.
"""

from __future__ import annotations

from typing import NamedTuple

from toolbridge.errors import WireError
from toolbridge.values import JSON

BAD_REQUEST = 400
"""The first status of HTTP that is an error."""


class Row(NamedTuple):
    """One wrapper: the key that names the line, where the payload stands, and the format that
    usually has it. `bare`: an error stands there without the object around it that a vendor
    answers with."""

    name: str
    place: tuple[str, ...]
    likely: str | None
    kind: str
    bare: bool = False


ROWS = (
    Row("custom_id", ("params",), "anthropic", "request"),
    Row("custom_id", ("body",), "openai-chat", "request"),
    Row("key", ("request",), "gemini", "request"),
    Row("custom_id", ("result", "message"), "anthropic", "response"),
    Row("custom_id", ("result", "error"), "anthropic", "error"),
    Row("custom_id", ("response", "body"), "openai-chat", "response"),
    Row("custom_id", ("error",), "openai-chat", "error", bare=True),
    Row("key", ("response",), "gemini", "response"),
    Row("key", ("error",), "gemini", "error", bare=True),
)

PATHS = {"/v1/chat/completions": "openai-chat", "/v1/responses": "openai-responses"}
"""The format by the `url` of a line of OpenAI's."""


class Held(NamedTuple):
    """What a line holds: a payload and its kind, the row of the wrapper around it, if there is
    one, the format that this speaks for, and the status of HTTP where it is told."""

    line: JSON
    payload: JSON
    kind: str
    row: Row | None = None
    likely: str | None = None
    status: int | None = None


def unwrap(line: JSON, kind: str) -> Held:
    """What a line holds. Results hold a response or an error, whichever of the two is asked
    for; those of OpenAI hold either under one key, by the status beside it. Raises WireError
    for a line of a batch of another kind: its wrapper would be taken for a payload of nothing
    but unknown keys."""
    found = [row for row in ROWS if is_row(line, row)]
    for row in found:
        if row.kind == kind or {row.kind, kind} == {"response", "error"}:
            return held(line, row)
    if found:
        what = "request" if found[0].kind == "request" else "response"
        raise WireError("", f"a payload ({kind})", f"a {what} of a batch", f"Use --kind {what}")
    return Held(line, line, kind)


def is_row(line: JSON, row: Row) -> bool:
    """Whether a line has a wrapper of a row."""
    return isinstance(line, dict) and row.name in line and reach(line, row.place) is not None


def held(line: JSON, row: Row) -> Held:
    """What stands in a wrapper."""
    found = reach(line, row.place)
    status = reach(line, ("response", "status_code"), int)
    failed = row.place == ("response", "body") and status is not None and status >= BAD_REQUEST
    return Held(
        line,
        {"error": found} if row.bare else found,
        "error" if failed else row.kind,
        row,
        PATHS.get(str(line.get("url")), row.likely),
        status,
    )


def reach(line: JSON, place: tuple[str, ...], type: type = dict) -> JSON:
    """What stands at a place, if it is of a type."""
    for key in place:
        line = line.get(key) if isinstance(line, dict) else None
    return line if isinstance(line, type) else None


def is_unanswered(line: JSON) -> bool:
    """Whether a line says of a request that it has no answer: canceled or expired."""
    said = reach(line, ("result", "type"), str)
    return said in ("canceled", "expired") and "custom_id" in line


def rewrap(held: Held, payload: JSON) -> JSON:
    """The line as it was, with another payload."""
    if held.row is None:
        return payload
    if held.row.bare and isinstance(payload, dict):
        payload = payload.get("error", payload)
    return put(held.line, held.row.place, payload)


def put(into: JSON, place: tuple[str, ...], payload: JSON) -> JSON:
    """An object with something else at a place."""
    if not place:
        return payload
    key, *rest = place
    return {**into, key: put(into[key], tuple(rest), payload)}


def wrap(held: Held, payload: JSON, target: str, path: str | None) -> JSON:
    """The line that the target's own batch has, `path` that of its URL. Members of a data set
    stay beside it."""
    if held.row is None:
        return payload
    family = target.partition(":")[0]
    request = held.kind == "request"
    own = {held.row.name, *(OF_REQUESTS if request else OF_RESULTS)}
    name = held.line[held.row.name]
    named = {"key": name} if family == "gemini" else {"custom_id": name}
    beside = {key: member for key, member in held.line.items() if key not in own}
    if request:
        return {**named, **as_request(payload, family, path), **beside}
    return {**named, **as_result(payload, family, held.kind == "error"), **beside}


OF_REQUESTS = ("params", "body", "request", "method", "url")
OF_RESULTS = ("id", "result", "response", "error")
"""Members that belong to a wrapper and not to a data set."""


def as_request(payload: JSON, format: str, path: str | None) -> dict[str, JSON]:
    """What stands beside the name in a request of a batch."""
    if format == "anthropic":
        return {"params": payload}
    if format == "gemini":
        return {"request": payload}
    return {"method": "POST", "url": path, "body": payload}


def as_result(payload: JSON, format: str, failed: bool) -> dict[str, JSON]:
    """What stands beside the name in a result of a batch. The status of an error is not known
    here, so it stands as one that came without."""
    if format == "anthropic":
        held = {"type": "errored", "error": payload}
        return {"result": held if failed else {"type": "succeeded", "message": payload}}
    error = payload.get("error", payload) if failed and isinstance(payload, dict) else None
    if format == "gemini":
        return {"error": error} if failed else {"response": payload}
    answer = None if failed else {"status_code": 200, "body": payload}
    return {"response": answer, "error": error}
