"""The cheapest alignment of two lists.

A pair costs what `cost` says, an element left out costs its size (law 2). Two things about
`cost` are relied on: a pair is never dearer than leaving both out, and the size of one is at
most the size of the other plus the cost of the pair (see `align`).

Ties: "ties pair the earlier index" is read as a rule over the whole alignment. The source
elements choose in order; each takes the earliest partner that some cheapest alignment gives
it, and stays alone only if no cheapest alignment pairs it. So two elements with nothing in
common become partners where they could as well stay alone: both cost the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .tree import Node

CostOf: TypeAlias = Callable[[Node, Node], int]
Nodes: TypeAlias = Sequence[Node]
Costs: TypeAlias = list[list[int]]

INFINITE = 1 << 60
FIRST_LIMIT = 16


def partners(
    source: Nodes, returned: Nodes, cost: CostOf
) -> Iterator[tuple[Node | None, Node | None]]:
    """Every element of either list with its partner or None, in order.

    An equal beginning may be cut off: such pairs cost nothing, so no alignment is cheaper
    than one that has them, and each gives an index its first chance. An equal end may not:
    an equally cheap alignment might pair an earlier element of the source.
    """
    start = equal_start(source, returned)
    yield from zip(source[:start], returned[:start], strict=True)
    source, returned = source[start:], returned[start:]
    costs = _table(source, returned, cost)
    right = 0
    for left, node in enumerate(source):
        partner = _earliest(node, returned, right, costs[left][right], costs[left + 1], cost)
        if partner is None:
            yield node, None
            continue
        yield from ((None, skipped) for skipped in returned[right:partner])
        yield node, returned[partner]
        right = partner + 1
    yield from ((None, skipped) for skipped in returned[right:])


def cheapest(source: Nodes, returned: Nodes, cost: CostOf) -> int:
    """The cost of a cheapest alignment. For this alone an equal end may be cut off too."""
    start = equal_start(source, returned)
    source, returned = source[start:], returned[start:]
    end = equal_start(source[::-1], returned[::-1])
    source, returned = source[: len(source) - end], returned[: len(returned) - end]
    return _table(source, returned, cost)[0][0]


def equal_start(source: Nodes, returned: Nodes) -> int:
    """How many elements at the beginning have equal content."""
    pairs = zip(source, returned, strict=False)
    differs = (index for index, (left, right) in enumerate(pairs) if left.digest != right.digest)
    return next(differs, min(len(source), len(returned)))


def _earliest(
    node: Node, returned: Nodes, start: int, budget: int, below: list[int], cost: CostOf
) -> int | None:
    """The first partner with which the rest of the lists still costs only `budget`."""
    for partner in range(start, len(returned)):
        rest = below[partner + 1]
        if rest <= budget and cost(node, returned[partner]) + rest == budget:
            return partner
        budget -= returned[partner].size
    return None


def _table(source: Nodes, returned: Nodes, cost: CostOf) -> Costs:
    """The cheapest cost for every pair of list ends.

    Alignments up to a limit keep near the diagonal, and only those are tried. Is the cheapest
    within the limit, then every cheapest one was tried and the entries along them are exact,
    which is all that `partners` reads; otherwise the limit is doubled. Entries elsewhere are
    never below the truth.
    """
    most = sum(node.size for node in source) + sum(node.size for node in returned)
    limit = FIRST_LIMIT
    while True:
        costs = _table_within(_Band.of(source, returned, limit), source, returned, cost)
        if costs[0][0] <= limit or limit >= most:
            return costs
        limit *= 2


def _table_within(band: "_Band", source: Nodes, returned: Nodes, cost: CostOf) -> Costs:
    width = len(returned) + 1
    last = [INFINITE] * width
    last[-1] = 0
    for right in band.columns(len(source), skip=1):
        last[right] = last[right + 1] + returned[right].size
    costs = [last]
    for left in range(len(source) - 1, -1, -1):
        row, below, node = [INFINITE] * width, costs[-1], source[left]
        row[-1] = below[-1] + node.size
        for right in band.columns(left, skip=1):
            best = min(below[right] + node.size, row[right + 1] + returned[right].size)
            if below[right + 1] < best:
                best = min(best, below[right + 1] + cost(node, returned[right]))
            row[right] = best
        costs.append(row)
    return costs[::-1]


@dataclass(frozen=True, slots=True)
class _Band:
    """The cells that an alignment within a limit can pass.

    A cell off the diagonal by `d` has skipped `d` elements of one list, and the corner off
    by the difference of the lengths is still to be reached; both cost at least the smallest
    element each time.
    """

    left_size: int
    right_size: int
    lengths: tuple[int, int]
    limit: int

    @classmethod
    def of(cls, source: Nodes, returned: Nodes, limit: int) -> "_Band":
        """The band of two lists."""
        smallest = [min((node.size for node in nodes), default=1) for nodes in (source, returned)]
        return cls(smallest[0], smallest[1], (len(source), len(returned)), limit)

    def columns(self, left: int, *, skip: int) -> Iterator[int]:
        """The columns of a row from high to low, the last `skip` of the row left out."""
        highest = min(self.lengths[1] - skip, left - self._reach()[0])
        lowest = max(0, left - self._reach()[1])
        return iter(range(highest, lowest - 1, -1))

    def _reach(self) -> tuple[int, int]:
        """The least and the greatest `left - right` within the limit."""
        corner = self.lengths[0] - self.lengths[1]
        spare = self.limit - self._skipped(corner)
        beyond = max(0, spare) // (self.left_size + self.right_size)
        return min(0, corner) - beyond, max(0, corner) + beyond

    def _skipped(self, distance: int) -> int:
        return distance * self.left_size if distance > 0 else -distance * self.right_size
