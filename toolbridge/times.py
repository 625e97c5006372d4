"""Times: seconds since 1970, or words as RFC 3339 has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolbridge.codec import OMIT, Codec, Mismatch
from toolbridge.values import JSON, Value, same

if TYPE_CHECKING:
    from toolbridge.conversion import Reading, Writing


LONGEST = 253_402_300_800
"""Seconds from 1970 to the year 10000, the first that RFC 3339 has no words for."""


class Timestamp(Codec):
    """Seconds since 1970, `whole` where fractions are refused; `worded` writes them as RFC 3339
    has them. Reads either."""

    def __init__(self, whole: bool = False, worded: bool = False) -> None:
        super().__init__("a time", float, int)
        self.whole, self.worded = whole, worded
        self.exact = None

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, (int, float, str)) and raw.__class__ is not bool:
            return raw
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if writing.owns(owner):
            return item
        seconds = item if isinstance(item, (int, float)) else seconds_of(item)
        if seconds is None or not -LONGEST < seconds < LONGEST:
            writing.lose(owner, "created")
            return OMIT
        written = worded(seconds) if self.worded else int(seconds) if self.whole else seconds
        if not same(as_read(written, item), item):
            writing.approximate(owner, "created", f"{item!r} is written as {written!r}")
        return written


def as_read(written: JSON, item: JSON) -> JSON:
    """A time in the form that it came in: what the way back makes of it."""
    seconds = seconds_of(written) if isinstance(written, str) else written
    return worded(seconds or 0) if isinstance(item, str) else seconds


def worded(seconds: float) -> str:
    """A time as RFC 3339 has it, in whole seconds."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds_of(word: str) -> int | None:
    """The seconds since 1970 of a time in words, or None if it is no time."""
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(word.replace("Z", "+00:00"))
    except ValueError:
        return None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
