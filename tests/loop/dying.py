"""A process of the app's that dies: run by test_kill as `python -m loop.dying`, with what it shall
do, the address of the model's server, and the folder that outlives it."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import toolbridge as tb

KEY = "a key of the app's"
FOLDER = Path(sys.argv[3] if len(sys.argv) > 3 else ".")


def work(name: str, text: str) -> str:
    """Do what cannot be undone: a line in a file, on the disk. The process may die of it."""
    with (FOLDER / "done").open("a") as file:
        file.write(f"{name} {text}\n")
        file.flush()
        os.fsync(file.fileno())
    if os.environ.get("DIES_IN") == name:
        os.kill(os.getpid(), signal.SIGKILL)
    return f"{name} has done {text}"


@tb.tool(effect="write", ordered="one")
def note(text: str) -> str:
    """Changes something."""
    return work("note", text)


@tb.tool(effect="irreversible", ordered="one", untrusted_output=False)
def pay(text: str) -> str:
    """Cannot be undone."""
    return work("pay", text)


@tb.tool(effect="write", idempotent=True, ordered="one")
def put(text: str) -> str:
    """May run twice."""
    return work("put", text)


@tb.tool(effect="read", ordered="one")
def look(text: str) -> str:
    """Reads."""
    return work("look", text)


TOOLS = (note, pay, put, look)


def model() -> tb.Model:
    """The model behind the test's server."""
    return tb.Model("anthropic/claude-sonnet-4-6", base_url=sys.argv[2], max_retries=0)


def ledger() -> tb.SQLiteLedger:
    """What keeps calls from running twice."""
    return tb.SQLiteLedger(FOLDER / "calls.db")


def saving() -> tb.Gate:
    """Everything is approved, and the newest state is kept."""

    def save(state: str) -> None:
        new = FOLDER / "new"
        new.write_text(state, encoding="utf-8")
        new.replace(FOLDER / "state")

    return tb.Gate(approve=lambda question: tb.Approve(), ledger=ledger(), key=KEY, save=save)


def state() -> str:
    """The state that a process left."""
    return (FOLDER / "state").read_text(encoding="utf-8")


def to_the_pause() -> None:
    """Run until a person is to be asked, and die."""
    run = tb.run(model(), "hi", tools=TOOLS, gate=tb.Gate(ledger=ledger()))
    (FOLDER / "state").write_text(tb.to_json(run, key=KEY), encoding="utf-8")
    os._exit(9)


def approve() -> tb.Run:
    """Take up what waits, and approve of it."""
    gate = tb.Gate(ledger=ledger())
    waits = {"p1": tb.Approve(by="kim")}
    return tb.resume(state(), waits, tools=TOOLS, key=KEY, model=model(), gate=gate)


def into_a_tool() -> tb.Run:
    """Run; a tool may be the end of it."""
    return tb.run(model(), "hi", tools=TOOLS, gate=saving())


def go_on() -> tb.Run:
    """Take up what was saved last."""
    return tb.resume(state(), {}, tools=TOOLS, key=KEY, model=model(), gate=saving())


def main() -> None:
    """Do it, and leave the messages of the run."""
    acts = {"approve": approve, "into_a_tool": into_a_tool, "go_on": go_on}
    if sys.argv[1] == "to_the_pause":
        to_the_pause()
    run = acts[sys.argv[1]]()
    (FOLDER / "messages").write_text(tb.to_json(run.messages), encoding="utf-8")
    (FOLDER / "stop").write_text(run.stop_reason, encoding="utf-8")


if __name__ == "__main__":
    main()
