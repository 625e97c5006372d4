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
ANSWERS = ("choices", "candidates", "stop_reason", "output")
"""Keys of a response body: the cases do not name the kind."""


def between_vendors(case: Json) -> bool:
    return {case[end].partition(":")[0] for end in ("from", "to")} <= FORMATS


def load(file: Path) -> Json:
    return json.loads(file.read_text(encoding="utf-8"))


CASES = {
    file.stem: case for file in sorted(FOLDER.glob("*.json")) if between_vendors(case := load(file))
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
