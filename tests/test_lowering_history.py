"""Histories made such that a vendor takes them: each rule here brings a 400 otherwise."""

from __future__ import annotations

import pytest

import toolbridge as tb
from lowering_bodies import (
    Body,
    answer,
    assistant,
    blocks,
    call,
    calls,
    chat,
    contents,
    from_chat,
    gemini_kinds,
    items,
    kinds,
    losses,
    messages,
    parts_of,
    result,
    said,
    to,
    use,
    user,
)

TWO_CALLS = (
    user("부산과 서울 날씨?"),
    calls(call("call_1", '{"city":"부산"}'), call("call_2", '{"city":"서울"}')),
    result("call_1", "맑음"),
    result("call_2", "흐림"),
)


# --- results straight after their step


def test_results_of_a_step_open_the_next_turn_of_messages() -> None:
    """All in one message, before any text (platform.claude.com handle-tool-calls)."""
    body = from_chat("anthropic", *TWO_CALLS, user("고마워"))
    assert kinds(body) == [
        ("user", ["text"]),
        ("assistant", ["tool_use", "tool_use"]),
        ("user", ["tool_result", "tool_result", "text"]),
    ]


def test_results_of_a_step_stand_in_one_turn_of_gemini() -> None:
    """As many function responses as calls, in the turn after them (ai.google.dev)."""
    body = from_chat("gemini", *TWO_CALLS, user("고마워"))
    assert gemini_kinds(body)[1:3] == [
        ("model", ["functionCall", "functionCall"]),
        ("user", ["functionResponse", "functionResponse"]),
    ]


def test_calls_of_several_messages_are_one_step() -> None:
    """Results stand after the last call, not between two calls that wait for them."""
    history = (
        user("날씨"),
        calls(call("call_1"), content="하나"),
        calls(call("call_2"), content="둘"),
        result("call_1"),
        result("call_2"),
    )
    assert kinds(from_chat("anthropic", *history))[1:] == [
        ("assistant", ["text", "tool_use", "text", "tool_use"]),
        ("user", ["tool_result", "tool_result"]),
    ]


def test_calls_after_results_are_a_step_of_their_own() -> None:
    """Responses has no message around calls: a result ends the step."""
    inputs: list[Body] = []
    for number in ("1", "2"):
        inputs.append({"type": "function_call", "call_id": number, "name": "f", "arguments": "{}"})
        inputs.append({"type": "function_call_output", "call_id": number, "output": "됐다"})
    body = to(items(user("둘 다"), *inputs), "openai-responses", "gemini")
    assert [kind for _, kind in gemini_kinds(body)[1:]] == [
        ["functionCall"],
        ["functionResponse"],
        ["functionCall"],
        ["functionResponse"],
    ]


# --- broken histories


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    """As a failure: the model must not take it for an answer."""
    history = (user("부산?"), calls(call("call_1")), user("아니, 서울"))
    written = blocks(from_chat("anthropic", *history))[2][1]
    assert written["tool_use_id"] == "call_1"
    assert written["is_error"] is True
    assert written["content"] == "No result of this call was recorded."
    assert losses(chat(*history), "openai-chat", "anthropic") == [
        ("default.invented", ""),
        ("result.invented", "/messages"),
    ]


def test_only_the_unanswered_of_parallel_calls_gets_an_invented_result() -> None:
    history = (user("둘"), calls(call("call_1"), call("call_2")), result("call_2", "흐림"))
    results = [block for _, block in blocks(from_chat("anthropic", *history, user("응")))[3:5]]
    assert [(each["tool_use_id"], each.get("is_error")) for each in results] == [
        ("call_2", None),
        ("call_1", True),
    ]


def test_a_call_at_the_end_gets_a_result_too() -> None:
    """A request that ends with a call is refused as well."""
    body = from_chat("openai-responses", user("부산?"), calls(call("call_1")))
    assert [item.get("type") for item in body["input"][1:]] == [
        "function_call",
        "function_call_output",
    ]


def test_of_several_results_the_first_stays() -> None:
    """A later one may not change what was sent before."""
    history = (*TWO_CALLS, result("call_1", "사실은 비"))
    body = from_chat("anthropic", *history)
    assert [block["content"] for block in body["messages"][2]["content"]] == ["맑음", "흐림"]


def test_a_result_without_its_call_is_text_that_says_so() -> None:
    """Nobody takes a result for an unknown call (anthropics/claude-code#18947)."""
    text = "[Result of a tool call that is not in this conversation]\n맑음"
    history = (user("안녕"), result("call_9"), user("응"))
    assert from_chat("anthropic", *history)["messages"][1] == user(text)
    assert from_chat("openai-responses", *history)["input"][1] == user(text)
    assert from_chat("gemini", *history)["contents"][1] == said(text)


def test_a_result_before_its_call_is_none_of_it() -> None:
    """Only what came before counts, so that a longer history changes nothing."""
    body = from_chat("anthropic", user("안녕"), result("call_1"), calls(call("call_1")), user("응"))
    assert kinds(body) == [
        ("user", ["text"]),
        ("user", ["text"]),
        ("assistant", ["tool_use"]),
        ("user", ["tool_result", "text"]),
    ]


def test_a_late_result_goes_to_its_call() -> None:
    body = from_chat(
        "anthropic", user("부산?"), calls(call("call_1")), user("빨리"), result("call_1")
    )
    assert [block["type"] for block in body["messages"][2]["content"]] == ["tool_result", "text"]
    assert len(body["messages"]) == 3


def test_results_of_one_id_answer_its_calls_in_order() -> None:
    """Some servers number all calls of a step alike; no result may change its call."""
    body = from_chat(
        "anthropic",
        user("날씨"),
        calls(call("call_1", '{"city":"부산"}'), call("call_1", '{"city":"서울"}')),
        result("call_1", "부산은 맑음"),
        result("call_1", "서울은 흐림"),
    )
    assert answers_by_arguments(body) == {"부산": "부산은 맑음", "서울": "서울은 흐림"}


def test_an_invented_id_is_no_id_of_the_history() -> None:
    """Else a result answers the wrong call."""
    turns = (
        said("날씨와 지도"),
        {
            "role": "model",
            "parts": [
                {"functionCall": {"name": "f", "args": {"city": "부산"}}},
                {"functionCall": {"id": "call_1", "name": "g", "args": {"city": "서울"}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "f", "response": {"output": "맑음"}}},
                {"functionResponse": {"id": "call_1", "name": "g", "response": {"output": "지도"}}},
            ],
        },
    )
    body = to(contents(*turns), "gemini", "anthropic", model="claude-haiku-4-5")
    assert answers_by_arguments(body) == {"부산": "맑음", "서울": "지도"}


def answers_by_arguments(body: Body) -> dict[str, str]:
    """The result of each call of a request of Messages, by the city asked for."""
    made = {block["id"]: block["input"]["city"] for block in parts_of(body["messages"][1])}
    results = parts_of(body["messages"][2])
    return {made[each["tool_use_id"]]: each["content"] for each in results}


def test_a_longer_history_never_changes_a_shorter_one() -> None:
    """Prompt caches and signed thoughts are bound to the exact prefix."""
    history = [
        user("안녕"),
        result("call_0", "옛날"),
        calls(call("call.1"), content="찾자"),
        result("call.1", "맑음"),
        {"role": "system", "content": "짧게"},
        calls(call("call.1"), call("call_1")),
        result("call_1", "하나"),
        result("call.1", "둘"),
        result("call.1", "셋"),
        assistant("맑아요"),
        user("응"),
    ]
    whole = blocks(from_chat("anthropic", *history))
    for length in (1, 2, 4, 5, 8, 9, 10):
        shorter = blocks(from_chat("anthropic", *history[:length]))
        assert whole[: len(shorter)] == shorter


# --- who speaks first and last


def test_the_user_speaks_first_where_nobody_else_may() -> None:
    """OpenAI's formats take an assistant first, the others do not."""
    history = (assistant("무엇을 도와드릴까요?"), user("날씨"))
    assert from_chat("anthropic", *history)["messages"][0]["role"] == "user"
    assert from_chat("gemini", *history)["contents"][0]["role"] == "user"
    assert from_chat("openai-responses", *history)["input"][0]["role"] == "assistant"


def test_a_first_message_with_nothing_left_is_filled() -> None:
    file = {"type": "file", "file": {"file_id": "file-abc"}}
    body = from_chat("anthropic", user([file]), assistant("읽었습니다."), user("요약"))
    assert body["messages"][0] == user("[Nothing of the conversation so far can be said here]")


@pytest.mark.parametrize(
    ("model", "last"), [("claude-opus-5-5", "user"), ("claude-haiku-4-5", "assistant")]
)
def test_the_user_speaks_last_where_the_model_takes_no_prefill(model: str, last: str) -> None:
    """Claude 4.6 and later refuse words of the assistant's at the end."""
    body = chat(user("JSON으로"), assistant('{"city":')) | {"model": model}
    assert to(body, "openai-chat", "anthropic")["messages"][-1]["role"] == last


def test_white_space_at_the_end_of_a_prefill_is_told() -> None:
    """Messages refuses it (forgecode#1872). It stays: a longer history begins with the same
    words."""
    history = (user("시"), assistant("하늘은 "))
    body, longer = (
        chat(*turns, max_tokens=9) | {"model": "claude-haiku-4-5"}
        for turns in (history, (*history, user("더")))
    )
    for each in (body, longer):
        assert to(each, "openai-chat", "anthropic")["messages"][1] == assistant("하늘은 ")
    told = [("text.trailing_space", "/messages/1/content")]
    assert losses(body, "openai-chat", "anthropic") == told
    assert losses(longer, "openai-chat", "anthropic") == []


# --- system text


LATE = (user("안녕"), assistant("네"), {"role": "system", "content": "존댓말."}, user("날씨"))


@pytest.mark.parametrize("target", ["anthropic", "gemini"])
def test_late_system_text_is_said_by_the_user_and_marked(target: str) -> None:
    """Gemini has no such role, older Claude models refuse it; to the front it may not go."""
    body = from_chat(target, *LATE)
    turns = [user(turn["parts"][0]["text"]) for turn in body.get("contents", ())]
    assert (turns or body["messages"])[2] == user("[System message]\n존댓말.")
    assert not body.keys() & {"system", "systemInstruction"}


def test_late_system_text_stays_what_it_is_at_openai() -> None:
    body = from_chat("openai-responses", *LATE)
    assert body["input"][2] == {"role": "system", "content": "존댓말."}
    assert losses(chat(*LATE), "openai-chat", "openai-responses") == []


def test_system_text_between_a_call_and_its_result_goes_after_both() -> None:
    """Nothing may stand between them, system text neither."""
    system = {"role": "system", "content": "짧게"}
    body = from_chat("anthropic", user("날씨"), calls(call("call_1")), system, result("call_1"))
    assert [block["type"] for block in body["messages"][2]["content"]] == ["tool_result", "text"]


def test_leading_system_text_goes_to_the_field() -> None:
    system = ({"role": "system", "content": "짧게."}, {"role": "developer", "content": "존댓말."})
    assert from_chat("anthropic", *system, user("안녕"))["system"] == [
        {"type": "text", "text": "짧게."},
        {"type": "text", "text": "존댓말."},
    ]
    parts = from_chat("gemini", *system, user("안녕"))["systemInstruction"]["parts"]
    assert parts == [{"text": "짧게."}, {"text": "존댓말."}]
    body = from_chat("openai-responses", *system, user("안녕"))
    assert (body["instructions"], body["input"][0]["content"]) == ("짧게.", "존댓말.")


# --- same format


def test_nothing_is_mended_in_the_same_format() -> None:
    """An orphan stays one: a body is itself in its own format."""
    body = messages(user("안녕"), user([answer("toolu_9")]), assistant([use("toolu_1")]))
    assert to(body, "anthropic", "anthropic") == body


def test_history_held_on_the_server_cannot_be_converted() -> None:
    """Without it there is no request: an error says where, and what to send."""
    for key in ("previous_response_id", "conversation", "prompt"):
        with pytest.raises(tb.ConversionError) as caught:
            to(items(user("안녕"), **{key: "held_1"}), "openai-responses", "anthropic")
        assert key in str(caught.value)
    body = items(user("안녕"), previous_response_id=None)
    assert to(body, "openai-responses", "anthropic")["messages"] == [user("안녕")]


def test_an_item_held_on_the_server_cannot_be_converted() -> None:
    body = items(user("안녕"), {"type": "item_reference", "id": "msg_1"})
    with pytest.raises(tb.ConversionError, match="/input/1"):
        to(body, "openai-responses", "gemini")
