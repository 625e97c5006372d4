"""At most once: who may run a call, and what came of it.

Before a tool runs, the loop claims the key of the call; afterwards it records the result. A key
that was claimed before is not run again: what was recorded is its result, and where nothing was
(the process died in between) its outcome is unknown.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Awaitable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from toolbridge.parts import ToolResult
from toolbridge.storage import from_json, to_json

if TYPE_CHECKING:
    import os
    import sqlite3


class Ledger(Protocol):
    """What an app gives to keep the calls of its runs: two methods, called from any thread.

    A ledger may also have `recorded(call_key) -> ToolResult | None`, which gives back what
    `record` was given; without it every call that was claimed before is of unknown outcome.

    Methods may be async under arun, aresume and their streams: they are awaited in the event loop
    of the run. run, resume and their streams refuse such a ledger with a TypeError before the model
    is asked.

    No error of a ledger ends a run; the app finds it in the Finished event of the call and in its
    audit. A call whose `claim` raises, or gives neither True nor False, does not run and is of
    unknown outcome; so is one that was claimed before and whose `recorded` raises, or gives
    neither a ToolResult nor None. Where `record` raises the call keeps its result in this run, and
    is of unknown outcome to the next.
    """

    def claim(self, call_key: str) -> bool | Awaitable[bool]:
        """True for the first who asks for this key, across threads and processes; False ever
        after. It must be as durable as the work of the tools when it returns."""
        ...

    def record(self, call_key: str, result: ToolResult) -> Awaitable[None] | None:
        """Keep the result of a call. Whoever ran it calls this once; of two the first counts."""
        ...


def recorded_in(ledger: Ledger, call_key: str) -> ToolResult | None:
    """What a ledger holds as the result of a call; None if nothing, or if it cannot tell."""
    read = getattr(ledger, "recorded", None)
    return None if read is None else read(call_key)


class MemoryLedger:
    """A ledger of one process, gone with it.

    Keys are kept for good, results of the last `results` calls alone: a process may run for
    months. A call whose result was let go is of unknown outcome.
    """

    def __init__(self, results: int = 10_000) -> None:
        if results < 0:
            raise ValueError("results is how many are kept: 0 or more")
        self._most = results
        self._lock = threading.Lock()
        self._held: dict[str, ToolResult | None] = {}
        self._newest: deque[str] = deque()

    def claim(self, call_key: str) -> bool:
        """True for the first who asks for this key."""
        with self._lock:
            if call_key in self._held:
                return False
            self._held[call_key] = None
            return True

    def record(self, call_key: str, result: ToolResult) -> None:
        """Keep the result of a call, unless there is one."""
        with self._lock:
            if self._held.get(call_key) is not None:
                return
            self._held[call_key] = result
            self._newest.append(call_key)
            if len(self._newest) > self._most:
                self._held[self._newest.popleft()] = None

    def recorded(self, call_key: str) -> ToolResult | None:
        """The result of a call, if there is one."""
        with self._lock:
            return self._held.get(call_key)


TABLE: Final = """
create table if not exists toolbridge_calls (
    call_key text primary key not null,
    claimed_at text,
    recorded_at text,
    result text
)
"""
"""Times are UTC as RFC 3339 has them; `result` is what `to_json` gives. A call that was recorded
by somebody who had not claimed it has no `claimed_at`."""

CLAIM: Final = """
insert or ignore into toolbridge_calls (call_key, claimed_at)
values (cast(? as text), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
"""
RECORD: Final = """
insert into toolbridge_calls (call_key, recorded_at, result)
values (cast(? as text), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?)
on conflict (call_key) do update
set recorded_at = excluded.recorded_at, result = excluded.result
where result is null
"""
RECORDED: Final = "select result from toolbridge_calls where call_key = cast(? as text)"


class SQLiteLedger:
    """A ledger in an SQLite file, made with its first use: for all threads and processes of one
    machine, and for the next one after a crash.

    The file may be the app's own database: the table is `toolbridge_calls`. Whoever waits for
    another's write does so for up to `timeout` seconds. The folder must exist: FileNotFoundError.
    A file that cannot be read or written raises sqlite3.Error, a result that a newer version of
    toolbridge wrote WireError. Not for network file systems, whose locks SQLite cannot trust
    (https://www.sqlite.org/faq.html#q5).
    """

    def __init__(self, path: str | os.PathLike[str], *, timeout: float = 30.0) -> None:
        if str(path) in ("", ":memory:"):
            raise ValueError("a ledger in memory is MemoryLedger(): every connection would be new")
        self.path = Path(path).absolute()
        self.timeout = timeout
        self._check_folder()

    def claim(self, call_key: str) -> bool:
        """True for the first who asks for this key; on the disk when it returns."""
        with closing(self._connect()) as connection:
            return connection.execute(CLAIM, (raw(call_key),)).rowcount == 1

    def record(self, call_key: str, result: ToolResult) -> None:
        """Keep the result of a call, claimed here, elsewhere or not at all, unless there is
        one. Lone surrogates in it give way to question marks: no request could carry them."""
        text = to_json(result).encode("utf-8", "replace").decode()
        with closing(self._connect()) as connection:
            connection.execute(RECORD, (raw(call_key), text))

    def recorded(self, call_key: str) -> ToolResult | None:
        """The result of a call, if there is one."""
        with closing(self._connect()) as connection:
            row = connection.execute(RECORDED, (raw(call_key),)).fetchone()
        return None if row is None or row[0] is None else result_in(row[0])

    def _check_folder(self) -> None:
        if not self.path.parent.is_dir():
            raise FileNotFoundError(
                f"the ledger {self.path.name} has no folder: make {self.path.parent} first"
            )

    def _connect(self) -> sqlite3.Connection:
        """A connection for one statement. One that were kept could not be carried over a fork
        (https://www.sqlite.org/howtocorrupt.html, section 2.6), nor used by two threads at once.

        Each statement is a transaction of its own. EXTRA is FULL, and where there is no
        write-ahead log it also waits for the folder, so that a commit outlives a loss of power
        (https://www.sqlite.org/pragma.html#pragma_synchronous).
        """
        import sqlite3

        self._check_folder()
        connection = sqlite3.connect(self.path, timeout=self.timeout, isolation_level=None)
        try:
            with suppress(sqlite3.OperationalError):  # the log is for speed: without it, without
                connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = extra")
            connection.execute(TABLE)
        except BaseException:
            connection.close()
            raise
        return connection


def raw(call_key: str) -> bytes:
    """A key as SQLite is given it: lone surrogates, which an id of a vendor's may hold, too."""
    return call_key.encode("utf-8", "surrogatepass")


def result_in(text: str) -> ToolResult:
    """A recorded result. Raises TypeError if something else was written in its place."""
    result: Any = from_json(text)
    if not isinstance(result, ToolResult):
        raise TypeError(f"the ledger holds a {type(result).__name__} where a ToolResult stood")
    return result
