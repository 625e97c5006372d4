"""What the app passes to a run: tools, messages, system text and settings in their forms."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import toolbridge as tb

from .answers import FORMATS, said
from .play import play

SPEC = tb.ToolSpec(name="ask_user", parameters={"type": "object"})


@tb.tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"맑음, {city}"


def test_tools_are_functions_tools_specs_or_a_vendors_own() -> None:
    def find(word: str) -> str:
        return word

    hosted = tb.HostedTool(format="gemini", type="google_search")
    played = play([("gemini", said("네"))], tools=(find, weather, SPEC, hosted, hosted))
    names = [getattr(each, "name", None) for each in played.requests[0].tools or ()]
    assert names == ["find", "weather", "ask_user", None, None]


@pytest.mark.parametrize(
    ("tools", "told"),
    [
        ([weather, weather], "two tools are named 'weather': name one with tool"),
        ([weather, tb.ToolSpec(name="weather")], "two tools are named 'weather'"),
        ([{"name": "weather"}], "is no tool: pass functions, tb.tool"),
    ],
)
def test_what_is_no_tool_is_refused(tools: Any, told: str) -> None:
    with pytest.raises(tb.ToolDefinitionError, match=told):
        play([], tools=tools)


def test_a_setting_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match=r"no setting 'max_tokens'\. .*output_limit"):
        tb.run("anthropic/claude-sonnet-4-6", "hi", max_tokens=5)


def test_messages_are_text_values_or_a_vendors_dicts() -> None:
    mixed = [
        "하나",
        tb.Message(role="assistant", parts=(tb.Text(text="둘"),)),
        {"role": "user", "content": "셋"},
    ]
    played = play([("openai-chat", said("넷"))], mixed, format="openai-chat")
    texts = [message.parts[0].text for message in played.run.messages]  # type: ignore[attr-defined]
    assert texts == ["하나", "둘", "셋", "넷"]


VENDORS: dict[str, list[Any]] = {
    "anthropic": [{"role": "user", "content": "hi"}],
    "openai-chat": [{"role": "system", "content": "짧게"}, {"role": "user", "content": "hi"}],
    "openai-responses": [{"type": "message", "role": "user", "content": "hi"}],
    "gemini": [{"role": "user", "parts": [{"text": "hi"}]}],
}


@pytest.mark.parametrize("format", FORMATS)
def test_messages_may_be_dicts_of_any_vendor(format: str) -> None:
    history = play([("gemini", said("네"))], VENDORS[format], format=format).requests[0].history
    last = history[-1]
    assert isinstance(last, tb.Message)
    assert (last.role, last.parts) == ("user", (tb.Text(text="hi"),))
    assert len(history) == len(VENDORS[format])


def test_dicts_need_their_format() -> None:
    with pytest.raises(TypeError, match=r"need their format: run\(\.\.\., format='openai-chat'\)"):
        play([], [{"role": "user", "content": "hi"}])


@pytest.mark.parametrize("messages", [[5], [None]])
def test_what_is_no_message_is_refused(messages: Any) -> None:
    with pytest.raises(TypeError, match="is no message: pass text"):
        play([("gemini", said("네"))], messages)


System = Literal["text", "message"]


@pytest.mark.parametrize("form", ["text", "message"])
def test_system_text_stands_before_everything(form: System) -> None:
    message = tb.Message(role="system", parts=(tb.Text(text="짧게"),))
    played = play([("gemini", said("네"))], system="짧게" if form == "text" else message)
    assert [request.instructions for request in played.requests] == [message]
    assert message not in played.run.messages
