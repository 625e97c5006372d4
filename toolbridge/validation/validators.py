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


def checker_of(name: str, schema: JSON) -> Any:
    """The validator of jsonschema for a schema. Raises ToolDefinitionError if it is none."""
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for
    from referencing.jsonschema import EMPTY_REGISTRY

    from toolbridge.schemas.modern import SchemaProblem, is_modern, modern, whole

    kind = validator_for(schema, default=Draft202012Validator)
    try:
        if "$schema" not in schema and not is_modern(schema):
            schema = whole(modern(schema))
        kind.check_schema(schema)
    except SchemaProblem as error:
        place = error.pointer or "the top"
        raise ToolDefinitionError(f"{name}: no JSON Schema: at {place}: {error.message}") from None
    except SchemaError as error:
        place = "/".join(map(str, error.absolute_path)) or "the top"
        raise ToolDefinitionError(f"{name}: no JSON Schema: at {place}: {error.message}") from None
    return kind(schema, registry=EMPTY_REGISTRY, format_checker=kind.FORMAT_CHECKER)


def schema_validator(name: str, schema: JSON) -> Callable[[dict[str, JSON]], dict[str, Any]]:
    """Arguments checked against a JSON Schema, by jsonschema: draft 2020-12 unless it says, in
    which older spellings are read too (`schemas.modern`). Formats are checked. References are
    looked up in the schema alone, never on the net."""
    from referencing.exceptions import Unresolvable

    checker = checker_of(name, schema)

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
