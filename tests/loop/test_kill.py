"""Processes that die, at a pause and inside a tool, and new ones that take up what they left."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import toolbridge as tb

from .answers import Answer, Called, calling, said
from .local_server import Local, local
from .play import text_of

TESTS = Path(__file__).parents[1]


@dataclasses.dataclass
class Place:
    """What outlives the processes: a folder, and the model's server."""

    folder: Path
    server: Local

    def start(self, act: str, dies_in: str = "") -> int:
        """Let a process do it; gives how it ended, below 0 by a signal."""
        environment = {**os.environ, "ANTHROPIC_API_KEY": "key", "DIES_IN": dies_in}
        ended = subprocess.run(
            [sys.executable, "-m", "loop.dying", act, self.server.url, str(self.folder)],
            cwd=TESTS,
            env=environment,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
        )
        assert ended.returncode <= 0 or ended.returncode == 9, ended.stderr.decode()
        return ended.returncode

    @property
    def done(self) -> list[str]:
        """What the tools have really done, in all processes."""
        return (self.folder / "done").read_text().splitlines()

    @property
    def messages(self) -> tuple[tb.Message, ...]:
        """The conversation of the run that ended."""
        assert (self.folder / "stop").read_text() == "end"
        messages: tuple[tb.Message, ...] = tb.from_json((self.folder / "messages").read_text())
        return messages

    def results(self) -> dict[str, tb.ToolResult]:
        """The results of the run that ended, by the ids of their calls."""
        parts = [part for message in self.messages for part in message.parts]
        results = [part for part in parts if isinstance(part, tb.ToolResult)]
        by_id = {result.call_id: result for result in results}
        assert len(by_id) == len(results), "each call has one result"
        return by_id


def called(name: str, id: str) -> Called:
    return Called(name, {"text": "한번"}, id)


def answers(*calls: Called, times: int = 1) -> list[Answer | None]:
    """A step of calls, and a last word for each process that comes so far."""
    return [calling(*calls), *[said("끝")] * times]


def test_a_process_dies_at_a_pause_and_others_go_on(tmp_path: Path) -> None:
    """The third process takes up the state of the first again: nothing runs twice, and it comes to
    the same."""
    with local("anthropic", answers(called("note", "n1"), called("pay", "p1"), times=2)) as server:
        place = Place(tmp_path, server)
        assert place.start("to_the_pause") == 9
        assert place.done == ["note 한번"]
        ends: list[Any] = []
        for _ in range(2):
            assert place.start("approve") == 0
            ends.append((place.messages, server.requests[-1][2]["messages"]))
            assert place.done == ["note 한번", "pay 한번"]
    assert ends[0] == ends[1]
    results = place.results()
    assert [(id, text_of(result)) for id, result in results.items()] == [
        ("n1", "note has done 한번"),
        ("p1", "pay has done 한번"),
    ]
    assert len(server.requests) == 3


UNKNOWN = "The outcome of {} is unknown: it began before, and nobody knows whether it was done."


@pytest.mark.parametrize(
    ("name", "again"), [("pay", False), ("note", False), ("put", True), ("look", True)]
)
def test_a_process_dies_inside_a_tool_and_another_goes_on(
    name: str, again: bool, tmp_path: Path
) -> None:
    """What must not run twice is of unknown outcome then, whatever a person says; what had ended
    before keeps its result, and what had not begun runs."""
    first = "note" if name != "note" else "pay"
    calls = (called(first, "c1"), called(name, "c2"), called("put", "c3"))
    with local("anthropic", answers(*calls)) as server:
        place = Place(tmp_path, server)
        assert place.start("into_a_tool", dies_in=name) == -signal.SIGKILL
        assert place.done == [f"{first} 한번", f"{name} 한번"]
        assert place.start("go_on") == 0
    assert place.done == [f"{first} 한번", *[f"{name} 한번"] * (1 + again), "put 한번"]
    before, died, after = place.results().values()
    assert text_of(before) == f"{first} has done 한번"
    assert text_of(after) == "put has done 한번"
    if again:
        assert text_of(died) == f"{name} has done 한번"
    else:
        assert died.is_error
        assert text_of(died).startswith(UNKNOWN.format(name))
    assert len(server.requests) == 2, "the model is not asked again for what it had said"
