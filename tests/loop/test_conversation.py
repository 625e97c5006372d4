"""The loop without I/O: what it does with each answer of a model, and when it ends."""

from __future__ import annotations

from typing import Any

import pytest

import toolbridge as tb

from .answers import FORMATS, Answer, Called, calling, said
from .play import Played, Turn, play, response, shown

RAN: list[dict[str, Any]] = []


@tb.tool
def weather(city: str) -> str:
    """The weather in a city."""
    RAN.append({"city": city})
    return f"맑음, {city}"


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    RAN.clear()


SEOUL = Called("weather", {"city": "서울"}, "call_1")
BUSAN = Called("weather", {"city": "부산"}, "call_2")


def one(answer: Answer, *later: Answer, format: str = "openai-chat", **options: Any) -> Played:
    """A conversation of these answers, with a last word after them."""
    turns: list[Turn] = [(format, each) for each in (answer, *later, said("끝"))]
    return play(turns, tools=options.pop("tools", [weather]), **options)


# --- results


@pytest.mark.parametrize("format", FORMATS)
def test_all_results_of_a_step_go_back_together_in_the_order_of_the_calls(format: str) -> None:
    played = one(calling(SEOUL, BUSAN, text="볼게요"), format=format)
    assert shown(played) == [("call_1", False, "맑음, 서울"), ("call_2", False, "맑음, 부산")]
    assert [len(jobs) for jobs in played.performed] == [2]
    roles = [getattr(each, "role", None) for each in played.run.messages]
    assert [role for role in roles if role != "assistant"] == ["user", "tool"]
    assert played.run.messages[0] == tb.Message(role="user", parts=(tb.Text(text="hi"),))
    assert played.run.text == "끝"
    assert played.run.stop_reason == "end"
    assert played.run.usage.input_tokens == 20


def test_a_request_holds_all_that_was_said_before() -> None:
    played = one(calling(SEOUL), calling(BUSAN), system="짧게", temperature=0)
    histories = [request.history for request in played.requests]
    assert histories[0] == played.run.messages[:1]
    assert histories[1] == played.run.messages[:3]
    assert histories[2] == played.run.messages[:5]
    settings = {(each.temperature, each.instructions, each.tools) for each in played.requests}
    assert len(settings) == 1


def test_an_unknown_tool_is_told_and_the_others_run() -> None:
    played = one(calling(Called("wether", {"city": "서울"}), BUSAN))
    assert shown(played) == [
        ("call_1", True, "There is no tool 'wether'.\nThe tools are: weather."),
        ("call_2", False, "맑음, 부산"),
    ]
    assert RAN == [{"city": "부산"}]


def test_where_there_are_no_tools_that_is_told() -> None:
    assert shown(one(calling(SEOUL), tools=[])) == [
        ("call_1", True, "There is no tool 'weather'.\nThe tools are: none.")
    ]


NO_OBJECT = (
    "The arguments of weather are no JSON object: it did not run.\n"
    "Call it again with a JSON object that fits its schema."
)


@pytest.mark.parametrize("arguments", ['{"city": "서', "[1]", '"서울"', '{"city": NaN}', "서울"])
def test_arguments_that_are_no_object_never_run(arguments: str) -> None:
    played = one(calling(Called("weather", arguments, "call_1"), BUSAN))
    assert RAN == [{"city": "부산"}]
    assert shown(played)[0] == (
        "call_1",
        True,
        NO_OBJECT,
    )


@pytest.mark.parametrize("arguments", ['{"city": "서', "[1]"])
def test_arguments_that_are_no_object_go_back_as_none(arguments: str) -> None:
    """Servers parse what comes back: llama.cpp answers 500 to what is no JSON."""
    played = one(calling(Called("weather", arguments, "call_1")))
    written = tb.write(played.requests[1], "openai-chat", model="gpt-5").payload
    (call,) = written["messages"][1]["tool_calls"]
    assert call["function"] == {"name": "weather", "arguments": "{}"}
    assert played.run.steps[0].response.broken_calls[0].arguments == arguments


LENGTH = {
    "anthropic": "max_tokens",
    "openai-chat": "length",
    "openai-responses": "incomplete:max_output_tokens",
    "gemini": "MAX_TOKENS",
}


@pytest.mark.parametrize("format", FORMATS)
def test_a_call_that_was_cut_never_runs_though_it_looks_whole(format: str) -> None:
    """A server may send `{}` for what it could not finish."""
    cut = calling(SEOUL, Called("weather", {"city": "부"}, "call_2"), stop=LENGTH[format])
    played = one(cut, format=format)
    assert RAN == [{"city": "서울"}]
    (_, failed, told) = shown(played)[1]
    assert failed
    assert told.startswith("The call of weather was cut off before its end: it did not run.")
    assert played.run.stop_reason == "end", "it went on because of the calls"


@pytest.mark.parametrize(
    ("format", "stop"),
    [
        ("openai-chat", "stop"),
        ("openai-chat", "nobody_knows"),
        ("anthropic", "end_turn"),
        ("anthropic", "pause_turn"),
        ("openai-responses", "failed"),
    ],
)
def test_calls_count_whatever_the_stop_reason_says(format: str, stop: str) -> None:
    played = one(calling(SEOUL, stop=stop), format=format)
    assert [len(step.results) for step in played.run.steps] == [1, 0]
    assert RAN == [{"city": "서울"}]


@pytest.mark.parametrize(
    ("format", "stop", "reason"),
    [
        ("openai-chat", "content_filter", "filter"),
        ("anthropic", "refusal", "refusal"),
        ("gemini", "SAFETY", "filter"),
    ],
)
def test_calls_of_an_answer_that_was_blocked_never_run(format: str, stop: str, reason: str) -> None:
    """Nobody knows what is left of them; Anthropic says not to run them (refusals-and-fallback)."""
    played = one(calling(SEOUL, stop=stop), format=format)
    assert RAN == []
    assert played.run.stop_reason == reason
    assert [failed for _, failed, _ in shown(played)] == [True]


@pytest.mark.parametrize(
    ("format", "stop"),
    [("openai-chat", "tool_calls"), ("anthropic", "tool_use"), ("openai-chat", "function_call")],
)
def test_a_stop_reason_without_calls_ends_the_run(format: str, stop: str) -> None:
    played = play([(format, said("없어요", stop))], tools=[weather])
    assert played.run.text == "없어요"
    assert len(played.run.steps) == 1


@pytest.mark.parametrize("ids", [("same", "same"), ("", ""), (None, None), ("", "same")])
@pytest.mark.parametrize("format", FORMATS)
def test_calls_of_one_id_each_get_their_own_result(format: str, ids: tuple[Any, Any]) -> None:
    calls = [Called("weather", {"city": city}, id) for city, id in zip("가나", ids, strict=True)]
    played = one(calling(*calls), format=format)
    assert [text for _, _, text in shown(played)] == ["맑음, 가", "맑음, 나"]


def test_what_a_call_wants_back_is_on_its_result() -> None:
    call = tb.ToolCall(
        id="call_1",
        name="weather",
        arguments={"city": "서울"},
        namespace="app",
        toolset="set",
        caller={"type": "code", "tool_id": "x"},
    )
    played = play([response(call), response()], tools=[weather])
    (result,) = played.results
    assert (result.namespace, result.toolset, result.caller) == ("app", "set", call.caller)


def test_what_a_vendor_ran_is_not_ours_to_answer() -> None:
    search = tb.ToolCall(id="s_1", name="web_search", arguments={}, executor="vendor")
    played = play([response(search, tb.Text(text="찾았어요"))], tools=[weather])
    assert played.results == []
    assert played.run.text == "찾았어요"


def test_of_several_answers_the_first_goes_on() -> None:
    others = tb.Alternative(messages=(tb.Message(role="assistant", parts=(tb.Text(text="b"),)),))
    first = response(tb.Text(text="a"))
    both = first.replace(alternatives=(*first.alternatives, others))
    played = play([both])
    assert played.run.text == "a"
    assert len(played.run.messages) == 2


def test_an_answer_of_nothing_ends_the_run() -> None:
    played = play([tb.Response()], tools=[weather])
    assert (played.run.text, played.run.stop_reason) == ("", "unknown")


def test_a_prompt_that_was_blocked_ends_the_run() -> None:
    blocked = tb.read({"promptFeedback": {"blockReason": "SAFETY"}}, "gemini", "response")
    run = play([blocked], tools=[weather]).run
    assert (run.text, run.stop_reason, len(run.messages)) == ("", "filter", 1)


def test_the_shared_conversation_with_an_unknown_tool() -> None:
    """The calls of a step that can run do, and the model hears which tools there are."""
    played = one(calling(Called("findbook", {"q": "이끼"}), SEOUL))
    assert len(played.requests) == 2
    assert [failed for _, failed, _ in shown(played)] == [True, False]


# --- the end


def each_another(steps: int) -> list[Turn]:
    """Steps that never call for the same city twice: those would end the run before."""
    calls = (Called("weather", {"city": f"도시 {number}"}) for number in range(steps))
    return [("openai-chat", calling(call)) for call in calls]


def test_the_model_is_asked_at_most_max_steps_times() -> None:
    run = play(each_another(5), tools=[weather], max_steps=3).run
    assert run.stop_reason == "max_steps"
    assert len(run.steps) == 3
    assert len(RAN) == 3, "no call is left without its result"
    assert [getattr(each, "role", "") for each in run.messages[-2:]] == ["assistant", "tool"]


def test_twenty_steps_are_the_most_unless_told() -> None:
    run = play(each_another(25), tools=[weather]).run
    assert (run.stop_reason, len(run.steps)) == ("max_steps", 20)


@pytest.mark.parametrize("name", ["max_steps", "max_parallel"])
def test_no_steps_are_refused(name: str) -> None:
    settings: dict[str, Any] = {name: 0}
    with pytest.raises(ValueError, match=f"{name} is at least 1, not 0"):
        tb.run("anthropic/claude-sonnet-4-6", "hi", **settings)


def test_a_run_goes_on_where_another_ended() -> None:
    first = play([("openai-chat", calling(SEOUL))], tools=[weather], max_steps=1).run
    second = play([("anthropic", said("맑아요"))], first, tools=[weather])
    assert second.requests[0].history == first.messages
    third = play([("gemini", said("네"))], [*second.run.messages, "고마워"])
    assert third.requests[0].history[-1] == tb.Message(role="user", parts=(tb.Text(text="고마워"),))


PAUSED = said("찾는 중", "pause_turn")


def test_a_pause_goes_on_with_what_was_said_so_far() -> None:
    played = one(PAUSED, PAUSED, format="anthropic")
    assert [step.response.stop_reason for step in played.run.steps] == ["pause", "pause", "end"]
    assert played.requests[2].history == played.run.messages[:3]


def test_a_pause_does_not_go_on_for_ever() -> None:
    assert play([("anthropic", PAUSED)] * 9, max_steps=4).run.stop_reason == "max_steps"
