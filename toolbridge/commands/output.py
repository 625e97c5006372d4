"""What the commands read, write and say."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from toolbridge.convert import Envelope
from toolbridge.loss import Loss
from toolbridge.values import JSON

FINE, FAILED, USAGE, LOSSES, UNREADABLE, IMPOSSIBLE = range(6)
"""The exit codes of every command."""

INTERRUPTED = 130
"""What shells say of a program that Ctrl-C ended."""


@contextmanager
def opened_input(name: str) -> Generator[BinaryIO, None, None]:
    """A file, or standard input."""
    if name == "-":
        yield sys.stdin.buffer
    else:
        with Path(name).open("rb") as file:
            yield file


@contextmanager
def opened_output(name: str | None) -> Generator[IO[bytes], None, None]:
    """A file, or standard output."""
    if name is None or name == "-":
        yield sys.stdout.buffer
    else:
        with Path(name).open("wb") as file:
            yield file


def is_same_file(source: str, target: str | None) -> bool:
    """Whether what is read piece by piece would be written over."""
    if source == "-" or target in (None, "-"):
        return False
    return Path(target).exists() and Path(target).samefile(source)


def dump(payload: JSON, compact: bool) -> str:
    """A payload as text, in UTF-8 as it is."""
    if compact:
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return json.dumps(payload, ensure_ascii=False, indent=2)


SURROGATE = re.compile("[\ud800-\udfff]")


def encoded(text: str) -> bytes:
    """JSON in UTF-8. Half a surrogate pair has none: it stays the escape that it was, as some
    servers cut an emoji in two between two deltas."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode()


def write_output(text: str, name: str | None) -> None:
    """Write a text and a line end to a file, or to standard output."""
    with opened_output(name) as file:
        file.write(encoded(f"{text}\n"))


def write_losses(losses: Iterable[Loss], name: str) -> None:
    """Losses as JSON lines."""
    with Path(name).open("w", encoding="utf-8") as file:
        file.writelines(loss_line(loss) for loss in losses)


def loss_line(loss: Loss, **beside: JSON) -> str:
    """A loss as a line of JSON."""
    return json.dumps({**beside, **loss._asdict()}, ensure_ascii=False) + "\n"


def summary(losses: tuple[Loss, ...], envelope: Envelope | None = None) -> str:
    """The losses and the envelope as a person reads them."""
    lines = []
    for name, told in (envelope._asdict() if envelope else {}).items():
        if told:
            lines.append(f"{name}: {', '.join(told) if isinstance(told, tuple) else told}")
    if losses:
        lines.append(headline(sum(map(is_grave, losses)), len(losses)))
        lines += map(line, sorted(losses, key=is_grave, reverse=True))
    return "\n".join(lines)


def headline(warnings: int, all_losses: int) -> str:
    """How many losses there are of each severity."""
    notes = all_losses - warnings
    return f"losses: {warnings} of meaning (warning), {notes} of bookkeeping (note)"


def is_grave(loss: Loss) -> bool:
    """Whether a loss is one of meaning."""
    return loss.severity == "warning"


def line(loss: Loss) -> str:
    """One loss as a line."""
    place = loss.path or "(top)"
    return f"  {loss.severity:7}  {loss.effect:12}  {place}  {loss.code}: {loss.detail}"


def tell(text: str) -> None:
    """Say something on standard error, if there is something to say."""
    if text:
        print(text, file=sys.stderr, flush=True)


def fail(code: int, message: str) -> int:
    """Say what is wrong; gives the exit code."""
    tell(f"toolbridge: {message}")
    return code
