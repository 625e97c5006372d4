"""What holds of adapted tools over the real schemas, counted for one target at a time."""

from __future__ import annotations

import functools
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for
from referencing.jsonschema import EMPTY_REGISTRY

import toolbridge as tb
from acceptable.vendor_types import request_errors
from schemas.corpus_schemas import Real, real_schemas
from schemas.enforced import is_prevented
from toolbridge.registry import find
from toolbridge.schemas.check import findings
from toolbridge.schemas.dialect import Dialect, resolve_dialect
from toolbridge.schemas.instances import equal
from toolbridge.schemas.modern import modern, whole
from toolbridge.values import thaw

TARGETS: Final = (
    "anthropic",
    "anthropic strict",
    "openai-chat",
    "openai-chat strict",
    "openai-responses",
    "openai-responses strict",
    "gemini",
    "gemini:parameters",
)
FILE: Final = Path(__file__).with_name("figures.json")
"""The shares by target and family, in percent: docs/schemas.md shows them, a test holds them."""

BODIES: Final[dict[str, dict[str, Any]]] = {
    "anthropic": {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]},
    "openai-chat": {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    "openai-responses": {"model": "m", "input": "hi"},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
}
LOSSLESS: Final = frozenset({"schema.annotation", "schema.empty"})
"""Codes that concern no value."""


@dataclass
class Counted:
    """What was counted for one target; `problems` are breaches of what must hold always."""

    numbers: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def share(self, family: str, part: str, of: str) -> float:
        """A share in percent, of 100 where there is nothing to count."""
        total = self.numbers[family, of]
        return round(100 * self.numbers[family, part] / total, 2) if total else 100.0

    def add(self, family: str, name: str) -> None:
        """One more, in its family and in all."""
        self.numbers[family, name] += 1
        self.numbers["all", name] += 1


@functools.cache
def counted(target: str) -> Counted:
    """Every schema as a tool of its own for one target, and every instance as its arguments."""
    made = Counted()
    for real in real_schemas():
        measure(real, target, made)
    return made


def measure(real: Real, target: str, made: Counted) -> None:
    """One schema."""
    format, _, strict = target.partition(" ")
    before = json.dumps(real.schema)
    tool = {"name": "t", "description": "d", "input_schema": real.schema}
    adapted = tb.adapt_tools([tool], format, strict=bool(strict))
    if json.dumps(real.schema) != before:
        made.problems.append(f"{real.id}: the input was changed")
    schema, is_strict = written_schema(adapted.payload)
    dialect = dialect_of(format, is_strict)
    made.add(real.family, "schemas")
    made.add(real.family, "as strict as asked" if is_strict == bool(strict) else "not strict")
    refused = [*findings(schema, dialect), *typed(adapted.payload, format)]
    made.problems += [f"{real.id}: {finding}" for finding in refused]
    again = tb.adapt_tools(adapted.payload, format, strict=bool(strict), source=format)
    if again.payload != adapted.payload:
        made.problems.append(f"{real.id}: adapting the adapted changes it")
    instances(real, adapted, schema, dialect, made)


def written_schema(payload: Any) -> tuple[Any, bool]:
    """The schema of the one tool of a payload, and whether it is strict."""
    (tool,) = payload
    (tool,) = tool.get("functionDeclarations", [tool])
    tool = tool.get("function", tool)
    keys = ("input_schema", "parametersJsonSchema", "parameters")
    schema = next((tool[key] for key in keys if key in tool), {"type": "object", "properties": {}})
    return lower(schema), tool.get("strict") is True


def lower(schema: Any) -> Any:
    """A schema with Google's upper-case types as JSON Schema writes them."""
    from toolbridge_google.openapi import lower_types

    return lower_types(schema)


def dialect_of(format: str, strict: bool) -> Dialect:
    """What a target takes."""
    adapter, profile = find(format)
    return resolve_dialect(adapter.schemas, strict, profile, None)


def typed(payload: Any, format: str) -> list[str]:
    """What the types of the vendor's SDK, closed, say of the tools."""
    name = format.partition(":")[0]
    return request_errors({**BODIES[name], "tools": thaw(payload)}, name)


def validator(schema: Any) -> Any:
    """The validator of jsonschema for a schema, by its draft."""
    kind = validator_for(schema, default=Draft202012Validator)
    return kind(schema, registry=EMPTY_REGISTRY)


def instances(
    real: Real, adapted: tb.AdaptedTools, schema: Any, dialect: Dialect, made: Counted
) -> None:
    """All instances of one schema."""
    original = validator(real.schema)
    readable = schema if dialect.type_lists else whole(modern(schema))
    written = validator(readable)
    lossy = any(
        not loss.reversible and loss.code not in LOSSLESS and loss.severity == "warning"
        for loss in adapted.losses
    )
    for valid, data in real.instances:
        forward = adapted.forward("t", data)[1]
        back = adapted.restore("t", forward)[1]
        accepted = written.is_valid(forward)
        if valid:
            kept = accepted and equal(back, data)
            made.add(real.family, "valid")
            made.add(real.family, "kept" if kept else "lost")
            if not kept and not lossy:
                made.problems.append(f"{real.id}: a valid instance is lost without a loss")
        elif not original.is_valid(data):
            count_invalid(real, original, data, (back, accepted), dialect, made)


def count_invalid(
    real: Real,
    original: Any,
    data: Any,
    found: tuple[Any, bool],
    dialect: Dialect,
    made: Counted,
) -> None:
    """An instance that the original refuses."""
    back, accepted = found
    made.add(real.family, "invalid")
    made.add(real.family, "let through" if accepted else "refused")
    if accepted and original.is_valid(back) and not equal(filled(back), filled(data)):
        made.problems.append(f"{real.id}: an invalid instance comes back valid")
    if any(is_prevented(error, dialect) for error in original.iter_errors(data)):
        made.add(real.family, "preventable")
        made.add(real.family, "not prevented" if accepted else "prevented")


def filled(item: Any) -> Any:
    """A value without members that are null, which stand for what is left out where a target
    wants every property, and with all scalars as text, as some targets want enums."""
    if isinstance(item, list):
        return [filled(each) for each in item]
    if isinstance(item, dict):
        return {key: filled(each) for key, each in item.items() if each is not None}
    return item if isinstance(item, str) else json.dumps(item)


def figures(target: str) -> dict[str, Any]:
    """The shares of a target, in all and by family."""
    made = counted(target)
    families = sorted({family for family, _ in made.numbers} - {"all"})
    return {
        "as strict as asked": made.share("all", "as strict as asked", "schemas"),
        "valid kept": made.share("all", "kept", "valid"),
        "invalid refused": made.share("all", "refused", "invalid"),
        "preventable refused": made.share("all", "prevented", "preventable"),
        "families": {family: made.share(family, "kept", "valid") for family in families},
    }


if __name__ == "__main__":
    FILE.write_text(
        json.dumps({target: figures(target) for target in TARGETS}, indent=2) + "\n",
        encoding="utf-8",
    )
