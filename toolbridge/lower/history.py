"""The history in the target's grouping: whose words, calls and results stand in one message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolbridge.lower.lowering import Lowering
from toolbridge.lower.media import is_foreign
from toolbridge.lower.moves import Moves
from toolbridge.lower.parts import lower_parts
from toolbridge.lower.steps import is_run, lower_step, message_of
from toolbridge.lower.turns import History, Step, Turn
from toolbridge.parts import Media, Text, ToolCall
from toolbridge.request import Message
from toolbridge.values import Value, make

SYSTEM_MARK = "[System message]"
"""What stands before system text in mid conversation where it is said by the user."""


def lower_history(lowering: Lowering, items: tuple[Value, ...], moves: Moves) -> tuple[Value, ...]:
    """The items of a history as the target takes them."""
    history = History(lowering.writing, moves)
    for item in items:
        history.add(item)
    entries = history.entries
    made = lower_entries(lowering, entries, moves)
    if moves.turns_merge:
        report_gaps(lowering, entries, made, moves)
    if items:
        begin(lowering, items[0], entries[0] if entries else None, made, moves)
    return lower_end(lowering, join_results(lowering, made), moves)


def lower_entries(
    lowering: Lowering, entries: list[Step | Turn], moves: Moves
) -> list[list[Value]]:
    """The messages of each entry of a history."""
    return [
        lower_entry(lowering, entry, following, moves)
        for entry, following in zip(entries, [*entries[1:], None], strict=False)
    ]


def lower_end(lowering: Lowering, lowered: tuple[Value, ...], moves: Moves) -> tuple[Value, ...]:
    """The history, or the end of it, with its last words as the target wants them."""
    if lowering.rules.prefill and not lowering.rules.prefill_space:
        report_trailing_space(lowering, lowered)
    home = lowering.home(moves.owner)
    if not lowering.rules.prefill or (home is not None and not home.prefill):
        return close(lowering, lowered, moves)
    return lowered


NOTHING = "[Nothing of the conversation so far can be said here]"
"""What the user says where a conversation must begin with the user, and has nothing."""

GO_ON = "[Go on]"
"""What the user says last where a model refuses to go on with words of its own."""


def begin(
    lowering: Lowering,
    item: Value,
    first: Step | Turn | None,
    made: list[list[Value]],
    moves: Moves,
) -> None:
    """Let the user say something first, where nobody does or it must be the user. Depends on
    the first entry and item alone, so that a longer history never changes a shorter one."""
    text = make(Text, {"text": NOTHING})
    if isinstance(first, Turn) and first.message is not None and not made[0]:
        for _ in ("type", "text"):
            lowering.report.add("message.filled", *(first.parts[:1] or [first.message]))
        made[0].append(lowering.changed(first.message, role="user", parts=(text,)))
    elif first is None or (lowering.rules.first_user and isinstance(first, Step)):
        moves.added("message.added", None)
        for _ in ("role", "content") if not is_kept(lowering, first_of(item), made[:1]) else ():
            lowering.report.add("message.filled", first_of(item))
        following = next((messages[0] for messages in made if messages), None)
        origin = None if following is None else lowering.report.origin(following)
        if moves.turns_merge and isinstance(origin, Message) and side(lowering, origin) == "user":
            lowering.report.add("order.changed", origin, "parts")
        made.insert(0, [make(Message, {"role": "user", "parts": (text,)})])


def first_of(item: Value) -> Value:
    """What stands first on the wire: an item, or the first of a run of them."""
    return item.parts[0] if isinstance(item, Message) and is_run(item) else item


def is_kept(lowering: Lowering, item: Value, made: list[list[Value]]) -> bool:
    """Whether a message, or a part of one, is among those written for it."""
    messages = [message for messages in made for message in messages]
    parts = [part for message in messages for part in getattr(message, "parts", ())]
    return any(lowering.report.origin(each) is item for each in (*messages, *parts))


def close(lowering: Lowering, lowered: tuple[Value, ...], moves: Moves) -> tuple[Value, ...]:
    """The history with a last word of the user's, now or on the way back."""
    if not lowered or getattr(lowered[-1], "role", "") != "assistant":
        return lowered
    if is_paused(lowering, lowered[-1]):
        return lowered
    moves.added("message.added", None)
    if lowering.rules.prefill:
        return lowered
    text = make(Text, {"text": GO_ON})
    return (*lowered, make(Message, {"role": "user", "parts": (text,)}))


def is_paused(lowering: Lowering, last: Any) -> bool:
    """Whether the target's own server is in the middle of a call that it runs itself: it goes
    on where it stopped (platform.claude.com/docs/en/build-with-claude/handling-stop-reasons)."""
    part = last.parts[-1] if last.parts else None
    called = isinstance(part, ToolCall) and part.executor == "vendor"
    return called and lowering.native(last)


def report_trailing_space(lowering: Lowering, lowered: tuple[Value, ...]) -> None:
    """White space after the last words, if they are the assistant's. Left as it is: a longer
    history holds the same words, and must begin just so for the vendor's cache to be hit."""
    last: Any = lowered[-1] if lowered else None
    if not isinstance(last, Message) or last.role != "assistant" or not last.parts:
        return
    text = last.parts[-1]
    if isinstance(text, Text) and text.text != text.text.rstrip():
        lowering.report.add("text.trailing_space", text, "text")


def lower_entry(
    lowering: Lowering, entry: Step | Turn, following: Step | Turn | None, moves: Moves
) -> list[Value]:
    """The messages of one entry of a history."""
    if isinstance(entry, Step):
        return lower_step(lowering, entry, following, moves)
    return entry.parts if entry.role == "other" else lower_turn(lowering, entry)


def report_gaps(
    lowering: Lowering, entries: list[Step | Turn], made: list[list[Value]], moves: Moves
) -> None:
    """Where turns of one role are one, two are one when what stood between them is left out, or
    is said by the user."""
    before: Message | None = None
    gap = False
    for entry, messages in zip(entries, made, strict=True):
        if not messages:
            gap = True
            continue
        first = entry.turns[0].message if isinstance(entry, Step) else entry.message
        system = first is not None and first.role == "system"
        if first is not None and before is not None and (gap or system):
            if side(lowering, before) == side(lowering, first):
                moves.joined(before, first)
        gap = system
        last = entry.turns[-1].message if isinstance(entry, Step) else entry.message
        before = entry.results_from or last if isinstance(entry, Step) else last


def side(lowering: Lowering, message: Message) -> str:
    """Whose turn a message comes back as: results are the user's, and so may be system text."""
    home = lowering.home(message)
    late = home is not None and home.late_system == "user"
    said_by_user = message.role == "tool" or (message.role == "system" and late)
    return "user" if said_by_user else message.role


def join_results(lowering: Lowering, made: list[list[Value]]) -> tuple[Value, ...]:
    """All messages; where the target wants it, what the user says stands with the results."""
    lowered: list[Value] = []
    join = lowering.rules.results_join
    for messages in made:
        if join and lowered and messages and may_join(lowered[-1], messages[0]):
            results: Any = lowered.pop()
            said: Any = messages[0]
            lowered.append(lowering.changed(said, parts=(*results.parts, *said.parts)))
        else:
            lowered += messages
    return tuple(lowered)


def may_join(before: Value, said: Value) -> bool:
    """Whether what the user says comes straight after results, and may stand with them."""
    return getattr(before, "role", "") == "tool" and getattr(said, "role", "") == "user"


def lower_turn(lowering: Lowering, turn: Turn) -> list[Value]:
    """A turn of the user's, or system text in mid conversation."""
    parts = lower_parts(lowering, turn)
    if turn.message is not None and parts and all(is_foreign_media(lowering, turn, parts)):
        lowering.report.add("media.host_only", turn.message)
    message = turn.message
    if turn.role == "system" and message is not None and parts:
        home = lowering.home(message)
        if lowering.rules.late_system == "user":
            report_as_user(lowering, message, parts)
            turn = Turn("user", message, turn.parts)
            parts = marked(lowering, parts)
        elif home is not None and home.late_system == "user":
            report_as_user(lowering, message, parts)
    return message_of(lowering, turn, parts)


def is_foreign_media(lowering: Lowering, turn: Turn, parts: list[Any]) -> Iterator[bool]:
    """For each part whether it is a medium that the source's own format has no place for."""
    for part in parts:
        yield part.__class__ is Media and is_foreign(lowering, part, turn.role)


def report_as_user(lowering: Lowering, message: Message, parts: list[Any]) -> None:
    """System text that is said by the user, here or on the way back."""
    lowering.report.add("system.as_user", message, "role")
    for part in [part for part in parts if isinstance(part, Text)][:1]:
        lowering.report.add("system.as_user", part, "text")


def marked(lowering: Lowering, parts: list[Any]) -> list[Any]:
    """System text that says of itself what it is."""
    for index, part in enumerate(parts):
        if isinstance(part, Text):
            parts[index] = lowering.changed(part, text=f"{SYSTEM_MARK}\n{part.text}")
            break
    return parts
