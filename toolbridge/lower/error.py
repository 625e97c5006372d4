"""An error body in the target's own words."""

from __future__ import annotations

from typing import Any

from toolbridge.conversion import Writing
from toolbridge.response import ErrorBody
from toolbridge.values import make


def lower_error(body: ErrorBody, writing: Writing) -> ErrorBody:
    """The error as the target says it: its word for this kind of error, and its status. What the
    status line and the headers say need not stand in the body."""
    fields: dict[str, Any] = {**vars(body), "vendor": writing.target.vendor}
    word = writing.target.error_words.get(body.category)
    if word is not None:
        for name, told in (("type", word.type), ("code", word.code)):
            had = getattr(body, name)
            fields[name] = told if told is not None else had
            if had is not None and told not in (None, had):
                writing.report.add("error.word", body, name, f"{had!r} is written as {told!r}")
        fields["status"] = body.status or word.status
    place = writing.target.shapes["error"].has_place
    in_body = writing.report.origin(body).status  # type: ignore[attr-defined]
    if not place("status") and (in_body is None or (word and in_body == word.status)):
        fields.pop("status", None)
    if not place("retry_after"):
        fields.pop("retry_after", None)
    return writing.report.derive(make(ErrorBody, fields), body)
