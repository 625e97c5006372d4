"""`toolbridge convert --kind stream`: each event goes out as soon as it is known."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import BinaryIO

from toolbridge.commands.output import (
    FINE,
    LOSSES,
    encoded,
    is_grave,
    opened_input,
    opened_output,
    summary,
    tell,
    write_losses,
)
from toolbridge.recognise import AUTO
from toolbridge.streams.pipe import Pipe

AT_A_TIME = 65_536
"""Bytes read at once at most; what has arrived is read without waiting for more."""


def run_stream(options: argparse.Namespace) -> int:
    """Convert the text of one stream. Losses are known when the whole answer is."""
    pipe = Pipe(options.source, options.target, options.form)
    with opened_input(options.input) as source, opened_output(options.output) as target:
        for text in pipe.run(pieces(source)):
            target.write(encoded(text))
            target.flush()
    if options.source == AUTO:
        tell(f"format: {pipe.source} (recognised)")
    if pipe.is_broken_off:
        tell("the stream broke off: its answer is not whole")
    tell(summary(pipe.losses))
    if options.losses:
        write_losses(pipe.losses, options.losses)
    if options.strict and any(map(is_grave, pipe.losses)):
        tell("meaning was lost: --strict")
        return LOSSES
    return FINE


def pieces(file: BinaryIO) -> Iterator[bytes]:
    """What a file gives as it comes."""
    read = getattr(file, "read1", file.read)
    while piece := read(AT_A_TIME):
        yield piece
