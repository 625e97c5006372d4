"""Marks in the types of a function: where they stand in pydantic's core schema.

https://docs.pydantic.dev/latest/api/pydantic_core_schema: plain dicts, one for each type, that
hold those of the types in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolbridge.errors import ToolDefinitionError

Node = dict[str, Any]
"""A core schema, or a field of one."""

DATA: Final = frozenset(
    {
        "computed_fields",
        "config",
        "default",
        "discriminator",
        "expected",
        "function",
        "members",
        "metadata",
        "serialization",
    }
)
"""Keys under which no schema of a part of the value stands."""


class Types:
    """The types of the arguments of one function, and the marks in them."""

    def __init__(self, root: Any, mark: str) -> None:
        self.root: Node = root
        self.mark = mark
        self.nodes = list(self._walk(root))
        self.definitions: dict[str, Node] = {
            each["ref"]: each
            for node in self.nodes
            if node["type"] == "definitions"
            for each in node["definitions"]
        }
        self._marked = self._with_marks()
        self.sources = tuple(each for node in self.nodes for each in self.marks(node))

    def check(self) -> None:
        """Raise ToolDefinitionError for a mark on what nobody can look at before the call."""
        for node in self.nodes:
            if self.is_marked(node) and (node["type"] == "generator" or node.get("init_only")):
                raise ToolDefinitionError(
                    "tb.From on the items of an Iterable, or on an InitVar: these cannot be looked "
                    "at before the call. Take a list, or a field"
                )

    def marks(self, node: Node) -> list[Any]:
        """The marks of one type, without those under it."""
        found: list[Any] = node.get("metadata", {}).get(self.mark, [])
        return found

    def is_marked(self, node: Node) -> bool:
        """Whether a type has a mark, or one in it has."""
        return id(node) in self._marked

    def under(self, node: Node) -> Iterator[Any]:
        """The marks of a type, and of all in it."""
        for each in self._walk(node, follow=True):
            yield from self.marks(each)

    def target(self, node: Node) -> Node:
        """A type, for a reference to it."""
        while node["type"] == "definition-ref":
            node = self.definitions[node["schema_ref"]]
        return node

    def _walk(self, root: Node, follow: bool = False) -> Iterator[Node]:
        """A type and all in it, each once."""
        seen: set[int] = set()
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            waiting += reversed(inner(node))
            if follow and node["type"] == "definition-ref":
                waiting.append(self.definitions[node["schema_ref"]])

    def _with_marks(self) -> set[int]:
        """The ids of all types with marks, upwards from these."""
        holders: dict[int, list[Node]] = {}
        for node in self.nodes:
            inside = inner(node)
            if node["type"] == "definition-ref":
                inside = [self.definitions[node["schema_ref"]]]
            for each in inside:
                holders.setdefault(id(each), []).append(node)
        found: set[int] = set()
        waiting = [node for node in self.nodes if self.marks(node)]
        while waiting:
            node = waiting.pop()
            if id(node) not in found:
                found.add(id(node))
                waiting += holders.get(id(node), ())
        return found


def inner(node: Node) -> list[Node]:
    """The types and fields that stand directly in one."""
    found: list[Node] = []
    waiting = [member for key, member in node.items() if key not in DATA]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict) and isinstance(item.get("type"), str):
            found.append(item)
        elif isinstance(item, dict):
            waiting += item.values()
        elif isinstance(item, (list, tuple)):
            waiting += item
    return found[::-1]


def choices(node: Node) -> list[Node]:
    """The types of a union."""
    given = node["choices"]
    listed = given.values() if isinstance(given, dict) else given
    return [each[0] if isinstance(each, tuple) else each for each in listed]


def shown_name(name: str, field: Node) -> str:
    """The name of a field as the JSON Schema has it."""
    alias = field.get("validation_alias")
    while isinstance(alias, list) and alias:
        alias = alias[0]
    return alias if isinstance(alias, str) else name
