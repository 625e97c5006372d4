"""Calls and results made such that a target takes them, each change reported."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any

from toolbridge.arguments import dump, parse
from toolbridge.failure import FAILED
from toolbridge.lower.lowering import Lowering
from toolbridge.lower.media import fit, holds, said, with_type
from toolbridge.lower.turns import Slot, Turn, invented_result
from toolbridge.parts import (
    Bound,
    Json,
    Media,
    Opaque,
    Text,
    ToolCall,
    ToolChange,
    ToolReference,
    ToolResult,
)
from toolbridge.spelling import is_stale
from toolbridge.values import freeze, make, same

if TYPE_CHECKING:
    from toolbridge.schemas.forms import Form

INVALID = "INVALID_JSON"
"""The key around arguments that are no JSON object, where a target takes nothing else: the one
that Anthropic names for it (platform.claude.com, fine-grained tool streaming)."""

INPUT = "input"
"""The one argument that carries the free text of a custom tool where there are none."""


def lower_call(lowering: Lowering, call: ToolCall, turn: Turn) -> ToolCall | None:
    """A call: what a vendor ran is left out, ids and names are mapped, arguments fitted."""
    if call.executor == "vendor":
        if lowering.native(call):
            return call
        lowering.report.add("call.vendor_run", call)
        return None
    changes = {
        **fit_id(lowering, call),
        **fit_name(lowering, call),
        **fit_arguments(lowering, call),
    }
    return lowering.changed(call, **changes) if changes else call


def fit_id(lowering: Lowering, call: ToolCall) -> dict[str, Any]:
    """The id in the target's alphabet, used once."""
    call_id = lowering.ids.take(call.id)
    if call_id == call.id:
        return {}
    lowering.report.add("id.renamed", call, "id", f"{call.id!r} is written as {call_id!r}")
    return {"id": call_id}


def fit_name(lowering: Lowering, call: ToolCall) -> dict[str, Any]:
    """The name as the tools have it; a namespace stays where the target knows those, unless its
    tools stand by themselves."""
    named = (call.namespace, call.name) in lowering.names
    namespace = call.namespace if named or not lowering.rules.namespaces else None
    name = lowering.names.name(namespace, call.name)
    if name == call.name and namespace is None:
        return {}
    lowering.report.add("name.renamed", call, "name", f"{call.name!r} is written as {name!r}")
    if namespace is None:
        return {"name": name}
    lowering.report.add("name.namespace", call, "namespace")
    return {"name": name, "namespace": None}


def fit_arguments(lowering: Lowering, call: ToolCall) -> dict[str, Any]:
    """Arguments in the form that the target has for the kind of call."""
    rules, arguments = lowering.rules, call.arguments
    form = lowering.forms.get((call.namespace, call.name)) if lowering.forms else None
    if form is not None and call.kind == "function" and isinstance(arguments, dict):
        return in_form(lowering, call, form)
    if is_plain(call) and not lowering.free_text:
        return {}
    free = text_under(INPUT, arguments) if call.name in lowering.free_text else None
    broken = text_under(INVALID, arguments) if rules.json_text else None
    if free is not None:
        return {"kind": "custom", "arguments": free, "arguments_text": None}
    if call.kind == "custom" and not rules.custom_tools:
        return custom_as_function(lowering, call)
    if call.kind not in ("function", "custom"):
        return known_as_function(lowering, call)
    if call.kind == "function" and isinstance(arguments, str) and not rules.json_text:
        lowering.report.add("call.invalid_arguments", call, "arguments")
        return {"arguments": {INVALID: arguments}, "arguments_text": None, "status": "complete"}
    if broken is not None:
        return {"arguments": broken, "arguments_text": broken, "status": "invalid"}
    return {}


def in_form(lowering: Lowering, call: ToolCall, form: Form) -> dict[str, Any]:
    """The arguments as the model is offered them, in the words that it wrote if they are those."""
    arguments = freeze(form.forward(call.arguments))
    if same(arguments, call.arguments):
        return {}
    lowering.report.add("call.form", call, "arguments")
    text = call.arguments_text
    kept = text is not None and same(parse(text)[0], arguments)
    return {"arguments": arguments} | ({} if kept else {"arguments_text": None})


def custom_as_function(lowering: Lowering, call: ToolCall) -> dict[str, Any]:
    """Free text as the one argument of a function."""
    lowering.report.add("call.custom", call, below="/type")
    lowering.report.change("call.custom", call, "name", "arguments")
    lowering.report.add("call.custom", call)
    return {"kind": "function", "arguments": {INPUT: call.arguments}, "arguments_text": None}


def known_as_function(lowering: Lowering, call: ToolCall) -> dict[str, Any]:
    """A call known by its type as that of a function: it gets a name and arguments."""
    lowering.report.add("call.kind", call, below="/type")
    lowering.report.add("call.kind", call, "arguments")
    for _ in ("name", "arguments"):
        lowering.report.add("call.kind", call)
    changes: dict[str, Any] = {"kind": "function", "arguments_text": None}
    if not isinstance(call.arguments, dict):
        changes["arguments"] = {INPUT: call.arguments}
    return changes


def is_plain(call: ToolCall) -> bool:
    """Whether a call is a function's, with the usual arguments."""
    arguments = call.arguments
    return call.kind == "function" and isinstance(arguments, dict) and INVALID not in arguments


def text_under(key: str, arguments: Any) -> str | None:
    """The text of arguments that are one text under a key: it stands for what is no object."""
    if isinstance(arguments, dict) and arguments.keys() == {key}:
        return arguments[key] if isinstance(arguments[key], str) else None
    return None


def lower_result(
    lowering: Lowering, slot: Slot, written: ToolCall
) -> tuple[ToolResult, list[Media]]:
    """The result of a call as the target takes it, and the media that it cannot hold there.

    `written` is the call as it is written: its id and name are the result's.
    """
    result = slot.result or lowering.report.derive(invented_result(slot), slot.call)
    moved: list[Media] = []
    parts = list(result.parts)
    if not is_one_text(parts):
        parts, moved = lower_pieces(lowering, result)
    changes: dict[str, Any] = {}
    if written.id != result.call_id:
        if slot.result is not None:
            lowering.report.add("id.renamed", result, "call_id")
        changes["call_id"] = written.id
    if not unchanged(parts, result.parts):
        changes["parts"] = tuple(parts)
    if result.kind != written.kind:
        changes |= fit_kind(lowering, result, written)
    changes |= name_result(lowering, result, written)
    return (lowering.changed(result, **changes) if changes else result), moved


def is_one_text(parts: list[Any]) -> bool:
    """Whether a result is one text that says something: every target takes that."""
    return len(parts) == 1 and parts[0].__class__ is Text and bool(parts[0].text.strip())


def lower_pieces(lowering: Lowering, result: ToolResult) -> tuple[list[Any], list[Media]]:
    """The pieces of a result, and the media that it cannot hold."""
    parts: list[Any] = []
    moved: list[Media] = []
    report_order(lowering, result)
    for part in result.parts:
        if not isinstance(part, Media):
            parts += lower_piece(lowering, part, result)
            continue
        typed = part if lowering.native(part) else with_type(lowering, part, "result")
        if fits(lowering, typed, bool(result.is_error)):
            parts.append(fit(lowering, typed, "result"))
        elif holds(lowering, typed, "user"):
            moved.append(fit(lowering, typed, "result"))
        else:
            text = said(lowering, part)
            parts += [] if text is None else [text]
    if result.parts and not parts:
        lowering.report.add("result.emptied", result.parts[0])
    return fill(lowering, parts, bool(result.is_error)), moved


def report_order(lowering: Lowering, result: ToolResult) -> None:
    """Where media stand apart from what a result says, text after media goes before them."""
    media = [index for index, part in enumerate(result.parts) if isinstance(part, Media)]
    if not lowering.rules.structured_results or not media:
        return
    for part in result.parts[media[0] :]:
        if isinstance(part, (Text, Json)):
            lowering.report.add("text.moved", part)
            lowering.report.add("order.changed", result, "parts")


def fit_kind(lowering: Lowering, result: ToolResult, written: ToolCall) -> dict[str, Any]:
    """The result of a call known by its type becomes that of a function."""
    if result.kind not in ("function", "custom"):
        lowering.report.add("result.kind", result, below="/type")
        if not result.parts or not all(
            isinstance(part, (Text, Media, Json)) for part in result.parts
        ):
            lowering.report.add("result.kind", result, detail="it has an output")
    elif result.kind == "custom":
        lowering.report.add("result.custom", result, below="/type")
    return {"kind": written.kind}


def unchanged(parts: list[Any], before: tuple[Any, ...]) -> bool:
    """Whether two lists hold the very same values."""
    if len(parts) == 1:
        return len(before) == 1 and parts[0] is before[0]
    return len(parts) == len(before) and all(map(is_, parts, before))


def fill(lowering: Lowering, parts: list[Any], failed: bool) -> list[Any]:
    """The parts of a result that is not empty where it may not be, nor blank."""
    if lowering.rules.blank_text:
        return parts or [make(Text, {"text": ""})]
    kept = [part for part in parts if not isinstance(part, Text) or part.text.strip()]
    for part in parts if len(parts) > 1 or any(getattr(part, "text", "") for part in parts) else ():
        if part not in kept:
            lowering.report.add("text.blank", part)
    return kept or ([make(Text, {"text": FAILED})] if failed else [])


def fits(lowering: Lowering, part: Media, failed: bool) -> bool:
    """Whether a result can hold a medium."""
    if failed and lowering.rules.failed_text_only:
        return False
    return lowering.native(part) or holds(lowering, part, "result")


def lower_piece(lowering: Lowering, part: Any, result: ToolResult) -> list[Any]:
    """One piece of a result."""
    if isinstance(part, Json) and not lowering.rules.structured_results:
        plain = result.kind in ("function", "custom")
        lowering.report.add("result.object_as_text" if plain else "result.kind", part)
        text = part.value if isinstance(part.value, str) else dump(part.value)
        return [lowering.report.derive(make(Text, {"text": text}), part)]
    if isinstance(part, (Text, Json)) or lowering.native(part):
        return [part]
    if isinstance(part, (ToolReference, ToolChange)):
        return [part if lowering.native(result) else found_tools(lowering, part)]
    code = "element.opaque" if isinstance(part, Opaque) else "context.dropped"
    lowering.report.add(code, part)
    return []


def found_tools(lowering: Lowering, part: ToolReference | ToolChange) -> Any:
    """Tools that a search found are referred to, or told by name."""
    named = part.added if isinstance(part, ToolChange) else (part,)
    names = [tool.name for tool in named if not isinstance(tool, Opaque) and tool.name]
    lowering.report.add("reference.as_text", part)
    text = f"Tools found: {', '.join(names) or 'none'}"
    return lowering.report.derive(make(Text, {"text": text}), part)


def name_result(lowering: Lowering, result: ToolResult, written: ToolCall) -> dict[str, Any]:
    """Some want the name of the tool on its result; elsewhere it follows from the call."""
    name = written.name if lowering.rules.result_names else None
    shape = lowering.shape_of(result)
    pairs = shape is not None and not shape.has_place("call_id")
    if result.name is not None and not pairs and not lowering.derives_names(result):
        lowering.report.add("name.dropped", result, "name")
    elif result.name not in (None, written.name):
        lowering.report.add("name.renamed", result, "name")
    return {} if result.name == name else {"name": name}


def sign_first_call(lowering: Lowering, parts: list[Any]) -> list[Any]:
    """Put the target's documented placeholder on the first call of a step that it did not
    write."""
    placeholder = lowering.rules.first_call_signature
    for index, part in enumerate(parts):
        if part.__class__ is ToolCall and part.executor == "client":
            call = without_placeholder(lowering, part)
            own = call.signature is not None and call.signature.format == lowering.writing.format
            stale = own and is_stale(lowering.report.origin(call))
            if stale:
                lowering.report.add("derived.stale", call, "signature")
            unsigned = call.signature is None and lowering.native(call)
            if unsigned and not lowering.rules.own_calls_signed:
                return parts
            if placeholder is not None and (stale or not own):
                signature, spelling = make(Bound, {"value": placeholder}), call.spelling
                spelling = None if stale else spelling
                call = lowering.changed(call, signature=signature, spelling=spelling)
            return [*parts[:index], call, *parts[index + 1 :]]
    return parts


def without_placeholder(lowering: Lowering, call: ToolCall) -> ToolCall:
    """The first call of a step without the placeholder that the way back puts there anyway."""
    home = lowering.home(call)
    if home is None or home.first_call_signature is None or lowering.native(call):
        return call
    if call.signature is None:
        lowering.report.add("default.invented", call, "signature", "the placeholder")
    elif call.signature.value == home.first_call_signature:
        return lowering.changed(call, signature=None)
    return call
