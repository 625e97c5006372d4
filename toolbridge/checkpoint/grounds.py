"""The check of provenance before a call: which arguments are in no earlier result."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from toolbridge.checkpoint.evidence import Evidence, Path, parsed
from toolbridge.checkpoint.provenance import MARK, From, Sourced, branches, froms_of, referred
from toolbridge.schemas.words import nodes
from toolbridge.validation.validators import short
from toolbridge.values import JSON, same

Place = tuple[JSON, JSON, Path]
"""A schema, the value under it, and where that stands in the arguments."""


def unfounded(
    sourced: Sourced | None,
    arguments: JSON,
    evidence: Evidence,
    names: Collection[str] = (),
) -> list[str]:
    """The arguments without ground, a line for the model for each.

    `arguments` are those that the model wrote, as JSON, once they fit the schema. `names` are
    those of the tools of the run. Absent arguments, null, and what equals the default need no
    ground. Of an object or an array every scalar needs one: at the path, or at the path with the
    object's own keys after it. Under `anyOf` and `oneOf` the schemas that take the value count,
    and one without a fault is enough.
    """
    if sourced is None:
        return []
    check = Check(sourced, evidence, {*names, *evidence.tools})
    return list(dict.fromkeys(check.faults((sourced.schema, arguments, ()))))


class Check:
    """One walk through the arguments of a call, beside their schema."""

    def __init__(self, sourced: Sourced, evidence: Evidence, names: Collection[str]) -> None:
        self.root = sourced.schema
        self.typed = sourced.typed
        self.evidence = evidence
        self.names = names
        self.told: dict[tuple[int, Path], list[str]] = {}
        self.checker: Any = None

    def faults(self, place: Place) -> list[str]:
        """The lines for a value and all under it. What is told already is told again: so a
        reference that comes back to itself ends."""
        schema, value, path = place
        if not isinstance(schema, dict):
            return []
        key = (id(schema), path)
        if key in self.told:
            return self.told[key]
        self.told[key] = []
        value = decoded(schema, value)
        found = self.own_faults(schema, value, path)
        if self.typed and isinstance(value, dict):
            found += alias_faults(schema, value, path)
        for each in self.under(schema, value, path):
            found += self.faults(each)
        for keyword in ("anyOf", "oneOf"):
            found += self.union_faults(list(branches(schema, keyword)), value, path)
        self.told[key] = found
        return found

    def own_faults(self, schema: dict[str, Any], value: JSON, path: Path) -> list[str]:
        """The lines for the mark of one schema."""
        sources = froms_of(schema) if MARK in schema else []
        if not sources or ("default" in schema and same(value, schema["default"])):
            return []
        return [
            self.line(".".join(path + steps), leaf, sources)
            for steps, keys, leaf in leaves(value)
            if leaf is not None and not any(self.has(each, keys, leaf) for each in sources)
        ]

    def has(self, source: From, keys: Path, leaf: JSON) -> bool:
        """Whether a scalar is where it must come from."""
        tool, path = source.resolve(self.names)
        steps = tuple(path.split(".")) if path else ()
        return (
            self.evidence.gave(tool, steps, leaf)
            or (keys != () and self.evidence.gave(tool, steps + keys, leaf))
            or (source.or_user and self.evidence.user_wrote(leaf))
        )

    def line(self, name: str, leaf: JSON, sources: Sequence[From]) -> str:
        """What is wrong, and how to mend it, in words for the model."""
        found = [each.resolve(self.names) for each in sources]
        by_user = any(each.or_user for each in sources)
        places = [f"in no result of {tool}" + f" at {path}" * bool(path) for tool, path in found]
        if by_user:
            places.append("not in what the user wrote")
        tools = " or ".join(dict.fromkeys(tool for tool, _ in found))
        ask = ", or ask the user" if by_user else ""
        return (
            f"- {name}: {short(leaf)} is {' and '.join(places)}. Call {tools} first, in a step "
            f"of its own, and take {name} from its result{ask}."
        )

    def under(self, schema: dict[str, Any], value: JSON, path: Path) -> Iterator[Place]:
        """The places to look at whatever the value is, and those of its members."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield referred(self.root, reference), value, path
        for each in branches(schema, "allOf"):
            yield each, value, path
        if isinstance(value, dict):
            for name, member in value.items():
                yield from named_places(schema, name, member, (*path, name))
        elif isinstance(value, list):
            first = [*branches(schema, "prefixItems", "items")]
            others = schema.get("additionalItems" if "items" in schema and first else "items")
            rest = schema.get("items") if isinstance(schema.get("items"), dict) else others
            for index, member in enumerate(value):
                yield first[index] if index < len(first) else rest, member, (*path, str(index))

    def union_faults(self, schemas: list[JSON], value: JSON, path: Path) -> list[str]:
        """The lines of the schema with the fewest, of those that take the value. Where none
        takes it as it is (pydantic also reads "7" as a number) those with a fault count."""
        told = [self.faults((schema, value, path)) for schema in schemas]
        if not any(told):
            return []
        taken = [
            lines for schema, lines in zip(schemas, told, strict=True) if self.takes(schema, value)
        ]
        return min(taken or filter(None, told), key=len)

    def takes(self, schema: JSON, value: JSON) -> bool:
        """Whether a schema takes a value. One that cannot be read takes none."""
        from jsonschema import Draft202012Validator
        from jsonschema.validators import validator_for
        from referencing.exceptions import Unresolvable
        from referencing.jsonschema import EMPTY_REGISTRY

        if self.checker is None:
            kind = validator_for(self.root, default=Draft202012Validator)
            self.checker = kind(self.root, registry=EMPTY_REGISTRY)
        try:
            return bool(self.checker.evolve(schema=schema).is_valid(value))
        except (Unresolvable, TypeError, RecursionError):
            return False


def named_places(schema: dict[str, Any], name: str, member: JSON, path: Path) -> Iterator[Place]:
    """The places of a member of an object, and that of its name."""
    patterns = schema.get("patternProperties", {})
    found = [each for pattern, each in patterns.items() if re.search(pattern, name)]
    if name in schema.get("properties", {}):
        found.append(schema["properties"][name])
    for each in found or [schema.get("additionalProperties")]:
        yield each, member, path
    yield schema.get("propertyNames"), name, path


def alias_faults(schema: dict[str, Any], value: dict[str, JSON], path: Path) -> list[str]:
    """The lines for names that the schema does not have, where an argument with a source is
    absent. A model of pydantic's may read it under such a name, and would do so unchecked:
    https://docs.pydantic.dev/latest/concepts/alias."""
    properties = schema.get("properties", {})
    absent = [
        name
        for name, each in properties.items()
        if name not in value and any({MARK, "$ref"} & node.keys() for _, node in nodes(each))
    ]
    if not absent or "additionalProperties" in schema:
        return []
    return [
        f"- {'.'.join((*path, name))}: the schema has no such name. Leave it out; the names are "
        f"{', '.join(properties)}."
        for name in value
        if name not in properties
    ]


def decoded(schema: dict[str, Any], value: JSON) -> JSON:
    """A value; an object or array that a model wrote as text (`"[1, 2]"`) where the schema has
    no place for text is what it says."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if not isinstance(value, str) or "string" in kinds or not {"array", "object"} & {*kinds}:
        return value
    found = parsed(value)
    return value if found is None else found


def leaves(value: JSON, steps: Path = (), keys: Path = ()) -> Iterator[tuple[Path, Path, JSON]]:
    """The scalars in a value, each with its steps in it, and those of them that are keys."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from leaves(member, (*steps, name), (*keys, name))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from leaves(member, (*steps, str(index)), keys)
    else:
        yield steps, keys, value
