"""The values in a value that a function gets, each beside its type.

After validation an argument may be a model, a dataclass, a set. Which alias it was written under,
or whether a validator made it of something else, no longer matters.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbridge.checkpoint.marked_types import Node, shown_name

LISTS: Final = (list, tuple, set, frozenset, deque)
"""What has items."""

WRAPPED: Final = ("schema", "python_schema", "lax_schema", "strict_schema", "arguments_schema")
"""Keys under which a type stands that is about the same value."""


class Member(NamedTuple):
    """A type and a value of it. `name` is None for the same value under another type; `config` is
    that of the model around it."""

    node: Node
    value: Any
    name: str | None = None
    config: Any = None


class Mismatch(Exception):
    """A value is not what its type says; the app's own validators may give anything."""


def members(node: Node, value: Any) -> list[Member]:
    """What is in a value of a type, and the same value under the types that this one is made of.
    References and unions are the caller's. Raises Mismatch."""
    if isinstance(node.get("items_schema"), (list, tuple)):
        return tuple_members(node, value)
    if "items_schema" in node:
        return item_members(node, value)
    if "keys_schema" in node or "values_schema" in node:
        return entry_members(node, value)
    if isinstance(node.get("arguments_schema"), list):
        return field_members({each["name"]: each for each in node["arguments_schema"]}, value)
    if "fields" in node and node["type"] != "dataclass":
        return list(object_members(node, value))
    return wrapped_members(node, value)


def wrapped_members(node: Node, value: Any) -> list[Member]:
    """The same value under the types that a type is made of."""
    kind = node["type"]
    if kind == "nullable" and value is None:
        return []
    if kind in ("model", "dataclass") and not isinstance(value, node["cls"]):
        raise Mismatch
    if kind == "model" and node.get("root_model"):
        return [Member(node["schema"], value.root, "", node.get("config"))]
    config = node.get("config")
    steps = [*node.get("steps", ()), *(node[key] for key in WRAPPED if key in node)]
    return [Member(each, value, None, config) for each in steps]


def item_members(node: Node, value: Any) -> list[Member]:
    """The items of a list, a set, ..."""
    if not isinstance(value, LISTS):
        raise Mismatch
    items: Iterable[Any] = value
    return [Member(node["items_schema"], each, str(index)) for index, each in enumerate(items)]


def tuple_members(node: Node, value: Any) -> list[Member]:
    """The items of a tuple, where one type of its may stand for any number of them."""
    if not isinstance(value, LISTS):
        raise Mismatch
    kinds = list(node["items_schema"])
    more = len(value) - len(kinds)
    variadic = node.get("variadic_item_index")
    if variadic is not None:
        kinds[variadic : variadic + 1] = [kinds[variadic]] * (more + 1)
    if len(kinds) != len(value):
        raise Mismatch
    return [
        Member(kind, each, str(index))
        for index, (kind, each) in enumerate(zip(kinds, value, strict=True))
    ]


def entry_members(node: Node, value: Any) -> list[Member]:
    """The keys and values of a mapping."""
    if not isinstance(value, Mapping):
        raise Mismatch
    kinds = [node[key] for key in ("keys_schema", "values_schema") if key in node]
    parts = (
        (kind, key if kind is node.get("keys_schema") else each, key)
        for key, each in value.items()
        for kind in kinds
    )
    return [Member(kind, part, str(key)) for kind, part, key in parts]


def object_members(node: Node, value: Any) -> Iterator[Member]:
    """The fields of a model, a dataclass, a TypedDict, a NamedTuple, and what it has beside."""
    given = node["fields"]
    fields = given if isinstance(given, dict) else {each["name"]: each for each in given}
    yield from field_members(fields, value)
    extras = node.get("extras_schema")
    if extras is not None:
        more = value if isinstance(value, Mapping) else getattr(value, "__pydantic_extra__", None)
        for name, each in (more or {}).items():
            if name not in fields:
                yield Member(extras, each, str(name))


def field_members(fields: Mapping[str, Node], value: Any) -> list[Member]:
    """The fields that were given: a default of the app's was not made up."""
    found = dict(fields_given(value))
    return [
        Member(field["schema"], found[name], shown_name(name, field))
        for name, field in fields.items()
        if name in found
    ]


def fields_given(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of an object, by name, that are no defaults of the app's. Raises Mismatch for
    what has none."""
    if isinstance(value, Mapping):
        yield from value.items()
    elif hasattr(value, "__pydantic_fields_set__"):
        yield from model_fields(value)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            each = getattr(value, field.name, field.default)
            if not is_equal(each, field.default):
                yield field.name, each
    else:
        yield from named_items(value)


def named_items(value: Any) -> Iterator[tuple[str, Any]]:
    """The items of a NamedTuple, by name. Raises Mismatch for anything else."""
    names = getattr(type(value), "_fields", None)
    if names is None or not isinstance(value, tuple):
        raise Mismatch
    yield from zip(names, value, strict=True)


def model_fields(model: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a model that are no defaults. A default that is made of the other arguments
    is the model's doing: https://docs.pydantic.dev/latest/concepts/fields/#default-values."""
    given = model.__pydantic_fields_set__
    fields = type(model).__pydantic_fields__
    for name, each in vars(model).items():
        field = fields.get(name)
        if field is None or name in given:
            yield name, each
        elif field.default_factory is not None:
            if field.default_factory_takes_validated_data:
                yield name, each
        elif not field.validate_default and not is_equal(each, field.default):
            yield name, each


def is_equal(first: Any, second: Any) -> bool:
    """Whether two values are of one class and equal."""
    try:
        return type(first) is type(second) and bool(first == second)
    except Exception:  # classes of the app's fail in any way
        return False
