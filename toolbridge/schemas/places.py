"""What a JSON Schema says of a place in a value: the schemas that hold there, and their types.

Draft 2020-12 with the spellings of older drafts. References are pointers into the schema alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolbridge.schemas.circles import at
from toolbridge.schemas.merge import matches
from toolbridge.schemas.words import Schema
from toolbridge.values import JSON, FrozenDict, FrozenList

Node = dict[str, Any]
Key = str | int
UNIONS: Final = ("anyOf", "oneOf")

KIND: Final[dict[type, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
    list: "array",
    FrozenList: "array",
    dict: "object",
    FrozenDict: "object",
}
"""The JSON type of a value by its class. A float is a number, whole or not."""

ANY: Final = frozenset(KIND.values())
NUMBERS: Final = frozenset({"integer", "number"})
SINGLE: Final = {kind: NUMBERS if kind == "number" else frozenset({kind}) for kind in sorted(ANY)}
TYPING: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "enum", "const", "nullable"})
"""The keywords that say something of types beside `type`."""


def kind_of(value: JSON) -> str | None:
    """The JSON type of a value; None for what is no JSON."""
    return KIND.get(value.__class__)


def parts(schema: JSON, root: JSON) -> tuple[Node, ...]:
    """The schemas that hold together at one place: itself, and through `$ref` and `allOf`."""
    if not isinstance(schema, dict):
        return ()
    if "$ref" not in schema and "allOf" not in schema:
        return (schema,)
    found: dict[int, Node] = {}
    waiting: list[JSON] = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict) and id(node) not in found:
            found[id(node)] = node
            waiting += reversed(node.get("allOf", ()))
            if isinstance(node.get("$ref"), str):
                waiting.append(at(root, node["$ref"]))
    return tuple(found.values())


def unions(node: Node) -> Iterator[list[JSON]]:
    """The unions of a schema, each as its branches."""
    return (node[word] for word in UNIONS if node.get(word))


def kinds(schema: JSON, root: JSON, open: tuple[int, ...] = ()) -> frozenset[str]:
    """The JSON types that a schema wants, all where it does not say. `number` comes with
    `integer`. `open` are the schemas, by `id`, that are looked at already."""
    if not isinstance(schema, dict) or id(schema) in open:
        return ANY
    said = schema.get("type")
    if isinstance(said, str) and TYPING.isdisjoint(schema):
        return SINGLE.get(said, ANY)
    found = ANY
    for node in parts(schema, root):
        found &= own_kinds(node)
        for branches in unions(node):
            each = (kinds(branch, root, (*open, id(schema))) for branch in branches)
            found &= frozenset().union(*each)
    return found


def own_kinds(node: Node) -> frozenset[str]:
    """The types that the keywords of one schema want by themselves."""
    said = node.get("type")
    listed = (said,) if isinstance(said, str) else said if isinstance(said, list) else ()
    found = ANY
    if listed and all(isinstance(each, str) and each in SINGLE for each in listed):
        found = frozenset().union(*(SINGLE[each] for each in listed))
        if node.get("nullable") is True:
            found |= {"null"}
    if "const" in node or "enum" in node:
        values = [node["const"]] if "const" in node else node["enum"]
        found &= frozenset().union(*(SINGLE.get(kind_of(each) or "", ANY) for each in values))
    return found


def of_property(node: Node, name: str) -> tuple[JSON, ...]:
    """What one schema says of the property of a name."""
    found = [node["properties"][name]] if name in node.get("properties", ()) else []
    patterns = node.get("patternProperties", {})
    found += [patterns[pattern] for pattern in patterns if matches(pattern, name)]
    if found or "additionalProperties" not in node:
        return tuple(found)
    return (node["additionalProperties"],)


def of_item(node: Node, index: int) -> tuple[JSON, ...]:
    """What one schema says of the item of an index."""
    items = node.get("items")
    first = items if isinstance(items, list) else node.get("prefixItems", ())
    if index < len(first):
        return (first[index],)
    rest = node.get("additionalItems") if isinstance(items, list) else items
    return () if rest is None else (rest,)


def joined(schemas: tuple[JSON, ...]) -> Schema | None:
    """Schemas that hold together as one; None for none."""
    if len(schemas) < 2:
        return schemas[0] if schemas else None
    return {"allOf": [*schemas]}


def below(nodes: tuple[Node, ...], key: Key) -> Schema | None:
    """What schemas that hold together say of a property or an item."""
    if len(nodes) == 1 and isinstance(key, str) and "patternProperties" not in nodes[0]:
        told = nodes[0].get("properties", {})
        if key in told:
            return told[key]  # type: ignore[no-any-return]
    look: Any = of_property if isinstance(key, str) else of_item
    return joined(tuple(each for node in nodes for each in look(node, key)))


def branched(schema: JSON, root: JSON, depth: int = 0) -> Iterator[tuple[Node, ...]]:
    """The schemas that hold together at one place, and then those of each branch of a union."""
    nodes = parts(schema, root)
    yield nodes
    if depth < 5:
        for node in nodes:
            for branches in unions(node):
                for branch in branches:
                    yield from branched(branch, root, depth + 1)


def schemas_at(schema: JSON, root: JSON, path: tuple[Key, ...]) -> Iterator[Schema]:
    """The schemas for the value at a path: those that hold in any case first, then those of the
    branches that lead there."""
    if not path:
        yield schema
        return
    for nodes in branched(schema, root):
        child = below(nodes, path[0])
        if child is not None:
            yield from schemas_at(child, root, path[1:])


def is_marked(node: Node) -> bool:
    """Whether a schema says that its value must not be shown: `format: password` (the registry of
    formats of OpenAPI) or `writeOnly: true` (draft 2020-12, validation, section 9.4)."""
    return node.get("format") == "password" or node.get("writeOnly") is True


def is_secret(schema: JSON, root: JSON) -> bool:
    """Whether the value for a schema must not be shown, in whatever branch."""
    return any(is_marked(node) for nodes in branched(schema, root) for node in nodes)
