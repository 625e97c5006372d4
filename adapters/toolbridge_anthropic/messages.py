"""Messages of the Messages API: roles user, assistant and system, no role for results.

https://platform.claude.com/docs/en/api/messages; types/message_param.py.

- The results of a step stand together in the user message after it.
- Consecutive messages of one role are one turn to the server.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import Codec, Elements, Mismatch
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Inner, Row
from toolbridge.parts import ToolResult
from toolbridge.request import Message
from toolbridge.shape import Shape
from toolbridge.union import Union
from toolbridge.values import JSON, Value
from toolbridge_anthropic.parts import FORMAT, PARTS


class Role(Codec):
    """The role on the wire: results are the user's."""

    def __init__(self) -> None:
        super().__init__("user, assistant or system")
        self.direct = {word: word for word in ("user", "assistant", "system")}

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return "user" if item == "tool" else item


def finish_message(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Messages of results only are the tools'; the assistant's have an author."""
    parts = fields.get("parts", ())
    if fields.get("role") == "assistant":
        fields["author"] = reading.author()
    elif parts and all(part.__class__ is ToolResult for part in parts):
        fields["role"] = "tool"


MESSAGE: Final = Shape(
    FORMAT,
    "message",
    Message,
    [
        Row("role", "role", Role()),
        Row("content", "parts", PARTS),
        Inner("output_config", [Row("effort", "effort")]),
    ],
    required=("role",),
    finish=finish_message,
)
MESSAGES: Final = Union([], lambda item, writing: MESSAGE, default=MESSAGE, untagged=MESSAGE)
HISTORY: Final = Elements(MESSAGES.read, MESSAGES.write)
