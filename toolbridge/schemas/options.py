"""The ways to write a value, made one schema and one form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from toolbridge.schemas.dialect import Dialect
from toolbridge.schemas.forms import (
    ENTRIES,
    JSON_TEXT,
    SAME,
    Coded,
    Entries,
    Form,
    Text,
    Wrapped,
)
from toolbridge.schemas.keywords import listed
from toolbridge.schemas.snippets import closed_object, sentence
from toolbridge.schemas.unions import Branch, Side, Union
from toolbridge.schemas.words import TYPES, Schema

EVERY: Final = frozenset(TYPES) - {"integer"}


class Option(NamedTuple):
    """One way to write a value: the schema, the form, the types of its values on either side,
    the flat schema that it stands for, and words for its description."""

    schema: dict[str, Any]
    form: Form
    kinds: frozenset[str]
    written: frozenset[str]
    original: Schema
    words: tuple[str, ...] = ()


def joined(
    options: list[Option],
    dialect: Dialect,
    definitions: Mapping[str, Schema],
    written: Mapping[str, Schema],
) -> tuple[dict[str, Any], Form, tuple[str, ...]]:
    """One schema of several options, the form that tells them apart, and what to say of it."""
    options = merged_scalars(apart(options, dialect), dialect)
    if len(options) == 1:
        return options[0].schema, options[0].form, options[0].words
    options = [option._replace(schema=worded(option)) for option in options]
    branches = [
        Branch(
            Side(option.original, option.kinds, definitions),
            Side(option.schema, option.written, written),
            option.form,
        )
        for option in options
    ]
    form = Union(branches) if any(option.form is not SAME for option in options) else SAME
    if not dialect.type_lists:
        rest = [option for option in options if option.schema != {"type": "null"}]
        if len(rest) < len(options):
            made, _, words = joined(
                [each._replace(words=()) for each in rest], dialect, definitions, written
            )
            return made | {"nullable": True}, form, words
    return {"anyOf": [option.schema for option in options]}, form, ()


def worded(option: Option) -> dict[str, Any]:
    """The schema of one option of several, with its words."""
    text = sentence(option.schema.get("description"), option.words)
    return {**option.schema, **({"description": text} if text else {})}


def apart(options: list[Option], dialect: Dialect) -> list[Option]:
    """Options of which none is a list of entries beside one that is a list of its own, or a text
    that stands for a value beside one that is a text of its own."""

    def kept(option: Option) -> Option:
        others = [each for each in options if each is not option]
        if isinstance(option.form, Entries) and any("array" in each.written for each in others):
            return boxed(option, ENTRIES, dialect)
        coded = isinstance(option.form, (Text, Coded))
        if coded and not all(is_other_text(option, each) for each in others):
            return boxed(option, JSON_TEXT, dialect)
        return option

    return list(map(kept, options)) if len(options) > 1 else options


def is_other_text(option: Option, other: Option) -> bool:
    """Whether no text of one option can be one of another."""
    if "string" not in other.written:
        return True
    few, others = option.schema.get("enum"), other.schema.get("enum")
    return few is not None and others is not None and not set(few) & set(others)


def boxed(option: Option, name: str, dialect: Dialect) -> Option:
    """An option as the one property of an object."""
    return option._replace(
        schema=closed_object(dialect, {name: worded(option)}),
        form=Wrapped(name, option.form),
        written=frozenset({"object"}),
        words=(),
    )


def merged_scalars(options: list[Option], dialect: Dialect) -> list[Option]:
    """Options that say nothing but a type, as one with a list of types; twins once."""
    kept: list[Option] = []
    for option in options:
        if not any(is_twin(option, each) for each in kept):
            kept.append(option)
    plain = [each for each in kept if is_bare(each)]
    if len(plain) < 2 or not dialect.type_lists:
        return kept
    kinds = frozenset(kind for each in plain for kind in each.kinds)
    types = list(dict.fromkeys(kind for each in plain for kind in listed(each.schema["type"])))
    one = Option({"type": types}, SAME, kinds, kinds, {"type": types})
    at = kept.index(plain[0])
    rest = [each for each in kept if each not in plain]
    return [*rest[:at], one, *rest[at:]]


def is_bare(option: Option) -> bool:
    """Whether an option says nothing but a type."""
    return option.schema.keys() == {"type"} and option.form is SAME and not option.words


def is_twin(one: Option, other: Option) -> bool:
    """Whether two options are written alike."""
    return one.form is other.form and (one.schema, one.words) == (other.schema, other.words)
