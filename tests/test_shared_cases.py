"""The cases of `../shared/cases` that go from one vendor's format to another's.

Each is rebuilt from a public bug report and says what must be true of the output, with the
vendor's rule behind it. They run through their own evaluator.
"""

from __future__ import annotations

import functools
import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import toolbridge as tb
from laws.corpus import SHARED, requires_shared

Json: TypeAlias = Any
Failures: TypeAlias = Callable[[Json, Json], list[str]]

FOLDER = SHARED / "cases"
FORMATS = {info.name for info in tb.formats()}
BETWEEN_VENDORS = 32
OF_TOOLS = 14
ANSWERS = ("choices", "candidates", "stop_reason", "output")
"""Keys of a response body: the cases do not name the kind."""


def between_vendors(case: Json) -> bool:
    return {case[end].partition(":")[0] for end in ("from", "to")} <= FORMATS


def load(file: Path) -> Json:
    return json.loads(file.read_text(encoding="utf-8"))


CASES = {
    file.stem: case for file in sorted(FOLDER.glob("*.json")) if between_vendors(case := load(file))
}


TOOL_CASES = {
    file.stem: case
    for file in sorted(FOLDER.glob("*.json"))
    if (case := load(file))["from"] == "schema"
}


@functools.cache
def evaluator() -> Failures:
    """The function of the cases' own evaluator that lists what does not hold."""
    found: Failures = runpy.run_path(str(FOLDER / "eval_expect.py"))["failures"]
    return found


@requires_shared
def test_every_case_between_vendors_is_run() -> None:
    assert len(CASES) == BETWEEN_VENDORS


@requires_shared
@pytest.mark.parametrize("name", CASES)
def test_the_output_is_what_the_report_asks_for(name: str) -> None:
    case = CASES[name]
    kind = "request" if case["input"].keys().isdisjoint(ANSWERS) else "response"
    converted = tb.convert(case["input"], source=case["from"], target=case["to"], kind=kind)
    assert evaluator()(case["expect"], converted.payload) == []


@requires_shared
def test_every_case_of_tools_is_run() -> None:
    assert len(TOOL_CASES) == OF_TOOLS
    assert {case["kind"] for case in TOOL_CASES.values()} == {"schema", "tool-names"}


@requires_shared
@pytest.mark.parametrize("profile", ["", "parameters"])
@pytest.mark.parametrize("name", TOOL_CASES)
def test_the_adapted_tools_are_what_the_report_asks_for(name: str, profile: str) -> None:
    """Gemini's in both fields that it has for a schema."""
    case = TOOL_CASES[name]
    target, _, option = case["to"].partition(":")
    if profile and target != "gemini":
        pytest.skip("of Gemini")
    target = f"{target}:{profile}" if profile else target
    adapted = tb.adapt_tools(case["input"]["tools"], target, strict=option == "strict")
    assert evaluator()(case["expect"], {"tools": adapted.payload}) == []


@requires_shared
def test_what_the_cases_ask_of_the_answer() -> None:
    """Their checks in prose: calls come back in terms of the original, changes are reported."""
    strict = TOOL_CASES["schema-openai-strict"]["input"]["tools"]
    adapted = tb.adapt_tools(strict, "openai-chat", strict=True)
    given = {"item": "pen", "qty": None, "ship": None}
    assert adapted.restore("order", given) == ("order", {"item": "pen"})
    gear = tb.adapt_tools(TOOL_CASES["schema-integer-enum"]["input"]["tools"], "gemini:parameters")
    assert gear.restore("gear", {"n": "2"}) == ("gear", {"n": 2})
    pay = tb.adapt_tools(TOOL_CASES["schema-root-union-anthropic"]["input"]["tools"], "anthropic")
    assert pay.restore("pay", {"value": {"iban": "DE1"}}) == ("pay", {"iban": "DE1"})
    sow = TOOL_CASES["schema-required-without-property"]["input"]["tools"]
    losses = tb.adapt_tools(sow, "gemini:parameters").losses
    assert any("depth" in loss.detail for loss in losses)
    plant = TOOL_CASES["schema-recursive"]["input"]["tools"]
    codes = {loss.code for loss in tb.adapt_tools(plant, "gemini:parameters").losses}
    assert "schema.recursion" in codes
    names = TOOL_CASES["names-longer-than-64"]["input"]["tools"]
    adapted = tb.adapt_tools(names, "openai-chat")
    short = [tool["function"]["name"] for tool in adapted.payload]
    assert [adapted.restore(name, {})[0] for name in short] == [tool["name"] for tool in names]
