"""The check of a payload: what is no JSON is refused at its place, with a way to mend it."""

from __future__ import annotations

import json
from collections import OrderedDict
from datetime import date
from decimal import Decimal
from enum import IntEnum
from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS
from toolbridge.payload import check_payload

NESTING: Final = 200
"""Levels that are read; one more is not."""


def fault(payload: Any, kind: str = "request", format: str = "openai-chat") -> tb.WireError:
    """The error of reading a payload; converting must say the same."""
    with pytest.raises(tb.WireError) as caught:
        tb.read(payload, format, kind)
    with pytest.raises(tb.WireError) as again:
        tb.convert(payload, source=format, target="anthropic", kind=kind)
    assert str(again.value) == str(caught.value)
    return caught.value


def says(content: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "hi"}, {"role": "user", "content": content}]}


# numbers and text


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_does_not_have(number: float) -> None:
    error = fault({"messages": [], "temperature": number})
    assert error.path == "/temperature"
    assert error.expected == "a finite number"
    assert error.found == repr(number)


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\ud83d \ude00"])
def test_a_lone_surrogate(text: str) -> None:
    """It comes of text cut in two, and has no form in UTF-8."""
    error = fault(says(text))
    assert error.path == "/messages/1/content"
    assert "surrogate" in error.found
    assert "surrogatepass" in error.mend


def test_the_mending_of_a_surrogate_works() -> None:
    """What the error says to call is run here: a pair becomes its character, a lone one a mark."""
    error = fault(says("\ud83d\ude00 \ud800"))
    call = error.mend.partition("e.g. ")[2]
    mended = eval(call, {"text": "\ud83d\ude00 \ud800"})
    assert mended.startswith("😀")
    assert tb.read(says(mended), "openai-chat")


def test_a_lone_surrogate_in_a_key() -> None:
    error = fault({"messages": [{"role": "user", "\ud800": 1}]})
    assert error.path == "/messages/0"
    assert error.expected == "keys in UTF-8"


def test_all_other_text_is_fine() -> None:
    """Astral characters, controls and no text at all are JSON."""
    for text in ("😀", "\x00", "\u2028", "\ufffd", ""):
        assert tb.read(says(text), "openai-chat")


# what is no JSON


class Answer:
    """What an SDK gives: an object with methods, and no dict."""

    def model_dump(self) -> dict[str, Any]:
        return {}


class Colour(IntEnum):
    """An int to Python; json writes it as a number, and a reader would not get it back."""

    RED = 1


STRANGERS: Final[dict[str, Any]] = {
    "an object": Answer(),
    "bytes": b"hi",
    "a set": {"a"},
    "a tuple": ("a", "b"),
    "a date": date(2026, 11, 30),
    "a decimal": Decimal("0.5"),
    "a complex number": 1j,
    "an enum": Colour.RED,
    "a class": dict,
    "a value": tb.Text(text="a"),
}


@pytest.mark.parametrize("name", STRANGERS)
def test_what_json_has_no_form_for(name: str) -> None:
    stranger = STRANGERS[name]
    error = fault(says([{"type": "text", "text": stranger}]))
    assert error.path == "/messages/1/content/0/text"
    assert error.found == type(stranger).__name__
    assert "model_dump" in error.mend, "most are objects of an SDK: the error says what to call"


@pytest.mark.parametrize("key", [1, None, ("a",), True, b"a"])
def test_a_key_that_is_no_text(key: Any) -> None:
    """json would write 1 and None as text, and two keys might become one."""
    error = fault({"messages": [{"role": "user", "content": "hi", "extra": {key: 1}}]})
    assert error.path == "/messages/0/extra"
    assert error.expected == "strings as keys"
    assert repr(key) in error.found


def test_the_path_is_a_json_pointer() -> None:
    """With `/` and `~` in keys escaped, as RFC 6901 has it."""
    error = fault({"messages": [], "a/b": {"c~d": [0, {"": ()}]}})
    assert error.path == "/a~1b/c~0d/1/"


def test_the_first_fault_is_told() -> None:
    """In the order of the body, so that mending goes from the top down."""
    error = fault({"a": [1, {"b": ()}], "c": float("nan"), "messages": set()})
    assert error.path == "/a/1/b"


def test_kinds_of_dict_and_list_are_json() -> None:
    """json.loads(object_pairs_hook=OrderedDict) gives JSON too."""
    ordered = json.loads(json.dumps(says("hi")), object_pairs_hook=OrderedDict)
    assert tb.read(ordered, "openai-chat") == tb.read(says("hi"), "openai-chat")


def test_what_belongs_to_a_value_is_json() -> None:
    """Arguments of a call may be sent on as they are."""
    held = tb.Json(value={"a": [1]}).value
    payload = says("hi") | {"metadata": held}
    assert tb.convert(payload, source="openai-chat", target="openai-chat").payload == payload


# outer types


@pytest.mark.parametrize("kind", ["request", "response"])
@pytest.mark.parametrize("payload", [[], "text", None, 5, True, Answer(), ("a",)])
def test_a_request_and_a_response_are_objects(kind: str, payload: Any) -> None:
    error = fault(payload, kind)
    assert error.path == ""
    assert error.expected == f"an object as {kind}"
    assert error.found == type(payload).__name__
    assert "not its text or an SDK object" in error.mend


@pytest.mark.parametrize("payload", ["text", None, 5, Answer(), ("a",)])
def test_tools_are_a_list(payload: Any) -> None:
    error = fault(payload, "tools")
    assert (error.path, error.expected) == ("", "a list as tools")


@pytest.mark.parametrize("format", FORMATS)
def test_an_object_is_no_list_of_tools(format: str) -> None:
    """The whole request given for its tools would convert to an empty list."""
    request = {"model": "m", "tools": [{"name": "f"}]}
    assert fault(request, "tools", format).expected == "a list as tools"


@pytest.mark.parametrize("payload", [None, 5, Answer()])
def test_an_error_body_is_json_that_can_say_something(payload: Any) -> None:
    assert fault(payload, "error").path == ""


@pytest.mark.parametrize("payload", ["Bad Gateway", ["no"]])
@pytest.mark.parametrize("format", FORMATS)
def test_an_error_body_may_be_text_or_a_list(format: str, payload: Any) -> None:
    """Proxies answer with text; Google's batches with a list."""
    same = tb.convert(payload, source=format, target=format, kind="error")
    assert same.payload == payload


@pytest.mark.parametrize("payload", ["Bad Gateway", ["no"]])
@pytest.mark.parametrize("format", FORMATS)
def test_whatever_was_read_as_an_error_is_written(format: str, payload: Any) -> None:
    error = tb.read(payload, format, "error")
    assert tb.write(error, format).payload == payload


# nesting


def nested(levels: int, form: str) -> Any:
    """A body in which objects or lists stand in one another on so many levels."""
    inner: Any = "x"
    for _ in range(levels - 1):
        inner = [inner] if form == "lists" else {"a": inner}
    return {"messages": inner} if form == "lists" else {"metadata": inner}


@pytest.mark.parametrize("form", ["lists", "objects"])
def test_two_hundred_levels_are_json(form: str) -> None:
    check_payload(nested(NESTING, form))


@pytest.mark.parametrize("form", ["lists", "objects"])
@pytest.mark.parametrize("levels", [NESTING + 1, NESTING + 2, 100_000])
def test_more_levels_are_an_attack_or_a_mistake(form: str, levels: int) -> None:
    error = fault(nested(levels, form))
    assert error.path.count("/") == NESTING
    assert error.expected == f"at most {NESTING} levels"


def test_lists_side_by_side_are_no_nesting() -> None:
    payload = says("hi") | {"metadata": {"list": [[[index]] for index in range(2000)]}}
    assert tb.read(payload, "openai-chat")


@pytest.mark.parametrize("form", ["lists", "objects"])
def test_what_passes_the_check_is_read_and_written(form: str) -> None:
    """The limit is the check's, whatever stands on the caller's stack."""
    payload = nested(NESTING, form)
    converted = tb.convert(payload, source="openai-chat", target="openai-chat")
    assert converted.payload == payload
    assert tb.write(tb.read(payload, "openai-chat"), "openai-chat").payload == payload


def test_what_was_read_can_be_stored() -> None:
    """The deepest body that is read: its text has two levels more."""
    response = {"name": "f", "response": nested(NESTING - 6, "objects")}
    request = tb.read({"contents": [{"parts": [{"functionResponse": response}]}]}, "gemini")
    assert tb.from_json(tb.to_json(request)) == request
