"""Structured output: by the vendor's own means, or by a tool that stands for the answer."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any, Generic, Literal, TypeVar

import pytest
from pydantic import BaseModel, Field

import toolbridge as tb
from acceptable.verdict import request_findings

from .answers import FORMATS, MODELS, Answer, Called, calling, said
from .play import Played, play, shown

T = TypeVar("T")


class Weather(BaseModel):
    """The weather."""

    city: str
    degrees: int = Field(ge=-100)


class Tree(BaseModel):
    """Holds itself, in a field that could be a wrapper."""

    value: list[Tree] = []


class Page(BaseModel, Generic[T]):
    """A generic type."""

    items: list[T]


@dataclasses.dataclass
class Point:
    """A dataclass."""

    x: int


class Unsayable:
    """Nothing that JSON could say."""


class Sky(enum.Enum):
    """An enum."""

    CLEAR = "맑음"


@tb.tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"21도, {city}"


RIGHT = '{"city": "서울", "degrees": 21}'
SEOUL = Weather(city="서울", degrees=21)
CALL = Called("weather", {"city": "서울"}, "call_1")


def native(*answers: Answer, output: Any = Weather, format: str = "openai-chat") -> Played:
    return play([(format, each) for each in answers], model=format, output=output, tools=[weather])


def final(arguments: Any, id: str = "call_9") -> Called:
    return Called("final_answer", arguments, id)


def forced(*answers: Answer, output: Any = Weather, **options: Any) -> Played:
    """Where there is no schema beside tools: Gemini 2."""
    given: dict[str, Any] = {"tools": [weather], "output": output, **options}
    turns = [("gemini", each) for each in answers]
    return play(turns, model="gemini", id="gemini-2.5-flash", **given)


# --- by the vendor's own means


@pytest.mark.parametrize("format", FORMATS)
def test_the_last_answer_is_the_output(format: str) -> None:
    played = native(calling(CALL), said(RIGHT), format=format)
    assert played.run.output == SEOUL
    assert played.run.stop_reason == "end"
    assert len(played.requests) == 2
    kinds = {getattr(each.output, "kind", None) for each in played.requests}
    assert kinds == {"schema"}


def test_the_schema_is_plain_and_closed() -> None:
    (request,) = native(said(RIGHT)).requests
    assert request.output == tb.OutputFormat(
        kind="schema",
        name="Weather",
        schema={
            "type": "object",
            "description": "The weather.",
            "properties": {
                "city": {"type": "string"},
                "degrees": {"type": "integer", "minimum": -100},
            },
            "required": ["city", "degrees"],
            "additionalProperties": False,
        },
    )


@pytest.mark.parametrize("output", [Weather, Tree, Page[int], list[int], int | str, Sky])
@pytest.mark.parametrize("format", FORMATS)
def test_every_vendor_takes_the_request(format: str, output: Any) -> None:
    request = play([(format, said("{"))], model=format, output=output, max_steps=1).requests[0]
    body = tb.write(request, format, model=MODELS[format]).payload
    assert request_findings(body, format, model=MODELS[format]) == []


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("스물한 도", "The answer is no JSON (Expecting value: line 1 column 1 (char 0))."),
        ("", "The answer is no JSON"),
        ('{"city": "서울"}', "- degrees: missing"),
        ('{"city": "서울", "degrees": "warm"}', '(given: "warm")'),
        ("[]", "The answer does not fit the schema:"),
    ],
)
def test_what_does_not_fit_is_told_and_asked_for_again(wrong: str, told: str) -> None:
    played = native(said(wrong), said(RIGHT))
    assert played.run.output == SEOUL
    last = played.requests[1].history[-1]
    assert isinstance(last, tb.Message) and last.role == "user"
    (part,) = last.parts
    assert isinstance(part, tb.Text) and told in part.text


def test_one_that_never_fits_ends_with_the_steps() -> None:
    run = play([("openai-chat", said("?"))] * 9, output=Weather, max_steps=3).run
    assert (run.stop_reason, run.output, len(run.steps)) == ("max_steps", None, 3)


@pytest.mark.parametrize(
    ("format", "stop", "reason"),
    [
        ("openai-chat", "length", "length"),
        ("openai-chat", "content_filter", "filter"),
        ("anthropic", "refusal", "refusal"),
        ("anthropic", "model_context_window_exceeded", "context_full"),
        ("gemini", "SAFETY", "filter"),
        ("openai-responses", "failed", "error"),
    ],
)
def test_what_the_model_could_not_finish_is_not_asked_for_again(
    format: str, stop: str, reason: str
) -> None:
    played = native(said('{"city": "서', stop), format=format)
    assert (played.run.stop_reason, played.run.output) == (reason, None)
    assert len(played.requests) == 1


def test_a_refusal_is_not_asked_about_again() -> None:
    refusal = tb.Message(role="assistant", parts=(tb.Refusal(text="안 돼요"),))
    answer = tb.Alternative(messages=(refusal,), stop_reason="refusal")
    run = play([tb.Response(alternatives=(answer,))], output=Weather).run
    assert (run.stop_reason, run.output) == ("refusal", None)


@pytest.mark.parametrize("stop", ["tool_calls", "new_word"])
def test_text_counts_though_the_stop_reason_says_otherwise(stop: str) -> None:
    assert native(said(RIGHT, stop)).run.output == SEOUL


def test_text_beside_calls_is_not_the_answer_yet() -> None:
    played = native(calling(CALL, text="{}"), said(RIGHT))
    assert played.run.output == SEOUL
    assert shown(played) == [("call_1", False, "21도, 서울")]


@pytest.mark.parametrize(
    ("output", "text", "value"),
    [
        (list[int], '{"value": [1, 2]}', [1, 2]),
        (list[int], "[1, 2]", [1, 2]),
        (int, '{"value": 3}', 3),
        (Literal["a", "b"], '{"value": "b"}', "b"),
        (int | None, '{"value": null}', None),
        (Sky, '{"value": "맑음"}', Sky.CLEAR),
        (Point, '{"x": 1}', Point(1)),
        (dict[str, int], '{"value": 1}', {"value": 1}),
        (Tree, '{"value": [{"value": []}]}', Tree(value=[Tree()])),
        (list[Tree], '{"value": [{}]}', [Tree()]),
        (Page[int], '{"items": [1]}', Page[int](items=[1])),
    ],
)
def test_a_type_that_is_no_object_stands_in_one(output: Any, text: str, value: Any) -> None:
    """Vendors want an object; a server that gives the bare value is understood too."""
    run = native(said(text), output=output).run
    assert (run.output, run.stop_reason) == (value, "end")
    assert len(run.steps) == 1


@pytest.mark.parametrize("output", [Unsayable, tb.Message, "Weather"])
def test_a_type_without_schema_is_refused_before_anything_is_sent(output: Any) -> None:
    with pytest.raises(tb.ToolDefinitionError, match="has no JSON Schema"):
        native(output=output)


# --- by a tool


def test_a_tool_stands_for_the_answer_and_must_be_called() -> None:
    played = forced(calling(CALL), calling(final({"city": "서울", "degrees": 21})))
    assert played.run.output == SEOUL
    assert shown(played) == [("call_1", False, "21도, 서울"), ("call_9", False, "Taken.")]
    for request in played.requests:
        assert request.output is None
        assert request.tool_choice == tb.ToolChoice(mode="required")
        assert [getattr(tool, "name", "") for tool in request.tools or ()] == [
            "weather",
            "final_answer",
        ]


def test_a_schema_is_used_where_there_are_no_tools_to_stand_beside() -> None:
    played = forced(said(RIGHT), tools=[])
    assert played.run.output == SEOUL
    assert played.requests[0].output is not None
    assert played.requests[0].tools is None


def test_wrong_arguments_of_the_answer_are_told() -> None:
    played = forced(calling(final({"city": 1})), calling(final({"city": "서울", "degrees": 21})))
    assert played.run.output == SEOUL
    (first, _) = shown(played)
    assert first[1]
    assert "- degrees: missing" in first[2]


def test_an_answer_that_was_cut_is_not_taken() -> None:
    cut = calling(final({"city": "서울"}), stop="MAX_TOKENS")
    played = forced(cut, calling(final({"city": "서울", "degrees": 21})))
    assert played.run.output == SEOUL
    assert "was cut off before its end" in shown(played)[0][2]


def test_text_in_place_of_the_tool_is_told() -> None:
    played = forced(said("21도예요"), calling(final({"city": "서울", "degrees": 21})))
    assert played.run.output == SEOUL
    last = played.requests[1].history[-1]
    assert isinstance(last, tb.Message)
    assert last.parts == (tb.Text(text="Give the answer by calling the tool final_answer."),)


def test_the_right_one_of_several_answers_is_taken() -> None:
    wrong, right = final({"city": 1}, "a"), final({"city": "서울", "degrees": 21}, "b")
    played = forced(calling(wrong, right))
    assert played.run.output == SEOUL
    assert [failed for _, failed, _ in shown(played)] == [True, False]


def test_calls_beside_the_answer_run_before_it_is_taken() -> None:
    played = forced(calling(final({"city": "서울", "degrees": 21}), CALL))
    assert played.run.output == SEOUL
    assert [text for _, _, text in shown(played)] == ["Taken.", "21도, 서울"]


def test_a_type_that_is_no_object_stands_in_the_arguments_too() -> None:
    assert forced(calling(final({"value": [1, 2]})), output=list[int]).run.output == [1, 2]


def test_a_tool_of_the_apps_with_that_name_is_refused() -> None:
    def final_answer() -> None: ...

    with pytest.raises(tb.ToolDefinitionError, match="final_answer"):
        forced(tools=[final_answer])
