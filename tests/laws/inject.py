"""Law 1: an unknown key put into any object survives, and equal means equal in every type."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from .owned import owned
from .pointers import ANY, Json, Path, child
from .spelling import base_format
from .tree import deep_recursion

UNKNOWN_KEY = "unknown_key_of_2027"
UNKNOWN_VALUE: Json = {"deep": [1, 1.0, True, None, "", {}, []]}


def inject(
    body: Json, format: str, key: str = UNKNOWN_KEY, value: Json = UNKNOWN_VALUE
) -> Iterator[tuple[str, Json]]:
    """The body with an unknown key in one object, once for every object of the vendor.

    Gives the pointer of the object with each body. Maps and schemas of the user are left
    out: a key there is not unknown but data. The body is not changed; what stays as it is,
    is shared with it.
    """
    yield from _inject(body, base_format(format), ("", ()), {key: value})


def _inject(
    value: Json, format: str, place: tuple[str, Path], extra: dict[str, Json]
) -> Iterator[tuple[str, Json]]:
    pointer, path = place
    if path and owned(format, path):
        return
    if isinstance(value, dict):
        yield pointer, {**value, **extra}
        for key, member in value.items():
            inner = (child(pointer, key), (*path, key))
            for where, changed in _inject(member, format, inner, extra):
                yield where, {**value, key: changed}
    elif isinstance(value, list):
        for index, element in enumerate(value):
            inner = (child(pointer, index), (*path, ANY))
            for where, changed in _inject(element, format, inner, extra):
                yield where, [*value[:index], changed, *value[index + 1 :]]


@dataclass(frozen=True, slots=True)
class Equality:
    """Whether two values are equal; if not, where they first differ and how."""

    difference: str | None = None
    why: str = ""

    def __bool__(self) -> bool:
        return self.difference is None


def strict_equal(one: Json, other: Json) -> Equality:
    """JSON equality with types: 1, 1.0 and true differ; the order of keys does not count."""
    with deep_recursion():
        return _equal(one, other, "")


def _equal(one: Json, other: Json, pointer: str) -> Equality:
    if type(one) is not type(other):
        return Equality(pointer, f"{_brief(one)} is not {_brief(other)}")
    if isinstance(one, dict) and isinstance(other, dict):
        return _objects_equal(one, other, pointer)
    if isinstance(one, list) and isinstance(other, list):
        return _lists_equal(one, other, pointer)
    same = json.dumps(one) == json.dumps(other)
    return Equality() if same else Equality(pointer, f"{_brief(one)} is not {_brief(other)}")


def _objects_equal(one: dict[str, Json], other: dict[str, Json], pointer: str) -> Equality:
    for key, member in one.items():
        if key not in other:
            return Equality(child(pointer, key), "only in the first")
        inside = _equal(member, other[key], child(pointer, key))
        if not inside:
            return inside
    added = next((key for key in other if key not in one), None)
    return Equality() if added is None else Equality(child(pointer, added), "only in the second")


def _lists_equal(one: list[Json], other: list[Json], pointer: str) -> Equality:
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        inside = _equal(left, right, child(pointer, index))
        if not inside:
            return inside
    shorter = min(len(one), len(other))
    if len(one) == len(other):
        return Equality()
    where = "first" if len(one) > shorter else "second"
    return Equality(child(pointer, shorter), f"only in the {where}")


def _brief(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."
