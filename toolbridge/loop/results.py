"""What a tool gave, as the one result of its call."""

from __future__ import annotations

import dataclasses
from typing import Any

from toolbridge.errors import ToolError, WireError
from toolbridge.parts import Json, Media, Text, ToolCall, ToolReference, ToolResult
from toolbridge.payload import check_payload
from toolbridge.registry import adapter_named
from toolbridge.values import JSON

PARTS = (Text, Media, Json, ToolReference)
SAID = (str, *PARTS)


def result_of(call: ToolCall, given: Any) -> ToolResult:
    """The result of a call that went well."""
    return answer(call, parts_of(given))


def failure_of(call: ToolCall, error: BaseException) -> ToolResult:
    """The result of a call that raised. What a ToolError says goes to the model as it is; the
    text of any other exception is the app's alone, it may hold what no model should read."""
    if isinstance(error, ToolError):
        return answer(call, parts_of(error.content), True)
    return refuse(
        call,
        f"The tool {call.name} failed by an error inside it.",
        "Do without it, or try once more with other arguments.",
    )


def refuse(call: ToolCall, what: str, mend: str) -> ToolResult:
    """The result of a call that was not run: what was wrong, and how to do better."""
    return answer(call, (text_of(f"{what}\n{mend}"),), True)


def answer(call: ToolCall, parts: tuple[Any, ...], failed: bool = False) -> ToolResult:
    """A result that echoes what its call wants back: id, kind, namespace, toolset and caller."""
    fields: dict[str, Any] = {"call_id": call.id, "parts": parts}
    if failed:
        fields["is_error"] = True
    for name in ("kind", "namespace", "toolset", "caller"):
        echoed = getattr(call, name)
        if echoed is not None and wants_back(call, name):
            fields[name] = echoed
    return ToolResult(**fields)


def wants_back(call: ToolCall, name: str) -> bool:
    """Whether the vendor of a call has a place on its results for what is echoed."""
    adapter = None if call.spelling is None else adapter_named(call.spelling.format)
    if adapter is None:
        return True
    results = [shape for shape in adapter.shapes.values() if shape.model is ToolResult]
    return name == "kind" or any(shape.has_place(name) for shape in results)


def parts_of(given: Any) -> tuple[Any, ...]:
    """What a tool returned, as parts: text as text, parts as they are, all else as JSON.

    Raises TypeError for what JSON cannot say.
    """
    if given is None:
        return (Text(text=""),)
    if isinstance(given, SAID):
        return (as_part(given),)
    if isinstance(given, (list, tuple)) and any(isinstance(each, PARTS) for each in given):
        if all(isinstance(each, SAID) for each in given):
            return tuple(map(as_part, given))
        raise TypeError("the result has parts beside other values. Return text and parts alone")
    return (Json(value=as_json(given)),)


def as_part(given: Any) -> Any:
    """A part, or a text as one."""
    return text_of(given) if isinstance(given, str) else given


def text_of(said: str) -> Text:
    """A text. What UTF-8 cannot say (the lone surrogates of odd file names) gives way to marks:
    the request could not be sent."""
    return Text(text=str(said).encode("utf-8", "replace").decode())


def as_json(given: Any) -> JSON:
    """A value of Python's as JSON: through pydantic, so that models, dataclasses, dates and
    enums say what their schema says."""
    if given.__class__ in (bool, int, type(None)):
        return given
    from pydantic import PydanticUserError, TypeAdapter
    from pydantic_core import from_json, to_json

    try:
        if dataclasses.is_dataclass(given) and not isinstance(given, type):
            given = TypeAdapter(type(given)).dump_python(given, mode="json")
        made = from_json(to_json(given, inf_nan_mode="strings"))
        check_payload([made])
    except (ValueError, PydanticUserError, NameError, WireError) as error:
        raise TypeError(
            f"the result is of a type that JSON cannot say ({type(given).__name__}): {error}. "
            "Return text, JSON values, dataclasses, pydantic models or parts"
        ) from None
    return made
