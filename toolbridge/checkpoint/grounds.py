"""The check of provenance before a call: which arguments are in no earlier result."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from toolbridge.checkpoint.evidence import Evidence, Identity, Path, parsed
from toolbridge.checkpoint.lookup import Lookup, leaves
from toolbridge.checkpoint.provenance import MARK, Sourced, branches, froms_of, referred
from toolbridge.checkpoint.typed_grounds import TypedCheck
from toolbridge.values import JSON, same

Place = tuple[JSON, JSON, Path]
"""A schema, the value under it, and where that stands in the arguments."""


def unfounded(
    sourced: Sourced | None,
    arguments: JSON,
    evidence: Evidence,
    names: Collection[Identity] = (),
    *,
    namespace: str | None = None,
    values: Mapping[str, Any] | None = None,
    written: JSON = None,
) -> list[str]:
    """The arguments without ground, a line for the model for each.

    `arguments` are JSON that fits the schema; `names` are the tools of the run, and `namespace` is
    that of the tool with the arguments. For a typed tool `values` are what its function gets: they
    are looked at in the place of `arguments`, after their types. One is grounded too where what
    the model wrote is, and the type makes that of it; `written` are the arguments as they came, if
    they were changed since.

    Absent arguments, null, and what equals the default need no ground. Of an object or an array
    every scalar needs one: at the path, or at the path with the object's own keys after it. Under
    `anyOf` and `oneOf` the schemas that take the value count, and one without a fault is enough;
    of a union of types those that the value fits best.
    """
    if sourced is None:
        return []
    lookup = Lookup(evidence, names, namespace)
    try:
        if sourced.types is None or values is None:
            found = Check(sourced, lookup).faults((sourced.schema, arguments, ()))
        else:
            check = TypedCheck(
                sourced.types, lookup, (arguments, written), defaults_of(sourced.schema)
            )
            found = check.all_faults(values)
    except RecursionError:
        return ["- the arguments: too deep to be looked into. Write them with fewer levels."]
    return list(dict.fromkeys(found))


def defaults_of(schema: JSON) -> dict[str, JSON]:
    """The defaults of the properties of an object."""
    properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
    return {name: each["default"] for name, each in properties.items() if "default" in each}


class Check:
    """One walk through the arguments of a call, beside their schema."""

    def __init__(self, sourced: Sourced, lookup: Lookup) -> None:
        self.root = sourced.schema
        self.lookup = lookup
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
            self.lookup.line(".".join(path + steps), leaf, sources)
            for steps, leaf in self.lookup.ungrounded(leaves(value), sources)
        ]

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


def decoded(schema: dict[str, Any], value: JSON) -> JSON:
    """A value; an object or array that a model wrote as text (`"[1, 2]"`) where the schema has
    no place for text is what it says."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if not isinstance(value, str) or "string" in kinds or not {"array", "object"} & {*kinds}:
        return value
    found = parsed(value)
    return value if found is None else found
