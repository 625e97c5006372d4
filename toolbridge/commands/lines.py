"""`toolbridge convert --jsonl`: a payload a line, in constant memory."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO

from toolbridge.bulk import Line, Task, convert_lines
from toolbridge.commands.output import (
    FINE,
    IMPOSSIBLE,
    LOSSES,
    UNREADABLE,
    encoded,
    headline,
    is_grave,
    loss_line,
    opened_input,
    opened_output,
    tell,
)
from toolbridge.loss import CODES
from toolbridge.recognise import AUTO


class Tally:
    """What is known of all lines so far, in numbers."""

    def __init__(self) -> None:
        self.lines = self.written = self.unreadable = self.impossible = self.lossy = 0
        self.losses: Counter[str] = Counter()
        self.sources: Counter[str] = Counter()

    def take(self, line: Line, strict: bool) -> str | None:
        """Count a line in; gives why it is left out, or None where it is written."""
        self.lines += 1
        self.losses.update(loss.code for loss in line.losses)
        if line.fault is not None:
            self.unreadable += not line.fault.readable
            self.impossible += line.fault.readable
            return line.fault.told
        self.sources[line.source] += 1
        grave = [loss for loss in line.losses if is_grave(loss)]
        if strict and grave:
            self.lossy += 1
            return f"left out under --strict: {grave[0].code} at {grave[0].path or 'the top'}"
        self.written += 1
        return None

    def exit_code(self, strict: bool) -> int:
        """Without --strict a line that was left out is no failure: it was told."""
        if not strict:
            return FINE
        if self.unreadable:
            return UNREADABLE
        if self.impossible:
            return IMPOSSIBLE
        return LOSSES if self.lossy else FINE

    def summary(self, recognised: bool) -> Iterator[str]:
        """The numbers as a person reads them."""
        yield f"lines: {self.lines}, {self.written} written, {self.lines - self.written} left out"
        if recognised:
            told = (f"{name} {count}" for name, count in self.sources.most_common())
            yield f"formats: {', '.join(told) or 'none'} (recognised)"
        if self.losses:
            rows = [(CODES[code], code, count) for code, count in self.losses.most_common()]
            warnings = sum(count for row, _, count in rows if row.severity == "warning")
            yield headline(warnings, self.losses.total())
            for row, code, count in sorted(rows, key=lambda each: each[0].severity == "note"):
                yield f"  {row.severity:7}  {row.effect:12}  {count:7}  {code}: {row.meaning}"


def run_lines(options: argparse.Namespace) -> int:
    """Convert each line; what is wrong with one is told, and the others go on."""
    task = Task(options.source, options.target, options.kind, options.model, options.batch)
    tally = Tally()
    with ExitStack() as stack:
        source = stack.enter_context(opened_input(options.input))
        target = stack.enter_context(opened_output(options.output))
        losses = stack.enter_context(opened_losses(options.losses))
        bar = stack.enter_context(progress(source))
        converted = stack.enter_context(closing(convert_lines(source, task, options.jobs or 1)))
        for line in converted:
            bar.update(line.size)
            if losses is not None:
                losses.writelines(loss_line(loss, line=line.number) for loss in line.losses)
            wrong = tally.take(line, options.strict)
            if wrong is not None:
                bar.write(f"line {line.number}: {wrong}")
            elif line.text is not None:
                target.write(encoded(f"{line.text}\n"))
                target.flush()
    tell("\n".join(tally.summary(options.source == AUTO)))
    return tally.exit_code(options.strict)


@contextmanager
def opened_losses(name: str | None) -> Generator[IO[str] | None, None, None]:
    """The file for losses, if one is wanted."""
    if name is None:
        yield None
    else:
        with Path(name).open("w", encoding="utf-8") as file:
            yield file


class NoBar:
    """Stands for the progress bar where nobody watches."""

    def update(self, size: int) -> None:
        """So many bytes more are done."""

    def write(self, text: str) -> None:
        """Say something."""
        tell(text)


class Bar(NoBar):
    """A progress bar on standard error, in bytes of the input."""

    def __init__(self, total: int | None) -> None:
        from tqdm import tqdm

        self.shown: Any = tqdm(total=total, unit="B", unit_scale=True, file=sys.stderr)

    def update(self, size: int) -> None:
        self.shown.update(size)

    def write(self, text: str) -> None:
        self.shown.write(text, file=sys.stderr)


@contextmanager
def progress(source: BinaryIO) -> Generator[NoBar, None, None]:
    """A progress bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield NoBar()
        return
    bar = Bar(size_of(source))
    try:
        yield bar
    finally:
        bar.shown.close()


def size_of(source: BinaryIO) -> int | None:
    """How long a file is; None for a pipe."""
    name = getattr(source, "name", None)
    return Path(name).stat().st_size if isinstance(name, str) and Path(name).is_file() else None
