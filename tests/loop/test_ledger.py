"""At most once: claims across threads, processes and crashes, and results as they were."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest

import toolbridge as tb
from toolbridge.checkpoint.ledger import Ledger, MemoryLedger, SQLiteLedger, recorded_in
from toolbridge.spelling import Spelling

Make = Callable[[Path], Any]
LEDGERS: Final[dict[str, Make]] = {
    "memory": lambda folder: MemoryLedger(),
    "sqlite": lambda folder: SQLiteLedger(folder / "calls.db"),
}


@pytest.fixture(params=LEDGERS)
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return LEDGERS[request.param](tmp_path)


def result(text: str = "22 degrees") -> tb.ToolResult:
    return tb.ToolResult(call_id="call_1", parts=(tb.Text(text=text),))


def started(path: Path, code: str) -> subprocess.Popen[bytes]:
    """Another process, with a ledger on the same file."""
    head = "import os, sys\nfrom toolbridge.checkpoint.ledger import SQLiteLedger\n"
    whole = f"{head}ledger = SQLiteLedger(sys.argv[1])\n{code}"
    return subprocess.Popen([sys.executable, "-c", whole, path], stdout=subprocess.PIPE)


def test_a_key_is_claimed_once(ledger: Ledger) -> None:
    assert [ledger.claim("a"), ledger.claim("a"), ledger.claim("b")] == [True, False, True]


def test_of_many_threads_one_claims(ledger: MemoryLedger | SQLiteLedger) -> None:
    with ThreadPoolExecutor(64) as pool:
        claims = list(pool.map(lambda _: ledger.claim("a"), range(64)))
    assert sorted(claims) == [False] * 63 + [True]


def test_what_was_recorded_is_given_back(ledger: Ledger) -> None:
    assert ledger.claim("a")
    assert recorded_in(ledger, "a") is None, "claimed and not recorded: nobody knows"
    ledger.record("a", result())
    assert recorded_in(ledger, "a") == result()
    assert not ledger.claim("a")


def test_the_first_record_of_a_key_counts(ledger: Ledger) -> None:
    ledger.claim("a")
    ledger.record("a", result("first"))
    ledger.record("a", result("second"))
    assert recorded_in(ledger, "a") == result("first")


def test_a_key_that_was_recorded_unclaimed_cannot_be_claimed(ledger: Ledger) -> None:
    """Its result is known: running the call would be a second time."""
    ledger.record("a", result())
    assert recorded_in(ledger, "a") == result()
    assert not ledger.claim("a")


def test_an_unknown_key_has_no_result(ledger: Ledger) -> None:
    assert recorded_in(ledger, "a") is None


KEYS: Final = [
    "",
    " ",
    "a",
    "A",
    "é",
    "e\u0301",
    "키-🔑",
    "a\0b",
    "a\0c",
    "\ud800",
    "\\ud800",
    "'; drop table toolbridge_calls; --",
    "k" * 100_000,
]


def test_keys_that_differ_at_all_are_different(ledger: Ledger) -> None:
    """No case folding, no normal forms, no end at a null; what came first stays."""
    assert [ledger.claim(key) for key in KEYS] == [True] * len(KEYS)
    for number, key in enumerate(KEYS):
        ledger.record(key, result(str(number)))
    assert [recorded_in(ledger, key) for key in KEYS] == [
        result(str(number)) for number in range(len(KEYS))
    ]


PIXEL: Final = "iVBORw0KGgo="
PARTS: Final[dict[str, tuple[Any, ...]]] = {
    "none": (),
    "text": (tb.Text(text="서울 🌧\n\u2028\0"),),
    "json": (tb.Json(value={"a": [1, 1.0, True, None, {"é": ""}]}),),
    "media": (
        tb.Media(kind="image", source=tb.Source(data=PIXEL, media_type="image/png")),
        tb.Media(kind="file", source=tb.Source(parts=(tb.Text(text="a"), tb.Text(text="b")))),
    ),
}


@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
def test_a_result_comes_back_equal(ledger: Ledger, parts: tuple[Any, ...]) -> None:
    given = tb.ToolResult(call_id="c", parts=parts, is_error=True, kind="custom", caller={"a": 1})
    ledger.record("a", given)
    assert recorded_in(ledger, "a") == given


def test_a_result_that_no_request_could_carry_is_kept_with_marks(tmp_path: Path) -> None:
    """The call ran: a text that UTF-8 cannot say must not make it one of unknown outcome."""
    ledger = SQLiteLedger(tmp_path / "calls.db")
    ledger.record("a", result("a\ud800b"))
    assert ledger.recorded("a") == result("a?b")


def test_a_result_remembers_how_it_was_spelled(ledger: Ledger) -> None:
    """It takes no part in equality, and yet the transcript is written by it."""
    spelling = Spelling("anthropic", "tool_result", ("type", "content"), nulls=("cache_control",))
    ledger.record("a", tb.ToolResult(call_id="c", spelling=spelling))
    back = recorded_in(ledger, "a")
    assert back is not None
    assert back.spelling.to_json() == spelling.to_json()


class TwoHooks:
    """The least that an app may give."""

    def __init__(self) -> None:
        self.keys: set[str] = set()

    def claim(self, call_key: str) -> bool:
        new = call_key not in self.keys
        self.keys.add(call_key)
        return new

    def record(self, call_key: str, result: tb.ToolResult) -> None:
        pass


def test_a_ledger_may_be_unable_to_tell_what_was_recorded() -> None:
    ledger = TwoHooks()
    assert ledger.claim("a")
    ledger.record("a", result())
    assert recorded_in(ledger, "a") is None


def test_memory_lets_old_results_go_but_no_key() -> None:
    """A process that runs for months: its old calls become unknown, never new."""
    ledger = MemoryLedger(results=2)
    for key in "abc":
        ledger.claim(key)
        ledger.record(key, result(key))
    assert [ledger.recorded(key) for key in "abc"] == [None, result("b"), result("c")]
    assert not ledger.claim("a")


def test_memory_cannot_keep_less_than_nothing() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        MemoryLedger(results=-1)


# the file


def test_two_processes_share_the_claims(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    code = "print(sum(ledger.claim(f'k{number}') for number in range(50)))"
    processes = [started(path, code), started(path, code)]
    won = [int(process.communicate()[0]) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sum(won) == 50


def test_a_process_that_died_in_between_leaves_the_call_claimed(tmp_path: Path) -> None:
    """Nobody knows what its tool has done: the next process may neither run it nor tell."""
    path = tmp_path / "calls.db"
    died = started(path, "ledger.claim('a')\nos._exit(9)")
    assert died.wait() == 9
    died.communicate()
    after = SQLiteLedger(path)
    assert not after.claim("a")
    assert after.recorded("a") is None


def test_another_process_may_record(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    assert SQLiteLedger(path).claim("a")
    code = (
        "from toolbridge.parts import Text, ToolResult\n"
        "ledger.record('a', ToolResult(call_id='call_1', parts=(Text(text='22 degrees'),)))"
    )
    process = started(path, code)
    process.communicate()
    assert process.returncode == 0
    assert SQLiteLedger(path).recorded("a") == result()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_ledger_outlives_a_fork(tmp_path: Path) -> None:
    """No connection is carried into the child."""
    path = tmp_path / "calls.db"
    code = (
        "ledger.claim('a')\nchild = os.fork()\n"
        "if not child: os._exit(ledger.claim('a') * 2 + ledger.claim('b'))\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    process = started(path, code)
    process.communicate()
    assert process.returncode == 1
    assert not SQLiteLedger(path).claim("b")


def test_nothing_is_made_before_the_first_use(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    ledger = SQLiteLedger(path)
    assert not path.exists()
    ledger.claim("a")
    assert path.exists()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "missing"
    with pytest.raises(FileNotFoundError, match=r"no folder: make .*missing first"):
        SQLiteLedger(folder / "calls.db")


def test_a_folder_that_went_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    ledger = SQLiteLedger(folder / "calls.db")
    folder.rmdir()
    with pytest.raises(FileNotFoundError, match="no folder"):
        ledger.claim("a")


def test_a_path_stays_what_it_was_when_the_working_folder_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ledger = SQLiteLedger("calls.db")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    ledger.claim("a")
    assert (tmp_path / "calls.db").exists()


@pytest.mark.parametrize("path", ["", ":memory:"])
def test_sqlite_in_memory_is_refused(path: str) -> None:
    """Each connection would have a table of its own, and every claim would succeed."""
    with pytest.raises(ValueError, match="MemoryLedger"):
        SQLiteLedger(path)


def test_a_file_that_is_no_database_is_no_free_claim(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    path.write_text("not a database, but long enough to have a header of its own" * 20)
    with pytest.raises(sqlite3.DatabaseError):
        SQLiteLedger(path).claim("a")


def test_a_database_that_stays_locked_is_no_free_claim(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    ledger = SQLiteLedger(path, timeout=0.05)
    ledger.claim("a")
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("begin immediate")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        ledger.claim("b")
    holder.execute("rollback")
    holder.close()
    assert ledger.claim("b")


def test_the_table_can_be_read_without_toolbridge(tmp_path: Path) -> None:
    """Times are UTC in RFC 3339, results are JSON: an app may look, or clear out."""
    ledger = SQLiteLedger(tmp_path / "calls.db")
    ledger.claim("키")
    ledger.record("키", result())
    connection = sqlite3.connect(tmp_path / "calls.db")
    row = connection.execute(
        "select call_key, strftime('%Y', claimed_at), recorded_at like '____-__-__T__:__:__.___Z', "
        "result from toolbridge_calls"
    ).fetchone()
    connection.close()
    assert row[0] == "키"
    assert int(row[1]) >= 2024
    assert row[2] == 1
    assert json.loads(row[3])["value"]["class"] == "ToolResult"


def test_a_file_of_another_value_is_no_result(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    ledger = SQLiteLedger(path)
    ledger.record("a", result())
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(
            "update toolbridge_calls set result = ?", (tb.to_json(tb.Text(text="a")),)
        )
    connection.close()
    with pytest.raises(TypeError, match="a Text where a ToolResult stood"):
        ledger.recorded("a")
