"""Law 2, severity: where a note may stand.

A note may stand only at envelope keys, ids, names, timestamps, usage, required defaults,
other spellings, server-held state, and request settings that a response repeats: the tables of
`note_places`.

A note of something *invented* is judged by its target path in the tables of the target,
because its path is only the nearest parent; so is a note at the root, which names no place. The
root of the target names none either: then the path in the source decides. The path of an object
stands for the place right below it that is invented, in the target or on the way back.
A required default is a key that the format wants and a value that says nothing. What is
invented there may be a note whatever it is (a `max_tokens`); what the source has there, only
if it is that value: `annotations: []` may go with a note, a citation may not.
"""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from .inject import strict_equal
from .note_places import OPEN_PLACES, REQUIRED_VALUES
from .pointers import Json, Path, Patterns, camel_path, path_of, resolves, value_at
from .spelling import Kind, Spelled, base_format


class NoteLike(Protocol):
    """What is read of a loss."""

    @property
    def path(self) -> str: ...
    @property
    def effect(self) -> str: ...
    @property
    def severity(self) -> str: ...
    @property
    def target_path(self) -> str | None: ...


Note = TypeVar("Note", bound=NoteLike)

_REQUIRED_PLACES = {
    key: [(Patterns([pattern]), values) for pattern, values in rows.items()]
    for key, rows in REQUIRED_VALUES.items()
}


def misplaced_notes(losses: Iterable[Note], source: Spelled, target: str) -> tuple[Note, ...]:
    """The notes that stand where only a warning may."""
    notes = (loss for loss in losses if loss.severity == "note")
    return tuple(note for note in notes if not _in_place(note, source, target))


def _in_place(note: NoteLike, source: Spelled, target: str) -> bool:
    invented = note.effect == "invented"
    if note.target_path and (invented or not note.path):
        place, format = _path(note.target_path, target), target
        allowed = _required(place, target, source.kind) is not None
    else:
        place, format = _path(note.path, source.format), source.format
        allowed = _says_nothing(note.path, place, source)
    if invented and _may_hold(place, format, source.kind):
        return True
    return allowed or _open(place, format, source.kind)


def _may_hold(path: Path, format: str, kind: Kind) -> bool:
    """Whether a place where a note may stand is right below."""
    tables = [OPEN_PLACES[base_format(format), kind]]
    tables += [pattern for pattern, _ in _REQUIRED_PLACES[base_format(format), kind]]
    return any(table.has_child(path) for table in tables)


def _says_nothing(pointer: str, place: Path, source: Spelled) -> bool:
    """Whether the source has a required key here, and one of the values that say nothing."""
    values = _required(place, source.format, source.kind)
    if not values or not resolves(source.body, pointer):
        return False
    return any(strict_equal(value_at(source.body, pointer), value) for value in values)


def _path(pointer: str, format: str) -> Path:
    path = path_of(pointer)
    return camel_path(path) if base_format(format) == "gemini" else path


def _open(path: Path, format: str, kind: Kind) -> bool:
    return OPEN_PLACES[base_format(format), kind].match(path)


def _required(path: Path, format: str, kind: Kind) -> tuple[Json, ...] | None:
    """The values that say nothing at this place, if the format requires it."""
    rows = _REQUIRED_PLACES[base_format(format), kind]
    return next((values for pattern, values in rows if pattern.match(path)), None)
