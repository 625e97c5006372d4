"""Codecs for content: a string or a list of parts, results that vendors ran, file ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from toolbridge.codec import OMIT, Codec, Mismatch, lose_rest
from toolbridge.parts import Json, Source, Text
from toolbridge.request import Message
from toolbridge.spelling import Spelling
from toolbridge.values import JSON, Value, make, thaw

if TYPE_CHECKING:
    from toolbridge.conversion import Reading, Writing
    from toolbridge.union import Union

PLAIN = 2
"""How many fields a plain text has: its text, and how it was spelled."""

BARE = "bare"
"""The kind of a text part that was a plain string on the wire."""


def bare_text(text: str, reading: Reading) -> Text:
    """A text part that was a plain string on the wire."""
    spelling = BARE_SPELLINGS.get(reading.format)
    if spelling is None:
        spelling = BARE_SPELLINGS[reading.format] = Spelling(reading.format, BARE)
    return make(Text, {"text": text, "spelling": spelling})


BARE_SPELLINGS: dict[str, Spelling] = {}


def is_bare(item: Value, writing: Writing) -> bool:
    """Whether a part is text that a plain string says as well, and may be said so: it was a
    string, or it comes from elsewhere."""
    if item.__class__ is not Text:
        return False
    for field, member in vars(item).items():
        if member and field not in ("text", "spelling"):
            return False
    return not writing.owns(item) or item.spelling.kind == BARE


class Content(Codec):
    """A list of parts of a union; a plain string stands for one text part. Without `strings`
    one is read but not written of what comes from elsewhere."""

    marks = True
    common = frozenset({str, list})

    def __init__(self, union: Callable[[], Union], strings: bool = True) -> None:
        super().__init__("a string or a list of parts")
        self.union = union
        self.strings = strings

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        parent, placed = reading.path, reading.placed
        if isinstance(raw, str):
            reading.path = (parent, key)
            text = placed(bare_text(raw, reading))
            reading.path = parent
            return (text,)
        if isinstance(raw, list):
            read_one, parts = self.union().read, []
            for index, member in enumerate(raw):
                reading.path = (parent, key, index)
                parts.append(placed(read_one(member, reading)))
        else:
            raise Mismatch(key, self.expected, raw)
        reading.path = parent
        return tuple(parts)

    def mark(self, raw: JSON, item: Any) -> JSON:
        return None if item else True

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if len(item) == 1 and is_bare(item[0], writing):
            if self.strings or writing.owns(item[0]):
                if len(vars(item[0])) > PLAIN:
                    lose_rest(item[0], writing, "text")
                return item[0].text
        write_one = self.union().write
        written = [write_one(member, writing) for member in item]
        return [member for member in written if member is not OMIT]


class JsonContent(Codec):
    """What a vendor-run tool gave: JSON in the vendor's form, as one structured part."""

    def __init__(self, expected: str = "a JSON value") -> None:
        super().__init__(expected)

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        path, reading.path = reading.path, (reading.path, key)
        part = reading.placed(make(Json, {"value": raw}))
        reading.path = path
        return (part,)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return thaw(item[0].value) if item else OMIT


class SourceId(Codec):
    """A file known by its id in a vendor's file store."""

    def __init__(self, owner: str) -> None:
        super().__init__("a file id")
        self.owner = owner

    def fits(self, item: Any) -> bool:
        return item.id is not None

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, str):
            return make(Source, {"id": raw, "owner": self.owner})
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        lose_rest(item, writing, "id", "owner")
        return item.id


class SourceParts(Codec):
    """A document in parts of its own, such as the text of a search result."""

    def __init__(self, content: Content) -> None:
        super().__init__(content.expected)
        self.content = content

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        return make(Source, {"parts": self.content.read(raw, reading, key)})

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        lose_rest(item, writing, "parts")
        return self.content.write(item.parts, writing, owner)


class Instructions(Codec):
    """System text in a field of its own, as a message without an object of its own."""

    def __init__(self, content: Codec) -> None:
        super().__init__(content.expected)
        self.content = content

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        parts = self.content.read(raw, reading, key)
        parent, reading.path = reading.path, (reading.path, key)
        message = reading.placed(make(Message, {"role": "system", "parts": parts}))
        reading.path = parent
        return message

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return self.content.write(item.parts, writing, item)
