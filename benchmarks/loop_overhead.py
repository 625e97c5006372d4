"""What the loop itself costs, beside other loops, with scripted answers and no network.

    python benchmarks/loop_overhead.py [--rounds N] [--steps 10 100 1000]

Runs of 10, 100 and 1,000 steps with a call in each, and one step with 1, 8 and 64 calls; with
`tb.run` and a function, and with `tb.arun` and an async one. In process, what is between a loop and
its answers is as little as each library has; through OpenAI's SDK, all have the same, and send
the whole history each time. `loop_script.py` says how each gets its answers, `loop_peers.py`
what the others do and leave out. They are installed as for `schema_peers.py`.

All is CPU time, of all threads. Where a run grows linearly, its time per step is that of a short
run: the last cell of the first table says by how much the dearest size differs from the cheapest.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from statistics import median
from typing import Any, Final

import loop_peers
from loop_script import LAST, RAN, Loop, Script, Stage, toolbridge
from measure import Row, Times, ratios, show, side_by_side

STEPS: Final = (10, 100, 1000)
SDK_STEPS: Final = 100
"""Runs longer than this would measure how the SDK writes the history."""

SHORT: Final = (10, 100)
"""What `run.py` measures: a run of a thousand steps takes some loops half a minute."""

CALLS: Final = (1, 8, 64)
CALLS_A_ROUND: Final = 64
OURS: Final = "toolbridge"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description="Ratios of CPU time, measured side by side.")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--steps", type=int, nargs="+", default=STEPS, help="sizes of runs")
    given = parser.parse_args(arguments)
    for title, rows in tables(given.rounds, given.steps):
        show(title, rows)


def tables(rounds: int, sizes: Sequence[int] = STEPS) -> Iterator[tuple[str, list[Row]]]:
    """Title and rows of each table."""
    loops = {OURS: toolbridge, **loop_peers.found()}
    if absent := loop_peers.missing():
        yield f"Not installed here, and not measured: {', '.join(absent)}", [("loop_peers.py",)]
    with asyncio.Runner() as runner:
        stages = [Stage(runner.get_loop(), *each) for each in product((False, True), repeat=2)]
        times = {
            (stage, size): measured(loops, Script(size), stage, longest // size, rounds)
            for stage in stages
            for size, longest in fitting(stage, sizes)
        }
        yield "CPU time per step, in microseconds: runs with a call in each step", growth(times)
        yield (
            "Runs with a call in each step, in times of toolbridge",
            [
                (f"{told(stage)}, {size} steps", *ratios(each, OURS))
                for (stage, size), each in times.items()
            ],
        )
        yield (
            "One step and the last answer, in times of toolbridge",
            [
                (f"{told(stage)}, {count} calls", *parallel(loops, count, stage, rounds))
                for stage, count in product(stages, CALLS)
            ],
        )


def fitting(stage: Stage, sizes: Iterable[int]) -> list[tuple[int, int]]:
    """The sizes that are measured on a stage, each beside the largest of them."""
    found = [size for size in sizes if size <= SDK_STEPS or not stage.through_sdk]
    return [(size, max(found)) for size in found]


def told(stage: Stage) -> str:
    """What the rows of a stage begin with."""
    way = "SDK" if stage.through_sdk else "in process"
    return f"{way}, {'async' if stage.asynchronous else 'sync'}"


def measured(
    loops: Mapping[str, Loop], script: Script, stage: Stage, repeats: int, rounds: int
) -> Times:
    """The time of a script with each loop, side by side."""
    things = {name: checked(loop(script, stage), script) for name, loop in loops.items()}
    return side_by_side(things, dict.fromkeys(things, repeats), rounds)


def checked(run: Callable[[], Any], script: Script) -> Callable[[], object]:
    """A run of which every call ran, once. Raises AssertionError otherwise."""
    count = len(script.results)

    def whole() -> None:
        RAN.clear()
        said = run()
        assert LAST in (said, getattr(said, "text", None)), said
        assert len(RAN) == count, f"{len(RAN)} calls ran, of {count}"

    return whole


def growth(times: Mapping[tuple[Stage, int], Times]) -> list[Row]:
    """A row for each loop in process: its time per step at each size, and how far they differ."""
    rows: dict[str, dict[int, float]] = {}
    for (stage, size), measurements in times.items():
        for name, each in measurements.items():
            if not stage.through_sdk:
                row = rows.setdefault(f"{name}, {told(stage).split()[-1]}", {})
                row[size] = median(each) / size * 1e6
    return [
        (
            name,
            *(f"{size}: {each:.0f}" for size, each in sizes.items()),
            f"dearest to cheapest: {max(sizes.values()) / min(sizes.values()):.2f}",
        )
        for name, sizes in rows.items()
    ]


def parallel(loops: Mapping[str, Loop], count: int, stage: Stage, rounds: int) -> list[str]:
    """The cells for a step of so many calls: the time per call of ours, the ratios of others."""
    times = measured(loops, Script(2, count), stage, max(CALLS_A_ROUND // count, 4), rounds)
    ours = median(times[OURS]) / count * 1e6
    return [f"toolbridge: {ours:.0f} µs a call", *ratios(times, OURS)]


if __name__ == "__main__":
    main()
