"""Scalars and enums in the subset of a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolbridge.arguments import dump
from toolbridge.schemas.check import compiled
from toolbridge.schemas.compiler import Compiler, Writer
from toolbridge.schemas.flatten import about
from toolbridge.schemas.forms import SAME, Coded
from toolbridge.schemas.instances import type_of
from toolbridge.schemas.options import Option
from toolbridge.schemas.unions import Side
from toolbridge.schemas.words import CONSTRAINTS, Schema, of_type, phrase

if TYPE_CHECKING:
    from toolbridge.values import JSON


def of_type_named(kind: str) -> Writer:
    """The writer of a scalar type."""
    return lambda compiler, flat, place, level: [option(compiler, flat, kind, place)]


def option(compiler: Compiler, flat: dict[str, Any], kind: str, place: str) -> Option:
    """A string, number, integer, boolean or null."""
    made: dict[str, Any] = {"type": kind}
    words: list[str] = []
    for keyword in of_type(kind):
        if keyword in flat:
            constrain(compiler, made, keyword, flat[keyword], place, words)
    drop_unknown(compiler, flat, place)
    made = compiler.describe(made, about(flat), place, SAME)
    kinds = frozenset({kind})
    return Option(made, SAME, kinds, kinds, only(flat, kind), tuple(words))


def only(flat: Schema, kind: str) -> Schema:
    """A flat schema that admits one of its types only."""
    return {**flat, "type": kind} if isinstance(flat, dict) else flat


def constrain(
    compiler: Compiler,
    made: dict[str, Any],
    keyword: str,
    said: JSON,
    place: str,
    words: list[str],
) -> None:
    """A constraint as the target takes it, or in words."""
    if taken(compiler, made, keyword, said):
        made[keyword] = said
        return
    whole = made.get("type") == "integer" and isinstance(said, int)
    nearest = {"exclusiveMinimum": ("minimum", 1), "exclusiveMaximum": ("maximum", -1)}
    if keyword in nearest and whole and compiler.dialect.takes(nearest[keyword][0]):
        other, step = nearest[keyword]
        pick = max if step > 0 else min
        made[other] = pick(made.get(other, said + step), said + step)
        compiler.note("schema.rewritten", f"{place}/{keyword}", f"as {other}")
        return
    if keyword == "minItems" and compiler.dialect.takes(keyword) and said:
        made[keyword] = compiler.dialect.least_items
    in_words(compiler, keyword, said, place, words)


def in_words(compiler: Compiler, keyword: str, said: JSON, place: str, words: list[str]) -> None:
    """A constraint that the target does not take."""
    words.append(phrase(keyword, said))
    compiler.note("schema.constraint", f"{place}/{keyword}", words[-1])


def taken(compiler: Compiler, made: dict[str, Any], keyword: str, said: JSON) -> bool:
    """Whether a target takes a constraint as it is."""
    dialect, kind = compiler.dialect, made.get("type")
    if not dialect.takes(keyword):
        return False
    if keyword == "format" and dialect.formats is not None:
        return said in dialect.formats.get(str(kind), ())
    if keyword == "pattern" and dialect.refused_patterns is not None:
        return compiled(dialect.refused_patterns).search(said) is None
    if keyword == "minItems" and dialect.least_items is not None:
        return bool(said <= dialect.least_items)
    return True


def drop_unknown(compiler: Compiler, flat: dict[str, Any], place: str) -> None:
    """Keywords that decide nothing are left out."""
    for keyword in flat:
        if keyword not in CONSTRAINTS and keyword not in about(flat):
            compiler.note("schema.annotation", f"{place}/{keyword}")


def listed(compiler: Compiler, flat: dict[str, Any], place: str, level: int) -> list[Option]:
    """The values of an enum or a const, an option for each type of them."""
    keyword = "const" if "const" in flat else "enum"
    values = [flat["const"]] if keyword == "const" else list(flat["enum"])
    valid = Side(flat, frozenset(), compiler.made.definitions)  # by the keywords beside it
    values = [each for each in values if valid.admits(each)]
    groups: dict[str, list[JSON]] = {}
    for each in values:
        groups.setdefault(type_of(each), []).append(each)
    drop_unknown(compiler, flat, place)
    if keyword == "const" and not compiler.dialect.takes("const"):
        compiler.note("schema.rewritten", f"{place}/const", "as enum")
    made = []
    for kind, members in groups.items():
        made.append(of_kind(compiler, kind, members, place, keyword))
    if about(flat) and made:
        first = made[0]
        schema = compiler.describe(first.schema, about(flat), place, first.form)
        made[0] = first._replace(schema=schema)
    return made


def of_kind(compiler: Compiler, kind: str, members: list[JSON], place: str, keyword: str) -> Option:
    """The values of one type."""
    dialect = compiler.dialect
    kinds = frozenset({kind})
    original: Schema = {"enum": members}
    if kind == "null":
        return Option({"type": "null"}, SAME, kinds, kinds, original)
    scalar = kind not in ("array", "object")
    direct = dialect.enum_types is None or kind in dialect.enum_types
    if scalar and direct and "" not in (members if dialect.enum_types is not None else ()):
        single = keyword == "const" and dialect.takes("const")
        said = {"const": members[0]} if single else {"enum": members}
        return Option({"type": kind, **said}, SAME, kinds, kinds, original)
    if kind == "boolean" and len(members) == 2:
        return Option({"type": kind}, SAME, kinds, kinds, original)
    compiler.note("schema.rewritten", f"{place}/{keyword}", "each value as a text")
    values = coded(members)
    made = {"type": "string", "enum": list(values)}
    return Option(made, Coded(values), kinds, frozenset({"string"}), original)


def coded(members: list[JSON]) -> dict[str, JSON]:
    """The values by the texts that stand for them, no two alike."""
    values: dict[str, JSON] = {}
    for each in members:
        text = each if isinstance(each, str) else dump(each)
        text = text or "(empty)"
        while text in values:
            text += "_"
        values[text] = each
    return values
