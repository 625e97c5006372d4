"""A response made such that the target can say it."""

from __future__ import annotations

from typing import Any

from toolbridge.codec import lose_rest
from toolbridge.conversion import Writing
from toolbridge.lower.lowering import Lowering
from toolbridge.lower.moves import Moves
from toolbridge.lower.parts import lower_parts
from toolbridge.lower.steps import calls_last, is_run
from toolbridge.lower.turns import Turn
from toolbridge.parts import Citation, Text
from toolbridge.request import Message
from toolbridge.response import Alternative, Response
from toolbridge.spelling import is_stale
from toolbridge.values import make


def lower_response(response: Response, writing: Writing) -> Response:
    """The response as the target says it: a new value that stands for the old one."""
    lowering = Lowering(writing, response)
    alternatives = known(lowering, response)
    if not writing.rules.alternatives:
        for each in alternatives[1:]:
            writing.report.add("alternative.dropped", each)
        alternatives = alternatives[:1]
    lowered = tuple(lower_alternative(lowering, each) for each in alternatives)
    return writing.report.derive(
        make(Response, {**vars(response), "alternatives": lowered}), response
    )


def known(lowering: Lowering, response: Response) -> list[Alternative]:
    """The answers that there are, at least one: a vendor that answers nothing says why."""
    alternatives = []
    for each in response.alternatives:
        if isinstance(each, Alternative):
            alternatives.append(each)
        else:
            lowering.report.add("element.opaque", each)
    if alternatives:
        return alternatives
    return [
        lowering.report.derive(make(Alternative, {"stop_reason": response.stop_reason}), response)
    ]


def lower_alternative(lowering: Lowering, answer: Alternative) -> Alternative:
    """An answer as one message of the assistant's."""
    moves = Moves(lowering.report, answer, "messages", turns_merge=False)
    turns = [
        Turn("assistant", message, list(message.parts))
        for message in answer.messages
        if isinstance(message, Message)
    ]
    report_joined(lowering, turns)
    parts = [part for turn in turns for part in lower_parts(lowering, turn)]
    if lowering.rules.calls_last and turns:
        parts = calls_last(parts, turns[0], turns, moves)
    fields: dict[str, Any] = {"role": "assistant", "parts": tuple(parts)}
    if lowering.rules.joined_text:
        fields |= join_text(lowering, parts)
    elif lowering.rules.text_citations:
        fields |= cite_text(lowering, parts, turns)
    message = make(Message, fields)
    if turns and turns[0].message is not None and not is_run(turns[0].message):
        message = lowering.changed(turns[0].message, **fields)
    return lowering.changed(answer, messages=(message,))


def report_joined(lowering: Lowering, turns: list[Turn]) -> None:
    """Messages after the first lose what is theirs; two next to each other lose their border."""
    for before, turn in zip([None, *turns], turns, strict=False):
        message = turn.message
        if before is None or message is None:
            continue
        lose_rest(message, lowering.writing, "role", "parts", "author")
        if before.message is not None and not is_run(message) and not is_run(before.message):
            lowering.report.add("message.joined", message)
            lowering.report.add("order.changed", before.message, "parts")


def join_text(lowering: Lowering, parts: list[Any]) -> dict[str, Any]:
    """All text as one string; the citations of its pieces count from the start of the whole."""
    texts = [part for part in parts if isinstance(part, Text)]
    if not texts:
        return {}
    cited: list[Any] = []
    length = 0
    for text in texts:
        cited += [shifted(lowering, each, length) for each in fresh_citations(lowering, text)]
        length += len(text.text)
    for text in texts if len(texts) > 1 else ():
        lowering.report.add("text.joined", text, "text")
        lowering.report.add("text.joined", text)
    fields = {"text": "".join(text.text for text in texts), "citations": None}
    whole = lowering.changed(texts[0], **fields)
    rest = [part for part in parts if not isinstance(part, Text)]
    place = next(index for index, part in enumerate(parts) if isinstance(part, Text))
    joined = {"parts": (*rest[:place], whole, *rest[place:])}
    return joined | {"citations": tuple(cited)} if cited else joined


def cite_text(lowering: Lowering, parts: list[Any], turns: list[Turn]) -> dict[str, Any]:
    """Citations of a whole message on its one text."""
    messages = [turn.message for turn in turns if turn.message is not None]
    cited = [*filter(None, (fresh_citations(lowering, message) for message in messages))]
    places = [index for index, part in enumerate(parts) if isinstance(part, Text)]
    if not cited:
        return {"citations": None} if any(message.citations for message in messages) else {}
    if len(places) != 1 or parts[places[0]].citations:
        return {}
    parts[places[0]] = lowering.changed(parts[places[0]], citations=cited[0])
    return {"parts": tuple(parts), "citations": None}


def fresh_citations(lowering: Lowering, item: Text | Message) -> tuple[Any, ...]:
    """The citations of a text or message that has not changed since they were made for it."""
    if item.citations and is_stale(lowering.report.origin(item)):
        lowering.report.add("derived.stale", item, "citations")
        return ()
    return item.citations or ()


def shifted(lowering: Lowering, citation: Any, length: int) -> Any:
    """A citation counted from the start of a longer text."""
    if length == 0 or not isinstance(citation, Citation) or citation.start is None:
        return citation
    end = None if citation.end is None else citation.end + length
    return lowering.changed(citation, start=citation.start + length, end=end)
