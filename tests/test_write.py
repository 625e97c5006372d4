"""write: values made by hand, in every format; and what was read, changed and written."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, REQUESTS, SCHEMA, body
from toolbridge.parts import Part

PROFILES: Final = tuple(
    f"{info.name}:{profile}" for info in tb.formats() for profile in info.profiles
)
CALL: Final = tb.ToolCall(id="call_1", name="weather", arguments={"city": "부산"})
RESULT: Final = tb.ToolResult(call_id="call_1", parts=(tb.Text(text="맑음"),))
TOOL: Final = tb.ToolSpec(
    name="weather", description="The weather.", parameters=SCHEMA, strict=False
)


def said(role: Any, *parts: Part) -> tb.Message:
    return tb.Message(role=role, parts=parts)


def request(**changes: Any) -> tb.Request:
    """The conversation of `bodies`, as somebody writes it who knows no vendor."""
    plain = tb.Request(
        model="m",
        instructions=said("system", tb.Text(text="Be brief.")),
        history=(
            said("user", tb.Text(text="부산 날씨?")),
            said("assistant", CALL),
            said("tool", RESULT),
        ),
        tools=(TOOL,),
        output_limit=512,
    )
    return plain.replace(**changes)


def pointed(value: Any, path: str) -> Any:
    """What a JSON pointer leads to in the text of a value; KeyError where there is nothing."""
    found = json.loads(tb.to_json(value))
    for step in path.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


# requests made by hand


@pytest.mark.parametrize("format", FORMATS)
def test_a_request_made_by_hand_is_written_in_every_format(format: str) -> None:
    """As a person who knows the vendor would write it: the bodies of `bodies` were."""
    made = tb.write(request(), format)
    written = made.payload
    if format == "gemini":
        placeholder = written["contents"][1]["parts"][0].pop("thoughtSignature")
        assert placeholder, "documented for the first call of a step that another vendor wrote"
    read, plain = tb.read(written, format), tb.read(REQUESTS[format], format)
    assert read.replace(tools=None) == plain.replace(tools=None)
    (tool,) = tools_of(read)
    assert (tool.name, tool.description, tool.parameters) == ("weather", "The weather.", SCHEMA)
    assert tool.strict is (None if format == "gemini" else False), "Gemini has no such switch"


def tools_of(value: tb.Request) -> list[Any]:
    """The tools of a request, those of groups among them."""
    return [
        tool
        for each in value.tools or ()
        for tool in (each.tools if isinstance(each, tb.ToolGroup) else (each,))
    ]


@pytest.mark.parametrize("format", (*FORMATS, *PROFILES))
def test_a_request_made_by_hand_loses_no_meaning(format: str) -> None:
    made = tb.write(request(), format, on_loss="raise", ignore=["tool.option"])
    assert {loss.code for loss in made.losses} <= {
        "tool.option",
        "model.envelope",
        "id.renamed",
        "default.invented",
    }


def test_the_shortest_request_is_written_as_the_vendor_wants_it() -> None:
    """No key that nobody asked for but those that are required."""
    hello = tb.Request(model="m", history=(said("user", tb.Text(text="hi")),))
    said_hi = [{"role": "user", "content": "hi"}]
    anthropic = tb.write(hello, "anthropic")
    limit = anthropic.payload.pop("max_tokens")
    assert limit > 0
    assert anthropic.payload == {"model": "m", "messages": said_hi}
    assert [(loss.code, loss.target_path) for loss in anthropic.losses] == [
        ("default.invented", "/max_tokens")
    ]
    assert tb.write(hello, "openai-chat").payload == {"model": "m", "messages": said_hi}
    assert tb.write(hello, "openai-responses").payload == {"model": "m", "input": said_hi}
    assert tb.write(hello, "gemini").payload == {
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}]
    }


@pytest.mark.parametrize("format", FORMATS)
def test_an_extra_field_made_by_hand_is_written_as_it_is(format: str) -> None:
    """Whoever makes a value for one vendor may use a key that nobody here knows yet."""
    made = tb.write(request(extra={"new": {"key": [None]}}), format)
    assert made.payload["new"] == {"key": [None]}


# losses


@pytest.mark.parametrize("format", ["anthropic", "openai-responses"])
def test_a_loss_points_into_the_text_of_the_value(format: str) -> None:
    value = request(seed=7)
    made = tb.write(value, format)
    (loss,) = (loss for loss in made.losses if loss.code == "setting.unsupported")
    assert loss.path == "/value/seed"
    assert pointed(value, loss.path) == 7


def lossy() -> tb.Request:
    """A request with something that some format has no place for in every corner."""
    image = tb.Media(kind="image", source=tb.Source(data="aGk=", media_type="image/png"))
    later = said("assistant", tb.Reasoning(text="hm"), tb.Text(text="a"), CALL)
    return request(
        history=(
            said("user", tb.Text(text="q", cache=tb.Cache(ttl="5m"))),
            later,
            said("tool", RESULT.replace(parts=(tb.Text(text="x"), image))),
            tb.SettingsChange(effort="high"),
            said("user", tb.Text(text="and?", extra={"a/b": 1})),
        ),
        tools=(TOOL.replace(name="a weather", examples=[{"city": "부산"}], strict=True),),
        seed=7,
        metadata={"a": "b"},
        tool_choice=tb.ToolChoice(mode="tool", tools=(tb.ToolName(name="a weather"),)),
        extra={"x~y": {"deep": 1}},
    )


@pytest.mark.parametrize("format", (*FORMATS, *PROFILES))
def test_every_loss_points_to_something_in_the_text_of_the_value(format: str) -> None:
    value = lossy()
    made = tb.write(value, format)
    assert len(made.losses) > 3
    for loss in made.losses:
        assert loss.path.startswith("/value"), loss
        pointed(value, loss.path)


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_losses_of_what_was_read_point_into_the_text_of_the_value_too(
    source: str, target: str
) -> None:
    value = tb.read(body(source, "request") | {"new": 1}, source)
    for loss in tb.write(value, target).losses:
        pointed(value, loss.path)


def test_losses_can_be_made_errors() -> None:
    with pytest.raises(tb.LossError) as caught:
        tb.write(request(seed=7), "anthropic", on_loss="raise")
    assert [loss.path for loss in caught.value.losses] == ["/value/seed"]
    assert tb.write(
        request(seed=7), "anthropic", on_loss="raise", ignore=["setting.unsupported"]
    ).losses


# model and stream


def test_the_model_and_the_stream_flag_can_be_set() -> None:
    made = tb.write(request(), "openai-chat", model="other", stream=True)
    assert (made.payload["model"], made.payload["stream"]) == ("other", True)
    outside = tb.write(request(), "gemini", model="other", stream=True).envelope
    assert (outside.model, outside.stream) == ("other", True)
    assert outside.path == "/v1/models/other:streamGenerateContent?alt=sse"
    assert request() == request(), "the value is what it was"


def test_no_model_is_a_note() -> None:
    made = tb.write(request(model=None), "openai-chat", on_loss="raise")
    assert "model" not in made.payload
    assert [(loss.code, loss.path) for loss in made.losses] == [("model.unknown", "/value")]


# other kinds


@pytest.mark.parametrize("format", FORMATS)
def test_a_response_made_by_hand_is_written_in_every_format(format: str) -> None:
    answer = tb.Response(
        id="r_1",
        model="m",
        alternatives=(
            tb.Alternative(
                messages=(said("assistant", tb.Text(text="확인합니다."), CALL),),
                stop_reason="tool_calls",
            ),
        ),
        usage=tb.Usage(input_tokens=10, output_tokens=5, cache_read_tokens=4),
    )
    back = tb.read(tb.write(answer, format).payload, format, "response")
    assert back.text == "확인합니다."
    assert [(call.name, call.arguments) for call in back.tool_calls] == [
        ("weather", {"city": "부산"})
    ]
    assert back.stop_reason == "tool_calls"
    assert back.model == "m"
    assert (back.usage.input_tokens, back.usage.output_tokens) == (10, 5)
    assert back.usage.cache_read_tokens == 4


@pytest.mark.parametrize("format", FORMATS)
def test_an_error_made_by_hand_is_written_in_every_format(format: str) -> None:
    error = tb.ErrorBody(message="slow down", category="rate_limited")
    written = tb.write(error, format).payload
    assert tb.read(written, format, "error").message == "slow down"


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("listed", [True, False])
def test_a_list_of_tools_is_written_in_every_format(format: str, listed: bool) -> None:
    tools = (TOOL, tb.ToolSpec(name="now", parameters={"type": "object"}))
    made = tb.write(list(tools) if listed else tools, format)
    assert isinstance(made.payload, list)
    assert made.envelope == tb.Envelope()
    whole = tb.write(request(tools=tools), format).payload["tools"]
    assert made.payload == whole, "as they stand in a request"


def test_tools_of_several_formats_are_written_together() -> None:
    """An app collects its tools from where they are."""
    tools = [
        tool
        for format in FORMATS
        for tool in tb.read(renamed(body(format, "tools"), format), format, "tools")
    ]
    made = tb.write(tools, "openai-chat")
    assert [each["function"]["name"] for each in made.payload] == list(FORMATS)


def renamed(tools: Any, name: str) -> Any:
    return json.loads(json.dumps(tools).replace('"weather"', f'"{name}"'))


def test_losses_of_tools_point_into_the_text_of_the_list() -> None:
    schema = {"type": "object", "properties": {}}
    tools = (TOOL, tb.ToolSpec(name="f", parameters=schema, examples=[{}]))
    (loss,) = tb.write(tools, "openai-chat").losses
    assert loss.path == "/value/1/examples"
    assert pointed(tools, loss.path) == [{}]


@pytest.mark.parametrize("format", FORMATS)
def test_no_tools_are_an_empty_list(format: str) -> None:
    """What reading an empty list gave."""
    assert tb.read([], format, "tools") == ()
    assert tb.write((), format).payload == []
    assert tb.write([], format).payload == []


@pytest.mark.parametrize(
    "value",
    [None, 5, "text", {"messages": []}, [5], [TOOL, "f"], tb.Text(text="a"), said("user"), CALL],
)
def test_only_whole_values_are_written(value: Any) -> None:
    with pytest.raises(TypeError, match="pass a Request, a Response, an ErrorBody or a list"):
        tb.write(value, "anthropic")


# values that were read and changed


@pytest.mark.parametrize("format", FORMATS)
def test_a_changed_setting_changes_its_key_only(format: str) -> None:
    raw = body(format, "request")
    written = tb.write(tb.read(raw, format).replace(output_limit=100), format).payload
    assert json.dumps(written) == json.dumps(raw).replace("512", "100")


@pytest.mark.parametrize("format", FORMATS)
def test_a_message_added_is_added_at_the_end(format: str) -> None:
    raw = body(format, "request")
    value = tb.read(raw, format)
    written = tb.write(
        value.replace(history=(*value.history, said("assistant", tb.Text(text="맑습니다.")))),
        format,
    ).payload
    key = {"openai-responses": "input", "gemini": "contents"}.get(format, "messages")
    assert written[key][: len(raw[key])] == raw[key]
    assert len(written[key]) == len(raw[key]) + 1
    assert "맑습니다." in json.dumps(written[key][-1], ensure_ascii=False)
    assert {each: written[each] for each in raw if each != key} == {
        each: raw[each] for each in raw if each != key
    }


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_writing_what_was_read_is_converting(source: str, target: str) -> None:
    """Two ways to the same body, with the same losses at places of their own."""
    raw = body(source, "request")
    direct = tb.convert(raw, source=source, target=target, model="m")
    by_value = tb.write(tb.read(raw, source), target, model="m")
    assert by_value.payload == direct.payload
    assert by_value.envelope == direct.envelope
    assert [loss.code for loss in by_value.losses] == [loss.code for loss in direct.losses]
