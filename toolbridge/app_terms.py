"""Answers in the app's terms: calls by the names of its tools, arguments after its schemas."""

from __future__ import annotations

from typing import Any, TypeVar

from toolbridge.calls_of import map_calls
from toolbridge.lower.calls import INPUT
from toolbridge.offered import Offered
from toolbridge.parts import ToolCall
from toolbridge.response import Response
from toolbridge.values import Value, freeze, make

V = TypeVar("V", bound=Value)


def restored(response: Response, offered: Offered) -> Response:
    """The answer with its calls as in the request: named, their arguments after the tools' own
    schemas, and their free text unwrapped."""
    return map_calls(response, lambda call: restored_call(call, offered), settled)


def restored_call(call: ToolCall, offered: Offered) -> ToolCall:
    """One call. What the model called by no name that was offered stays as it is."""
    identity = offered.identity(call.name)
    if call.executor != "client" or identity is None:
        return call
    namespace, name = identity
    changes: dict[str, Any] = {}
    if name != call.name:
        changes = {"name": name, "namespace": namespace}
    if call.kind == "function":
        if call.name in offered.custom and is_wrapped(call.arguments):
            changes |= {"kind": "custom", "arguments": call.arguments[INPUT]}
        elif call.status == "complete":
            arguments = offered.restore(call.name, call.arguments)
            changes |= {} if arguments is call.arguments else {"arguments": freeze(arguments)}
    return settled(call, changes) if changes else call


def is_wrapped(arguments: Any) -> bool:
    """Whether arguments are free text in the schema that stands for a custom tool."""
    is_object = isinstance(arguments, dict) and arguments.keys() == {INPUT}
    return is_object and isinstance(arguments[INPUT], str)


def settled(item: V, changes: dict[str, Any]) -> V:
    """A value in the app's terms; what the vendor made for it (a signature) still holds."""
    made = make(type(item), {**vars(item), **changes})
    if made.spelling is None:
        return made
    return make(type(item), {**vars(made), "spelling": made.spelling.covering(made)})
