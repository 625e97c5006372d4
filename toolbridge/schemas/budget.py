"""What the strict tools of one request may have between them."""

from __future__ import annotations

from typing import NamedTuple

from toolbridge.schemas.dialect import Dialect
from toolbridge.schemas.words import nodes
from toolbridge.values import JSON


class Spent(NamedTuple):
    """Strict tools so far, their parameters that may be left out, and those of several types."""

    tools: int = 0
    optional: int = 0
    unions: int = 0


def spend(spent: Spent, schema: JSON, dialect: Dialect) -> Spent | str:
    """The budget with one more strict tool, or what of it does not last."""
    optional, unions = parameters(schema)
    made = Spent(spent.tools + 1, spent.optional + optional, spent.unions + unions)
    limits = (dialect.strict_tools, dialect.optional_parameters, dialect.union_parameters)
    names = ("strict tools", "optional parameters", "parameters of several types")
    for count, limit, name in zip(made, limits, names, strict=True):
        if limit is not None and count > limit:
            return f"a request may have {limit} {name}, with this tool it would have {count}"
    return made


def parameters(schema: JSON) -> tuple[int, int]:
    """The parameters of a schema that may be left out, and those of several types. Those behind
    a reference do not count (pydantic-ai 2.68.0, _anthropic_schema_limits.py, 2026-11)."""
    optional = unions = 0
    for _, node in nodes(schema, definitions=False):
        properties = node.get("properties", {})
        optional += len(properties.keys() - set(node.get("required", ())))
        unions += sum(map(is_union, properties.values()))
    return optional, unions


def is_union(schema: JSON) -> bool:
    """Whether a parameter has several types."""
    return isinstance(schema, dict) and ("anyOf" in schema or isinstance(schema.get("type"), list))
