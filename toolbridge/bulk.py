"""Many payloads at a time: JSON lines in, JSON lines out, in constant memory.

Lines of batches and data sets are unwrapped, and wrapped again.
"""

from __future__ import annotations

import json
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import NamedTuple

from toolbridge.batch_lines import Held, is_unanswered, rewrap, unwrap, wrap
from toolbridge.convert import convert
from toolbridge.errors import ConversionError, ToolbridgeError
from toolbridge.loss import Loss
from toolbridge.recognise import AUTO, recognise
from toolbridge.values import JSON

LINES_AT_A_TIME = 64
BYTES_AT_A_TIME = 1_000_000
"""What a process gets at once: enough to make the way there and back cheap, and little enough
to keep in memory several times over."""

AHEAD = 2
"""Groups that wait for each process."""


class Task(NamedTuple):
    """What is to be done with each line; `batch`: the wrapper becomes that of the target."""

    source: str
    target: str
    kind: str = "request"
    model: str | None = None
    batch: bool = False


class Fault(NamedTuple):
    """Why a line has no payload of the target: it is not `readable`, or cannot be converted."""

    readable: bool
    told: str


class Line(NamedTuple):
    """One line converted: its `number` from 1, the `text` to write or the `fault`, its losses,
    how long it was in bytes, and the format that it was taken for."""

    number: int
    size: int
    source: str
    text: str | None = None
    losses: tuple[Loss, ...] = ()
    fault: Fault | None = None


Numbered = tuple[int, bytes]
Lines = Generator[Line, None, None]


def convert_lines(lines: Iterable[bytes], task: Task, jobs: int = 1) -> Lines:
    """Each line converted, in order, by so many processes; empty lines are left out."""
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip(BLANK))
    if jobs <= 1:
        return (convert_line(task, number, line) for number, line in numbered)
    return in_parallel(numbered, task, jobs)


BLANK = b" \t\r\n\xef\xbb\xbf"
"""White space of JSON, and the byte order mark that editors on Windows put first."""


def in_parallel(numbered: Iterator[Numbered], task: Task, jobs: int) -> Lines:
    """The results of several processes in the order of the lines, a few groups ahead."""
    pool = ProcessPoolExecutor(jobs, initializer=leave_interrupts)
    waiting: deque[Future[list[Line]]] = deque()
    try:
        for group in grouped(numbered):
            waiting.append(pool.submit(convert_group, task, group))
            if len(waiting) > AHEAD * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal: the first of them ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def grouped(numbered: Iterable[Numbered]) -> Iterator[list[Numbered]]:
    """Lines in groups of so many lines or so many bytes."""
    group: list[Numbered] = []
    size = 0
    for number, line in numbered:
        group.append((number, line))
        size += len(line)
        if len(group) == LINES_AT_A_TIME or size >= BYTES_AT_A_TIME:
            yield group
            group, size = [], 0
    if group:
        yield group


def convert_group(task: Task, group: list[Numbered]) -> list[Line]:
    """Some lines, in a process of their own."""
    return [convert_line(task, number, line) for number, line in group]


def convert_line(task: Task, number: int, line: bytes) -> Line:
    """One line; what is wrong with it is told, and nothing is raised."""
    made = Line(number, len(line), task.source)
    try:
        whole = json.loads(line)
        if is_unanswered(whole) and task.kind in ("response", "error"):
            return made._replace(text=dump(whole))
        return convert_payload(task, made, unwrap(whole, task.kind))
    except ConversionError as error:
        return made._replace(fault=Fault(True, str(error)))
    except ToolbridgeError as error:
        return made._replace(fault=Fault(False, str(error)))
    except (ValueError, RecursionError) as error:
        return made._replace(fault=Fault(False, f"no JSON: {error}"))


def convert_payload(task: Task, made: Line, held: Held) -> Line:
    """What a line holds, converted. Raises ToolbridgeError."""
    source = task.source
    if source == AUTO:
        source = recognise(held.payload, held.kind, held.likely)
    done = convert(
        held.payload,
        source=source,
        target=task.target,
        kind=held.kind,
        model=task.model,
        status=held.status,
    )
    if task.batch:
        written = wrap(held, done.payload, task.target, done.envelope.path)
    else:
        written = rewrap(held, done.payload)
    return made._replace(text=dump(written), losses=done.losses, source=source)


def dump(written: JSON) -> str:
    """A line of JSON, in UTF-8 as it is."""
    return json.dumps(written, ensure_ascii=False)
