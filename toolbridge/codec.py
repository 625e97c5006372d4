"""Codecs: how the value of one wire key is read into a canonical field and written back.

A codec reads with `read(raw, reading, key)` and writes with `write(item, writing, owner)`.
Reading raises Mismatch when the value is not of the form the key has; the element around it
is then kept as it came. Writing returns OMIT when the target has no form for the value: the
codec has reported the loss by then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from toolbridge.values import JSON, Value, thaw

if TYPE_CHECKING:
    from toolbridge.conversion import Reading, Writing
    from toolbridge.rules import Rules
    from toolbridge.shape import Shape

OMIT = object()


class Mismatch(Exception):
    """A wire value is not of the form its key has; `key` is the pointer from the element."""

    def __init__(self, key: str, expected: str, found: object) -> None:
        super().__init__(f"{key}: expected {expected}, found {type(found).__name__}")
        self.key = key
        self.expected = expected
        self.found = found


class Codec:
    """A value that is the same on the wire and in the model; `types` says of which types.

    A value whose class is `exact` needs no call of `read`, nor has a word in `direct`. What
    `mark` returns is remembered with the value and given to `remember` when the value is
    written in its own format; values of the classes `common` that are not empty have none. One
    that `takes_foreign` values writes what came from other formats. `odd_form` is the code of the
    loss where an uncommon form is not the format's own and comes back as another.
    """

    exact: type | None = None
    direct: dict[JSON, JSON] | None = None
    common: frozenset[type] = frozenset()
    marks = False
    takes_foreign = True
    odd_form = ""

    def __init__(self, expected: str, *types: type, copied: bool = False) -> None:
        self.expected = expected
        self.types = types
        self.copied = copied
        self.exact = types[0] if types else None

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        """The canonical value of `raw`, found at `key` of the element; raises Mismatch."""
        if isinstance(raw, self.types) and (raw.__class__ is not bool or bool in self.types):
            return raw
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        """The wire value of `item`, a field of `owner`, or OMIT."""
        return thaw(item) if self.copied else item

    def fits(self, item: Any) -> bool:
        """Whether this key is the one for `item`, where a field has several."""
        return True

    def suits(self, rules: Rules) -> bool:
        """Whether this key is the one for a target of these rules, where a field has several."""
        return True

    def mark(self, raw: JSON, item: Any) -> JSON:
        """What to remember of an uncommon form; None where the form is the one written."""
        return None

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        """`written` in the form that the mark remembers."""
        return written

    def odd_places(self, mark: JSON) -> list[str]:
        """The pointers from the value to what its uncommon form says otherwise."""
        return [""]


class Anything(Codec):
    """JSON of any type that is the user's or the vendor's own and passes as it is."""

    def __init__(self) -> None:
        super().__init__("a JSON value", copied=True)

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        return raw


class Strings(Codec):
    """A list of strings; with `alone`, one string also stands for a list of one."""

    common = frozenset({list})

    def __init__(self, alone: bool = False) -> None:
        super().__init__("a list of strings")
        self.marks = alone or self.marks

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if self.marks and isinstance(raw, str):
            return (raw,)
        if isinstance(raw, list) and all(isinstance(item, str) for item in raw):
            return tuple(raw)
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return list(item)

    def mark(self, raw: JSON, item: Any) -> JSON:
        return True if isinstance(raw, str) else None

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return written[0] if len(written) == 1 else written


class Sealed(Codec):
    """Data that only its writer can use: read as Bound, written to the same format only."""

    def __init__(self, field: str) -> None:
        super().__init__("a string")
        self.field = field

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, str):
            return reading.bound(raw)
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if item.format is None or item.format == writing.format:
            return item.value
        writing.lose(owner, self.field)
        return OMIT


class Element(Codec):
    """A nested object that is a value of its own, read and written by one Shape."""

    def __init__(self, shape: Shape) -> None:
        super().__init__("an object")
        self.shape = shape

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if not isinstance(raw, dict):
            raise Mismatch(key, self.expected, raw)
        parent = reading.path
        reading.path = (parent, key)
        item = reading.placed(self.shape.read(raw, reading))
        reading.path = parent
        return item

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return self.shape.write(item, writing)


class Elements(Codec):
    """A list of elements; with `alone`, one object also stands for a list of one."""

    common = frozenset({list})

    def __init__(
        self,
        read_one: Callable[[JSON, Reading], Value],
        write_one: Callable[[Any, Writing], JSON],
        alone: bool = False,
    ) -> None:
        super().__init__("a list")
        self.read_one, self.write_one = read_one, write_one
        self.marks = alone or self.marks

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        parent, read_one, placed = reading.path, self.read_one, reading.placed
        if isinstance(raw, list):
            items = []
            for index, member in enumerate(raw):
                reading.path = (parent, key, index)
                items.append(placed(read_one(member, reading)))
        elif self.marks and isinstance(raw, dict):
            reading.path = (parent, key)
            items = [placed(read_one(raw, reading))]
        else:
            raise Mismatch(key, self.expected, raw)
        reading.path = parent
        return tuple(items)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        write_one = self.write_one
        written = [write_one(member, writing) for member in item]
        return [member for member in written if member is not OMIT]

    def mark(self, raw: JSON, item: Any) -> JSON:
        return True if isinstance(raw, dict) else None

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return written[0] if len(written) == 1 else written


STRING = Codec("a string", str)
INTEGER = Codec("an integer", int)
NUMBER = Codec("a number", float, int)
BOOLEAN = Codec("true or false", bool)
ANY = Anything()
OBJECT = Codec("an object", dict, copied=True)
ARRAY = Codec("a list", list, copied=True)


def lose_rest(item: Value, writing: Writing, *carried: str) -> None:
    """Report what a value has besides the fields that a codec writes itself."""
    if len(vars(item)) <= len(carried) + 1 and vars(item).keys() <= {*carried, "spelling"}:
        writing.report.return_trip(item)
        return
    for field in item.set_fields().keys() - {*carried, "extra"}:
        writing.lose(item, field)
    if item.extra:
        writing.report.lose_unknown(item)
    writing.report.return_trip(item)
