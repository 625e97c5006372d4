"""What one reading and one writing carry along: places, rules, maps, and the report of losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from toolbridge.identifiers import digest
from toolbridge.offered import Offered
from toolbridge.parts import Bound
from toolbridge.request import Author
from toolbridge.values import JSON, Value, make

if TYPE_CHECKING:
    from toolbridge.adapter import Adapter
    from toolbridge.codec import Codec
    from toolbridge.report import Report
    from toolbridge.rules import Rules

V = TypeVar("V", bound=Value)

Path = tuple[Any, ...]
"""A place in a body: the place of the parent, then keys (pointers without the first `/`) and
indexes. Joined to a JSON pointer only when a loss needs it."""


class Places(dict[int, Path]):
    """Where values stand in the body, by identity; `kept` keeps replaced ones alive, so that
    no other value gets their identity."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Value] = []


class Reading:
    """The reading of one body. `places` is None where nobody will ask for places."""

    __slots__ = (
        "_author",
        "_calls",
        "_nameless",
        "format",
        "host",
        "model",
        "path",
        "places",
        "profile",
    )

    def __init__(
        self, format: str, profile: str | None = None, places: Places | None = None
    ) -> None:
        self.format = format
        self.profile = profile
        self.host: str | None = profile
        self.model: str | None = None
        self.places = places
        self.path: Path = ()
        self._author: Author | None = None
        self._calls = 0
        self._nameless: list[tuple[str, str]] = []

    def placed(self, item: V) -> V:
        """The item, its place remembered."""
        if self.places is not None:
            self.places[id(item)] = self.path
        return item

    def moved(self, item: V, origin: Value) -> V:
        """The item, standing where its origin stood."""
        if self.places is not None and id(origin) in self.places:
            self.places[id(item)] = self.places[id(origin)]
            self.places.kept.append(origin)
        return item

    def call_without_id(self, name: str, said: object = "", call_id: str | None = None) -> str:
        """An id for a call that its result does not name on the wire: the one given, or one
        from its position and what it says, the same each time and nobody else's."""
        self._calls += 1
        call_id = call_id or f"call_{self._calls}_{digest(f'{self._calls} {name} {said!r}', 8)}"
        self._nameless.append((name, call_id))
        return call_id

    def result_without_id(self, name: str) -> str:
        """The id of the earliest open call of that name, for a result that has none."""
        for index, (called, call_id) in enumerate(self._nameless):
            if called == name:
                del self._nameless[index]
                return call_id
        return f"result_of_{name}"

    def author(self) -> Author:
        """Whoever wrote the assistant's messages in this body: one value for all of them."""
        if self._author is None:
            fields: dict[str, Any] = {"format": self.format}
            if self.host is not None:
                fields["host"] = self.host
            if self.model is not None:
                fields["model"] = self.model
            self._author = make(Author, fields)
        return self._author

    def bound(self, sealed: str) -> Bound:
        """Sealed data of whoever wrote this body."""
        return make(Bound, {"value": sealed, **vars(self.author())})


class Writing:
    """The writing of one value for one target.

    `native` says that the value was read in the target's own format and profile: then nothing
    is repaired and no rule acts. `model` is the model that will read it, as far as known.
    `fresh` says that nobody can have changed the value since it was read. `kind` is the kind of
    payload, and `envelope` collects what the target carries outside it. `offered` are the
    tools as they are written. `put_history` writes the history of a request in place of its
    codec, where it is written in pieces.
    """

    def __init__(
        self,
        target: Adapter,
        profile: str | None,
        rules: Rules,
        report: Report,
        *,
        native: bool = False,
        model: str | None = None,
        adapter_of: Callable[[str], Adapter | None] = lambda format: None,
    ) -> None:
        self.target = target
        self.format = target.name
        self.profile = profile
        self.rules = rules
        self.report = report
        self.native = native
        self.model = model
        self.adapter_of = adapter_of
        self.fresh = False
        self.kind = "request"
        self.envelope: dict[str, Any] = {}
        self.offered = Offered()
        self.put_history: Callable[[Any, Value], JSON] | None = None

    def owns(self, item: Value | None) -> bool:
        """Whether the item was read in the target's format."""
        spelling = None if item is None else item.spelling
        return spelling is not None and spelling.format == self.format

    def lose(self, item: Value, field: str, detail: str = "", code: str = "") -> None:
        """The target has no place for a field of the item."""
        self.report.lose(item, field, detail, code)

    def approximate(self, item: Value, field: str, detail: str) -> None:
        """The target gets a field of the item as the nearest thing that it has."""
        self.report.approximate(item, field, detail)

    def codec_of(self, item: Value, field: str) -> Codec | None:
        """The codec that read a field of the item in the format it came from."""
        source = None if item.spelling is None else self.adapter_of(item.spelling.format)
        if source is None or item.spelling is None:
            return None
        shape = source.shapes.get(item.spelling.kind)
        writer = None if shape is None else shape.writer(field, item.spelling)
        return None if writer is None else writer.codec
