"""The benchmark measures what it says: its conversation is as described, and it runs."""

from __future__ import annotations

import json
import runpy
from typing import Any, Final

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


def test_longer_histories_are_whole() -> None:
    """Every call is answered: a history cut within a step would measure its mending."""
    run = runpy.run_path(str(FOLDER / "run.py"))
    for size in (10, 100):
        body = run["long_body"](BODY, size)
        assert len(body["messages"]) == size
        for target in TARGETS:
            tb.convert(body, source="openai-chat", target=target, on_loss="raise")


def test_it_runs_and_prints_its_tables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the fewest runs: what it prints then means nothing, but it is all there."""
    run = runpy.run_path(str(FOLDER / "run.py"))
    for name, less in (("LOOPS", 1), ("SIZES", (10, 20)), ("MESSAGES_A_ROUND", 20)):
        monkeypatch.setitem(run["main"].__globals__, name, less)
    run["main"](["--rounds", "1"])
    printed = capsys.readouterr()
    for word in (*TARGETS, "json.loads", "import toolbridge", "10: 1.00"):
        assert word in printed.out
    assert "1/1" in printed.err
