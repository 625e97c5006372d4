"""Contents: the turns of generateContent, roles user and model.

https://ai.google.dev/api/caching#Content; types.Content of `google-genai` 3.6.1.

- Results go in a user turn, all of a step in the one after it, in the order of the calls.
- Consecutive contents of one role are one turn to the server.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolbridge.codec import Codec, Elements, Mismatch
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Row, Tag
from toolbridge.parts import ToolCall, ToolResult
from toolbridge.request import Message
from toolbridge.shape import Shape
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_google.calls import PARTS, has_id
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


class History(Elements):
    """The turns. A result made for a call that came without an id has none either."""

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        nameless = {part.id for part in parts_of(item) if is_nameless(part, writing)}
        if nameless:
            item = tuple(without_ids(message, nameless) for message in item)
        return super().write(item, writing, owner)


def parts_of(history: tuple[Any, ...]) -> Iterator[Any]:
    """All parts of all messages."""
    return (part for message in history for part in getattr(message, "parts", ()))


def is_nameless(part: Any, writing: Writing) -> bool:
    """Whether a part is a call of this format's whose id is made up."""
    return isinstance(part, ToolCall) and writing.owns(part) and not has_id(part)


def without_ids(message: Any, nameless: set[str]) -> Any:
    """A message whose results of nameless calls have no id."""
    if not isinstance(message, Message):
        return message
    parts = tuple(
        make(ToolResult, {**vars(part), "call_id": ""})
        if isinstance(part, ToolResult) and part.call_id in nameless and part.spelling is None
        else part
        for part in message.parts
    )
    changed = any(part is not old for part, old in zip(parts, message.parts, strict=True))
    return make(Message, {**vars(message), "parts": parts}) if changed else message


HISTORY: Final = History(CONTENTS.read, CONTENTS.write, alone=True)

SYSTEM: Final = Shape(
    FORMAT,
    "system",
    Message,
    [Tag("role", "user", written=False), Row("parts", "parts", PART_LIST)],
    given={"role": "system"},
)
"""The server ignores the role of a system instruction; the SDK sends `user`."""
