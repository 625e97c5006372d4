"""Steps that the spellings of several formats share. All change a planted tree in place."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn, TypeAlias

from .tree import Node, Scalar, Standing

Argument: TypeAlias = "Scalar | _Entries | list[Argument]"


def text_of(node: Node, key: str) -> str | None:
    """The string under a key, or None."""
    member = node.members.get(key)
    return member.value if member is not None and isinstance(member.value, str) else None


def elements(node: Node, key: str) -> list[Node]:
    """The elements of the list under a key; none if there is no list."""
    member = node.members.get(key)
    return member.elements if member is not None else []


def each(nodes: Iterable[Node], step: Callable[[Node], None]) -> None:
    """Take a step at every object; elements of another kind are left alone."""
    for node in nodes:
        if isinstance(node.value, dict):
            step(node)


def record(members: Mapping[str, Node | Scalar], like: Node) -> Node:
    """An object that the other spelling writes out, standing for the same place as `like`."""
    nodes = {
        key: item if isinstance(item, Node) else Node(item, like.pointers)
        for key, item in members.items()
    }
    return Node(nodes, like.pointers)


def listing(items: list[Node], like: Node) -> Node:
    """A list that the other spelling writes out, standing for the same place as `like`."""
    return Node(items, like.pointers)


def rename(node: Node, old: str, new: str) -> None:
    """Give a member its newer key, unless both are there."""
    members = node.members
    if old in members and new not in members:
        members[new] = members.pop(old)


def replace_text(node: Node, key: str, old: str, new: str) -> None:
    """Two words for one thing: write the second."""
    if text_of(node, key) == old:
        node.members[key].value = new


def widen(node: Node, key: str, part_type: str) -> None:
    """A string and one text part are one spelling: make it the list with one part."""
    text = text_of(node, key)
    if text is not None:
        like = node.members[key]
        part = record({"type": part_type, "text": text}, like)
        node.members[key] = listing([part], like)


def as_list(node: Node, key: str) -> None:
    """One object where a list belongs is the list with that object."""
    member = node.members.get(key)
    if member is not None and isinstance(member.value, dict):
        node.members[key] = listing([member], member)


def free(node: Node, key: str) -> None:
    """Whatever stands under the key does not count, nor whether anything does."""
    member = node.members.setdefault(key, Node(None, node.pointers))
    member.standing = Standing.FREE


def optional(node: Node, key: str, default: str) -> None:
    """An absent key is worth this default, and the default as much as absence."""
    member = node.members.setdefault(key, Node(default, node.pointers))
    if member.value == default:
        member.standing = Standing.DEFAULT


def parse_arguments(node: Node, key: str) -> None:
    """Argument texts are one if they are equal as JSON with its key order.

    The text becomes the value it says, all of it standing for the place of the text. An
    object becomes the list of its entries, because their order counts. Text that is not JSON
    stays text. Tags set all this apart from what stood in the body as it is.
    """
    text = text_of(node, key)
    if text is None:
        return
    try:
        value = json.loads(text, object_pairs_hook=_Entries, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return
    node.members[key] = _argument(value, node.members[key])


class _Entries:
    """An object read as its entries in order, repeated keys kept."""

    def __init__(self, entries: "list[tuple[str, Argument]]") -> None:
        self.entries = entries


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant!r} is not JSON")


def _argument(value: Argument, like: Node) -> Node:
    if isinstance(value, _Entries):
        entries = [Node({key: _argument(item, like)}, like.pointers) for key, item in value.entries]
        return Node(entries, like.pointers, tag="entries of arguments")
    if isinstance(value, list):
        items = [_argument(item, like) for item in value]
        return Node(items, like.pointers, tag="list in arguments")
    return Node(value, like.pointers, tag="value in arguments")


def merge_turns(node: Node, key: str, parts: str) -> None:
    """Consecutive turns of one role are one turn, if role and parts are all they have.

    The one turn stands for the places of all, and so do its role and its list of parts.
    """
    merged: list[Node] = []
    for turn in elements(node, key):
        if merged and _one_turn(merged[-1], turn, parts):
            _absorb(merged[-1], turn, parts)
        else:
            merged.append(turn)
    if elements(node, key):
        node.members[key].value = merged


def _one_turn(before: Node, turn: Node, parts: str) -> bool:
    simple = all(
        set(node.members) == {"role", parts} and isinstance(node.members[parts].value, list)
        for node in (before, turn)
    )
    return simple and text_of(before, "role") == text_of(turn, "role")


def _absorb(before: Node, turn: Node, parts: str) -> None:
    before.pointers += turn.pointers
    for key in ("role", parts):
        before.members[key].pointers += turn.members[key].pointers
    before.members[parts].elements.extend(turn.members[parts].elements)
