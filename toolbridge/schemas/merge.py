"""The intersection of two flat JSON Schemas of draft 2020-12, and whether they have one.

A schema is flat if no allOf, anyOf, oneOf, if or $ref stands at its top. Children are not merged
but put into an allOf, so nothing here goes down into a schema.

`unevaluatedProperties` and `unevaluatedItems` of the left see what the right evaluates, as those
of a schema see what its allOf evaluates.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from toolbridge.schemas.instances import equal, is_of, type_of
from toolbridge.schemas.words import TYPES, Schema
from toolbridge.values import JSON, same

Keywords = Mapping[str, Any]
Unsaid = list[tuple[str, JSON]]

APPLICATORS: Final = frozenset({"allOf", "anyOf", "oneOf", "if", "then", "else", "$ref"})
"""The keywords that a flat schema does not have."""

NUMBERS: Final = frozenset({"number", "integer"})

RANGES: Final = (
    (NUMBERS, "minimum", "maximum", operator.gt),
    (NUMBERS, "minimum", "exclusiveMaximum", operator.ge),
    (NUMBERS, "exclusiveMinimum", "maximum", operator.ge),
    (NUMBERS, "exclusiveMinimum", "exclusiveMaximum", operator.ge),
    ({"string"}, "minLength", "maxLength", operator.gt),
    ({"array"}, "minItems", "maxItems", operator.gt),
    ({"object"}, "minProperties", "maxProperties", operator.gt),
)
"""Types, a lower and an upper bound of their values, and when nothing is left between them."""

NAMED: Final = ("properties", "patternProperties", "additionalProperties")
CONTAINS: Final = ("contains", "minContains", "maxContains")
SEEN: Final = {
    "unevaluatedProperties": {*NAMED, "dependentSchemas"},
    "unevaluatedItems": {"prefixItems", "items", "contains"},
}
"""The keywords that evaluate what these two then leave alone."""


class Merged(NamedTuple):
    """What accepts exactly what both schemas accept, False if nothing does. It accepts more only
    where something is `unsaid`: constraints that one schema cannot say beside the others."""

    schema: Schema
    unsaid: tuple[tuple[str, JSON], ...]


def merge(left: Schema, right: Schema) -> Merged:
    """The intersection of two flat schemas. It shares their parts."""
    if not isinstance(left, dict) or not isinstance(right, dict):
        return Merged(False, ())
    if not left or not right or same(left, right):
        return Merged(left or right, ())
    unsaid: Unsaid = []
    for key, seen in SEEN.items():
        if right.get(key, {}) != {} and not seen.isdisjoint(left):
            tell(unsaid, key, right)
    keys = union(left, right)
    met = {key: meet(key, left, right, unsaid) for key in keys if key not in GROUPS}
    for group in dict.fromkeys(GROUPS[key] for key in keys if key in GROUPS):
        met |= group(left, right, unsaid)
    made = {key: met[key] for key in keys if key in met}
    empty = common_values(left, right) == [] or disjoint(made, {}, 1)
    return Merged(False, ()) if empty else Merged(made, tuple(unsaid))


def disjoint(left: Schema, right: Schema, depth: int = 3) -> bool:
    """Whether it is certain that no value fits both of two flat schemas; it looks that deep."""
    if not (isinstance(left, dict) and isinstance(right, dict)) or APPLICATORS & {*left, *right}:
        return left is False or right is False
    values = common_values(left, right)
    if values is not None:
        return not values
    return all(
        is_empty(kind, left, right) or (kind == "object" and have_clash(left, right, depth))
        for kind in intersect_types(types_of(left), types_of(right))
    )


def types_of(schema: Schema) -> frozenset[str]:
    """The JSON types that a flat schema admits by type, enum and const. "number" stands for
    integers too, and then alone."""
    if not isinstance(schema, dict):
        return frozenset()
    values = common_values(schema, {})
    kinds = frozenset(types_said(schema) if values is None else map(type_of, values))
    return kinds - {"integer"} if "number" in kinds else kinds


def is_empty(kind: str, left: Keywords, right: Keywords) -> bool:
    """Whether the bounds of two schemas leave no value of a type."""
    return any(
        misses(max(lows), min(highs))
        for kinds, low, high, misses in RANGES
        if kind in kinds and (lows := said(low, left, right)) and (highs := said(high, left, right))
    )


def have_clash(left: Keywords, right: Keywords, depth: int) -> bool:
    """Whether a property must be there for which two schemas have no common value."""
    return depth > 0 and any(
        disjoint(one, two, depth - 1)
        for names in said("required", left, right)
        for name in names
        for one in told(left, name) or [{}]
        for two in told(right, name) or [{}]
    )


def types_said(schema: Keywords) -> list[str]:
    """The types that a schema lists; all if it lists none."""
    listed = schema.get("type", TYPES)
    return [listed] if isinstance(listed, str) else list(listed)


def intersect_types(left: Iterable[str], right: Collection[str]) -> list[str]:
    """The types of both, in the order of the left; the integers are a part of the numbers."""
    known = {*right} if NUMBERS.isdisjoint(right) else {*right, *NUMBERS}
    found = (each if each in right else "integer" for each in left if each in known)
    return [*dict.fromkeys(found)]


def common_values(left: Keywords, right: Keywords) -> list[JSON] | None:
    """The values in enum and const that fit both schemas by type; None if neither lists any."""
    lists = [[each] for each in said("const", left, right)] + said("enum", left, right)
    kinds = [frozenset(types_said(each)) for each in (left, right)]

    def fits(item: JSON) -> bool:
        known = all(
            item in each and any(equal(item, other) for other in each) for each in lists[1:]
        )
        return known and all(is_of(each, item) for each in kinds)

    return [*filter(fits, lists[0])] if lists else None


def meet(key: str, left: Keywords, right: Keywords, unsaid: Unsaid) -> JSON:
    """What both schemas say by a keyword alone."""
    if key not in left or key not in right or same(left[key], right[key]) or key not in RULES:
        return said(key, left, right)[0]
    met = RULES[key](left[key], right[key])
    if met is None:
        tell(unsaid, key, right)
    return left[key] if met is None else met


def said(key: str, *schemas: Keywords) -> list[Any]:
    """What those of the schemas that have a keyword say by it."""
    return [schema[key] for schema in schemas if key in schema]


def tell(unsaid: Unsaid, key: str, *schemas: Keywords) -> None:
    """Add what schemas say by a keyword, once."""
    for constraint in said(key, *schemas):
        if not any(key == each[0] and same(constraint, each[1]) for each in unsaid):
            unsaid.append((key, constraint))


def union(left: Iterable[str], right: Iterable[str]) -> list[str]:
    """The words of both, in order, each once."""
    return [*dict.fromkeys((*left, *right))]


def lazily(*schemas: Schema) -> Schema:
    """A schema for what fits all of these."""
    kept: list[Schema] = []
    for schema in schemas:
        if schema is False:
            return False
        if schema != {} and not any(same(schema, other) for other in kept):
            kept.append(schema)
    return {"allOf": kept} if len(kept) > 1 else next(iter(kept), {})


def by_name(join: Callable[[Any, Any], JSON]) -> Callable[[Any, Any], dict[str, JSON]]:
    """A rule for what stands under names."""
    return lambda left, right: {
        **left,
        **{name: join(left[name], right[name]) if name in left else right[name] for name in right},
    }


def common_types(left: JSON, right: JSON) -> JSON:
    """The types of both, one of them without a list."""
    kinds = intersect_types(types_said({"type": left}), types_said({"type": right}))
    return kinds[0] if len(kinds) == 1 else kinds


def common_multiple(left: Any, right: Any) -> JSON:
    """The number whose multiples are those of both."""
    from fractions import Fraction

    one, two = Fraction(str(left)), Fraction(str(right))
    if one.denominator == two.denominator == 1:
        return math.lcm(int(one), int(two))
    small, large = sorted((one, two))
    if small <= 0 or large % small:
        return None
    return left if large == one else right


RULES: Final[Mapping[str, Callable[[Any, Any], JSON]]] = {
    "type": common_types,
    **dict.fromkeys(("minimum", "exclusiveMinimum"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum"), min),
    **dict.fromkeys(("minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maxLength", "maxItems", "maxProperties"), min),
    "multipleOf": common_multiple,
    **dict.fromkeys(("pattern", "format", "contentEncoding", "contentMediaType"), lambda *_: None),
    "uniqueItems": operator.or_,
    "required": union,
    "dependentRequired": by_name(union),
    "dependentSchemas": by_name(lazily),
    "propertyNames": lazily,
    "not": lambda left, right: {"anyOf": [left, right]},
    **dict.fromkeys(SEEN, lazily),
}
"""What two different values of a keyword make, None if they cannot be said together. The left's
word counts where it is no constraint."""


# groups of keywords: what two schemas say by all of them


def meet_values(left: Keywords, right: Keywords, _: Unsaid) -> dict[str, JSON]:
    """enum and const."""
    values = common_values(left, right) or []
    return {"const": values[0]} if values and "enum" not in {*left, *right} else {"enum": values}


def meet_names(left: Keywords, right: Keywords, unsaid: Unsaid) -> dict[str, JSON]:
    """properties, patternProperties and additionalProperties."""
    patterns = by_name(lazily)(patterns_of(left, right, unsaid), patterns_of(right, left, unsaid))
    return {
        "properties": {
            name: lazily(*told(left, name, closes(right)), *told(right, name, closes(left)))
            for name in union(left.get("properties", ()), right.get("properties", ()))
        },
        **({"patternProperties": patterns} if patterns else {}),
        "additionalProperties": lazily(*said("additionalProperties", left, right)),
    }


def patterns_of(own: Keywords, other: Keywords, unsaid: Unsaid) -> dict[str, Schema]:
    """The patterns of a schema, each with what the other says of names that it does not know.

    No keyword says: names that match a pattern and are none of the other's. Where the other takes
    no property but those that it lists, what the patterns say stands there.
    """
    others = other.get("patternProperties", {})
    rest, names = other.get("additionalProperties", {}), other.get("properties", {})
    unclear = "properties" in own and any(matches(each, "") is None for each in others)
    made: dict[str, Schema] = {}
    for pattern, schema in own.get("patternProperties", {}).items():
        if closes(other) and matches(pattern, "") is not None:
            continue
        settled = schema is False or pattern in others
        mixed = others or any(matches(pattern, name) is not False for name in names)
        made[pattern] = schema if settled or mixed else lazily(schema, rest)
        unclear = unclear or bool(mixed and not settled)
    if unclear and rest != {}:
        tell(unsaid, "additionalProperties", other)
    return made


def closes(schema: Keywords) -> bool:
    """Whether a schema takes no properties but those that it lists."""
    return schema.get("additionalProperties") is False and not schema.get("patternProperties")


def told(schema: Keywords, name: str, every: bool = True) -> list[Schema]:
    """What a schema says of the property of a name; of one that it lists what its patterns say
    is left out without `every`. A pattern that Python cannot read may match or not."""
    patterns, properties = schema.get("patternProperties", {}), schema.get("properties", {})
    found = {pattern: matches(pattern, name) for pattern in patterns}
    matched = [patterns[pattern] for pattern in patterns if found[pattern]]
    if name in properties:
        return [properties[name], *(matched if every else ())]
    return matched if matched or None in found.values() else said("additionalProperties", schema)


def matches(pattern: str, name: str) -> bool | None:
    """Whether a pattern matches a name; None if Python cannot read it."""
    try:
        return re.search(pattern, name) is not None
    except (re.error, OverflowError, RecursionError):
        return None


def meet_items(left: Keywords, right: Keywords, _: Unsaid) -> dict[str, JSON]:
    """prefixItems and items."""
    longest = max(len(each.get("prefixItems", ())) for each in (left, right))

    def told_at(index: int, schema: Keywords) -> list[Schema]:
        return schema.get("prefixItems", [])[index : index + 1] or said("items", schema)

    return {
        "prefixItems": [
            lazily(*told_at(index, left), *told_at(index, right)) for index in range(longest)
        ],
        "items": lazily(*said("items", left, right)),
    }


def meet_contains(left: Keywords, right: Keywords, unsaid: Unsaid) -> dict[str, JSON]:
    """contains with its counts, which say nothing alone."""
    made: dict[str, JSON] = {}
    held = [each for each in (left, right) if "contains" in each]
    if len(held) == 2 and not same(left["contains"], right["contains"]):
        for key in CONTAINS:
            tell(unsaid, key, right)
        # Items that the right's contains matches would be evaluated, if it were said.
        tell(unsaid, "unevaluatedItems", left, right)
        made["unevaluatedItems"] = {}
        held = [left]
    if held:
        made["contains"] = held[0]["contains"]
        made["minContains"] = max(each.get("minContains", 1) for each in held)
    if most := said("maxContains", *held):
        made["maxContains"] = min(most)
    return made


GROUPS: Final[Mapping[str, Callable[[Keywords, Keywords, Unsaid], dict[str, JSON]]]] = {
    **dict.fromkeys(("enum", "const"), meet_values),
    **dict.fromkeys(NAMED, meet_names),
    **dict.fromkeys(("prefixItems", "items"), meet_items),
    **dict.fromkeys(CONTAINS, meet_contains),
}
"""The constraints that say something together, and the function that merges them."""
