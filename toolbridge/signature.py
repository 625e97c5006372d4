"""What a function says of itself: parameters as JSON Schema, words for the model, a validator.

Types go through pydantic (https://docs.pydantic.dev/latest/concepts/json_schema), docstrings
through docstring_parser (google, numpy and sphinx style). Both are loaded when the first tool is
made, not before.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from toolbridge.checkpoint.provenance import Sourced, take_sources
from toolbridge.errors import ToolDefinitionError
from toolbridge.plain_schema import plain
from toolbridge.validation.validators import validator
from toolbridge.values import JSON

GENERATORS = (
    collections.abc.Generator,
    collections.abc.Iterator,
    collections.abc.Iterable,
    collections.abc.AsyncGenerator,
    collections.abc.AsyncIterator,
    collections.abc.AsyncIterable,
)
"""What a generator may be annotated with; the type of its result is the last argument of
Generator, and unknown for the others."""


class Signature(NamedTuple):
    """A function as a tool: `validate` gives keyword arguments for a JSON object or raises
    ValueError with words for the model; `context` is the name of the parameter that the loop
    fills, `sourced` which arguments come from earlier results."""

    description: str | None
    parameters: JSON
    output_schema: JSON
    validate: Callable[[dict[str, JSON]], dict[str, Any]]
    context: str | None
    sourced: Sourced | None = None


class FreeText(NamedTuple):
    """A function of one text as a tool: the name of its `parameter`, and that of the one that
    the loop fills."""

    description: str | None
    parameter: str
    context: str | None


def read_signature(function: Callable[..., Any], context_type: type) -> Signature:
    """The Signature of a function. Raises ToolDefinitionError where it cannot be a tool."""
    hints = hints_of(function)
    fields, context = fields_of(function, hints, context_type)
    told = documented(function)
    adapter, schema = arguments_type(name_of(function), fields, hints)
    for name, parameter in fields.items():
        describe(schema["properties"][name], parameter, told.parameters.get(name))
    offered, sourced = take_sources(ordered(schema), adapter)
    return Signature(
        told.text,
        offered,
        output_of(hints.get("return", inspect.Parameter.empty)),
        validator(adapter, offered),
        context,
        sourced,
    )


def read_free_text(function: Callable[..., Any], context_type: type) -> FreeText:
    """A function of one text. Raises ToolDefinitionError where it wants anything else."""
    hints = hints_of(function)
    fields, context = fields_of(function, hints, context_type)
    kinds = {name: typing.get_args(hints[name]) or (hints[name],) for name in fields}
    if [kind[0] for kind in kinds.values()] != [str]:
        raise ToolDefinitionError(
            f"{name_of(function)}: a tool of free text takes one parameter of type str, not "
            f"({', '.join(fields)}). Take one, or leave out kind='custom'"
        )
    (name,) = fields
    told = documented(function)
    words = [each for each in (told.text, told.parameters.get(name)) if each]
    return FreeText("\n\n".join(words) or None, name, context)


def fields_of(
    function: Callable[..., Any], hints: Mapping[str, Any], context_type: type
) -> tuple[dict[str, inspect.Parameter], str | None]:
    """The parameters that the model gives, and the name of the one that the loop fills. What a
    `functools.partial` gives already is nobody's to give."""
    given = bound_names(function)
    parameters = inspect.signature(function).parameters
    fields = {name: each for name, each in parameters.items() if name not in given}
    context = next((name for name in fields if is_context(hints.get(name), context_type)), None)
    fields.pop(context or "", None)
    for name, parameter in fields.items():
        check_parameter(function, parameter, name in hints)
    return fields, context


def bound_names(function: Callable[..., Any]) -> frozenset[str]:
    """The names of the keyword arguments that partials give."""
    names: set[str] = set()
    while isinstance(function, functools.partial):
        names |= function.keywords.keys()
        function = function.func
    return frozenset(names)


def written(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as somebody wrote it: without partials, and the method of a callable."""
    while isinstance(function, functools.partial):
        function = function.func
    return function if inspect.isroutine(function) else type(function).__call__


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of a function, resolved."""
    if inspect.isclass(function):
        raise ToolDefinitionError(f"{name_of(function)} is a class: pass a function or a method")
    try:
        return typing.get_type_hints(written(function), include_extras=True)
    except (NameError, AttributeError, TypeError, SyntaxError) as error:
        raise ToolDefinitionError(
            f"{name_of(function)}: an annotation cannot be resolved ({error}). "
            "Import its type at module level, outside of TYPE_CHECKING"
        ) from None


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function, or of the class of a callable."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", type(function).__name__)


def is_context(hint: Any, context_type: type) -> bool:
    """Whether an annotation is the loop's context, bare, with a type of data, or optional."""
    origin = typing.get_origin(hint)
    return context_type in (hint, origin) or any(
        context_type in (each, typing.get_origin(each)) for each in typing.get_args(hint)
    )


def check_parameter(
    function: Callable[..., Any], parameter: inspect.Parameter, annotated: bool
) -> None:
    """Raise where a model cannot give a parameter."""
    name = name_of(function)
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        raise ToolDefinitionError(
            f"{name}: the model cannot give {parameter}. Name each parameter, or pass a "
            "JSON Schema: tool(schema=...)"
        )
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise ToolDefinitionError(f"{name}: {parameter.name} is positional only. Remove the `/`")
    if not annotated and parameter.name in ("self", "cls"):
        raise ToolDefinitionError(
            f"{name} is a method without its object. Make a tool of the bound one: "
            f"tool(thing.{name})"
        )
    if type(parameter.default).__name__ == "FieldInfo":
        raise ToolDefinitionError(
            f"{name}: Field(...) is no default of {parameter.name}. Write "
            f"{parameter.name}: Annotated[..., Field(...)], and the default after it"
        )
    if not annotated:
        raise ToolDefinitionError(
            f"{name}: the parameter {parameter.name} has no type. Annotate it, such as "
            f"{parameter.name}: str"
        )


def arguments_type(
    name: str, fields: Mapping[str, Any], hints: Mapping[str, Any]
) -> tuple[Any, dict[str, JSON]]:
    """A pydantic adapter for the arguments as one object, and its schema. A TypedDict, so that
    no name of a parameter collides with a method of a model."""
    from typing import NotRequired

    from pydantic import ConfigDict, PydanticUserError, TypeAdapter
    from typing_extensions import TypedDict

    kinds = {
        field: hints[field] if parameter.default is parameter.empty else NotRequired[hints[field]]
        for field, parameter in fields.items()
    }
    make: Any = TypedDict
    arguments = make(name, kinds)
    arguments.__pydantic_config__ = ConfigDict(extra="forbid")
    try:
        adapter = TypeAdapter(arguments)
        return adapter, plain(adapter.json_schema())
    except (PydanticUserError, NameError) as error:
        raise ToolDefinitionError(
            f"{name}: a type has no JSON Schema. {str(error).splitlines()[0]}"
        ) from None


def describe(schema: dict[str, JSON], parameter: inspect.Parameter, told: str | None) -> None:
    """Add what the docstring and the default say of a parameter."""
    if told and "description" not in schema:
        schema["description"] = told
    default = parameter.default
    if default is None:
        drop_null(schema)
    elif default is not parameter.empty:
        schema |= told_default(default)


def drop_null(schema: dict[str, JSON]) -> None:
    """Where null is the default, absence says it."""
    kind = schema.get("type")
    if isinstance(kind, list):
        kinds = [each for each in kind if each != "null"]
        schema["type"] = kinds[0] if len(kinds) == 1 else kinds
    union = schema.get("anyOf")
    if isinstance(union, list):
        others = [each for each in union if each != {"type": "null"}]
        del schema["anyOf"]
        schema |= others[0] | schema if len(others) == 1 else {"anyOf": others}


def told_default(default: Any) -> dict[str, JSON]:
    """A default as the schema tells it; nothing where JSON cannot say it."""
    from pydantic_core import PydanticSerializationError, to_json
    from pydantic_core import from_json as parsed

    try:
        return {"default": parsed(to_json(default, inf_nan_mode="constants"), allow_inf_nan=False)}
    except (PydanticSerializationError, ValueError):
        return {}


def ordered(schema: dict[str, JSON]) -> dict[str, JSON]:
    """A schema of an object with its keys in the usual order."""
    first = ("type", "properties", "required", "additionalProperties")
    head = {key: schema[key] for key in first if key in schema}
    return head | {key: member for key, member in schema.items() if key not in first}


class Documented(NamedTuple):
    """What a docstring says of a function and of its parameters."""

    text: str | None
    parameters: dict[str, str]


def documented(function: Callable[..., Any]) -> Documented:
    """The words of a docstring. One that breaks the rules of its style is text all the same."""
    while isinstance(function, functools.partial):
        function = function.func
    own = written(function)
    text = inspect.getdoc(own) if own.__doc__ or own is function else inspect.getdoc(function)
    if not text:
        return Documented(None, {})
    from docstring_parser import ParseError, parse

    try:
        parsed = parse(text)
    except ParseError:
        return Documented(text, {})
    said = [part for part in (parsed.short_description, parsed.long_description) if part]
    parameters = {each.arg_name: each.description for each in parsed.params if each.description}
    return Documented("\n\n".join(said) or None, parameters)


def output_of(hint: Any) -> JSON:
    """The JSON Schema of what a function returns; None where text or anything comes back."""
    if typing.get_origin(hint) in GENERATORS:
        arguments = typing.get_args(hint)
        hint = arguments[2] if len(arguments) == 3 else Any
    if hint in (inspect.Parameter.empty, None, type(None), str, Any):
        return None
    from pydantic import PydanticUserError, TypeAdapter

    try:
        return plain(TypeAdapter(hint).json_schema(mode="serialization"))
    except (PydanticUserError, NameError):
        return None
