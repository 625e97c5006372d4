"""Arguments of calls, for formats that carry them as JSON text.

The text that the model wrote is kept beside the parsed object: its order and spaces decide
whether a prompt cache is hit, and what is no JSON must stay as it was.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from toolbridge.codec import Codec, Mismatch
from toolbridge.values import JSON, same

if TYPE_CHECKING:
    from toolbridge.conversion import Reading, Writing


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def parse(text: str) -> tuple[JSON, str]:
    """The arguments that a text says, and whether it is `complete` or `invalid`.

    An empty text and `null` mean that there are none; anything else that is not an object is
    invalid and stays text, as does what cannot be written as UTF-8 (lone surrogates).
    """
    if text[:1] != "{" and (not text or text.isspace() or text.strip() == "null"):
        return {}, "complete"
    try:
        arguments = DECODER.decode(text)
        if "\\ud" in text or "\\uD" in text:
            dump(arguments).encode()
    except (ValueError, RecursionError):
        return text, "invalid"
    return (arguments, "complete") if isinstance(arguments, dict) else (text, "invalid")


def dump(item: JSON) -> str:
    """JSON as short text in UTF-8: ASCII escapes would cost Korean three times the tokens."""
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))


class ArgumentText(Codec):
    """The text of the arguments; some servers send the object itself."""

    marks = True

    def __init__(self) -> None:
        super().__init__("a JSON text", str)

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, str):
            return raw
        if isinstance(raw, dict):
            return dump(raw)
        raise Mismatch(key, self.expected, raw)

    def mark(self, raw: JSON, item: Any) -> JSON:
        return True if isinstance(raw, dict) else None

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return json.loads(written)


def parse_arguments(fields: dict[str, Any]) -> None:
    """Parse the text of a call once it is whole; no text means no arguments."""
    arguments, status = parse(fields.get("arguments_text", ""))
    fields["arguments"] = arguments
    if status != "complete":
        fields["status"] = status


def finish_arguments(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Complete a call that was read: its arguments, and an id where a server sends none."""
    parse_arguments(fields)
    if "id" not in fields:
        fields["id"] = reading.call_without_id(fields.get("name", ""), fields["arguments"])


def prepare_arguments(item: Any, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The text to write: the model's own if it still says the arguments, else a new one."""
    arguments = fields.pop("arguments", {})
    text = fields.get("arguments_text")
    if isinstance(arguments, str):
        fields["arguments_text"] = arguments
    elif text is None and not arguments and writing.owns(item):
        return fields
    elif text is None or not (writing.fresh or same(parse(text)[0], arguments)):
        fields["arguments_text"] = dump(arguments)
    return fields


class CallId(Codec):
    """The id of a call, or with `answers` of the call that a result answers. Some servers send
    an empty one: calls and results are then paired by their order."""

    marks = True
    common = frozenset({str})
    odd_form = "id.renamed"

    def __init__(self, answers: bool = False) -> None:
        super().__init__("an id")
        self.answers = answers

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if not isinstance(raw, str):
            raise Mismatch(key, self.expected, raw)
        if raw:
            return raw
        return reading.result_without_id("") if self.answers else reading.call_without_id("")

    def mark(self, raw: JSON, item: Any) -> JSON:
        return None if raw else [item, raw]

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return mark[1] if mark[0] == item else written
