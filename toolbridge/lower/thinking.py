"""How much a model thinks: an effort, a budget, a switch, and whether its thoughts are shown.

A vendor has some of the four. Where one says what another says elsewhere, it is written so:
no thinking at all is an effort of none, a switch, or a budget of none; thinking of the model's
own choice is a switch, or a budget of minus one.
"""

from __future__ import annotations

from typing import Any

from toolbridge.lower.lowering import Lowering
from toolbridge.parts import Reasoning, ToolResult
from toolbridge.request import Message, Request

SIGNED = "the source takes it with its own thoughts before the calls only"
WITH_BUDGET = "the source takes it with a budget only"
AUTOMATIC = -1
"""The budget that leaves it to the model (types.ThinkingConfig of `google-genai` 3.6.1)."""


def lower_thinking(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """Change the fields about thinking of a request that is to be written."""
    lower_effort(lowering, request, fields)
    fit_effort(lowering, request, fields)
    home = lowering.home(request)
    budgets = (
        home is not None and home.least_budget is not None and takes(lowering, "thinking_budget")
    )
    if budgets and fields.get("thinking_budget") is not None and in_step(fields["history"]):
        for name in ("thinking", "thinking_budget", "thinking_display"):
            if fields.get(name) is not None:
                lowering.report.add("field.host_only", request, name, SIGNED)
    elif home is not None and home.least_budget is not None and not home.adaptive:
        if takes(lowering, "thinking_display") and not budgets and fields.get("thinking_display"):
            lowering.report.add("field.host_only", request, "thinking_display", WITH_BUDGET)
    if takes(lowering, "thinking"):
        switch_on(lowering, request, fields)
    elif takes(lowering, "thinking_budget") or takes(lowering, "thinking_display"):
        switch_off(lowering, fields)


def takes(lowering: Lowering, name: str) -> bool:
    """Whether the target has a place for a setting from elsewhere."""
    row = lowering.writing.target.shapes["request"].writers.get(name)
    return row is not None and row.codec.takes_foreign


def lower_effort(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """No thinking at all, in the target's way."""
    form = lowering.rules.no_effort
    if fields.get("effort") == "none":
        told = "effort"
    elif fields.get("effort"):
        return
    elif fields.get("thinking") == "disabled":
        told = "thinking"
    elif fields.get("thinking_budget") == 0:
        told = "thinking_budget"
    else:
        return
    if form == "between_tools":
        lowering.report.approximate(request, told, "this model always thinks between tools")
    name, held = NO_EFFORT[form]
    fields |= {"effort": None, "thinking": None, "thinking_budget": None, name: held}


def fit_effort(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """An effort beside functions, where it may stand there."""
    effort, rule = fields.get("effort"), lowering.rules.effort_with_tools
    if not fields["tools"] or rule == "any" or effort == "none":
        return
    if rule == "absent":
        if effort is not None:
            lowering.report.lose(request, "effort", code="setting.refused")
        fields["effort"] = None
        return
    if effort is None:
        lowering.report.add("setting.invented", request, "effort", "effort none beside functions")
    else:
        lowering.report.approximate(request, "effort", "only effort none beside functions")
    fields["effort"] = "none"


NO_EFFORT = {
    "word": ("effort", "none"),
    "disabled": ("thinking", "disabled"),
    "between_tools": ("thinking", "between_tools"),
    "budget": ("thinking_budget", 0),
}


def switch_off(lowering: Lowering, fields: dict[str, Any]) -> None:
    """Leave out a switch that a budget or a display implies; the way back sets it again."""
    budgets = takes(lowering, "thinking_budget")
    thinking, budget = fields.get("thinking"), fields.get("thinking_budget")
    if (thinking == "enabled" and budget and budgets) or (
        thinking == "adaptive" and fields.get("thinking_display") in lowering.rules.displays
    ):
        fields["thinking"] = None
    elif thinking == "adaptive" and budgets and not fields.get("effort"):
        fields |= {"thinking": None, "thinking_budget": AUTOMATIC}


def switch_on(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """Set the switch that a budget or a display needs."""
    if fields.get("thinking") == "disabled" and fields.pop("thinking_display", None) is not None:
        lowering.report.lose(request, "thinking_display")
    if fields.get("thinking") is not None:
        return
    budget, display = fields.get("thinking_budget"), fields.get("thinking_display")
    shown = display in lowering.rules.displays and display != "omitted"
    if budget not in (None, AUTOMATIC):
        fit_budget(lowering, request, fields, budget)
    elif lowering.rules.adaptive and (budget == AUTOMATIC or shown):
        fields |= {"thinking": "adaptive", "thinking_budget": None}
    else:
        code = "" if lowering.rules.adaptive else "setting.refused"
        for name in ("thinking_budget", "thinking_display"):
            if fields.pop(name, None) is not None:
                lowering.report.lose(request, name, code=code)


def fit_budget(lowering: Lowering, request: Request, fields: dict[str, Any], budget: int) -> None:
    """A budget that the model takes, under the output limit; none where a call is forced, or in
    the middle of a step that does not begin with the model's own thoughts."""
    least, limit = lowering.rules.least_budget, fields.get("output_limit")
    forced = getattr(fields.get("tool_choice"), "mode", "") in ("required", "tool")
    forced = forced or in_step(fields["history"])
    if least is None:
        lowering.report.approximate(request, "thinking_budget", "the model chooses its own")
        fields |= {"thinking": "adaptive", "thinking_budget": None}
        return
    if forced or (limit is not None and limit <= least):
        for name in ("thinking_budget", "thinking_display"):
            if fields.pop(name, None) is not None:
                lowering.report.lose(request, name, code="setting.refused")
        return
    fitting = max(budget, least) if limit is None else min(max(budget, least), limit - 1)
    if fitting != budget:
        lowering.report.approximate(request, "thinking_budget", f"{budget} is written as {fitting}")
    fields |= {"thinking": "enabled", "thinking_budget": fitting}


def in_step(history: tuple[Any, ...]) -> bool:
    """Whether a history ends with results of calls that stand without signed thoughts."""
    messages = [item for item in history if isinstance(item, Message)]
    if len(messages) < 2 or not isinstance(next(iter(messages[-1].parts), None), ToolResult):
        return False
    said = [message for message in messages if message.role == "assistant"][-1:]
    first = said[0].parts[0] if said and said[0].parts else None
    return not (isinstance(first, Reasoning) and (first.signature or first.encrypted))
