"""Tools and settings made such that a vendor, a version or a model takes them."""

from __future__ import annotations

from typing import Literal

import pytest

import toolbridge as tb
from lowering_bodies import (
    SCHEMA,
    Body,
    Json,
    answer,
    assistant,
    blocks,
    chat,
    contents,
    function,
    items,
    losses,
    messages,
    said,
    to,
    use,
    user,
)

HI = user("안녕")
OLD = "anthropic:2023-06-01"
CLOSED = {**SCHEMA, "required": ["city"], "additionalProperties": False}


def thought(model: str, limit: int = 8000, config: Body | None = None, **more: Json) -> Body:
    """What becomes of a thinking request of Gemini in Messages."""
    thinking = {"thinkingBudget": 2048} if config is None else config
    body = contents(
        said("안녕"), config={"maxOutputTokens": limit, "thinkingConfig": thinking}, **more
    )
    return to(body, "gemini", "anthropic", model=model)


# --- required, refused


def test_messages_gets_an_output_limit_where_there_is_none() -> None:
    """It is required there; one that is given stays."""
    body = to(chat(HI), "openai-chat", "anthropic")
    assert body["max_tokens"] == 8192
    assert to(chat(HI, max_tokens=5), "openai-chat", "anthropic")["max_tokens"] == 5
    (loss,) = tb.convert(chat(HI), source="openai-chat", target="anthropic").losses
    assert (loss.code, loss.severity, loss.target_path) == (
        "default.invented",
        "note",
        "/max_tokens",
    )


def test_an_invented_limit_leaves_room_for_the_thoughts() -> None:
    """A budget counts towards the limit and must be under it."""
    body = contents(said("안녕"), config={"thinkingConfig": {"thinkingBudget": 16000}})
    written = to(body, "gemini", "anthropic", model="claude-haiku-4-5")
    assert written["max_tokens"] == 8192 + 16000
    assert written["thinking"] == {"type": "enabled", "budget_tokens": 16000}


def test_sampling_is_refused_by_the_newer_version_only() -> None:
    """400 for any value, defaults too (platform.claude.com migrating to 2026-10-21)."""
    body = chat(HI, temperature=0.5, top_p=0.9, max_tokens=9)
    written = to(body, "openai-chat", "anthropic")
    assert not written.keys() & {"temperature", "top_p", "top_k"}
    assert losses(body, "openai-chat", "anthropic") == [
        ("setting.refused", "/temperature"),
        ("setting.refused", "/top_p"),
    ]
    kept = to(body, "openai-chat", OLD)
    assert (kept["temperature"], kept["top_p"]) == (0.5, 0.9)
    assert losses(body, "openai-chat", OLD) == []


@pytest.mark.parametrize(("model", "kept"), [("gpt-4o", True), ("gpt-5.6", False), ("o3", False)])
def test_sampling_is_refused_by_models_that_reason(model: str, kept: bool) -> None:
    body = {**messages(HI, temperature=0.5), "model": model}
    assert ("temperature" in to(body, OLD, "openai-chat")) is kept


# --- thinking


def test_a_budget_is_switched_on() -> None:
    assert thought("claude-haiku-4-5")["thinking"] == {"type": "enabled", "budget_tokens": 2048}


def test_a_budget_is_left_to_models_that_choose_their_own() -> None:
    """From 4.7 on enabled is refused (platform.claude.com thinking)."""
    for model in ("claude-opus-4-7", "claude-opus-5-5", "claude-sonnet-5"):
        assert thought(model)["thinking"] == {"type": "adaptive"}


def test_a_budget_has_at_least_1024_tokens() -> None:
    body = thought("claude-haiku-4-5", config={"thinkingBudget": 512})
    assert body["thinking"]["budget_tokens"] == 1024


def test_a_budget_is_under_the_limit() -> None:
    body = thought("claude-haiku-4-5", 2000, {"thinkingBudget": 4096})
    assert body["thinking"]["budget_tokens"] == 1999


def test_a_budget_without_room_goes() -> None:
    """No budget is both 1024 or more and under such a limit."""
    assert "thinking" not in thought("claude-haiku-4-5", 1024, {"thinkingBudget": 4096})


def test_a_budget_goes_where_a_call_is_forced() -> None:
    """Messages refuses both together (platform.claude.com define-tools)."""
    body = thought(
        "claude-haiku-4-5",
        tools=[{"functionDeclarations": [{"name": "weather"}]}],
        toolConfig={"functionCallingConfig": {"mode": "ANY"}},
    )
    assert body["tool_choice"] == {"type": "any"}
    assert "thinking" not in body


def test_a_budget_goes_in_the_middle_of_a_foreign_step() -> None:
    """The step has to begin with a thought of the model's own (platform.claude.com errors)."""
    made = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
    results = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}
    config = {"maxOutputTokens": 8000, "thinkingConfig": {"thinkingBudget": 2048}}
    body = contents(said("해"), made, results, config=config)
    assert "thinking" not in to(body, "gemini", "anthropic", model="claude-haiku-4-5")
    over = contents(said("해"), made, results, said("됐다", "model"), said("또"), config=config)
    assert "thinking" in to(over, "gemini", "anthropic", model="claude-haiku-4-5")


@pytest.mark.parametrize(
    ("model", "written"),
    [
        ("claude-opus-4-6", {"type": "disabled"}),
        ("claude-opus-5-5", {"type": "between_tools"}),
    ],
)
def test_no_thinking_is_said_as_the_model_takes_it(model: str, written: Body) -> None:
    """Opus 5.5 refuses disabled (platform.claude.com errors)."""
    body = {**chat(HI, reasoning_effort="none"), "model": model}
    assert to(body, "openai-chat", "anthropic")["thinking"] == written


def test_adaptive_thinking_is_not_asked_of_older_models() -> None:
    """Claude 4.5 and older refuse it (platform.claude.com thinking)."""
    body = {**items(HI, reasoning={"summary": "auto"}), "model": "claude-haiku-4-5"}
    assert "thinking" not in to(body, "openai-responses", "anthropic")


# --- tools and choice


def test_without_tools_there_is_no_choice_and_no_switch() -> None:
    """Each is refused without tools, which all were the vendor's own."""
    body = items(HI, tools=[{"type": "web_search"}], tool_choice="required")
    body["parallel_tool_calls"] = False
    for target in ("anthropic", "openai-chat", "gemini"):
        written = to(body, "openai-responses", target)
        gone = {"tools", "tool_choice", "toolConfig", "parallel_tool_calls"}
        assert not written.keys() & gone
    assert losses(body, "openai-responses", "openai-chat") == [
        ("choice.no_tools", "/tool_choice"),
        ("choice.parallel", "/parallel_tool_calls"),
        ("tool.vendor_run", "/tools/0"),
    ]


def test_a_choice_of_a_tool_left_out_goes_with_it() -> None:
    """A choice of an undeclared tool is refused."""
    tools = [
        {"type": "web_search_20260318", "name": "web_search"},
        {"name": "weather", "input_schema": SCHEMA},
    ]
    body = messages(HI, tools=tools, tool_choice={"type": "tool", "name": "web_search"})
    assert "tool_choice" not in to(body, "anthropic", "openai-chat")


STRICT = [
    # source, strict there, target, strict written; None: the key is absent
    ("openai-chat", None, "openai-responses", False),
    ("openai-chat", True, "openai-responses", True),
    ("openai-chat", False, "openai-responses", False),
    ("openai-responses", None, "openai-chat", None),
    ("openai-responses", True, "openai-chat", True),
    ("openai-responses", False, "openai-chat", None),
    ("openai-chat", None, "anthropic", None),
    ("openai-chat", True, "anthropic", True),
    ("openai-responses", False, "anthropic", None),
    ("openai-responses", True, "gemini", None),
]


@pytest.mark.parametrize(("source", "strict", "target", "written"), STRICT)
def test_an_absent_strict_means_try_in_responses_and_off_elsewhere(
    source: str, strict: bool | None, target: str, written: bool | None
) -> None:
    tool = function("weather", SCHEMA, **({} if strict is None else {"strict": strict}))
    flat = {"type": "function", **tool["function"]}
    tools = [flat if source == "openai-responses" else tool]
    (made,) = tb.convert(tools, source=source, target=target, kind="tools").payload
    (found,) = made.get("functionDeclarations", [made.get("function", made)])
    assert found.get("strict") is written


@pytest.mark.parametrize(
    ("target", "strict", "schema", "written"),
    [
        ("openai-responses", "auto", CLOSED, True),
        ("openai-responses", "auto", SCHEMA, False),
        ("openai-chat", "auto", CLOSED, True),
        ("openai-chat", "auto", SCHEMA, None),
        ("openai-responses", None, CLOSED, False),
        ("openai-chat", None, CLOSED, None),
    ],
)
def test_a_tool_of_ones_own_is_tried_only_where_it_says_so(
    target: str, strict: Literal["auto"] | None, schema: Json, written: bool | None
) -> None:
    """The fourth state, auto, is strict where that costs no meaning: an open object would be
    closed. Else it is off, which Responses must be told."""
    tool = tb.ToolSpec(name="weather", parameters=schema, strict=strict)
    (made,), losses, _ = tb.write([tool], target)
    function = made.get("function", made)
    assert (function["parameters"], function.get("strict")) == (schema, written)
    told = [(loss.code, loss.severity) for loss in losses]
    assert told == ([("tool.auto_strict", "note")] if strict and not written else [])


# --- rules of one's own


def test_a_rule_of_ones_own_goes_beside_the_built_in() -> None:
    """The last row wins, for the profile and the model that it names."""
    rule = tb.Rule("name_length", 12, "our gateway", "2026-11-30", model="gpt-4*")
    body = chat(HI, tools=[function("a_name_of_more_than_twelve")])
    for rules, length in (((), 26), ((rule,), 12)):
        written = tb.convert(body, source="openai-chat", target="anthropic", rules=rules).payload
        assert len(written["tools"][0]["name"]) == length
    other = tb.convert(
        {**body, "model": "o3"}, source="openai-chat", target="anthropic", rules=(rule,)
    )
    assert other.payload["tools"][0]["name"] == "a_name_of_more_than_twelve"


def test_a_rule_may_refuse_a_forced_choice() -> None:
    """A choice that the model refuses is a free one."""
    rule = tb.Rule("forced_choice", False, "our gateway", "2026-11-30")
    body = chat(HI, tools=[function()], tool_choice="required", max_tokens=9)
    converted = tb.convert(body, source="openai-chat", target="anthropic", rules=(rule,))
    assert converted.payload["tool_choice"] == {"type": "auto"}
    assert [(loss.code, loss.path) for loss in converted.losses] == [
        ("choice.forced", "/tool_choice")
    ]


def test_rules_do_not_act_in_the_same_format() -> None:
    """A body is itself in its own format, whatever the rules."""
    rule = tb.Rule("name_length", 3, "our gateway", "2026-11-30")
    body = messages(
        HI,
        assistant([use("id with spaces")]),
        user([answer("id with spaces")]),
        tools=[{"name": "weather", "input_schema": SCHEMA}],
        temperature=0.5,
    )
    written = tb.convert(body, source="anthropic", target="anthropic", rules=(rule,))
    assert written.payload == body


def test_an_unknown_rule_is_an_error() -> None:
    """A misspelt word would act on nothing, silently."""
    rule = tb.Rule("name_lenght", 3, "our gateway", "2026-11-30")
    with pytest.raises(TypeError, match="name_lenght"):
        tb.convert(chat(HI), source="openai-chat", target="anthropic", rules=(rule,))


# --- cache marks


def test_the_oldest_marks_of_the_history_go() -> None:
    """Messages takes four (anthropics/claude-code#8901). The mark on the system text serves every
    conversation, an old one of the history none that a newer does not."""
    mark = {"prompt_cache_breakpoint": {"mode": "explicit"}}
    parts: list[Json] = [{"type": "text", "text": text, **mark} for text in ("하나", "둘", "셋")]
    system = {"role": "system", "content": [{"type": "text", "text": "짧게", **mark}]}
    body = chat(system, user(parts[:2]), user(parts), max_tokens=9)
    written = to(body, "openai-chat", "anthropic")
    assert "cache_control" in written["system"][0]
    marked = ["cache_control" in part for _, part in blocks(written)]
    assert marked == [False, False, True, True, True]
    assert losses(body, "openai-chat", "anthropic") == [
        ("cache.mark", "/messages/1/content/0/prompt_cache_breakpoint"),
        ("cache.mark", "/messages/1/content/1/prompt_cache_breakpoint"),
    ]


def test_a_value_that_stands_in_several_places_keeps_its_last_marks() -> None:
    """Values are immutable: a program may say one of them twice."""
    text = tb.Text(text="하나", cache=tb.Cache())
    request = tb.Request(history=(tb.Message(role="user", parts=(text,) * 5),))
    parts = tb.write(request, "anthropic", model="m").payload["messages"][0]["content"]
    assert ["cache_control" in part for part in parts] == [False, True, True, True, True]
