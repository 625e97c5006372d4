"""Structured output: the last answer as a type of the app's.

By the vendor's own means where there is one (a JSON Schema of the output), else by a tool that
stands for the answer and must be called in the end.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from toolbridge.checkpoint.provenance import without_marks
from toolbridge.errors import ToolDefinitionError
from toolbridge.loop.results import refuse, result_of
from toolbridge.loop.state import Plan
from toolbridge.parts import ToolCall, ToolResult
from toolbridge.plain_schema import plain
from toolbridge.response import Response
from toolbridge.tools import OutputFormat, ToolSpec
from toolbridge.validation.validators import told_error
from toolbridge.values import JSON

OUTPUT_TOOL = "final_answer"
"""The name of the tool that stands for the answer."""


@dataclasses.dataclass(frozen=True)
class Parsed:
    """What came of the output in one answer: the value, or a fault to tell the model."""

    output: Any = None
    done: bool = False
    fault: str | None = None


NOTHING = Parsed()

MALFORMED = (
    "Your last call of a tool could not be read. Call it again, with arguments that are one JSON "
    "object after its schema, or answer without it."
)
MISFIT, NO_JSON = "The answer does not fit the schema:", "The answer is no JSON"
NOT_CALLED, UNCHECKED = "Give the answer by calling the tool", "The answer could not be checked."
OF_THE_LOOP = (MALFORMED, MISFIT, NO_JSON, NOT_CALLED, UNCHECKED)
"""How what the loop itself says to the model begins."""

ENDS = ("end", "stop_sequence", "tool_calls", "unknown")
"""Stop reasons after which text counts as the answer: the model came to an end by itself. Some
servers say that there are calls where there are none."""


def parse_output(plan: Plan, response: Response) -> Parsed:
    """The output that an answer holds. Text counts only where no call is left to be run."""
    if plan.output_type is None:
        return NOTHING
    given = [
        parse(plan.output_type, call.arguments)
        for call in response.tool_calls
        if call.name == plan.output_tool
    ]
    if given:
        return next((each for each in given if each.done), given[0])
    if response.tool_calls or response.broken_calls or response.stop_reason not in ENDS:
        return NOTHING
    if plan.output_tool is not None:
        return Parsed(fault=f"{NOT_CALLED} {plan.output_tool}.")
    return parse_text(plan.output_type, response.text)


def answer_output(plan: Plan, call: ToolCall) -> ToolResult:
    """The result of a call that stands for the answer."""
    fault = parse(plan.output_type, call.arguments).fault
    if fault is None:
        return result_of(call, "Taken.")
    return refuse(call, fault, "Call it again with arguments that fit its schema.")


def parse(output_type: Any, arguments: JSON) -> Parsed:
    """JSON as the type; what does not fit is a fault in words for the model."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return Parsed(
            TypeAdapter(output_type).validate_python(unwrapped(output_type, arguments)), True
        )
    except ValidationError as error:
        return Parsed(fault=faults(error))
    except Exception:  # validators are the app's own code, and fail in any way
        return Parsed(fault=f"{UNCHECKED} Answer again, in another way.")


def parse_text(output_type: Any, text: str) -> Parsed:
    """A JSON text as the type."""
    import json

    try:
        return parse(output_type, json.loads(text))
    except ValueError as error:
        return Parsed(fault=f"{NO_JSON} ({error}). Answer with JSON and nothing else.")


def faults(error: Any) -> str:
    """What does not fit, in words for the model."""
    lines = "\n".join(map(told_error, error.errors(include_url=False)))
    return f"{MISFIT}\n{lines}\nAnswer again."


WRAPPED = "value"
"""The property that holds an output that is no object: vendors want objects."""


def plain_schema(output_type: Any) -> dict[str, Any]:
    """The JSON Schema of an output."""
    from pydantic import PydanticUserError, TypeAdapter

    try:
        made: dict[str, Any] = without_marks(plain(TypeAdapter(output_type).json_schema()))
    except (PydanticUserError, NameError) as error:
        raise ToolDefinitionError(f"output={output_type!r} has no JSON Schema: {error}") from None
    return made


def schema_of(output_type: Any) -> dict[str, Any]:
    """The JSON Schema of an output, as an object with no further properties."""
    schema = plain_schema(output_type)
    if schema.get("type") != "object":
        definitions = schema.pop("$defs", None)
        wrapped = {"type": "object", "properties": {WRAPPED: schema}, "required": [WRAPPED]}
        schema = wrapped if definitions is None else {**wrapped, "$defs": definitions}
    made: dict[str, Any] = closed(schema)
    return made


def closed(schema: JSON) -> Any:
    """A schema in which no object takes further properties, unless it says otherwise: Anthropic
    and OpenAI take no other for an output (platform.claude.com, structured-outputs)."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(member) for key, member in schema.items()}
    if made.get("type") == "object" and "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def unwrapped(output_type: Any, arguments: JSON) -> JSON:
    """The inverse of what `schema_of` does with an output that is no object."""
    if isinstance(arguments, dict) and arguments.keys() == {WRAPPED}:
        if plain_schema(output_type).get("type") != "object":
            return arguments[WRAPPED]
    return arguments


def output_format(output_type: Any) -> OutputFormat:
    """The output as a setting of the request. Its name is of the letters that OpenAI takes
    (types/shared_params/response_format_json_schema.py): generic types have others."""
    name = re.sub(r"[^a-zA-Z0-9_-]+", "_", getattr(output_type, "__name__", "output"))[:64]
    return OutputFormat(kind="schema", schema=schema_of(output_type), name=name, strict=None)


def output_tool(output_type: Any) -> ToolSpec:
    """The tool that stands for the answer."""
    return ToolSpec(
        name=OUTPUT_TOOL,
        description="Give the final answer. Call it once, when you have all that it needs.",
        parameters=schema_of(output_type),
    )
