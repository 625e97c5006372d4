"""Contents: the turns of generateContent, roles user and model.

https://ai.google.dev/api/caching#Content; types.Content of `google-genai` 3.6.1.

- Results go in a user turn, all of a step in the one after it, in the order of the calls.
- Consecutive contents of one role are one turn to the server.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import Codec, Elements, Mismatch
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Row, Tag
from toolbridge.parts import ToolResult
from toolbridge.request import Message
from toolbridge.shape import Shape
from toolbridge.union import Union
from toolbridge.values import JSON, Value
from toolbridge_google.calls import PARTS
from toolbridge_google.parts import FORMAT


class Role(Codec):
    """The role: the assistant's word is `model`, results are the user's."""

    def __init__(self) -> None:
        super().__init__("user or model")
        self.direct = {"user": "user", "model": "assistant"}

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return "model" if item == "assistant" else "user"


def finish_content(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Turns of results only are the tools'; the model's have an author."""
    parts = fields.get("parts", ())
    role = fields.setdefault("role", "user")
    if role == "assistant":
        fields["author"] = reading.author()
    elif parts and all(part.__class__ is ToolResult for part in parts):
        fields["role"] = "tool"


def prepare_content(item: Message, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """A role that the reader filled in is not sent back."""
    if writing.owns(item) and "role" not in item.spelling.keys and item.role in ("user", "tool"):
        fields.pop("role", None)
    return fields


PART_LIST: Final = Elements(PARTS.read, PARTS.write, alone=True)

CONTENT: Final = Shape(
    FORMAT,
    "content",
    Message,
    [Row("role", "role", Role()), Row("parts", "parts", PART_LIST)],
    implied=("role",),
    finish=finish_content,
    prepare=prepare_content,
)
CONTENTS: Final = Union([], lambda item, writing: CONTENT, default=CONTENT, untagged=CONTENT)
HISTORY: Final = Elements(CONTENTS.read, CONTENTS.write, alone=True)

SYSTEM: Final = Shape(
    FORMAT,
    "system",
    Message,
    [Tag("role", "user", written=False), Row("parts", "parts", PART_LIST)],
    given={"role": "system"},
)
"""The server ignores the role of a system instruction; the SDK sends `user`."""
