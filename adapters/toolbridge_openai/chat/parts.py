"""Content parts and calls of Chat Completions.

https://platform.openai.com/docs/api-reference/chat; types/chat/*_param.py of `openai` 3.57.0.

- Results hold text only; a failed result is told by its first line.
- Arguments are JSON text. A custom tool's input is free text.
- Reasoning is no part of OpenAI's own format: compatible servers add it beside the content.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import Codec, Element, Elements, Mismatch, Sealed, lose_rest
from toolbridge.content import Content, SourceId
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Inner, Node, Row, Tag
from toolbridge.parts import Cache, Media, Reasoning, Refusal, Source, Text
from toolbridge.rules import Rules
from toolbridge.settings import Words
from toolbridge.shape import Shape
from toolbridge.spelling import Spelling
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_openai.common import VENDOR, DataUrl, cache_breakpoint, finish_file

FORMAT: Final = "openai-chat"

BREAKPOINT: Final = cache_breakpoint(FORMAT)
CACHE_CONTROL: Final = Shape(
    FORMAT, "ephemeral", Cache, [Tag("type", "ephemeral"), Row("ttl", "ttl")]
)
"""The mark of OpenRouter (https://openrouter.ai/docs/features/prompt-caching)."""


class Mark(Element):
    """A cache mark: OpenAI's, or that of hosts which have another instead."""

    def suits(self, rules: Rules) -> bool:
        return rules.cache_control == (self.shape is CACHE_CONTROL)


CACHE: Final = (
    Row("prompt_cache_breakpoint", "cache", Mark(BREAKPOINT)),
    Row("cache_control", "cache", Mark(CACHE_CONTROL)),
)


def part(kind: str, model: type[Value], *nodes: Node, **options: Any) -> Shape:
    """The shape of an object that its `type` names."""
    return Shape(FORMAT, kind, model, [Tag("type", options.get("word", kind)), *nodes], **options)


TEXT: Final = part("text", Text, Row("text", "text"), *CACHE, required=("text",))
REFUSAL: Final = part("refusal", Refusal, Row("refusal", "text"), *CACHE, required=("text",))
IMAGE: Final = part(
    "image_url",
    Media,
    Inner("image_url", [Row("url", "source", DataUrl()), Row("detail", "detail")]),
    *CACHE,
    given={"kind": "image"},
    defaults={"detail": "auto"},
    synonyms=("source",),
    required=("source",),
)
VIDEO: Final = part(
    "video_url",
    Media,
    Inner("video_url", [Row("url", "source", DataUrl())]),
    given={"kind": "video"},
    required=("source",),
)

AUDIO_FORMATS: Final = {
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
}
"""Media types (IANA, and those in use) for the two formats of
types/chat/chat_completion_content_part_input_audio_param.py."""

AUDIO_SOURCE: Final = Shape(
    FORMAT,
    "audio_source",
    Source,
    [Row("data", "data"), Row("format", "media_type", Words("media_type", AUDIO_FORMATS))],
    required=("data",),
)
AUDIO: Final = part(
    "input_audio",
    Media,
    Row("input_audio", "source", Element(AUDIO_SOURCE)),
    *CACHE,
    given={"kind": "audio"},
    required=("source",),
)
FILE: Final = part(
    "file",
    Media,
    Inner(
        "file",
        [
            Row("file_data", "source", DataUrl(urls=False)),
            Row("file_id", "source", SourceId(VENDOR)),
            Row("filename", "name"),
        ],
    ),
    *CACHE,
    implied=("kind",),
    synonyms=("source",),
    required=("source",),
    finish=finish_file,
    prepare=lambda item, fields, writing: prepare_file(item, fields, writing),
)


def prepare_file(item: Media, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """A file sent as data needs a name (types/chat/chat_completion_content_part_param.py)."""
    if not writing.owns(item) and item.name is None and item.source.id is None:
        fields["name"] = item.title or "file"
        writing.report.filled(item, "name", fields["name"])
    return fields


PARTS: Final[Union] = Union(
    [TEXT, REFUSAL, IMAGE, AUDIO, VIDEO, FILE], lambda item, writing: choose_part(item)
)


class MessageContent(Content):
    """In an answer the content is a string (types/chat/chat_completion_message.py)."""

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        said = all(piece.__class__ is Text and not writing.owns(piece) for piece in item)
        if writing.kind == "request" or not item or not said:
            return super().write(item, writing, owner)
        for piece in item:
            lose_rest(piece, writing, "text")
        return "".join(piece.text for piece in item)


CONTENT: Final = MessageContent(lambda: PARTS)


def choose_part(item: Any) -> Shape | None:
    """The part for content from elsewhere."""
    if isinstance(item, Media):
        return {"image": IMAGE, "audio": AUDIO, "document": FILE, "file": FILE}.get(item.kind)
    return {Text: TEXT, Refusal: REFUSAL}.get(type(item))


def detail(kind: str, *rows: Row) -> Shape:
    """One entry of `reasoning_details` (https://openrouter.ai/docs/guides/best-practices/
    reasoning-tokens)."""
    return part(kind, Reasoning, *rows, Row("id", "item_id"))


DETAILS: Final = Union(
    [
        detail(
            "reasoning.text",
            Row("text", "text"),
            Row("signature", "signature", Sealed("signature")),
        ),
        detail("reasoning.summary", Row("summary", "text")),
        detail("reasoning.encrypted", Row("data", "encrypted", Sealed("encrypted"))),
    ],
    name="reasoning_details",
)


class Alone(Codec):
    """A text beside the content that is one part of the message; an empty one is none."""

    marks = True
    common = frozenset({str})

    def __init__(self, kind: str, model: type[Value]) -> None:
        super().__init__("a text")
        self.model = model
        self.spelling = Spelling(FORMAT, kind)

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if not isinstance(raw, str):
            raise Mismatch(key, self.expected, raw)
        path, reading.path = reading.path, (reading.path, key)
        item = reading.placed(make(self.model, {"text": raw, "spelling": self.spelling}))
        reading.path = path
        return (item,) if raw else ()

    def mark(self, raw: JSON, item: Any) -> JSON:
        return None if raw else True

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        for each in item:
            if not writing.owns(each):
                lose_rest(each, writing, "text")
        return "".join(each.text or "" for each in item)


class Listed(Elements):
    """A list beside the content whose elements are parts of the message; an empty one is none."""

    marks = True

    def mark(self, raw: JSON, item: Any) -> JSON:
        return ALONE if isinstance(raw, dict) else None if raw else True

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return written[0] if mark == ALONE and len(written) == 1 else written


ALONE: Final = "alone"
"""The mark of one object in the place of a list of one."""


class AsOne(Codec):
    """An object beside the content that is one part of the message."""

    def __init__(self, shape: Shape) -> None:
        super().__init__("an object")
        self.element = Element(shape)

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        return (self.element.read(raw, reading, key),)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return self.element.write(item[0], writing, owner)
