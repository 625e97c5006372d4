"""What many tests are given."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest
from hypothesis import settings

from command_line import Ran, Run
from toolbridge.cli import main

settings.register_profile("toolbridge", deadline=None)
settings.load_profile("toolbridge")
"""No test is timed: machines that run several at once are slow now and then."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the command line in this process; `stdin` is a body or bytes."""

    def start(*arguments: str, stdin: Any = b"") -> Ran:
        data = stdin if isinstance(stdin, bytes) else json.dumps(stdin).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = stopped.code if isinstance(stopped.code, int) else 1
        captured = capsysbinary.readouterr()
        return Ran(code, captured.out, captured.err.decode())

    return start
