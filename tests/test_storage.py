"""to_json and from_json: every value comes back equal, spelling included, in a versioned text."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, body
from toolbridge.storage import VERSION, classes
from toolbridge.values import Value


def text_of(value: Any, **changes: Any) -> str:
    return json.dumps({"toolbridge": VERSION, "value": value} | changes)


# the text


def test_the_text_names_its_version_and_the_classes() -> None:
    call = tb.ToolCall(id="1", name="f", arguments={"a": [1]})
    message = tb.Message(role="assistant", parts=(call,))
    assert json.loads(tb.to_json(message)) == {
        "toolbridge": 1,
        "value": {
            "class": "Message",
            "role": "assistant",
            "parts": [{"class": "ToolCall", "id": "1", "name": "f", "arguments": {"a": [1]}}],
        },
    }


def test_the_text_is_utf_8_as_it_is() -> None:
    """It lies in files that people look at and search."""
    assert "부산" in tb.to_json(tb.Text(text="부산"))


def test_the_text_of_version_1_stays_readable() -> None:
    """Frozen: texts of this version lie in people's stores."""
    text = (
        '{"toolbridge": 1, "value": {"class": "Request", "model": "m", "history": [{"class": '
        '"Message", "role": "user", "parts": [{"class": "Text", "text": "hi"}]}], "spelling": '
        '{"format": "openai-chat", "kind": "request", "keys": ["messages", "model"]}}}'
    )
    request = tb.from_json(text)
    hello = tb.Message(role="user", parts=(tb.Text(text="hi"),))
    assert request == tb.Request(model="m", history=(hello,))
    assert list(tb.write(request, "openai-chat").payload) == ["messages", "model"]


# round trips


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", ["request", "response", "tools", "error"])
def test_what_was_read_comes_back_with_its_spelling(format: str, kind: str) -> None:
    """An unknown key, an explicit null and the order of keys are part of what was read."""
    raw = body(format, kind)
    if isinstance(raw, dict):
        raw = {"new": {"deep": [None, 1.0]}} | raw | {"other": None}
    value = tb.read(raw, format, kind)
    back = tb.from_json(tb.to_json(value))
    assert back == value
    written = tb.write(back, format).payload
    assert json.dumps(written) == json.dumps(raw), "the same JSON, in the same order"


def test_a_tuple_of_tools_comes_back_as_one() -> None:
    tools = (tb.ToolSpec(name="a"), tb.ToolGroup(tools=(tb.ToolSpec(name="b"),)))
    assert tb.from_json(tb.to_json(tools)) == tools
    assert tb.from_json(tb.to_json(list(tools))) == tools
    assert tb.from_json(tb.to_json(())) == ()


SAMPLE: Final[dict[str, Any]] = {
    "str": "말",
    "int": 3,
    "float": 0.5,
    "bool": True,
    "JSON": {"class": "Text", "list": [1, {"a": None}], "empty": {}},
}


def sample(name: str, json_fields: frozenset[str]) -> Any:
    """Something to stand in a field: JSON that looks like a value where JSON may stand."""
    return SAMPLE["JSON"] if name in json_fields else f"{name} 말"


@pytest.mark.parametrize("cls", classes().values(), ids=lambda cls: cls.__name__)
def test_every_class_comes_back_with_every_field(cls: type[Value]) -> None:
    """Also where JSON within a value has a key `class` of its own."""
    names = [name for name in cls.defaults if name not in ("spelling", "extra")]
    fields = {name: sample(name, cls.json_fields) for name in names}
    value = cls(**fields, extra={"class": "Text", "new": [{"class": 5}]})
    back = tb.from_json(tb.to_json(value))
    assert type(back) is cls
    assert back == value
    assert vars(back) == vars(value)


def test_values_within_values_come_back() -> None:
    source = tb.Source(text="t", parts=(tb.Text(text="a"), tb.Opaque(format="x", data=[])))
    media = tb.Media(kind="document", source=source, signature=tb.Bound(value="s"))
    result = tb.ToolResult(call_id="1", parts=(media, tb.Json(value={"class": "x"})))
    request = tb.Request(
        history=(tb.Message(role="tool", parts=(result,)), tb.ToolChange(removed=())),
        stop_sequences=("a", "b"),
        tool_choice=tb.ToolChoice(mode="subset", tools=(tb.ToolName(name="f"),)),
        output=tb.OutputFormat(kind="schema", schema={"class": "object"}),
        temperature=1.0,
        seed=1,
    )
    back = tb.from_json(tb.to_json(request))
    assert back == request
    assert isinstance(back.stop_sequences, tuple)
    assert (type(back.temperature), type(back.seed)) == (float, int)


def test_what_comes_back_is_immutable() -> None:
    back: Any = tb.from_json(tb.to_json(tb.Json(value={"a": []})))
    with pytest.raises(TypeError, match="thaw"):
        back.value["a"].append(1)
    with pytest.raises(AttributeError, match="immutable"):
        back.value = 1


def test_bytes_are_taken_as_well() -> None:
    """A file read in binary mode."""
    assert tb.from_json(tb.to_json(tb.Text(text="말")).encode()) == tb.Text(text="말")


def deep(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


def test_deep_data_comes_back() -> None:
    request = tb.read({"messages": [], "new": deep(190)}, "openai-chat")
    assert tb.from_json(tb.to_json(request)) == request


# what is no text of a value


@pytest.mark.parametrize("value", [5, "text", None, {"a": 1}, tb.Loss])
def test_only_values_are_written(value: Any) -> None:
    with pytest.raises(TypeError, match="to_json takes canonical values"):
        tb.to_json(value)


def test_a_newer_version_fails_naming_both() -> None:
    """Whoever reads the message knows which side to change."""
    with pytest.raises(tb.WireError) as caught:
        tb.from_json(text_of({"class": "Text"}, toolbridge=VERSION + 1))
    assert caught.value.path == "/toolbridge"
    assert f"version {VERSION} or older" in str(caught.value)
    assert f"version {VERSION + 1}" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["", "{", "5", "[]", "{}", '{"toolbridge": 1}', '{"value": {"class": "Text", "text": "a"}}'],
)
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(tb.WireError) as caught:
        tb.from_json(text)
    assert caught.value.path == ""
    assert "Pass what to_json returned" in str(caught.value)


def in_message(part: Any) -> str:
    return text_of({"class": "Message", "role": "user", "parts": [{"class": "Cache"}, part]})


def test_an_unknown_class_fails_at_its_place() -> None:
    """Dropping it would lose what a newer writer said."""
    with pytest.raises(tb.WireError) as caught:
        tb.from_json(in_message({"class": "Film"}))
    assert caught.value.path == "/value/parts/1"
    assert "'Film'" in str(caught.value)


def test_an_unknown_field_fails_at_its_place() -> None:
    with pytest.raises(tb.WireError) as caught:
        tb.from_json(in_message({"class": "Text", "text": "a", "colour": "red"}))
    assert caught.value.path == "/value/parts/1"
    assert "fields of Text" in str(caught.value)
    assert "'colour'" in str(caught.value)


def test_an_object_without_a_class_fails_at_its_place() -> None:
    with pytest.raises(tb.WireError) as caught:
        tb.from_json(in_message({"text": "a"}))
    assert caught.value.path == "/value/parts/1"


@pytest.mark.parametrize("name", ["Loss", "Spelling", "os.system", ""])
def test_only_classes_of_values_are_made(name: str) -> None:
    """A text from a store never names code to run."""
    with pytest.raises(tb.WireError):
        tb.from_json(text_of({"class": name}))


def test_numbers_that_json_does_not_have_are_refused() -> None:
    with pytest.raises(tb.WireError) as caught:
        tb.from_json('{"toolbridge": 1, "value": {"class": "Request", "temperature": NaN}}')
    assert caught.value.path == "/value/temperature"


NOT_WIRE_ERRORS: Final = {
    "a class that is no text": text_of({"class": []}),
    "a spelling without a format": text_of({"class": "Text", "text": "a", "spelling": {}}),
    "a spelling that is no object": text_of({"class": "Text", "text": "a", "spelling": [1]}),
    "a required field left out": text_of({"class": "Text"}),
    "a version that is no number": text_of({"class": "Text", "text": "a"}, toolbridge=True),
    "a version that never was": text_of({"class": "Text", "text": "a"}, toolbridge=0),
    "the base of all classes": text_of({"class": "Value"}),
    "a value that is none": text_of(5),
    "too deep a nesting": "[" * 100_000,
}


@pytest.mark.parametrize("name", NOT_WIRE_ERRORS)
def test_a_text_changed_by_others_is_a_wire_error(name: str) -> None:
    """Stores are edited and cut; every error of reading them is one that callers catch."""
    with pytest.raises(tb.WireError):
        tb.from_json(NOT_WIRE_ERRORS[name])
