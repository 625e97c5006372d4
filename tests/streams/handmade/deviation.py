"""A stream that deviates, and what must come out of it."""

from __future__ import annotations

import dataclasses
from typing import Any

Json = Any
Call = tuple[str | None, str, Json]
"""Id (None for one that must be made), name and arguments."""


@dataclasses.dataclass(frozen=True)
class Deviation:
    """A stream and what is read of it; `errors` are the names of calls that do not run."""

    data: list[Json]
    text: str = ""
    calls: tuple[Call, ...] = ()
    stop: str = "tool_calls"
    usage: tuple[int, int] | None = None
    errors: tuple[str, ...] = ()
    thoughts: str = ""


A, B = '{"n":1}', '{"n":2}'
TWO: tuple[Call, ...] = (("c1", "f", {"n": 1}), ("c2", "g", {"n": 2}))
ONE: tuple[Call, ...] = TWO[:1]
"""Two calls, and the first of them: with these arguments."""
