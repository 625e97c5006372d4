"""A short text that fits the words a JSON Schema has for texts: format, pattern and lengths."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any, Final

FORMATS: Final = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1DT2H",
    "email": "ana@example.com",
    "idn-email": "ana@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uri-reference": "/a",
    "iri": "https://example.com/",
    "iri-reference": "/a",
    "uri-template": "/a/{id}",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "json-pointer": "/a",
    "relative-json-pointer": "0/a",
    "regex": "^a+$",
    "byte": "dGV4dA==",
    "base64url": "dGV4dA==",
}
"""One text of each format of draft 2020-12 (validation, section 7.3) and of those that pydantic and
OpenAPI add. Names and addresses are those kept for documentation: RFC 2606, 3849 and 5737."""

PLAIN: Final = ("text", "a", "A", "1", "a1", "A1", "abc", "ABC", "example", "123", "a-b", "a_b")
"""Texts to try where a pattern cannot be read."""

PIECE: Final = re.compile(
    r"(?P<set>\[\^?\]?(?:\\.|(?!([-&|~])\2)[^\]\\\[])*\]|\\[dwsDWS]|\.)"
    r"|\\(?P<escaped>[^\w\s])|(?P<letter>[^\\\[\](){}|.?*+^$])"
)
"""A letter, a letter behind a backslash, or a set of letters; none that Python warns of, since it
may mean something else one day (https://docs.python.org/3/library/re.html, possible nested set)."""

REPEAT: Final = re.compile(r"\{(\d+)(?:,\d*)?\}\??|([?*+])\??")
LETTERS: Final = "a1A" + string.ascii_letters + string.digits + "-_ .:/@#,;+"
LONGEST: Final = 200
"""Characters of the longest text that is made."""


def texts(schema: dict[str, Any]) -> Iterator[str]:
    """Texts that may fit a schema, the likeliest first."""
    least = schema.get("minLength", 0)
    most = min(schema.get("maxLength", LONGEST), LONGEST)
    if schema.get("format") in FORMATS:
        yield FORMATS[schema["format"]]
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        made = matching(pattern, least)
        yield from PLAIN if made is None else (made, *PLAIN)
    if least <= most:
        text = PLAIN[0]
        yield (text * (int(least) // len(text) + 1))[: int(max(least, min(most, len(text))))]


def matching(pattern: str, least: int) -> str | None:
    """A text of at least so many letters that matches a pattern of letters and sets of them in a
    row, each as often as it must be; None for a pattern of another kind."""
    inner = pattern.removeprefix("^").removesuffix("$")
    made: list[str] = []
    place = grown = 0
    while place < len(inner):
        piece = PIECE.match(inner, place)
        letter = None if piece is None else letter_of(piece)
        if piece is None or letter is None:
            return None
        repeat = REPEAT.match(inner, piece.end())
        times = 1 if repeat is None else int(repeat[1] or (repeat[2] == "+"))
        if repeat is not None and (repeat[2] in ("*", "+") or ",}" in repeat[0]):
            grown = len(made)
        made.append(letter * min(times, LONGEST))
        place = piece.end() if repeat is None else repeat.end()
    missing = least - sum(map(len, made))
    if made and 0 < missing <= LONGEST:
        made[grown] += (made[grown] or "a")[:1] * missing
    text = "".join(made)
    return text if re.search(pattern, text) else None


def letter_of(piece: re.Match[str]) -> str | None:
    """One letter that a piece of a pattern takes."""
    if piece["set"] is None:
        return piece["escaped"] or piece["letter"]
    try:
        taken = re.compile(piece["set"])
    except re.error:
        return None
    return next((letter for letter in LETTERS if taken.fullmatch(letter)), None)
