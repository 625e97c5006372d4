"""The error flag of a result, for formats that have none: a fixed first line says it.

The line is read back as the flag, so that a failure stays one through any number of
conversions. Peers that have the same need write the same line (tidebreak#1308).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolbridge.parts import Text, ToolResult
from toolbridge.values import JSON, Value, make

if TYPE_CHECKING:
    from toolbridge.conversion import Reading, Writing

FAILED: Final = "Error: the tool call failed."


def is_failed(text: str) -> bool:
    """Whether a result's text says by its first line that the call failed."""
    if not text.startswith(FAILED):
        return False
    return text == FAILED or (text.startswith(f"{FAILED}\n") and len(text) > len(FAILED) + 1)


def finish_failure(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Read the first line as the flag."""
    parts = fields.get("parts", ())
    first = parts[0] if parts else None
    if isinstance(first, Text) and is_failed(first.text):
        text = first.text[len(FAILED) + 1 :]
        rest = reading.moved(make(Text, {**vars(first), "text": text}), first)
        fields["parts"] = (rest, *parts[1:])
        fields["is_error"] = True


def prepare_failure(item: Any, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """Write the flag as the first line."""
    if not fields.pop("is_error", None):
        return fields
    parts = fields.get("parts", ())
    first = parts[0] if parts else None
    if isinstance(first, Text):
        said = first.text if first.text != FAILED else ""
        text = f"{FAILED}\n{said}" if said else FAILED
        fields["parts"] = (make(Text, {**vars(first), "text": text}), *parts[1:])
    else:
        fields["parts"] = (make(Text, {"text": FAILED}), *parts)
    if has_flag(item, writing):
        writing.report.add("result.error_in_text", item, "is_error")
    return fields


def has_flag(item: Value, writing: Writing) -> bool:
    """Whether the source has another way to say that a result failed; a result that was made
    up on the way is told as such."""
    origin = writing.report.origin(item)
    if not isinstance(origin, ToolResult):
        return False
    spelling = origin.spelling
    source = None if spelling is None else writing.adapter_of(spelling.format)
    if spelling is None or source is None:
        return True
    return source.shapes[spelling.kind].has_place("is_error")
