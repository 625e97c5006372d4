"""Content blocks of the Messages API.

https://platform.claude.com/docs/en/api/messages; the fields are those of the types in
`anthropic` 2.14.0, named after each block (types/content_block_param.py, types/beta).

- A string stands for one text block, in messages, system text and results.
- A citation points into a document or search result, not into the text that it stands on.
"""

from __future__ import annotations

import base64
from functools import cache
from typing import Any, Final

from toolbridge.codec import BOOLEAN, OBJECT, Element, Elements, Sealed
from toolbridge.content import Content, SourceId, SourceParts
from toolbridge.conversion import Writing
from toolbridge.nodes import Inner, Node, Row, Tag
from toolbridge.parts import (
    Bound,
    Cache,
    Citation,
    Media,
    Reasoning,
    Source,
    Text,
)
from toolbridge.settings import Words
from toolbridge.shape import Shape
from toolbridge.union import One, Union
from toolbridge.values import Value, make

FORMAT: Final = "anthropic"


def block(kind: str, model: type[Value], *nodes: Node, **options: Any) -> Shape:
    """The shape of an object that its `type` names."""
    return Shape(FORMAT, kind, model, [Tag("type", kind), *nodes], **options)


def source(word: str, *rows: Row, **options: Any) -> Shape:
    """The shape of a source that its `type` names."""
    return Shape(FORMAT, f"{word}_source", Source, [Tag("type", word), *rows], word=word, **options)


LIFETIMES: Final = {"5m": "5m", "1h": "1h", "30m": "1h", "12h": "1h"}
"""types/cache_control_ephemeral_param.py, and the nearest of them to OpenAI's."""

CACHE_CONTROL: Final = block(
    "ephemeral",
    Cache,
    Row("ttl", "ttl", Words("ttl", LIFETIMES)),
    defaults={"ttl": "5m"},
)
CACHE: Final = Row("cache_control", "cache", Element(CACHE_CONTROL))


@cache
def blocks() -> Union:
    """All blocks; those of calls stand in a module that needs this one."""
    from toolbridge_anthropic.calls import BLOCKS

    return BLOCKS


PARTS: Final = Content(blocks)
BLOCK_LIST: Final = Content(blocks, strings=False)

CITATION: Final = Shape(
    FORMAT,
    "citation",
    Citation,
    [
        Row("type", "kind"),
        Row("cited_text", "cited_text"),
        Row("url", "url"),
        Row("title", "title"),
    ],
    required=("kind",),
)
CITATIONS: Final = Union([], default=CITATION)
"""Foreign citations have no place: every kind needs an index into a document or search result
that only a request of Anthropic's own has (types/text_citation_param.py)."""


TEXT: Final = block(
    "text",
    Text,
    Row("text", "text"),
    Row("citations", "citations", Elements(CITATIONS.read, CITATIONS.write)),
    CACHE,
    required=("text",),
)
CONNECTOR_TEXT: Final = block("connector_text", Text, Row("text", "text"), required=("text",))

SOURCES: Final = Union(
    [
        source("base64", Row("media_type", "media_type"), Row("data", "data")),
        source("url", Row("url", "url"), required=("url",)),
        source("file", Row("file_id", "id"), given={"owner": FORMAT}, required=("id",)),
        source("text", Row("media_type", "media_type"), Row("data", "text")),
        source("content", Row("content", "parts", PARTS), required=("parts",)),
    ],
    lambda item, writing: choose_source(item),
)
SOURCE: Final = Row("source", "source", One(SOURCES))


def prepare_document(item: Media, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """Plain text is a source of its own, not base64."""
    source = item.source
    if source.media_type == "text/plain" and source.data is not None and not writing.owns(source):
        text = decoded(source.data)
        if text is not None:
            changed = make(Source, {**vars(source), "data": None, "text": text})
            fields["source"] = writing.report.derive(changed, source)
    return fields


def decoded(data: str) -> str | None:
    """The text of base64 data, if it is text."""
    try:
        return base64.b64decode(data, validate=True).decode()
    except ValueError:
        return None


def choose_source(item: Source) -> Shape | None:
    """The form of source for bytes from elsewhere."""
    for field, kind in SOURCE_KINDS.items():
        if getattr(item, field) is not None:
            return SOURCES.by_word[kind]
    return None


SOURCE_KINDS: Final = {
    "data": "base64",
    "url": "url",
    "id": "file",
    "text": "text",
    "parts": "content",
}

IMAGE: Final = block(
    "image",
    Media,
    SOURCE,
    Row("transformations", "processing", OBJECT),
    CACHE,
    given={"kind": "image"},
    required=("source",),
)
DOCUMENT: Final = block(
    "document",
    Media,
    SOURCE,
    Row("title", "title"),
    Row("context", "context"),
    Inner("citations", [Row("enabled", "cite", BOOLEAN)]),
    CACHE,
    given={"kind": "document"},
    required=("source",),
    prepare=prepare_document,
)
SEARCH_RESULT: Final = block(
    "search_result",
    Media,
    Row("source", "name"),
    Row("title", "title"),
    Row("content", "source", SourceParts(BLOCK_LIST)),
    Inner("citations", [Row("enabled", "cite", BOOLEAN)]),
    CACHE,
    given={"kind": "document"},
    required=("source",),
)
CONTAINER_UPLOAD: Final = block(
    "container_upload",
    Media,
    Row("file_id", "source", SourceId(FORMAT)),
    CACHE,
    given={"kind": "file"},
    required=("source",),
)


def prepare_thinking(item: Reasoning, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """Another's thoughts have no signature, where the type of an answer requires one."""
    if writing.kind == "response" and not writing.owns(item):
        if item.signature is not None:
            writing.lose(item, "signature")
        fields["signature"] = UNSIGNED
    return fields


UNSIGNED: Final = make(Bound, {"value": ""})

THINKING: Final = block(
    "thinking",
    Reasoning,
    Row("thinking", "text"),
    Row("signature", "signature", Sealed("signature")),
    required=("text",),
    prepare=prepare_thinking,
)
REDACTED_THINKING: Final = block(
    "redacted_thinking",
    Reasoning,
    Row("data", "encrypted", Sealed("encrypted")),
    required=("encrypted",),
)
