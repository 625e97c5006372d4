"""Objects in the subset of a target: closed, with entries for what they hold beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from toolbridge.identifiers import WordMap
from toolbridge.locate import escape
from toolbridge.schemas.compiler import Compiler, Written
from toolbridge.schemas.flatten import about
from toolbridge.schemas.forms import (
    ABSENT,
    KEY,
    SAME,
    Entries,
    Form,
    Object,
    Property,
    matches,
    pruned,
)
from toolbridge.schemas.merge import types_of
from toolbridge.schemas.options import EVERY, Option
from toolbridge.schemas.scalars import constrain, drop_unknown, in_words, only
from toolbridge.schemas.snippets import closed_object, entry_list, sentence
from toolbridge.schemas.unions import Side
from toolbridge.schemas.words import Schema

EXTRAS: Final = "additional_properties"
"""The property that holds the entries for which an object names no property."""

OBJECT: Final = frozenset({"object"})


class Parts(NamedTuple):
    """What a flat schema says of an object: the properties that there may be, which are
    required, and the schemas of further ones by pattern (None: any key)."""

    properties: dict[str, Schema]
    required: list[str]
    others: list[tuple[str | None, Schema]]


def options(compiler: Compiler, flat: dict[str, Any], place: str, level: int) -> list[Option]:
    """An object: with its properties, or as a list of entries if it names none."""
    parts = parts_of(compiler, flat, place, level)
    if parts is None:
        return []
    dialect = compiler.dialect
    if dialect.nesting is not None and level >= dialect.nesting:
        compiler.note("schema.encoded", place, "too deep: as JSON text")
        return [compiler.encoded(only(flat, "object"))._replace(kinds=OBJECT)]
    drop_unknown(compiler, flat, place)
    if not parts.properties and level and (parts.others or not dialect.empty_objects):
        return [as_entries(compiler, flat, parts, place, level)]
    return [as_object(compiler, flat, parts, place, level)]


def parts_of(compiler: Compiler, flat: dict[str, Any], place: str, level: int) -> Parts | None:
    """The parts of an object; None if nothing fits it."""
    patterns = flat.get("patternProperties", {})
    further = flat.get("additionalProperties")
    properties = {
        name: member for name, member in flat.get("properties", {}).items() if member is not False
    }
    required = list(dict.fromkeys(flat.get("required", ())))
    for name in required:
        if name not in properties:
            known = named(flat, name)
            if known is False:
                return None
            properties[name] = known
            compiler.note("schema.rewritten", f"{place}/required", f"{name} gets a schema")
    others: list[tuple[str | None, Schema]] = [
        (pattern, member) for pattern, member in patterns.items() if member is not False
    ]
    named_some = flat.get("properties") is not None or bool(patterns) or not level
    literal = compiler.literal and compiler.dialect.closed
    implied = further is None and named_some and not literal
    if implied and compiler.dialect.closed:
        compiler.note("schema.closed", place, "further properties are not said to be there")
    elif further is not False and (patterns or not implied):
        others.append((None, {} if further is None else further))
    return Parts(properties, required, others)


def named(flat: Mapping[str, Any], name: str) -> Schema:
    """The schema of a property that is required and not named."""
    if flat.get("properties", {}).get(name) is False:
        return False
    for pattern, member in flat.get("patternProperties", {}).items():
        if matches(pattern, name):
            return member  # type: ignore[no-any-return]
    further = flat.get("additionalProperties")
    return {} if further is None else further


def as_object(
    compiler: Compiler, flat: dict[str, Any], parts: Parts, place: str, level: int
) -> Option:
    """An object with its properties, and with a list for further entries."""
    dialect = compiler.dialect
    names = written_names(compiler, parts, place, level)
    made: dict[str, Any] = {}
    known: dict[str, Property] = {}
    required, needed = [], set(parts.required)
    for name, member in parts.properties.items():
        below = f"{place}/properties/{escape(name)}"
        found = compiler.node(member, below, level + 1)
        absent: tuple[Any, ...] = ()
        if name in needed or dialect.all_required:
            required.append(names[name])
        if name not in needed and dialect.all_required:
            found, absent = optional(compiler, found, member, below)
        made[names[name]] = found.schema
        known[name] = Property(names[name], found.form, absent)
    if dialect.all_required and len(parts.required) < len(parts.properties):
        compiler.note("schema.rewritten", f"{place}/required", "all properties are required")
    extras = further(compiler, parts, made, required, place, level)
    schema: dict[str, Any] = {"type": "object", "properties": made}
    if required or dialect.all_required:
        schema["required"] = required
    words = limits(compiler, flat, schema, place, extras is not None)
    form = pruned(Object(known, extras))
    schema = compiler.describe(schema, about(flat), place, form)
    return Option(schema, form, OBJECT, OBJECT, only(flat, "object"), tuple(words))


def limits(
    compiler: Compiler, flat: dict[str, Any], schema: dict[str, Any], place: str, extras: bool
) -> list[str]:
    """What else is said of an object: that it is closed, numbers of properties, their names. With
    `extras` some of them are no properties as it is written, so that their number is another."""
    words: list[str] = []
    if compiler.dialect.closed:
        schema["additionalProperties"] = False
    elif flat.get("additionalProperties") is False:
        constrain(compiler, schema, "additionalProperties", False, place, words)
    for keyword in ("minProperties", "maxProperties"):
        if keyword in flat and not extras:
            constrain(compiler, schema, keyword, flat[keyword], place, words)
    for keyword in ("propertyNames", *(("minProperties", "maxProperties") if extras else ())):
        if keyword in flat:
            in_words(compiler, keyword, flat[keyword], place, words)
    return words


def written_names(compiler: Compiler, parts: Parts, place: str, level: int) -> dict[str, str]:
    """The names of properties as the target takes them, no two alike."""
    dialect = compiler.dialect
    expression = dialect.keys or (dialect.root_keys if not level else None)
    if expression is None:
        return {name: name for name in parts.properties}
    limits = (expression, dialect.key_length)
    return renamed(compiler.note, parts.properties, parts.required, limits, place)


def renamed(
    note: Any,
    properties: Mapping[str, Schema],
    required: Iterable[str],
    dialect: tuple[str, int],
    place: str,
) -> dict[str, str]:
    """Names that match an expression and have at most so many characters; those that do already
    stay."""
    words = WordMap(*dialect)
    fitting = [name for name in properties if words.accepts(name)]
    made = {name: words.take(name) for name in fitting}
    if any(name not in made for name in required):
        note("schema.renamed", f"{place}/required", "by the names that are written")
    for name in properties:
        if name not in made:
            made[name] = words.take(name)
            note(
                "schema.renamed",
                f"{place}/properties/{escape(name)}",
                f"{name!r} is written as {made[name]!r}",
            )
    return {name: made[name] for name in properties}


def optional(
    compiler: Compiler, found: Written, member: Schema, below: str
) -> tuple[Written, tuple[Any, ...]]:
    """A property that may be left out, where all are required: null stands for its absence, or
    a mark where null has a meaning of its own."""
    schema, form = found
    takes_null = may_be_null(compiler, member)
    default = member.get("default", 0) if isinstance(member, dict) else 0
    if takes_null and default is None:
        compiler.note("schema.null_default", below, "null, which is its default, if left out")
        return found, (None,)
    compiler.note("schema.rewritten", below, "required, with a value for its absence")
    if not takes_null:
        return Written(nullable(compiler, schema), form), (None,)
    mark = closed_object(compiler.dialect, {"absent": {"type": "boolean"}})
    mark["description"] = 'Left out: {"absent": true}'
    return Written(with_option(schema, mark), form), (ABSENT,)


def may_be_null(compiler: Compiler, member: Schema) -> bool:
    """Whether the original takes null for a property."""
    return Side(member, EVERY, compiler.made.definitions).admits(None)


def nullable(compiler: Compiler, schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that takes null besides."""
    kind = schema.get("type")
    if compiler.dialect.type_lists and isinstance(kind, (str, list)) and kind != "object":
        if not schema.keys() & {"enum", "const", "items"}:
            kinds = [kind] if isinstance(kind, str) else kind
            return {**schema, "type": [*kinds, *(["null"] if "null" not in kinds else [])]}
    return with_option(schema, {"type": "null"})


def with_option(schema: dict[str, Any], option: dict[str, Any]) -> dict[str, Any]:
    """A schema with one more option; what it says of itself stays outside."""
    outside: dict[str, Any] = {}
    outside |= {key: schema[key] for key in ("title", "description") if key in schema}
    rest = {key: schema[key] for key in schema if key not in outside}
    if rest.keys() == {"anyOf"}:
        members = rest["anyOf"]
        twin = option in members
        return {"anyOf": members if twin else [*members, option], **outside}
    return {"anyOf": [rest, option], **outside}


def further(
    compiler: Compiler,
    parts: Parts,
    made: dict[str, Any],
    required: list[str],
    place: str,
    level: int,
) -> tuple[Property, Entries] | None:
    """The property for further entries, if there may be any."""
    if not parts.others:
        return None
    schema, entries = entries_of(compiler, parts, place, level + 1)
    name = EXTRAS
    while name in made:
        name += "_"
    absent: tuple[Any, ...] = ()
    schema["description"] = "Further properties, as a list of entries"
    if compiler.dialect.all_required:
        required.append(name)
        schema, absent = with_option(schema, {"type": "null"}), (None,)
    made[name] = schema
    compiler.note("schema.rewritten", place, f"further properties stand in {name}")
    return Property(name, SAME, absent), entries


def entries_of(
    compiler: Compiler, parts: Parts, place: str, level: int
) -> tuple[dict[str, Any], Entries]:
    """A list of entries: the value of each by the pattern that its key matches."""
    forms: list[tuple[str | None, Form]] = []
    found: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for pattern, member in parts.others:
        below = "/additionalProperties"
        if pattern is not None:
            below = f"/patternProperties/{escape(pattern)}"
        value = compiler.node(member, place + below, level + 2)
        key: dict[str, Any] = {"type": "string"}
        words: list[str] = []
        if pattern is not None:
            constrain(compiler, key, "pattern", pattern, place + below, words)
        if words:
            key["description"] = sentence("", words)
        forms.append((pattern, value.form))
        found.append((key, value.schema))
    lists = [entry_list(compiler.dialect, key, value) for key, value in found]
    made = lists[0]
    if len(lists) > 1:
        made["items"] = {"anyOf": [each["items"] for each in lists]}
    return made, Entries(forms)


def as_entries(
    compiler: Compiler, flat: dict[str, Any], parts: Parts, place: str, level: int
) -> Option:
    """A map as a list of entries."""
    if not parts.others:
        compiler.note("schema.rewritten", place, "an object of nothing, as an empty list")
        parts = parts._replace(others=[(None, {})])
    made, entries = entries_of(compiler, parts, place, level)
    words = ["an object, as a list of entries"]
    for keyword, other in (("minProperties", "minItems"), ("maxProperties", "maxItems")):
        if keyword in flat:
            constrain(compiler, made, other, flat[keyword], f"{place}/{keyword}", words)
    if "propertyNames" in flat:
        key_names(compiler, flat, made, place, words)
    compiler.note("schema.rewritten", place, "a map as a list of entries")
    made = compiler.describe(made, about(flat), place, entries)
    kinds = frozenset({"array"})
    return Option(made, entries, OBJECT, kinds, only(flat, "object"), tuple(words))


def key_names(
    compiler: Compiler, flat: dict[str, Any], made: dict[str, Any], place: str, words: list[str]
) -> None:
    """What the keys of a map must be, said of the key of each entry."""
    said = flat["propertyNames"]
    below = f"{place}/propertyNames"
    whole = isinstance(said, dict) and "anyOf" not in made["items"]
    found = compiler.node({"type": "string", **said}, below, 0) if whole else None
    if found is not None and found.form is SAME and types_of(found.schema) == frozenset({"string"}):
        made["items"]["properties"][KEY] = found.schema
        return
    in_words(compiler, "propertyNames", said, place, words)
