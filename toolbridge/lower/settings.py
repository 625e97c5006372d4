"""Settings made such that a target takes them. What it has no key for the engine reports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolbridge.lower.lowering import Lowering
from toolbridge.lower.thinking import lower_thinking, takes
from toolbridge.parts import Text
from toolbridge.request import Request
from toolbridge.tools import OutputFormat


def lower_settings(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """Change the fields of a request that is to be written."""
    lower_envelope(lowering, request, fields)
    lower_thinking(lowering, request, fields)
    lower_user(lowering, request, fields)
    lower_output(lowering, request, fields)
    lower_sampling(lowering, request, fields)
    rules = lowering.rules
    several = (fields.get("alternatives") or 1) > 1
    if several and not rules.alternatives and takes(lowering, "alternatives"):
        lowering.report.lose(request, "alternatives", code="setting.refused")
        del fields["alternatives"]
    if fields.get("output_limit") is None and rules.output_limit is not None:
        shape = lowering.writing.target.shapes["request"]
        place = "/".join(("", *shape.writers["output_limit"].path))
        lowering.report.add("default.invented", request, "output_limit", target_path=place)
        fields["output_limit"] = rules.output_limit + max(fields.get("thinking_budget") or 0, 0)


def lower_envelope(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """Settings that the target carries outside the body."""
    for name in sorted(lowering.writing.target.outside_body):
        held = fields.pop(name, None)
        if held is not None:
            lowering.writing.envelope[name] = held
            lowering.report.add(f"{name}.envelope", request, name)


def lower_sampling(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """Some models and versions refuse sampling, here or on the way back."""
    home = lowering.home(request)
    for name in ("temperature", "top_p", "top_k"):
        if fields.get(name) is None:
            continue
        if not lowering.rules.sampling:
            lowering.report.lose(request, name, code="setting.refused")
            del fields[name]
        elif home is not None and not home.sampling and takes(lowering, name):
            lowering.report.lose(request, name, code="field.host_only")


def lower_user(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """OpenAI's older name for whoever asks is the newer elsewhere."""
    rows = lowering.writing.target.shapes["request"].writers
    if fields.get("user") is not None and "user" not in rows and "user_id" in rows:
        if fields.get("user_id") is None:
            fields["user_id"] = fields.pop("user")
            lowering.report.add("field.moved", request, "user")
            lowering.report.add("field.moved_to", request)


def lower_output(lowering: Lowering, request: Request, fields: dict[str, Any]) -> None:
    """Text is what every answer is by default; JSON without a schema is known to some only."""
    output, rules = request.output, lowering.rules
    if not isinstance(output, OutputFormat):
        return
    if output.schema is None and not rules.json_output:
        fields["output"] = None
        if output.kind != "text":
            lowering.report.add("setting.unsupported", output)
    elif output.kind == "json" and rules.json_word and not has_word(lowering, fields):
        lowering.report.add("output.json_word", output)
    elif output.schema is not None and rules.output_name and output.name is None:
        fields["output"] = lowering.changed(output, name=rules.output_name)
        lowering.report.filled(output, "name", rules.output_name)


def has_word(lowering: Lowering, fields: dict[str, Any]) -> bool:
    """Whether a history, or the system text before it, has the word JSON in it."""
    return lowering.says_json or says_json((fields.get("instructions"), *fields["history"]))


def says_json(messages: Iterable[Any]) -> bool:
    """Whether messages have the word JSON in them."""
    parts = [part for message in messages for part in getattr(message, "parts", ())]
    return any("json" in part.text.lower() for part in parts if isinstance(part, Text))
