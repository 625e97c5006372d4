"""References that close circles: a schema that holds itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolbridge.locate import followed
from toolbridge.schemas.words import Schema, children, is_definition
from toolbridge.values import JSON

ROOT = "#"


def circles(schema: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """The places of references to something that they are part of, each with whether it is the
    very schema of a required property. Only `#` and pointers into the schema count."""
    edges = graph(schema)
    inside = {holder: {target for target, _, _ in found} for holder, found in edges.items()}
    reached = {holder: closure(inside, holder) for holder in inside}
    return [
        (place, required)
        for holder, found in edges.items()
        for target, place, required in found
        if target == holder or holder in reached.get(target, ())
    ]


def graph(schema: Mapping[str, Any]) -> dict[str, list[tuple[str, str, bool]]]:
    """By each target of a reference, the root among them: the references in it, as (target,
    place, required)."""
    found: dict[str, list[tuple[str, str, bool]]] = {}
    waiting = [ROOT]
    while waiting:
        target = waiting.pop()
        if target not in found:
            found[target] = list(references(at(schema, target), target[1:]))
            waiting += [each for each, _, _ in found[target]]
    return found


def references(node: JSON, place: str) -> Iterator[tuple[str, str, bool]]:
    """The references in a schema, definitions apart, as (target, place, required)."""
    waiting: list[tuple[str, JSON, bool]] = [(place, node, False)]
    while waiting:
        where, each, required = waiting.pop()
        if not isinstance(each, dict):
            continue
        said = each.get("$ref")
        if isinstance(said, str):
            yield said, where, required
        names = each.get("required")
        needed = {f"/properties/{name}" for name in names} if isinstance(names, list) else set()
        waiting += [
            (where + below, child, below in needed)
            for below, child in children(each)
            if not is_definition(below)
        ]


def at(schema: Mapping[str, Any], target: str) -> JSON:
    """What a pointer into the schema refers to; None if it refers to nothing."""
    if target != ROOT and not target.startswith("#/"):
        return None
    *_, (found, node) = followed(schema, target[1:])
    return node if found == target[1:] else None


def closure(inside: Mapping[str, set[str]], start: str) -> set[str]:
    """All targets that can be reached from one."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for target in inside.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def in_circles(definitions: Mapping[str, Schema]) -> frozenset[str]:
    """The names of the definitions that hold themselves."""
    inside = {
        name: {target.rpartition("/")[2] for target, _, _ in references(schema, "")}
        for name, schema in definitions.items()
    }
    return frozenset(name for name in inside if name in closure(inside, name))
