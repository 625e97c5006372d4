"""Arrays in the subset of a target; tuples by position."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from toolbridge.schemas.compiler import Compiler
from toolbridge.schemas.flatten import about
from toolbridge.schemas.forms import Form, Items, Positions, pruned
from toolbridge.schemas.objects import as_object, parts_of
from toolbridge.schemas.options import Option
from toolbridge.schemas.scalars import constrain, drop_unknown, in_words, only
from toolbridge.schemas.words import Schema
from toolbridge.values import same

ARRAY: Final = frozenset({"array"})
MORE: Final = "more_items"
MOST_POSITIONS: Final = 100


def options(compiler: Compiler, flat: dict[str, Any], place: str, level: int) -> list[Option]:
    """An array of one kind of items, or a tuple."""
    dialect = compiler.dialect
    if dialect.nesting is not None and level >= dialect.nesting:
        compiler.note("schema.encoded", place, "too deep: as JSON text")
        return [compiler.encoded(only(flat, "array"))._replace(kinds=ARRAY)]
    drop_unknown(compiler, flat, place)
    first = flat.get("prefixItems", [])
    if not first:
        return [of_items(compiler, flat, place, level)]
    if all(same(one, two) for one, two in pairwise(uniform(flat, first))):
        compiler.note("schema.rewritten", f"{place}/prefixItems", "as items, all alike")
        return [of_items(compiler, {**flat, "items": first[0]}, place, level)]
    return [of_positions(compiler, flat, first, place, level)]


def uniform(flat: dict[str, Any], first: list[Schema]) -> list[Schema]:
    """The schemas of all items that there may be."""
    rest = flat.get("items", {})
    full = rest is False or flat.get("maxItems", len(first) + 1) <= len(first)
    return first if full else [*first, rest]


def of_items(compiler: Compiler, flat: dict[str, Any], place: str, level: int) -> Option:
    """An array of items that are all alike."""
    flat = bounded(flat)
    item = flat.get("items", {})
    if item is False:
        item = {"type": "string"}
    found = compiler.node(item, f"{place}/items", level + 1)
    made: dict[str, Any] = {"type": "array", "items": found.schema}
    words = bounds(compiler, flat, made, place)
    form = pruned(Items((), found.form))
    made = compiler.describe(made, about(flat), place, form)
    return Option(made, form, ARRAY, ARRAY, only(flat, "array"), tuple(words))


def bounded(flat: dict[str, Any]) -> dict[str, Any]:
    """An array schema in which the place for no more items is a number."""
    first = flat.get("prefixItems", [])
    rest = {key: flat[key] for key in flat if key != "prefixItems"}
    closed = flat.get("items") is False or "maxItems" in flat
    if flat.get("items") is False or (first and closed):
        most = len(first) if flat.get("items") is False else flat["maxItems"]
        rest["maxItems"] = min(most, flat.get("maxItems", most))
    return rest


def bounds(compiler: Compiler, flat: dict[str, Any], made: dict[str, Any], place: str) -> list[str]:
    """The numbers of items, and what else is said of them."""
    words: list[str] = []
    for keyword in ("minItems", "maxItems", "uniqueItems"):
        if flat.get(keyword, False) is not False:
            constrain(compiler, made, keyword, flat[keyword], place, words)
    for keyword in ("contains", "minContains", "maxContains"):
        if keyword in flat:
            in_words(compiler, keyword, flat[keyword], place, words)
    return words


def of_positions(
    compiler: Compiler, flat: dict[str, Any], first: list[Schema], place: str, level: int
) -> Option:
    """A tuple as an object with a property for each position."""
    names = [f"item_{index + 1}" for index in range(len(first))]
    rest = flat.get("items", {})
    room = flat.get("maxItems", len(first) + 1) > len(first)
    properties: dict[str, Schema] = dict(zip(names, first, strict=True))
    if rest is not False and room:
        properties[MORE] = {"type": "array", "items": rest, "description": "The items after"}
    needed = names[: flat.get("minItems", 0)]
    stood = {
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": False,
    }
    parts = parts_of(compiler, stood, place, level)
    if parts is None or len(first) > MOST_POSITIONS:
        return compiler.encoded(only(flat, "array"))._replace(kinds=ARRAY)
    inside = as_object(compiler, stood, parts, place, level)
    form: Form = Positions(names, MORE, inside.form)
    given = {key: flat[key] for key in flat if key not in ("minItems", "maxItems")}
    left = flat.get("minItems", 0) > len(first), flat.get("maxItems", 0) > len(first)
    for keyword, over in zip(("minItems", "maxItems"), left, strict=True):
        given |= {keyword: flat[keyword]} if over else {}
    words = ["a list, by position", *spoken(compiler, given, place)]
    compiler.note("schema.rewritten", f"{place}/prefixItems", "as properties by position")
    made = compiler.describe(inside.schema, about(flat), place, form)
    kinds = frozenset({"object"})
    return Option(made, form, ARRAY, kinds, only(flat, "array"), tuple(words))


def spoken(compiler: Compiler, flat: dict[str, Any], place: str) -> list[str]:
    """The constraints of a tuple, in words."""
    words: list[str] = []
    for keyword in ("minItems", "maxItems", "uniqueItems", "contains", "minContains"):
        if flat.get(keyword, False) is not False:
            in_words(compiler, keyword, flat[keyword], place, words)
    return words
