"""The check that a payload is JSON: before it is read, so that no reader needs to doubt it."""

from __future__ import annotations

from typing import Any

from toolbridge.errors import WireError
from toolbridge.locate import escape
from toolbridge.values import JSON

NESTING = 200
"""Objects and lists may nest this deep: deeper payloads are attacks or mistakes, and every level
costs up to three frames of the thousand that Python allows."""

OUTER = {
    "request": ("an object", (dict,)),
    "response": ("an object", (dict,)),
    "error": ("an object, a list or a text", (dict, list, str)),
    "tools": ("a list", (list,)),
}


def check_type(payload: JSON, kind: str) -> None:
    """Raise WireError unless the payload is of the outer type of its kind."""
    expected, types = OUTER[kind]
    if not isinstance(payload, types):
        raise WireError(
            "",
            f"{expected} as {kind}",
            type(payload).__name__,
            "Pass the parsed JSON body, not its text or an SDK object",
        )


def check_payload(payload: JSON, levels: int = NESTING) -> None:
    """Raise WireError unless the payload is JSON as RFC 8259 has it, in UTF-8, and nests no
    deeper than some levels.

    Level by level, in plain loops: this is paid for every conversion.
    """
    level: list[Any] = [payload]
    texts: list[str] = []
    try:
        for _ in range(levels):
            level = members(level, texts)
            if not level:
                break
        deep = any(isinstance(item, (dict, list)) for item in level)
        members(level, texts)
        fine = not deep and encodes(texts)
    except TypeError:
        fine = False
    if not fine:
        raise find_fault(payload, levels)


SCALARS = frozenset({int, bool, type(None)})


def members(level: list[Any], texts: list[str]) -> list[Any]:
    """What stands in the objects and lists of a level; all strings go to `texts`. Raises
    TypeError at what is no JSON."""
    below: list[Any] = []
    for item in level:
        kind = item.__class__
        if kind is str:
            texts.append(item)
        elif kind is dict or isinstance(item, dict):
            texts.extend(item)
            below.extend(item.values())
        elif kind is list or isinstance(item, list):
            below.extend(item)
        elif kind not in SCALARS and (kind is not float or item - item != 0):
            raise TypeError(item)
    return below


def encodes(texts: list[str]) -> bool:
    """Whether texts have no lone surrogates."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


def find_fault(payload: JSON, levels: int) -> WireError:
    """The error for a payload that is not JSON, with the place of the first fault."""
    stack: list[tuple[Any, str, int]] = [(payload, "", 1)]
    while stack:
        item, path, depth = stack.pop()
        if isinstance(item, (dict, list)) and depth > levels:
            return WireError(
                path, f"at most {levels} levels", "more", "Flatten the data, or send it as text"
            )
        if isinstance(item, dict):
            fault = key_fault(item, path)
            if fault is not None:
                return fault
            inside = [(member, f"{path}/{escape(key)}") for key, member in item.items()]
        elif isinstance(item, list):
            inside = [(member, f"{path}/{index}") for index, member in enumerate(item)]
        elif not is_scalar(item):
            return scalar_fault(item, path)
        else:
            inside = []
        stack += [(member, where, depth + 1) for member, where in reversed(inside)]
    return WireError("", "JSON", type(payload).__name__, "Pass plain dicts, lists and scalars")


def is_scalar(item: Any) -> bool:
    """Whether a value is a string, a number, true, false or null of JSON."""
    if item.__class__ is str:
        return encodes([item])
    return item.__class__ in SCALARS or (item.__class__ is float and item - item == 0)


def key_fault(item: dict[Any, Any], path: str) -> WireError | None:
    """The error for an object whose keys are no JSON strings."""
    for key in item:
        if not isinstance(key, str):
            return WireError(
                path, "strings as keys", f"the key {key!r}", "JSON has no other keys: convert it"
            )
        if not encodes([key]):
            return WireError(path, "keys in UTF-8", "a lone surrogate", REPAIR)
    return None


REPAIR = "Repair the text, e.g. text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')"


def scalar_fault(item: Any, path: str) -> WireError:
    """The error for a scalar that is not JSON."""
    if isinstance(item, str):
        return WireError(path, "text in UTF-8", "a lone surrogate", REPAIR)
    if isinstance(item, float):
        return WireError(path, "a finite number", repr(item), "JSON has no NaN and no infinity")
    return WireError(
        path,
        "a JSON value",
        type(item).__name__,
        "Pass plain dicts, lists and scalars; SDK objects have model_dump(mode='json')",
    )
