"""Provenance: arguments that must come from an earlier result and not out of the model's head.

    @tb.tool
    def refund(user_id: Annotated[str, tb.From("find_user.user_id")]) -> str: ...

`From` marks places of a schema. `take_sources` turns the marks into words for the model and keeps
them for the check before a call (`grounds.unfounded`). No schema that leaves this package has one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from toolbridge.errors import ToolDefinitionError
from toolbridge.locate import followed
from toolbridge.schemas.words import LISTS, MAPS, ONE, nodes
from toolbridge.values import JSON, freeze, thaw

MARK: Final = "x-toolbridge-from"
"""The keyword of a mark. Where such a type is used without tools, in an OpenAPI document for
instance, it may stay: https://spec.openapis.org/oas/v3.1.0#specification-extensions."""


TYPED: Final = "typed"
"""What a mark says that a type of Python's made."""


@dataclasses.dataclass(frozen=True)
class From:
    """Where an argument comes from: a tool, and a dotted path in what it returns.

    `From("find_user.user_id")` names both in one. Names of tools may have dots: the longest one
    that the run knows counts. `From("orders.get", "items.id")` says which is which. Without a path
    the result itself counts. Lists are passed through at any index, a `*` stands for any key, and
    keys may have dots. `or_user` lets what the user wrote count too. Several of these on one
    type are alternatives. Raises ToolDefinitionError.
    """

    source: str
    path: str | None = None
    _: dataclasses.KW_ONLY
    or_user: bool = False

    def __post_init__(self) -> None:
        for said in (self.source, self.path or "path"):
            if not isinstance(said, str) or not all(said.split(".")):
                raise ToolDefinitionError(
                    f"From({said!r}): name a tool and a path in its result, such as "
                    "From('find_user.user_id')"
                )

    def resolve(self, names: Collection[str] = ()) -> tuple[str, str]:
        """The name of the tool, of those known, and the path in its result."""
        if self.path is not None:
            return self.source, self.path
        known = [name for name in names if f"{self.source}.".startswith(f"{name}.")]
        tool = max(known, key=len) if known else self.source.partition(".")[0]
        return tool, self.source[len(tool) + 1 :]

    @property
    def words(self) -> str:
        """The place in words, as far as it is clear without the names of the tools."""
        if self.path is None and self.source.count(".") > 1:
            return f"an earlier result ({self.source})"
        tool, path = self.resolve()
        return f"the result of {tool} ({path})" if path else f"the result of {tool}"

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        """https://docs.pydantic.dev/latest/concepts/json_schema: marks what the model gives,
        and nothing in the schema of a result."""
        made: dict[str, Any] = handler(core_schema)
        if handler.mode == "serialization":
            return made
        return {**made, MARK: [*made.get(MARK, []), dataclasses.asdict(self) | {TYPED: True}]}


@dataclasses.dataclass(frozen=True, eq=False)
class Sourced:
    """What a tool's arguments must come from: its schema with the marks, and all of them. `typed`
    says that the schema is that of types, which may read arguments under other names too."""

    schema: JSON
    sources: tuple[From, ...]
    typed: bool = False


def take_sources(schema: JSON) -> tuple[JSON, Sourced | None]:
    """A schema with a hint for the model in the place of each mark, after what is said there
    already, and its marks. The same schema and None where it has none."""
    marks = [mark for _, node in nodes(schema) for mark in node.get(MARK, ())]
    if not marks:
        return schema, None

    def hinted(node: dict[str, Any]) -> dict[str, Any]:
        given = froms_of(node)
        if not given:
            return node
        return unmarked(node) | {"description": appended(node.get("description"), given)}

    sources = tuple(dict.fromkeys(map(source_of, marks)))
    typed = any(TYPED in mark for mark in marks)
    return rewritten(schema, hinted), Sourced(freeze(schema), sources, typed)


def without_marks(schema: JSON) -> JSON:
    """A schema without marks and hints: for what is not an argument."""
    return rewritten(schema, unmarked)


def with_sources(schema: JSON, sources: Mapping[str, From | Sequence[From]]) -> JSON:
    """A copy of a JSON Schema with marks, for `take_sources`.

    `sources` has one From, or several as alternatives, for dotted paths of arguments; `*` stands
    for the items of an array and for properties without names: `{"order_ids.*": From(...)}`.
    References on the way are replaced by what they refer to. Raises ToolDefinitionError for a
    path that the schema does not have.
    """
    made = thaw(schema) if sources else schema
    for path, given in sources.items():
        found = list(nodes_at(made, made, tuple(path.split(".")), frozenset()))
        if not found:
            raise ToolDefinitionError(
                f"sources: the schema has no argument {path!r}. Write the names of properties "
                "with dots between them, and * for the items of an array"
            )
        for node in found:
            node.update(marked(node, [given] if isinstance(given, From) else given))
    return made


def marked(node: dict[str, Any], sources: Sequence[From]) -> dict[str, Any]:
    """A schema with a mark more. Plain JSON, so that it goes wherever schemas go."""
    return {**node, MARK: [*node.get(MARK, []), *map(dataclasses.asdict, sources)]}


def unmarked(node: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without its own mark."""
    return {key: member for key, member in node.items() if key != MARK}


def froms_of(node: Mapping[str, Any]) -> list[From]:
    """The marks of one schema, without those under it."""
    return [source_of(mark) for mark in node.get(MARK, ())]


def source_of(mark: Mapping[str, Any]) -> From:
    """The From of a mark."""
    return From(**{name: said for name, said in mark.items() if name != TYPED})


def appended(said: str | None, sources: Sequence[From]) -> str:
    """A description and, after it, where the value comes from."""
    places = [each.words for each in sources]
    if any(each.or_user for each in sources):
        places.append("what the user wrote")
    hint = f"Take it from {', or from '.join(dict.fromkeys(places))}; never make it up."
    said = (said or "").rstrip()
    if not said:
        return hint
    return f"{said} {hint}" if said.endswith((".", "!", "?", "。")) else f"{said}. {hint}"


def rewritten(schema: JSON, change: Callable[[dict[str, Any]], dict[str, Any]]) -> JSON:
    """A schema with every schema in it changed; data such as `default` stays as it is."""
    if not isinstance(schema, dict):
        return schema
    return change({key: rewritten_member(key, each, change) for key, each in schema.items()})


def rewritten_member(
    key: str, member: JSON, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> JSON:
    """What stands under a keyword, with every schema in it changed."""
    if key in MAPS and isinstance(member, dict):
        return {name: rewritten(each, change) for name, each in member.items()}
    if key in LISTS | ONE and isinstance(member, list):
        return [rewritten(each, change) for each in member]
    return rewritten(member, change) if key in ONE else member


def nodes_at(
    root: JSON, node: JSON, keys: tuple[str, ...], opened: frozenset[str]
) -> Iterator[dict[str, Any]]:
    """The schemas at a path, to be changed in place. `opened` are the references that were
    followed since the last key: one that comes back to itself leads nowhere."""
    if not isinstance(node, dict):
        return
    if not keys:
        yield node
        return
    while isinstance(name := node.get("$ref"), str):
        if name in opened:
            return
        opened |= {name}
        target = thaw(referred(root, name))
        del node["$ref"]
        node |= (target if isinstance(target, dict) else {}) | node
    for branch in branches(node, "allOf", "anyOf", "oneOf"):
        yield from nodes_at(root, branch, keys, opened)
    for member, rest in members(node, keys):
        yield from nodes_at(root, member, rest, frozenset())


def members(node: dict[str, Any], keys: tuple[str, ...]) -> Iterator[tuple[JSON, tuple[str, ...]]]:
    """The schemas under one to which the first keys of a path lead, each with the other keys."""
    properties = node.get("properties")
    for count in range(1, len(keys) + 1):
        name = ".".join(keys[:count])
        if isinstance(properties, dict) and name in properties:
            yield properties[name], keys[count:]
    if keys[0] == "*":
        items = node.get("items")
        others = (*branches(node, "prefixItems", "items"), items, node.get("additionalProperties"))
        yield from ((each, keys[1:]) for each in others)


def branches(node: Mapping[str, Any], *keywords: str) -> Iterator[JSON]:
    """The schemas in the lists under these keywords."""
    for keyword in keywords:
        listed = node.get(keyword)
        if isinstance(listed, list):
            yield from listed


def referred(root: JSON, reference: str) -> JSON:
    """The schema to which a reference of the form `#/...` points; None where there is none."""
    path = reference.removeprefix("#")
    *_, (reached, found) = followed(root, path)
    return found if reached == path and reference.startswith("#") else None
