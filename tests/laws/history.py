"""The history of a request: its list, what leads it, and whether its calls are answered."""

from collections.abc import Iterator
from typing import Any

from .pointers import Json
from .spelling import base_format

LISTS = {
    "anthropic": "messages",
    "openai-chat": "messages",
    "openai-responses": "input",
    "gemini": "contents",
}
"""The key of the list."""

OLD_CALL = "the call without an id"


def history_of(body: dict[str, Json], format: str) -> list[Json]:
    """The elements of the history; none where it is one string or one object."""
    found = body.get(LISTS[base_format(format)])
    return found if isinstance(found, list) else []


def cut(body: dict[str, Json], format: str, end: int) -> dict[str, Json]:
    """The request with no more than the first elements of its history."""
    return {**body, LISTS[base_format(format)]: history_of(body, format)[:end]}


def leading(history: list[Json]) -> int:
    """How many elements of system text lead a history."""
    for index, element in enumerate(history):
        role = element.get("role") if isinstance(element, dict) else None
        if role not in ("system", "developer"):
            return index
    return len(history)


def awaits_the_model(history: list[Json]) -> bool:
    """Whether the last word of a history is the user's or a result: the model is to go on."""
    last = history[-1] if history else None
    if not isinstance(last, dict):
        return False
    item = str(last.get("type", ""))
    role = last.get("role", "" if item not in ("", "message") else "user")
    return role in ("user", "tool", "function") or item.endswith("_output")


def all_answered(history: list[Json], format: str) -> bool:
    """Whether every call that the app answers has its result by the end of a history."""
    open_calls: list[Json] = []
    for element in history:
        for is_call, call_id in _events(element, base_format(format)):
            if is_call:
                open_calls.append(call_id)
            elif call_id in open_calls:
                open_calls.remove(call_id)
    return not open_calls


Event = tuple[bool, Json]
"""Whether it is a call (else a result), and the id that pairs the two."""


def _events(element: Any, format: str) -> Iterator[Event]:
    if not isinstance(element, dict):
        return
    if format == "openai-chat":
        yield from _chat(element)
    elif format == "openai-responses":
        word = str(element.get("type"))
        if element.get("call_id") and word.endswith(("_call", "_output")):
            yield word.endswith("_call"), element["call_id"]
    else:
        parts = element.get("content" if format == "anthropic" else "parts")
        for part in parts if isinstance(parts, list) else ():
            yield from _anthropic(part) if format == "anthropic" else _gemini(part)


def _chat(message: dict[str, Any]) -> Iterator[Event]:
    for call in message.get("tool_calls") or ():
        yield True, call.get("id")
    if message.get("function_call"):
        yield True, OLD_CALL
    if message.get("role") == "tool":
        yield False, message.get("tool_call_id")
    if message.get("role") == "function":
        yield False, OLD_CALL


def _anthropic(block: Any) -> Iterator[Event]:
    word = block.get("type") if isinstance(block, dict) else None
    if word == "tool_use":
        yield True, block.get("id")
    if word == "tool_result":
        yield False, block.get("tool_use_id")


def _gemini(part: Any) -> Iterator[Event]:
    """Calls often have no id: then the name pairs them, in order."""
    for key, member in part.items() if isinstance(part, dict) else ():
        if key in ("functionCall", "function_call"):
            yield True, member.get("id") or member.get("name")
        if key in ("functionResponse", "function_response"):
            yield False, member.get("id") or member.get("name")
