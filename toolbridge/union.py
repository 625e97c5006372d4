"""Unions: the elements of a wire list, told apart by a tag."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from toolbridge.codec import OMIT, Codec, Mismatch
from toolbridge.parts import Opaque
from toolbridge.spelling import Spelling
from toolbridge.values import JSON, Value, make, thaw

if TYPE_CHECKING:
    from toolbridge.conversion import Reading, Writing
    from toolbridge.shape import Shape


def opaque(raw: JSON, reading: Reading, name: str = "") -> Opaque:
    """An element that nobody here knows, kept as it came. `name` is the list it came in, where
    the parts of a message come from several."""
    fields: dict[str, Any] = {"format": reading.format, "data": raw}
    if name:
        fields["spelling"] = Spelling(reading.format, name)
    return make(Opaque, fields)


class Union:
    """A set of shapes. Reading picks by the word under `tag`; `default` takes unknown words and
    `untagged` what has none; what fits no shape is kept as it came. Writing picks the shape that
    read the value, else what `choose` says, else reports a loss."""

    def __init__(
        self,
        shapes: Iterable[Shape],
        choose: Callable[[Any, Writing], Shape | None] = lambda item, writing: None,
        tag: str = "type",
        default: Shape | None = None,
        untagged: Shape | None = None,
        name: str = "",
    ) -> None:
        self.by_word = {shape.word: shape for shape in shapes}
        known = [*self.by_word.values(), *filter(None, (default, untagged))]
        self.by_kind = {shape.kind: shape for shape in known}
        self.choose = choose
        self.tag = tag
        self.default = default
        self.untagged = untagged
        self.name = name

    def pick(self, raw: dict[str, JSON]) -> Shape | None:
        """The shape of a wire object."""
        word = raw.get(self.tag)
        return self.by_word.get(word, self.default) if isinstance(word, str) else self.untagged

    def read(self, raw: JSON, reading: Reading) -> Value:
        """The value of one element; an Opaque where no shape fits."""
        if isinstance(raw, dict):
            shape, path = self.pick(raw), reading.path
            if shape is not None:
                try:
                    return shape.read(raw, reading)  # type: ignore[no-any-return]
                except Mismatch:
                    reading.path = path
        return opaque(raw, reading, self.name)

    def write(self, item: Any, writing: Writing) -> JSON:
        """The wire element of a value, or OMIT."""
        spelling = item.spelling
        if spelling is not None and spelling.format == writing.format:
            shape = self.by_kind.get(spelling.kind)
            if shape is not None:
                return shape.write(item, writing)
        if isinstance(item, Opaque):
            if item.format == writing.format:
                return thaw(item.data)
            writing.report.add("element.opaque", item)
            return OMIT
        shape = self.choose(item, writing)
        if shape is None:
            writing.report.add("element.no_place", item)
            return OMIT
        return shape.write(item, writing)


class One(Codec):
    """A nested object that is one element of a union."""

    def __init__(self, union: Union, otherwise: bool = False) -> None:
        super().__init__("an object of a known type")
        self.union = union
        self.otherwise = otherwise

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        parent = reading.path
        reading.path = (parent, key)
        item = reading.placed(self.union.read(raw, reading))
        reading.path = parent
        if isinstance(item, Opaque) and not self.otherwise:
            raise Mismatch(key, self.expected, raw)
        return item

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return self.union.write(item, writing)
