"""How one wire object was written, where that does not change what it means.

Reading a body in a format and writing it in the same one must give the same JSON. What a
value means is in its fields, what the reader did not know is in its `extra`; this is the
rest: keys in their order, explicit nulls, values in an uncommon form, nested objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolbridge.values import JSON, FrozenDict, Value, freeze, same

if TYPE_CHECKING:
    from toolbridge.return_trip import Difference

NO_INNER: Mapping[str, tuple[str, ...]] = FrozenDict()


class Spelling:
    """The spelling of one wire object; immutable, shared by all objects spelled alike.

    `format` and `kind` name the Shape that read it. `keys` are its keys in order, `inner`
    those of nested objects by path, `nulls` the paths of explicit nulls, `literals` the wire
    values, by field, that the writer would write otherwise, `made` what the reader put in the
    place of a null or of a value in a wrong form, by path, `covers` a digest of the content
    that vendor-made fields (signature, log probabilities, citation offsets) were made for.
    `trip` remembers what `return_trip` says of it; None until somebody asked.
    """

    __slots__ = ("covers", "format", "inner", "keys", "kind", "literals", "made", "nulls", "trip")

    format: str
    kind: str
    keys: tuple[str, ...]
    inner: Mapping[str, tuple[str, ...]]
    nulls: tuple[str, ...]
    literals: Mapping[str, JSON]
    made: Mapping[str, JSON]
    covers: str | None
    trip: tuple[Difference, ...] | None

    def __init__(
        self,
        format: str,
        kind: str,
        keys: tuple[str, ...] = (),
        inner: Mapping[str, tuple[str, ...]] = NO_INNER,
        nulls: tuple[str, ...] = (),
        literals: Mapping[str, JSON] = NO_INNER,
        covers: str | None = None,
        made: Mapping[str, JSON] = NO_INNER,
    ) -> None:
        put = object.__setattr__
        put(self, "format", format)
        put(self, "kind", kind)
        put(self, "keys", keys)
        put(self, "inner", inner)
        put(self, "nulls", nulls)
        put(self, "literals", literals)
        put(self, "made", made)
        put(self, "covers", covers)
        put(self, "trip", None)

    def remember_trip(self, trip: tuple[Difference, ...]) -> tuple[Difference, ...]:
        """Keep what `return_trip` worked out for this spelling: it is always the same."""
        object.__setattr__(self, "trip", trip)
        return trip

    def covering(self, item: Value) -> Spelling:
        """The spelling for a value whose content was put into our terms: what the vendor made
        for it still holds."""
        covers = None if self.covers is None else digest(type(item), vars(item))
        return Spelling(
            self.format,
            self.kind,
            self.keys,
            self.inner,
            self.nulls,
            self.literals,
            covers,
            self.made,
        )

    def __setattr__(self, name: str, item: object) -> None:
        raise AttributeError("a Spelling is immutable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spelling) and same(self.to_json(), other.to_json())

    def __hash__(self) -> int:
        return hash((self.format, self.kind, self.keys))

    def __repr__(self) -> str:
        return f"Spelling({self.format}, {self.kind})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Spelling.from_json, (self.to_json(),)

    def to_json(self) -> dict[str, JSON]:
        """As a JSON object; what is empty is left out."""
        members = {
            "format": self.format,
            "kind": self.kind,
            "keys": list(self.keys),
            "inner": {path: list(keys) for path, keys in self.inner.items()},
            "nulls": list(self.nulls),
            "literals": dict(self.literals),
            "made": dict(self.made),
            "covers": self.covers,
        }
        return {name: member for name, member in members.items() if member}

    @classmethod
    def from_json(cls, data: Mapping[str, JSON]) -> Spelling:
        """The inverse of `to_json`."""
        return cls(
            data["format"],
            data["kind"],
            tuple(data.get("keys", ())),
            {path: tuple(keys) for path, keys in data.get("inner", {}).items()},
            tuple(data.get("nulls", ())),
            freeze(data.get("literals", {})),
            data.get("covers"),
            freeze(data.get("made", {})),
        )


def is_stale(item: Value) -> bool:
    """Whether a value has changed since a vendor made some of its fields for it."""
    spelling: Spelling | None = item.spelling
    if spelling is None or spelling.covers is None:
        return False
    return digest(type(item), vars(item)) != spelling.covers


def digest(model: type[Value], fields: Mapping[str, object]) -> str:
    """A digest of the content that a value's derived fields were made for."""
    from hashlib import blake2b

    content = repr([fields.get(name) for name in model.covered])
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
