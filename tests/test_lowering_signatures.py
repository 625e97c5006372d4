"""Thoughts and signatures: of use to their writer only, and a placeholder for Gemini."""

from __future__ import annotations

import json

import pytest

import toolbridge as tb
from lowering_bodies import (
    SIGNED,
    Body,
    Json,
    answer,
    assistant,
    call,
    calls,
    chat,
    contents,
    from_chat,
    losses,
    messages,
    result,
    said,
    to,
    use,
    user,
)

THOUGHT = {"type": "thinking", "thinking": "도구를 쓰자.", "signature": "EqQBCg=="}


def signatures(body: Body) -> list[list[str | None]]:
    """The signatures of the calls of each turn of Gemini that has some."""
    made = [
        [part.get("thoughtSignature") for part in turn["parts"] if "functionCall" in part]
        for turn in body["contents"]
    ]
    return [turn for turn in made if turn]


def model(*parts: Json) -> Body:
    return {"role": "model", "parts": list(parts)}


def gemini_call(call_id: str, signature: str | None = None) -> Body:
    made: Body = {"functionCall": {"id": call_id, "name": "weather", "args": {}}}
    return made if signature is None else {**made, "thoughtSignature": signature}


def gemini_results(*ids: str) -> Body:
    return {
        "role": "user",
        "parts": [
            {"functionResponse": {"id": each, "name": "weather", "response": {"output": "맑음"}}}
            for each in ids
        ],
    }


# --- the placeholder


def test_the_first_call_of_each_foreign_step_has_the_placeholder() -> None:
    """Gemini 3 refuses a step of the current turn without one (ai.google.dev thought-signatures).
    Old turns get it too: a turn that is over must not change."""
    history = (
        user("부산?"),
        calls(call("call_1")),
        result("call_1"),
        assistant("맑아요"),
        user("둘 더"),
        calls(call("call_2"), call("call_3")),
        result("call_2"),
        result("call_3"),
        calls(call("call_4")),
        result("call_4"),
    )
    body = from_chat("gemini", *history)
    assert signatures(body) == [[SIGNED], [SIGNED, None], [SIGNED]]


def test_text_before_the_call_is_not_signed() -> None:
    body = from_chat("gemini", user("?"), calls(call("call_1"), content="찾자"), result("call_1"))
    text, made = body["contents"][1]["parts"]
    assert "thoughtSignature" not in text
    assert made["thoughtSignature"] == SIGNED


def test_the_placeholder_does_not_go_on_to_others() -> None:
    """It says nothing, and no loss is told of it."""
    body = contents(said("?"), model(gemini_call("f1", SIGNED)), gemini_results("f1"))
    written = to(body, "gemini", "anthropic", model="claude-haiku-4-5")
    assert SIGNED not in json.dumps(written)
    assert losses(body, "gemini", "openai-chat") == []


# --- own signatures


@pytest.mark.parametrize("profile", ["gemini-3", "vertex"])
def test_the_signatures_of_gemini_stay_its_own(profile: str) -> None:
    """On every part, and none is put where Gemini put none: it signs the first call only."""
    body = contents(
        said("둘"),
        model(
            {"text": "음", "thoughtSignature": "CiQA"}, gemini_call("f1", "CiQB"), gemini_call("f2")
        ),
        gemini_results("f1", "f2"),
    )
    assert to(body, "gemini", f"gemini:{profile}") == body


def test_the_thoughts_of_claude_stay_its_own() -> None:
    """In the older version of the API too, where rules act but nothing is foreign."""
    body = messages(user("날씨"), assistant([THOUGHT, use("toolu_1")]), user([answer("toolu_1")]))
    assert to(body, "anthropic", "anthropic:2023-06-01") == body


def test_a_changed_call_gets_the_placeholder() -> None:
    """What Gemini signed is another call; unsigned the step is refused."""
    body = contents(said("?"), model(gemini_call("f1", "CiQB")), gemini_results("f1"))
    request = tb.read(body, "gemini")
    _, step, results = request.history
    changed = step.replace(parts=(step.parts[0].replace(arguments={"city": "서울"}),))
    written = tb.write(
        request.replace(history=(request.history[0], changed, results)), "gemini:gemini-3"
    )
    assert signatures(written.payload) == [[SIGNED]]


# --- foreign thoughts


HISTORY = messages(user("날씨"), assistant([THOUGHT, {"type": "text", "text": "네"}]), user("응"))


@pytest.mark.parametrize("target", ["openai-chat", "openai-responses", "gemini"])
def test_foreign_thoughts_are_left_out_and_told(target: str) -> None:
    """Unsigned they are refused or taken for words of the model's own."""
    written = tb.convert(HISTORY, source="anthropic", target=target)
    assert "도구를" not in str(written.payload)
    assert ("reasoning.foreign", "/messages/1/content/0") in {
        (loss.code, loss.path) for loss in written.losses
    }


def test_a_foreign_signature_is_told_at_its_place() -> None:
    body = contents(said("?"), model(gemini_call("f1", "CiQB")), gemini_results("f1"))
    assert losses(body, "gemini", "openai-responses") == [
        ("signature.foreign", "/contents/1/parts/0/thoughtSignature")
    ]


def test_deepseek_gets_thoughts_with_every_call() -> None:
    """It refuses a call without (agno-agi/agno#5618); an empty text stands for none."""
    thought = messages(
        user("날씨"), assistant([THOUGHT, use("toolu_1")]), user([answer("toolu_1")])
    )
    bare = messages(user("날씨"), assistant([use("toolu_1")]), user([answer("toolu_1")]))
    for body, text in ((thought, "도구를 쓰자."), (bare, "")):
        written = to(body, "anthropic", "openai-chat:deepseek")
        assert written["messages"][1]["reasoning_content"] == text


def test_a_chat_without_thoughts_loses_none() -> None:
    assert losses(chat(user("안녕"), assistant("네")), "openai-chat", "openai-responses") == []
