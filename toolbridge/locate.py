"""Where in the source a value, a field or an unknown key stands: JSON pointers for losses.

A conversion points into the payload that it read, `tb.write` into `to_json` of the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from toolbridge.values import JSON, Value

if TYPE_CHECKING:
    from toolbridge.conversion import Path
    from toolbridge.request import Request
    from toolbridge.shape import Shape


def escape(key: str) -> str:
    """A key as one step of a JSON pointer (RFC 6901, section 3)."""
    return key.replace("~", "~0").replace("/", "~1")


def unescape(step: str) -> str:
    """The inverse of `escape`."""
    return step.replace("~1", "/").replace("~0", "~")


def followed(item: JSON, path: str) -> Iterator[tuple[str, JSON]]:
    """What a JSON pointer leads through, each with the pointer to it, as far as there is anything;
    the last is what it points to if its pointer is the whole."""
    made = ""
    yield made, item
    for step in path.split("/")[1:]:
        key = unescape(step)
        if isinstance(item, dict) and key in item:
            item = item[key]
        elif isinstance(item, list) and key.isdigit() and int(key) < len(item):
            item = item[int(key)]
        else:
            return
        made = f"{made}/{step}"
        yield made, item


def pointer(path: Path) -> str:
    """A place as a JSON pointer."""
    steps: list[str] = []
    while path:
        parent, *rest = path
        steps[:0] = [str(step) for step in rest]
        path = parent
    return "".join(f"/{step}" for step in steps)


def pointers(places: Iterable[tuple[str, JSON]], sought: set[int]) -> dict[int, str]:
    """The pointers of some objects, by their `id`, in values whose own pointers are given."""
    found: dict[int, str] = {}
    waiting = [*places] if sought else []
    while waiting and len(found) < len(sought):
        path, raw = waiting.pop()
        if id(raw) in sought:
            found[id(raw)] = path
        if isinstance(raw, dict):
            waiting += [(f"{path}/{escape(key)}", raw[key]) for key in raw if nests(raw[key])]
        elif isinstance(raw, list):
            waiting += [(f"{path}/{index}", each) for index, each in enumerate(raw) if nests(each)]
    return found


def nests(raw: JSON) -> bool:
    """Whether a JSON value can hold others."""
    return isinstance(raw, (dict, list))


class Locator(Protocol):
    """Gives the pointers of one source."""

    def where(self, item: Value) -> str:
        """The pointer to a value; empty for one that stands nowhere of its own."""
        ...

    def fields(self, item: Value, field: str) -> list[str]:
        """The pointers from a value to one of its fields: two where it is spelled twice."""
        ...

    def unknown(self, item: Value) -> list[str]:
        """The pointers from a value to the keys in its `extra`."""
        ...

    def parent(self, item: Value, field: str) -> str:
        """The pointer from a value to a field, or to the nearest object that it would stand in."""
        ...


class WireLocator:
    """Points into the payload that was read: by remembered places and the shapes' tables."""

    def __init__(self, shapes: Mapping[str, Shape], places: Mapping[int, Path]) -> None:
        self._shapes = shapes
        self._places = places

    def where(self, item: Value) -> str:
        return pointer(self._places.get(id(item), ()))

    def fields(self, item: Value, field: str) -> list[str]:
        shape = self._shape(item)
        if shape is None:
            return [""]
        return [
            "".join(f"/{key}" for key in keys) for keys in shape.places_of(field, item.spelling)
        ]

    def unknown(self, item: Value) -> list[str]:
        shape = self._shape(item)
        if shape is None:
            return [
                f"/{escape(key)}"
                for key, member in (item.extra or {}).items()
                if member is not None
            ]
        return [
            "/" + "/".join((*shape.spelled(path, item.spelling), escape(key)))
            for path, key in nested_keys(shape, item.extra or {}, ())
        ]

    def parent(self, item: Value, field: str) -> str:
        shape = self._shape(item)
        if shape is None or field not in shape.writers:
            return ""
        path = shape.writers[field].path
        spelling = item.spelling
        while path and not shape.has_key(path, spelling):
            path = path[:-1]
        return "".join(f"/{key}" for key in shape.spelled(path, spelling))

    def _shape(self, item: Value) -> Shape | None:
        return None if item.spelling is None else self._shapes.get(item.spelling.kind)


def nested_keys(
    shape: Shape, extra: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The unknown keys of a value with the path of the nested object each stands in; a null
    under such a key says nothing."""
    for key, member in extra.items():
        if member is None:
            continue
        if (*path, key) in shape.nested and isinstance(member, dict):
            yield from nested_keys(shape, member, (*path, key))
        else:
            yield path, key


class ModelLocator:
    """Points into `to_json` of a value."""

    def __init__(self, root: Any, path: str = "/value") -> None:
        self._places: dict[int, str] = {}
        self._walk(root, path)

    def _walk(self, item: Any, path: str) -> None:
        if isinstance(item, Value):
            self._places[id(item)] = path
            for field, member in vars(item).items():
                if isinstance(member, (Value, tuple)):
                    self._walk(member, f"{path}/{field}")
        elif isinstance(item, tuple):
            for index, member in enumerate(item):
                self._walk(member, f"{path}/{index}")

    def where(self, item: Value) -> str:
        return self._places.get(id(item), "/value")

    def fields(self, item: Value, field: str) -> list[str]:
        return [f"/{field}"]

    def unknown(self, item: Value) -> list[str]:
        return [
            f"/extra/{escape(key)}"
            for key, member in (item.extra or {}).items()
            if member is not None
        ]

    def parent(self, item: Value, field: str) -> str:
        return ""


class GrowingLocator(ModelLocator):
    """Points into `to_json` of requests whose history grows and whose tool choice may change,
    while all else stays. `shared` are the identities of values that stand in several places."""

    def __init__(self, request: Request) -> None:
        super().__init__(None)
        self.shared: set[int] = set()
        self._placed = 0
        self.follow(request)
        for field, member in vars(request).items():
            if field not in ("history", "tool_choice"):
                self._walk(member, f"/value/{field}")

    def follow(self, request: Request) -> None:
        """Point into this request from here on."""
        self._request = request
        self._choice = ModelLocator(request.tool_choice, "/value/tool_choice")

    def where(self, item: Value) -> str:
        self.find_all()
        return self._places.get(id(item)) or self._choice.where(item)

    def find_all(self) -> None:
        """Work out the places of the request, if nobody asked for them yet."""
        history = self._request.history
        for index in range(self._placed, len(history)):
            self._walk(history[index], f"/value/history/{index}")
        self._placed = len(history)

    def _walk(self, item: Any, path: str) -> None:
        if id(item) in self._places:
            self.shared.add(id(item))
        super()._walk(item, path)
