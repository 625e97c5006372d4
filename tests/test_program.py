"""`python -m toolbridge` as a program: a process of its own, with its exit code and streams."""

from __future__ import annotations

import json
import subprocess
from typing import Any, Final

import pytest

from project import python

FINE, USAGE, LOSSES, UNREADABLE, IMPOSSIBLE = 0, 2, 3, 4, 5
CHAT: Final[dict[str, Any]] = {
    "model": "m",
    "messages": [{"role": "user", "content": "안녕, 부산"}],
}
SEEDED: Final = CHAT | {"seed": 7}
TO_ANTHROPIC: Final = ("convert", "--from", "openai-chat", "--to", "anthropic")


def program(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`python -m toolbridge` in a process of its own, whatever the console's encoding."""
    code = "import runpy; runpy.run_module('toolbridge', run_name='__main__', alter_sys=True)"
    command = [*python(code), *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=60)


def test_the_module_runs_as_a_program() -> None:
    done = program(*TO_ANTHROPIC, stdin=json.dumps(CHAT).encode())
    assert done.returncode == FINE
    assert "안녕, 부산".encode() in done.stdout
    assert b"path: /v1/messages" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "stdin", "code"),
    [
        ((*TO_ANTHROPIC, "--strict"), SEEDED, LOSSES),
        (TO_ANTHROPIC, [], UNREADABLE),
        (("convert", "--from", "x", "--to", "y"), CHAT, USAGE),
        (
            ("convert", "--from", "openai-responses", "--to", "gemini"),
            {"input": "go on", "previous_response_id": "r"},
            IMPOSSIBLE,
        ),
    ],
)
def test_the_program_ends_with_the_exit_code(
    arguments: tuple[str, ...], stdin: Any, code: int
) -> None:
    done = program(*arguments, stdin=json.dumps(stdin).encode())
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.decode().count("Traceback") == 0
