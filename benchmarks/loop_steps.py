"""How long the requests of a run take to write, as ratios measured side by side in one process.

    python benchmarks/loop_steps.py [--rounds N]

The requests of scripted runs of 10, 100 and 1,000 steps, each step a call and its result, are
written as the loop writes them: the history once, each request with what is new in it. Where that
is so, the time per step of a long run is that of a short one. Beside it, the same requests written
each by itself, the whole history again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Final

import toolbridge as tb
from measure import Row, Things, ratio, show, side_by_side
from toolbridge.convert import write_offered
from toolbridge.growing import GrowingWriter

MODELS: Final = {
    "anthropic": "claude-sonnet-4-6",
    "openai-chat": "gpt-5",
    "openai-responses": "gpt-5",
    "gemini": "gemini-3-pro",
}
SIZES: Final = (10, 100, 1000)
STEPS_A_ROUND: Final = 1000
WHOLE_SIZES: Final = (10, 100)
"""A run of a thousand steps written whole takes half a minute."""

SCHEMA: Final = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city", "days"],
}
TOOLS: Final = tuple(
    tb.ToolSpec(name=name, description=f"The {name} of a city.", parameters=SCHEMA)
    for name in ("weather", "news", "traffic", "air")
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description="Ratios of CPU time, measured side by side.")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    rounds = parser.parse_args(arguments).rounds
    runs = {size: requests_of(size) for size in SIZES}
    title = "CPU time per step of a run, in times of that of 10 steps"
    show(f"{title}: the history written once", growth(runs, rounds))
    show(f"The same at {WHOLE_SIZES[-1]} steps, written once and whole", against(runs, rounds))


def growth(runs: dict[int, list[tb.Request]], rounds: int) -> list[Row]:
    """Time per step of longer and longer runs; the same number of steps a round."""
    loops = {str(size): STEPS_A_ROUND // size for size in SIZES}
    rows = []
    for target in MODELS:
        things: Things = {str(size): partial(write_once, runs[size], target) for size in SIZES}
        times = side_by_side(things, loops, rounds)
        per_step = {size: [each / size for each in times[str(size)]] for size in SIZES}
        shown = (f"{size}: {ratio(per_step[size], per_step[SIZES[0]])}" for size in SIZES)
        rows.append((target, *shown))
    return rows


def against(runs: dict[int, list[tb.Request]], rounds: int) -> list[Row]:
    """Time per step of runs written once and whole, in times of 10 steps written once."""
    short, long = WHOLE_SIZES
    rows = []
    for target in MODELS:
        things: Things = {
            "short": partial(write_once, runs[short], target),
            "once": partial(write_once, runs[long], target),
            "whole": partial(write_whole, runs[long], target),
        }
        times = side_by_side(things, {"short": long // short, "once": 1, "whole": 1}, rounds)
        steps = {"short": short, "once": long, "whole": long}
        per_step = {name: [each / steps[name] for each in times[name]] for name in things}
        shown = (f"{name}: {ratio(per_step[name], per_step['short'])}" for name in things)
        rows.append((target, *shown))
    return rows


def requests_of(steps: int) -> list[tb.Request]:
    """The requests of a run of so many steps, as the loop makes them."""
    history = [tb.Message(role="user", parts=(tb.Text(text="출장 준비를 도와줘."),))]
    system = tb.Message(role="system", parts=(tb.Text(text="Plan trips."),))
    base = tb.Request(instructions=system, tools=TOOLS)
    requests = []
    for step in range(steps):
        requests.append(base.replace(history=tuple(history)))
        history += messages_of(step)
    return requests


def messages_of(step: int) -> list[tb.Message]:
    """A call and its result."""
    name = TOOLS[step % len(TOOLS)].name
    arguments = {"city": f"도시 {step}", "days": 1 + step % 5}
    call = tb.ToolCall(id=f"call_{step}", name=name, arguments=arguments)
    said = tb.Text(text=f"다음으로 {step}번째를 알아볼게요.")
    result = tb.ToolResult(call_id=call.id, parts=(tb.Text(text=f"맑음, {step} °C"),))
    return [
        tb.Message(role="assistant", parts=(said, call)),
        tb.Message(role="tool", parts=(result,)),
    ]


def write_once(requests: list[tb.Request], target: str) -> None:
    """All requests of a run, as the loop writes them."""
    writer = GrowingWriter(target, MODELS[target])
    for request in requests:
        writer.write_offered(request)


def write_whole(requests: list[tb.Request], target: str) -> None:
    """All requests of a run, each by itself."""
    for request in requests:
        write_offered(request, target, model=MODELS[target], stream=request.stream)


if __name__ == "__main__":
    main()
