"""An event loop whose clock goes on at once to the next moment at which something happens."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class Leaping(selectors.DefaultSelector):
    """Waits for nothing: where nothing has come, the time that it was to wait has passed. Without
    a limit it waits for threads, in real time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            return super().select(None)
        found = super().select(0)
        if not found:
            self.now += max(0.0, timeout)
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """Begins at 0.0 s."""

    def __init__(self) -> None:
        self._leaping = Leaping()
        super().__init__(self._leaping)

    def time(self) -> float:
        return self._leaping.now


class Timed(NamedTuple):
    """What a coroutine gave, and the virtual seconds that it took."""

    value: Any
    seconds: float


def timed(main: Coroutine[Any, Any, T]) -> Timed:
    """Run a coroutine by a virtual clock. Its threads must not be waited for beside timers: those
    would come at once."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        value = runner.run(main)
        return Timed(value, round(runner.get_loop().time(), 6))
