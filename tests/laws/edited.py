"""Law 1, edits: what an edited value may write, held against the body that was read.

The written body is the original with the element taken out, with the text changed, or with the
part added, and differs nowhere else. Two things may follow from an edit: a second spelling of
what was edited changes with it, and what the vendor had derived from the old value is left out
and reported, each once.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import toolbridge as tb

from .edits import MARK, Edit
from .pointers import Json, child, resolves, tokens, under, value_at

DERIVED = {
    "signature": ("signature", "thoughtSignature", "thought_signature", "extra_content"),
    "citations": ("citations", "annotations"),
    "logprobs": ("logprobs", "logprobsResult"),
    "average_logprobs": ("avgLogprobs",),
    "grounding_supports": ("groundingSupports",),
    "output_text": ("output_text",),
}
"""Fields that a vendor derives from content, with their keys on the wire."""

DERIVED_KEYS = frozenset(key for keys in DERIVED.values() for key in keys)

SECOND_SPELLINGS = ("reasoning", "reasoning_content", "reasoning_details")
"""Keys beside each other in a message of Chat Completions that say the same."""

CONTENT = ("text", "arguments", "input", "args", "code", "action", "queries")
"""The keys under which an element of the wire holds its text or its arguments."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A place at which two bodies differ; `gone` if only the first has it."""

    pointer: str
    gone: bool = False


def unexplained(body: Json, edit: Edit, written: tb.Converted) -> list[str]:
    """What an edit does not explain: differences, and losses without one."""
    if edit.action == "append":
        return _unexplained_addition(body, edit, written)
    expected = without(body, edit.pointers) if edit.action == "remove" else body
    found = [each for each in differences(expected, written.payload) if not _is_edited(each, edit)]
    return _underived(found, written.losses)


def kept_stale(body: Json, edit: Edit, written: Json) -> list[str]:
    """The places of data that was derived from what an edit changed, and still stands; an edit
    of derived data itself leaves the rest of it."""
    if any(not DERIVED_KEYS.isdisjoint(tokens(pointer)) for pointer in edit.pointers):
        return []
    return [
        place
        for pointer in edit.pointers
        for place in _derived_from(body, pointer, itself=edit.action == "change")
        if resolves(written, place)
    ]


def _derived_from(body: Json, pointer: str, *, itself: bool) -> Iterator[str]:
    """The places of derived data in the objects around a place, or in the one that is there."""
    around = _holders(pointer if itself else pointer.rpartition("/")[0])
    for holder in (*around, *(f"{place}/groundingMetadata" for place in _holders(pointer))):
        found = value_at(body, holder) if resolves(body, holder) else None
        for key, member in found.items() if isinstance(found, dict) else ():
            if key in DERIVED_KEYS and member:
                yield child(holder, key)


def without(body: Json, pointers: Sequence[str]) -> Json:
    """The body without the list elements at these places, given in their order."""
    changed: Any = deepcopy(body)
    for place in reversed(pointers):
        holder = value_at(changed, place.rpartition("/")[0])
        if isinstance(holder, list):
            del holder[int(tokens(place)[-1])]
    return changed  # type: ignore[no-any-return]


def emptied_list(body: Json, edit: Edit) -> str | None:
    """The list that an edit takes the last elements from, if it does."""
    holder = edit.pointers[0].rpartition("/")[0]
    if edit.action != "remove" or not isinstance(value_at(body, holder), list):
        return None
    return holder if value_at(without(body, edit.pointers), holder) == [] else None


def differences(one: Json, other: Json, pointer: str = "") -> Iterator[Difference]:
    """The places at which two bodies differ; lists by position."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            if key in one and key in other:
                yield from differences(one[key], other[key], child(pointer, key))
            else:
                yield Difference(child(pointer, key), gone=key in one)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, child(pointer, index))
    elif type(one) is not type(other) or one != other:
        yield Difference(pointer)


def _is_edited(difference: Difference, edit: Edit) -> bool:
    """Whether a difference stands at what was edited, or at its second spelling."""
    return any(_is_at(difference.pointer, place, edit) for place in edit.pointers)


def _is_at(pointer: str, place: str, edit: Edit) -> bool:
    if edit.action == "remove":
        alone = not tokens(place)[-1].isdigit()
        if alone and under(pointer, place):
            return True
    else:
        inside = tokens(pointer[len(place) :]) if under(pointer, place) else ["elsewhere"]
        if not inside or not {*inside}.isdisjoint(CONTENT):
            return True
    if edit.what != "Reasoning":
        return False
    around, _, key = pointer.rpartition("/")
    return key in SECOND_SPELLINGS and under(place, around)


def _unexplained_addition(body: Json, edit: Edit, written: tb.Converted) -> list[str]:
    """What is left when the added part is taken out of the written body again."""
    places = list(_marked(written.payload, ""))
    if len(places) != 1:
        return [f"the new part stands at {places}"]
    tries = [
        _underived(list(_after_taking(body, edit, written.payload, place)), written.losses)
        for place in _holders(places[0])
    ]
    return min(tries, key=len)


def _after_taking(body: Json, edit: Edit, payload: Json, place: str) -> Iterator[Difference]:
    """The differences once the element or member at a place is taken out."""
    taken: Any = deepcopy(payload)
    holder = value_at(taken, place.rpartition("/")[0])
    key = tokens(place)[-1]
    if isinstance(holder, list):
        del holder[int(key)]
    elif isinstance(holder, dict):
        del holder[key]
    for difference in differences(body, taken):
        if not _is_widened(difference, edit, body, taken):
            yield difference


def _is_widened(difference: Difference, edit: Edit, body: Json, taken: Json) -> bool:
    """Whether content that was one string, or nothing, has become a list for the new part: what
    is left of it says the same."""
    place = difference.pointer
    content = [child(pointer, "content") for pointer in edit.pointers]
    if place in [child(pointer, "tool_calls") for pointer in edit.pointers]:
        return difference.gone and value_at(body, place) is None
    if place not in content:
        return False
    before = value_at(body, place) if resolves(body, place) else None
    after = value_at(taken, place) if resolves(taken, place) else None
    pieces = after if isinstance(after, list) else []
    said = [piece.get("text") for piece in pieces if isinstance(piece, dict)]
    return said == ([before] if before else [])


def _marked(value: Json, pointer: str) -> Iterator[str]:
    """The strings that an edit wrote."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _marked(member, child(pointer, key))
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from _marked(element, child(pointer, index))
    elif isinstance(value, str) and MARK in value:
        yield pointer


def _holders(pointer: str) -> Iterator[str]:
    """A place and those that it stands in."""
    while pointer:
        yield pointer
        pointer = pointer.rpartition("/")[0]


def _underived(found: Sequence[Difference], losses: Sequence[tb.Loss]) -> list[str]:
    """The differences that are no derived data, left out and reported; the losses for which
    nothing was left out."""
    reported = [tokens(loss.path)[-1] for loss in losses if loss.code == "derived.stale"]
    left = [f"loss {loss.code} at {loss.path}" for loss in losses if loss.code != "derived.stale"]
    for difference in found:
        key = tokens(difference.pointer)[-1] if difference.pointer else ""
        field = next((name for name in reported if key in DERIVED[name]), None)
        if field is None or not difference.gone:
            left.append(f"differs at {difference.pointer!r}")
        else:
            reported.remove(field)
    return [*left, *(f"{field} was not left out" for field in reported)]
