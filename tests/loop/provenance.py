"""What the tests of provenance share: evidence, and whether a value is refused with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import TypeAdapter

import toolbridge as tb
from toolbridge.checkpoint.evidence import Evidence
from toolbridge.checkpoint.grounds import unfounded
from toolbridge.checkpoint.provenance import From, Sourced, take_sources, with_sources
from toolbridge.plain_schema import plain

FIND_USER = (None, "find_user")
NAMES = (FIND_USER, (None, "find_order"), (None, "orders.get"), (None, "orders"))
USER = From("find_user.user_id")
OR_USER = From("find_user.user_id", or_user=True)
UserId = Annotated[str, USER]
SEVEN = {"user_id": "U-7"}
HINT = "Take it from the result of find_user (user_id); never make it up."


def result(*parts: Any, is_error: bool | None = None) -> tb.ToolResult:
    """A result of text for strings and of JSON for all else."""
    made = [tb.Text(text=each) if isinstance(each, str) else tb.Json(value=each) for each in parts]
    return tb.ToolResult(call_id="call", parts=tuple(made), is_error=is_error)


def evidence(given: Mapping[str, Any], *user: str) -> Evidence:
    """What tools gave, by name, and what the user wrote."""
    made = Evidence()
    for text in user:
        made.add_user(text)
    for tool, value in given.items():
        made.add_result((None, tool), result(value))
    return made


def sources_of(kind: Any) -> Sourced:
    """The sources of one argument `x` of a type."""
    schema = plain(TypeAdapter(kind).json_schema())
    sourced = take_sources({"type": "object", "properties": {"x": schema}})[1]
    assert sourced is not None
    return sourced


def sources_of_whole(kind: Any) -> Sourced:
    """The sources of all arguments as one type."""
    schema = plain(TypeAdapter(kind).json_schema())
    sourced = take_sources(schema)[1]
    assert sourced is not None
    return sourced


def refused(kind: Any, value: Any, found: Evidence, namespace: str | None = None) -> list[str]:
    """The lines for the argument `x` of a typed tool, of a type and with a value as the model
    writes it."""

    def consume(x: Any) -> None:
        """A tool."""

    consume.__annotations__ = {"x": kind, "return": None}
    return told(tb.tool(consume), {"x": value}, found, namespace)


def told(
    tool: tb.Tool, arguments: dict[str, Any], found: Evidence, namespace: str | None = None
) -> list[str]:
    """The lines for arguments of a typed tool."""
    values = tool.validate(arguments)
    sources = tool.handling.sources
    return unfounded(sources, arguments, found, NAMES, namespace=namespace, values=values)


def is_refused(value: Any, source: From, found: Evidence) -> bool:
    """Whether the argument `x` with one source is refused."""
    marked = with_sources({"properties": {"x": {}}}, {"x": source})
    return unfounded(take_sources(marked)[1], {"x": value}, found, NAMES) != []
