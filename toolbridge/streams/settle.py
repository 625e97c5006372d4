"""An answer with what the body of a stream cannot say: calls that were cut, a stream that broke."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from toolbridge.arguments import parse
from toolbridge.calls_of import map_calls
from toolbridge.parts import ToolCall
from toolbridge.response import Alternative, ErrorBody, Response
from toolbridge.streams.calls import OpenCall
from toolbridge.values import JSON, freeze, make


def settle(
    response: Response,
    calls: list[OpenCall],
    finished: Collection[int],
    failure: ErrorBody | None,
) -> Response:
    """The answer with the calls as the stream told them. Answers that are not `finished` are
    incomplete; after a `failure` none of the calls runs."""
    changed = map_calls(response, lambda call: settled(call, take_told(calls, call), failure))
    if failure is None and all(number_of(each) in finished for each in changed.alternatives):
        if changed.alternatives or finished:
            return changed
    reason = "error" if failure else "incomplete"
    alternatives = tuple(
        make(Alternative, {**vars(each), "stop_reason": reason})
        if isinstance(each, Alternative) and (failure or number_of(each) not in finished)
        else each
        for each in changed.alternatives or (make(Alternative, {}),)
    )
    fields = {**vars(changed), "alternatives": alternatives}
    if failure is not None and changed.error is None:
        fields["error"] = error_of(failure)
    return make(Response, fields)


def number_of(answer: Any) -> int:
    """The number of an answer, where there are several."""
    return getattr(answer, "index", None) or 0


def take_told(waiting: list[OpenCall], call: ToolCall) -> OpenCall | None:
    """What the stream told of a call: known by its id, else the next that came without one."""
    found = next((told for told in waiting if told.id == call.id and not told.made_id), None)
    if found is None:
        found = next((told for told in waiting if told.made_id), None)
    if found is not None:
        waiting.remove(found)
    return found


def settled(call: ToolCall, told: OpenCall | None, failure: ErrorBody | None) -> ToolCall:
    """A call with the id and the status that the stream gave it. None runs of an answer that
    broke off."""
    if told is None:
        return call
    fields = {**vars(call), "id": told.id}
    status = told.ended()
    if status == "complete" and (failure is None or call.executor == "vendor"):
        return call if told.id == call.id else make(ToolCall, fields)
    fields["status"] = "cut" if "cut" in (status, call.status) or failure else status
    text = told.joined()
    if status != "complete":
        arguments, parsed = (text, "") if told.free_text else parse(text)
        fields["arguments"] = freeze(arguments) if parsed == "complete" else text
    return make(ToolCall, fields)


def error_of(failure: ErrorBody) -> JSON:
    """An error in a few words, for the answer that it broke off."""
    told = {"category": failure.category, "type": failure.type, "message": failure.message}
    return {name: member for name, member in told.items() if member is not None}
