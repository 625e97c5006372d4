"""Arguments checked before a call, and what is wrong with them in words for the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolbridge.errors import ToolDefinitionError
from toolbridge.values import JSON


def validator(adapter: Any) -> Callable[[dict[str, JSON]], dict[str, Any]]:
    """Arguments as the types of the function want them, by a pydantic adapter."""

    def validate(arguments: dict[str, JSON]) -> dict[str, Any]:
        from pydantic import ValidationError

        try:
            return adapter.validate_python(arguments)  # type: ignore[no-any-return]
        except ValidationError as error:
            raise ValueError("\n".join(map(told_error, error.errors(include_url=False)))) from None

    return validate


def told_error(error: Any) -> str:
    """One fault of the arguments, in words for the model."""
    place = ".".join(map(str, error["loc"])) or "the arguments"
    given = "" if error["type"] == "missing" else f" (given: {short(error['input'])})"
    return f"- {place}: {error['msg']}{given}"


def short(item: Any) -> str:
    """A value in a few words."""
    text = repr(item)
    return text if len(text) <= 80 else f"{text[:77]}..."


def schema_validator(name: str, schema: JSON) -> Callable[[dict[str, JSON]], dict[str, Any]]:
    """Arguments checked against a JSON Schema, by jsonschema (draft 2020-12 unless it says).
    References are looked up in the schema alone, never on the net."""
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import EMPTY_REGISTRY

    kind = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        place = "/".join(map(str, error.absolute_path)) or "the top"
        raise ToolDefinitionError(f"{name}: no JSON Schema: at {place}: {error.message}") from None
    checker = kind(schema, registry=EMPTY_REGISTRY)

    def validate(arguments: dict[str, JSON]) -> dict[str, Any]:
        try:
            faults = [
                f"- {'.'.join(map(str, fault.absolute_path)) or 'the arguments'}: {fault.message}"
                for fault in checker.iter_errors(arguments)
            ]
        except Unresolvable as error:
            raise ToolDefinitionError(
                f"{name}: the schema refers to what it does not hold: {error}"
            ) from None
        if faults:
            raise ValueError("\n".join(faults))
        return arguments

    return validate
