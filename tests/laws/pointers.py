"""JSON pointers, and patterns over the paths they name.

A *pointer* is a string as in RFC 6901 and names one place in one body. A *path* is the
tuple of its tokens with every list index replaced by `*`, so that one pattern speaks of
all elements of a list. Tables of this package are written as patterns.
"""

import re
from collections.abc import Iterable
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Path: TypeAlias = tuple[str, ...]

ANY = "*"
BELOW = "**"


def child(pointer: str, token: str | int) -> str:
    """The pointer of the member `token` of the place that `pointer` names."""
    return f"{pointer}/{str(token).replace('~', '~0').replace('/', '~1')}"


def tokens(pointer: str) -> list[str]:
    """The unescaped tokens of a pointer; the root has none."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def under(pointer: str, ancestor: str) -> bool:
    """Whether `pointer` is `ancestor` or stands below it."""
    return pointer == ancestor or pointer.startswith(ancestor + "/")


def value_at(body: Json, pointer: str) -> Json:
    """The value that the pointer names.

    Raises `LookupError` if the body has no such place.
    """
    if pointer and not pointer.startswith("/"):
        raise LookupError(f"{pointer!r} is no pointer: it has no leading slash")
    place = body
    for token in tokens(pointer):
        if isinstance(place, dict) and token in place:
            place = place[token]
        elif isinstance(place, list) and token.isdigit() and int(token) < len(place):
            place = place[int(token)]
        else:
            raise LookupError(f"{pointer!r} names nothing: no {token!r} there")
    return place


def resolves(body: Json, pointer: str) -> bool:
    """Whether the pointer names a place that the body has."""
    try:
        value_at(body, pointer)
    except LookupError:
        return False
    return True


def path_of(pointer: str) -> Path:
    """The path of a pointer. A numeric token counts as a list index."""
    return tuple(ANY if token.isdigit() else token for token in tokens(pointer))


def camel(key: str) -> str:
    """The camelCase spelling of a snake_case key; other keys stay."""
    return re.sub(r"(?<=[A-Za-z0-9])_([a-z0-9])", lambda match: match[1].upper(), key)


def camel_path(path: Path) -> Path:
    """The path with every key in camelCase, for patterns over Gemini bodies."""
    return tuple(camel(key) for key in path)


class Patterns:
    """A set of path patterns.

    `/a/*/b` is the whole path, `a/*/b` without a leading slash is the end of a path, a
    last `/**` takes everything below as well. `*` stands for one token.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._places: dict[str, list[tuple[Path, bool]]] = {}
        self._trees: dict[str, list[tuple[Path, bool]]] = {}
        for pattern in patterns:
            whole = pattern.startswith("/")
            path = tuple(token for token in pattern.split("/") if token)
            table = self._places
            if path and path[-1] == BELOW:
                path, table = path[:-1], self._trees
            table.setdefault(path[-1] if path else "", []).append((path, whole))

    def has_child(self, path: Path) -> bool:
        """Whether any pattern takes a place right below this path."""
        table = [*self._places.items(), *self._trees.items()]
        patterns = [entry for _, entries in table for entry in entries]
        return any(_fits(pattern[:-1], whole, path) for pattern, whole in patterns if pattern)

    def match(self, path: Path) -> bool:
        """Whether any pattern of the set takes this path."""
        if _among(self._places, path):
            return True
        if not self._trees:
            return False
        return any(_among(self._trees, path[:end]) for end in range(len(path), -1, -1))


def _among(table: dict[str, list[tuple[Path, bool]]], path: Path) -> bool:
    last = path[-1] if path else ""
    candidates = table.get(last, []) + (table.get(ANY, []) if last != ANY else [])
    return any(_fits(pattern, whole, path) for pattern, whole in candidates)


def _fits(pattern: Path, whole: bool, path: Path) -> bool:
    if len(pattern) > len(path) or (whole and len(pattern) != len(path)):
        return False
    end = path[len(path) - len(pattern) :]
    return all(ours in (ANY, theirs) for ours, theirs in zip(pattern, end, strict=True))
