"""Threads that are kept for the next call.

They are daemons: a function that hangs keeps neither its place nor the interpreter from ending,
as a thread of concurrent.futures would.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

NAME = "toolbridge"


def tell_nobody(error: BaseException) -> None:
    """Report an error for which nobody waits as threads do, and go on
    (https://docs.python.org/3/library/threading.html#threading.excepthook)."""
    thread = threading.current_thread()
    given = threading.ExceptHookArgs((type(error), error, error.__traceback__, thread))
    threading.excepthook(given)


class Workers:
    """Runs functions in threads, each at once: of those that are idle, else of a new one."""

    def __init__(self) -> None:
        self._orders: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0
        self._closed = False

    def run(self, function: Callable[[], object]) -> None:
        """Run a function, and go on. Raises RuntimeError where the system gives no more
        threads."""
        with self._lock:
            found = self._idle > 0
            self._idle -= found
        if not found:
            threading.Thread(target=self._serve, name=NAME, daemon=True).start()
        self._orders.put(function)

    def close(self) -> None:
        """Let the threads end, each when its function has."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, 0
        for _ in range(idle):
            self._orders.put(None)

    def _serve(self) -> None:
        while (function := self._orders.get()) is not None:
            function()
            with self._lock:
                if self._closed:
                    return
                self._idle += 1
