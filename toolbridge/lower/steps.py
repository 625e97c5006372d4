"""Steps: the assistant's messages up to the next word of somebody else, and their results."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from toolbridge.codec import lose_rest
from toolbridge.lower.calls import lower_result, sign_first_call, unchanged
from toolbridge.lower.lowering import Lowering
from toolbridge.lower.media import is_foreign
from toolbridge.lower.moves import Moves
from toolbridge.lower.parts import lower_parts
from toolbridge.lower.turns import Slot, Step, Turn
from toolbridge.parts import Media, Refusal, Text, ToolCall, ToolResult
from toolbridge.request import Message
from toolbridge.values import Value, make


def message_of(lowering: Lowering, turn: Turn, parts: list[Any]) -> list[Value]:
    """The message of a turn: the source's own where nothing changed. One that is empty, or was
    emptied, is left out."""
    source = turn.message
    if not parts:
        if source is not None and not is_run(source):
            lowering.report.add("message.empty", source)
        return []
    if source is None:
        return [make(Message, {"role": turn.role, "parts": tuple(parts)})]
    if source.role == turn.role and unchanged(parts, source.parts):
        return [source]
    return [lowering.changed(source, role=turn.role, parts=tuple(parts))]


def lower_step(
    lowering: Lowering, step: Step, following: Step | Turn | None, moves: Moves
) -> list[Value]:
    """The assistant's messages of a step, then the results of its calls."""
    lowered: list[Value] = []
    written: dict[int, ToolCall] = {}
    turns = step.turns
    if len(turns) > 1:
        report_borders(lowering, turns, moves)
        if lowering.rules.results != "items":  # a message of items has no place for a call
            turns = joined(lowering, turns)
    for turn in turns:
        parts = lower_parts(lowering, turn)
        if len(parts) < len(turn.parts) and parts:
            report_emptied(lowering, turn, parts)
        if step.slots:
            calls = [part for part in turn.parts if is_client_call(part)]
            made = [part for part in parts if is_client_call(part)]
            if made and not written:
                parts = sign_first_call(lowering, parts)
                made = [part for part in parts if is_client_call(part)]
            written |= {id(call): new for call, new in zip(calls, made, strict=True)}
            if lowering.rules.calls_last:
                parts = calls_last(parts, turn, step.turns, moves)
        lowered += message_of(lowering, turn, parts)
    if step.slots:
        lowered += lower_results(lowering, step, following, written, moves)
    return lowered


def report_emptied(lowering: Lowering, turn: Turn, parts: list[Any]) -> None:
    """A message whose own parts are all gone, where the calls of the step are left."""
    kept = {id(lowering.report.origin(part)) for part in parts}
    message = turn.message
    if message is not None and not is_run(message) and message.parts:
        if not any(id(part) in kept for part in message.parts):
            lowering.report.add("message.empty", message)


def is_client_call(part: Any) -> bool:
    """Whether a part is a call that the app must answer."""
    return part.__class__ is ToolCall and part.executor == "client"


def report_borders(lowering: Lowering, turns: list[Turn], moves: Moves) -> None:
    """Items have no border between a message and the calls of the next: it comes back as one."""
    if lowering.rules.results != "items" or moves.turns_merge:
        return
    for before, turn in pairwise(turns):
        first, second = before.message, turn.message
        if first is None or second is None or is_run(second):
            continue
        if not isinstance(turn.parts[0] if turn.parts else None, (Text, Refusal)):
            moves.joined(first, second)


def joined(lowering: Lowering, turns: list[Turn]) -> list[Turn]:
    """The turns of a step, each message with calls and all after it as one.

    A run of items without a message of their own joins what was said before it.
    """
    merged: list[Turn] = []
    called = False
    for turn in turns:
        run = turn.message is not None and is_run(turn.message)
        if merged and (run or called):
            merged[-1].parts += turn.parts
            if turn.message is not None:
                lose_rest(turn.message, lowering.writing, "role", "parts", "author")
        else:
            merged.append(Turn(turn.role, turn.message, list(turn.parts)))
        called = called or any(map(is_client_call, turn.parts))
    return merged


def is_run(message: Message) -> bool:
    """Whether the parts of a message stood in the history without a message around them."""
    return message.spelling is not None and message.spelling.kind == "run"


def calls_last(parts: list[Any], turn: Turn, turns: list[Turn], moves: Moves) -> list[Any]:
    """What is said after a call moves before it, where calls stand beside the content."""
    first = next((index for index, part in enumerate(parts) if is_client_call(part)), len(parts))
    late = [part for part in parts[first:] if not is_client_call(part)]
    for part in late:
        whole = alone_in(part, turns)
        moves.moved("text.moved", whole or part, None if whole else turn.message)
    return [*parts[:first], *late, *filter(is_client_call, parts)]


def alone_in(part: Value, turns: list[Turn]) -> Message | None:
    """The source message that holds nothing but this part."""
    for turn in turns:
        if turn.message is not None and turn.parts == [part] and not is_run(turn.message):
            return turn.message
    return None


def lower_results(
    lowering: Lowering,
    step: Step,
    following: Step | Turn | None,
    written: dict[int, ToolCall],
    moves: Moves,
) -> list[Value]:
    """The results of a step, and what they cannot hold in a message of the user's after them."""
    results: list[ToolResult] = []
    shown: list[Any] = []
    for slot in (*step.answered, *invented(step, following, moves)):
        result, moved = lower_result(lowering, slot, written[id(slot.call)])
        if holds_foreign_media(lowering, result):
            moves.added("message.added", None, "the way back moves media out of results")
        results.append(result)
        if moved:
            shown += [make(Text, {"text": SHOWN.format(result.call_id)}), *moved]
    messages = group_results(lowering, results)
    if shown:
        report_shown(lowering, shown, step, moves)
        messages.append(make(Message, {"role": "user", "parts": tuple(shown)}))
    return messages


def invented(step: Step, following: Step | Turn | None, moves: Moves) -> list[Slot]:
    """The calls of a step that have no result."""
    if len(step.answered) == len(step.slots):
        return []
    beside = following.message if isinstance(following, Turn) and following.role == "user" else None
    slots = [slot for slot in step.slots if slot.result is None]
    for _ in slots:
        moves.added("result.invented", beside if moves.turns_merge else None)
    return slots


def holds_foreign_media(lowering: Lowering, result: ToolResult) -> bool:
    """Whether a result holds media that the source's own format has no place for there."""
    for part in result.parts:
        if isinstance(part, Media) and is_foreign(lowering, part, "result"):
            return True
    return False


SHOWN = "[From the result of the tool call {}]"
"""What stands before media that a result cannot hold."""


def report_shown(lowering: Lowering, shown: list[Any], step: Step, moves: Moves) -> None:
    """Media that moved out of results, and the message that holds them now."""
    for part in shown:
        if isinstance(part, Media):
            lowering.report.add("result.media", part)
    if not moves.turns_merge:
        moves.added("message.added", None)
        return
    for _ in shown:
        moves.added("message.added", step.results_from)


def group_results(lowering: Lowering, results: list[ToolResult]) -> list[Value]:
    """The messages of results: one for all of a step, or one each."""
    if not results:
        return []
    if lowering.rules.results == "message":
        return [make(Message, {"role": "tool", "parts": (result,)}) for result in results]
    return [make(Message, {"role": "tool", "parts": tuple(results)})]
