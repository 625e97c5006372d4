"""A request made such that the target takes it."""

from __future__ import annotations

from typing import Any

from toolbridge.codec import lose_rest
from toolbridge.conversion import Writing
from toolbridge.errors import ConversionError
from toolbridge.lower.cache import lower_marks
from toolbridge.lower.history import lower_history
from toolbridge.lower.lowering import Lowering
from toolbridge.lower.moves import Moves
from toolbridge.lower.parts import lower_parts
from toolbridge.lower.settings import lower_settings
from toolbridge.lower.steps import message_of
from toolbridge.lower.tools import lower_choice, lower_no_tools, lower_tools
from toolbridge.lower.turns import Turn
from toolbridge.offered import Offered
from toolbridge.parts import Text
from toolbridge.request import Message, Request
from toolbridge.tools import OutputFormat, ToolChoice
from toolbridge.values import Value, make


def lower_request(request: Request, writing: Writing) -> Request:
    """The request as the target takes it: a new value that stands for the old one."""
    lowering = Lowering(writing, request)
    source = lowering.source_of(request)
    merge = source is not None and source.merges_turns
    moves = Moves(writing.report, request, "history", merge)
    refuse_state(lowering, request)
    fields = dict(vars(request))
    fields["tools"] = lower_tools(lowering, request)
    lower_calling(lowering, request, fields)
    leading, rest = split_system(request)
    history = lower_history(lowering, rest, moves)
    lower_rest(lowering, request, fields, leading, history, moves)
    return lower_marks(lowering, writing.report.derive(make(Request, fields), request))


def lower_calling(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """The choice among the tools, and whether they are called in parallel."""
    if not fields["tools"]:
        lower_no_tools(lowering, request, fields)
    elif isinstance(request.tool_choice, ToolChoice):
        fields["tool_choice"] = lower_choice(lowering, request.tool_choice)
    elif request.tool_choice is not None:
        lowering.report.add("choice.vendor_tool", request.tool_choice)
        fields["tool_choice"] = None


def lower_rest(
    lowering: Lowering,
    request: Request,
    fields: dict[str, Any],
    leading: list[Message],
    history: tuple[Value, ...],
    moves: Moves,
) -> None:
    """All that comes once the history is lowered. It asks of that how it begins and ends, whether
    there is any, and whether it says JSON."""
    lowering.writing.offered = offered(lowering)
    if history and is_system(history[0]):
        report_leading(lowering, request, history[0])
    fields |= place_system(lowering, request, leading, history)
    if leading and not fields["history"]:
        moves.added("message.none", None)
    lower_settings(lowering, request, fields)


HISTORY_HELD = (
    "previous_response_id",
    "conversation",
    "thread",
    "prompt",
    "cachedContent",
    "cached_content",
)
"""State without which history, instructions or calls would be missing elsewhere."""


def refuse_state(lowering: Lowering, request: Request) -> None:
    """What a vendor's server holds is nowhere else: without the history there is no request."""
    if not request.state or lowering.native(request):
        return
    for key, held in request.state.items():
        if key in HISTORY_HELD and held is not None:
            raise ConversionError(
                f"/{key}",
                f"{key} refers to history that only the vendor's server holds",
                "Send the whole history in the request in its place",
            )


def split_system(request: Request) -> tuple[list[Message], tuple[Value, ...]]:
    """The leading system text and the rest of the history."""
    leading = [] if request.instructions is None else [request.instructions]
    history = request.history
    count = next((i for i, item in enumerate(history) if not is_system(item)), len(history))
    return [*leading, *history[:count]], history[count:]  # type: ignore[list-item]


def place_system(
    lowering: Lowering, request: Request, leading: list[Message], history: tuple[Value, ...]
) -> dict[str, Any]:
    """Leading system text in the field that the target has for it, or at the front."""
    form = lowering.writing.target.system_field
    if form == "parts":
        report_split(lowering, request, leading)
        return {"instructions": in_field(lowering, leading), "history": history}
    report_first(lowering, request, leading)
    front: list[Value] = []
    for message in leading:
        front += front_messages(lowering, request, message)
    field = None
    if form == "text" and front and is_plain(front[0]) and not asks_for_json(request, front[0]):
        field = front.pop(0)
    return {"instructions": field, "history": (*front, *history)}


def front_messages(lowering: Lowering, request: Request, message: Message) -> list[Value]:
    """Leading system text as messages: what came in a field of its own as one for each part."""
    pieces = lower_parts(lowering, Turn("system", message, list(message.parts)))
    if message is not request.instructions:
        return message_of(lowering, Turn("system", message, []), pieces)
    lose_rest(message, lowering.writing, "role", "parts")
    return [make(Message, {"role": "system", "parts": (piece,)}) for piece in pieces]


def offered(lowering: Lowering) -> Offered:
    """The tools as they are written: their names, and the forms of their arguments."""
    names = lowering.names.originals
    forms = {made: lowering.forms[tool] for made, tool in names.items() if tool in lowering.forms}
    custom = frozenset(made for made, tool in names.items() if tool in lowering.custom)
    return Offered(names, forms, custom)


def is_system(item: Value) -> bool:
    """Whether an item of a history is system text."""
    return isinstance(item, Message) and item.role == "system"


def asks_for_json(request: Request, message: Any) -> bool:
    """Whether it is the system text that says JSON: OpenAI's JSON mode wants the word in the
    input (platform.openai.com/docs/guides/structured-outputs, JSON mode)."""
    output = request.output
    wanted = isinstance(output, OutputFormat) and output.kind == "json"
    return wanted and "json" in message.parts[0].text.lower()


def is_plain(message: Any) -> bool:
    """Whether a message is one text and nothing else."""
    parts = message.parts
    said = message.set_fields().keys() == {"role", "parts"} and len(parts) == 1
    return said and parts[0].__class__ is Text and parts[0].set_fields().keys() == {"text"}


def in_field(lowering: Lowering, leading: list[Message]) -> Message | None:
    """All leading system text as one message."""
    parts = []
    for message in leading:
        parts += lower_parts(lowering, Turn("system", message, list(message.parts)))
        lose_rest(message, lowering.writing, "role", "parts")
    return make(Message, {"role": "system", "parts": tuple(parts)}) if parts else None


def report_first(lowering: Lowering, request: Request, leading: list[Message]) -> None:
    """Where the source has a field for one text, the way back puts the first text there."""
    source = lowering.source_of(request)
    if source is None or source.system_field != "text" or request.instructions is not None:
        return
    if not leading or not is_plain(leading[0]):
        return
    if not (lowering.rules.json_output and asks_for_json(request, leading[0])):
        lowering.report.add("system.moved", leading[0])
        lowering.report.add("order.changed", request)


def report_leading(lowering: Lowering, request: Request, message: Any) -> None:
    """System text that nothing is left before comes back among the leading."""
    source = lowering.source_of(request)
    if source is not None and source.system_field != "none":
        for part in message.parts:
            lowering.report.add("system.moved", part, "text" if isinstance(part, Text) else None)
        lowering.report.add("system.moved", message, "role")
        lowering.report.add("system.moved", message)
        lowering.report.add("order.changed", message, "parts")
        lowering.report.add("order.changed", request.instructions or request)


def report_split(lowering: Lowering, request: Request, leading: list[Message]) -> None:
    """Where the source has no field for parts, each part comes back as a message of its own, but
    for the first where there is a field for one text."""
    source = lowering.source_of(request)
    if source is None or source.system_field == "parts":
        return
    report_first(lowering, request, leading)
    for message in leading:
        for part in message.parts[1:]:
            lowering.report.add("system.moved", part)
            lowering.report.add("order.changed", request, "history")
