"""When a vendor says to come again, from the headers of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds_of(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """The seconds to wait: `retry-after-ms`, which OpenAI and Anthropic send, else `retry-after`
    in seconds or as a date (RFC 9110, 10.2.3). Names are lower-case; None where nothing is said.
    """
    milliseconds = number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    told = headers.get("retry-after")
    seconds = number(told)
    if told is None or seconds is not None:
        return seconds
    try:
        date = parsedate_to_datetime(told)
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max((aware - (now or datetime.now(UTC))).total_seconds(), 0.0)


def number(text: str | None) -> float | None:
    """A number that is no less than nothing, or None."""
    try:
        made = float(text) if text is not None else None
    except ValueError:
        return None
    return made if made is not None and 0 <= made < float("inf") else None
