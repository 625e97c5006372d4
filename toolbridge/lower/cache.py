"""Cache marks: no more of them than the target takes. Those of the history go first, the oldest
before the newer: each covers all that stands before it, and a cache is looked up from the end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from toolbridge.lower.lowering import Lowering
from toolbridge.request import Request
from toolbridge.values import Value

HOLDERS = ("tools", "instructions", "history", "parts")
"""Fields in the order of the prompt in which marked values stand."""

FIRST_TO_GO = ("history", "instructions", "tools", "")


def lower_marks(lowering: Lowering, request: Request) -> Request:
    """The request with as many cache marks as the target takes."""
    limit = lowering.rules.cache_marks
    marked = [*find(request, "")] if limit is not None else []
    if limit is None or len(marked) <= limit:
        return request
    order = sorted(range(len(marked)), key=lambda place: FIRST_TO_GO.index(marked[place][0]))
    surplus = {*order[: len(marked) - limit]}
    for place in sorted(surplus):
        lowering.report.lose(marked[place][1], "cache", f"the target takes {limit} marks")
    fewer: Request = without(lowering, request, surplus, count())
    return fewer


def find(item: Any, where: str) -> Iterator[tuple[str, Any]]:
    """The values with a mark, each with the field of the request that it stands in, in the order
    of the prompt; the request's own comes last."""
    if isinstance(item, tuple):
        for member in item:
            yield from find(member, where)
    elif isinstance(item, Value):
        fields = vars(item)
        for name in HOLDERS:
            if fields.get(name):
                yield from find(fields[name], where or name)
        if fields.get("cache") is not None:
            yield where, item


def without(lowering: Lowering, item: Any, surplus: set[int], places: Iterator[int]) -> Any:
    """The same without the marks at some places; `places` counts them as `find` does."""
    if isinstance(item, tuple):
        made = tuple(without(lowering, member, surplus, places) for member in item)
        return item if all(new is old for new, old in zip(made, item, strict=True)) else made
    if not isinstance(item, Value):
        return item
    fields, changes = vars(item), {}
    for name in HOLDERS:
        if fields.get(name):
            member = without(lowering, fields[name], surplus, places)
            if member is not fields[name]:
                changes[name] = member
    if fields.get("cache") is not None and next(places) in surplus:
        changes["cache"] = None
    return lowering.changed(item, **changes) if changes else item
