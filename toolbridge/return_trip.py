"""What else differs once a value of one spelling has been to another format and come back.

Fields are reported where the target has no place for them. This is the rest, and it follows from
the spelling alone: a key of a host's own comes back as the format's, a key that the format
always writes comes back where it was missing, an empty string that means nothing stays away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from toolbridge.locate import escape
from toolbridge.settings import HostOnly

if TYPE_CHECKING:
    from toolbridge.shape import Shape
    from toolbridge.spelling import Spelling


class Difference(NamedTuple):
    """A loss at a field of a value or at the pointer `below` it. Some exist in answers only,
    some only `when` the value says so."""

    code: str
    field: str | None = None
    below: str = ""
    answers_only: bool = False
    when: Callable[[Any], bool] | None = None


def differences(shape: Shape, spelling: Spelling) -> tuple[Difference, ...]:
    """The differences of all objects of a shape that are spelled alike."""
    return (
        *other_keys(shape, spelling),
        *host_fields(shape, spelling),
        *missing_tags(shape, spelling),
        *missing_fields(shape, spelling),
        *empty_values(shape, spelling),
        *other_forms(shape, spelling),
        *missing_ids(shape, spelling),
        *(shape.trip(spelling) if shape.trip is not None else ()),
    )


def other_keys(shape: Shape, spelling: Spelling) -> list[Difference]:
    """Fields that came under a host's own key."""
    found = []
    for field in shape.alternates.keys() - set(shape.synonyms):
        used = shape.spelled_writers(field, spelling)[0].path
        if used != shape.writers[field].path and shape.spelled_with(used, spelling):
            found += [Difference("field.moved", field), Difference("field.moved_to", field)]
    return found


def host_fields(shape: Shape, spelling: Spelling) -> list[Difference]:
    """Fields that only some hosts take: what comes back from elsewhere has no place."""
    return [
        Difference("field.host_only", field)
        for field, writer in shape.writers.items()
        if isinstance(writer.codec, HostOnly) and shape.spelled_with(writer.path, spelling)
    ]


def missing_tags(shape: Shape, spelling: Spelling) -> list[Difference]:
    """Constants that the format writes, where the object came without, or with another word."""
    found = []
    for path, _ in shape.tags:
        if not shape.spelled_with(path, spelling):
            found.append(Difference("default.invented"))
        elif "/".join(path) in spelling.literals:
            below = "".join(f"/{escape(key)}" for key in shape.spelled(path, spelling))
            found.append(Difference("tag.changed", below=below))
    return found


def missing_ids(shape: Shape, spelling: Spelling) -> list[Difference]:
    """Ids of calls that the reader made up: the wire has none."""
    return [
        Difference("id.invented", field)
        for field in ("id", "call_id")
        if field in shape.made_up and not shape.spelled_with(shape.writers[field].path, spelling)
    ]


def missing_fields(shape: Shape, spelling: Spelling) -> list[Difference]:
    """Fields that the type of the format's answers requires, where the object came without."""
    found = []
    for field, fill in shape.fills.items():
        if field in shape.bags:
            missing = [key for key in fill if key not in spelling.keys]
            found += [Difference("default.invented", answers_only=True) for _ in missing]
        elif not shape.spelled_with(shape.writers[field].path, spelling):
            found.append(Difference("default.invented", field, answers_only=True))
    return found


def empty_values(shape: Shape, spelling: Spelling) -> list[Difference]:
    """Empty values that made no part of a message."""
    found = []
    for field, writer in shape.writers.items():
        path = "/".join(writer.path)
        if field not in shape.model.defaults and spelling.literals.get(path) is True:
            below = "".join(f"/{escape(key)}" for key in shape.spelled(writer.path, spelling))
            found.append(Difference("empty.dropped", below=below))
    return found


def other_forms(shape: Shape, spelling: Spelling) -> list[Difference]:
    """Values in a form of a host's own: the way back uses the format's."""
    found = []
    for field in shape.writers:
        for keys, codec in shape.spelled_writers(field, spelling):
            path = "/".join(keys)
            if codec.odd_form and path in spelling.literals:
                places = codec.odd_places(spelling.literals[path])
                found += [Difference(codec.odd_form, field, below) for below in places]
    return found
