"""Tools and tool choice made such that a target takes them, each change reported."""

from __future__ import annotations

from typing import Any

from toolbridge.codec import lose_rest
from toolbridge.lower.calls import INPUT
from toolbridge.lower.lowering import Lowering
from toolbridge.parts import Opaque
from toolbridge.request import Request
from toolbridge.tools import HostedTool, ToolChoice, ToolGroup, ToolName, ToolSpec
from toolbridge.values import make, same

FREE_TEXT = {
    "type": "object",
    "properties": {
        INPUT: {"type": "string", "description": "The tool's whole input, as free text."}
    },
    "required": [INPUT],
    "additionalProperties": False,
}
"""The schema around the free text of a custom tool, where a target has functions only."""


def lower_tools(lowering: Lowering, request: Request) -> tuple[Any, ...]:
    """The tools of a request, in order; names are settled here, before the history's."""
    lowered = []
    seen: set[tuple[str | None, str]] = set()
    for tool in flattened(lowering, request):
        if isinstance(tool, ToolSpec) and (tool.namespace, tool.name) in seen:
            lowering.report.add("tool.duplicate", tool)
        elif isinstance(tool, ToolSpec):
            seen.add((tool.namespace, tool.name))
            lowered.append(lower_spec(lowering, tool))
        elif (
            not is_vendors(lowering, tool)
            and getattr(tool, "format", "") == lowering.writing.format
        ):
            lowered.append(tool)
        else:
            code = "element.opaque" if isinstance(tool, Opaque) else "tool.vendor_run"
            lowering.report.add(code, tool)
            lowering.left_out.add(getattr(tool, "name", None) or "")
    return tuple(lowered)


def flattened(lowering: Lowering, request: Request) -> list[Any]:
    """The tools of groups, each with the namespace that its group has."""
    flat: list[Any] = []
    for tool in request.tools or ():
        if not isinstance(tool, ToolGroup):
            flat.append(tool)
            continue
        if tool.name is not None:
            report_ungrouped(lowering, request, tool)
        lose_rest(tool, lowering.writing, "tools", "name")
        for member in tool.tools:
            named = isinstance(member, ToolSpec) and tool.name is not None
            flat.append(lowering.changed(member, namespace=tool.name) if named else member)
    return flat


def report_ungrouped(lowering: Lowering, request: Request, group: ToolGroup) -> None:
    """The tools of a group stand in its place, in that of tools that are left out, and in the
    list: each field of theirs is new there."""
    dropped = [tool for tool in request.tools or () if is_vendors(lowering, tool)]
    for place, tool in zip([group, *dropped], group.tools, strict=False):
        for _ in ("strict", *tool.set_fields()):
            lowering.report.add("tool.ungrouped", place)
    for _ in group.tools:
        lowering.report.add("tool.ungrouped", request, "tools")


def is_vendors(lowering: Lowering, tool: Any) -> bool:
    """Whether another vendor knows a tool by its type: it is left out."""
    return isinstance(tool, HostedTool) and tool.format != lowering.writing.format


def lower_spec(lowering: Lowering, tool: ToolSpec) -> ToolSpec:
    """A tool of the app's."""
    changes: dict[str, Any] = {}
    lowering.namespaces.setdefault(tool.name, tool.namespace)
    name = lowering.names.name(tool.namespace, tool.name)
    if name != tool.name:
        lowering.report.add("name.renamed", tool, "name", f"{tool.name!r} is written as {name!r}")
        changes = {"name": name, "namespace": None}
    if tool.kind == "function" and lowering.rules.custom_tools and same(tool.parameters, FREE_TEXT):
        lowering.free_text.add(tool.name)
        changes |= {"kind": "custom", "parameters": None}
    elif tool.kind == "custom" and not lowering.rules.custom_tools:
        lowering.custom.add((tool.namespace, tool.name))
        lowering.report.add("tool.custom", tool, below="/type")
        if tool.grammar is not None:
            lowering.report.add("tool.grammar", tool, "grammar")
        changes |= {"kind": "function", "parameters": FREE_TEXT, "grammar": None}
    elif tool.kind == "function":
        from toolbridge.lower.schemas import fit_schema

        changes |= fit_schema(lowering, tool)
    if changes.get("kind", tool.kind) == "custom":
        return lowering.changed(tool, **changes) if changes else tool
    if tool.deferred:
        lowering.report.lose(
            tool, "deferred", "only a search of the vendor's own finds such a tool"
        )
        changes["deferred"] = None
    return lowering.changed(tool, **changes) if changes else tool


def lower_no_tools(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """Where there are no tools there can be no choice among them, nor parallel calls."""
    if request.tools == ():
        lowering.report.lose(request, "tools")
    choice, source = request.tool_choice, lowering.source_of(request)
    told = (getattr(choice, "mode", None), bool(request.tools))
    if choice is not None and (source is None or told not in source.default_choices):
        lowering.report.add("choice.no_tools", choice)
    if request.parallel_tool_calls is not None:
        lowering.report.lose(request, "parallel_tool_calls")
    fields |= dict.fromkeys(("tools", "tool_choice", "parallel_tool_calls"))


MODES = ("auto", "required", "none", "tool", "subset")


def lower_choice(lowering: Lowering, choice: ToolChoice) -> ToolChoice | None:
    """The tool choice in the target's means."""
    report, rules = lowering.report, lowering.rules
    names = lower_names(lowering, choice)
    mode = choice.mode
    if choice.tools and not names:
        return None
    if mode not in MODES or (mode == "tool" and not names):
        report.add("choice.vendor_tool", choice)
        return None
    if mode == "subset" and not rules.subsets:
        shape = lowering.shape_of(choice)
        report.add("choice.subset", choice, "tools" if shape and "mode" in shape.writers else None)
        mode, names = ("required" if choice.required else "auto"), []
    if mode in ("required", "tool") and not rules.forced_choice:
        report.add("choice.forced", choice)
        mode, names = "auto", []
    fields: dict[str, Any] = {"mode": mode}
    if names:
        fields["tools"] = tuple(names)
    if mode == "subset":
        fields["required"] = bool(choice.required)
    if choice.strict:
        fields |= fit_validated(lowering, choice)
    if choice.extra:
        report.lose_unknown(choice)
    return report.derive(make(ToolChoice, fields), choice)


def lower_names(lowering: Lowering, choice: ToolChoice) -> list[ToolName]:
    """The tools named in a choice, without those that are left out."""
    lowered = [lower_name(lowering, name) for name in choice.tools]
    kept = [name for name in lowered if name is not None]
    if choice.tools and not kept:
        lowering.report.add("choice.vendor_tool", choice)
        return []
    for name, written in zip(choice.tools, lowered, strict=True):
        if written is None:
            lowering.report.add("choice.vendor_tool", name)
    return kept


def fit_validated(lowering: Lowering, choice: ToolChoice) -> dict[str, Any]:
    """Strict calls by the choice exist at one vendor only."""
    if lowering.rules.validated_choice:
        return {"strict": True}
    lowering.report.add("choice.validated", choice, "mode")
    return {}


def is_function(lowering: Lowering, name: Any) -> bool:
    """Whether what is named in a choice is a function or custom tool, and not left out."""
    if isinstance(name, Opaque) or name.type not in ("function", "custom") or not name.name:
        return False
    return name.name not in lowering.left_out


def lower_name(lowering: Lowering, name: Any) -> ToolName | None:
    """A tool named in a choice, as the tools have it."""
    if not is_function(lowering, name):
        return None
    written = lowering.names.name(lowering.namespaces.get(name.name), name.name)
    if written != name.name:
        lowering.report.add(
            "name.renamed", name, "name", f"{name.name!r} is written as {written!r}"
        )
    if name.extra:
        lowering.report.lose_unknown(name)
    fields = {"name": written}
    free = name.type == "custom" or name.name in lowering.free_text
    if free and lowering.rules.custom_tools:
        fields["type"] = "custom"
    return lowering.report.derive(make(ToolName, fields), name)
