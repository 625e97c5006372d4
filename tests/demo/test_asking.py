"""The demo asks before what cannot be undone: once for all vendors, and a no stays a no."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from toolbridge.cli import main


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the person at the terminal types, in turn."""
    typed: list[str] = []

    def at(self: Console, prompt: str = "", **options: Any) -> str:
        if not typed:
            raise EOFError
        return typed.pop(0)

    monkeypatch.setattr(Console, "input", at)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    return typed


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    yield lambda: capsys.readouterr().out


ORDERS = ["demo", "--conversation", "orders"]


def test_a_yes_goes_for_all_vendors(answers: list[str], shown: Any) -> None:
    answers += ["what?", "Y"]
    assert main(ORDERS) == 0
    out = shown()
    assert out.count("May this be done?") == 1
    assert "request_refund(order_id='20260801-0012'" in out
    assert "because it cannot be undone" in out
    assert "the same texts, calls and results on each" in out
    assert answers == []


@pytest.mark.parametrize("typed", [["n"], ["no"], []])
def test_a_no_leaves_it_undone(answers: list[str], shown: Any, typed: list[str]) -> None:
    """A cassette has no answer to a no: the conversation waits where it was asked."""
    answers += typed
    assert main([*ORDERS, "--vendor", "gemini"]) == 0
    out = shown()
    assert "approval" in out
    assert "R-20260801-0012" not in out


def test_where_nobody_is_the_demo_says_that_it_says_yes(
    monkeypatch: pytest.MonkeyPatch, shown: Any
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    assert main([*ORDERS, "--vendor", "anthropic"]) == 0
    out = shown()
    assert "nobody is at the terminal: the demo says yes" in out
    assert "R-20260801-0012" in out
