"""Values: immutable, equal when they mean the same, picklable, safe across threads."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, body
from toolbridge.spelling import Spelling
from toolbridge.values import FrozenDict, FrozenList

CALL: Final = tb.ToolCall(
    id="call_1", name="find", arguments={"words": ["a", "b"], "limit": {"most": 3}}
)


# no change


def test_a_field_cannot_be_set_or_deleted() -> None:
    """The error says what to do in its place."""
    text: Any = tb.Text(text="a")
    with pytest.raises(AttributeError, match=r"replace\(text="):
        text.text = "b"
    with pytest.raises(AttributeError, match="immutable"):
        text.cache = tb.Cache()
    with pytest.raises(AttributeError, match="immutable"):
        text.new = 1
    with pytest.raises(AttributeError, match="immutable"):
        del text.text
    assert text == tb.Text(text="a")


def change_dict(item: Any) -> list[Any]:
    return [
        lambda: item.__setitem__("words", 1),
        lambda: item.__delitem__("words"),
        lambda: item.__ior__({}),
        lambda: item.update(words=1),
        lambda: item.setdefault("new", 1),
        lambda: item.pop("words"),
        item.popitem,
        item.clear,
    ]


def change_list(item: Any) -> list[Any]:
    return [
        lambda: item.__setitem__(0, 1),
        lambda: item.__delitem__(0),
        lambda: item.__iadd__([1]),
        lambda: item.__imul__(2),
        lambda: item.append(1),
        lambda: item.extend([1]),
        lambda: item.insert(0, 1),
        lambda: item.remove("a"),
        item.pop,
        item.clear,
        item.sort,
        item.reverse,
    ]


def test_json_inside_a_value_refuses_every_change() -> None:
    """Every method of dict and list that changes it, at every depth."""
    arguments = CALL.arguments
    changes = [
        *change_dict(arguments),
        *change_dict(arguments["limit"]),
        *change_list(arguments["words"]),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="thaw"):
            change()
    assert arguments == {"words": ["a", "b"], "limit": {"most": 3}}


def test_json_that_read_gives_refuses_changes_too() -> None:
    """Also unknown fields, which nobody's class describes."""
    raw = body("anthropic", "response") | {"new": {"list": [{}]}}
    response = tb.read(raw, "anthropic", "response")
    (call,) = response.tool_calls
    for held in (call.arguments, response.extra["new"], response.extra["new"]["list"][0]):
        with pytest.raises(TypeError, match="thaw"):
            held.update(city="서울")


def test_what_a_value_is_made_of_can_change_later() -> None:
    """A value copies the JSON and the lists that it is given."""
    arguments: dict[str, Any] = {"words": ["a"]}
    parts: list[Any] = [tb.ToolCall(id="1", name="f", arguments=arguments)]
    message = tb.Message(role="assistant", parts=tuple(parts))
    listed = tb.Message(role="assistant", parts=parts)  # type: ignore[arg-type]
    arguments["words"].append("b")
    parts.clear()
    assert message == listed
    assert isinstance(listed.parts, tuple)
    assert message.parts[0] == tb.ToolCall(id="1", name="f", arguments={"words": ["a"]})


def test_thaw_gives_a_copy_that_takes_changes() -> None:
    arguments = tb.thaw(CALL.arguments)
    arguments["words"].append("c")
    arguments["limit"]["most"] = 4
    assert CALL.arguments == {"words": ["a", "b"], "limit": {"most": 3}}
    assert type(arguments["words"]) is list
    assert type(arguments["limit"]) is dict


def test_frozen_json_is_dict_and_list_to_everybody() -> None:
    """Libraries look with isinstance; json writes them."""
    assert isinstance(CALL.arguments, dict)
    assert isinstance(CALL.arguments["words"], list)
    assert CALL.arguments | {"more": 1} == {**CALL.arguments, "more": 1}
    assert pickle.loads(pickle.dumps(CALL.arguments)) == CALL.arguments
    assert type(copy.deepcopy(CALL.arguments)) is FrozenDict
    assert type(pickle.loads(pickle.dumps(CALL.arguments["words"]))) is FrozenList


# fields


def test_an_unknown_field_is_refused_by_name() -> None:
    make: Any = tb.Text
    with pytest.raises(TypeError, match=r"Text has no field 'txt'; it has .*text"):
        make(text="a", txt="b")


def test_a_required_field_is_named() -> None:
    make: Any = tb.ToolCall
    with pytest.raises(TypeError, match="ToolCall needs the field 'name'"):
        make(id="1", arguments={})


def test_fields_have_no_positions() -> None:
    make: Any = tb.Text
    with pytest.raises(TypeError):
        make("a")


def test_a_field_left_out_has_its_default() -> None:
    call = tb.ToolCall(id="1", name="f", arguments={})
    assert (call.kind, call.executor, call.status, call.signature) == (
        "function",
        "client",
        "complete",
        None,
    )


# equality


def test_values_are_equal_when_their_fields_are() -> None:
    assert tb.Text(text="a") == tb.Text(text="a")
    assert tb.Text(text="a") != tb.Text(text="b")
    assert tb.Text(text="a") != tb.Refusal(text="a"), "another class means another thing"
    assert tb.Text(text="a") != "a"


def test_a_default_said_is_a_default_left_out() -> None:
    assert tb.Text(text="a", cache=None) == tb.Text(text="a")
    assert tb.ToolCall(id="1", name="f", arguments={}, kind="function") == tb.ToolCall(
        id="1", name="f", arguments={}
    )


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (1, True), (0, False), (1.0, True)])
def test_numbers_of_other_types_are_other_values(one: Any, other: Any) -> None:
    """JSON writes them differently; Python's own equality does not tell."""
    assert one == other
    assert tb.Json(value={"n": [one]}) != tb.Json(value={"n": [other]})
    assert tb.Request(temperature=one) != tb.Request(temperature=other)
    assert tb.Text(text="", extra={"n": one}) != tb.Text(text="", extra={"n": other})


def test_the_order_of_keys_is_spelling() -> None:
    one, other = tb.Json(value={"a": 1, "b": 2}), tb.Json(value={"b": 2, "a": 1})
    assert one == other
    assert hash(one) == hash(other)


def test_unknown_fields_count() -> None:
    raw = body("anthropic", "request")
    plain, more = tb.read(raw, "anthropic"), tb.read(raw | {"new": None}, "anthropic")
    assert plain != more
    assert more.extra == {"new": None}
    assert more == tb.read(raw | {"new": None}, "anthropic")


SPELLINGS: Final[list[tuple[str, dict[str, Any], dict[str, Any]]]] = [
    (
        "anthropic",
        {"messages": [{"role": "user", "content": "hi"}], "model": "m"},
        {"model": "m", "messages": [{"content": [{"type": "text", "text": "hi"}], "role": "user"}]},
    ),
    (
        "openai-chat",
        {"messages": [{"role": "system", "content": "hi"}], "max_tokens": 5},
        {"messages": [{"role": "developer", "content": "hi"}], "max_completion_tokens": 5},
    ),
    (
        "openai-responses",
        {"input": [{"role": "user", "content": "hi"}]},
        {"input": [{"type": "message", "role": "user", "content": "hi"}]},
    ),
    (
        "gemini",
        {"generationConfig": {"maxOutputTokens": 5}, "contents": []},
        {"generation_config": {"max_output_tokens": 5}, "contents": []},
    ),
]


@pytest.mark.parametrize(("format", "one", "other"), SPELLINGS, ids=FORMATS)
def test_spelling_does_not_count(format: str, one: Any, other: Any) -> None:
    """The same said in two ways is equal, and each is written as it was said."""
    first, second = tb.read(one, format), tb.read(other, format)
    assert first == second
    assert hash(first) == hash(second)
    assert tb.write(first, format).payload == one
    assert tb.write(second, format).payload == other


def test_the_text_of_arguments_is_spelling() -> None:
    one = tb.ToolCall(id="1", name="f", arguments={"a": 1}, arguments_text='{"a":1}')
    other = tb.ToolCall(id="1", name="f", arguments={"a": 1}, arguments_text='{ "a": 1 }')
    assert one == other


def test_a_profile_is_not_what_a_request_says() -> None:
    raw = SPELLINGS[0][1]
    assert tb.read(raw, "anthropic") == tb.read(raw, "anthropic:2023-06-01")


def test_a_version_of_an_api_is_nobody_who_writes() -> None:
    """The author of messages in a request is the format alone; a version is no host anyway."""
    newer, older = (tb.read(body("anthropic", "request"), f"anthropic{end}") for end in ENDS)
    assert older.history[1].author == newer.history[1].author == tb.Author(format="anthropic")


ENDS: Final = ("", ":2023-06-01")


@pytest.mark.parametrize("format", FORMATS)
def test_reading_twice_gives_equal_values_with_equal_hashes(format: str) -> None:
    one, other = (tb.read(body(format, "request"), format) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1


# copies


def test_replace_gives_a_changed_copy() -> None:
    changed = CALL.replace(name="search")
    assert (changed.name, changed.id, changed.arguments) == ("search", "call_1", CALL.arguments)
    assert CALL.name == "find"
    assert changed == dataclasses.replace(CALL, name="search")
    with pytest.raises(TypeError, match="no field 'nme'"):
        CALL.replace(nme="search")


def test_replace_freezes_what_it_is_given() -> None:
    given: dict[str, Any] = {"words": []}
    changed: Any = CALL.replace(arguments=given)
    given["words"].append(1)
    assert changed.arguments == {"words": []}
    with pytest.raises(TypeError, match="thaw"):
        changed.arguments["words"].append(1)


def test_replace_keeps_the_spelling() -> None:
    """So that a changed value is written as it was, but for the change."""
    raw = body("openai-chat", "request")
    changed = tb.read(raw, "openai-chat").replace(model="other")
    assert tb.write(changed, "openai-chat").payload == raw | {"model": "other"}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", ["request", "response", "error"])
def test_a_value_comes_back_from_pickle_with_its_spelling(format: str, kind: str) -> None:
    raw = body(format, kind) | {"new": {"key": [1, None]}}
    value = tb.read(raw, format, kind)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(value, protocol))
        assert back == value
        assert isinstance(back.spelling, Spelling)
        assert back.spelling == value.spelling
        assert tb.write(back, format).payload == raw
    assert copy.deepcopy(value) == value
    assert copy.copy(value) == value


def test_what_comes_back_from_pickle_is_immutable() -> None:
    back: Any = pickle.loads(pickle.dumps(CALL))
    with pytest.raises(AttributeError, match="immutable"):
        back.name = "other"
    with pytest.raises(TypeError, match="thaw"):
        back.arguments["words"].append("c")


def test_repr_shows_what_was_said_and_no_spelling() -> None:
    """In a test's diff the meaning is what one looks for."""
    assert repr(tb.Text(text="a")) == "Text(text='a')"
    read = tb.read({"model": "m", "messages": []}, "openai-chat")
    assert repr(read) == "Request(model='m')"
    assert repr(CALL).startswith("ToolCall(id='call_1', name='find', arguments={")
