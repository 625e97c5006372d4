"""Parts of messages made such that a target takes them, each change reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolbridge.lower.calls import lower_call
from toolbridge.lower.lowering import Lowering
from toolbridge.lower.media import lower_media
from toolbridge.lower.turns import Turn
from toolbridge.parts import (
    Compaction,
    Fallback,
    Media,
    Opaque,
    Reasoning,
    Refusal,
    SettingsChange,
    Text,
    ToolCall,
    ToolChange,
    ToolListing,
    ToolReference,
    ToolResult,
)
from toolbridge.values import make


def lower_parts(lowering: Lowering, turn: Turn) -> list[Any]:
    """The parts of one turn; what the target has no place for is left out. Text that says
    something stays as it is everywhere."""
    lowered = []
    for part in turn.parts:
        if part.__class__ is Text and part.citations is None and part.text.strip():
            lowered.append(part)
            continue
        handler = HANDLERS.get(part.__class__)
        made = part if handler is None else handler(lowering, part, turn)
        if made is not None:
            lowered.append(made)
    return lowered


def lower_text(lowering: Lowering, part: Text, turn: Turn) -> Text | None:
    """Some refuse blank text."""
    answer = lowering.writing.kind == "response"
    if answer or lowering.rules.blank_text or (part.text and not part.text.isspace()):
        if part.citations == () and not lowering.native(part):
            lowering.report.lose(part, "citations")
            return lowering.changed(part, citations=None)
        return part
    lowering.report.add("text.blank", part)
    return None


def lower_refusal(lowering: Lowering, part: Refusal, turn: Turn) -> Any:
    """Where a refusal is no part of its own, it is said as text."""
    rules = lowering.rules
    in_answer = rules.answer_refusals and lowering.writing.kind == "response"
    if lowering.native(part) or rules.refusals or in_answer:
        return part
    lowering.report.add("refusal.as_text", part)
    if lowering.shape_of(part) is not None:
        lowering.report.add("refusal.said", part)
    elif turn.message is not None:
        lowering.report.add("refusal.said", turn.message, "content")
    return lowering.report.derive(make(Text, {"text": part.text}), part)


def lower_reasoning(lowering: Lowering, part: Reasoning, turn: Turn) -> Any:
    """Thoughts are of use to their writer; some targets take the text of others'."""
    sealed = part.signature or part.encrypted
    answer = lowering.writing.kind == "response"
    kept = lowering.native(part) and (answer or lowering.rules.kept_reasoning)
    if kept or (sealed is not None and sealed.format == lowering.writing.format):
        return part
    shown = answer and lowering.shows_reasoning(part)
    if (shown or lowering.rules.foreign_reasoning) and reasoning_text(part):
        text = reasoning_text(part)
        report_joined_reasoning(lowering, part)
        return lowering.changed(part, text=text, summary=None, content=None)
    lowering.report.add("reasoning.foreign", part)
    return None


def report_joined_reasoning(lowering: Lowering, part: Reasoning) -> None:
    """Thoughts in pieces become one text: what comes back is a summary of one piece."""
    if part.text is not None or (part.summary and len(part.summary) == 1 and not part.content):
        return
    first, *more = [*(part.summary or ()), *(part.content or ())]
    lowering.report.add("reasoning.joined", first, "text" if part.summary else None)
    for piece in more:
        lowering.report.add("reasoning.joined", piece)
    if not part.summary:
        lowering.report.add("reasoning.joined", part, None if part.summary is None else "summary")


def reasoning_text(part: Reasoning) -> str:
    """All that can be read of a thought."""
    pieces = [*(part.summary or ()), *(part.content or ())]
    return (
        part.text
        if part.text is not None
        else "\n".join(piece.text for piece in pieces if isinstance(piece, Text))
    )


def lower_compaction(lowering: Lowering, part: Compaction, turn: Turn) -> Any:
    """A summary that can be read is said as text; a sealed one means nothing elsewhere."""
    if lowering.native(part):
        return part
    if part.summary:
        lowering.report.add("compaction.as_text", part)
        return lowering.report.derive(make(Text, {"text": part.summary}), part)
    lowering.report.add("context.dropped", part)
    return None


def lower_context(lowering: Lowering, part: Any, turn: Turn) -> Any:
    """Context items have a place in their own format only."""
    if lowering.native(part):
        return part
    lowering.report.add("context.dropped", part)
    return None


def lower_vendor_result(lowering: Lowering, part: ToolResult, turn: Turn) -> Any:
    """What another vendor ran has no place."""
    if lowering.native(part):
        return part
    lowering.report.add("call.vendor_run", part)
    return None


def lower_opaque(lowering: Lowering, part: Opaque, turn: Turn) -> Any:
    """What nobody knows means something to its own format only."""
    if part.format == lowering.writing.format:
        return part
    lowering.report.add("element.opaque", part)
    return None


HANDLERS: dict[type, Callable[[Lowering, Any, Turn], Any]] = {
    Text: lower_text,
    Refusal: lower_refusal,
    Reasoning: lower_reasoning,
    Media: lambda lowering, part, turn: lower_media(lowering, part, turn.role),
    ToolCall: lower_call,
    ToolResult: lower_vendor_result,
    Compaction: lower_compaction,
    Opaque: lower_opaque,
    **dict.fromkeys(
        (ToolChange, SettingsChange, Fallback, ToolListing, ToolReference), lower_context
    ),
}
