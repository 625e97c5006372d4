"""A schema compiled into the subset that a target takes, with the form of its arguments.

Each schema becomes flat alternatives (`flatten`), each alternative one option a type (`scalars`,
`objects`, `arrays`), and the options one schema again. What changes is noted with its place in
the original; nothing is refused that the original accepts but where a note says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from toolbridge.schemas.circles import in_circles
from toolbridge.schemas.dialect import Dialect
from toolbridge.schemas.flatten import Flattener, Memory, about
from toolbridge.schemas.forms import (
    JSON_TEXT,
    SAME,
    Anything,
    Form,
    Named,
    Text,
    Wrapped,
)
from toolbridge.schemas.merge import types_of
from toolbridge.schemas.modern import Modern
from toolbridge.schemas.options import EVERY, Option, joined
from toolbridge.schemas.records import Changes
from toolbridge.schemas.snippets import (
    ANY_VALUE,
    SCALARS,
    any_value,
    json_text,
    sentence,
    simple,
)
from toolbridge.schemas.words import CONSTRAINTS, TYPES, Schema, of_type, phrase
from toolbridge.values import JSON

MOST_WRITTEN_OUT: Final = 600
"""Schemas that may stand in place of references, where those may not be or not in circles."""


class Written(NamedTuple):
    """A schema as it is written, and the form of its values."""

    schema: dict[str, Any]
    form: Form


Writer = Callable[["Compiler", dict[str, Any], str, int], list[Option]]


class Compiler:
    """Compiles the schemas of one tool for one dialect; `writers` give the options of a flat
    schema for each type, and for `enum`. `literal`: an object is open where it does not say
    that it is closed; else it is so where it names no properties. `note` takes what changes."""

    def __init__(
        self,
        made: Modern,
        dialect: Dialect,
        writers: Mapping[str, Writer],
        changes: Changes,
        literal: bool,
    ) -> None:
        self.made, self.dialect, self.writers = made, dialect, writers
        self.note, self.literal = changes.note, literal
        self.written: dict[str, Schema] = {}
        self.forms: dict[str, Form] = {}
        self._open: list[str] = []
        self._out = 0
        self._memory = Memory()
        self._circular = frozenset() if dialect.recursion else in_circles(made.definitions)

    def place(self, schema: Schema, fallback: str) -> str:
        """Where a schema stands in the original."""
        return self.made.places.get(id(schema), fallback)

    def node(self, schema: Schema, fallback: str, level: int) -> Written:
        """A schema that stands `level` objects and arrays deep."""
        place = self.place(schema, fallback)
        self._out += bool(self._open)
        if self._memory.spent:
            self.note("schema.encoded", place, "the schema is too large: as JSON text")
            return self.combine([self.encoded(schema)], schema, place, ())
        options, words = self.options(schema, place, level)
        return self.combine(options, schema, place, words)

    def options(self, schema: Schema, place: str, level: int) -> tuple[list[Option], list[str]]:
        """The ways to write a value, and what to say besides."""
        flat, words = self.flattened(schema, place, keep=True)
        found = [each for option in flat for each in self.typed(option, place, level)]
        return found or [self.never(place)], words

    def flattened(self, schema: Schema, place: str, keep: bool) -> tuple[list[Schema], list[str]]:
        """The flat alternatives of a schema without its description, and what to say besides."""
        flattener = Flattener(self.made.definitions, keep, self._memory)
        bare = schema
        if isinstance(schema, dict):
            bare = {key: member for key, member in schema.items() if key not in DESCRIBING}
            for old, new in REWRITTEN.items():
                if old in schema:
                    self.note("schema.rewritten", f"{place}/{old}", new)
        flat = flattener.flatten(bare)
        for note in flattener.notes:
            self.note(note.code, f"{place}/{note.keyword}", note.words)
        return flat, [note.words for note in flattener.notes if note.words]

    def typed(self, flat: Schema, place: str, level: int) -> list[Option]:
        """An option for each type that a flat schema admits."""
        if not isinstance(flat, dict):
            return []
        if "$ref" in flat:
            return [self.reference(flat, place, level)]
        if CONSTRAINTS.isdisjoint(flat):
            return [self.anything(flat)]
        if "enum" in flat or "const" in flat:
            return self.writers["enum"](self, flat, place, level)
        kinds = types_of(flat)
        options: list[Option] = []
        for kind in (each for each in TYPES if each in kinds):
            if "type" not in flat and not any(word in flat for word in of_type(kind)):
                continue
            options += self.writers[kind](self, flat, place, level)
        left = EVERY - {kind for option in options for kind in option.kinds}
        if "type" not in flat and left:
            options.append(self.others(left))
        return options

    def combine(
        self, options: list[Option], schema: Schema, place: str, words: Iterable[str]
    ) -> Written:
        """One schema of several options, with what the original says about itself."""
        made, form, further = joined(options, self.dialect, self.made.definitions, self.written)
        made = self.describe(made, about(schema), place, form, (*further, *words))
        return Written(made, form)

    def describe(
        self,
        made: dict[str, Any],
        said_of: Mapping[str, JSON],
        place: str,
        form: Form,
        words: Iterable[str] = (),
    ) -> dict[str, Any]:
        """The schema with title, description and further words."""
        said = list(words)
        title = {"title": said_of["title"]} if "title" in said_of else {}
        head = said_of.get("description", made.get("description"))
        for keyword in ("default", "examples"):
            if keyword not in said_of:
                continue
            if keyword == "default" and self.dialect.takes(keyword) and form is SAME:
                title[keyword] = said_of[keyword]
            elif said_of[keyword] is not None:
                said.append(phrase(keyword, said_of[keyword]))
                self.note("schema.annotation", f"{place}/{keyword}", "said in words")
            else:
                self.note("schema.annotation", f"{place}/{keyword}")
        if not self.dialect.takes("title") and title.pop("title", None) is not None:
            self.note("schema.annotation", f"{place}/title")
        text = sentence(head, said)
        about_it = title | ({"description": text} if text else {})
        if not about_it:
            return made
        if "$ref" in made and self.dialect.references == "bare":
            made = {"anyOf": [made]}
        return {**made, **about_it}

    def reference(self, flat: dict[str, Any], place: str, level: int) -> Option:
        """A reference that stays one, or one that closes a circle where none may be."""
        name = flat["$ref"].rpartition("/")[2]
        if name in self._circular or self.dialect.references == "none":
            return self.written_out(name, flat, place, level)
        kinds = frozenset(EVERY)
        form = self.define(name)
        made = self.describe({"$ref": f"#/$defs/{name}"}, about(flat), place, form)
        return Option(made, form, kinds, kinds, {"$ref": flat["$ref"]})

    def define(self, name: str) -> Form:
        """Write a definition, once."""
        if name not in self.written:
            self.written[name] = {}
            found = self.node(self.made.definitions[name], "", 0)
            self.written[name], self.forms[name] = found.schema, found.form
        return Named(self.forms, name)

    def written_out(self, name: str, flat: Schema, place: str, level: int) -> Option:
        """What is referred to in place of the reference: what is recursive so many levels deep,
        then as JSON text, as is what would grow without end."""
        target = self.made.definitions[name]
        deep = self._open.count(name) >= self.dialect.unrolled
        if deep or self._out > MOST_WRITTEN_OUT:
            self.note("schema.recursion", place, "deeper levels are JSON text")
            return self.encoded(target)
        self._open.append(name)
        found = self.node(target, place, level)
        self._open.pop()
        self.note("schema.rewritten", f"{place}/$ref", "written out")
        made = self.describe(found.schema, about(flat), place, found.form)
        return Option(made, found.form, EVERY, EVERY, target)

    def anything(self, flat: dict[str, Any]) -> Option:
        """Any value at all; as JSON text where each schema must have one type."""
        made: dict[str, Any]
        if not self.dialect.type_lists:
            made = self.describe({"type": "string"}, about(flat), "", SAME)
            kinds = frozenset({"string"})
            return Option(made, Text(), EVERY, kinds, {}, ("any value, as JSON text",))
        form = Anything(deep=self.deep)
        if not self.deep:
            made = {"anyOf": [*map(simple, SCALARS), json_text(self.dialect, "Any other value")]}
        else:
            if ANY_VALUE not in self.written:
                self.written[ANY_VALUE] = any_value(self.dialect)
            made = {"$ref": f"#/$defs/{ANY_VALUE}"}
        made = self.describe(made, about(flat), "", form)
        return Option(made, form, EVERY, EVERY, {})

    @property
    def deep(self) -> bool:
        """Whether any value can be said as it is, by a definition that holds itself."""
        free = ANY_VALUE not in self.made.definitions
        return self.dialect.recursion and self.dialect.references != "none" and free

    def others(self, kinds: frozenset[str]) -> Option:
        """A value of types of which nothing is said, beside one of which something is."""
        made = json_text(self.dialect, "A value of another type")
        original: Schema = {"type": sorted(kinds)}
        return Option(made, Wrapped(JSON_TEXT, Text()), kinds, frozenset({"object"}), original)

    def encoded(self, original: Schema) -> Option:
        """A value as JSON text."""
        words = ("the value as JSON text",)
        return Option({"type": "string"}, Text(), EVERY, frozenset({"string"}), original, words)

    def never(self, place: str) -> Option:
        """What nothing fits: no target can say it."""
        self.note("schema.never", place)
        kinds = frozenset({"string"})
        return Option({"type": "string"}, SAME, kinds, kinds, False, ("nothing is valid here",))


DESCRIBING: Final = frozenset({"title", "description", "default", "examples"})
REWRITTEN: Final = {"oneOf": "as anyOf", "allOf": "merged", "if": "as anyOf"}
