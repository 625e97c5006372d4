"""Schemas for targets that show them to the model: as they are, but for what brings a 400."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from toolbridge.locate import escape, followed, unescape
from toolbridge.schemas.check import findings, has_type
from toolbridge.schemas.circles import circles
from toolbridge.schemas.dialect import Dialect
from toolbridge.schemas.flatten import Flattener
from toolbridge.schemas.forms import SAME, Form
from toolbridge.schemas.modern import Modern, is_modern
from toolbridge.schemas.records import Changes
from toolbridge.schemas.root import is_object, plain_root
from toolbridge.schemas.words import (
    ANNOTATIONS,
    CONSTRAINTS,
    LISTS,
    MAPS,
    ONE,
    Schema,
    nodes,
    phrase,
)
from toolbridge.values import thaw

Note = Callable[[str, str, str], None]
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"


def amended(schema: dict[str, Any], dialect: Dialect, note: Note) -> dict[str, Any]:
    """A copy in which only what is missing was added: the type and properties of the root, the
    items of arrays."""
    made: dict[str, Any] = thaw(schema)
    for place, node in nodes(made):
        say_items(node, dialect, place, note)
    if is_object(made) and "$ref" not in made:
        if made.get("type") != "object":
            note("schema.root", "/type" if "type" in made else "", "arguments are an object")
            made["type"] = "object"
        if dialect.root_properties and "properties" not in made:
            note("schema.empty", "", "properties")
            made["properties"] = {}
    return made


def say_items(node: dict[str, Any], dialect: Dialect, place: str, note: Note) -> None:
    """Let an array say its items, where that is needed."""
    if dialect.items and has_type(node, "array") and "items" not in node:
        node["items"] = {}
        note("schema.empty", place, "items")


class Surgeon:
    """Rewrites a schema of draft 2020-12 where a target refuses it, and nowhere else. With `draft`
    the schema names its draft."""

    def __init__(self, made: Modern, dialect: Dialect, note: Note, draft: bool) -> None:
        self.made, self.dialect, self.note, self.draft = made, dialect, note, draft

    def operate(self) -> tuple[dict[str, Any], Form]:
        """The schema and the form of its arguments."""
        definitions = {name: self.node(each, name) for name, each in self.made.definitions.items()}
        top = self.node(self.made.root, "")
        root, form = plain_root(
            top if isinstance(top, dict) else {}, definitions, self.dialect, self.note
        )
        if self.draft and self.dialect.takes("$schema"):
            root = {"$schema": DRAFT, **root}
        if definitions:
            root = {**root, "$defs": definitions}
        if self.dialect.recursion_optional:
            for place, required in circles(root):
                if required:
                    self.loosen(root, place)
        return root, form

    def node(self, schema: Schema, fallback: str) -> Any:
        """One schema, and those within."""
        if not isinstance(schema, dict):
            return schema
        place = self.made.places.get(id(schema), fallback)
        made: dict[str, Any] = {}
        words = []
        for keyword, said in schema.items():
            if self.dialect.takes(keyword):
                made[keyword] = self.below(keyword, said, place)
            elif keyword == "const" and self.dialect.takes("enum"):
                made["enum"] = [said]
                self.note("schema.rewritten", f"{place}/const", "as enum")
            elif keyword not in ANNOTATIONS:
                words.append(phrase(keyword, said))
                self.note("schema.constraint", f"{place}/{keyword}", words[-1])
        say_items(made, self.dialect, place, self.note)
        if words:
            made["description"] = "; ".join([*filter(None, [made.get("description")]), *words])
        return self.referring(made, place) if "$ref" in made else made

    def below(self, keyword: str, said: Any, place: str) -> Any:
        """What stands under a keyword."""
        here = f"{place}/{keyword}"
        if keyword in ONE and isinstance(said, dict):
            return self.node(said, here)
        if keyword in LISTS and isinstance(said, list):
            return [self.node(each, f"{here}/{index}") for index, each in enumerate(said)]
        if keyword in MAPS and isinstance(said, dict):
            return {name: self.node(each, f"{here}/{escape(name)}") for name, each in said.items()}
        return thaw(said)

    def referring(self, made: dict[str, Any], place: str) -> dict[str, Any]:
        """A reference beside which something stands, where nothing may."""
        if self.dialect.references != "bare" or made.keys() == {"$ref"}:
            return made
        self.note("schema.rewritten", f"{place}/$ref", "stands by itself")
        about = {key: made[key] for key in made if key not in CONSTRAINTS and key != "$ref"}
        rest = {key: made[key] for key in made if key not in about and key != "$ref"}
        if not rest:
            return {"anyOf": [{"$ref": made["$ref"]}], **about}
        flat = Flattener(self.made.definitions, keep=True).flatten({"$ref": made["$ref"], **rest})
        one = flat[0] if len(flat) == 1 and isinstance(flat[0], dict) else {"anyOf": flat}
        return {**one, **about}

    def loosen(self, root: dict[str, Any], place: str) -> None:
        """Make a property optional whose reference closes a circle."""
        holder, _, name = place.rpartition("/properties/")
        *_, (_, node) = followed(root, holder)
        name = unescape(name)
        if name in node.get("required", ()):
            node["required"] = [each for each in node["required"] if each != name]
            self.note("schema.required", holder, f"{name} may be left out")


def plain(
    schema: dict[str, Any], dialect: Dialect, known: Modern, changes: Changes
) -> tuple[dict[str, Any], Form]:
    """The schema with the least changes that the target takes; `known` is its modern spelling."""
    if is_modern(schema):
        kept = Changes()
        made = amended(schema, dialect, kept.note)
        if not findings(made, dialect):
            for change in kept.all:
                changes.note(*change)
            return made, SAME
    return Surgeon(known, dialect, changes.note, "$schema" in schema).operate()
