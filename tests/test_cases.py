"""The cases of `tests/cases`: one meaning in several wire forms, and what each way loses.

A case is a JSON file. `forms` are bodies by format; for each pair `F>G` of `losses` the form F
converts to exactly the form G, with exactly these losses (code and path, in any order).
`model` is passed as `model=`. With `edits` a program changes the value read, at these pointers
into it, before it is written. `why` says what the case pins, and who says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import toolbridge as tb
from toolbridge.loss import CODES

Json: TypeAlias = Any

FOLDER = Path(__file__).parent / "cases"

ELSEWHERE = {
    "tool.stance": ("loop/test_policies.py", "test_what_a_tool_says_to_the_gate_is_no_vendors"),
    "tool.auto_strict": ("schemas/test_codes.py", "test_auto_is_off_where_strict_costs_meaning"),
}
"""Codes that no wire form can bring, each with the file and the name of its test."""


@dataclass(frozen=True, slots=True)
class Case:
    """One file; see above."""

    name: str
    why: str
    data: str
    kind: str
    forms: dict[str, Json]
    losses: dict[str, list[tuple[str, str]]]
    model: str | None = None
    edits: list[list[Json]] = field(default_factory=list)

    def __str__(self) -> str:
        """The test id."""
        return self.name

    def write(self, source: str, target: str) -> tb.Converted:
        """What becomes of a form in another format."""
        form = self.forms[source]
        if not self.edits:
            return tb.convert(form, source=source, target=target, kind=self.kind, model=self.model)
        value = edited(tb.read(form, source, self.kind), self.edits)
        return tb.write(value, target, model=self.model)


def edited(value: Json, edits: list[list[Json]]) -> Json:
    """A canonical value with other members at these pointers."""
    stored = json.loads(tb.to_json(value))
    for pointer, member in edits:
        *steps, last = pointer.split("/")[1:]
        holder = stored["value"]
        for step in steps:
            holder = holder[int(step) if isinstance(holder, list) else step]
        holder[last] = member
    return tb.from_json(json.dumps(stored))


def load(file: Path) -> Case:
    raw: dict[str, Json] = json.loads(file.read_text(encoding="utf-8"))
    raw["losses"] = {
        pair: [(code, at) for code, at in table] for pair, table in raw["losses"].items()
    }
    return Case(**raw)


CASES = [load(file) for file in sorted(FOLDER.glob("*.json"))]


def params(rows: Iterator[tuple[Case, str, str]]) -> list[Any]:
    """Test parameters."""
    return [
        pytest.param(case, source, target, id=f"{case}-{source}>{target}")
        for case, source, target in rows
    ]


def ways() -> Iterator[tuple[Case, str, str]]:
    for case in CASES:
        for pair in case.losses:
            source, _, target = pair.partition(">")
            yield case, source, target


def forms() -> Iterator[tuple[Case, str, str]]:
    return ((case, format, format) for case in CASES for format in case.forms)


def text_of(body: Json) -> str:
    """A body as text: 1, 1.0 and true are three texts, the order of keys is none."""
    return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True)


@pytest.mark.parametrize(("case", "source", "target"), params(ways()))
def test_a_form_becomes_the_other_with_these_losses(case: Case, source: str, target: str) -> None:
    converted = case.write(source, target)
    found = [(loss.code, loss.path) for loss in converted.losses]
    assert text_of(converted.payload) == text_of(case.forms[target]), case.why
    assert sorted(found) == sorted(case.losses[f"{source}>{target}"]), case.why


@pytest.mark.parametrize(("case", "source", "target"), params(forms()))
def test_a_form_is_itself_in_its_own_format(case: Case, source: str, target: str) -> None:
    form = case.forms[source]
    converted = tb.convert(form, source=source, target=target, kind=case.kind)
    assert text_of(converted.payload) == text_of(form)
    assert converted.losses == ()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_case_is_whole(case: Case) -> None:
    assert (FOLDER / f"{case.name}.json").is_file()
    assert case.why
    assert case.data == "hand-written"
    assert len(case.forms) > 1
    assert {format for pair in case.losses for format in pair.split(">")} == case.forms.keys()


def test_every_code_has_a_case() -> None:
    used = {code for case in CASES for table in case.losses.values() for code, _ in table}
    assert used.isdisjoint(ELSEWHERE)
    assert used | ELSEWHERE.keys() == CODES.keys()


@pytest.mark.parametrize(("file", "name"), ELSEWHERE.values(), ids=list(ELSEWHERE))
def test_a_code_without_a_case_has_a_test(file: str, name: str) -> None:
    text = (FOLDER.parent / file).read_text(encoding="utf-8")
    assert f"\ndef {name}(" in text
