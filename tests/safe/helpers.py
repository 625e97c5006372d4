"""Values given to a type in both ways: through a tool with pydantic, and plainly."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from jsonschema import Draft202012Validator

import toolbridge as tb
from toolbridge.safe import ArgumentType


def tool_of(kind: ArgumentType, annotation: Any = str) -> tb.Tool:
    """A tool with one argument of this type."""

    def use(argument: Any) -> None: ...

    use.__annotations__ = {"argument": Annotated[annotation, kind], "return": None}
    return tb.tool(use)


def offered(kind: ArgumentType, annotation: Any = str) -> dict[str, Any]:
    """The schema of the argument as the model sees it; the type says the same by itself."""
    parameters: Any = tool_of(kind, annotation).spec
    schema: dict[str, Any] = parameters.parameters["properties"]["argument"]
    assert schema == kind.json_schema()
    Draft202012Validator.check_schema(schema)
    return schema


def fits(kind: ArgumentType, value: Any) -> bool:
    """Whether the JSON Schema takes a value."""
    return Draft202012Validator(kind.json_schema()).is_valid(value)


def refusal(kind: ArgumentType, value: Any, annotation: Any = str) -> str:
    """The words of the refusal, the same in both ways, the tool's with the argument's name."""
    with pytest.raises(ValueError) as plain:
        kind.check(value)
    with pytest.raises(ValueError) as typed:
        tool_of(kind, annotation).validate({"argument": value})
    assert str(typed.value).startswith(f"- argument: {plain.value}")
    return str(plain.value)


def given(kind: ArgumentType, value: Any, annotation: Any = str) -> Any:
    """What the function gets, the same in both ways."""
    taken = tool_of(kind, annotation).validate({"argument": value})["argument"]
    assert taken == kind.check(value)
    return taken


def may_be(kind: ArgumentType, value: Any) -> Any:
    """What the function gets; None where the value is refused."""
    try:
        return kind.check(value)
    except ValueError:
        return None
