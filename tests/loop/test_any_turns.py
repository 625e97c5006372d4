"""Whatever a model does: each call gets exactly one result, broken calls never run, and the
transcript is one that every vendor takes, and goes on with for as long as it likes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toolbridge as tb
from acceptable.verdict import request_findings
from laws.prefix import blocks, is_prefix

from .answers import FORMATS, MODELS, Answer, Called
from .play import Played, Turn, play

TARGETS = {
    **MODELS,
    "openai-chat:mistral": "mistral-large-latest",
    "openai-chat:deepseek": "deepseek-chat",
}

few = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

WORDS = {
    "anthropic": ("end_turn", "tool_use", "max_tokens", "pause_turn", "refusal", "new_word"),
    "openai-chat": ("stop", "tool_calls", "length", "content_filter", "new_word"),
    "openai-responses": ("completed", "incomplete:max_output_tokens", "failed", "queued"),
    "gemini": ("STOP", "MAX_TOKENS", "SAFETY", "MALFORMED_FUNCTION_CALL", "NEW_WORD"),
}

RAN: list[str] = []


@tb.tool
def weather(city: str) -> dict[str, str]:
    """The weather in a city."""
    RAN.append(city)
    return {"city": city, "sky": "맑음"}


@tb.tool(name="get.news today")
def news(city: str = "서울") -> tuple[Any, ...]:
    """The news, with a picture. No vendor takes the name."""
    RAN.append(city)
    picture = tb.Media(kind="image", source=tb.Source(data="aGk=", media_type="image/png"))
    return (tb.Text(text="see"), picture)


@tb.tool
def fail(city: str = "") -> None:
    """Raises."""
    raise tb.ToolError(f"no city {city!r}")


@tb.tool
def unsayable() -> Any:
    """Gives what JSON cannot say."""
    return object()


@tb.tool
def silent() -> None:
    """Gives nothing."""


@tb.tool(kind="custom")
def shout(text: str) -> str:
    """Takes free text."""
    RAN.append(text)
    return text.upper()


TOOLS = (weather, news, fail, unsayable, silent, shout)
NAMES = (*(tool.name for tool in TOOLS), "weather", "weather", "wether", "날씨", "")
ARGUMENTS: tuple[Any, ...] = (
    {"city": "부산"},
    {"city": "서울", "days": 1},
    {},
    {"input": "hey"},
    {"city": None},
    '{"city": "서',
    "[1]",
    "null",
    "",
    "{'city': 1}",
)
IDS = ("call_1", "call_1", "call_2", "toolu.1", "호출", "c" * 50, "", None)

called = st.builds(
    Called,
    name=st.sampled_from(NAMES),
    arguments=st.sampled_from(ARGUMENTS),
    id=st.sampled_from(IDS),
    signed=st.booleans(),
)


@st.composite
def turns(draw: Any, format: str | None = None) -> Turn:
    """What a model says next, with a stop reason that may contradict it."""
    chosen = format or draw(st.sampled_from(FORMATS))
    answer = Answer(
        text=draw(st.sampled_from([None, "볼게요", "", " "])),
        calls=tuple(draw(st.lists(called, max_size=3))),
        stop=draw(st.none() | st.sampled_from(WORDS[chosen])),
    )
    return chosen, answer


conversations = st.lists(turns(), min_size=1, max_size=4)


def played(said: list[Turn]) -> Played:
    RAN.clear()
    return play(said, tools=TOOLS, max_steps=len(said))


def calls_of(step: tb.Step) -> list[tb.ToolCall]:
    first = step.response.alternatives[0]
    assert isinstance(first, tb.Alternative)
    return [part for part in first.parts if isinstance(part, tb.ToolCall)]


@few
@given(conversations)
def test_each_call_has_exactly_one_result_in_its_place(said: list[Turn]) -> None:
    run = played(said).run
    for (_, answer), step in zip(said, run.steps, strict=False):
        calls = calls_of(step)
        assert len(calls) == len(answer.calls)
        assert [result.call_id for result in step.results] == [call.id for call in calls]
    tool_messages = [each for each in run.messages if getattr(each, "role", "") == "tool"]
    answered = [step for step in run.steps if step.results]
    assert [getattr(each, "parts", ()) for each in tool_messages] == [
        step.results for step in answered
    ]


@few
@given(conversations)
def test_broken_and_invalid_calls_never_run(said: list[Turn]) -> None:
    run = played(said).run
    ran = 0
    for step in run.steps:
        for call, result in zip(calls_of(step), step.results, strict=True):
            if call.status != "complete" or call.name not in {tool.name for tool in TOOLS}:
                assert result.is_error
            ran += not result.is_error and call.name not in ("silent",)
    assert len(RAN) == ran


def ends_run(step: tb.Step, was_told: bool) -> bool:
    """Whether nothing is left to do after a step: no call, no pause, and no call that could not be
    read, of which the model is told once. What a vendor blocked ends a run in any case."""
    reason = step.response.stop_reason
    if reason in ("refusal", "filter"):
        return True
    return not (step.results or reason == "pause" or (reason == "malformed" and not was_told))


@few
@given(conversations)
def test_the_run_ends_where_no_call_is_left(said: list[Turn]) -> None:
    run = played(said).run
    last = run.steps[-1]
    told = [step.response.stop_reason == "malformed" and not step.results for step in run.steps]
    ends = [ends_run(step, any(told[:place])) for place, step in enumerate(run.steps)]
    assert not any(ends[:-1])
    assert run.stop_reason == (last.response.stop_reason if ends[-1] else "max_steps")


def written(request: tb.Request, target: str) -> tb.Converted:
    return tb.write(request, target, model=TARGETS[target])


@pytest.mark.parametrize("target", TARGETS)
@few
@given(conversations)
def test_every_vendor_takes_every_request(target: str, said: list[Turn]) -> None:
    format, _, profile = target.partition(":")
    whole = played(said)
    final = whole.requests[0].replace(history=whole.run.messages)
    for request in (*whole.requests, final):
        converted = written(request, target)
        model = TARGETS[target]
        assert (
            request_findings(converted.payload, format, profile=profile or None, model=model) == []
        )


@pytest.mark.parametrize("target", TARGETS)
@few
@given(conversations)
def test_each_request_begins_with_the_one_before(target: str, said: list[Turn]) -> None:
    bodies = [blocks(written(request, target).payload, target) for request in played(said).requests]
    for shorter, longer in itertools.pairwise(bodies):
        assert is_prefix(shorter, longer)


@few
@given(conversations)
def test_a_run_can_be_stored_and_goes_on_as_it_was(said: list[Turn]) -> None:
    whole = played(said)
    request = whole.requests[0].replace(history=whole.run.messages)
    stored = tb.from_json(tb.to_json(request))
    assert stored == request
    for target in FORMATS:
        assert written(stored, target).payload == written(request, target).payload


@few
@given(st.sampled_from(FORMATS).flatmap(lambda format: st.lists(turns(format), min_size=1)))
def test_a_vendor_gets_its_own_words_back(said: list[Turn]) -> None:
    """Each part that a vendor wrote is sent back to it with the same words, names and
    arguments; ids may be made unique."""
    whole = played(said[:3])
    format = said[0][0]
    request = whole.requests[0].replace(history=whole.run.messages)
    back: tb.Request = tb.read(written(request, format).payload, format)
    kept = [without_ids(part) for part in parts_of(back) if is_models(part)]
    own = [without_ids(part) for part in parts_of(request) if is_models(part)]
    assert [each for each in own if each in kept] == own


def parts_of(request: tb.Request) -> list[Any]:
    return [part for message in request.history for part in getattr(message, "parts", ())]


def is_models(part: Any) -> bool:
    return isinstance(part, tb.ToolCall) and part.name in ("weather", "fail", "silent", "wether")


def without_ids(call: tb.ToolCall) -> Any:
    return call.name, call.arguments if isinstance(call.arguments, str) else dict(call.arguments)
