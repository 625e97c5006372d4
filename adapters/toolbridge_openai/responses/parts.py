"""Content parts of the Responses API.

https://platform.openai.com/docs/api-reference/responses; types/responses/*.py of `openai`
3.57.0.

- What goes in is `input_*`, what comes out `output_text` and `refusal`.
- Results may hold text, images and files.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import ARRAY, INTEGER, Codec, Element, Elements, Mismatch, lose_rest
from toolbridge.content import Content, SourceId
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Node, Row, Tag
from toolbridge.parts import Citation, Media, Refusal, Source, Text
from toolbridge.shape import Shape
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_openai.common import VENDOR, DataUrl, cache_breakpoint, finish_file

FORMAT: Final = "openai-responses"

BREAKPOINT: Final = cache_breakpoint(FORMAT)
CACHE: Final = Row("prompt_cache_breakpoint", "cache", Element(BREAKPOINT))


def part(kind: str, model: type[Value], *nodes: Node, **options: Any) -> Shape:
    """The shape of an object that its `type` names."""
    return Shape(FORMAT, kind, model, [Tag("type", options.get("word", kind)), *nodes], **options)


URL_CITATION: Final = part(
    "url_citation",
    Citation,
    Row("url", "url"),
    Row("title", "title"),
    Row("start_index", "start", INTEGER),
    Row("end_index", "end", INTEGER),
    given={"kind": "url_citation"},
)
OTHER_CITATION: Final = Shape(
    FORMAT, "citation", Citation, [Row("type", "kind")], required=("kind",)
)
"""file_citation, container_file_citation, file_path: ids in OpenAI's own stores."""


def choose_annotation(item: Citation) -> Shape | None:
    """Only a place on the web can be cited by others."""
    return URL_CITATION if item.kind == "url_citation" else None


ANNOTATIONS: Final = Union(
    [URL_CITATION], lambda item, writing: choose_annotation(item), default=OTHER_CITATION
)

INPUT_TEXT: Final = part("input_text", Text, Row("text", "text"), CACHE, required=("text",))
OUTPUT_TEXT: Final = part(
    "output_text",
    Text,
    Row("text", "text"),
    Row("annotations", "citations", Elements(ANNOTATIONS.read, ANNOTATIONS.write)),
    Row("logprobs", "logprobs", ARRAY),
    required=("text",),
    fills={"citations": ()},
)
REFUSAL: Final = part("refusal", Refusal, Row("refusal", "text"), CACHE, required=("text",))
INPUT_IMAGE: Final = part(
    "input_image",
    Media,
    Row("image_url", "source", DataUrl()),
    Row("file_id", "source", SourceId(VENDOR)),
    Row("detail", "detail"),
    CACHE,
    given={"kind": "image"},
    defaults={"detail": "auto"},
    synonyms=("source",),
    required=("source",),
)


class FileUrl(Codec):
    """A file that the server fetches."""

    def fits(self, item: Any) -> bool:
        return item.url is not None

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, str):
            return make(Source, {"url": raw})
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        lose_rest(item, writing, "url")
        return item.url


INPUT_FILE: Final = part(
    "input_file",
    Media,
    Row("file_data", "source", DataUrl(urls=False)),
    Row("file_url", "source", FileUrl("a URL")),
    Row("file_id", "source", SourceId(VENDOR)),
    Row("filename", "name"),
    Row("detail", "detail"),
    CACHE,
    implied=("kind",),
    synonyms=("source",),
    required=("source",),
    finish=finish_file,
)
INPUT_PARTS: Final = Union(
    [INPUT_TEXT, INPUT_IMAGE, INPUT_FILE, OUTPUT_TEXT, REFUSAL],
    lambda item, writing: choose_input(item),
)
OUTPUT_PARTS: Final = Union(
    [OUTPUT_TEXT, REFUSAL, INPUT_TEXT, INPUT_IMAGE, INPUT_FILE],
    lambda item, writing: {Text: OUTPUT_TEXT, Refusal: REFUSAL}.get(type(item)),
)
"""Both read all parts: hosts mix them up, and what came is written back."""


def choose_input(item: Any) -> Shape | None:
    """The part for content from elsewhere."""
    if isinstance(item, Media):
        return {"image": INPUT_IMAGE, "document": INPUT_FILE, "file": INPUT_FILE}.get(item.kind)
    return INPUT_TEXT if isinstance(item, (Text, Refusal)) else None


INPUT: Final = Content(lambda: INPUT_PARTS)
OUTPUT: Final = Content(lambda: OUTPUT_PARTS)
OUTPUT_LIST: Final = Content(lambda: OUTPUT_PARTS, strings=False)


class MessageContent(Codec):
    """The content of a message: which parts it may have depends on who speaks."""

    marks = True
    common = frozenset({str, list})

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        return INPUT.read(raw, reading, key)

    def mark(self, raw: JSON, item: Any) -> JSON:
        return INPUT.mark(raw, item)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        content = OUTPUT if getattr(owner, "role", "") == "assistant" else INPUT
        if writing.kind == "response":
            content = OUTPUT_LIST
        return content.write(item, writing, owner)


def reasoning_piece(kind: str) -> Elements:
    """The pieces of a reasoning item: summary or content."""
    shape = part(kind, Text, Row("text", "text"), required=("text",))
    PIECES[kind] = shape
    union = Union([shape], lambda item, writing: shape)
    return Elements(union.read, union.write)


PIECES: dict[str, Shape] = {}
SUMMARY: Final = reasoning_piece("summary_text")
CONTENT: Final = reasoning_piece("reasoning_text")
