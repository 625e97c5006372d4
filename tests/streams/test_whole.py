"""Law 5: a whole answer written as a stream, and read again, is that answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

import toolbridge as tb
from laws.corpus import FORMATS, recordings, requires_shared
from laws.inject import strict_equal
from laws.strategies import answers
from laws.test_generated import as_source, few
from toolbridge.values import Value

from .recorded import hear

Json = Any

NOT_SAID = {
    ("openai-chat", "call", "index"): "the place of a call among those of a stream",
}
"""What a stream cannot say, by format, part and key of what nobody knows."""


def without_unsaid(item: Any, format: str) -> Any:
    """The answer without what a stream cannot say."""
    if isinstance(item, tuple):
        return tuple(without_unsaid(each, format) for each in item)
    if not isinstance(item, Value):
        return item
    changes = {name: without_unsaid(member, format) for name, member in vars(item).items()}
    part = "call" if isinstance(item, tb.ToolCall) else ""
    extra = {
        key: member
        for key, member in (item.extra or {}).items()
        if (format, part, key) not in NOT_SAID
    }
    changes["extra"] = extra or None
    return item.replace(**changes)


def whole_answers(format: str) -> Iterator[tuple[str, Json]]:
    """The whole answers of the corpus."""
    for recording in recordings(format):
        if recording.response is not None:
            yield str(recording), recording.response


def problem(body: Json, format: str) -> str:
    """How an answer differs that went through a stream."""
    try:
        answer = tb.read(body, format, kind="response")
    except tb.ToolbridgeError:
        return ""
    written = tb.write(answer, format, kind="stream").payload
    back = tb.read(written, format, kind="stream")
    if back != without_unsaid(answer, format):
        return f"{back!r} is not {answer!r}"
    return "" if strict_equal(body, tb.write(answer, format).payload) else "written otherwise"


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_a_whole_answer_goes_through_a_stream(format: str) -> None:
    found = {name: problem(body, format) for name, body in whole_answers(format)}
    broken = {name: told for name, told in found.items() if told}
    print(f"{format}: {len(found) - len(broken)} of {len(found)} answers hold")
    assert found
    assert not broken, "\n".join(f"{name}: {broken[name][:400]}" for name in [*broken][:5])


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_what_is_written_has_no_event_that_nobody_knows(format: str) -> None:
    for name, body in whole_answers(format):
        try:
            answer = tb.read(body, format, kind="response")
        except tb.ToolbridgeError:
            continue
        heard = hear(tb.write(answer, format, kind="stream").payload, format)
        assert heard.of(tb.events.Unknown) == [], name


@pytest.mark.parametrize("format", FORMATS)
@few
@given(answers())
def test_a_generated_answer_goes_through_a_stream(format: str, answer: Json) -> None:
    assert problem(as_source(answer, format, "response"), format) == ""
