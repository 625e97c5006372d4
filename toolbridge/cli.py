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

from toolbridge import __version__
from toolbridge.commands import convert
from toolbridge.commands.output import (
    FINE,
    IMPOSSIBLE,
    INTERRUPTED,
    UNREADABLE,
    USAGE,
    fail,
    write_output,
)
from toolbridge.demo import command as demo
from toolbridge.errors import ConversionError, UnknownFormatError, VendorError, WireError

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
    commands = {"convert": convert.run_convert, "formats": run_formats, "demo": demo.run_demo}
    try:
        return commands[options.command](options)
    except UnknownFormatError as error:
        return fail(USAGE, str(error))
    except VendorError as error:
        return fail(UNREADABLE, f"{error}. This is an error body: use --kind error")
    except WireError as error:
        return fail(UNREADABLE, str(error))
    except BrokenPipeError:
        return quiet()
    except KeyboardInterrupt:
        return fail(INTERRUPTED, "interrupted")
    except OSError as error:
        code = UNREADABLE if error.filename == getattr(options, "input", None) else USAGE
        return fail(code, f"{error.filename or 'reading or writing'}: {error.strerror}")
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
        "convert",
        help="convert a payload, a stream, or many lines",
        epilog=convert.HELP,
        formatter_class=raw,
    )
    convert.add_options(one)
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
