"""The benchmark measures what it says: its conversation and streams are as described, and it
runs."""

from __future__ import annotations

import asyncio
import gzip
import json
import runpy
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import pytest

import toolbridge as tb
from project import ROOT

FOLDER: Final = ROOT / "benchmarks"
BODY: Final[dict[str, Any]] = json.loads((FOLDER / "conversation.json").read_text(encoding="utf-8"))
TARGETS: Final = ("anthropic", "openai-responses", "gemini")


def test_the_conversation_has_42_messages_8_tools_and_13_calls() -> None:
    calls = [call for each in BODY["messages"] for call in each.get("tool_calls", ())]
    assert (len(BODY["messages"]), len(BODY["tools"]), len(calls)) == (42, 8, 13)
    answered = [each["tool_call_id"] for each in BODY["messages"] if each["role"] == "tool"]
    assert answered == [call["id"] for call in calls]
    names = {tool["function"]["name"] for tool in BODY["tools"]}
    assert {call["function"]["name"] for call in calls} <= names


@pytest.mark.parametrize("target", TARGETS)
def test_the_conversation_loses_no_meaning(target: str) -> None:
    """Otherwise the benchmark would measure the report of losses."""
    tb.convert(BODY, source="openai-chat", target=target, on_loss="raise")


@pytest.fixture(autouse=True)
def modules_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script finds those in its own folder."""
    monkeypatch.syspath_prepend(FOLDER)


def test_longer_histories_are_whole() -> None:
    """Every call is answered: a history cut within a step would measure its mending."""
    run = runpy.run_path(str(FOLDER / "run.py"))
    for size in (10, 100):
        body = run["long_body"](BODY, size)
        assert len(body["messages"]) == size
        for target in TARGETS:
            tb.convert(body, source="openai-chat", target=target, on_loss="raise")


FORMATS: Final = ("anthropic", "openai-chat", "openai-responses", "gemini")


def stream_maker(name: str) -> Callable[..., Any]:
    made: Callable[..., Any] = runpy.run_path(str(FOLDER / "stream_events.py"))[name]
    return made


@pytest.mark.parametrize("format", FORMATS)
def test_a_stream_has_its_text_in_so_many_pieces(format: str) -> None:
    events = stream_maker("text_stream")(format, 50)
    response = tb.read(events, format, kind="stream")
    assert response.text == "".join(f" 단어 {number}" for number in range(50))
    assert (response.stop_reason, response.usage.output_tokens) == ("end", 100)
    assert (
        len([event for event in events if " 단어 7" in json.dumps(event, ensure_ascii=False)]) <= 5
    )


@pytest.mark.parametrize("format", FORMATS)
def test_a_stream_has_its_argument_in_pieces_of_so_many_bytes(format: str) -> None:
    events = stream_maker("call_stream")(format, 4100)
    (call,) = tb.read(events, format, kind="stream").tool_calls
    assert call.name == "write_file"
    assert len(call.arguments["text"]) == 4100
    assert 512 <= len(events) <= 540


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", FORMATS)
def test_the_streams_lose_no_meaning(source: str, target: str) -> None:
    for name, size in (("text_stream", 5), ("call_stream", 80)):
        events = stream_maker(name)(source, size)
        tb.convert(events, source=source, target=target, kind="stream", on_loss="raise")


def test_peers_that_are_not_installed_are_said_not_to_be_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    peers = runpy.run_path(str(FOLDER / "peers.py"))
    monkeypatch.setitem(peers["tables"].__globals__, "find_spec", lambda name: None)
    ((title, rows),) = peers["tables"](json.dumps(BODY), 1)
    assert title == "Not installed here, and not measured: litellm, llm-rosetta, any-llm-sdk"
    assert rows


@pytest.mark.parametrize(
    ("through_sdk", "asynchronous"), [(False, False), (False, True), (True, False), (True, True)]
)
def test_a_scripted_run_makes_all_its_calls(through_sdk: bool, asynchronous: bool) -> None:
    """As often as it is run, each time from its first answer."""
    scripts = runpy.run_path(str(FOLDER / "loop_script.py"))
    script = scripts["Script"](4, 2)
    with asyncio.Runner() as runner:
        stage = scripts["Stage"](runner.get_loop(), through_sdk, asynchronous)
        play = scripts["toolbridge"](script, stage)
        for _ in range(2):
            run = play()
            assert (run.stop_reason, run.text, len(run.steps)) == ("end", scripts["LAST"], 4)
            given = [result.parts[0].value for step in run.steps for result in step.results]
            assert given == script.results
        assert sorted(scripts["RAN"]) == sorted(script.results * 2)


@pytest.mark.parametrize("said", ["Only this.", "That is all."])
def test_a_loop_that_leaves_out_calls_is_not_measured(said: str) -> None:
    overhead = runpy.run_path(str(FOLDER / "loop_overhead.py"))
    run = overhead["checked"](lambda: said, overhead["Script"](2, 1))
    with pytest.raises(AssertionError, match="0 calls ran, of 1" if said[0] == "T" else said):
        run()


class Answer(NamedTuple):
    """An answer of litellm, as far as the documented loop reads it."""

    content: str | None
    tool_calls: tuple[Any, ...]


def test_the_documented_loop_runs_until_no_call_is_left() -> None:
    """What stands for litellm: every result goes to the next question, with the id of its call."""
    loop = runpy.run_path(str(FOLDER / "loop_peers.py"))["documented"]
    called = SimpleNamespace(name="add", arguments='{"a": 2, "b": 1}')
    call = SimpleNamespace(id="call_2", function=called)
    answers = iter([Answer(None, (call,)), Answer("Done.", ())])
    asked: list[list[Any]] = []

    def ask(messages: list[Any]) -> Any:
        asked.append([*messages])
        return SimpleNamespace(choices=[SimpleNamespace(message=next(answers))])

    assert loop(ask, dict, lambda a, b: a + b) == "Done."
    assert [len(each) for each in asked] == [1, 3]
    result = {"tool_call_id": "call_2", "role": "tool", "name": "add", "content": "3"}
    assert asked[1][2] == result


def test_it_runs_and_prints_its_tables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the fewest runs: what it prints then means nothing, but it is all there."""
    run = runpy.run_path(str(FOLDER / "run.py"))
    for name, less in (("LOOPS", 1), ("SIZES", (10, 20)), ("MESSAGES_A_ROUND", 20)):
        monkeypatch.setitem(run["main"].__globals__, name, less)
    for name, few in (("DELTAS", 9), ("ARGUMENT", 90), ("LENGTHS", (5, 10))):
        monkeypatch.setattr(run["stream_speed"], name, few)
    for name, few in (("SHORT", (2, 3)), ("CALLS", (1, 2)), ("CALLS_A_ROUND", 2)):
        monkeypatch.setattr(run["loop_overhead"], name, few)
    for module in (run["peers"], run["loop_overhead"].loop_peers):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    run["main"](["--rounds", "1"])
    printed = capsys.readouterr()
    words = (
        *FORMATS,
        "json.loads",
        "import toolbridge",
        "10: 1.00",
        "9 deltas of text, in times of json.loads of the events",
        "an argument of 90 bytes in pieces of 8",
        "to openai-responses: ",
        "time per event",
        "Memory of an endless text stream",
        "toolbridge, sync",
        "in process, async, 2 calls",
        "SDK, sync, 3 steps",
        "Not installed here, and not measured: pydantic-ai-slim, litellm",
        "Not installed here, and not measured: litellm",
    )
    for word in words:
        assert word in printed.out
    assert "1/1" in printed.err


NULLABLE: Final = {
    "type": "object",
    "properties": {
        "a": {"type": ["string", "null"]},
        "list": {"type": "array", "items": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/b"}]}},
    },
    "required": ["a", "list"],
    "$defs": {
        "b": {
            "type": "object",
            "properties": {"n": {"type": ["integer", "null"]}, "m": {"type": "integer"}},
            "required": ["n", "m"],
        }
    },
}


@pytest.mark.parametrize(
    ("item", "accepted"),
    [({"list": [{"m": 1}, None]}, True), ({"list": [{"n": 1}]}, False), ({"a": "x"}, False)],
)
def test_null_is_filled_in_only_where_it_may_be(item: Any, accepted: bool) -> None:
    reading = runpy.run_path(str(FOLDER / "schema_reading.py"))
    validator = reading["validator"](NULLABLE)
    assert reading["accepts"](validator, item) is False
    assert reading["accepts"](validator, item, nulls=True) is accepted


def test_schemas_are_judged_and_timed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A schema that toolbridge rewrites, beside a function that sends it as it is and one that is
    not installed."""
    schemas = runpy.run_path(str(FOLDER / "schemas.py"))
    tests = [{"valid": True, "data": {}}, {"valid": False, "data": {"a": "x"}}]
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    row = {"id": "s", "family": "f", "schema": schema, "tests": tests}
    corpus = tmp_path / "corpus.jsonl.gz"
    corpus.write_bytes(gzip.compress(json.dumps(row).encode()))
    monkeypatch.setitem(schemas["main"].__globals__, "CORPUS", corpus)
    peers = schemas["schema_peers"]
    same = peers.Peer("json", "jsonschema", "same", "identity", lambda: lambda schema: schema)
    absent = same._replace(module="not_there", package="another")
    monkeypatch.setitem(peers.PEERS, "openai-chat strict", (same, absent))
    schemas["main"](["--rounds", "1", "openai-chat strict"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    shares = {" ".join(cells[:-4]): cells[-4:] for cells in lines if cells[-1].endswith("%")}
    assert shares["schemas taken, of 1"] == ["1", "100.0%", "0", "0.0%"]
    assert shares["valid instances kept, of 1"] == ["1", "100.0%", "1", "100.0%"]
    assert shares["by a schema that is taken (leniently)"] == ["1", "100.0%", "0", "0.0%"]
    assert shares["invalid instances refused, of 1"] == ["1", "100.0%", "1", "100.0%"]
    assert ["Not", "installed", "here:", "another"] in lines


def test_a_function_that_fails_or_takes_too_long_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    schemas = runpy.run_path(str(FOLDER / "schemas.py"))
    monkeypatch.setitem(schemas["outcome"].__globals__, "LIMIT", 0.05)

    def endless(schema: Any) -> Any:
        while schema:
            pass

    def failing(schema: Any) -> Any:
        return schema["none"]

    for run, kind in ((endless, TimeoutError), (failing, KeyError), (set, TypeError)):
        function = schemas["Function"]("f", "f", run, lambda: None)
        assert isinstance(schemas["outcome"](function, {"type": "object"}), kind)
