"""The tree in which two bodies are compared.

Every node remembers which places of the original body it stands for, so that a difference
found in the tree can be held against the paths of the losses, which point into the body.
"""

import hashlib
import json
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from .pointers import Json, child

Scalar: TypeAlias = bool | int | float | str | None
RECURSION_LIMIT = 50_000


class Standing(Enum):
    """What the absence of a key means."""

    PLAIN = "its absence is a difference"
    DEFAULT = "it is worth as much as its absence; another value is still a difference"
    FREE = "the old spelling has no such key: anything may stand here, or nothing"


@dataclass(slots=True, eq=False)
class Node:
    """One value of the tree. `digest` and `size` are filled in by `seal`.

    `pointers` names the places of the original body. There is more than one where two
    places became one (merged turns), and several nodes share a place where one became
    several (a string that became a list with one text part).
    `tag` sets a value that was read out of a text apart from one that stood in the body.
    """

    value: "Scalar | dict[str, Node] | list[Node]"
    pointers: tuple[str, ...]
    standing: Standing = Standing.PLAIN
    tag: str = ""
    digest: bytes = b""
    size: int = 0

    @property
    def members(self) -> "dict[str, Node]":
        """The members of an object; empty for anything else."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def elements(self) -> "list[Node]":
        """The elements of a list; empty for anything else."""
        return self.value if isinstance(self.value, list) else []

    @property
    def counted(self) -> bool:
        """Whether its leaves are leaves of the one spelling."""
        return self.standing is Standing.PLAIN

    @property
    def is_leaf(self) -> bool:
        """A scalar, `{}` or `[]`. An object that holds only defaults is `{}`."""
        if isinstance(self.value, dict):
            return not any(member.counted for member in self.value.values())
        return not self.value if isinstance(self.value, list) else True


def plant(body: Json, pointer: str = "") -> Node:
    """The body as a tree, in its own spelling."""
    if isinstance(body, dict):
        members = {key: plant(value, child(pointer, key)) for key, value in body.items()}
        return Node(members, (pointer,))
    if isinstance(body, list):
        elements = [plant(value, child(pointer, index)) for index, value in enumerate(body)]
        return Node(elements, (pointer,))
    return Node(body, (pointer,))


def plain(node: Node) -> Json:
    """The value of a node without its defaults."""
    if isinstance(node.value, dict):
        return {key: plain(member) for key, member in node.value.items() if member.counted}
    if isinstance(node.value, list):
        return [plain(element) for element in node.value]
    return node.value


def leaves(node: Node) -> Iterator[Node]:
    """The leaves of a tree in document order, defaults left out."""
    if node.is_leaf:
        yield node
    for member in node.members.values():
        if member.counted:
            yield from leaves(member)
    for element in node.elements:
        yield from leaves(element)


def seal(node: Node) -> None:
    """Fill in what comparing needs: a digest of the content and the number of leaves.

    Equal digests mean equal content. Defaults are no part of either; a free key is part of
    the digest, because what it is compared with does not matter but that it is free does.
    """
    for below in (*node.members.values(), *node.elements):
        seal(below)
    node.digest = hashlib.blake2b(_content(node), digest_size=16).digest()
    counted = [member.size for member in node.members.values() if member.counted]
    node.size = 1 if node.is_leaf else sum(counted) + sum(item.size for item in node.elements)


def _content(node: Node) -> bytes:
    if isinstance(node.value, dict):
        kept = {key: item for key, item in node.value.items() if _marks(item)}
        return b"{" + node.tag.encode() + b"".join(_entry(key, kept[key]) for key in sorted(kept))
    if isinstance(node.value, list):
        return b"[" + node.tag.encode() + b"".join(item.digest for item in node.value)
    return f"{node.tag}:{json.dumps(node.value)}".encode()


def _marks(member: Node) -> bool:
    return member.standing is not Standing.DEFAULT


def _entry(key: str, member: Node) -> bytes:
    free = member.standing is Standing.FREE
    return json.dumps(key).encode() + (b"?" if free else member.digest)


@contextmanager
def deep_recursion() -> Generator[None]:
    """Room for a body that is nested as deep as `json` can read it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
