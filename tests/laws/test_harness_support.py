"""The smaller parts of the harness: corpus folder, pointers, injection, equality, prefix."""

from pathlib import Path

import pytest

from . import corpus
from .defaults import DEFAULTS, Default
from .inject import inject, strict_equal
from .owned import owned
from .pointers import Json, Patterns, child, path_of, resolves, under
from .prefix import Block, blocks, is_prefix

# corpus


@pytest.fixture
def no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.setattr(corpus, "SHARED", tmp_path / "shared")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(corpus, "recordings", corpus.recordings.__wrapped__)
    return monkeypatch


def test_without_the_folder_tests_are_skipped(no_folder: pytest.MonkeyPatch) -> None:
    assert corpus.recordings() == ()
    with pytest.raises(pytest.skip.Exception):
        corpus.requires_shared(lambda: None)()


def test_without_the_folder_ci_fails(no_folder: pytest.MonkeyPatch) -> None:
    no_folder.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception):
        corpus.requires_shared(lambda: None)()
    with pytest.raises(FileNotFoundError):
        corpus.recordings()


@corpus.requires_shared
@pytest.mark.parametrize("format", corpus.FORMATS)
def test_a_recording_holds_one_outcome(format: str) -> None:
    outcomes = [
        [recording.response, recording.error, recording.events]
        for recording in corpus.recordings(format)
    ]
    assert all(sum(item is not None for item in outcome) == 1 for outcome in outcomes)


# pointers


def test_a_pointer_escapes_its_tokens() -> None:
    assert child("/a", "b/~c") == "/a/b~1~0c"
    assert resolves({"a": {"b/~c": [1]}}, "/a/b~1~0c/0")
    assert path_of("/a/b~1~0c/0") == ("a", "b/~c", "*")


@pytest.mark.parametrize("pointer", ["/a/1", "/a/x", "/b", "a", "/a/0/0", "/a/-1"])
def test_a_pointer_to_nowhere(pointer: str) -> None:
    assert not resolves({"a": [1]}, pointer)


def test_under_means_at_or_below() -> None:
    assert under("/a/1", "/a/1") and under("/a/1/b", "/a/1") and under("/a", "")
    assert not under("/a/10", "/a/1")


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/a/*/b", "/a/0/b", True),
        ("/a/*/b", "/x/a/0/b", False),
        ("a/*/b", "/x/a/0/b", True),
        ("b", "/a/b", True),
        ("/b", "/a/b", False),
        ("/usage/**", "/usage", True),
        ("/usage/**", "/usage/a/0", True),
        ("/usage/**", "/x/usage/a", False),
        ("usage/**", "/x/usage/a", True),
        ("*", "/a", True),
    ],
)
def test_patterns(pattern: str, path: str, matches: bool) -> None:
    assert Patterns([pattern]).match(path_of(path)) is matches


def test_user_owned_places() -> None:
    assert owned("anthropic", path_of("/messages/0/content/1/input"))
    assert owned("gemini", path_of("/contents/0/parts/0/function_call/args"))
    assert not owned("openai-responses", path_of("/input"))
    assert owned("openai-responses", path_of("/tools/0/tools/1/parameters"))


@pytest.mark.parametrize(
    "row", [row for rows in DEFAULTS.values() for row in rows], ids=lambda row: row.pattern
)
def test_every_default_names_its_source(row: Default) -> None:
    assert row.source


# injection and equality


def test_an_unknown_key_goes_into_every_object_of_the_vendor() -> None:
    call: dict[str, Json] = {"type": "tool_use", "input": {"a": {"b": 1}}}
    body: Json = {"messages": [{"content": [call, "x"]}], "metadata": {}}
    changed = dict(inject(body, "anthropic", "k", 1))
    assert list(changed) == ["", "/messages/0", "/messages/0/content/0", "/metadata"]
    assert changed["/messages/0/content/0"] == {
        "messages": [{"content": [{**call, "k": 1}, "x"]}],
        "metadata": {},
    }
    assert "k" not in str(body)


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        (1, 1, None),
        (1, 1.0, ""),
        (1, True, ""),
        (0.0, -0.0, ""),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, None),
        ({"a": {"b": [0, 1]}}, {"a": {"b": [0, 2]}}, "/a/b/1"),
        ({"a": 1}, {}, "/a"),
        ({}, {"a/b": 1}, "/a~1b"),
        ([1], [1, None], "/1"),
        (None, {}, ""),
    ],
)
def test_strict_equality(one: Json, other: Json, difference: str | None) -> None:
    equality = strict_equal(one, other)
    assert equality.difference == difference
    assert bool(equality) is (difference is None)


# prefix


def test_blocks_of_anthropic() -> None:
    body: Json = {
        "tools": [{"name": "f", "cache_control": {"type": "ephemeral"}}],
        "system": "s",
        "messages": [{"role": "user", "content": "a"}, {"role": "user", "content": [{"b": 1}]}],
    }
    assert blocks(body, "anthropic") == [
        ("tools", '{"name": "f"}'),
        ("system", '{"text": "s", "type": "text"}'),
        ("user", '{"text": "a", "type": "text"}'),
        ("user", '{"b": 1}'),
    ]


def test_blocks_of_gemini() -> None:
    body: Json = {
        "tools": [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}, {"googleSearch": {}}],
        "system_instruction": {"parts": [{"text": "s"}]},
        "contents": [{"parts": [{"text": "a"}]}, {"role": "model", "parts": [{"text": "b"}]}],
    }
    assert blocks(body, "gemini") == [
        ("tools", '{"name": "f"}'),
        ("tools", '{"name": "g"}'),
        ("tools", '{"googleSearch": {}}'),
        ("system", '{"text": "s"}'),
        ("user", '{"text": "a"}'),
        ("model", '{"text": "b"}'),
    ]


def test_blocks_of_chat() -> None:
    body: Json = {
        "messages": [
            {"role": "system", "content": "s"},
            {
                "role": "assistant",
                "id": "m",
                "reasoning": "r",
                "content": "a",
                "tool_calls": [1, 2],
            },
            {"role": "tool", "tool_call_id": "c", "content": "x"},
        ]
    }
    assert blocks(body, "openai-chat:groq") == [
        ("system", '{"text": "s", "type": "text"}'),
        ("assistant", '{"reasoning": "r"}'),
        ("assistant", '{"text": "a", "type": "text"}'),
        ("assistant", "1"),
        ("assistant", "2"),
        ("tool", '{"content": "x", "tool_call_id": "c"}'),
    ]


def test_blocks_of_responses() -> None:
    body: Json = {
        "instructions": "s",
        "input": [
            {"role": "user", "content": "a"},
            {"type": "message", "id": "m", "role": "assistant", "content": [{"text": "b"}]},
            {"type": "function_call", "id": "fc", "arguments": "{ }"},
        ],
    }
    assert blocks(body, "openai-responses") == [
        ("system", '{"text": "s", "type": "input_text"}'),
        ("user", '{"text": "a", "type": "input_text"}'),
        ("assistant", '{"text": "b"}'),
        ("", '{"arguments": "{ }", "id": "fc", "type": "function_call"}'),
    ]


def test_cache_marks_of_the_user_are_data() -> None:
    call: Json = {"type": "tool_use", "input": {"cache_control": 1}, "cache_control": {}}
    body: Json = {"messages": [{"role": "assistant", "content": [call]}]}
    assert blocks(body, "anthropic") == [
        ("assistant", '{"input": {"cache_control": 1}, "type": "tool_use"}')
    ]


def test_a_prefix_only_goes_on() -> None:
    one: list[Block] = [("user", "1")]
    assert is_prefix(one, [*one, ("assistant", "2")])
    assert is_prefix(one, one)
    assert not is_prefix([*one, ("assistant", "2")], one)
    assert not is_prefix(one, [("assistant", "2"), *one])
