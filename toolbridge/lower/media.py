"""Media made such that a target takes them where they stand, each change reported."""

from __future__ import annotations

import base64

from toolbridge.lower.lowering import Lowering
from toolbridge.parts import Media, Text
from toolbridge.rules import Rules
from toolbridge.values import make

SOURCE_FORMS = ("data", "url", "id", "text", "parts")

TYPES = {
    "image": "image/jpeg",
    "document": "application/pdf",
    "audio": "audio/mpeg",
    "video": "video/mp4",
    "file": "application/pdf",
}
"""The commonest media type of each kind (IANA), for a URL that does not say its own."""

SIGNS = {
    "iVBORw0KGgo": "image/png",
    "/9j/": "image/jpeg",
    "R0lGOD": "image/gif",
    "JVBERi": "application/pdf",
    "SUQz": "audio/mpeg",
}
"""How the base64 of common media begins: their signatures (IANA's media type registrations)."""


def holds(lowering: Lowering, part: Media, where: str) -> bool:
    """Whether the target can hold a medium there: in a user's or an assistant's message, or in
    a `result`."""
    source = part.source
    if source.id is not None and source.owner not in (None, lowering.writing.target.vendor):
        return False
    return has_place(lowering.rules, part, where)


def has_place(rules: Rules, part: Media, where: str) -> bool:
    """Whether rules have a place for a medium of this kind, form and type."""
    kind = "document" if part.kind == "file" else part.kind
    if (where, kind, form_of(part)) not in rules.media:
        return False
    taken, media_type = rules.media_taken.get((where, kind)), part.source.media_type
    return taken is None or part.source.data is None or media_type in taken


def form_of(part: Media) -> str:
    """The form that the source of a medium has."""
    return next((name for name in SOURCE_FORMS if getattr(part.source, name) is not None), "")


def lower_media(lowering: Lowering, part: Media, where: str) -> Media | Text | None:
    """A medium stays where the target can hold it; else what can be read of it is said."""
    if lowering.native(part):
        return part
    typed = with_type(lowering, part, where)
    return fit(lowering, typed, where) if holds(lowering, typed, where) else said(lowering, part)


def said(lowering: Lowering, part: Media) -> Text | None:
    """What can be read of a medium that has no place, as text."""
    text = readable(part)
    if text is None:
        lowering.report.add("media.no_place", part)
        return None
    lowering.report.add("media.as_text", part)
    return lowering.report.derive(make(Text, {"text": text}), part)


def readable(part: Media) -> str | None:
    """The text of a medium: what was spoken, or what a document says, under its title. None
    where it says nothing: Anthropic refuses text that is blank."""
    source = part.source
    text = part.transcript if source.text is None else source.text
    if source.parts is not None:
        text = "\n\n".join(piece.text for piece in source.parts if isinstance(piece, Text)) or None
    elif text is None and source.data is not None and is_text(source.media_type or ""):
        text = decoded(source.data)
    titles = [title for title in (part.title, part.name, part.context) if title]
    return "\n".join((*titles, text)) if text and text.strip() else None


def decoded(data: str) -> str | None:
    """The text of base64, if it is one."""
    try:
        return base64.b64decode(data).decode()
    except ValueError:
        return None


def is_text(media_type: str) -> bool:
    """Whether bytes of a media type are text."""
    return media_type.startswith("text/") or media_type in ("application/json", "application/xml")


def fit(lowering: Lowering, part: Media, where: str) -> Media:
    """A medium that the target holds; what is guessed, and what does not come back, is told."""
    origin = lowering.report.origin(part)
    if part is not origin and part.source.media_type is not None:
        detail = f"taken for {part.source.media_type}"
        lowering.report.add("media.type_guessed", part, detail=detail)
    if is_foreign(lowering, part, where):
        lowering.report.add("media.host_only", part)
    return part


def with_type(lowering: Lowering, part: Media, where: str) -> Media:
    """A medium with a media type where the target needs one, without one that the way back
    guesses again; the kind of a file follows from its type."""
    source, home = part.source, lowering.home(part)
    if source.media_type is not None:
        needless = form_of(part) in ("url", "id") and not needs_type(lowering.rules, part, where)
        if needless and home is not None and needs_type(home, part, where):
            return without_guessable(lowering, part)
        return part
    if not needs_type(lowering.rules, part, where):
        return part
    guessed = lowering.report.derive(source.replace(media_type=guess(part)), source)
    family = str(guessed.media_type).partition("/")[0]
    kind = family if part.kind == "file" and family in TYPES else part.kind
    return lowering.changed(part, source=guessed, kind=kind)


def needs_type(rules: Rules, part: Media, where: str) -> bool:
    """Whether a medium must say its media type."""
    typed = part.source.data is not None and (where, part.kind) in rules.media_taken
    return typed or form_of(part) in rules.media_types


def without_guessable(lowering: Lowering, part: Media) -> Media:
    """A medium in a place elsewhere, without the media type that the way back guesses again."""
    if part.source.media_type != guess(part):
        return part
    source = lowering.report.derive(part.source.replace(media_type=None), part.source)
    return lowering.changed(part, source=source)


def is_foreign(lowering: Lowering, part: Media, where: str) -> bool:
    """Whether the source's own format has no place for a medium that stood there."""
    home = lowering.home(part)
    return home is not None and not has_place(home, part, where)


def guess(part: Media) -> str:
    """The media type that the bytes begin like, or the end of the URL says, else the commonest
    of the kind."""
    import mimetypes

    source = part.source
    if source.data is not None:
        signed = (SIGNS[sign] for sign in SIGNS if str(source.data).startswith(sign))
        return next(signed, TYPES[part.kind])
    told, _ = mimetypes.MimeTypes().guess_type(source.url or source.id or part.name or "")
    return told or TYPES[part.kind]
