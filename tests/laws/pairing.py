"""Law 3, pairing: the calls of a written history, and the one result of each straight after it."""

from collections.abc import Iterator
from typing import Any

from .history import history_of
from .pointers import Json

Event = tuple[str, str]
"""A `call` or a `result` with its id, or `other`: words of somebody else than the assistant."""


def unpaired(body: dict[str, Json], format: str) -> Iterator[str]:
    """What breaks the pairing: the results of a step stand after its calls, one for each, before
    anybody else says something."""
    open_calls: list[str] = []
    for kind, call_id in events(body, format):
        if kind == "call":
            open_calls.append(call_id)
        elif kind == "result" and call_id in open_calls:
            open_calls.remove(call_id)
        elif kind == "result":
            yield f"a result of {call_id!r}, which is no open call"
        elif open_calls:
            yield f"words before the results of {open_calls}"
    if open_calls:
        yield f"no results of {open_calls}"


def calls(body: dict[str, Json], format: str) -> list[str]:
    """The ids of all calls, in order."""
    return [call_id for kind, call_id in events(body, format) if kind == "call"]


def events(body: dict[str, Json], format: str) -> Iterator[Event]:
    """What happens in a written history."""
    for element in history_of(body, format):
        assert isinstance(element, dict)
        if format == "openai-chat":
            yield from _chat(element)
        elif format == "openai-responses":
            yield from _responses(element)
        else:
            yield from _parts(element, format)


def _chat(message: dict[str, Any]) -> Iterator[Event]:
    if message["role"] == "tool":
        yield "result", message["tool_call_id"]
    elif message["role"] != "assistant":
        yield "other", ""
    yield from (("call", call["id"]) for call in message.get("tool_calls") or ())


def _responses(item: dict[str, Any]) -> Iterator[Event]:
    if item.get("type") in ("function_call", "custom_tool_call"):
        yield "call", item["call_id"]
    elif item.get("type") in ("function_call_output", "custom_tool_call_output"):
        yield "result", item["call_id"]
    elif item.get("role") != "assistant":
        yield "other", ""


def _parts(turn: dict[str, Any], format: str) -> Iterator[Event]:
    """In a turn of Anthropic's or Gemini's results lead what the user says."""
    found: Any = turn.get("content" if format == "anthropic" else "parts")
    listed: list[Any] = found if isinstance(found, list) else [{"text": found}]
    for part in listed:
        if part.get("type") == "tool_use":
            yield "call", part["id"]
        elif part.get("type") == "tool_result":
            yield "result", part["tool_use_id"]
        elif "functionCall" in part:
            yield "call", part["functionCall"]["id"]
        elif "functionResponse" in part:
            yield "result", part["functionResponse"]["id"]
        elif turn["role"] == "user":
            yield "other", ""
