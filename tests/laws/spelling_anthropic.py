"""One spelling of Anthropic Messages bodies.

- A string is one text block: message content, `system`, content of a result, content of a
  document source.
- Consecutive turns of one role are one.
"""

from .reshape import each, elements, merge_turns, text_of, widen
from .tree import Node

RESULTS = ("tool_result", "mcp_tool_result")


def spell_request(root: Node) -> None:
    """Bring a request to the one spelling."""
    widen(root, "system", "text")
    each(elements(root, "messages"), _spell_message)
    merge_turns(root, "messages", "content")


def spell_response(root: Node) -> None:
    """Bring a response to the one spelling."""
    each(elements(root, "content"), _spell_block)


def _spell_message(message: Node) -> None:
    widen(message, "content", "text")
    each(elements(message, "content"), _spell_block)


def _spell_block(block: Node) -> None:
    if text_of(block, "type") in RESULTS:
        widen(block, "content", "text")
        each(elements(block, "content"), _spell_block)
    source = block.members.get("source")
    if source is not None and text_of(source, "type") == "content":
        widen(source, "content", "text")
