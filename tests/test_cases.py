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

KNOWN_WRONG = {
    # messages and contents are empty, which both refuse
    "system-only": "openai-chat>anthropic openai-chat>gemini",
    # a loss stands for what says no more than its absence
    "tools-strict-off": "openai-chat>gemini",
    # the whole schema is replaced by that of any object
    "tools-root-untyped": "openai-chat>anthropic openai-chat>gemini",
    # a custom tool is said to have been tried strict
    "tools-custom": "openai-responses>anthropic openai-responses>gemini",
    # the loss of the choice stands at /tool_choice, not at the name
    "names-in-history": "openai-chat>gemini",
    # no loss at the name of the result; that of the choice stands at the root
    "names-of-gemini": "gemini>anthropic gemini>openai-chat",
    # the loss stands at /tool_choice, not at the tool
    "choice-vendor-tool-in-subset": "openai-responses>openai-chat",
    # the choice of a tool left out is written
    "choice-vendor-tool-by-name": (
        "anthropic>openai-chat anthropic>openai-responses anthropic>gemini"
    ),
    # no rule says which models refuse a forced choice
    "choice-forced": "openai-chat>anthropic",
    # the choice names a function that is declared as a custom tool
    "choice-custom": "anthropic>openai-chat anthropic>openai-responses",
    # the word of another server is written, as the format is the same
    "choice-any-of-mistral": "openai-chat:mistral>openai-chat",
    # result.option and tool.strict_tried stand for nothing
    "call-custom": (
        "openai-responses>openai-chat openai-responses>anthropic openai-responses>gemini "
        "anthropic>openai-chat gemini>openai-chat"
    ),
    # call.option and result.option stand for nothing, the output has no loss
    "call-known-by-type": "openai-responses>anthropic",
    # name.dropped stands for a name that comes back, or is written
    "calls-of-functions": "openai-chat>anthropic openai-chat>openai-responses openai-chat>gemini",
    # the key that this server does not know is written
    "limit-of-mistral": "openai-chat>openai-chat:mistral",
    # the line is carried as it is, and a loss stands for it
    "result-failed": "openai-chat>openai-responses openai-responses>openai-chat",
    # the line is written twice
    "result-failed-silent": "anthropic>openai-chat anthropic>openai-responses",
    # the flag of the invented result is told as a loss of the call
    "result-missing": "openai-chat>openai-responses",
    # no rule lists the media types of Messages
    "image-type-unknown-to-anthropic": "gemini>anthropic",
    # the sound is written without its format, which is required
    "audio-ogg": "gemini>openai-chat",
    # message.empty stands for an item that is no message
    "reasoning-item": "openai-responses>anthropic openai-responses>openai-chat",
    # the message is left out and said to be said by the user
    "context-tool-removal": "anthropic>openai-chat",
    # another media type is written, even in the same format
    "image-data-without-type": (
        "openai-chat>openai-responses openai-responses>openai-chat openai-chat>openai-chat "
        "openai-responses>openai-responses"
    ),
    # no rule says which models refuse disabled thinking
    "effort-none-refused": "openai-chat>anthropic",
    # no rule keeps effort and functions apart
    "effort-with-tools": "openai-responses>openai-chat",
    # no rule says which models refuse adaptive thinking
    "thinking-adaptive-refused": "openai-responses>anthropic",
    # name.dropped stands for a name that comes back
    "output-schema": (
        "openai-chat>anthropic openai-chat>gemini openai-responses>anthropic "
        "openai-responses>gemini"
    ),
    # the loss stands at /generationConfig, not at the word
    "output-json": "gemini>anthropic",
    # no rule counts cache marks
    "cache-marks-too-many": "openai-chat>anthropic",
    # default.invented stands for counts of none
    "answer-of-gemini": "gemini>openai-responses",
    # the cut call is said to be completed
    "answer-cut-call": "anthropic>openai-responses",
    # role, content and reason are missing
    "answer-blocked": "gemini>anthropic",
    # a silent loss
    "error-code": "gemini>openai-chat",
    # the citations stay, counting characters of another text
    "changed-since-read": "openai-chat>openai-responses",
}
"""The ways on which the library is known to differ from the case, and why the case is right."""


def params(rows: Iterator[tuple[Case, str, str]]) -> list[Any]:
    """Test parameters; where the library is known to be wrong the test must fail."""
    made = []
    for case, source, target in rows:
        pair = f"{source}>{target}"
        wrong = pytest.mark.xfail(raises=AssertionError, strict=True, reason="known to be wrong")
        marks = [wrong] if pair in KNOWN_WRONG.get(case.name, "").split() else []
        made.append(pytest.param(case, source, target, marks=marks, id=f"{case}-{pair}"))
    return made


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
    assert used == CODES.keys()


def test_what_is_known_to_be_wrong_is_tested() -> None:
    known = {(name, pair) for name, pairs in KNOWN_WRONG.items() for pair in pairs.split()}
    rows = (*ways(), *forms())
    assert known <= {(case.name, f"{source}>{target}") for case, source, target in rows}
