"""What kind of error it was: by the vendor's word, by the status of HTTP where that says little,
else by the text."""

from __future__ import annotations

import re
from typing import Final

from toolbridge.response import ErrorBody, ErrorCategory
from toolbridge.values import JSON, make

STATUSES: Final[dict[int, ErrorCategory]] = {
    400: "bad_request",
    401: "authentication",
    402: "permission",
    403: "permission",
    404: "not_found",
    408: "timeout",
    409: "bad_request",
    413: "context_too_long",
    422: "bad_request",
    429: "rate_limited",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
"""RFC 9110; 529 is Anthropic's (platform.claude.com/docs/en/api/errors)."""

TEXTS: Final[tuple[tuple[re.Pattern[str], ErrorCategory], ...]] = (
    (
        re.compile(
            r"prompt is too long|maximum context length|available context size"
            r"|exceeds? the maximum number of tokens|context window",
            re.IGNORECASE,
        ),
        "context_too_long",
    ),
    (re.compile(r"api key not valid|incorrect api key|invalid api key", re.I), "authentication"),
    (re.compile(r"content (management )?policy|content filter", re.I), "content_refused"),
)
"""How vendors say in words what they have no word for: Anthropic, OpenAI, llama.cpp and Gemini
answer a history that is too long, and Gemini a wrong key, with their word for any bad request."""


UNCLEAR: Final = ("unknown", "bad_request", "server_error")
"""What the status outweighs: OpenAI says `invalid_request_error` beside 401, 403 and 404 too, and
`server_error` beside 503 (platform.openai.com/docs/guides/error-codes)."""


def by_status(status: int | str | None) -> ErrorCategory:
    """The kind of error for a status of HTTP."""
    if not isinstance(status, int):
        return "unknown"
    return STATUSES.get(status, "server_error" if 500 <= status < 600 else "unknown")


def categorised(body: ErrorBody, status: int | None) -> ErrorBody:
    """An error body with its status, and the kind of error as closely as it is known."""
    status = body.status if status is None else status  # type: ignore[assignment]
    category = body.category
    if category in UNCLEAR:
        told = by_status(status)
        category = told if told != "unknown" else category
    if category in ("unknown", "bad_request"):
        said = str(body.message or "")
        named = (kind for pattern, kind in TEXTS if pattern.search(said))
        category = next(named, category)
    changes = {"category": category, "status": status}
    return make(ErrorBody, {**vars(body), **changes})


ANSWERS = frozenset({"choices", "output", "candidates", "content", "promptFeedback"})


def is_error(payload: JSON) -> bool:
    """Whether a body is an error: one of the shapes that vendors send, and no answer."""
    if not ANSWERS.isdisjoint(payload):
        return False
    named = payload.get("type") == "error" or payload.get("object") == "error"
    flat = bool(payload) and payload.keys() <= {"code", "message", "type", "param", "detail"}
    return named or flat or bool(payload.get("error"))
