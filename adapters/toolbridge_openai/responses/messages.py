"""The history of the Responses API: items in, messages out, and back.

Items that are not messages have no object around them: a run of the assistant's items becomes
one message of ours, a run of outputs another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolbridge.codec import OMIT, Codec, Mismatch, lose_rest
from toolbridge.content import bare_text
from toolbridge.conversion import Reading, Writing
from toolbridge.identifiers import digest
from toolbridge.nodes import Row, Tag
from toolbridge.parts import (
    Compaction,
    Json,
    Opaque,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolListing,
    ToolResult,
)
from toolbridge.request import Message
from toolbridge.shape import Shape
from toolbridge.spelling import Spelling
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_openai.common import ROLE
from toolbridge_openai.responses import calls, context, hosted
from toolbridge_openai.responses.parts import FORMAT, INPUT, MessageContent


def finish_message(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The assistant's messages have an author."""
    if fields.get("role") == "assistant":
        fields["author"] = reading.author()


MESSAGE: Final = Shape(
    FORMAT,
    "message",
    Message,
    [
        Tag("type", "message", written=False),
        Row("role", "role", ROLE),
        Row("content", "parts", MessageContent("a string or a list of parts")),
        Row("id", "item_id"),
        Row("status", "item_status"),
        Row("phase", "phase"),
    ],
    fills={"item_status": "completed"},
    required=("role",),
    finish=finish_message,
)
ITEMS: Final = Union(
    [
        MESSAGE,
        calls.FUNCTION_CALL,
        calls.CUSTOM_CALL,
        calls.FUNCTION_OUTPUT,
        calls.CUSTOM_OUTPUT,
        context.REASONING,
        context.COMPACTION,
        context.COMPACTION_TRIGGER,
        context.ITEM_REFERENCE,
        context.ADDITIONAL_TOOLS,
        context.CONFIGURATION_UPDATE,
        context.LIST_TOOLS,
        *hosted.HOSTED_CALLS,
        *hosted.HOSTED_RESULTS,
    ],
    lambda item, writing: choose_item(item),
    untagged=MESSAGE,
)


def choose_item(item: Any) -> Shape | None:
    """The item for what comes from elsewhere."""
    if isinstance(item, (ToolCall, ToolResult)) and item.executor == "vendor":
        return None
    if isinstance(item, ToolCall):
        return calls.CUSTOM_CALL if item.kind == "custom" else calls.FUNCTION_CALL
    if isinstance(item, ToolResult):
        return hosted_output(item) or (
            calls.CUSTOM_OUTPUT if item.kind == "custom" else calls.FUNCTION_OUTPUT
        )
    return {Message: MESSAGE, Reasoning: context.REASONING}.get(type(item))


def hosted_output(item: ToolResult) -> Shape | None:
    """The item for the result of a call known by its type: one JSON value in OpenAI's form."""
    plain = len(item.parts) == 1 and isinstance(item.parts[0], Json)
    return ITEMS.by_kind.get(f"{item.kind}_call_output") if plain else None


RUN: Final = Spelling(FORMAT, "run")
"""Items that stand in the history without a message around them."""

STRING: Final = Spelling(FORMAT, "string")
"""An input that is one string: a user message."""


def side_of(item: Value) -> str:
    """Whose item it is: the assistant's, the tools', or nobody's."""
    if isinstance(item, ToolResult):
        return "assistant" if item.executor == "vendor" else "tool"
    if isinstance(item, Compaction) and item.trigger:
        return ""
    mine = isinstance(item, (ToolCall, Reasoning, Compaction, ToolListing))
    return "assistant" if mine else ""


class History(Codec):
    """A list of items, or a string that is the user's message."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        path = reading.path
        if isinstance(raw, str):
            reading.path = (path, key)
            text = reading.placed(bare_text(raw, reading))
            fields = {"role": "user", "parts": (text,), "spelling": STRING}
            history: tuple[Value, ...] = (reading.placed(make(Message, fields)),)
        elif isinstance(raw, list):
            history = tuple(self.group(raw, reading, key))
        else:
            raise Mismatch(key, self.expected, raw)
        reading.path = path
        return history

    def group(self, raw: list[JSON], reading: Reading, key: str) -> Iterator[Value]:
        """The items, runs of one side made one message."""
        parent, side = reading.path, ""
        run: list[Value] = []
        for index, member in enumerate(raw):
            reading.path = (parent, key, index)
            item = reading.placed(ITEMS.read(member, reading))
            whose = side_of(item)
            if run and whose != side:
                yield close_run(run, side, reading)
                run = []
            side = whose
            if whose:
                run.append(item)
            else:
                yield item
        if run:
            yield close_run(run, side, reading)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if (len(item) == 1 and item[0].spelling is STRING) or is_string(item):
            return item[0].parts[0].text
        written = [member for message in item for member in write_message(message, writing)]
        return [member for member in written if member is not OMIT]


def is_string(history: tuple[Value, ...]) -> bool:
    """Whether the input was, and still is, one string."""
    (only, *more) = history or (None,)
    if more or not isinstance(only, Message) or only.spelling != STRING:
        return False
    return len(only.parts) == 1 and isinstance(only.parts[0], Text)


def close_run(run: list[Value], side: str, reading: Reading) -> Message:
    """The message of a run of context."""
    fields: dict[str, Any] = {"role": side, "parts": tuple(run), "spelling": RUN}
    if side == "assistant":
        fields["author"] = reading.author()
    return reading.moved(make(Message, fields), run[0])


def write_message(message: Any, writing: Writing) -> list[JSON]:
    """The items of one message of ours."""
    if not isinstance(message, Message):
        return [ITEMS.write(message, writing)]
    if writing.owns(message) and message.spelling.kind == MESSAGE.kind:
        return [MESSAGE.write(message, writing)]
    if message.role in ("user", "system"):
        return [MESSAGE.write(message, writing)]
    if message.role == "assistant" and not writing.owns(message):
        lose_rest(message, writing, "role", "parts", "author")
    if writing.kind == "response":
        return write_answer(message, writing)
    return [write_part(part, message, writing) for part in message.parts]


def write_answer(message: Message, writing: Writing) -> list[JSON]:
    """The items of an answer: text next to text is one message, with all that its type has."""
    written: list[JSON] = []
    said: list[Any] = []
    for part in (*message.parts, None):
        if isinstance(part, (Text, Refusal)):
            said.append(part)
            continue
        if said:
            written.append(whole_message(said, writing))
            said = []
        if part is not None:
            written.append(write_part(part, message, writing))
    return written


def whole_message(said: list[Any], writing: Writing) -> JSON:
    """A message of an output; its id is made from what it says."""
    content = "\n".join(part.text for part in said)
    fields = {
        "role": "assistant",
        "parts": tuple(said),
        "item_id": f"msg_{digest(content, 24)}",
    }
    return {"type": "message", **MESSAGE.write(make(Message, fields), writing)}


def write_part(part: Any, message: Message, writing: Writing) -> JSON:
    """The item of one part. Text of the assistant's is a message of its own."""
    if isinstance(part, (Text, Refusal)):
        said = make(Message, {"role": message.role, "parts": (plain(part, writing),)})
        return MESSAGE.write(said, writing)
    if isinstance(part, Opaque) and part.format != writing.format:
        writing.report.add("element.opaque", part)
        return OMIT
    return ITEMS.write(part, writing)


def plain(part: Text | Refusal, writing: Writing) -> Text | Refusal:
    """Text from elsewhere without all else: the type of parts of the assistant's is that of an
    answer, with ids (types/responses/easy_input_message_param.py)."""
    if writing.owns(part) or part.__class__ is not Text:
        return part
    lose_rest(part, writing, "text")
    return make(Text, {"text": part.text})


HISTORY: Final = History("a string or a list of items")
__all__ = ["HISTORY", "INPUT", "ITEMS", "MESSAGE"]
