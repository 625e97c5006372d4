"""JSON values as JSON Schema sees them: their types, and which of them are equal."""

from __future__ import annotations

from toolbridge.values import JSON


def type_of(item: JSON) -> str:
    """The JSON type of a value; a whole number is an integer, however it is written."""
    if isinstance(item, bool):
        return "boolean"
    if isinstance(item, (int, float)):
        return "integer" if item == item // 1 else "number"
    names = {str: "string", list: "array", dict: "object"}
    return next((name for kind, name in names.items() if isinstance(item, kind)), "null")


def is_of(kinds: frozenset[str], item: JSON) -> bool:
    """Whether a value is of one of these types; every integer is a number."""
    kind = type_of(item)
    return kind in kinds or (kind == "integer" and "number" in kinds)


def equal(left: JSON, right: JSON) -> bool:
    """Equality as JSON Schema has it: 1 and 1.0 are one number at any depth, True is none."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)
