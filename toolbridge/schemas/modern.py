"""Any JSON Schema in one plain spelling of draft 2020-12, for a rewriter to work on.

Drafts 3 to 2020-12 and `nullable` of OpenAPI are read, whatever `$schema` says: it decides only
which keyword names a schema (`id` or `$id`), and whether anything beside `$ref` counts. Every
reference becomes one to a definition, and what gives schemas names (`$id`, anchors, `$defs`)
goes. Where a schema has a keyword in both spellings, the older one goes to its `allOf`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from toolbridge.locate import escape
from toolbridge.schemas.keywords import (
    ANNOTATIONS,
    CHECKS,
    LISTS,
    MAPS,
    NAMING,
    SINGLE,
    are_texts,
    counted,
    is_older,
    listed,
    null_needs_union,
    with_null,
)
from toolbridge.schemas.references import NamesError, References, Scope, draft_of
from toolbridge.schemas.words import Schema, nodes
from toolbridge.values import JSON

DEPTH: Final = 100
"""Levels of schemas in one another: whoever rewrites or checks them afterwards recurses."""


class SchemaProblem(ValueError):
    """A schema is broken: `pointer` names the place and `message` says what is wrong there."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(f"at {pointer or 'the top'}: {message}")
        self.pointer = pointer
        self.message = message


@dataclasses.dataclass(frozen=True)
class Modern:
    """A schema in the plain spelling: no node is True (that is `{}`), none has a name of its own,
    and every `$ref` is `#/$defs/<name>` for one of the `definitions`. No two nodes are one object.

    `places` has the pointer into the input for the id of every node that is an object; what comes
    from a metaschema has that of the reference to it. `unresolved` are the references to what the
    schema does not hold, each with the pointer to its keyword: they are left out.
    """

    root: Schema
    definitions: dict[str, Schema]
    places: dict[int, str]
    unresolved: tuple[tuple[str, str], ...]


def modern(schema: Schema) -> Modern:
    """A schema in the plain spelling. Raises SchemaProblem if it is broken, or nested too deep."""
    made: dict[str, Schema] = {}
    try:
        reader = Reader(References(schema))
        reader.convert(Task(made, "root", schema, "", reader.references.scope))
    except NamesError:
        message = "references cannot be followed: an id is no URI, or what must be a schema is none"
        raise SchemaProblem("", message) from None
    return Modern(made["root"], reader.definitions, reader.places, tuple(reader.unresolved))


def whole(made: Modern) -> Schema:
    """The root and its definitions as one schema of draft 2020-12."""
    if isinstance(made.root, bool) or not made.definitions:
        return made.root
    return {**made.root, "$defs": made.definitions}


def is_modern(schema: Schema) -> bool:
    """Whether a schema has no older spelling: it can be read as draft 2020-12. What stands under
    keywords that hold no schemas is not looked at, though a reference may lead there."""
    draft = draft_of(schema, "2020-12")
    return not any(is_older(node, draft) for _, node in nodes(schema))


class Task(NamedTuple):
    """A schema to convert, and where the outcome goes."""

    holder: Any
    key: Any
    raw: JSON
    at: str
    scope: Scope
    depth: int = 0


class Reader:
    """Converts a schema node by node, and then what its references refer to."""

    def __init__(self, references: References) -> None:
        self.references = references
        self.definitions: dict[str, Schema] = {}
        self.places: dict[int, str] = {}
        self.unresolved: list[tuple[str, str]] = []

    def convert(self, first: Task) -> None:
        """Convert a schema, all that stand in it, and all that they refer to."""
        waiting = [first]
        while waiting:
            task = waiting.pop()
            node = None if task.raw is False else Node(self, task)
            task.holder[task.key] = node.made if node else False
            waiting += reversed(node.tasks) if node else ()
            if not waiting and self.references.targets:
                name, target = self.references.targets.popleft()
                waiting.append(Task(self.definitions, name, *target))


class Node:
    """One schema of the input and what it becomes, `made`; `tasks` are the schemas in it."""

    def __init__(self, reader: Reader, task: Task) -> None:
        raw = {} if task.raw is True else task.raw
        if not isinstance(raw, dict):
            raise SchemaProblem(task.at, "a schema must be an object or a boolean")
        if task.depth >= DEPTH:
            raise SchemaProblem(task.at, f"nested deeper than {DEPTH}")
        self.reader, self.task = reader, task
        self.scope = task.scope._replace(draft=draft_of(raw, task.scope.draft))
        self.raw = counted(raw, self.scope.draft)
        self.tasks: list[Task] = []
        self.made = self.new("")
        for key, member in self.raw.items():
            if key in CHECKS and not CHECKS[key][1](member):
                raise SchemaProblem(self.at(f"/{key}"), f"{key} must be {CHECKS[key][0]}")
        if self.raw.get("nullable") is True and null_needs_union(self.raw):
            self.write_or_null()
        else:
            self.write(with_null(self.raw) if self.raw.get("nullable") is True else self.raw)

    def at(self, step: str) -> str:
        """The place of what stands below this schema."""
        return self.task.at if self.task.scope.outside else self.task.at + step

    def new(self, step: str) -> dict[str, Any]:
        """A new node for what stands there."""
        made: dict[str, Any] = {}
        self.reader.places[id(made)] = self.at(step)
        return made

    def write(self, raw: dict[str, Any]) -> None:
        """Fill the node, keyword by keyword."""
        for key, member in raw.items():
            if key in WRITERS:
                WRITERS[key](self, key, member)
            elif key not in NAMING:
                self.made[key] = member
        owed = [
            name
            for name, each in raw.get("properties", {}).items()
            if isinstance(each, dict) and each.get("required") is True
        ]
        if owed:
            self.made["required"] = list(dict.fromkeys([*self.made.get("required", ()), *owed]))

    def write_or_null(self) -> None:
        """Fill the node of a nullable schema where null cannot just be listed."""
        said = {key: self.raw[key] for key in self.raw if key in ANNOTATIONS}
        inner = {
            key: member
            for key, member in self.raw.items()
            if key not in said and key not in NAMING and key != "nullable"
        }
        null = self.new("")
        null["type"] = "null"
        self.made |= {**said, "anyOf": []}
        self.later(self.made["anyOf"], "", inner, "")
        self.made["anyOf"].append(null)

    def spare(self, new: str, old: str) -> dict[str, Any]:
        """The node that takes the keyword `new` for `old`: this one, or one in its `allOf`."""
        if new == old or not (new in self.raw or new in self.made):
            return self.made
        extra = self.new(f"/{old}")
        self.made.setdefault("allOf", []).append(extra)
        return extra

    def later(self, holder: Any, key: str, raw: JSON, step: str) -> None:
        """Convert a schema later, under a key of an object or at the end of a list."""
        place: Any = len(holder) if isinstance(holder, list) else key
        if isinstance(holder, list):
            holder.append(False)
        else:
            holder[key] = False
        scope = self.reader.references.below(self.scope, raw)
        self.tasks.append(Task(holder, place, raw, self.at(step), scope, self.task.depth + 1))

    def one(self, key: str, raw: JSON) -> None:
        """A keyword with a schema."""
        self.later(self.made, key, raw, f"/{key}")

    def several(self, holder: dict[str, Any], key: str, raw: list[JSON], step: str) -> None:
        """A list of schemas, behind those that are there."""
        for index, each in enumerate(raw):
            self.later(holder.setdefault(key, []), "", each, f"{step}/{index}")

    def named(self, holder: dict[str, Any], key: str, raw: dict[str, JSON], step: str) -> None:
        """Schemas by name."""
        made = holder[key] = {}
        for name, each in raw.items():
            self.later(made, name, each, f"{step}/{escape(name)}")

    def reference(self, key: str, said: str) -> None:
        """`$ref`, `$dynamicRef` and `$recursiveRef`: a reference to a definition."""
        name = self.reader.references.name(key, said, self.at(""), self.scope)
        if name is None:
            self.reader.unresolved.append((self.at(f"/{key}"), said))
        else:
            self.spare("$ref", key)["$ref"] = f"#/$defs/{name}"

    def items(self, key: str, raw: JSON) -> None:
        """`items`: a list is `prefixItems`, and then `additionalItems` are the items."""
        if not isinstance(raw, list):
            self.one(key, raw)
            return
        holder = self.spare("prefixItems", key)
        self.several(holder, "prefixItems", raw, "/items")
        if "additionalItems" in self.raw:
            self.later(holder, "items", self.raw["additionalItems"], "/additionalItems")

    def dependencies(self, key: str, raw: dict[str, JSON]) -> None:
        """`dependencies`: of names, `dependentRequired`, of a schema, `dependentSchemas`."""
        names = {name: listed(each) for name, each in raw.items() if isinstance(each, (str, list))}
        for name, each in names.items():
            if not are_texts(each):
                raise SchemaProblem(self.at(f"/{key}/{escape(name)}"), "names must be strings")
        schemas = {name: each for name, each in raw.items() if name not in names}
        if names:
            self.spare("dependentRequired", key)["dependentRequired"] = names
        if schemas:
            self.named(self.spare("dependentSchemas", key), "dependentSchemas", schemas, f"/{key}")

    def type(self, key: str, raw: JSON) -> None:
        """`type`: of schemas, as in draft 3, `anyOf`."""
        has_schema = any(isinstance(each, dict) for each in listed(raw))
        self.types(self.spare("anyOf", key) if has_schema else self.made, raw, "/type")

    def types(self, holder: dict[str, Any], raw: JSON, step: str) -> None:
        """Types, as those of a node."""
        names = [each for each in listed(raw) if isinstance(each, str)]
        plain: JSON = names[0] if len(names) == 1 else names
        if "any" in names:
            return
        if len(names) == len(listed(raw)):
            holder["type"] = plain
            return
        options = holder["anyOf"] = []
        if names:
            options.append(self.new(step))
            options[0]["type"] = plain
        for index, each in enumerate(raw):
            if isinstance(each, dict):
                self.later(options, "", each, f"{step}/{index}")

    def disallow(self, key: str, raw: JSON) -> None:
        """`disallow`: types that it must not have."""
        inner = self.new(f"/{key}")
        self.types(inner, raw, f"/{key}")
        self.spare("not", key)["not"] = inner

    def extends(self, key: str, raw: JSON) -> None:
        """`extends`: one schema or a list of them that hold too. A word is not of draft 3."""
        if isinstance(raw, dict):
            self.later(self.made.setdefault("allOf", []), "", raw, f"/{key}")
        elif isinstance(raw, list):
            self.several(self.made, "allOf", raw, f"/{key}")
        else:
            self.made[key] = raw

    def limit(self, key: str, raw: JSON) -> None:
        """`minimum` and `maximum`, which `exclusiveMinimum: true` makes exclusive."""
        exclusive = f"exclusive{key.capitalize()}"
        self.made[exclusive if self.raw.get(exclusive) is True else key] = raw

    def unless_bool(self, key: str, raw: JSON) -> None:
        """A keyword that is left out as a boolean: another one says it then."""
        if not isinstance(raw, bool):
            self.made[key] = list(raw) if isinstance(raw, list) else raw

    def divisible(self, key: str, raw: JSON) -> None:
        """`divisibleBy`."""
        self.spare("multipleOf", key)["multipleOf"] = raw

    def nothing(self, key: str, raw: JSON) -> None:
        """A keyword that is read with another one."""


WRITERS: Final[Mapping[str, Callable[[Node, str, Any], None]]] = {
    **dict.fromkeys(SINGLE, Node.one),
    **dict.fromkeys(LISTS, lambda node, key, raw: node.several(node.made, key, raw, f"/{key}")),
    **dict.fromkeys(MAPS, lambda node, key, raw: node.named(node.made, key, raw, f"/{key}")),
    **dict.fromkeys(("$ref", "$dynamicRef", "$recursiveRef"), Node.reference),
    **dict.fromkeys(("minimum", "maximum"), Node.limit),
    **dict.fromkeys(
        ("required", "nullable", "exclusiveMinimum", "exclusiveMaximum"), Node.unless_bool
    ),
    "items": Node.items,
    "additionalItems": Node.nothing,
    "dependencies": Node.dependencies,
    "type": Node.type,
    "disallow": Node.disallow,
    "extends": Node.extends,
    "divisibleBy": Node.divisible,
}
"""How a keyword is brought into the newer spelling; all others stay as they are."""
