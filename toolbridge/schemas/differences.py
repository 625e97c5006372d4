"""Where an adapted schema differs from the original, as pointers into the original."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from toolbridge.arguments import dump
from toolbridge.locate import escape
from toolbridge.schemas.records import Change
from toolbridge.values import JSON, same


class Difference(NamedTuple):
    """A pointer to what is gone or another, or to the object or list that has something new,
    with its key if it is an object."""

    path: str
    new: bool
    key: str = ""

    @property
    def place(self) -> str:
        """Where what differs stands, or would stand."""
        return f"{self.path}/{escape(self.key)}" if self.key else self.path


def differences(original: JSON, written: JSON, path: str = "") -> Iterator[Difference]:
    """Each member that is gone or another, and one difference for each member that is new."""
    if isinstance(original, dict) and isinstance(written, dict) and original:
        for key, member in original.items():
            below = f"{path}/{escape(key)}"
            if key in written:
                yield from differences(member, written[key], below)
            else:
                yield Difference(below, new=False)
        for key in written:
            if key not in original:
                yield Difference(path, new=True, key=key)
    elif isinstance(original, list) and isinstance(written, list) and original:
        yield from of_lists(original, written, path)
    elif not same(original, written):
        yield Difference(path, new=False)
        if isinstance(written, (dict, list)) and isinstance(original, (dict, list)):
            yield from (Difference(path, new=True) for _ in written)


def of_lists(original: list[JSON], written: list[JSON], path: str) -> Iterator[Difference]:
    """The differences of two lists, aligned by equal members."""
    from difflib import SequenceMatcher

    left, right = [dump(each) for each in original], [dump(each) for each in written]
    for word, start, end, first, last in SequenceMatcher(None, left, right, False).get_opcodes():
        if word == "equal":
            continue
        pairs = min(end - start, last - first)
        for offset in range(pairs):
            yield from differences(
                original[start + offset], written[first + offset], f"{path}/{start + offset}"
            )
        yield from (Difference(f"{path}/{at}", new=False) for at in range(start + pairs, end))
        yield from (Difference(path, new=True) for _ in range(first + pairs, last))


def nearest(difference: Difference, changes: Iterable[Change]) -> Change | None:
    """The change that a difference comes from: one at its place; for a description one beside it
    that was put in words; for what is new one at what holds it, or beside it; else the nearest
    above, else the nearest below."""
    place, path, known = difference.place, difference.path, list(changes)
    holder, _, last = place.rpartition("/")
    tries: list[Callable[[Change], bool]] = [lambda each: each.path == place]
    if last == "description":
        tries.append(lambda each: bool(each.words) and parent(each) == holder)
    if difference.new:
        tries += [lambda each: each.path == path, lambda each: parent(each) == path]
    for fits in tries:
        for change in known:
            if fits(change):
                return change
    above = [each for each in known if is_below(place, each.path)]
    if above:
        return max(above, key=lambda each: len(each.path))
    below = [each for each in known if is_below(each.path, place)]
    return min(below, key=lambda each: each.path.count("/"), default=None)


def parent(change: Change) -> str:
    """The pointer to what holds the place of a change."""
    return change.path.rpartition("/")[0]


def is_below(path: str, other: str) -> bool:
    """Whether a pointer leads into what another points to."""
    return path.startswith(f"{other}/")
