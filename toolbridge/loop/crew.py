"""The calls of a run in threads, each in one of its own."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable
from typing import Any

from toolbridge.loop.roster import BaseCrew, Timer
from toolbridge.loop.state import Cancelled, Job, Outcome
from toolbridge.loop.work import Workplace
from toolbridge.loop.workers import NAME


class Crew(BaseCrew):
    """Runs calls in threads; an async function gets an event loop there. Timeouts run whether
    anybody waits or not."""

    def __init__(self, place: Workplace) -> None:
        self._news: queue.SimpleQueue[None] = queue.SimpleQueue()
        super().__init__(place)

    def perform(self, jobs: Iterable[Job]) -> Generator[None, None, list[Outcome]]:
        """Run calls, and gives their outcomes in order; yields whenever there may be something
        to tell. Raises Cancelled if the run ends meanwhile, and what whoever watches raises."""
        cut = False
        self._take(jobs)
        while not self._is_done(cut):
            if self.over and not cut:
                cut = True
                self._stop_all()
                continue
            self._wait(None if cut else self._place.left(self._now()))
            self._raise_broken()
            yield
        self._raise_broken()
        if cut:
            raise Cancelled(self.finished, self.why)
        return self._outcomes()

    def stop(self) -> None:
        """End all calls, wait as `end` does, and run no others."""
        self.close()
        self.end()

    def end(self) -> dict[str, Outcome]:
        """End all calls, and wait until each has its outcome, not for what cannot be stopped;
        gives what `finished` has then."""
        self._stop_all()
        while len(self._roster):
            self._wait(None)
        return self.finished

    def close(self) -> None:
        """End all calls, and do not wait."""
        self._closed = True
        self._forget()
        self._stop_all()
        self._workers.close()

    def _wait(self, seconds: float | None) -> None:
        """Wait until something happens."""
        try:
            self._news.get(timeout=seconds)
        except queue.Empty:
            return

    def _now(self) -> float:
        return time.monotonic()

    def _after(self, seconds: float, function: Callable[[], Any]) -> Timer:
        timer = threading.Timer(seconds, function)
        timer.name, timer.daemon = NAME, True
        timer.start()
        return timer

    def _wake(self) -> None:
        self._news.put(None)
