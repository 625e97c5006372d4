"""Law 2, the share of source leaves that each pair carries: measured, and held against a file.

    cd tests && python -m laws.shares

writes the file anew. A share may only rise: where it falls, a test fails.
"""

import functools
import json
import math
from pathlib import Path

from .round_trip import PAIRS, Trip, asked_of, trip

FILE = Path(__file__).with_name("shares.json")
DIGITS = 10_000


@functools.cache
def trips(source: str, target: str) -> dict[str, Trip]:
    """The round trip of every request and response of a format, by name."""
    return {
        f"{recording} {kind}": trip(body, source, target, kind)
        for recording, kind, body in asked_of(source)
    }


def share(source: str, target: str) -> float:
    """The share of source leaves that a pair carries, rounded down."""
    coverages = [each.coverage for each in trips(source, target).values()]
    carried = sum(coverage.carried for coverage in coverages)
    return math.floor(DIGITS * carried / sum(each.total for each in coverages)) / DIGITS


def name(source: str, target: str) -> str:
    """The key of a pair in the file."""
    return f"{source} > {target}"


def checked_in() -> dict[str, float]:
    """The shares in the file."""
    shares: dict[str, float] = json.loads(FILE.read_text(encoding="utf-8"))
    return shares


def write() -> None:
    """Write the file anew from the recordings."""
    shares = {name(*pair): share(*pair) for pair in PAIRS}
    FILE.write_text(json.dumps(shares, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
