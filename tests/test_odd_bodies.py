"""Bodies that are plainly wrong somewhere: they are read and written back as they came, and
whatever cannot be converted is an error that callers catch.

Every object, list and scalar of a small body is in turn replaced by something that does not
belong there.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, body

ODD: Final[tuple[Any, ...]] = (
    5,
    -1.5,
    None,
    True,
    "",
    "x",
    [],
    [5],
    [None],
    [[]],
    [{}],
    {},
    {"type": "x"},
)
KINDS: Final = ("request", "response", "tools", "error")

Path = tuple[str | int, ...]


def paths(node: Any, path: Path = ()) -> Iterator[Path]:
    """All places within a body."""
    members = enumerate(node) if isinstance(node, list) else ()
    for key, member in node.items() if isinstance(node, dict) else members:
        yield (*path, key)
        yield from paths(member, (*path, key))


def replaced(whole: Any, path: Path, odd: Any) -> Any:
    made = copy.deepcopy(whole)
    holder: Any = made
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = copy.deepcopy(odd)
    return made


def odd_bodies(format: str, kind: str) -> Iterator[tuple[str, Any]]:
    """Each wrong body with a word on what is wrong."""
    whole = body(format, kind)
    for path in paths(whole):
        for odd in ODD:
            place = "".join(f"/{step}" for step in path)
            yield f"{place} is {odd!r}", replaced(whole, path, odd)


def strict(payload: Any) -> str:
    """JSON as text: 1, 1.0 and true differ, the order of keys does not."""
    return json.dumps(payload, sort_keys=True, ensure_ascii=False)


Check = Callable[[str, str, Any], object]


def comes_back(format: str, kind: str, odd: Any) -> object:
    """The same format in and out."""
    made = tb.convert(odd, source=format, target=format, kind=kind)
    if strict(made.payload) != strict(odd):
        return "came back as another body"
    return made.losses


def comes_back_from_store(format: str, kind: str, odd: Any) -> object:
    """Read, stored, and written in the same format."""
    value = tb.read(odd, format, kind)
    back = tb.from_json(tb.to_json(value))
    if back != value or hash(back) != hash(value):
        return "stored as another value"
    return strict(tb.write(back, format).payload) != strict(odd) and "came back as another body"


def is_taken_or_refused(format: str, kind: str, odd: Any) -> object:
    """Another format takes it, with its losses told, or the error is a ToolbridgeError; and what
    was read answers what every response does."""
    for target in FORMATS:
        tb.convert(odd, source=format, target=target, kind=kind)
    value = tb.read(odd, format, kind)
    if isinstance(value, tb.Response):
        _ = value.text, value.tool_calls, value.broken_calls, value.stop_reason
    return None


CHECKS: Final = (comes_back, comes_back_from_store, is_taken_or_refused)


def fault_of(check: Check, format: str, kind: str, odd: Any) -> str:
    """What a check finds in a body; an error of another kind than ours is a finding."""
    try:
        found = check(format, kind, odd)
    except tb.ToolbridgeError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return str(found) if found else ""


@cache
def faults(check: Check, format: str, kind: str) -> dict[str, str]:
    """What a check finds in all wrong bodies, by what is wrong."""
    found = {name: fault_of(check, format, kind, odd) for name, odd in odd_bodies(format, kind)}
    return {name: fault for name, fault in found.items() if fault}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("check", CHECKS)
def test_a_wrong_body_is_read_all_the_same(check: Check, format: str, kind: str) -> None:
    assert [f"{name}: {fault}" for name, fault in faults(check, format, kind).items()] == []


FUNCTION: Final = {"name": "f", "parameters": {"type": "object"}}
FILE: Final = {"type": "input_file", "file_data": "eA=="}
ELSEWHERE: Final[dict[str, tuple[str, str, Any]]] = {
    "a turn beside a call without id": (
        "gemini",
        "request",
        {"contents": [5, {"parts": [{"functionCall": {"name": "f"}}]}]},
    ),
    "null file": ("gemini", "request", {"contents": [{"parts": [{"fileData": None}]}]}),
    "null bytes in a result": (
        "gemini",
        "request",
        {
            "contents": [
                {"parts": [{"functionResponse": {"name": "f", "parts": [{"inlineData": None}]}}]}
            ]
        },
    ),
    "null functions in snake_case": ("gemini", "tools", [{"function_declarations": None}]),
    "thoughts that are no list": (
        "openai-chat",
        "request",
        {"messages": [{"role": "assistant", "content": "a", "reasoning_details": {}}]},
    ),
    "bytes that are no data URL": (
        "openai-responses",
        "request",
        {"input": [{"role": "user", "content": [FILE]}]},
    ),
    "an action of nothing": (
        "openai-responses",
        "request",
        {"input": [{"type": "shell_call", "call_id": "c", "action": {}}]},
    ),
    "a thought that is no text": (
        "openai-responses",
        "response",
        {"object": "response", "output": [{"type": "reasoning", "summary": [], "content": [5]}]},
    ),
    "a choice of Messages without a name": (
        "anthropic",
        "request",
        {
            "messages": [],
            "tools": [{"name": "f", "input_schema": {"type": "object"}}],
            "tool_choice": {"type": "tool"},
        },
    ),
    "a choice of Responses with a null name": (
        "openai-responses",
        "request",
        {
            "input": [],
            "tools": [{"type": "function", **FUNCTION}],
            "tool_choice": {"type": "function", "name": None},
        },
    ),
}
"""Bodies that are wrong at a place that the small ones do not have."""


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_body_wrong_elsewhere_is_read_all_the_same(name: str) -> None:
    found = [fault_of(check, *ELSEWHERE[name]) for check in CHECKS]
    assert [each for each in found if each] == []
