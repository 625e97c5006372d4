"""The schemas of tools as a target takes them, strict where that is asked for and can be."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from toolbridge.locate import followed
from toolbridge.loss import CODES
from toolbridge.lower.lowering import Lowering
from toolbridge.schemas.adapt import adapt_schema
from toolbridge.schemas.budget import Spent, spend
from toolbridge.schemas.dialect import Dialect, resolve_dialect
from toolbridge.schemas.differences import Difference, differences, nearest
from toolbridge.schemas.forms import SAME
from toolbridge.schemas.records import Adapted, Change
from toolbridge.tools import ToolSpec
from toolbridge.values import JSON

EMPTY: Final = {"type": "object", "properties": {}}
"""The schema of a tool that takes nothing."""

CLOSED: Final = {**EMPTY, "additionalProperties": False}
"""The same for a strict one."""

HARMLESS: Final = frozenset({"schema.annotation", "schema.empty"})
"""Changes that cost no meaning, though the way back does not undo them."""


class Chosen(NamedTuple):
    """The adapted schema of a tool, whether it is strict, and if it is not, why."""

    adapted: Adapted
    strict: bool
    why: str = ""


def fit_schema(lowering: Lowering, tool: ToolSpec) -> dict[str, Any]:
    """The fields of a tool that change for a target: its schema, and whether it is strict."""
    changes: dict[str, Any] = {}
    schema = tool.parameters
    if schema is None:
        if not lowering.rules.schema_required:
            return fit_strict(lowering, tool, tool.strict is True)
        lowering.report.add("schema.invented", tool)
        chosen = choose(lowering, tool, CLOSED if tool.strict in (True, "auto") else EMPTY)
        changes["parameters"] = chosen.adapted.schema
    else:
        chosen = choose(lowering, tool, schema)
        report_changes(lowering, tool, chosen)
        if is_nothing(lowering, chosen):
            lowering.report.add("schema.annotation", tool, "parameters", "as no schema at all")
            changes["parameters"] = None
        elif chosen.adapted.schema is not schema:
            changes["parameters"] = chosen.adapted.schema
    if chosen.adapted.form is not SAME:
        lowering.forms[(tool.namespace, tool.name)] = chosen.adapted.form
    said = getattr(lowering.report.origin(tool), "strict", None) is not None
    if said and chosen.strict and "parameters" in changes:
        lowering.report.add("schema.rewritten", tool, "strict", "holds for the schema as written")
    if tool.strict in (True, "auto") and not chosen.strict:
        code = "tool.not_strict" if tool.strict is True else "tool.auto_strict"
        lowering.report.add(code, tool, "strict" if said else None, chosen.why)
    return changes | fit_strict(lowering, tool, chosen.strict)


def is_nothing(lowering: Lowering, chosen: Chosen) -> bool:
    """Whether a schema names no properties, where that brings a 400 and no schema says it."""
    taken = dialect_of(lowering, chosen.strict).empty_objects
    return not taken and not chosen.adapted.schema.get("properties")


def dialect_of(lowering: Lowering, strict: bool) -> Dialect:
    """What the target of a lowering takes."""
    writing = lowering.writing
    return resolve_dialect(writing.target.schemas, strict, writing.profile, writing.model)


def choose(lowering: Lowering, tool: ToolSpec, schema: JSON) -> Chosen:
    """The schema in the dialect of strict tools where that is wanted and can be, else in that of
    others."""
    why = ""
    if tool.strict in (True, "auto"):
        dialect = dialect_of(lowering, strict=True)
        chosen = strictly(lowering, tool, schema, dialect)
        if chosen.strict:
            return chosen
        why = chosen.why
    return Chosen(adapt_schema(schema, dialect_of(lowering, strict=False)), strict=False, why=why)


def strictly(lowering: Lowering, tool: ToolSpec, schema: JSON, dialect: Dialect) -> Chosen:
    """The schema of a strict tool, if the target has such and the budget of the request lasts."""
    adapted = adapt_schema(schema, dialect)
    if not dialect.strict_flag:
        return Chosen(adapted, strict=False, why="tools cannot be marked strict here")
    if adapted.left:
        finding = adapted.left[0]
        why = f"{finding.why} at {finding.path}" if finding.path else finding.why
        return Chosen(adapted, strict=False, why=why)
    if tool.strict == "auto":
        lossy = [change for change in adapted.changes if costs_meaning(change)]
        if lossy:
            change = lossy[0]
            words = change.words or CODES[change.code].meaning
            place = f" at {change.path}" if change.path else ""
            why = f"strict would cost meaning{place}: {words}"
            return Chosen(adapted, strict=False, why=why)
    why = over_budget(lowering, lowering.writing.format, adapted.schema, dialect)
    return Chosen(adapted, strict=not why, why=why)


def over_budget(lowering: Lowering, format: str, schema: JSON, dialect: Dialect) -> str:
    """Spend the budget of a format's strict tools on one more; or say what of it does not last."""
    spent = spend(lowering.spent.get(format, Spent()), schema, dialect)
    if isinstance(spent, str):
        return spent
    lowering.spent[format] = spent
    return ""


def costs_meaning(change: Change) -> bool:
    """Whether a change makes the model's answer another than the schema asks for."""
    return not CODES[change.code].reversible and change.code not in HARMLESS


def fit_strict(lowering: Lowering, tool: ToolSpec, strict: bool) -> dict[str, Any]:
    """What an absent `strict` means differs: off, or that the server tries."""
    source = lowering.source_of(tool)
    tries = source is not None and source.strict_absent == "try"
    target_tries = lowering.writing.target.strict_absent == "try"
    if tool.strict is None and tries and not target_tries:
        lowering.report.add("tool.strict_tried", tool)
    elif tool.strict is None and target_tries and not tries:
        return {"strict": False}
    elif tool.strict is False and tries and not target_tries:
        return {"strict": None}
    elif tool.strict == "auto" or (tool.strict is True and not strict):
        return {"strict": True if strict else False if target_tries else None}
    return {}


def report_changes(lowering: Lowering, tool: ToolSpec, chosen: Chosen) -> None:
    """A loss for every difference of the schema once it has come back, and for every change that
    is none by itself."""
    told: set[tuple[str, str]] = set()
    schema, home = tool.parameters, come_back(lowering, tool, chosen)
    changes = (*chosen.adapted.changes, *home.changes)
    for difference in differences(schema, home.schema) if home.schema is not schema else ():
        code, words = said(difference, changes)
        told.add((code, difference.path))
        lowering.report.add(code, tool, "parameters", words, below=difference.path)
    for change in chosen.adapted.changes:
        path = existing(schema, change.path)
        if (change.code, path) not in told:
            told.add((change.code, path))
            lowering.report.add(change.code, tool, "parameters", change.words, below=path)


def come_back(lowering: Lowering, tool: ToolSpec, chosen: Chosen) -> Adapted:
    """The schema as it would be written in the format that the tool came from."""
    source = lowering.source_of(tool)
    if source is None:
        return Adapted(chosen.adapted.schema, SAME)
    dialect = resolve_dialect(source.schemas, chosen.strict, None, None)
    home = adapt_schema(chosen.adapted.schema, dialect)
    if chosen.strict and source.name != lowering.writing.format:
        why = over_budget(lowering, source.name, home.schema, dialect)
        if why:
            lowering.report.add("tool.not_strict", tool, "strict", f"once it comes back: {why}")
    return home


def said(difference: Difference, changes: tuple[Change, ...]) -> tuple[str, str]:
    """The code and the words for a difference: those of the change that is nearest to it."""
    change = nearest(difference, changes)
    if change is None:
        return "schema.rewritten", ""
    return change.code, change.words


def existing(schema: JSON, path: str) -> str:
    """The pointer, up to where the schema has something."""
    *_, (found, _) = followed(schema, path)
    return found
