"""Whatever comes of a call becomes its one result."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import math
from collections.abc import AsyncIterator, Generator, Iterator
from typing import Any

import pytest
from pydantic import BaseModel

import toolbridge as tb

from .play import Played, called, result_of, text_of


@dataclasses.dataclass
class Shop:
    """The app's own."""

    name: str


class Unit(enum.Enum):
    """A unit."""

    CELSIUS = "celsius"


class Order(BaseModel):
    """An order."""

    id: int
    due: datetime.date


# --- what comes of it


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ("맑음", (tb.Text(text="맑음"),)),
        ("", (tb.Text(text=""),)),
        (None, (tb.Text(text=""),)),
        (21, (tb.Json(value=21),)),
        (21.0, (tb.Json(value=21.0),)),
        (True, (tb.Json(value=True),)),
        (10**30, (tb.Json(value=10**30),)),
        ({"t": [1, None]}, (tb.Json(value={"t": [1, None]}),)),
        ([], (tb.Json(value=[]),)),
        (["a", "b"], (tb.Json(value=["a", "b"]),)),
        (Unit.CELSIUS, (tb.Json(value="celsius"),)),
        (Shop("A"), (tb.Json(value={"name": "A"}),)),
        ([Shop("A")], (tb.Json(value=[{"name": "A"}]),)),
        (
            Order(id=1, due=datetime.date(2026, 12, 1)),
            (tb.Json(value={"id": 1, "due": "2026-12-01"}),),
        ),
        ({1: {2}}, (tb.Json(value={"1": [2]}),)),
        (math.nan, (tb.Json(value="NaN"),)),
        ({"t": [math.inf]}, (tb.Json(value={"t": ["Infinity"]}),)),
        (tb.Json(value={"a": 1}), (tb.Json(value={"a": 1}),)),
        ("odd \udce9 name", (tb.Text(text="odd ? name"),)),
    ],
)
def test_a_result_is_text_json_or_parts(given: Any, parts: Any) -> None:
    def give() -> Any:
        return given

    assert result_of(give) == tb.ToolResult(call_id="call_1", parts=parts)


IMAGE = tb.Media(kind="image", source=tb.Source(data="aGk=", media_type="image/png"))


def test_parts_may_stand_beside_text() -> None:
    def look() -> Any:
        return ["the sky", IMAGE, tb.Json(value=1)]

    parts = (tb.Text(text="the sky"), IMAGE, tb.Json(value=1))
    assert result_of(look).parts == parts


class Unsayable:
    """Nothing that JSON could say."""

    def __repr__(self) -> str:
        return "<unsayable>"


def deep() -> Any:
    made: Any = []
    for _ in range(300):
        made = [made]
    return made


def round_trip() -> Any:
    made: list[Any] = []
    made.append(made)
    return made


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (Unsayable(), "type that JSON cannot say (Unsayable)"),
        ({"a": [Unsayable()]}, "JSON cannot say (dict)"),
        ({"a": "\udce9"}, "JSON cannot say (dict)"),
        (b"\xff", "JSON cannot say (bytes)"),
        (round_trip(), "JSON cannot say (list)"),
        (deep(), "JSON cannot say (list)"),
        ([IMAGE, 1], "parts beside other values"),
    ],
)
def test_what_json_cannot_say_is_a_failure_and_the_app_hears_why(given: Any, told: str) -> None:
    def give() -> Any:
        return given

    error = failure(give)
    assert isinstance(error, TypeError)
    assert told in str(error)


FAILED = [
    "The tool {name} failed by an error inside it.",
    "Do without it, or try once more with other arguments.",
]
"""All that a model hears of an error that is no ToolError."""


def failure(tool: Any, arguments: Any = None) -> BaseException | None:
    """The error of a call that failed, as the app hears of it."""
    played = called(tool, arguments)
    (result,) = played.results
    assert result.is_error
    assert text_of(result).splitlines() == [FAILED[0].format(name=tool.__name__), FAILED[1]]
    (finished,) = (event for event in played.events if isinstance(event, tb.Finished))
    assert finished.result == result
    return finished.error


def test_the_text_of_an_exception_is_for_the_app_alone() -> None:
    """With its traceback: the model hears that there was one."""

    def find(city: str) -> None:
        raise LookupError(f"no row for {city!r} in 10.0.0.7")

    error = failure(find, {"city": "서울시"})
    assert str(error) == "no row for '서울시' in 10.0.0.7"
    assert error is not None
    assert error.__traceback__ is not None


class Untellable(Exception):
    """Cannot even be told."""

    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    "error",
    [
        ValueError(),
        Untellable(),
        RuntimeError("x" * 10_000),
        SystemExit(3),
        KeyboardInterrupt(),
        OSError(2, "odd \udce9"),
    ],
    ids=repr,
)
def test_whatever_a_tool_raises_becomes_its_result(error: BaseException) -> None:
    def fail() -> None:
        raise error

    assert failure(fail) is error


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("no such city: try Seoul", (tb.Text(text="no such city: try Seoul"),)),
        ((tb.Text(text="see"), IMAGE), (tb.Text(text="see"), IMAGE)),
    ],
)
def test_what_a_tool_error_says_goes_to_the_model_as_it_is(content: Any, parts: Any) -> None:
    def fail() -> None:
        raise tb.ToolError(content)

    assert result_of(fail) == tb.ToolResult(call_id="call_1", parts=parts, is_error=True)


# --- async functions and generators, here in a thread


def test_an_async_function_runs_to_its_end() -> None:
    async def find(city: str) -> str:
        return city

    assert text_of(result_of(find, {"city": "서울"})) == "서울"


def returning() -> Generator[str, None, int]:
    yield "a"
    yield "b"
    return 3


def yielding() -> Iterator[Any]:
    yield "a"
    yield "b"
    yield 3


async def streaming() -> AsyncIterator[Any]:
    yield "a"
    yield "b"
    yield 3


def progress(played: Played) -> list[Any]:
    return [event.value for event in played.events if isinstance(event, tb.Progress)]


@pytest.mark.parametrize("function", [returning, yielding, streaming])
def test_a_generator_yields_progress_and_then_its_result(function: Any) -> None:
    played = called(function)
    assert progress(played) == ["a", "b"]
    assert played.results[0].parts == (tb.Json(value=3),)


def test_a_generator_that_yields_nothing_has_an_empty_result() -> None:
    def silent() -> Iterator[str]:
        yield from ()

    assert result_of(silent).parts == (tb.Text(text=""),)


def test_a_generator_that_raises_has_told_its_progress() -> None:
    def half() -> Iterator[str]:
        yield "a"
        yield "b"
        raise ValueError("no more")

    played = called(half)
    assert progress(played) == ["a"]
    assert played.results[0].is_error


def test_a_context_hands_progress_to_whoever_watches() -> None:
    def dig(context: tb.Context) -> str:
        context.progress({"done": 0.5})
        return "gold"

    played = called(dig)
    call = played.run.steps[0].response.tool_calls[0]
    kinds = [type(event) for event in played.events]
    assert kinds == [tb.Answered, tb.Progress, tb.Finished, tb.Answered]
    assert played.events[1] == tb.Progress(call, {"done": 0.5})
    assert played.events[2] == tb.Finished(call, played.results[0])
