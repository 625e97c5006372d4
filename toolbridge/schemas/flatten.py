"""Flat alternatives: a schema without allOf, oneOf, conditions and the like.

`flatten` gives flat schemas of which a value fits one if it fits the schema. Where a keyword has
no such form the alternatives accept more, and a note says so: they never accept less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Final, NamedTuple

from toolbridge.schemas.merge import disjoint, merge
from toolbridge.schemas.words import ANNOTATIONS, CONSTRAINTS, TYPES, Schema, phrase, short
from toolbridge.values import JSON, same

APPLIED: Final = frozenset(
    {"$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "not"}
    | {"dependentRequired", "dependentSchemas"}
)
"""Keywords that say something of the whole value by means of other schemas."""

MOST: Final = 48
"""Alternatives that one schema may become: unions within intersections multiply."""

MOST_MERGES: Final = 3_000
"""Intersections for one schema of a tool."""

MOST_DEPENDENT: Final = 3
"""Keys of dependentRequired and dependentSchemas that are written out: each doubles the
alternatives."""


class Note(NamedTuple):
    """Where the alternatives accept more: a code of losses, the keyword, and words for it."""

    code: str
    keyword: str
    words: str


class Memory:
    """What the flattening of one schema shares: what references hold, and the work so far, since
    intersections of unions that hold themselves grow without end."""

    def __init__(self) -> None:
        self.opened: dict[str, list[Schema]] = {}
        self.merges = 0

    @property
    def spent(self) -> bool:
        """Whether it is enough."""
        return self.merges > MOST_MERGES


class Flattener:
    """Flattens schemas whose references are to `definitions`; with `keep` a reference beside
    which nothing else is required stays one."""

    def __init__(
        self, definitions: Mapping[str, Schema], keep: bool, memory: Memory | None = None
    ) -> None:
        self.definitions, self.keep = definitions, keep
        self.memory = memory or Memory()
        self.notes: list[Note] = []

    def flatten(self, schema: Schema, seen: frozenset[str] = frozenset()) -> list[Schema]:
        """The flat alternatives of a schema; none if nothing fits it."""
        if isinstance(schema, bool):
            return [{}] if schema else []
        made: list[Schema] = [{key: schema[key] for key in schema if key not in APPLIED}]
        for options in self.factors(schema, seen):
            made = self.product(made, options, seen)
        return [each for each in map(closed, made) if each is not False]

    def factors(self, schema: dict[str, Any], seen: frozenset[str]) -> Iterator[list[Schema]]:
        """The alternatives of each keyword that is applied; the value fits one of each list."""
        if "$ref" in schema:
            yield self.reference(schema["$ref"], seen)
        for member in schema.get("allOf", ()):
            yield self.flatten(member, seen)
        if "anyOf" in schema:
            yield [each for member in schema["anyOf"] for each in self.flatten(member, seen)]
        if "oneOf" in schema:
            yield self.one_of(schema["oneOf"], seen)
        if "if" in schema and ("then" in schema or "else" in schema):
            yield self.condition(schema, seen)
        if "not" in schema:
            yield self.negation(schema["not"], seen)
        yield from self.dependent(schema, seen)

    def reference(self, said: str, seen: frozenset[str]) -> list[Schema]:
        """A reference, or what it refers to. One that closes a circle of intersections says
        nothing."""
        if self.keep:
            return [{"$ref": said}]
        return self.resolved(said, seen)

    def resolved(self, said: str, seen: frozenset[str]) -> list[Schema]:
        """What a reference refers to."""
        name = said.rpartition("/")[2]
        if name in seen:
            self.notes.append(Note("schema.recursion", "$ref", ""))
            return [{}]
        return self.flatten(self.definitions[name], seen | {name})

    def one_of(self, members: list[Schema], seen: frozenset[str]) -> list[Schema]:
        """Exactly one: the same as any one where no two of them can hold at once."""
        options = [self.flatten(member, seen) for member in members]
        if not all(self.apart(one, two) for one, two in combinations(options, 2)):
            self.notes.append(Note("schema.union", "oneOf", "fits exactly one of the forms"))
        return [each for option in options for each in option]

    def apart(self, one: list[Schema], two: list[Schema]) -> bool:
        """Whether no value fits both."""
        return all(
            disjoint(left, right)
            for first in one
            for second in two
            for left in self.opened(first)
            for right in self.opened(second)
        )

    def opened(self, schema: Schema) -> list[Schema]:
        """The alternatives of one that may be a reference."""
        if not isinstance(schema, dict) or "$ref" not in schema:
            return [schema]
        said = schema["$ref"]
        opened = self.memory.opened
        if said not in opened:
            opened[said] = [{}]
            inside = Flattener(self.definitions, keep=False, memory=self.memory)
            opened[said] = inside.flatten({"$ref": said})
        return opened[said]

    def condition(self, schema: dict[str, Any], seen: frozenset[str]) -> list[Schema]:
        """Both `if` and `then`, or `else` (of which it is not said that `if` must not hold)."""
        held = self.flatten({"allOf": [schema["if"], schema.get("then", {})]}, seen)
        others = self.flatten(schema.get("else", {}), seen)
        if not self.apart(self.flatten(schema["if"], seen), others):
            words = ", ".join(f"{key} {short(schema[key])}" for key in branches_of(schema))
            self.notes.append(Note("schema.condition", "if", words))
        return [*held, *others]

    def negation(self, member: Schema, seen: frozenset[str]) -> list[Schema]:
        """What does not fit a schema, where that is simple to say."""
        if isinstance(member, bool):
            return [] if member else [{}]
        said = {key: member[key] for key in member if key in CONSTRAINTS}
        if said.keys() == {"type"}:
            return without_types(said["type"])
        if said.keys() == {"required"} and len(said["required"]) == 1:
            return [{"properties": {said["required"][0]: False}}]
        if said.keys() == {"anyOf"}:
            made: list[Schema] = [{}]
            for each in said["anyOf"]:
                made = self.product(made, self.negation(each, seen), seen)
            return made
        if said:
            self.notes.append(Note("schema.constraint", "not", phrase("not", member)))
        return [{}] if said else []

    def dependent(self, schema: dict[str, Any], seen: frozenset[str]) -> Iterator[list[Schema]]:
        """A property is missing, or what its presence asks for holds."""
        needed: list[tuple[str, str, Schema]] = [
            ("dependentRequired", key, {"required": [key, *names]})
            for key, names in schema.get("dependentRequired", {}).items()
        ]
        needed += [
            ("dependentSchemas", key, {"allOf": [{"required": [key]}, member]})
            for key, member in schema.get("dependentSchemas", {}).items()
        ]
        for _, key, member in needed[:MOST_DEPENDENT]:
            yield [{"properties": {key: False}}, *self.flatten(member, seen)]
        for keyword, key, _ in needed[MOST_DEPENDENT:]:
            words = f"with {key}: {phrase(keyword, schema[keyword][key])}"
            self.notes.append(Note("schema.constraint", keyword, words))

    def product(
        self, left: list[Schema], right: list[Schema], seen: frozenset[str]
    ) -> list[Schema]:
        """The intersections of every two, as far as there may be that many."""
        if len(left) * len(right) > MOST or self.memory.spent:
            words = "fits one of further forms"
            self.notes.append(Note("schema.union", "anyOf", words))
            return left
        made: list[Schema] = []
        for one in left:
            for two in right:
                made += [each for each in self.both(one, two, seen) if not_in(each, made)]
        return made

    def both(self, one: Schema, two: Schema, seen: frozenset[str]) -> list[Schema]:
        """The intersection of two alternatives, of which either may be a reference."""
        for this, other in ((one, two), (two, one)):
            if isinstance(this, dict) and "$ref" in this:
                if not constrains(other) or same(this, other):
                    return [{**other, **this} if isinstance(other, dict) else False]
                rest: Schema = {key: this[key] for key in this if key != "$ref"}
                opened = self.product([rest], self.resolved(this["$ref"], seen), seen)
                return self.product(opened, [other], seen)
        self.memory.merges += 1
        merged = merge(one, two)
        for keyword, said in merged.unsaid:
            self.notes.append(Note("schema.constraint", keyword, phrase(keyword, said)))
        return [] if merged.schema is False else [merged.schema]


def branches_of(schema: dict[str, Any]) -> list[str]:
    """The keywords of a condition that are there."""
    return [key for key in ("if", "then", "else") if key in schema]


def constrains(schema: Schema) -> bool:
    """Whether a flat schema says anything of what is valid."""
    return not isinstance(schema, dict) or not CONSTRAINTS.isdisjoint(schema)


def not_in(schema: Schema, others: list[Schema]) -> bool:
    """Whether a schema is none of the others."""
    return not any(same(schema, other) for other in others)


def without_types(said: JSON) -> list[Schema]:
    """The types beside these; an integer is a number."""
    names = {said} if isinstance(said, str) else set(said)
    names |= {"integer"} if "number" in names else set()
    left = [each for each in TYPES if each not in names and each != "integer"]
    return [{"type": left}] if left else []


def closed(schema: Schema) -> Schema:
    """A merged schema in which unevaluated members are those that nothing names."""
    if not isinstance(schema, dict):
        return schema
    made = {key: schema[key] for key in schema if not key.startswith("unevaluated")}
    for old, new in UNEVALUATED.items():
        if old in schema and not (new == "items" and "contains" in schema):
            made.setdefault(new, schema[old])
    return made


UNEVALUATED: Final = {"unevaluatedProperties": "additionalProperties", "unevaluatedItems": "items"}
"""What contains does not count among items: there nothing is said of the rest."""


def about(schema: Schema) -> dict[str, Any]:
    """What a schema says about itself."""
    said = schema if isinstance(schema, dict) else {}
    return {key: said[key] for key in ANNOTATIONS if key in said}
