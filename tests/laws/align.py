"""Alignment of two trees: which leaves of the source came back, and what stands beside them.

Objects are aligned by key, lists by the cheapest sequence alignment (see `sequence`). What
a pair of nodes costs:

- equal content, or a free key on either side: nothing;
- two leaves that differ: one;
- two objects, two lists: the sum over their members, each without a partner at its full
  size; where the source is empty and the other is not, one more for the leaf `{}` or `[]`
  that changed (the other way round the members are gone, and that is all);
- anything else (a leaf that became an object, an object that became a list): all leaves of
  both, as if the one had nothing to do with the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from .sequence import cheapest, partners
from .tree import Node, Standing, deep_recursion, leaves


@dataclass(frozen=True, slots=True)
class Lost:
    """A leaf of the source that changed or has no partner."""

    leaf: Node
    changed: bool


@dataclass(frozen=True, slots=True)
class Added:
    """A subtree of the result without partner, right below the partner of `ancestor`."""

    element: Node
    ancestor: Node


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where two trees differ, in document order."""

    lost: tuple[Lost, ...]
    added: tuple[Added, ...]


def align(source: Node, returned: Node) -> Alignment:
    """Align two sealed trees and list their differences."""
    with deep_recursion():
        aligner = Aligner()
        aligner.pair(source, returned)
    return Alignment(tuple(aligner.lost), tuple(aligner.added))


def _same(source: Node, returned: Node) -> bool:
    free = source.standing is Standing.FREE or returned.standing is Standing.FREE
    return free or source.digest == returned.digest


def _containers(source: Node, returned: Node) -> bool:
    """Whether both are objects or both are lists."""
    alike = type(source.value) is type(returned.value) and source.tag == returned.tag
    return alike and isinstance(source.value, dict | list)


def _filled(source: Node, returned: Node) -> bool:
    """Whether an empty object or list of the source is no longer empty."""
    return source.is_leaf and not returned.is_leaf


class Aligner:
    """Walks two trees side by side.

    Costs are kept by identity of the nodes, which live as long as their trees.
    """

    def __init__(self) -> None:
        self.lost: list[Lost] = []
        self.added: list[Added] = []
        self._costs: dict[tuple[int, int], int] = {}

    def pair(self, source: Node, returned: Node) -> None:
        """Record the differences of two nodes that are partners."""
        if _same(source, returned):
            return
        if _containers(source, returned):
            if _filled(source, returned):
                self.lost.append(Lost(source, changed=True))
            for left, right in self._members(source, returned):
                self._meet(left, right, source)
            return
        self.lost.extend(Lost(leaf, changed=True) for leaf in leaves(source))
        if not (source.is_leaf and returned.is_leaf):
            self.added.append(Added(returned, source))

    def _members(self, source: Node, returned: Node) -> Iterator[tuple[Node | None, Node | None]]:
        if isinstance(source.value, list):
            return partners(source.elements, returned.elements, self.cost)
        return _by_key(source, returned)

    def _meet(self, left: Node | None, right: Node | None, parent: Node) -> None:
        if left is not None and right is not None:
            self.pair(left, right)
        elif left is not None and left.counted:
            self.lost.extend(Lost(leaf, changed=False) for leaf in leaves(left))
        elif right is not None and right.counted:
            self.added.append(Added(right, parent))

    def cost(self, source: Node, returned: Node) -> int:
        """What it costs to make two nodes partners."""
        if _same(source, returned):
            return 0
        known = self._costs.get((id(source), id(returned)))
        if known is None:
            known = self._costs[id(source), id(returned)] = self._reckon(source, returned)
        return known

    def _reckon(self, source: Node, returned: Node) -> int:
        if not _containers(source, returned):
            both_leaves = source.is_leaf and returned.is_leaf
            return 1 if both_leaves else source.size + returned.size
        if isinstance(source.value, list):
            inside = cheapest(source.elements, returned.elements, self.cost)
        else:
            inside = sum(self._meeting(*pair) for pair in _by_key(source, returned))
        return inside + (1 if _filled(source, returned) else 0)

    def _meeting(self, left: Node | None, right: Node | None) -> int:
        if left is not None and right is not None:
            return self.cost(left, right)
        alone = left or right
        return alone.size if alone is not None and alone.counted else 0


def _by_key(source: Node, returned: Node) -> Iterator[tuple[Node | None, Node | None]]:
    """The members of two objects by key, in the order of the source and then of the other."""
    for key, left in source.members.items():
        yield left, returned.members.get(key)
    for key, right in returned.members.items():
        if key not in source.members:
            yield None, right
