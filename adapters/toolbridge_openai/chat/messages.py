"""Messages of Chat Completions.

https://platform.openai.com/docs/api-reference/chat/create; types/chat/*_message_param.py of
`openai` 3.57.0; facts of compatible servers as named beside each row.

- Each result is a message of its own. Calls, refusal and reasoning stand beside the content.
- `function_call` and role `function` are the form before `tool_calls`: without ids.
- A failed result is told by its first line, which is read back as the error flag.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.arguments import CallId
from toolbridge.codec import INTEGER, OMIT, Elements, Sealed
from toolbridge.conversion import Reading, Writing
from toolbridge.failure import finish_failure, prepare_failure
from toolbridge.nodes import Inner, Row, Sub, Tag
from toolbridge.parts import Citation, Media, Reasoning, Refusal, Source, ToolResult
from toolbridge.request import Message
from toolbridge.shape import Shape
from toolbridge.spelling import Spelling
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_openai.chat.beside import (
    REASONING_KEYS,
    echoed_reasoning,
    join_parts,
    split_parts,
)
from toolbridge_openai.chat.calls import CALLS, OLD_CALL
from toolbridge_openai.chat.parts import (
    CONTENT,
    DETAILS,
    FORMAT,
    Alone,
    AsOne,
    Listed,
    part,
)
from toolbridge_openai.common import ROLE

URL_CITATION: Final = part(
    "url_citation",
    Citation,
    Inner(
        "url_citation",
        [
            Row("url", "url"),
            Row("title", "title"),
            Row("start_index", "start", INTEGER),
            Row("end_index", "end", INTEGER),
        ],
    ),
    given={"kind": "url_citation"},
)
ANNOTATIONS: Final = Union([URL_CITATION], lambda item, writing: choose_annotation(item))


def choose_annotation(item: Citation) -> Shape | None:
    """Only a place on the web can be cited (types/chat/chat_completion_message.py)."""
    return URL_CITATION if item.kind == "url_citation" else None


SPOKEN_SOURCE: Final = Shape(
    FORMAT, "spoken_source", Source, [Row("id", "id"), Row("data", "data")]
)
SPOKEN: Final = Shape(
    FORMAT,
    "audio",
    Media,
    [
        Sub("source", SPOKEN_SOURCE),
        Row("transcript", "transcript"),
        Row("expires_at", "expires_at", INTEGER),
    ],
    given={"kind": "audio"},
    finish=lambda fields, raw, reading: finish_spoken(fields),
    prepare=lambda item, fields, writing: fields | {"source": (item.source,)},
)


def finish_spoken(fields: dict[str, Any]) -> None:
    """The id or the bytes of a spoken answer are its source."""
    (fields["source"],) = fields.get("source", (make(Source, {}),))


def finish_message(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """All that stands beside the content becomes parts, in the order of a turn."""
    if fields.get("role") == "assistant":
        fields["author"] = reading.author()
    if len(raw) == len(PLAIN) and raw.keys() == PLAIN:
        fields["parts"] = fields.pop("content", ())
    else:
        join_parts(fields)


PLAIN: Final = frozenset({"role", "content"})


MESSAGE: Final = Shape(
    FORMAT,
    "message",
    Message,
    [
        Row("role", "role", ROLE),
        Row("content", "content", CONTENT),
        Row("name", "name"),
        Row("tool_calls", "calls", Listed(CALLS.read, CALLS.write)),
        Row("function_call", "old_call", AsOne(OLD_CALL)),
        Row("refusal", "refusal", Alone("refusal_text", Refusal)),
        Row("audio", "audio", AsOne(SPOKEN)),
        Row("annotations", "citations", Elements(ANNOTATIONS.read, ANNOTATIONS.write)),
        *(Row(key, key, Alone(key, Reasoning)) for key in REASONING_KEYS),
        Row("reasoning_details", "details", Listed(DETAILS.read, DETAILS.write)),
        Row("thought_signature", "signature", Sealed("signature")),
    ],
    required=("role",),
    tolerant=True,
    trip=echoed_reasoning,
    finish=finish_message,
    prepare=split_parts,
)

TOOL_MESSAGE: Final = Shape(
    FORMAT,
    "tool",
    ToolResult,
    [
        Tag("role", "tool"),
        Row("tool_call_id", "call_id", CallId(answers=True)),
        Row("content", "parts", CONTENT),
        Row("name", "name"),
    ],
    implied=("kind",),
    required=("call_id",),
    finish=finish_failure,
    prepare=prepare_failure,
)


def finish_function(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The result of a call without an id answers the earliest open one of its name."""
    finish_failure(fields, raw, reading)
    if "name" in fields:
        fields["call_id"] = reading.result_without_id(fields["name"])


FUNCTION_MESSAGE: Final = Shape(
    FORMAT,
    "function_message",
    ToolResult,
    [Tag("role", "function"), Row("name", "name"), Row("content", "parts", CONTENT)],
    implied=("call_id", "kind"),
    required=("name", "call_id"),
    finish=finish_function,
    prepare=prepare_failure,
)
RESULTS: Final = {"tool": TOOL_MESSAGE, "function": FUNCTION_MESSAGE}
SHELL: Final = Spelling(FORMAT, "shell")
"""A message that is nothing but its one result."""


class MessageUnion(Union):
    """Messages by role: the result in a `tool` message becomes a part of ours."""

    def read(self, raw: JSON, reading: Reading) -> Value:
        item = super().read(raw, reading)
        if item.__class__ is not ToolResult:
            return item
        reading.placed(item)
        return make(Message, {"role": "tool", "parts": (item,), "spelling": SHELL})

    def write_result(self, item: Any, writing: Writing) -> JSON:
        """The message of one result."""
        if item.spelling is not None and item.spelling.kind == FUNCTION_MESSAGE.kind:
            return FUNCTION_MESSAGE.write(item, writing)
        return TOOL_MESSAGE.write(item, writing)

    def pick(self, raw: dict[str, JSON]) -> Shape | None:
        role = raw.get("role")
        return RESULTS.get(role, MESSAGE) if isinstance(role, str) else None


MESSAGES: Final = MessageUnion(
    [MESSAGE, TOOL_MESSAGE, FUNCTION_MESSAGE], lambda item, writing: MESSAGE
)


class History(Elements):
    """The messages; each result of a `tool` message of ours becomes one."""

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        written: list[JSON] = []
        for message in item:
            if isinstance(message, Message) and message.role == "tool":
                written += [MESSAGES.write_result(part, writing) for part in message.parts]
            else:
                written.append(MESSAGES.write(message, writing))
        return [member for member in written if member is not OMIT]


HISTORY: Final = History(MESSAGES.read, MESSAGES.write)
