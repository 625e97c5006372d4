"""Places in a JSON body: a pattern such as `messages/*/content/*`, and the nodes there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

JSON = Any
Placed = tuple[str, JSON]
"""A JSON pointer and the node it points to."""


def places(node: JSON, *patterns: str, at: str = "") -> Iterator[Placed]:
    """The nodes at the patterns: `*` is every member of a list, `""` the node itself."""
    for pattern in patterns:
        yield from _places(node, pattern.split("/") if pattern else [], at)


def _places(node: JSON, steps: list[str], at: str) -> Iterator[Placed]:
    if not steps:
        yield at, node
    elif steps[0] == "*":
        for index, member in enumerate(node if isinstance(node, list) else ()):
            yield from _places(member, steps[1:], f"{at}/{index}")
    elif isinstance(node, dict) and steps[0] in node:
        yield from _places(node[steps[0]], steps[1:], f"{at}/{steps[0]}")


def objects(
    node: JSON, *patterns: str, at: str = "", **where: JSON
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects at the patterns that have these members."""
    for pointer, found in places(node, *patterns, at=at):
        if isinstance(found, dict) and all(found.get(key) == value for key, value in where.items()):
            yield pointer, found


def members(node: JSON, key: str) -> list[Any]:
    """The list that stands at a key, or none."""
    found = node.get(key) if isinstance(node, dict) else None
    return found if isinstance(found, list) else []


def texts(node: JSON, *patterns: str) -> Iterator[tuple[str, str]]:
    """The strings at the patterns."""
    for pointer, found in places(node, *patterns):
        if isinstance(found, str):
            yield pointer, found
