"""A conversation handed over at every step, from every vendor to every other."""

from __future__ import annotations

import itertools

import pytest

import toolbridge as tb
from acceptable.verdict import request_findings
from laws.prefix import blocks, is_prefix
from toolbridge.demo.conversations import CONVERSATIONS, MODELS
from toolbridge.demo.play import play_cassette

from .said import FORMATS

PAIRS = [
    (name, source, target)
    for name in ("weather", "orders")
    for source, target in itertools.product(FORMATS, FORMATS)
]


def requests(name: str, source: str) -> list[tb.Request]:
    """What the next request would be after each step of a run."""
    conversation = CONVERSATIONS[name]
    run = play_cassette(conversation, source).run
    assert run is not None
    system = conversation.system
    whole = tb.Request(
        instructions=tb.Message(role="system", parts=(tb.Text(text=system),)) if system else None,
        tools=tuple(each.spec for each in conversation.tools),
    )
    ends = [
        number
        for number, message in enumerate(run.messages, 1)
        if isinstance(message, tb.Message) and message.role in ("user", "tool")
    ]
    return [whole.replace(history=run.messages[:end]) for end in (*ends, len(run.messages))]


@pytest.mark.parametrize(("name", "source", "target"), PAIRS)
def test_each_request_would_be_taken(name: str, source: str, target: str) -> None:
    """The third law."""
    for request in requests(name, source):
        body = tb.write(request, target, model=MODELS[target]).payload
        assert request_findings(body, target, model=MODELS[target]) == []


@pytest.mark.parametrize(("name", "source", "target"), PAIRS)
def test_each_request_begins_with_the_one_before(name: str, source: str, target: str) -> None:
    """The fourth law."""
    bodies = [
        blocks(tb.write(each, target, model=MODELS[target]).payload, target)
        for each in requests(name, source)
    ]
    assert len(bodies) > 2
    for shorter, longer in itertools.pairwise(bodies):
        assert is_prefix(shorter, longer)


@pytest.mark.parametrize(("name", "source", "target"), PAIRS)
def test_every_call_and_result_arrives(name: str, source: str, target: str) -> None:
    """What is written reads as the same calls, results and texts, for its own vendor too."""
    request = requests(name, source)[-2]
    body = tb.write(request, target, model=MODELS[target]).payload
    assert heard(tb.read(body, target)) == heard(request)


def heard(request: tb.Request) -> list[tuple[str, object]]:
    """Calls and texts in order, system text aside; a result by its flag."""
    told: list[tuple[str, object]] = []
    for message in request.history:
        if not isinstance(message, tb.Message) or message.role == "system":
            continue
        for part in message.parts:
            if isinstance(part, tb.Text):
                told.append(("text", part.text))
            elif isinstance(part, tb.ToolCall):
                told.append(("call", (part.name, dict(part.arguments))))
            elif isinstance(part, tb.ToolResult):
                told.append(("result", bool(part.is_error)))
    return told
