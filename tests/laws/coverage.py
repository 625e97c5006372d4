"""Law 2, counting: does a loss stand for every difference, and a difference for every loss?

Both bodies are brought to one spelling (`spelling`) and aligned (`align`). The rules, and
how their words are read here:

*A source leaf that changed or has no partner* is covered by a loss of any effect at exactly
its path, or at an ancestor none of whose leaves came back. A leaf came back if its partner is
equal. One loss covers any number of leaves. Paths are those of the original body: the text
of a string that is compared as a part, and every value inside an argument text, have the
path of the string. A leaf that stands for several places (the role of merged turns) is
covered at any of them, or if each is covered from above; it came back for an ancestor only
if all its places are below that.

*The nearest ancestor that the source has.* Whether the source has a node is decided by the
alignment, not by the path: indices shift. Going up in the returned tree from an added leaf,
it is the first node that has a partner, and its path is the partner's path in the source.
So for a new key it is the object, for a new element the list, for a leaf that became an
object that leaf itself, and where the source lacks the parent too, the parent of that. Where
elements of a list were exchanged for others, the tie rule makes partners even of two that
have nothing in common (Gemini parts of two kinds); what is added then hangs on the element
in whose place it stands. A list of merged turns has the path of each of its lists.

All that hangs on one missing node is one *added element*: one loss `invented`, `moved` or
`approximated` covers all its leaves, and no second element. If there are fewer losses than
elements, the first elements in document order are covered.

*A moved list element* is two differences: the leaves at the old place have no partner, and
there is an added element under the new parent. The law gives each its own path, so a move
needs a loss at the old place (any ancestor that went as a whole will do) and one at the
nearest ancestor of the new place; only where one path is both, one loss does. The looser
reading, in which the moved element counts as its own nearest ancestor because the source has
it, is not taken: whoever satisfies this one satisfies that one. The reason of such a missing
leaf names the place it seems to come from.

*Spurious* is a loss whose path comes back equal: no leaf there or below changed or is gone,
and nothing was added there or below. So is a loss whose path the source does not have. Codes
that are `reversible` are never spurious. A default or a null that is worth as much as its
absence comes back equal if it is left out.
"""

import functools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from .align import Added, Alignment, Lost, align
from .pointers import resolves
from .severity import NoteLike
from .spelling import Spelled
from .tree import Node, deep_recursion, leaves

ADDING_EFFECTS = frozenset({"invented", "moved", "approximated"})


class LossLike(NoteLike, Protocol):
    """What is read of a loss."""

    @property
    def code(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Missing:
    """A leaf that differs without a loss.

    `path` is where the loss should stand: the path of the leaf in the source, or for an
    added leaf that of its nearest ancestor that the source has.
    """

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Spurious:
    """A loss without a difference."""

    loss: LossLike
    why: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """What counting found. `carried` and `total` are leaves of the source."""

    missing: tuple[Missing, ...]
    spurious: tuple[Spurious, ...]
    carried: int
    total: int

    @property
    def share(self) -> float:
        """The share of the source leaves that came back equal."""
        return self.carried / self.total


def count(
    source: Spelled,
    returned: Spelled,
    losses: Sequence[LossLike],
    reversible: Collection[str] = (),
) -> Coverage:
    """Hold the differences of a round trip against the losses of its first step."""
    alignment = align(source.root, returned.root)
    with deep_recursion():
        ledger = _Ledger(source, alignment)
        return Coverage(
            missing=(*_missing_leaves(ledger, losses), *_missing_additions(ledger, losses)),
            spurious=tuple(_spurious(ledger, losses, reversible)),
            carried=len(ledger.kept),
            total=source.root.size,
        )


class _Ledger:
    """The differences by place. A place is *alive* if a leaf of it came back, and *touched*
    if it does not come back equal."""

    def __init__(self, source: Spelled, alignment: Alignment) -> None:
        self.source = source
        self.lost = alignment.lost
        self.added = alignment.added
        self.gone = {id(lost.leaf) for lost in alignment.lost}
        self.kept = [leaf for leaf in leaves(source.root) if id(leaf) not in self.gone]
        self.alive = {place for leaf in self.kept for place in _holders(leaf)}
        nodes = [lost.leaf for lost in self.lost] + [added.ancestor for added in self.added]
        self.touched = {
            place for node in nodes for pointer in node.pointers for place in _upward(pointer)
        }

    def origin(self, element: Node) -> str | None:
        """Where the source lost the content of an added element, if it did."""
        alike = self._by_content.get(element.digest, [])
        return next((node.pointers[0] for node in alike if self._lost_whole(node)), None)

    @functools.cached_property
    def _by_content(self) -> dict[bytes, list[Node]]:
        places: dict[bytes, list[Node]] = {}
        for node in _nodes(self.source.root):
            places.setdefault(node.digest, []).append(node)
        return places

    def _lost_whole(self, node: Node) -> bool:
        return all(id(leaf) in self.gone for leaf in leaves(node))


def _upward(pointer: str) -> Iterator[str]:
    """The pointer and those of all its ancestors."""
    while pointer:
        yield pointer
        pointer = pointer[: pointer.rindex("/")]
    yield ""


def _holders(leaf: Node) -> set[str]:
    """The places for which a leaf came back: those that all its pointers are under."""
    first, *others = (set(_upward(pointer)) for pointer in leaf.pointers)
    return first.intersection(*others)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for below in (*node.members.values(), *node.elements):
        yield from _nodes(below)


def _missing_leaves(ledger: _Ledger, losses: Iterable[LossLike]) -> Iterator[Missing]:
    paths = {loss.path for loss in losses}
    for lost in ledger.lost:
        if not _leaf_is_covered(ledger, lost, paths):
            yield Missing(lost.leaf.pointers[0], "changed" if lost.changed else "gone")


def _leaf_is_covered(ledger: _Ledger, lost: Lost, paths: set[str]) -> bool:
    if paths.intersection(lost.leaf.pointers):
        return True
    whole = paths - ledger.alive
    return all(whole.intersection(_upward(pointer)) for pointer in lost.leaf.pointers)


def _missing_additions(ledger: _Ledger, losses: Iterable[LossLike]) -> Iterator[Missing]:
    unused = [loss.path for loss in losses if loss.effect in ADDING_EFFECTS]
    for added in ledger.added:
        used = next((path for path in unused if path in added.ancestor.pointers), None)
        if used is not None:
            unused.remove(used)
            continue
        why = _why_added(ledger, added)
        for _ in leaves(added.element):
            yield Missing(added.ancestor.pointers[0], why)


def _why_added(ledger: _Ledger, added: Added) -> str:
    origin = ledger.origin(added.element)
    moved = f", as it stood at {origin!r} in the source" if origin is not None else ""
    return f"added at {added.element.pointers[0]!r} of the result{moved}"


def _spurious(
    ledger: _Ledger, losses: Iterable[LossLike], reversible: Collection[str]
) -> Iterator[Spurious]:
    for loss in losses:
        if loss.code in reversible or loss.path in ledger.touched:
            continue
        known = resolves(ledger.source.body, loss.path)
        yield Spurious(loss, "comes back equal" if known else "names no place of the source")
