"""Ratios of CPU time, measured side by side: a ratio says the same on a fast machine and on a
busy one."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from statistics import median

Row = tuple[str, ...]
Things = Mapping[str, Callable[[], object]]
"""What takes turns, by name."""

Times = dict[str, list[float]]


def side_by_side(
    things: Things,
    loops: Mapping[str, int],
    rounds: int,
    clock: Callable[[], float] = time.process_time,
) -> Times:
    """The time of each thing in each round. All take turns, so that a machine that slows down
    slows all of them; the first round only warms up."""
    times: Times = {name: [] for name in things}
    for number in range(rounds + 1):
        print(f"\r{', '.join(things)}: {number}/{rounds}", end="", file=sys.stderr, flush=True)
        for name, run in things.items():
            before = clock()
            for _ in range(loops[name]):
                run()
            if number:
                times[name].append((clock() - before) / loops[name])
    print(file=sys.stderr)
    return times


def ratio(these: list[float], those: list[float]) -> str:
    """The median over the rounds of the ratio within a round."""
    return f"{median(this / that for this, that in zip(these, those, strict=True)):.2f}"


def ratios(times: Times, to: str) -> Iterable[str]:
    """Each thing but one as a ratio to that one."""
    return (f"{name}: {ratio(each, times[to])}" for name, each in times.items() if name != to)


def show(title: str, rows: list[Row]) -> None:
    """A table on standard output."""
    print(f"{title}\n")
    width = max(len(row[0]) for row in rows)
    for name, *cells in rows:
        print(f"  {name.ljust(width)}  {'   '.join(cells)}")
    print(flush=True)
