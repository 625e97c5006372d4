"""The options of `toolbridge demo`, and what they do."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from toolbridge.errors import MissingKeyError, MissingSDKError, ToolbridgeError

if TYPE_CHECKING:
    from toolbridge.demo.play import Played
    from toolbridge.loop.gate import Approver

FINE, FAILED, USAGE = 0, 1, 2
VENDORS: Final = ("anthropic", "openai-chat", "openai-responses", "gemini")
NAMES: Final = ("weather", "orders", "handover")
LOCAL_VENDORS: Final = ("openai-chat", "openai-responses", "anthropic")
"""What llama.cpp's server speaks."""

INSTALL: Final = 'pip install "toolbridge[demo]"'

BY_HAND: Final = "The vendors' answers are from cassettes written by hand: nobody is asked.\n"

HELP: Final = """\
examples:
  toolbridge demo                                 both conversations, from cassettes: no key needed
  toolbridge demo --conversation handover         begun on Anthropic, gone on with on each vendor
  toolbridge demo --vendor gemini --wire          one vendor, with what goes over the wire
  toolbridge demo --conversation orders           asks before the refund, which cannot be undone
  toolbridge demo --local                         a small model and a real server on this machine
  toolbridge demo --live --vendor anthropic --model claude-opus-5-5        a real vendor: with a key

The cassettes are written by hand. Needs the extra: pip install "toolbridge[demo]"
exit codes: 0 fine, 1 a conversation failed, 2 usage
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = command.add_argument
    add("--vendor", action="append", choices=VENDORS, help="step by step; may be repeated")
    add("--conversation", choices=NAMES, help="default: weather, then orders")
    add("--wire", action="store_true", help="show what goes over the wire")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--live", action="store_true", help="ask the vendors themselves")
    where.add_argument("--local", action="store_true", help="ask a small model on this machine")
    add("--model", metavar="M", help="the model to ask, with --live and one --vendor")


def run_demo(options: argparse.Namespace) -> int:
    """Play, and show what was said."""
    wrong = misused(options)
    if wrong:
        return fail(USAGE, wrong)
    try:
        return perform(options)
    except (MissingKeyError, MissingSDKError) as error:
        return fail(USAGE, str(error))
    except ToolbridgeError as error:
        return fail(FAILED, str(error))
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package not in ("rich", "vcr", "yaml"):
            raise
        return fail(USAGE, f"the demo needs the package {package}: {INSTALL}")


def misused(options: argparse.Namespace) -> str | None:
    """What is wrong with the options."""
    if options.model and not (options.live and len(options.vendor or ()) == 1):
        return "--model goes with --live and one --vendor"
    if options.local and options.conversation not in (None, "weather"):
        return "the small model of --local knows the weather only"
    if options.local and "gemini" in (options.vendor or ()):
        return f"the server of --local speaks {', '.join(LOCAL_VENDORS)} only"
    return None


def fail(code: int, message: str) -> int:
    """Say what is wrong; gives the exit code."""
    sys.stderr.write(f"toolbridge: {message}\n")
    return code


def perform(options: argparse.Namespace) -> int:
    """Play each conversation with each vendor: step by step those that were named, else the
    first; then all of them side by side."""
    from rich.console import Console

    from toolbridge.demo.asking import Asking
    from toolbridge.demo.show import compare, show

    console = Console(highlight=False)
    if not (options.live or options.local):
        console.print(BY_HAND, style="dim")
    failed = False
    with ExitStack() as stack:
        asking = Asking(console, not (options.live or options.local))
        for plays in groups(options, stack, asking):
            played: list[Played] = []
            for play in plays:
                played.append(play())
                failed |= played[-1].error is not None
                if options.vendor or len(played) == 1 or played[-1].error:
                    show(console, played[-1], options.wire)
            done = [each for each in played if each.run is not None]
            if len(done) > 1:
                compare(console, done)
    return FAILED if failed else FINE


Plays = list[Callable[[], "Played"]]


def groups(options: argparse.Namespace, stack: ExitStack, approve: Approver) -> Iterator[Plays]:
    """The conversations, and for each how to play it with each vendor."""
    from functools import partial

    from toolbridge.demo.conversations import CONVERSATIONS, LOCAL, MODELS
    from toolbridge.demo.play import play, play_cassette, run_before
    from toolbridge.model import Model

    if options.local:
        from toolbridge.demo.local import SETTINGS, LocalServer, model_of

        server = stack.enter_context(LocalServer())
        vendors = options.vendor or LOCAL_VENDORS
        yield [partial(play, LOCAL, model_of(server, each), **SETTINGS) for each in vendors]
        return
    vendors = options.vendor or VENDORS
    for name in [options.conversation] if options.conversation else NAMES[:2]:
        conversation = CONVERSATIONS[name]
        if options.live:
            before = run_before(conversation)
            models = [Model(f"{each}/{options.model or MODELS[each]}") for each in vendors]
            yield [partial(play, conversation, model, before, approve) for model in models]
        else:
            yield [partial(play_cassette, conversation, each, approve) for each in vendors]
