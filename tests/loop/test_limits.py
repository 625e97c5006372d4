"""How far a run may go: steps, tries of one tool, calls that say the same again, and what the model
is made to do in each step."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import toolbridge as tb

from .answers import Called, calling, said
from .play import Played, Turn, play, response, shown, text_of
from .servers import Server


class Scripted:
    """A tool `look` that gives or raises one thing after another, then `seen`."""

    def __init__(self, *gives: Any) -> None:
        self.gives = list(gives)
        self.ran = 0

    def tool(self, **options: Any) -> tb.Tool:
        """The tool, which says that it reads unless told otherwise."""

        def look(number: int = 0) -> Any:
            """Looks at a number."""
            self.ran += 1
            given = self.gives.pop(0) if self.gives else "seen"
            if isinstance(given, Exception):
                raise given
            return given

        declared: dict[str, Any] = {"effect": "read", **options}
        return tb.tool(**declared)(look)


@tb.tool(effect="write")
def change(number: int = 0) -> str:
    """Changes something."""
    return f"changed {number}"


@tb.tool(effect="irreversible")
def pay() -> str:
    """Pays."""
    return "paid"


def looks(*numbers: int) -> list[Called]:
    """Calls of `look`, each with its number."""
    return [Called("look", {"number": number}, f"c{at}") for at, number in enumerate(numbers)]


def turns(*calls: Called | list[Called]) -> list[Turn]:
    """An answer for each call, or for each list of calls, then a last word."""
    given = [each if isinstance(each, list) else [each] for each in calls]
    return [*(("anthropic", calling(*each)) for each in given), ("anthropic", said("끝"))]


def failing(*calls: Any, times: int = 99, **options: Any) -> tuple[Played, Scripted]:
    """A conversation with a tool that fails so many times, and then does not."""
    scripted = Scripted(*(tb.ToolError(f"no {at}") for at in range(times)))
    return play(turns(*calls), tools=[scripted.tool(), change], **options), scripted


# steps


def test_a_run_ends_after_its_last_step() -> None:
    played = play(turns(*looks(1, 2, 3)), tools=[Scripted().tool()], max_steps=2)
    assert (played.run.stop_reason, len(played.requests)) == ("max_steps", 2)
    assert [result.is_error for result in played.results] == [None, None], "its calls have run"


def test_the_last_step_is_asked_for_without_tools_where_the_app_wants_words() -> None:
    limits = tb.Limits(closing_answer=True)
    played = play(turns(*looks(1, 2)), tools=[Scripted().tool()], max_steps=3, limits=limits)
    choices = [request.tool_choice for request in played.requests]
    assert choices == [None, None, tb.ToolChoice(mode="none")]
    assert (played.run.stop_reason, played.run.text) == ("end", "끝")


@pytest.mark.parametrize("tools", [[], [Scripted().tool()]])
def test_the_only_step_is_no_closing_one(tools: list[Any]) -> None:
    """A run of one step would never get to call anything."""
    played = play(turns(), tools=tools, max_steps=1, limits=tb.Limits(closing_answer=True))
    assert played.requests[0].tool_choice is None


# tries of one tool


def test_after_the_first_failure_a_tool_has_three_more_tries() -> None:
    played, scripted = failing(*looks(1, 2, 3, 4, 5))
    assert scripted.ran == 4
    assert (played.run.stop_reason, len(played.requests)) == ("error", 5)
    assert played.run.stop_detail == "look failed in 4 steps, one after another: it did not run."
    *failed, last = shown(played)
    assert [text for _, _, text in failed] == ["no 0", "no 1", "no 2", "no 3"]
    assert last == ("c4", True, f"{played.run.stop_detail}\nDo without it.")


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param([Called("look", {"number": f"x{at}"}) for at in range(5)], id="arguments"),
        pytest.param([Called("look", f'{{"number": {at}') for at in range(5)], id="broken JSON"),
        pytest.param([Called("nothing", {"number": at}) for at in range(5)], id="no such tool"),
    ],
)
def test_a_call_that_cannot_run_counts_as_a_failure(calls: list[Called]) -> None:
    """The model mends what the error says, or the run ends: it does not go on for ever."""
    scripted = Scripted()
    played = play(turns(*calls), tools=[scripted.tool()])
    assert (played.run.stop_reason, scripted.ran) == ("error", 0)
    assert len(played.requests) == 5


@pytest.mark.parametrize(("retries", "ran"), [(0, 1), (1, 2), (None, 7)])
def test_the_number_of_tries_is_the_apps(retries: int | None, ran: int) -> None:
    played, scripted = failing(*looks(*range(7)), limits=tb.Limits(tool_retries=retries))
    assert scripted.ran == ran
    assert played.run.stop_reason == ("end" if retries is None else "error")


def test_a_success_begins_the_count_anew() -> None:
    gives = [tb.ToolError("no")] * 3 + ["yes"] + [tb.ToolError("no")] * 3 + ["yes"]
    scripted = Scripted(*gives)
    played = play(turns(*looks(*range(8))), tools=[scripted.tool()])
    assert (played.run.stop_reason, scripted.ran) == ("end", 8)


def test_steps_count_and_not_calls() -> None:
    """Five wrong calls beside each other are one mistake, which was told once."""
    played, scripted = failing(looks(1, 2, 3, 4, 5), looks(6), times=5)
    assert (played.run.stop_reason, scripted.ran) == ("end", 6)


def test_each_tool_has_its_own_count() -> None:
    """The other calls of the step in which the run ends have run, and have their results."""
    last = [Called("look", {"number": 2}, "c1"), Called("change", {"number": 1}, "c2")]
    played, _ = failing(*looks(1), last, limits=tb.Limits(tool_retries=0))
    assert played.run.stop_reason == "error"
    assert [(id, failed) for id, failed, _ in shown(played)] == [
        ("c0", True),
        ("c1", True),
        ("c2", False),
    ]


# calls that say the same


def test_a_third_equal_call_is_not_run_and_a_fourth_ends_the_run() -> None:
    scripted = Scripted()
    played = play(turns(*looks(7, 7, 7, 7, 7)), tools=[scripted.tool()])
    assert scripted.ran == 2
    assert (played.run.stop_reason, len(played.requests)) == ("repeated_call", 4)
    told = text_of(played.results[2])
    assert "gave the same result 2 times: it did not run again" in told
    assert "change the arguments, or answer without it" in told
    assert [result.is_error for result in played.results] == [None, None, True, True]


@pytest.mark.parametrize(
    ("arguments", "ran"),
    [
        ([{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "b": 2}], 2),
        ([{"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 1, "b": 3}], 3),
    ],
)
def test_calls_are_equal_in_any_order_of_keys(arguments: list[Any], ran: int) -> None:
    count: list[int] = []

    @tb.tool(effect="read")
    def add(a: int, b: int) -> int:
        """Adds."""
        count.append(a + b)
        return 3

    play(turns(*(Called("add", each) for each in arguments)), tools=[add])
    assert len(count) == ran


@pytest.mark.parametrize("gives", [("a", "b", "a", "b"), ("a", "b", "b", "c")])
def test_a_call_that_gives_something_else_may_be_made_again(gives: tuple[str, ...]) -> None:
    """The last two results must be equal: of a state that changes there is more to see."""
    scripted = Scripted(*gives)
    play(turns(*looks(7, 7, 7)), tools=[scripted.tool()])
    assert scripted.ran == 3


def test_equal_failures_are_equal_results() -> None:
    scripted = Scripted(*(tb.ToolError("no") for _ in range(4)))
    played = play(turns(*looks(7, 7, 7)), tools=[scripted.tool()])
    assert scripted.ran == 2
    assert played.results[2].is_error


def test_a_tool_that_is_polled_may_say_the_same_for_ever() -> None:
    scripted = Scripted()
    played = play(turns(*looks(*[7] * 9)), tools=[scripted.tool(repeatable=True)])
    assert (played.run.stop_reason, scripted.ran) == ("end", 9)


def test_a_change_in_between_makes_looking_again_worth_while() -> None:
    scripted = Scripted()
    calls = [*looks(7, 7), Called("change", {"number": 1}), *looks(7, 7, 7)]
    played = play(turns(*calls), tools=[scripted.tool(), change])
    assert scripted.ran == 4, "two before it, and two after it"
    assert played.run.stop_reason == "end"


def test_what_does_not_say_that_it_changes_something_is_no_change() -> None:
    """Else two tools that say nothing of themselves could call for each other for ever."""
    scripted = Scripted()

    @tb.tool
    def undeclared() -> str:
        """Says nothing of itself."""
        return "x"

    calls = [*looks(7, 7), Called("undeclared"), *looks(7)]
    play(turns(*calls), tools=[scripted.tool(), undeclared])
    assert scripted.ran == 2


def test_a_change_does_not_make_itself_worth_while() -> None:
    played = play(turns(*[Called("change", {"number": 1})] * 4), tools=[change])
    assert played.run.stop_reason == "repeated_call"


@pytest.mark.parametrize(("most", "ran"), [(1, 1), (3, 3), (None, 5)])
def test_the_number_of_equal_results_is_the_apps(most: int | None, ran: int) -> None:
    scripted = Scripted()
    limits = tb.Limits(equal_results=most)
    played = play(turns(*looks(*[7] * 5)), tools=[scripted.tool()], limits=limits)
    assert scripted.ran == ran
    assert (played.run.stop_reason == "end") is (most is None)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"timeout": -1}, "timeout is at least 0, not -1"),
        ({"tool_timeout": -0.5}, "tool_timeout is at least 0"),
        ({"tool_retries": -1}, "tool_retries is at least 0"),
        ({"equal_results": 0}, "equal_results is at least 1, not 0"),
        ({"timeout": float("nan")}, "timeout is at least 0, not nan"),
    ],
)
def test_limits_that_cannot_be_are_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        tb.Limits(**wrong)


# a call that could not be read


def test_a_malformed_call_is_told_to_the_model_once() -> None:
    malformed = ("gemini", said("", stop="MALFORMED_FUNCTION_CALL"))
    mended = play([malformed, ("gemini", said("끝"))], tools=[Scripted().tool()])
    assert (mended.run.stop_reason, mended.run.text) == ("end", "끝")
    *_, last = mended.requests[1].history
    assert isinstance(last, tb.Message) and last.role == "user"
    assert "could not be read" in str(last.parts)
    twice = play([malformed] * 3, tools=[Scripted().tool()])
    assert (twice.run.stop_reason, len(twice.requests)) == ("malformed", 2)


# what the model is made to do


REQUIRED, AUTO = tb.ToolChoice(mode="required"), tb.ToolChoice(mode="auto")
LOOK = tb.ToolChoice(mode="tool", tools=(tb.ToolName(name="look"),))
CHOICES: tuple[tuple[Any, list[Any]], ...] = (
    (None, [None] * 3),
    ("required", [REQUIRED] * 3),
    ("look", [LOOK] * 3),
    (REQUIRED, [REQUIRED] * 3),
    (["required", "auto"], [REQUIRED, AUTO, AUTO]),
    (("look", None), [LOOK, None, None]),
    (lambda step: "required" if step == 1 else None, [None, REQUIRED, None]),
)


@pytest.mark.parametrize(("choice", "sent"), CHOICES)
def test_the_tool_choice_of_each_step(choice: Any, sent: list[Any]) -> None:
    """Of a list the last one stays."""
    played = play(turns(*looks(1, 2)), tools=[Scripted().tool()], tool_choice=choice)
    assert [request.tool_choice for request in played.requests] == sent


@pytest.mark.parametrize(("wrong", "error"), [(5, TypeError), ([], ValueError), ([5], TypeError)])
def test_a_tool_choice_that_is_none_is_refused_at_once(wrong: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="tool_choice is a"):
        play([response()], tools=[Scripted().tool()], tool_choice=wrong)


# limits outlive the process


def test_a_run_that_goes_on_elsewhere_keeps_its_limits_and_its_count() -> None:
    """The failure of the first step counts after the state was stored."""
    scripted = Scripted(tb.ToolError("no"))
    answers = [answer for _, answer in turns(*looks(1), Called("pay"), *looks(2))]
    server = Server("anthropic", answers)
    tools, limits = [scripted.tool(untrusted_output=False), pay], tb.Limits(tool_retries=0)
    run = tb.run(server.model(), "hi", tools=tools, limits=limits)
    (question,) = run.pending
    done = tb.resume(
        tb.to_json(run), {question.id: tb.Approve()}, tools=tools, model=server.model()
    )
    assert (done.stop_reason, scripted.ran) == ("error", 1)


def test_a_run_that_goes_on_elsewhere_counts_its_steps_from_the_beginning() -> None:
    answers = [answer for _, answer in turns(*looks(1), Called("pay"), *looks(2))]
    server = Server("anthropic", answers)
    tools = [Scripted().tool(), pay]
    run = tb.run(server.model(), "hi", tools=tools, max_steps=2)
    (question,) = run.pending
    done = tb.resume(
        tb.to_json(run), {question.id: tb.Approve()}, tools=tools, model=server.model()
    )
    assert (done.stop_reason, len(done.steps), len(server.requests)) == ("max_steps", 2, 2)


def test_a_run_whose_time_is_over_says_so() -> None:
    """Whoever ended it by hand knows it; a limit has to tell."""

    async def wait() -> str:
        await asyncio.sleep(60)
        return "never"

    server = Server("anthropic", [calling(Called("wait", {}, "c1")), said("never")])
    limits = tb.Limits(timeout=0.05)
    run = tb.run(server.model(), "hi", tools=[wait], limits=limits)
    assert run.stop_reason == "cancelled"
    assert run.stop_detail == "the time of the run is over (0.05 s)"
    assert run.steps[0].results[0].is_error
