"""The options of `toolbridge convert`, and the conversion of one payload."""

from __future__ import annotations

import argparse
import json
import os
from typing import Final

from toolbridge.adapter import KINDS
from toolbridge.commands.output import (
    FINE,
    LOSSES,
    USAGE,
    dump,
    fail,
    is_grave,
    is_same_file,
    opened_input,
    summary,
    tell,
    write_losses,
    write_output,
)
from toolbridge.convert import convert
from toolbridge.errors import WireError
from toolbridge.recognise import AUTO, recognise
from toolbridge.registry import find
from toolbridge.streams.pipe import FORMS
from toolbridge.values import JSON

HELP: Final = """\
examples:
  toolbridge convert --from openai-chat --to anthropic request.json
  toolbridge convert --from anthropic --to gemini --kind response answer.json -o out.json
  cat tools.json | toolbridge convert --from openai-chat --to gemini --kind tools --compact
  toolbridge convert --from gemini --to anthropic --model claude-opus-5-5 --strict request.json
  toolbridge convert --from auto --to openai-responses request.json

a stream, as it arrives: server-sent events, JSON lines or a JSON array, in and out
  curl -N ... | toolbridge convert --from openai-chat --to anthropic --kind stream
  toolbridge convert --from gemini --to openai-chat --kind stream --as sse recorded.json
  toolbridge convert --from auto --to anthropic --kind stream --as lines events.txt

many at a time: a payload a line, alone or in the line of a batch (custom_id, params ...)
  toolbridge convert --from openai-chat --to anthropic --jsonl requests.jsonl -o out.jsonl
  toolbridge convert --from auto --to gemini --jsonl --jobs 4 mixed.jsonl -o out.jsonl
  toolbridge convert --from anthropic --to openai-chat --jsonl --batch batch.jsonl
  toolbridge convert --from gemini --to anthropic --jsonl --kind response results.jsonl

The payload goes to standard output (or -o), losses to standard error (and --losses).

--strict: with a payload that would lose meaning nothing is written, and so with a line of
--jsonl. A stream is written as it comes, so that only the exit code can tell.
--jsonl: a line that cannot be converted is told by its number and left out. A line of a batch
keeps its wrapper; --batch writes that of the target's own batches.

exit codes: 0 fine, 2 usage, 3 a warning under --strict, 4 input not readable (with --jsonl under
--strict only), 5 cannot be converted
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = command.add_argument
    add("--from", dest="source", required=True, metavar="F", help="format[:profile], or auto")
    add("--to", dest="target", required=True, metavar="G", help="format[:profile]")
    add("--kind", choices=(*KINDS, "stream"), default="request", help="default: request")
    add("--model", metavar="M", help="the model that will read it")
    add("--losses", metavar="FILE", help="write the losses there, as JSON lines")
    add("--strict", action="store_true", help="write nothing if meaning is lost")
    add("--compact", action="store_true", help="one line instead of pretty JSON")
    add("--as", dest="form", choices=FORMS, help="form of a stream; default: as it came")
    add("--jsonl", action="store_true", help="a payload a line")
    add("--jobs", type=processes, metavar="N", help="with --jsonl: processes, 0 for all cores")
    add("--batch", action="store_true", help="with --jsonl: write lines of the target's batches")
    add("-o", dest="output", metavar="OUT", help="default: standard output")
    add("input", nargs="?", default="-", metavar="IN", help="default: standard input")


def processes(text: str) -> int:
    """A number of processes."""
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number or os.cpu_count() or 1


def run_convert(options: argparse.Namespace) -> int:
    """Convert one payload, a stream, or many lines."""
    wrong = misused(options)
    if wrong:
        return fail(USAGE, wrong)
    find(options.target)
    if options.source != AUTO:
        find(options.source)
    if options.jsonl:
        from toolbridge.commands.lines import run_lines

        return run_lines(options)
    if options.kind == "stream":
        from toolbridge.commands.stream import run_stream

        return run_stream(options)
    return run_one(options)


def misused(options: argparse.Namespace) -> str | None:
    """What is wrong with the options taken together."""
    stream = options.kind == "stream" and not options.jsonl
    if not options.jsonl and (options.jobs is not None or options.batch):
        return "--jobs and --batch need --jsonl"
    if options.form is not None and not stream:
        return "--as needs --kind stream, without --jsonl"
    if options.model is not None and options.kind == "stream":
        return "--model cannot be had with a stream: the answer names the model that gave it"
    if (stream or options.jsonl) and is_same_file(options.input, options.output):
        return f"{options.output} is the input: it is read while it is written"
    return None


def run_one(options: argparse.Namespace) -> int:
    """Convert one payload."""
    with opened_input(options.input) as file:
        payload = parse(file.read(), options.input)
    source = options.source
    if source == AUTO:
        source = recognise(payload, options.kind)
        tell(f"format: {source} (recognised)")
    made = convert(
        payload, source=source, target=options.target, kind=options.kind, model=options.model
    )
    tell(summary(made.losses, made.envelope))
    if options.losses:
        write_losses(made.losses, options.losses)
    if options.strict and any(map(is_grave, made.losses)):
        tell("nothing was written: --strict")
        return LOSSES
    write_output(dump(made.payload, options.compact), options.output)
    return FINE


def parse(text: bytes, name: str) -> JSON:
    """The JSON of an input. Raises WireError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        shown = "standard input" if name == "-" else name
        raise WireError("", "one JSON value", f"{error} in {shown}", "Pass one JSON body") from None
