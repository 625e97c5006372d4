"""A small value that fits a JSON Schema, to show a model what is wanted.

What the schema gives itself comes first: examples, default, const and enum (draft 2020-12,
validation, sections 6.1 and 9). Otherwise one is made of its types and limits. No example is
better than a wrong one: whoever shows one has it checked.
"""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Iterator
from typing import Any, Final

from toolbridge.schemas.merge import intersect_types
from toolbridge.schemas.places import Node, below, is_secret, parts, unions
from toolbridge.validation.text_example import texts
from toolbridge.values import JSON


class Nothing(enum.Enum):
    """In place of a value: there is none, or none is known."""

    NOTHING = "nothing"


NOTHING: Final = Nothing.NOTHING

NULL: Final = {"type": "null"}

DEPTH: Final = 8
"""Levels of values in one another that are made."""

TRIED: Final = 8
"""Candidates of which the first that fits is taken."""

ITEMS: Final = 20
"""Items of the longest array, and properties of the largest object, that are made."""


def example_of(schema: JSON, root: JSON = None) -> JSON:
    """A small value that is valid under a schema, or NOTHING where none is found or where the
    value is a secret. `root` is the schema into which references point; formats are checked."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import EMPTY_REGISTRY

    root = schema if root is None else root
    kind = validator_for(root, default=Draft202012Validator)
    whole = kind(root, registry=EMPTY_REGISTRY, format_checker=kind.FORMAT_CHECKER)
    checker = whole.evolve(schema=schema)
    try:
        tried = itertools.islice(candidates(schema, root), TRIED)
        return next((each for each in tried if checker.is_valid(each)), NOTHING)
    except Unresolvable:
        return NOTHING


def candidates(schema: JSON, root: JSON) -> Iterator[JSON]:
    """Values that may be valid under a schema, the best first; none for a secret."""
    if not is_secret(schema, root):
        yield from made(schema, root, 0)


def made(schema: JSON, root: JSON, depth: int) -> Iterator[JSON]:
    """Candidates for a schema at a depth."""
    if depth > DEPTH or schema is False:
        return
    node = merged(schema, root)
    yield from told(node)
    branches = [sorted(each, key=lambda branch: branch == NULL) for each in unions(node)]
    if not branches:
        yield from by_type(node, root, depth)
        return
    rest = {key: member for key, member in node.items() if key not in ("anyOf", "oneOf")}
    for choice in itertools.islice(itertools.product(*branches), TRIED):
        yield from made({"allOf": [rest, *choice]}, root, depth + 1)


def told(node: Node) -> Iterator[JSON]:
    """The values that a schema gives itself."""
    given = node.get("examples")
    yield from given if isinstance(given, list) else ()
    yield from (node[key] for key in ("example", "default") if node.get(key) is not None)
    yield from [node["const"]] if "const" in node else node.get("enum", ())


def merged(schema: JSON, root: JSON) -> Node:
    """The schemas that hold together at a place as one, as far as an example needs it."""
    found: Node = {}
    for node in parts(schema, root):
        for key, member in node.items():
            join = JOINS.get(key) if key in found else None
            found[key] = member if join is None else join(found[key], member)
    return {key: member for key, member in found.items() if key not in ("$ref", "allOf")}


def both_types(left: JSON, right: JSON) -> list[str]:
    """The types that two schemas have in common."""
    lists = [[each] if isinstance(each, str) else list(each) for each in (left, right)]
    return intersect_types(*lists)


JOINS: Final[dict[str, Any]] = {
    "type": both_types,
    "properties": lambda left, right: {
        name: {"allOf": [each for each in (left.get(name), right.get(name)) if each is not None]}
        for name in {**left, **right}
    },
    "required": lambda left, right: [*left, *right],
    "enum": lambda left, right: [each for each in left if each in right],
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems"), min),
}
"""How the words of two schemas become those of one; of other words the last counts."""

HINTS: Final = {
    "object": ("properties", "required", "additionalProperties", "minProperties"),
    "array": ("items", "prefixItems", "minItems", "contains"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "string": ("minLength", "maxLength", "pattern", "format"),
}
"""The type that words speak of, for schemas that do not say theirs."""


def by_type(node: Node, root: JSON, depth: int) -> Iterator[JSON]:
    """Candidates by the types of a schema, null last."""
    said = node.get("type")
    listed = [said] if isinstance(said, str) else list(said or ())
    if not listed:
        listed = [kind for kind, words in HINTS.items() if not node.keys().isdisjoint(words)]
    for kind in sorted(listed, key=lambda each: each == "null"):
        if kind in ("integer", "number"):
            yield from numbers(node, kind == "integer")
        elif kind == "string":
            yield from texts(node)
        elif kind == "array":
            yield from arrays(node, root, depth)
        elif kind == "object":
            yield from objects(node, root, depth)
        else:
            yield from {"boolean": (True, False), "null": (None,)}.get(kind, ())


def numbers(node: Node, whole: bool) -> Iterator[int | float]:
    """Numbers at and near the limits."""
    step = node.get("multipleOf", 1)
    low = limit(node, "minimum", "exclusiveMinimum", step)
    high = limit(node, "maximum", "exclusiveMaximum", -step)
    tried: list[int | float] = [step]
    if low is not None:
        tried.append(math.ceil(low / step) * step)
    if high is not None:
        tried.append(math.floor(high / step) * step)
    if low is not None and high is not None:
        tried.append((low + high) / 2)
        tried.append((low - step + high) / 2)
    tried += [0, -step]
    yield from (int(each) if whole else each for each in tried)


def limit(node: Node, closed: str, open: str, step: float) -> Any:
    """The nearest number within a limit; None where there is no limit."""
    edge = node.get(closed)
    if isinstance(edge, (int, float)) and node.get(open) is True:
        return edge + step
    beyond = node.get(open)
    if isinstance(beyond, bool) or not isinstance(beyond, (int, float)):
        return edge
    return beyond + step


def arrays(node: Node, root: JSON, depth: int) -> Iterator[list[JSON]]:
    """An array of as many items as there must be, at least one if there may be."""
    least = node.get("minItems", 0)
    count = int(min(max(least, 1), node.get("maxItems", ITEMS), ITEMS))
    items: list[JSON] = []
    for index in range(count):
        schema = below((node,), index)
        tried = itertools.islice(made(schema, root, depth + 1), TRIED)
        fresh = (each for each in tried if not node.get("uniqueItems") or each not in items)
        item = next(fresh, NOTHING)
        if item is NOTHING:
            break
        items.append(item)
    if "contains" in node:
        items[-1:] = itertools.islice(made(node["contains"], root, depth + 1), 1)
    if len(items) >= least:
        yield items


def objects(node: Node, root: JSON, depth: int) -> Iterator[dict[str, JSON]]:
    """An object of the properties that must be there."""
    names = list(dict.fromkeys(node.get("required") or ()))
    optional = [name for name in node.get("properties", {}) if name not in names]
    names += optional[: max(0, int(node.get("minProperties", 0)) - len(names))]
    found: dict[str, JSON] = {}
    for name in names[:ITEMS]:
        schema = below((node,), name)
        wanted = {"type": "string"} if schema is None else schema
        value = next(made(wanted, root, depth + 1), NOTHING)
        if value is NOTHING:
            return
        found[name] = value
    yield found
