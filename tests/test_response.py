"""What a Response says of an answer, whatever vendor gave it; and error bodies in its place."""

from __future__ import annotations

import copy
import json
from typing import Any, Final, get_args

import pytest

import toolbridge as tb
from bodies import ERRORS, FORMATS, body
from toolbridge.response import ErrorCategory, StopReason


def response(format: str, **changes: Any) -> tb.Response:
    return tb.read(body(format, "response") | changes, format, "response")  # type: ignore[no-any-return]


# the same answer of four vendors


@pytest.mark.parametrize("format", FORMATS)
def test_text_and_calls_are_the_same(format: str) -> None:
    answer = response(format)
    assert answer.text == "확인합니다."
    (call,) = answer.tool_calls
    assert (call.id, call.name, call.arguments) == ("call_1", "weather", {"city": "부산"})
    assert (call.kind, call.executor, call.status) == ("function", "client", "complete")
    assert answer.broken_calls == ()
    assert len(answer.alternatives) == 1


WORDS: Final = {
    "anthropic": "tool_use",
    "openai-chat": "tool_calls",
    "openai-responses": "completed",
    "gemini": "STOP",
}


@pytest.mark.parametrize("format", FORMATS)
def test_the_stop_reason_is_ours_with_the_vendor_s_word_beside_it(format: str) -> None:
    """Gemini and Responses have no word for calls: they follow from the answer."""
    answer = response(format)
    assert answer.stop_reason == "tool_calls"
    assert answer.stop_word == WORDS[format]


@pytest.mark.parametrize("format", FORMATS)
def test_usage_counts_all_that_went_in_and_all_that_came_out(format: str) -> None:
    """Anthropic counts 10 besides 200 written to and 3000 read from the cache; Gemini counts 30
    thoughts besides 10 of the answer. The sums are the same four times."""
    usage = response(format).usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (3210, 40)
    assert usage.cache_read_tokens == 3000


def test_further_counts_are_told_where_the_vendor_has_them() -> None:
    anthropic, chat, responses, gemini = (response(format).usage for format in FORMATS)
    assert anthropic and chat and responses and gemini
    assert anthropic.cache_write_tokens == 200
    assert [each.reasoning_tokens for each in (anthropic, chat, responses, gemini)] == [
        None,
        30,
        30,
        30,
    ]
    assert [each.total_tokens for each in (anthropic, chat, responses, gemini)] == [
        None,
        3250,
        3250,
        3250,
    ]


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"input_tokens": 5, "output_tokens": 1}, 5),
        ({"input_tokens": 5, "output_tokens": 1, "cache_read_input_tokens": 0}, 5),
        (
            {
                "input_tokens": 5,
                "output_tokens": 1,
                "cache_read_input_tokens": None,
                "cache_creation_input_tokens": 7,
            },
            12,
        ),
    ],
)
def test_what_is_not_counted_counts_as_none(usage: dict[str, Any], counted: int) -> None:
    answer = response("anthropic", usage=usage)
    assert answer.usage is not None
    assert answer.usage.input_tokens == counted
    assert tb.write(answer, "anthropic").payload["usage"] == usage


def test_counts_come_back_in_the_vendor_s_own_way() -> None:
    """Ours has 3210 in; Anthropic's body says how much of it was neither read nor written."""
    made = tb.convert(
        body("openai-chat", "response"), source="openai-chat", target="anthropic", kind="response"
    )
    usage = made.payload["usage"]
    assert (usage["input_tokens"], usage["cache_read_input_tokens"]) == (210, 3000)
    assert usage["output_tokens"] == 40
    gemini = tb.convert(
        body("anthropic", "response"), source="anthropic", target="gemini", kind="response"
    ).payload["usageMetadata"]
    assert gemini["promptTokenCount"] == 3210
    assert gemini["candidatesTokenCount"] + gemini.get("thoughtsTokenCount", 0) == 40


def test_an_answer_of_nothing_says_nothing() -> None:
    answer = tb.Response()
    assert (answer.text, answer.tool_calls, answer.broken_calls) == ("", (), ())
    assert (answer.stop_reason, answer.stop_word, answer.usage) == ("unknown", None, None)


def test_only_the_first_alternative_is_spoken_for() -> None:
    raw = body("openai-chat", "response")
    second = copy.deepcopy(raw["choices"][0]) | {"index": 1, "finish_reason": "stop"}
    second["message"] = {"role": "assistant", "content": "다른 답"}
    raw["choices"].append(second)
    answer = tb.read(raw, "openai-chat", "response")
    assert answer.text == "확인합니다."
    assert answer.stop_reason == "tool_calls"
    assert [each.stop_reason for each in answer.alternatives] == ["tool_calls", "end"]


# calls that must not run


def chat_answer(arguments: Any, finish: str) -> tb.Response:
    raw = body("openai-chat", "response")
    choice = raw["choices"][0]
    choice["finish_reason"] = finish
    choice["message"]["tool_calls"][0]["function"]["arguments"] = arguments
    return tb.read(raw, "openai-chat", "response")  # type: ignore[no-any-return]


@pytest.mark.parametrize("arguments", ["{", '{"city": "부', "[1]", '"text"', "nothing", "5"])
def test_arguments_that_are_no_object_make_a_broken_call(arguments: str) -> None:
    """The text stays as it came, so that the model can be told what it wrote."""
    answer = chat_answer(arguments, "tool_calls")
    assert answer.tool_calls == ()
    (call,) = answer.broken_calls
    assert (call.status, call.arguments) == ("invalid", arguments)


def test_a_call_at_the_end_of_a_cut_answer_is_broken_though_it_parses() -> None:
    """Half an argument may be JSON: {"files": ["a"]} of three files."""
    answer = chat_answer('{"city": "부산"}', "length")
    assert answer.tool_calls == ()
    assert [call.status for call in answer.broken_calls] == ["cut"]
    assert answer.stop_reason == "length"


def test_a_call_before_the_end_of_a_cut_answer_is_whole() -> None:
    raw = body("anthropic", "response") | {"stop_reason": "max_tokens"}
    raw["content"].append({"type": "tool_use", "id": "call_2", "name": "weather", "input": {}})
    answer = tb.read(raw, "anthropic", "response")
    assert [call.id for call in answer.tool_calls] == ["call_1"]
    assert [call.id for call in answer.broken_calls] == ["call_2"]


@pytest.mark.parametrize("arguments", ["", "{}", "null", " "])
def test_no_arguments_are_an_empty_object(arguments: str) -> None:
    """Servers send empty text or null for a function without parameters."""
    (call,) = chat_answer(arguments, "tool_calls").tool_calls
    assert call.arguments == {}


def test_calls_that_the_vendor_runs_are_not_the_app_s() -> None:
    raw = body("anthropic", "response") | {"stop_reason": "end_turn"}
    raw["content"] = [
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "x"}},
        {"type": "text", "text": "found"},
    ]
    answer = tb.read(raw, "anthropic", "response")
    assert answer.tool_calls == answer.broken_calls == ()
    assert answer.stop_reason == "end"


# stop reasons

STOPS: Final[list[tuple[str, dict[str, Any], StopReason]]] = [
    ("anthropic", {"stop_reason": "end_turn", "content": []}, "end"),
    ("anthropic", {"stop_reason": "max_tokens", "content": []}, "length"),
    ("anthropic", {"stop_reason": "stop_sequence", "stop_sequence": "."}, "stop_sequence"),
    ("anthropic", {"stop_reason": "pause_turn"}, "pause"),
    ("anthropic", {"stop_reason": "refusal", "content": []}, "refusal"),
    ("anthropic", {"stop_reason": "model_context_window_exceeded"}, "context_full"),
    ("anthropic", {"stop_reason": "later_word", "content": []}, "unknown"),
    ("anthropic", {"stop_reason": None, "content": []}, "unknown"),
    ("openai-responses", {"status": "completed", "output": []}, "end"),
    (
        "openai-responses",
        {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        "length",
    ),
    (
        "openai-responses",
        {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
        "filter",
    ),
    ("openai-responses", {"status": "failed", "output": []}, "error"),
]


@pytest.mark.parametrize(("format", "changes", "reason"), STOPS)
def test_words_of_vendors_become_our_reasons(
    format: str, changes: dict[str, Any], reason: StopReason
) -> None:
    assert response(format, **changes).stop_reason == reason


CHAT_STOPS: Final = {
    "stop": "end",
    "length": "length",
    "content_filter": "filter",
    "tool_calls": "tool_calls",
    "later_word": "unknown",
}


@pytest.mark.parametrize("word", CHAT_STOPS)
def test_words_of_chat_become_our_reasons(word: str) -> None:
    raw = body("openai-chat", "response")
    raw["choices"][0] |= {"finish_reason": word}
    if word != "tool_calls":
        raw["choices"][0]["message"] = {"role": "assistant", "content": "a"}
    assert tb.read(raw, "openai-chat", "response").stop_reason == CHAT_STOPS[word]


GEMINI_STOPS: Final = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "SAFETY": "filter",
    "PROHIBITED_CONTENT": "filter",
    "MALFORMED_FUNCTION_CALL": "malformed",
    "LATER_WORD": "unknown",
}


@pytest.mark.parametrize("word", GEMINI_STOPS)
def test_words_of_gemini_become_our_reasons(word: str) -> None:
    raw = body("gemini", "response")
    raw["candidates"][0] |= {
        "finishReason": word,
        "content": {"role": "model", "parts": [{"text": "a"}]},
    }
    assert tb.read(raw, "gemini", "response").stop_reason == GEMINI_STOPS[word]


def test_the_reasons_are_a_closed_set() -> None:
    """Programs match on them; the contract lists these."""
    assert set(get_args(StopReason)) == {
        "end", "tool_calls", "stop_sequence", "length", "context_full", "filter", "refusal",
        "pause", "malformed", "incomplete", "error", "unknown",
    }  # fmt: skip


# error bodies


def messages_of(error: dict[str, Any]) -> str:
    """The text of an error body, wherever it stands."""
    inner = error.get("error", error)
    return str(inner if isinstance(inner, str) else inner.get("message") or inner.get("detail"))


OWN: Final = {"anthropic": {"anthropic"}, "gemini": {"google"}}
"""Shapes of an error body that a format of one vendor knows; OpenAI's are those of many servers."""


@pytest.mark.parametrize("shape", ERRORS)
@pytest.mark.parametrize("format", FORMATS)
def test_an_error_body_read_as_a_response_is_raised(format: str, shape: str) -> None:
    """Whoever forgets to look at the status must not take an error for an empty answer."""
    for call in (
        lambda: tb.read(ERRORS[shape], format, "response"),
        lambda: tb.convert(ERRORS[shape], source=format, target="gemini", kind="response"),
    ):
        with pytest.raises(tb.VendorError) as caught:
            call()
        assert caught.value.body == tb.read(ERRORS[shape], format, "error")


@pytest.mark.parametrize("shape", ERRORS)
@pytest.mark.parametrize("format", FORMATS)
def test_an_error_body_is_written_as_it_came(format: str, shape: str) -> None:
    """Gateways send bodies of one vendor under another's format."""
    raw = ERRORS[shape]
    same = tb.convert(raw, source=format, target=format, kind="error")
    assert (same.payload, same.losses) == (raw, ())
    error = tb.read(raw, format, "error")
    assert isinstance(error, tb.ErrorBody)
    assert tb.write(tb.from_json(tb.to_json(error)), format).payload == raw


@pytest.mark.parametrize("shape", ERRORS)
@pytest.mark.parametrize("format", FORMATS)
def test_the_error_says_what_the_vendor_said(format: str, shape: str) -> None:
    error = tb.read(ERRORS[shape], format, "error")
    assert error.category in get_args(ErrorCategory)
    said = messages_of(ERRORS[shape])
    if shape in OWN.get(format, set(ERRORS)):
        assert error.message == said
        assert said in str(tb.VendorError(error))
    else:
        assert said in json.dumps(error.message) + json.dumps(error.extra)


@pytest.mark.parametrize(
    ("shape", "format", "category"),
    [
        ("anthropic", "anthropic", "overloaded"),
        ("openai", "openai-chat", "not_found"),
        ("openai", "openai-responses", "not_found"),
        ("google", "gemini", "rate_limited"),
        ("flat", "openai-chat", "server_error"),
        ("text", "openai-chat", "unknown"),
    ],
)
def test_errors_have_a_category_of_ours(shape: str, format: str, category: str) -> None:
    """What a program decides on: wait, mend, give up."""
    assert tb.read(ERRORS[shape], format, "error").category == category


@pytest.mark.parametrize("format", FORMATS)
def test_an_answer_that_tells_of_an_error_is_an_answer(format: str) -> None:
    """`error: null` stands in every answer of Responses; some servers add one elsewhere."""
    assert isinstance(response(format, error=None), tb.Response)
