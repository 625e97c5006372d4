"""Media made such that a target takes them where they stand, each change reported."""

from __future__ import annotations

from toolbridge.lower.lowering import Lowering
from toolbridge.parts import Media

SOURCE_FORMS = ("data", "url", "id", "text", "parts")

TYPES = {
    "image": "image/jpeg",
    "document": "application/pdf",
    "audio": "audio/mpeg",
    "video": "video/mp4",
    "file": "application/pdf",
}
"""The commonest media type of each kind (IANA), for a URL that does not say its own."""


def holds(lowering: Lowering, part: Media, where: str) -> bool:
    """Whether the target can hold a medium there: in a user's or an assistant's message, or in
    a `result`."""
    source = part.source
    if source.id is not None and source.owner not in (None, lowering.writing.target.vendor):
        return False
    return place_of(part, where) in lowering.rules.media


def place_of(part: Media, where: str) -> tuple[str, str, str]:
    """A medium as the rule `media` lists it."""
    form = next((name for name in SOURCE_FORMS if getattr(part.source, name) is not None), "")
    return where, "document" if part.kind == "file" else part.kind, form


def lower_media(lowering: Lowering, part: Media, where: str) -> Media | None:
    """A medium stays where the target can hold it."""
    if lowering.native(part):
        return part
    typed = with_type(lowering, part)
    if not holds(lowering, typed, where):
        lowering.report.add("media.no_place", part)
        return None
    return fit(lowering, typed, where)


def fit(lowering: Lowering, part: Media, where: str) -> Media:
    """A medium that the target holds; what is guessed, and what does not come back, is told."""
    origin = lowering.report.origin(part)
    if part is not origin and part.source.media_type is not None:
        detail = f"taken for {part.source.media_type}"
        lowering.report.add("media.type_guessed", part, detail=detail)
    if is_foreign(lowering, part, where):
        lowering.report.add("media.host_only", part)
    return part


def with_type(lowering: Lowering, part: Media) -> Media:
    """A medium with a media type where the target needs one, without one that the way back
    guesses again; the kind of a file follows from its type."""
    source, home = part.source, lowering.home(part)
    if source.media_type is not None:
        elsewhere = source.data is None and source.text is None
        if elsewhere and not lowering.rules.media_types and home is not None and home.media_types:
            return without_guessable(lowering, part)
        return part
    if not lowering.rules.media_types:
        return part
    guessed = lowering.report.derive(source.replace(media_type=guess(part)), source)
    family = str(guessed.media_type).partition("/")[0]
    kind = family if part.kind == "file" and family in TYPES else part.kind
    return lowering.changed(part, source=guessed, kind=kind)


def without_guessable(lowering: Lowering, part: Media) -> Media:
    """A medium in a place elsewhere, without the media type that the way back guesses again."""
    if part.source.media_type != guess(part):
        return part
    source = lowering.report.derive(part.source.replace(media_type=None), part.source)
    return lowering.changed(part, source=source)


def is_foreign(lowering: Lowering, part: Media, where: str) -> bool:
    """Whether the source's own format has no place for a medium that stood there."""
    home = lowering.home(part)
    return home is not None and place_of(part, where) not in home.media


def guess(part: Media) -> str:
    """The media type that the end of the URL says, else the commonest of the kind."""
    import mimetypes

    told, _ = mimetypes.MimeTypes().guess_type(part.source.url or part.source.id or part.name or "")
    return told or TYPES[part.kind]
