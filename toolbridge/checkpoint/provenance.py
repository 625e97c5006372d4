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

from toolbridge.checkpoint.evidence import Identity
from toolbridge.checkpoint.marked_types import Types
from toolbridge.errors import ToolDefinitionError
from toolbridge.locate import followed
from toolbridge.schemas.words import LISTS, MAPS, ONE, nodes
from toolbridge.values import JSON, freeze, thaw

MARK: Final = "x-toolbridge-from"
"""The keyword of a mark. Where such a type is used without tools, in an OpenAPI document for
instance, it may stay: https://spec.openapis.org/oas/v3.1.0#specification-extensions."""


@dataclasses.dataclass(frozen=True)
class From:
    """Where an argument comes from: a tool, and a dotted path in what it returns.

    `From("find_user.user_id")` names both in one. Names of tools may have dots: the longest one
    that the run knows counts. `From("orders.get", "items.id")` says which is which. Without a path
    the result itself counts. Lists are passed through at any index, a `*` stands for any key, and
    keys may have dots. `or_user` lets what the user wrote count too. Several of these on one
    type are alternatives.

    A tool of the same name in another namespace is another tool. `namespace` says which one is
    meant, `""` for the one without. Unless it is said, that is the tool of the namespace in which
    the argument's own tool is; else the one without a namespace; else the only one of that name.
    Raises ToolDefinitionError.
    """

    source: str
    path: str | None = None
    _: dataclasses.KW_ONLY
    or_user: bool = False
    namespace: str | None = None

    def __post_init__(self) -> None:
        for said in (self.source, self.path or "path"):
            if not isinstance(said, str) or not all(said.split(".")):
                raise ToolDefinitionError(
                    f"From({said!r}): name a tool and a path in its result, such as "
                    "From('find_user.user_id')"
                )

    def resolve(
        self, known: Collection[Identity] = (), namespace: str | None = None
    ) -> tuple[Identity, str]:
        """The tool, of those known, and the path in its result. `namespace` is that of the tool
        whose argument this is. A tool that is not known where none fits, or several do."""
        own = [namespace, None] if self.namespace is None else [self.namespace or None]
        fitting = [tool for tool in known if self.fits(tool[1])]
        for space in own:
            names = [name for each, name in fitting if each == space]
            if names:
                return self.at((space, max(names, key=len)))
        if self.namespace is None and fitting:
            longest = max((name for _, name in fitting), key=len)
            spaces = {space for space, name in fitting if name == longest}
            return self.at((spaces.pop() if len(spaces) == 1 else None, longest))
        name = self.source if self.path is not None else self.source.partition(".")[0]
        return self.at((own[-1], name))

    def fits(self, name: str) -> bool:
        """Whether this may be about a tool of a name."""
        return name == self.source or (self.path is None and self.source.startswith(f"{name}."))

    def at(self, tool: Identity) -> tuple[Identity, str]:
        """A tool, and the path that is left."""
        return tool, self.source[len(tool[1]) + 1 :] if self.path is None else self.path

    @property
    def words(self) -> str:
        """The place in words, as far as it is clear without the names of the tools."""
        if self.path is None and self.source.count(".") > 1:
            return f"an earlier result ({self.source})"
        tool, path = self.resolve()
        return f"the result of {spoken(tool)}" + f" ({path})" * bool(path)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """https://docs.pydantic.dev/latest/concepts/types: marks the type itself, so that what a
        function gets is held against it (`typed_grounds`)."""
        made = handler(source)
        metadata = made.get("metadata", {})
        return {**made, "metadata": {**metadata, MARK: [*metadata.get(MARK, ()), self]}}

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        """https://docs.pydantic.dev/latest/concepts/json_schema: marks what the model gives,
        and nothing in the schema of a result."""
        made: dict[str, Any] = handler(core_schema)
        return made if handler.mode == "serialization" else marked(made, [self])


def spoken(tool: Identity) -> str:
    """A tool in words."""
    namespace, name = tool
    return f"{name} of {namespace}" if namespace else name


@dataclasses.dataclass(frozen=True, eq=False)
class Sourced:
    """What a tool's arguments must come from: its schema with the marks, and all of them. `types`
    are those of a typed function: it gets other values than the model wrote."""

    schema: JSON
    sources: tuple[From, ...]
    types: Types | None = None


def take_sources(schema: JSON, adapter: Any = None) -> tuple[JSON, Sourced | None]:
    """A schema with a hint for the model in the place of each mark, after what is said there
    already, and its marks. The same schema and None where it has none. `adapter` is that of
    pydantic's which validates the arguments, if one does. Raises ToolDefinitionError for a type
    whose values nobody can look at before the call."""
    marks = [mark for _, node in nodes(schema) for mark in node.get(MARK, ())]
    types = None if adapter is None else Types(adapter.core_schema, MARK)
    if types is not None:
        types.check()
    if not marks and (types is None or not types.sources):
        return schema, None

    def hinted(node: dict[str, Any]) -> dict[str, Any]:
        given = froms_of(node)
        if not given:
            return node
        return unmarked(node) | {"description": appended(node.get("description"), given)}

    own = types.sources if types is not None else ()
    sources = tuple(dict.fromkeys((*map(source_of, marks), *own)))
    return rewritten(schema, hinted), Sourced(freeze(schema), sources, types)


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
    return From(**mark)


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
