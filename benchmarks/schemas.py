"""How schemas of tools come out of toolbridge and of other libraries, over real schemas.

    PYTHONPATH=.:adapters peers/bin/python benchmarks/schemas.py [--every N] [target ...]

The schemas are those of MaskBench, each with instances labelled valid or invalid; `schema_peers.py`
says which functions stand beside toolbridge's and how they are installed. For each target:

- taken: toolbridge's own table of what the target takes finds nothing; a function that raises, or
  is not done within 20 seconds, is not taken. "Leniently" leaves out what the table refuses out of
  caution, with no word of the vendor; all rows that say "taken" below that mean this judgement.
- kept: the schema that is sent, read by jsonschema, accepts a valid instance. For toolbridge the
  instance goes through the form of the schema, and must come back equal. The others have no form;
  so that they are not held to one, an absent property may be null where it is required.
- refused: the schema that is sent refuses an instance that the original refuses.
- time: CPU time beside that of toolbridge, nothing remembered, schema by schema in turns, the best
  of the rounds; over the schemas that every function is done with within a second.
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
import gc
import gzip
import json
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import schema_peers
import toolbridge
from schema_peers import Adapt
from schema_reading import accepts, lowered, validator
from toolbridge.registry import find
from toolbridge.schemas.adapt import adapt_schema
from toolbridge.schemas.check import findings
from toolbridge.schemas.dialect import Dialect, Status, resolve_dialect
from toolbridge.schemas.forms import SAME
from toolbridge.schemas.instances import equal
from toolbridge.schemas.records import Adapted
from toolbridge.schemas.words import nodes
from toolbridge.values import JSON
from toolbridge_google.openapi import with_types

CORPUS: Final = Path(__file__).parents[2] / "shared/corpus/schemas/maskbench-dev.jsonl.gz"
LIMIT: Final = 20.0
"""Seconds after which a function is not waited for."""

TIMED: Final = 1.0
"""Seconds that a function may take for a schema that is timed."""

LENIENT: Final[dict[str, tuple[frozenset[str], dict[str, Any]]]] = {
    "openai-chat strict": (frozenset({"minLength", "maxLength"}), {"others": "text"}),
    "anthropic strict": (
        frozenset({"allOf"}),
        {"others": "text", "typed": False, "nesting": None},
    ),
    "gemini:parameters": (
        frozenset({"default", "example"}),
        {"typed": False, "nesting": None, "empty_objects": True},
    ),
}
"""Keywords and limits that a table refuses with no word of the vendor, by target."""


class Real(NamedTuple):
    """A schema of the corpus, its valid instances, and the invalid ones that it refuses."""

    id: str
    schema: Any
    valid: list[JSON]
    invalid: list[JSON]


class Function(NamedTuple):
    """What is compared: the head of its column, what it is, how it is called and forgets."""

    column: str
    told: str
    run: Adapt
    forget: Callable[[], None]


class Judged(NamedTuple):
    """What was counted for a function, and the seconds it took by schema, if it was done."""

    counts: Counter[str]
    seconds: dict[str, float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge and time all functions, a table a target."""
    parser = argparse.ArgumentParser(description="Schemas adapted by toolbridge and by others.")
    parser.add_argument("targets", nargs="*", default=[*schema_peers.PEERS], metavar="target")
    parser.add_argument("--rounds", type=int, default=3, help="of timing; default: 3")
    parser.add_argument("--every", type=int, default=1, help="take every Nth schema")
    given = parser.parse_args(arguments)
    if not CORPUS.exists():
        print(f"Not measured: there is no {CORPUS}")
        return
    warnings.simplefilter("ignore")
    reals = list(read_corpus())[:: given.every]
    gc.freeze()  # the corpus is no garbage to look through for whoever allocates much
    for target in given.targets:
        table(target, reals, given.rounds)


def read_corpus() -> Iterator[Real]:
    """The schemas; what is labelled invalid counts if jsonschema refuses it too."""
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            original = validator(row["schema"])
            yield Real(
                row["id"],
                row["schema"],
                [each["data"] for each in row["tests"] if each["valid"]],
                [
                    each["data"]
                    for each in row["tests"]
                    if not each["valid"] and accepts(original, each["data"]) is False
                ],
            )


def table(target: str, reals: list[Real], rounds: int) -> None:
    """Judge and time the functions for one target, and print what comes out."""
    name, _, strict = target.partition(" ")
    adapter, profile = find(name)
    dialect = resolve_dialect(adapter.schemas, bool(strict), profile, None)
    peers = schema_peers.found(target)
    functions = [ours(dialect)] + [
        Function(each.column, schema_peers.told(each), each.make(), each.forget) for each in peers
    ]
    tables = (dialect, lenient(dialect, target))
    judged = [judge(function, reals, tables, target) for function in functions]
    print(f"{target}: {len(reals)} schemas\n")
    rows = [
        ("", [each.column for each in functions]),
        *counted(reals, [each.counts for each in judged]),
        *timed(reals, functions, judged, rounds),
    ]
    for head, cells in rows:
        print(f"  {head:<44}" + "".join(f"{cell:>16}" for cell in cells))
    print()
    for function in functions:
        print(f"  {function.column}: {function.told}")
    missing = {each.package for each in schema_peers.PEERS[target]} - {p.package for p in peers}
    if missing:
        print(f"  Not installed here: {', '.join(sorted(missing))}")
    print(flush=True)


def ours(dialect: Dialect) -> Function:
    """toolbridge's, with the types that Google's subset writes in upper case."""

    def run(schema: JSON) -> Adapted:
        made = adapt_schema(schema, dialect)
        if made.left:
            raise ValueError(made.left)
        upper = not dialect.type_lists
        return made._replace(schema=with_types(made.schema, str.upper)) if upper else made

    forget: Callable[[], None] = schema_peers.load("toolbridge.schemas.adapt")._known.clear
    version = toolbridge.__version__
    return Function("toolbridge", f"adapt_schema, toolbridge {version}", run, forget)


def lenient(dialect: Dialect, target: str) -> Dialect:
    """The table without what is not the vendor's word."""
    words, limits = LENIENT.get(target, (frozenset[str](), {}))
    statuses: dict[str, Status] = {**dialect.statuses}
    for word in words:
        statuses[word] = "text"
    return dataclasses.replace(dialect, statuses=statuses, **limits)


def judge(
    function: Function, reals: list[Real], tables: tuple[Dialect, Dialect], target: str
) -> Judged:
    """Everything that is counted for a function."""
    counts: Counter[str] = Counter()
    seconds: dict[str, float] = {}
    for number, real in enumerate(reals, 1):
        shown = f"{target}, {function.column}: {number}/{len(reals)}"
        print(f"\r{shown}\033[K", end="", file=sys.stderr, flush=True)
        function.forget()
        before = time.process_time()
        made = outcome(function, real.schema)
        spent = time.process_time() - before
        if isinstance(made, Exception):
            counts["raised"] += 1
            counts["waited for"] += isinstance(made, TimeoutError)
            continue
        seconds[real.id] = spent
        taken = is_taken(typed_by_values(made.schema), tables[1])
        counts["taken"] += is_taken(made.schema, tables[0])
        counts["leniently"] += taken
        counts["objects"] += taken and real.schema.get("type") == "object"
        count_instances(made, real, taken, tables[0], counts)
    print(file=sys.stderr)
    return Judged(counts, seconds)


def outcome(function: Function, schema: JSON) -> Adapted | Exception:
    """What a function makes of a schema, as JSON with types in lower case, or why it does not."""
    given = copy.deepcopy(schema)
    try:
        with limited():
            made = function.run(given)
        made = made if isinstance(made, Adapted) else Adapted(made, SAME)
        return made._replace(schema=lowered(json.loads(json.dumps(made.schema))))
    except Exception as error:  # whatever it is, nothing would be sent
        return error


@contextmanager
def limited() -> Generator[None]:
    """Interrupt what takes longer than LIMIT, and again, should the library catch that. Not by a
    timer of CPU time: while one runs, and shortly after, the clock of CPU time steps by 4 ms."""
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, LIMIT, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def interrupt(*_: object) -> None:
    """The time is up."""
    raise TimeoutError


def typed_by_values(schema: Any) -> Any:
    """A schema in which an enum or a const says a type, as some read it, but for the root."""
    made = copy.deepcopy(schema)
    for place, node in nodes(made):
        if place and node.keys() & {"enum", "const"}:
            node.setdefault("type", "string")
    return made


def is_taken(schema: JSON, dialect: Dialect) -> bool:
    """Whether the table finds nothing; it may be that it cannot read the schema at all."""
    try:
        return not findings(schema, dialect)
    except Exception:
        return False


def count_instances(
    made: Adapted, real: Real, taken: bool, dialect: Dialect, counts: Counter[str]
) -> None:
    """Which instances the schema that is sent keeps, and which it refuses."""
    reading = validator(made.schema, nullable=not dialect.type_lists)
    for data in real.valid:
        given = made.form.forward(data)
        kept = accepts(reading, given) is True and equal(made.form.restore(given), data)
        filled = kept or (made.form is SAME and accepts(reading, data, nulls=True) is True)
        counts["kept"] += kept
        counts["filled"] += filled
        counts["kept, taken"] += filled and taken
    for data in real.invalid:
        refused = accepts(reading, made.form.forward(data)) is False
        counts["refused"] += refused
        counts["refused, taken"] += refused and taken


def counted(reals: list[Real], counts: list[Counter[str]]) -> Iterator[tuple[str, list[str]]]:
    """The rows of what was counted, with shares in percent."""
    objects = sum(real.schema.get("type") == "object" for real in reals)
    valid = sum(len(real.valid) for real in reals)
    invalid = sum(len(real.invalid) for real in reals)
    yield "raised", [str(each["raised"]) for each in counts]
    yield f"  after {LIMIT:.0f} seconds", [str(each["waited for"]) for each in counts]
    for head, name, of in (
        (f"schemas taken, of {len(reals)}", "taken", len(reals)),
        ("  leniently", "leniently", len(reals)),
        (f"  leniently, of {objects} that are of objects", "objects", objects),
        (f"valid instances kept, of {valid}", "kept", valid),
        ("  with null for what is absent", "filled", valid),
        ("  by a schema that is taken (leniently)", "kept, taken", valid),
        (f"invalid instances refused, of {invalid}", "refused", invalid),
        ("  by a schema that is taken (leniently)", "refused, taken", invalid),
    ):
        yield head, [f"{each[name]} {100 * each[name] / max(of, 1):5.1f}%" for each in counts]


def timed(
    reals: list[Real], functions: list[Function], judged: list[Judged], rounds: int
) -> Iterator[tuple[str, list[str]]]:
    """The rows of times, as ratios to the first function."""
    chosen = [
        real for real in reals if all(each.seconds.get(real.id, TIMED) < TIMED for each in judged)
    ]
    best = times(chosen, functions, rounds)
    total, middle = [sum(each) for each in best], [median(each) for each in best]
    yield f"time, all {len(chosen)} schemas", [f"{each / total[0]:.2f}" for each in total]
    yield "  of the median schema", [f"{each / middle[0]:.2f}" for each in middle]
    yield "  of the median schema, in ms", [f"{1000 * each:.3f}" for each in middle]
    yield "  of the slowest schema, in s", [f"{max(each.seconds.values()):.2f}" for each in judged]


def times(reals: list[Real], functions: list[Function], rounds: int) -> list[list[float]]:
    """The best CPU time of each function for each schema, in turns."""
    best = [[float("inf")] * len(reals) for _ in functions]
    for number in range(rounds):
        for index, real in enumerate(reals):
            shown = f"timing, round {number + 1}/{rounds}: {index + 1}/{len(reals)}"
            print(f"\r{shown}\033[K", end="", file=sys.stderr, flush=True)
            for function, kept in zip(functions, best, strict=True):
                function.forget()
                before = time.process_time()
                function.run(real.schema)
                kept[index] = min(kept[index], time.process_time() - before)
    print(file=sys.stderr)
    return best


if __name__ == "__main__":
    main()
