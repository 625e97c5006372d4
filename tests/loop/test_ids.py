"""Servers give ids twice, or none: each result is paired with its own call all the same, for
every vendor that the conversation is written for."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toolbridge as tb

from .answers import FORMATS, MODELS, Called, calling, said
from .play import Turn, play
from .servers import Server

TARGETS = {**MODELS, "openai-chat:mistral": "mistral-large-latest"}


@tb.tool(repeatable=True)
def double(number: int) -> str:
    """Twice a number."""
    return f"{2 * number}"


def step(format: str, *numbers: int, ids: tuple[str | None, ...]) -> Turn:
    """One step of these calls; the ids are used again and again."""
    pairs = zip(numbers, itertools.cycle(ids), strict=False)
    return format, calling(*(Called("double", {"number": number}, id) for number, id in pairs))


def body(turns: list[Turn], target: str) -> Any:
    """The request that goes on with a conversation."""
    played = play(turns, tools=[double], max_steps=len(turns))
    request = played.requests[0].replace(history=played.run.messages)
    return tb.write(request, target, model=TARGETS[target]).payload


def pairs(body: Any, target: str) -> list[tuple[int, str]]:
    """Of each call the number that it asks for, with what its result says, as whoever reads the
    body pairs them: by ids, which are of one call each, or without ids by order."""
    request: tb.Request = tb.read(body, target)
    parts = [part for message in request.history for part in getattr(message, "parts", ())]
    calls = [part for part in parts if isinstance(part, tb.ToolCall)]
    results = {part.call_id: part for part in parts if isinstance(part, tb.ToolResult)}
    assert len({call.id for call in calls}) == len(calls) == len(results)
    return [(call.arguments["number"], said_in(results[call.id])) for call in calls]


def said_in(result: tb.ToolResult) -> str:
    (part,) = result.parts
    return part.text if isinstance(part, tb.Text) else str(getattr(part, "value", ""))


IDS: list[tuple[str | None, ...]] = [
    ("same",),
    ("",),
    (None,),
    ("a", "b"),
    ("a", None, ""),
    ("a.",),
]


@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", FORMATS)
def test_results_are_paired_where_ids_repeat(source: str, target: str, ids: Any) -> None:
    turns = [step(source, *numbers, ids=ids) for numbers in ((1, 1), (2, 3, 4), (1,), (5,))]
    assert pairs(body(turns, target), target) == [
        (number, f"{2 * number}") for number in (1, 1, 2, 3, 4, 1, 5)
    ]


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.data())
@pytest.mark.parametrize("target", TARGETS)
def test_results_are_paired_whoever_spoke(target: str, data: st.DataObject) -> None:
    numbers = itertools.count(1)
    turns: list[Turn] = []
    for _ in range(data.draw(st.integers(1, 4))):
        asked = [next(numbers) for _ in range(data.draw(st.integers(1, 3)))]
        ids = data.draw(st.sampled_from(IDS))
        turns.append(step(data.draw(st.sampled_from(FORMATS)), *asked, ids=ids))
    found = pairs(body(turns, target), target)
    assert found == [(number, f"{2 * number}") for number in range(1, next(numbers))]


def test_a_call_without_id_stays_without_for_its_own_vendor() -> None:
    """A result with an id for a call without one would be paired with nothing."""
    written = body([step("gemini", 1, 2, ids=(None,)), step("gemini", 1, ids=(None,))], "gemini")
    data = [part for content in written["contents"] for part in content["parts"]]
    held = [part[key] for part in data for key in part if key.startswith("function")]
    assert len(held) == 6
    assert not any("id" in each for each in held)


def test_an_id_that_comes_once_stays_for_its_own_vendor() -> None:
    turns = [step("anthropic", 1, ids=("toolu_1",)), step("anthropic", 2, ids=("toolu_2",))]
    blocks = [
        block
        for message in body(turns, "anthropic")["messages"]
        for block in message["content"]
        if isinstance(block, dict)
    ]
    assert [block.get("id") or block.get("tool_use_id") for block in blocks] == [
        "toolu_1",
        "toolu_1",
        "toolu_2",
        "toolu_2",
    ]


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_conversation_is_written_the_same_again(format: str) -> None:
    """Ids that are made up come from the conversation alone: caches and recordings depend on it."""

    def bodies() -> list[Any]:
        calls = [Called("double", {"number": number}, None) for number in (1, 1)]
        server = Server(format, [calling(*calls), calling(*calls), said("ok")])
        tb.run(server.model(), "hi", tools=[double])
        return server.bodies

    assert bodies() == bodies()
