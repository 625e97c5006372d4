"""The command line as tests run it: in this process, or as a program of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from project import python

FINE, USAGE, LOSSES, UNREADABLE, IMPOSSIBLE, INTERRUPTED = 0, 2, 3, 4, 5, 130

PROGRAM: Final = python(
    "import runpy; runpy.run_module('toolbridge', run_name='__main__', alter_sys=True)"
)
"""`python -m toolbridge` in an interpreter of its own."""


class Ran(NamedTuple):
    """What one run of the command line gave."""

    code: int
    out: bytes
    err: str

    @property
    def payload(self) -> Any:
        """The output as one JSON value."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


def as_lines(*payloads: Any) -> bytes:
    """Payloads as JSON lines; what is bytes already stands as it is."""
    return b"".join(
        each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in payloads
    )
