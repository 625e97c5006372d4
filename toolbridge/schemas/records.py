"""What the adapting of a schema gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from toolbridge.schemas.forms import Form
from toolbridge.values import JSON


class Change(NamedTuple):
    """What is not as it was: a code of losses, the pointer in the original, and words."""

    code: str
    path: str
    words: str = ""


class Changes:
    """The changes of one schema, each told once."""

    def __init__(self, known: Iterable[Change] = ()) -> None:
        self._known = dict.fromkeys(known)

    def note(self, code: str, path: str, words: str = "") -> None:
        """Something that is not as it was."""
        self._known[Change(code, path, words)] = None

    @property
    def all(self) -> tuple[Change, ...]:
        """All of them, in the order in which they were told."""
        return tuple(self._known)


class Finding(NamedTuple):
    """What a target would refuse: a pointer into the schema, and why."""

    path: str
    why: str


class Adapted(NamedTuple):
    """A schema as it is written, the form of the arguments, what was changed, and what the
    target would still refuse: then there is no such form, and another dialect is to be tried."""

    schema: JSON
    form: Form
    changes: tuple[Change, ...] = ()
    left: tuple[Finding, ...] = ()
