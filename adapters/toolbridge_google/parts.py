"""Parts of generateContent.

https://ai.google.dev/api/caching#Part; types.Part of `google-genai` 3.6.1.

- A part holds one data field and modifiers; keys come in camelCase and in snake_case.
- A signature may stand on any part.
"""

from __future__ import annotations

import base64
from typing import Any, Final

from toolbridge.codec import Mismatch, Sealed, lose_rest
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Row, Tag
from toolbridge.parts import Media, Reasoning, Source, Text
from toolbridge.shape import Shape
from toolbridge.spelling import Spelling
from toolbridge.values import JSON, make
from toolbridge_google.casing import inner, row

FORMAT: Final = "gemini"
VENDOR: Final = "google"

SIGNATURE: Final = row("thoughtSignature", "signature", Sealed("signature"))
NOT_THOUGHT: Final = Tag("thought", False, written=False)

TEXT: Final = Shape(
    FORMAT, "text", Text, [Row("text", "text"), NOT_THOUGHT, SIGNATURE], required=("text",)
)
THOUGHT: Final = Shape(
    FORMAT,
    "thought",
    Reasoning,
    [Row("text", "text"), Tag("thought", True), SIGNATURE],
    required=("text",),
)
KINDS: Final = {"image": "image", "audio": "audio", "video": "video"}
HOLDERS: Final = ("inlineData", "inline_data", "fileData", "file_data")
FILES: Final = ("https://generativelanguage.googleapis.com/", "gs://")
"""URIs of Google's own file stores (https://ai.google.dev/gemini-api/docs/files)."""


def finish_media(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """The medium follows from the media type; the bytes, or the place of them, are a source."""
    names = [name for name in ("data", "media_type") if name in fields]
    source: dict[str, Any] = {name: fields.pop(name) for name in names}
    uri = fields.pop("uri", None)
    if uri is not None and uri.startswith(FILES):
        source |= {"id": uri, "owner": VENDOR}
    elif uri is not None:
        source["url"] = uri
    path, held = reading.path, next(key for key in raw if key in HOLDERS)
    if not isinstance(raw[held], dict):
        raise Mismatch(held, "an object", raw[held])
    source["spelling"] = Spelling(FORMAT, SOURCE.kind, tuple(raw[held]))
    reading.path = (path, held)
    fields["source"] = reading.placed(make(Source, source))
    reading.path = path
    family = str(source.get("media_type", "")).partition("/")[0]
    fields["kind"] = KINDS.get(family, "document" if family else "file")


def prepare_media(item: Media, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The inverse of finish_media."""
    source = fields.pop("source")
    fields["media_type"] = source.media_type
    if source.text is not None:
        fields["data"] = base64.b64encode(source.text.encode()).decode()
    elif source.data is not None:
        fields["data"] = source.data
    else:
        fields["uri"] = source.url if source.url is not None else source.id
    if not writing.owns(source):
        lose_rest(source, writing, "media_type", "data", "url", "id", "text", "owner")
    return fields


SOURCE: Final = Shape(
    FORMAT,
    "source",
    Source,
    [row("mimeType", "media_type"), row("data", "data"), row("fileUri", "url")],
    places={"id": ("fileUri",)},
)
"""The keys of a source, which stand among those of its medium."""


def media(kind: str, key: str, field: str) -> Shape:
    """A part that holds bytes, or a place of them."""
    return Shape(
        FORMAT,
        kind,
        Media,
        [
            inner(
                kind,
                [row("mimeType", "media_type"), row(key, field), row("displayName", "name")],
            ),
            NOT_THOUGHT,
            SIGNATURE,
        ],
        implied=("kind",),
        places={"source": (kind,)},
        required=("source",),
        finish=finish_media,
        prepare=prepare_media,
    )


INLINE_DATA: Final = media("inlineData", "data", "data")
FILE_DATA: Final = media("fileData", "fileUri", "uri")
