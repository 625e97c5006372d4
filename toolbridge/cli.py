"""The command line: `toolbridge convert`, `toolbridge formats` and `toolbridge demo`.

Exit codes: 0 fine, 1 findings, 2 usage, 3 a loss of severity warning under --strict, 4 input
not readable, 5 cannot be converted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from toolbridge import __version__
from toolbridge.adapter import KINDS
from toolbridge.convert import Converted, convert
from toolbridge.demo import command as demo
from toolbridge.errors import ConversionError, UnknownFormatError, VendorError, WireError
from toolbridge.loss import Loss
from toolbridge.registry import find
from toolbridge.values import JSON

FINE, USAGE, LOSSES, UNREADABLE, IMPOSSIBLE = 0, 2, 3, 4, 5

CONVERT_HELP = """\
examples:
  toolbridge convert --from openai-chat --to anthropic request.json
  toolbridge convert --from anthropic --to gemini --kind response answer.json -o out.json
  cat tools.json | toolbridge convert --from openai-chat --to gemini --kind tools --compact
  toolbridge convert --from gemini --to anthropic --model claude-opus-5-5 --strict request.json

The payload goes to standard output (or -o), losses to standard error (and --losses).
exit codes: 0 fine, 2 usage, 3 a warning under --strict, 4 input not readable, 5 cannot be converted
"""
FORMATS_HELP = """\
examples:
  toolbridge formats                what each format carries, and the settings it has
  toolbridge formats --sources      who says so
  toolbridge formats --losses       every code of a loss
  toolbridge formats --json         the same as JSON
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    options = parser().parse_args(arguments)
    run = {"convert": run_convert, "formats": run_formats, "demo": demo.run_demo}[options.command]
    try:
        return run(options)
    except UnknownFormatError as error:
        return fail(USAGE, str(error))
    except VendorError as error:
        return fail(UNREADABLE, f"{error}. This is an error body: use --kind error")
    except WireError as error:
        return fail(UNREADABLE, str(error))
    except BrokenPipeError:
        return quiet()
    except OSError as error:
        code = UNREADABLE if error.filename == getattr(options, "input", None) else USAGE
        return fail(code, f"{error.filename}: {error.strerror}")
    except ConversionError as error:
        return fail(IMPOSSIBLE, str(error))


def parser() -> argparse.ArgumentParser:
    """The options of all commands."""
    raw = argparse.RawDescriptionHelpFormatter
    top = argparse.ArgumentParser(
        prog="toolbridge", description="Convert tool-calling payloads between vendors' formats."
    )
    top.add_argument("--version", action="version", version=f"toolbridge {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser(
        "convert", help="convert one payload", epilog=CONVERT_HELP, formatter_class=raw
    )
    one.add_argument("--from", dest="source", required=True, metavar="F", help="format[:profile]")
    one.add_argument("--to", dest="target", required=True, metavar="G", help="format[:profile]")
    one.add_argument("--kind", choices=KINDS, default="request", help="default: request")
    one.add_argument("--model", metavar="M", help="the model that will read it")
    one.add_argument("--losses", metavar="FILE", help="write the losses there, as JSON lines")
    one.add_argument("--strict", action="store_true", help="write nothing if meaning is lost")
    one.add_argument("--compact", action="store_true", help="one line instead of pretty JSON")
    one.add_argument("-o", dest="output", metavar="OUT", help="default: standard output")
    one.add_argument("input", nargs="?", default="-", metavar="IN", help="default: standard input")
    other = commands.add_parser(
        "formats", help="what each format carries", epilog=FORMATS_HELP, formatter_class=raw
    )
    other.add_argument("--sources", action="store_true", help="who says so")
    other.add_argument("--losses", action="store_true", help="every code of a loss")
    other.add_argument("--json", action="store_true", help="as JSON")
    third = commands.add_parser(
        "demo", help="one conversation on every vendor", epilog=demo.HELP, formatter_class=raw
    )
    demo.add_options(third)
    return top


def run_convert(options: argparse.Namespace) -> int:
    """Convert one payload."""
    for name in (options.source, options.target):
        find(name)
    payload = parse(read_input(options.input), options.input)
    made = convert(
        payload,
        source=options.source,
        target=options.target,
        kind=options.kind,
        model=options.model,
    )
    told = summary(made)
    if told:
        print(told, file=sys.stderr)
    if options.losses:
        lines = [json.dumps(loss._asdict(), ensure_ascii=False) + "\n" for loss in made.losses]
        Path(options.losses).write_text("".join(lines), encoding="utf-8")
    if options.strict and any(loss.severity == "warning" for loss in made.losses):
        print("nothing was written: --strict", file=sys.stderr)
        return LOSSES
    write_output(dump(made.payload, options.compact), options.output)
    return FINE


def read_input(name: str) -> bytes:
    """The bytes of a file, or of standard input."""
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def parse(text: bytes, name: str) -> JSON:
    """The JSON of an input. Raises WireError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        shown = "standard input" if name == "-" else name
        raise WireError("", "one JSON value", f"{error} in {shown}", "Pass one JSON body") from None


def dump(payload: JSON, compact: bool) -> str:
    """A payload as text, in UTF-8 as it is."""
    if compact:
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return json.dumps(payload, ensure_ascii=False, indent=2)


def write_output(text: str, name: str | None) -> None:
    """Write a text and a line end to a file, or to standard output."""
    data = f"{text}\n".encode()
    if name is None or name == "-":
        sys.stdout.buffer.write(data)
    else:
        Path(name).write_bytes(data)


def summary(made: Converted) -> str:
    """The losses and the envelope as a person reads them."""
    lines = []
    for name, told in made.envelope._asdict().items():
        if told:
            lines.append(f"{name}: {', '.join(told) if isinstance(told, tuple) else told}")
    if made.losses:
        warnings = sum(loss.severity == "warning" for loss in made.losses)
        notes = len(made.losses) - warnings
        lines.append(f"losses: {warnings} of meaning (warning), {notes} of bookkeeping (note)")
        lines += map(line, sorted(made.losses, key=lambda loss: loss.severity == "note"))
    return "\n".join(lines)


def line(loss: Loss) -> str:
    """One loss as a line."""
    place = loss.path or "(top)"
    return f"  {loss.severity:7}  {loss.effect:12}  {place}  {loss.code}: {loss.detail}"


def run_formats(options: argparse.Namespace) -> int:
    """Print what each format carries."""
    from toolbridge import describe

    tables = {"What each format carries": describe.places()}
    if options.sources:
        tables = {"Who says whether a format carries it": describe.sources()}
    elif options.losses:
        tables = {"Codes of losses": describe.losses()}
    else:
        tables |= {"Profiles": describe.profiles(), "Settings": describe.settings()}
    if options.json:
        shown = {title: describe.as_json(table) for title, table in tables.items()}
        write_output(json.dumps(shown, ensure_ascii=False, indent=2), None)
        return FINE
    for title, table in tables.items():
        form = describe.as_blocks if title == "Settings" else describe.as_text
        write_output(f"{title}\n\n{form(table)}\n", None)
    return FINE


def quiet() -> int:
    """The reader of standard output went away: nothing more can be said there."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINE


def fail(code: int, message: str) -> int:
    """Say what is wrong; gives the exit code."""
    print(f"toolbridge: {message}", file=sys.stderr)
    return code
