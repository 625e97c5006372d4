"""Arguments checked before a call, and what is wrong with them in words for the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from toolbridge.errors import ToolDefinitionError
from toolbridge.validation.fault_examples import explained
from toolbridge.validation.faults import ArgumentsError, Path, named, short
from toolbridge.validation.lax import Change, mend
from toolbridge.validation.schema_faults import schema_faults
from toolbridge.validation.schema_faults import wrong_paths as wrong_in_schema
from toolbridge.validation.type_faults import type_faults, words_of
from toolbridge.validation.type_faults import wrong_paths as wrong_in_types
from toolbridge.values import JSON, thaw

__all__ = [
    "Accepted",
    "accept",
    "checker_of",
    "schema_validator",
    "short",
    "told_error",
    "validator",
]

Validate = Callable[[dict[str, JSON]], dict[str, Any]]


class Accepted(NamedTuple):
    """Arguments that fit: `values` as the function takes them, its own to change, and `arguments`
    as JSON, with what was changed in those that the model wrote."""

    values: dict[str, Any]
    arguments: dict[str, JSON]
    changes: tuple[Change, ...]


def accept(validate: Validate, schema: JSON, arguments: dict[str, JSON]) -> Accepted:
    """Arguments validated, after `lax.mend` where the model wrote other types than the schema has.

    What is valid as it came is never refused for what it was mended to. Raises what `validate`
    raises for arguments that do not fit; an ArgumentsError has the faults of the mended ones, and
    the values that it shows are those that the model wrote.
    """
    mended = mend(schema, arguments)
    try:
        return Accepted(validate(thaw(mended.arguments)), *mended)
    except ArgumentsError as error:
        if not mended.changes:
            raise
        fault = error.given(arguments)
    try:
        return Accepted(validate(thaw(arguments)), arguments, ())
    except ValueError:
        raise fault from None


def validator(adapter: Any, schema: JSON = None) -> Validate:
    """Arguments as the types of the function want them, by a pydantic adapter; they raise
    ArgumentsError. `schema` is their JSON Schema as the model sees it, for examples and names; that
    of the adapter if there is none. An example is validated before it is shown, so validators of
    the app's run several times on arguments that do not fit."""

    def validate(arguments: dict[str, JSON]) -> dict[str, Any]:
        from pydantic import ValidationError

        try:
            return adapter.validate_python(arguments)  # type: ignore[no-any-return]
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
        known = adapter.json_schema() if schema is None else schema
        faults = type_faults(errors, known, arguments)

        def wrong(changed: JSON) -> Iterable[Path]:
            try:
                adapter.validate_python(changed)
            except ValidationError as error:
                told = error.errors(include_url=False, include_input=False)
                return wrong_in_types(told, changed)
            except Exception:  # a validator of the app's: nothing is known of the example
                return [()]
            return ()

        raise ArgumentsError(explained(faults, known, arguments, wrong), known, arguments)

    return validate


def told_error(error: Any) -> str:
    """One error of pydantic, in words for the model."""
    place = named(error["loc"])
    if error["type"] == "missing":
        return f"- {place}: missing"
    return f"- {place}: {words_of(error)} (given: {short(error['input'])})"


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


def schema_validator(name: str, schema: JSON) -> Validate:
    """Arguments checked against a JSON Schema, by jsonschema: draft 2020-12 unless it says, in
    which older spellings are read too (`schemas.modern`); they raise ArgumentsError. Formats are
    checked. References are looked up in the schema alone, never on the net."""
    from referencing.exceptions import Unresolvable

    checker = checker_of(name, schema)

    def wrong(changed: JSON) -> Iterable[Path]:
        return wrong_in_schema(checker.iter_errors(changed))

    def validate(arguments: dict[str, JSON]) -> dict[str, Any]:
        try:
            faults = schema_faults(checker.iter_errors(arguments))
            told = explained(faults, checker.schema, arguments, wrong)
        except Unresolvable as error:
            raise ToolDefinitionError(
                f"{name}: the schema refers to what it does not hold: {error}"
            ) from None
        if faults:
            raise ArgumentsError(told, checker.schema, arguments)
        return arguments

    return validate
