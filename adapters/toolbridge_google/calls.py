"""Calls and results of generateContent, and the union of all parts.

https://ai.google.dev/gemini-api/docs/function-calling; types.FunctionCall and
types.FunctionResponse of `google-genai` 3.6.1.

- Calls and results often have no id: then order pairs them.
- A result is an object: `output`, or `error` for a failure, else the whole object.
- What the server ran itself stands in the model's turn and goes back as it is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from toolbridge.codec import OBJECT, Codec, Elements, Mismatch, lose_rest
from toolbridge.content import JsonContent
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Row
from toolbridge.parts import Json, Media, Reasoning, Refusal, Text, ToolCall, ToolResult
from toolbridge.shape import Shape
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_google.casing import both, inner, row
from toolbridge_google.parts import (
    FILE_DATA,
    FORMAT,
    INLINE_DATA,
    NOT_THOUGHT,
    SIGNATURE,
    TEXT,
    THOUGHT,
)


def finish_call(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Older models give calls no id, and none of them arguments where there are none."""
    fields.setdefault("arguments", {})
    if "name" in fields and "id" not in fields:
        fields["id"] = reading.call_without_id(fields["name"], fields["arguments"])


def without_made_up(item: Any, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """An id and arguments that the reader made up are not sent back."""
    if not writing.owns(item):
        if fields.get("call_id") == "":
            del fields["call_id"]
    else:
        if not has_id(item):
            fields.pop("id", None)
            fields.pop("call_id", None)
        if fields.get("arguments") == {} and "args" not in data_keys(item):
            del fields["arguments"]
    return fields


def data_keys(item: Value) -> tuple[str, ...]:
    """The keys that the data field of a part came with."""
    return next(iter(item.spelling.inner.values()), ())


def has_id(item: Value) -> bool:
    """Whether a call or result came with an id."""
    return "id" in data_keys(item)


FUNCTION_CALL: Final = Shape(
    FORMAT,
    "functionCall",
    ToolCall,
    [
        inner(
            "functionCall",
            [Row("id", "id"), Row("name", "name"), Row("args", "arguments", OBJECT)],
        ),
        NOT_THOUGHT,
        SIGNATURE,
    ],
    implied=("kind",),
    required=("name",),
    finish=finish_call,
    prepare=without_made_up,
)


def decode(response: dict[str, JSON]) -> tuple[tuple[Value, ...], bool | None]:
    """The parts of a result, and whether it failed. `output` alone is text, texts or a list;
    `error` alone the text of a failure; any other object is the result as it is."""
    if response.keys() == {"output"} and isinstance(response["output"], str):
        return (make(Text, {"text": response["output"]}),), None
    if response.keys() == {"output"} and is_texts(response["output"]):
        return tuple(make(Text, {"text": text}) for text in response["output"]), None
    if response.keys() == {"output"} and not isinstance(response["output"], dict):
        return (make(Json, {"value": response["output"]}),), None
    if response.keys() == {"error"} and isinstance(response["error"], str):
        return (make(Text, {"text": response["error"]}),), True
    return (make(Json, {"value": response}),), True if "error" in response else None


def is_texts(item: JSON) -> bool:
    """Whether a JSON value is a list of at least two texts."""
    return isinstance(item, list) and len(item) > 1 and all(isinstance(each, str) for each in item)


def encode(parts: tuple[Any, ...], failed: bool | None) -> dict[str, JSON]:
    """The inverse of decode."""
    texts = [part.text for part in parts if isinstance(part, Text)]
    objects = [part.value for part in parts if isinstance(part, Json)]
    if len(objects) == 1 and not texts and isinstance(objects[0], dict):
        return dict(objects[0])
    told = [*texts, *objects]
    content = told[0] if len(told) == 1 else told if told else ""
    return {"error" if failed else "output": content}


class ResponseObject(Codec):
    """The object of a result; its parts are text or structure."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if not isinstance(raw, dict):
            raise Mismatch(key, self.expected, raw)
        return raw

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        for part in item:
            if not writing.owns(part):
                lose_rest(part, writing, "text", "value")
        return encode(item, getattr(owner, "is_error", None))


RESULT_MEDIA: Final = Elements(
    lambda raw, reading: PARTS.read(raw, reading), lambda item, writing: PARTS.write(item, writing)
)


def choose_media(item: Any) -> Shape | None:
    """Bytes go inline, places of them as file data."""
    if not isinstance(item, Media):
        return None
    source = item.source
    return FILE_DATA if source.data is None and source.text is None else INLINE_DATA


def finish_response(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The parts of a result: what the object says, then its media."""
    parts: tuple[Value, ...] = ()
    if "response" in fields:
        response = fields.pop("response")
        parts, failed = decode(response)
        if fields.get("media") and response == NOTHING_SAID:
            parts = ()
        place_parts(parts, response, raw, reading)
        if failed is not None:
            fields["is_error"] = failed
    fields["parts"] = (*parts, *fields.pop("media", ()))
    if "name" in fields and "call_id" not in fields:
        fields["call_id"] = reading.result_without_id(fields["name"])


NOTHING_SAID: Final = {"output": ""}
"""Stands beside media where there is no text: a response is required."""


def place_parts(
    parts: tuple[Value, ...], response: dict[str, JSON], raw: JSON, reading: Reading
) -> None:
    """Parts stand where the object that says them stands, or in it."""
    held = next(key for key in raw if key in DATA_FIELDS)
    path = reading.path
    for index, part in enumerate(parts):
        steps = list(response) if response.keys() <= {"output", "error"} else []
        reading.path = (path, held, "response", *steps, *([index] if len(parts) > 1 else []))
        reading.placed(part)
    reading.path = path


def prepare_response(item: ToolResult, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The inverse of finish_response."""
    parts = fields.pop("parts", ())
    said = tuple(part for part in parts if isinstance(part, (Text, Json)))
    shown = tuple(part for part in parts if not isinstance(part, (Text, Json)))
    keys: Collection[str] = ("response",)
    if writing.owns(item):
        keys = {
            key for key in data_keys(item) if f"functionResponse/{key}" not in item.spelling.nulls
        }
    if said or "response" in keys:
        fields["response"] = said
    if shown or "parts" in keys:
        fields["media"] = shown
    fields.pop("is_error", None)
    return without_made_up(item, fields, writing)


FUNCTION_RESPONSE: Final = Shape(
    FORMAT,
    "functionResponse",
    ToolResult,
    [
        inner(
            "functionResponse",
            [
                Row("id", "call_id"),
                Row("name", "name"),
                Row("response", "response", ResponseObject("an object")),
                Row("parts", "media", RESULT_MEDIA),
            ],
        ),
        NOT_THOUGHT,
        SIGNATURE,
    ],
    implied=("kind",),
    places={
        "parts": ("functionResponse", "response"),
        "is_error": ("functionResponse", "response"),
    },
    required=("name",),
    finish=finish_response,
    prepare=prepare_response,
)


def finish_hosted(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """What the server ran is paired by id where it has one, else by order."""
    fields.setdefault("arguments", {})
    fields.setdefault("name", fields["kind"])
    if "id" not in fields:
        fields["id"] = reading.call_without_id(fields["kind"], fields["arguments"])


def finish_hosted_result(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """See finish_hosted."""
    if "call_id" not in fields:
        fields["call_id"] = reading.result_without_id(fields["kind"])


def hosted(key: str, model: type[Value], kind: str, *rows: Row) -> Shape:
    """A part for a call that Google's servers ran, or for its result."""
    call = model is ToolCall
    return Shape(
        FORMAT,
        key,
        model,
        [inner(key, rows), NOT_THOUGHT, SIGNATURE],
        given={"executor": "vendor", "kind": kind},
        implied=("name",),
        finish=finish_hosted if call else finish_hosted_result,
        prepare=without_made_up,
    )


EXECUTABLE_CODE: Final = hosted(
    "executableCode",
    ToolCall,
    "code_execution",
    Row("id", "id"),
    Row("code", "arguments"),
)
CODE_RESULT: Final = hosted(
    "codeExecutionResult",
    ToolResult,
    "code_execution",
    Row("id", "call_id"),
    Row("output", "parts", JsonContent("a text")),
)
TOOL_CALL: Final = hosted(
    "toolCall",
    ToolCall,
    "server_tool",
    Row("id", "id"),
    row("toolType", "name"),
    Row("args", "arguments", OBJECT),
)
TOOL_RESPONSE: Final = hosted(
    "toolResponse",
    ToolResult,
    "server_tool",
    Row("id", "call_id"),
    row("toolType", "name"),
    Row("response", "parts", JsonContent("an object")),
)


class PartUnion(Union):
    """Parts are told apart by the data field that they hold."""

    def pick(self, raw: dict[str, JSON]) -> Shape | None:
        for key in raw:
            shape = DATA_FIELDS.get(key)
            if shape is not None:
                return THOUGHT if shape is TEXT and raw.get("thought") is True else shape
        return None


SHAPES: Final = (
    TEXT,
    INLINE_DATA,
    FILE_DATA,
    FUNCTION_CALL,
    FUNCTION_RESPONSE,
    EXECUTABLE_CODE,
    CODE_RESULT,
    TOOL_CALL,
    TOOL_RESPONSE,
)
DATA_FIELDS: Final = {key: shape for shape in SHAPES for key in (shape.kind, *both(shape.kind))}
PARTS: Final[Union] = PartUnion([*SHAPES, THOUGHT], lambda item, writing: choose_part(item))


def choose_part(item: Any) -> Shape | None:
    """The part for content from elsewhere; what another vendor ran itself has none."""
    if isinstance(item, (ToolCall, ToolResult)):
        if item.executor == "vendor":
            return None
        return FUNCTION_CALL if isinstance(item, ToolCall) else FUNCTION_RESPONSE
    if isinstance(item, Media):
        return choose_media(item)
    return {Text: TEXT, Reasoning: THOUGHT, Refusal: TEXT}.get(type(item))
