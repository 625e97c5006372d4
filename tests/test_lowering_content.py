"""What calls and results say: arguments, free text, the error flag, media."""

from __future__ import annotations

from typing import Any

import pytest

import toolbridge as tb
from lowering_bodies import (
    FREE_TEXT,
    Body,
    Json,
    answer,
    assistant,
    call,
    calls,
    chat,
    contents,
    from_chat,
    function,
    items,
    losses,
    messages,
    parts_of,
    result,
    said,
    to,
    use,
    user,
)

FAILED = "Error: the tool call failed."
PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0="}}
PDF = {
    "type": "document",
    "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
}


def step(*content: Json, arguments: Body | None = None, **more: Json) -> Body:
    """A step of Messages whose result has this content."""
    results = [answer("toolu_1", list(content), **more)]
    return messages(user("해"), assistant([use("toolu_1", arguments)]), user(results))


def arguments_of(text: str, target: str = "anthropic") -> Json:
    """The arguments of a call of Chat in another format."""
    body = from_chat(target, user("날씨"), calls(call("call_1", text)), result("call_1"))
    if target == "anthropic":
        return body["messages"][1]["content"][0]["input"]
    if target == "gemini":
        return body["contents"][1]["parts"][0]["functionCall"]["args"]
    return body["input"][1]["arguments"]


# --- arguments


@pytest.mark.parametrize("target", ["anthropic", "gemini"])
@pytest.mark.parametrize(
    "text",
    ['{"city": "부산', "[1, 2]", '"{\\"city\\": 1}"', "부산", '{"city": NaN}', '{"x": "\\ud83d"}'],
)
def test_arguments_that_are_no_object_stand_in_one(text: str, target: str) -> None:
    """Under the key that Anthropic names (platform.claude.com fine-grained-tool-streaming); what
    is JSON to Python alone, or no UTF-8, is none to a vendor."""
    assert arguments_of(text, target) == {"INVALID_JSON": text}


@pytest.mark.parametrize("text", ["", " ", "null", "{}"])
def test_no_arguments_are_an_empty_object(text: str) -> None:
    """Models that give none send an empty text (platform.claude.com streaming)."""
    assert arguments_of(text) == {}


@pytest.mark.parametrize("target", ["openai-chat", "openai-responses"])
def test_invalid_arguments_are_read_back(target: str) -> None:
    body = step({"type": "text", "text": "?"}, arguments={"INVALID_JSON": '{"city": "부산'})
    written = to(body, "anthropic", target)
    made = written.get("input") or [written["messages"][1]["tool_calls"][0]["function"]]
    assert made[-2 if "input" in written else 0]["arguments"] == '{"city": "부산'


def test_invalid_json_beside_others_is_an_argument() -> None:
    """Only the wrapper alone is one: a tool may have a parameter of that name."""
    body = step({"type": "text", "text": "?"}, arguments={"INVALID_JSON": "{", "city": "부산"})
    made = to(body, "anthropic", "openai-chat")["messages"][1]["tool_calls"][0]
    assert made["function"]["arguments"] == '{"INVALID_JSON":"{","city":"부산"}'


def test_text_of_arguments_stays_as_the_model_wrote_it() -> None:
    """Its order and spaces decide whether a prompt cache is hit."""
    text = '{"b": 1,  "a": "\\ubd80\\uc0b0"}'
    assert arguments_of(text, "openai-responses") == text


@pytest.mark.parametrize("target", ["openai-chat", "openai-responses"])
def test_korean_stays_korean_in_the_text_of_arguments(target: str) -> None:
    """ASCII escapes would cost three times the tokens."""
    body = contents(
        said("날씨"),
        {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"도시": "부산 ☔"}}}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"name": "f", "response": {"하늘": "맑음"}}}],
        },
    )
    text = str(to(body, "gemini", target))
    assert '{"도시":"부산 ☔"}' in text
    assert '{"하늘":"맑음"}' in text


# --- free text


def test_a_custom_tool_is_a_function_of_one_text() -> None:
    tool = {"type": "custom", "custom": {"name": "sql"}}
    made = {"id": "call_1", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1"}}
    history = (user("수"), calls(made), result("call_1", "1"))
    body = from_chat("anthropic", *history, tools=[tool])
    assert body["tools"] == [{"name": "sql", "input_schema": FREE_TEXT}]
    assert body["messages"][1]["content"][0]["input"] == {"input": "SELECT 1"}
    back = to(body, "anthropic", "openai-chat")
    assert back["tools"] == [tool]
    assert back["messages"][1]["tool_calls"] == [made]


@pytest.mark.parametrize(
    "change", [{"required": []}, {"additionalProperties": True}, {"title": "x"}]
)
def test_a_function_with_another_schema_stays_one(change: Body) -> None:
    """Only exactly the schema that is written for a custom tool is read as one."""
    tools = [{"name": "sql", "input_schema": {**FREE_TEXT, **change}}]
    body = to(messages(user("수"), tools=tools), "anthropic", "openai-chat")
    assert body["tools"][0]["type"] == "function"


def test_a_call_of_a_function_is_not_free_text() -> None:
    """The tool decides, not the form of the arguments."""
    body = step({"type": "text", "text": "1"}, arguments={"input": "SELECT 1"})
    made = to(body, "anthropic", "openai-chat")["messages"][1]["tool_calls"][0]
    assert made["function"]["arguments"] == '{"input":"SELECT 1"}'


def test_a_choice_of_free_text_names_it_so() -> None:
    """A function of that name is not declared: a 400."""
    tools = [{"name": "sql", "input_schema": FREE_TEXT}]
    body = messages(user("수"), tools=tools, tool_choice={"type": "tool", "name": "sql"})
    written = to(body, "anthropic", "openai-chat")
    assert written["tool_choice"] == {"type": "custom", "custom": {"name": "sql"}}


# --- the error flag


def in_result(text: Json, source: str) -> Body:
    """The result of Messages that becomes of a text in Chat or Responses."""
    if source == "openai-chat":
        body = chat(user("해"), calls(call("call_1")), result("call_1", text))
    else:
        made = {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"}
        body = items(
            user("해"), made, {"type": "function_call_output", "call_id": "call_1", "output": text}
        )
    written: Body = to(body, source, "anthropic")["messages"][2]["content"][0]
    return written


@pytest.mark.parametrize("source", ["openai-chat", "openai-responses"])
def test_the_first_line_of_a_failed_result_is_read_as_the_flag(source: str) -> None:
    """OpenAI's formats have no flag (brightwave-inc/tidebreak#1308)."""
    found = in_result(f"{FAILED}\n응답 없음\n다시", source)
    assert (found["is_error"], found["content"]) == (True, "응답 없음\n다시")


@pytest.mark.parametrize("source", ["openai-chat", "openai-responses"])
@pytest.mark.parametrize("text", [f"{FAILED} 다시", f" {FAILED}", f"맑음\n{FAILED}", "Error: 503"])
def test_any_other_text_is_no_failure(text: str, source: str) -> None:
    """A tool may speak of errors; only the whole first line is ours."""
    found = in_result(text, source)
    assert ("is_error" in found, found["content"]) == (False, text)


def test_a_failure_of_messages_has_something_to_say() -> None:
    """An empty failed result is refused (bytedance/trae-agent#230)."""
    found = in_result(FAILED, "openai-chat")
    assert (found["is_error"], found["content"]) == (True, FAILED)


def test_a_failure_without_words_comes_back_as_it_was() -> None:
    body = chat(user("해"), calls(call("call_1")), result("call_1", FAILED))
    back = to(to(body, "openai-chat", "anthropic"), "anthropic", "openai-chat")
    assert back["messages"][2]["content"] == FAILED


# --- media in results


def test_media_go_after_all_results_of_the_step() -> None:
    """Results of Chat hold text only; a user's message between two of them is refused."""
    body = messages(
        user("둘"),
        assistant([use("toolu_1"), use("toolu_2")]),
        user([answer("toolu_1", [PNG]), answer("toolu_2", "됐다")]),
    )
    written = to(body, "anthropic", "openai-chat")["messages"]
    assert [message["role"] for message in written[2:]] == ["tool", "tool", "user"]
    assert written[4]["content"] == [
        {"type": "text", "text": "[From the result of the tool call toolu_1]"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0="}},
    ]


def test_media_stay_where_a_result_holds_them() -> None:
    body = step({"type": "text", "text": "자"}, PNG, PDF)
    output = to(body, "anthropic", "openai-responses")["input"][2]["output"]
    assert [part["type"] for part in output] == ["input_text", "input_image", "input_file"]
    parts = to(body, "anthropic", "gemini")["contents"][2]["parts"]
    (held,) = (part["functionResponse"] for part in parts)
    assert held["response"] == {"output": "자"}
    assert [part["inlineData"]["mimeType"] for part in held["parts"]] == [
        "image/png",
        "application/pdf",
    ]


def test_a_failed_result_of_messages_holds_text_only() -> None:
    """An image in it is refused (vellum-assistant#18387)."""
    response: Body = {
        "name": "f",
        "response": {"error": "절반"},
        "parts": [{"inlineData": {"mimeType": "image/png", "data": "iVBORw0="}}],
    }
    body = contents(
        said("해"),
        {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": response}]},
    )
    written = to(body, "gemini", "anthropic", model="claude-haiku-4-5")["messages"]
    assert written[2]["content"][0]["content"] == "절반"
    assert [part["type"] for part in written[3]["content"]] == ["text", "image"]


def test_a_result_of_gemini_holds_documented_types_only() -> None:
    """png, jpeg, webp, PDF and plain text (ai.google.dev function-calling): a GIF goes to the
    user's turn after it."""
    gif = {"type": "image", "source": {**PNG["source"], "media_type": "image/gif"}}  # type: ignore[dict-item]
    turns = to(step(gif), "anthropic", "gemini")["contents"][2:]
    assert "parts" not in turns[0]["parts"][0]["functionResponse"]
    assert turns[1]["parts"][1]["inlineData"]["mimeType"] == "image/gif"


# --- media in messages


def test_a_medium_without_a_place_is_told_and_the_text_stays() -> None:
    sound = {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}
    body = chat(user([{"type": "text", "text": "받아 적어"}, sound]), max_tokens=9)
    assert to(body, "openai-chat", "anthropic")["messages"] == [user("받아 적어")]
    assert losses(body, "openai-chat", "anthropic") == [("media.no_place", "/messages/0/content/1")]


@pytest.mark.parametrize("transcript", ["", " \n", None])
@pytest.mark.parametrize("target", ["anthropic", "openai-responses"])
def test_sound_in_which_nothing_was_said_is_no_text(target: str, transcript: str | None) -> None:
    """Snowflake's server sends empty audio beside every answer; Anthropic refuses blank text."""
    sound = tb.Media(kind="audio", transcript=transcript, source=tb.Source(id="audio_1"))
    message = tb.Message(role="assistant", parts=(tb.Text(text="네"), sound))
    request = tb.Request(history=(message, tb.Message(role="user", parts=(tb.Text(text="a"),))))
    written = tb.write(request, target, model="m")
    assert "media.no_place" in {loss.code for loss in written.losses}
    assert '""' not in str(written.payload).replace("'", '"')


def test_blank_text_is_left_out_where_it_is_refused() -> None:
    """Messages refuses text of nothing but white space (anthropics/claude-code#59812), beside a
    call too."""
    history = (user("날씨"), calls(call("call_1"), content=" \n"), result("call_1"))
    blocks: list[Any] = parts_of(from_chat("anthropic", *history)["messages"][1])
    assert [block["type"] for block in blocks] == ["tool_use"]


def test_text_after_a_call_goes_before_it_where_calls_stand_apart() -> None:
    text = {"type": "text", "text": "잠시만요."}
    body = messages(user("날씨"), assistant([use("toolu_1"), text]), user([answer("toolu_1")]))
    message = to(body, "anthropic", "openai-chat")["messages"][1]
    assert message["content"] == "잠시만요."
    kinds = [item.get("type") for item in to(body, "anthropic", "openai-responses")["input"]]
    assert kinds == [None, "function_call", None, "function_call_output"]


def test_the_payload_given_stays_as_it_is() -> None:
    tools = [function()]
    body = chat(user("날씨"), calls(call("call.1")), tools=tools)
    before = str(body)
    tb.convert(body, source="openai-chat", target="gemini")
    assert str(body) == before
