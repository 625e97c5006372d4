"""The five ways in which models call wrongly, with a scripted model of each vendor: each is told
to the model as a result, the model mends it, and the run ends well.

They are to be expected of any model, however good: arguments that break the schema, invented ones,
tools that there are not, answers from memory, and needless calls.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest

import toolbridge as tb

from .answers import FORMATS, Answer, Called, calling, said
from .play import text_of
from .servers import Server

RAN: list[tuple[str, Any]] = []


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    RAN.clear()


@tb.tool(effect="read")
def find_user(name: str) -> dict[str, Any]:
    """Find a user by name."""
    RAN.append(("find_user", name))
    return {"user_id": "u-71", "name": name}


@tb.tool(effect="read")
def list_orders(
    user_id: Annotated[str, tb.From("find_user.user_id")], limit: int = 5
) -> list[dict[str, Any]]:
    """The orders of a user."""
    RAN.append(("list_orders", (user_id, limit)))
    return [{"order_id": "A-1"}]


@tb.tool(effect="read")
def weather(city: str, days: int) -> str:
    """The weather of the next days in a city."""
    RAN.append(("weather", (city, days)))
    return f"{city}: 맑음"


TOOLS = (find_user, list_orders, weather)
every = pytest.mark.parametrize("format", FORMATS)


def asked(format: str, *answers: Answer, **options: Any) -> tuple[tb.Run, Server]:
    """What a model of a vendor says comes to."""
    server = Server(format, [*answers, said("끝")])
    return tb.run(server.model(), "부탁해요", tools=TOOLS, **options), server


def faults(run: tb.Run) -> list[str]:
    """What the model was told instead of a result, in order."""
    results = [result for step in run.steps for result in step.results]
    return [text_of(result) for result in results if result.is_error]


def is_sent(server: Server, words: str) -> bool:
    """Whether the model was sent these words last."""
    return words in json.dumps(server.bodies[-1], ensure_ascii=False)


# 1: arguments that break the schema

SEOUL = {"city": "서울", "days": 2}
WRONG: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
    ("missing", {"city": "서울"}, ("- days: ", "missing")),
    ("of a wrong type", {"city": "서울", "days": "soon"}, ("- days: ", "integer", "valid example")),
    ("none at all", {}, ("- city: ", "- days: ")),
    ("unknown", {**SEOUL, "unit": "C"}, ("- unit: there is no such argument",)),
)


@every
@pytest.mark.parametrize(("how", "arguments", "words"), WRONG, ids=[row[0] for row in WRONG])
def test_arguments_that_break_the_schema(
    how: str, arguments: Any, words: tuple[str, ...], format: str
) -> None:
    """The error names the argument, what was wrong and a valid example; nothing ran."""
    wrong, right = Called("weather", arguments, "c1"), Called("weather", SEOUL, "c2")
    run, server = asked(format, calling(wrong), calling(right))
    assert RAN == [("weather", ("서울", 2))]
    (fault,) = faults(run)
    assert fault.startswith("The arguments of weather are not valid:")
    assert all(each in fault for each in words)
    assert is_sent(server, "The arguments of weather are not valid")
    assert (run.stop_reason, run.text) == ("end", "끝")


@every
@pytest.mark.parametrize(
    "text", ['{"city": "서울", "days"', "{'city': '서울'}", "[1, 2]", "city=서울"]
)
def test_arguments_that_are_no_json_object_are_never_guessed(text: str, format: str) -> None:
    wrong, right = Called("weather", text, "c1"), Called("weather", SEOUL, "c2")
    run, _ = asked(format, calling(wrong), calling(right))
    assert RAN == [("weather", ("서울", 2))]
    (fault,) = faults(run)
    assert "weather" in fault
    assert run.stop_reason == "end"


# 2: invented arguments


@every
def test_what_is_asked_for_one_after_another_is_not_asked_for_at_once(format: str) -> None:
    """The commonest cause of invented arguments: a sequence that was taken for parallel calls."""
    at_once = calling(
        Called("find_user", {"name": "김하나"}, "c1"),
        Called("list_orders", {"user_id": "u-1"}, "c2"),
    )
    mended = calling(Called("list_orders", {"user_id": "u-71"}, "c3"))
    run, server = asked(format, at_once, mended)
    assert RAN == [("find_user", "김하나"), ("list_orders", ("u-71", 5))]
    (fault,) = faults(run)
    assert fault.startswith("The arguments of list_orders come from nowhere:")
    assert "find_user" in fault and "user_id" in fault
    assert is_sent(server, "Then call list_orders again.")
    assert run.stop_reason == "end"


@every
def test_even_the_right_value_is_refused_in_the_step_in_which_it_is_asked_for(format: str) -> None:
    """It was guessed: the model cannot have read it yet."""
    guessed = calling(
        Called("find_user", {"name": "김하나"}, "c1"),
        Called("list_orders", {"user_id": "u-71"}, "c2"),
    )
    again = calling(Called("list_orders", {"user_id": "u-71"}, "c3"))
    run, _ = asked(format, guessed, again)
    assert RAN == [("find_user", "김하나"), ("list_orders", ("u-71", 5))]
    assert len(faults(run)) == 1


@every
@pytest.mark.parametrize("value", ["u-7", "u-711", "71", "김하나", "<user_id>"])
def test_a_value_that_only_looks_like_the_one_that_was_found(value: str, format: str) -> None:
    found = calling(Called("find_user", {"name": "김하나"}, "c1"))
    wrong = calling(Called("list_orders", {"user_id": value}, "c2"))
    right = calling(Called("list_orders", {"user_id": "u-71"}, "c3"))
    run, _ = asked(format, found, wrong, right)
    assert [name for name, _ in RAN] == ["find_user", "list_orders"]
    assert len(faults(run)) == 1
    assert run.stop_reason == "end"


# 3: tools that there are not


@every
def test_a_tool_that_there_is_not_is_told_with_those_that_there_are(format: str) -> None:
    wrong = calling(Called("send_sms", {"to": "김하나"}, "c1"), Called("weather", SEOUL, "c2"))
    run, server = asked(format, wrong)
    assert RAN == [("weather", ("서울", 2))], "the call beside it has run"
    assert faults(run) == [
        "There is no tool 'send_sms'.\nThe tools are: find_user, list_orders, weather."
    ]
    assert is_sent(server, "The tools are: find_user, list_orders, weather.")
    assert (run.stop_reason, run.text) == ("end", "끝")


# 4: answers from memory

FORCED: dict[str, tuple[tuple[str, ...], Any]] = {
    "anthropic": (("tool_choice", "type"), "any"),
    "openai-chat": (("tool_choice",), "required"),
    "openai-responses": (("tool_choice",), "required"),
    "gemini": (("toolConfig", "functionCallingConfig", "mode"), "ANY"),
}
"""What each vendor calls it that some tool must be called."""


def at(body: Any, path: tuple[str, ...]) -> Any:
    """What a body says at a place; None where there is none."""
    for key in path:
        body = body.get(key, {})
    return body or None


@every
def test_the_first_step_can_be_made_to_call(format: str) -> None:
    """And only the first: a model that must call for ever never answers."""
    path, word = FORCED[format]
    run, server = asked(
        format, calling(Called("weather", SEOUL, "c1")), tool_choice=["required", "auto"]
    )
    first, second = (at(body, path) for body in server.bodies)
    assert first == word
    assert second != word
    assert not any("choice" in loss.path for step in run.steps for loss in step.losses)
    assert run.stop_reason == "end"


@every
def test_a_model_can_be_made_to_call_one_tool(format: str) -> None:
    choices = ["weather", None]
    _, server = asked(format, calling(Called("weather", SEOUL, "c1")), tool_choice=choices)
    first, second = (body.get(FORCED[format][0][0]) for body in server.bodies)
    assert "weather" in json.dumps(first)
    assert second is None


# 5: needless calls


@every
def test_a_call_that_is_made_again_and_again_is_told_so(format: str) -> None:
    """The model that hears it goes on with what it has."""
    again = [calling(Called("weather", SEOUL, f"c{number}")) for number in range(3)]
    run, server = asked(format, *again)
    assert RAN == [("weather", ("서울", 2))] * 2
    (fault,) = faults(run)
    assert fault.startswith("weather was called with these arguments before")
    assert is_sent(server, "Use the result that you have")
    assert (run.stop_reason, run.text) == ("end", "끝")


@every
def test_one_that_does_not_hear_ends_the_run(format: str) -> None:
    again = [calling(Called("weather", SEOUL, f"c{number}")) for number in range(9)]
    run, server = asked(format, *again)
    assert RAN == [("weather", ("서울", 2))] * 2
    assert (run.stop_reason, len(server.requests)) == ("repeated_call", 4)
    assert [len(step.results) for step in run.steps] == [1, 1, 1, 1]


ONE_AT_A_TIME: dict[str, tuple[str, ...]] = {
    "anthropic": ("tool_choice", "disable_parallel_tool_use"),
    "openai-chat": ("parallel_tool_calls",),
    "openai-responses": ("parallel_tool_calls",),
}


@every
def test_calls_at_once_can_be_turned_off(format: str) -> None:
    """Gemini has no word for it, which is told."""
    run, server = asked(format, calling(Called("weather", SEOUL, "c1")), parallel_tool_calls=False)
    losses = [loss for step in run.steps for loss in step.losses if "parallel" in loss.path]
    if format == "gemini":
        assert losses
        return
    body: Any = server.bodies[0]
    for key in ONE_AT_A_TIME[format]:
        body = body[key]
    assert body is (format == "anthropic")
    assert losses == []
