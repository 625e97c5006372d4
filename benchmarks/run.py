"""How long a conversion takes, as ratios measured side by side in one process.

    python benchmarks/run.py [--rounds N]

A conversion of `conversation.json` against parsing and writing its JSON, an import against the
bare interpreter, the time per message of longer and longer histories against a short one; streams
against parsing their events; the loop of calls beside other loops; and other libraries that
convert, where they are installed. How schemas are adapted beside other libraries is measured by
`schemas.py`, and runs of a thousand steps by `loop_overhead.py`: each takes ten minutes.

`conversation.json` was written by hand after what such traffic looks like: a customer's Korean
conversation with a shop, in Chat Completions, 42 messages, 8 tools, 13 calls, some in parallel.
"""

from __future__ import annotations

import argparse
import copy
import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

import loop_overhead
import peers
import stream_speed
import toolbridge
import toolbridge_anthropic
from measure import Row, Things, ratio, show, side_by_side

CONVERSATION: Final = Path(__file__).with_name("conversation.json")
SOURCE: Final = "openai-chat"
TARGETS: Final = ("anthropic", "openai-responses", "gemini")
TURN: Final = slice(5, 10)
"""A turn of the conversation that answers its calls: user, two calls, two results, answer."""

SIZES: Final = (10, 100, 1000, 10_000)
MESSAGES_A_ROUND: Final = 10_000
LOOPS: Final = 30
"""Runs of one thing in a row: enough to be longer than the clock's step."""

FOLDERS: Final = [
    str(Path(str(each.__file__)).parents[1]) for each in (toolbridge, toolbridge_anthropic)
]
BARE: Final = f"import sys; sys.path[:0] = {FOLDERS!r}"
IMPORT: Final = f"{BARE}; import toolbridge; toolbridge.convert"

Body = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print all tables."""
    parser = argparse.ArgumentParser(description="Ratios of CPU time, measured side by side.")
    parser.add_argument("--rounds", type=int, default=15, help="default: 15")
    rounds = parser.parse_args(arguments).rounds
    text = CONVERSATION.read_text(encoding="utf-8")
    body = json.loads(text)
    counted = f"{len(body['messages'])} messages, {len(body['tools'])} tools"
    show(f"Conversion of {counted}, in times of json.loads + json.dumps", conversions(text, rounds))
    show("Importing toolbridge.convert, in times of a bare interpreter", imports(rounds))
    show("CPU time per message, in times of that of 10 messages", growth(body, rounds))
    looping = loop_overhead.tables(max(rounds // 5, 1), loop_overhead.SHORT)
    for title, rows in chain(stream_speed.tables(rounds), looping, peers.tables(text, rounds)):
        show(title, rows)


def conversions(text: str, rounds: int) -> list[Row]:
    """Each target against parsing the body and writing it again."""
    body = json.loads(text)
    things: Things = {
        "json": partial(through_json, text),
        **{target: partial(convert, body, target) for target in TARGETS},
    }
    times = side_by_side(things, dict.fromkeys(things, LOOPS), rounds)
    return [(target, ratio(times[target], times["json"])) for target in TARGETS]


def imports(rounds: int) -> list[Row]:
    """A fresh interpreter that imports against one that does not, compiled files present."""
    started: Things = {"bare": partial(start, BARE), "import": partial(start, IMPORT)}
    times = side_by_side(started, dict.fromkeys(started, 1), rounds, children_time)
    return [("import toolbridge; toolbridge.convert", ratio(times["import"], times["bare"]))]


def growth(body: Body, rounds: int) -> list[Row]:
    """Time per message of histories of growing length; the same number of messages a round."""
    rows = []
    for target in TARGETS:
        things: Things = {
            str(size): partial(convert, long_body(body, size), target) for size in SIZES
        }
        loops = {str(size): MESSAGES_A_ROUND // size for size in SIZES}
        times = side_by_side(things, loops, max(rounds // 3, 1))
        per_message = {size: [each / size for each in times[str(size)]] for size in SIZES}
        shown = (f"{size}: {ratio(per_message[size], per_message[SIZES[0]])}" for size in SIZES)
        rows.append((target, *shown))
    return rows


def long_body(body: Body, size: int) -> Body:
    """The body with one turn of it over and over, with ids of its own each time."""
    turn = json.dumps(body["messages"][TURN], ensure_ascii=False)
    count = size // (TURN.stop - TURN.start)
    turns = (json.loads(turn.replace('"call_', f'"call_{number}_')) for number in range(count))
    messages = [message for each in turns for message in each]
    return {**copy.deepcopy(body), "messages": messages}


def through_json(text: str) -> str:
    """What every program does with a body anyway."""
    return json.dumps(json.loads(text), ensure_ascii=False)


def convert(body: Body, target: str) -> object:
    """The conversion that is measured."""
    return toolbridge.convert(body, source=SOURCE, target=target)


def start(code: str) -> None:
    """Run an interpreter of its own."""
    subprocess.run([sys.executable, "-I", "-c", code], check=True)


def children_time() -> float:
    """CPU time of all processes started so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
