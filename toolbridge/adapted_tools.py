"""Tools adapted to what a target takes, and the arguments of calls brought back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from toolbridge.app_tools import Tool
from toolbridge.checkpoint.policies import FIELDS
from toolbridge.conversion import Places, Reading
from toolbridge.convert import check, finish, open_writing, read_value, shape_of, write_value
from toolbridge.locate import ModelLocator, WireLocator
from toolbridge.loss import Loss
from toolbridge.offered import Offered
from toolbridge.registry import find
from toolbridge.report import Report
from toolbridge.request import Request
from toolbridge.rules import Rule
from toolbridge.tools import HostedTool, ToolGroup, ToolSpec
from toolbridge.values import JSON, freeze, make

PLAIN = "anthropic"
"""The format whose tools are `{name, description, input_schema}`."""


class AdaptedTools(NamedTuple):
    """The tools of a request for one target: the vendor's `tools` list, what was changed, and the
    way between its terms and those of the tools that were given."""

    payload: JSON
    losses: tuple[Loss, ...]
    offered: Offered

    def restore(self, name: str, arguments: JSON) -> tuple[str, JSON]:
        """The name and the arguments of a call, in terms of the original tool.

        Nulls that stand for absence are dropped, lists of entries become maps, and so on; what
        does not look as the schema asks stays as it is, for the validation to say. Never raises.
        """
        identity = self.offered.identity(name)
        restored = self.offered.restore(name, arguments)
        return (name if identity is None else identity[1]), restored

    def forward(self, name: str, arguments: JSON) -> tuple[str, JSON]:
        """The inverse: the name and the arguments of a call as the model is to see them, for a
        history. `name` is that of the original tool."""
        for made, (_, original) in self.offered.names.items():
            if original == name:
                form = self.offered.forms.get(made)
                return made, arguments if form is None else form.forward(arguments)
        return name, arguments


def adapt_tools(
    tools: Iterable[Any],
    format: str,
    strict: bool | Literal["auto"] = False,
    source: str | None = None,
    *,
    model: str | None = None,
    rules: tuple[Rule, ...] = (),
) -> AdaptedTools:
    """Adapt tools to what a target takes in place of being refused.

    `tools` are Tools, ToolSpecs or `{name, description, input_schema}` dicts, or with `source` the
    `tools` list of that format. `format` may have a profile after a colon, and `model` names the
    vendor's model where rules differ. `strict` asks the vendor to hold the model to the schema:
    True wherever that can be, "auto" where it costs no meaning; it is told of each tool that is
    not. Losses point into the list of dicts, or into `to_json` of the specs.

    Which keywords a target enforces, shows or refuses stands in its adapter's table `schemas`,
    with sources; docs/schemas.md has it. Raises WireError for a list that is none of `source`,
    UnknownFormatError, and ConversionError where no name can be found for a tool.
    """
    given = list(tools)
    writer, profile = find(format)
    request, report = as_request(given, source)
    request = with_strict(request, strict, report)
    writing = open_writing(writer, profile, report, False, model, request, rules)
    payload = write_value(request, writing, "tools")
    converted = finish(payload, writing, "tools", "collect", ())
    return AdaptedTools(converted.payload, converted.losses, writing.offered)


def as_request(given: list[Any], source: str | None) -> tuple[Request, Report]:
    """A request of the tools alone, and the report that knows where each stands."""
    if source is not None or (given and all(isinstance(each, dict) for each in given)):
        reader, profile = find(source or PLAIN)
        check(given, "tools")
        payload = freeze(given)
        reading = Reading(reader.name, profile, Places())
        request = read_value(reader, payload, "tools", reading)
        return request, Report(
            lambda: WireLocator(reader.shapes, reading.places or Places()), shape_of
        )
    request = make(Request, {"tools": tuple(map(as_spec, given))})
    return request, Report(lambda: ModelLocator(request), shape_of)


def as_spec(given: Any) -> Any:
    """The spec of a tool, however it was given."""
    if isinstance(given, Tool):
        return given.spec
    if isinstance(given, dict):
        reader, _ = find(PLAIN)
        (spec,) = read_value(reader, freeze([given]), "tools", Reading(reader.name)).tools
        return spec
    if isinstance(given, (ToolSpec, HostedTool, ToolGroup)):
        return given
    raise TypeError(
        f"{type(given).__name__} is no tool: pass Tools, ToolSpecs, dicts of name, description and "
        "input_schema, or a vendor's list with source="
    )


def with_strict(request: Request, strict: bool | Literal["auto"], report: Report) -> Request:
    """The request with the tools of the app's strict where that is asked for; else each is as it
    says itself. All are written anew, as if they came from nowhere: what would become of them on
    the way back to their own format is no question here, and what they say to the app's gate is
    the app's."""

    def changed(tool: Any) -> Any:
        fields = dict(vars(tool))
        if isinstance(tool, ToolGroup):
            fields["tools"] = tuple(map(changed, tool.tools))
        elif not isinstance(tool, ToolSpec):
            return tool
        elif strict is not False and tool.kind != "custom":
            fields["strict"] = strict
        for name in ("spelling", *FIELDS):
            fields.pop(name, None)
        return report.derive(make(type(tool), fields), tool)

    tools = tuple(map(changed, request.tools or ()))
    return report.derive(make(Request, {**vars(request), "tools": tools}), request)
