"""The aligner: hand-made pairs with known answers, and a slow aligner that tries everything."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .align import Aligner, Alignment, align
from .pointers import Json
from .sequence import partners
from .tree import Node, deep_recursion, leaves, plant, seal

DEPTH = 900


def sealed(value: Json) -> Node:
    """The tree of a value in its own spelling."""
    with deep_recursion():
        node = plant(value)
        seal(node)
    return node


def aligned(source: Json, returned: Json) -> Alignment:
    return align(sealed(source), sealed(returned))


def lost(alignment: Alignment) -> list[str]:
    return [lost.leaf.pointers[0] for lost in alignment.lost]


def added(alignment: Alignment) -> list[tuple[str, str]]:
    """Where in the result each added element stands, and its nearest source ancestor."""
    return [(item.element.pointers[0], item.ancestor.pointers[0]) for item in alignment.added]


@dataclass(frozen=True)
class Case:
    """Two values and what differs: source pointers lost, (result pointer, ancestor) added."""

    name: str
    source: Json
    returned: Json
    lost: tuple[str, ...] = ()
    added: tuple[tuple[str, str], ...] = ()


TEXT: Json = {"type": "text", "text": "a"}
CALL: Json = {"type": "tool_use", "id": "1", "name": "f", "input": {"x": 1}}

CASES = (
    Case("key order does not count", {"a": 1, "b": 2}, {"b": 2, "a": 1}),
    Case("leaf changed", {"a": 1}, {"a": 2}, ("/a",)),
    Case("leaf gone", {"a": 1, "b": 2}, {"b": 2}, ("/a",)),
    Case("leaf added", {"b": 2}, {"a": 1, "b": 2}, (), (("/a", ""),)),
    Case("int is not float", {"a": 1}, {"a": 1.0}, ("/a",)),
    Case("one is not true", [1], [True], ("/0",)),
    Case("null is not absent", {"a": None}, {}, ("/a",)),
    Case("null is not false", {"a": None}, {"a": False}, ("/a",)),
    Case("empty object is a leaf", {"a": {}}, {}, ("/a",)),
    Case("empty list is a leaf", {"a": []}, {"a": {}}, ("/a",)),
    Case("empty object filled", {"a": {}}, {"a": {"b": 1}}, ("/a",), (("/a/b", "/a"),)),
    Case("object emptied", {"a": {"b": 1}}, {"a": {}}, ("/a/b",)),
    Case("list emptied", [[1, 2]], [[]], ("/0/0", "/0/1")),
    Case("leaf became object", {"a": 1}, {"a": {"b": 1}}, ("/a",), (("/a", "/a"),)),
    Case("object became leaf", {"a": {"b": 1}}, {"a": 1}, ("/a/b",), (("/a", "/a"),)),
    Case("object became list", {"a": {"b": 1}}, {"a": [1]}, ("/a/b",), (("/a", "/a"),)),
    Case("missing parent", {"a": 1}, {"a": 1, "b": {"c": {"d": 2}}}, (), (("/b", ""),)),
    Case("element gone", [TEXT, CALL], [CALL], ("/0/type", "/0/text")),
    Case("element added in front", [CALL], [TEXT, CALL], (), (("/0", ""),)),
    Case("added key in a shifted element", [TEXT, {"k": [1, 2]}], [{"k": [1, 2], "z": 3}],
         ("/0/type", "/0/text"), (("/0/z", "/1"),)),
    Case("element moved", [TEXT, CALL], [CALL, TEXT], ("/0/type", "/0/text"), (("/1", ""),)),
    Case("a changed pair is cheaper than two alone", [TEXT], [{"type": "text", "text": "b"}],
         ("/0/text",)),
    Case("of equal elements the earlier is paired", ["x", "x"], ["x"], ("/1",)),
    Case("the earlier of two equal in the result", ["x"], ["x", "x"], (), (("/1", ""),)),
    Case("a tie before a shared end", [{"a": 1, "b": 2}, {"a": 1}], [{"a": 1}],
         ("/0/b", "/1/a")),
    Case("swapped equals of one size", ["a", "b"], ["b", "a"], ("/0", "/1")),
    Case("nested lists", [[1, 2, 3], [4]], [[1, 3], [4]], ("/0/1",)),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_known_pairs(case: Case) -> None:
    alignment = aligned(case.source, case.returned)
    assert lost(alignment) == list(case.lost)
    assert added(alignment) == list(case.added)


def nest(depth: int, end: Json) -> Json:
    value: Json = end
    for _ in range(depth):
        inner: Json = {"a": value}
        value = {"properties": inner}
    return value


def test_deep_nesting_is_no_error() -> None:
    alignment = aligned(nest(DEPTH, 1), nest(DEPTH, 2))
    assert lost(alignment) == ["/properties/a" * DEPTH]


def test_deep_lists_are_no_error() -> None:
    source: Json = [1, "x"]
    returned: Json = [2, "x"]
    for _ in range(DEPTH):
        source, returned = [source, "y"], [returned, "y"]
    assert lost(aligned(source, returned)) == ["/0" * (DEPTH + 1)]


SMALL = st.recursive(
    st.sampled_from([0, 1, True, "a", "b"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=5,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


def brute_force(source: list[Node], returned: list[Node]) -> list[int | None]:
    """The partners of a list by trying every alignment: the cheapest, ties by the rule."""
    aligner = Aligner()

    def price(pairs: list[tuple[int, int]]) -> int:
        paired = sum(aligner.cost(source[left], returned[right]) for left, right in pairs)
        left_out = sum(node.size for node in source) + sum(node.size for node in returned)
        return paired + left_out - sum(source[a].size + returned[b].size for a, b in pairs)

    def rank(pairs: list[tuple[int, int]]) -> tuple[int, list[float]]:
        chosen = dict(pairs)
        return price(pairs), [chosen.get(index, float("inf")) for index in range(len(source))]

    every: Iterator[list[tuple[int, int]]] = (
        list(zip(lefts, rights, strict=True))
        for number in range(min(len(source), len(returned)) + 1)
        for lefts in itertools.combinations(range(len(source)), number)
        for rights in itertools.combinations(range(len(returned)), number)
    )
    cheapest: list[tuple[int, int]] = min(every, key=rank)
    best = dict(cheapest)
    return [best.get(index) for index in range(len(source))]


def fast(source: list[Node], returned: list[Node]) -> list[int | None]:
    """The partners that the aligner chooses."""
    place = {id(node): index for index, node in enumerate(returned)}
    pairs = partners(source, returned, Aligner().cost)
    return [None if right is None else place[id(right)] for left, right in pairs if left]


@settings(max_examples=400)
@given(st.lists(SMALL, max_size=4), st.lists(SMALL, max_size=4))
def test_no_alignment_is_better(source: list[Json], returned: list[Json]) -> None:
    left, right = sealed(source).elements, sealed(returned).elements
    assert fast(left, right) == brute_force(left, right)


@given(SMALL, SMALL)
def test_the_cost_is_what_is_listed(source: Json, returned: Json) -> None:
    left, right = sealed(source), sealed(returned)
    alignment = align(left, right)
    listed = len(alignment.lost) + sum(item.element.size for item in alignment.added)
    assert Aligner().cost(left, right) == listed


@given(JSON)
def test_nothing_differs_from_itself(value: Json) -> None:
    assert aligned(value, value) == Alignment((), ())


@given(JSON, JSON)
def test_every_leaf_is_accounted_for(source: Json, returned: Json) -> None:
    left = sealed(source)
    alignment = align(left, sealed(returned))
    places = [leaf.pointers[0] for leaf in leaves(left)]
    assert [place for place in places if place in lost(alignment)] == sorted(
        lost(alignment), key=places.index
    )
    assert len(places) == left.size


def test_long_lists_with_few_differences_are_quick() -> None:
    turns: list[Json] = [
        {"role": "user", "content": [{"type": "text", "text": f"{number}"}]}
        for number in range(600)
    ]
    returned: list[Json] = [turns[-1], *turns[3:300], "new", *turns[302:]]
    alignment = aligned(turns, returned)
    assert len(alignment.lost) == 1 + 2 * 3 + 2 * 3, "a text changed, four turns are gone"
    assert added(alignment) == [("/298", "/300")], "the tie rule pairs what has nothing in common"
