"""One spelling of OpenAI Responses bodies.

- A string is one text part: the content of a message (`output_text` if the assistant said
  it), the output of a call, `input` (one user message), `instructions` (one system message).
- `"type": "message"` may be left out; `developer` is `system`.
- Argument texts are compared as JSON with its key order.
"""

from .reshape import (
    each,
    elements,
    listing,
    optional,
    parse_arguments,
    record,
    replace_text,
    text_of,
    widen,
)
from .tree import Node

OUTPUTS = ("function_call_output", "custom_tool_call_output")


def spell_request(root: Node) -> None:
    """Bring a request to the one spelling."""
    _widen_message(root, "input", "user")
    each(elements(root, "input"), _spell_item)
    _spell_instructions(root)


def spell_response(root: Node) -> None:
    """Bring a response to the one spelling."""
    each(elements(root, "output"), _spell_item)
    _spell_instructions(root)


def _spell_instructions(root: Node) -> None:
    _widen_message(root, "instructions", "system")
    each(elements(root, "instructions"), _spell_item)


def _widen_message(root: Node, key: str, role: str) -> None:
    text = text_of(root, key)
    if text is not None:
        like = root.members[key]
        root.members[key] = listing([record({"role": role, "content": text}, like)], like)


def _spell_item(item: Node) -> None:
    if "role" in item.members and text_of(item, "type") in (None, "message"):
        _spell_message(item)
    if text_of(item, "type") in OUTPUTS:
        widen(item, "output", "input_text")
    parse_arguments(item, "arguments")


def _spell_message(message: Node) -> None:
    optional(message, "type", "message")
    replace_text(message, "role", "developer", "system")
    said = text_of(message, "role") == "assistant"
    widen(message, "content", "output_text" if said else "input_text")
