"""Codecs for settings: words, ranges, and forms that one vendor or host has for itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolbridge.codec import OMIT, Codec, Mismatch
from toolbridge.values import JSON, Value, thaw

if TYPE_CHECKING:
    from toolbridge.conversion import Reading, Writing


class Own(Codec):
    """A setting whose form is one vendor's own: of use to the formats named only."""

    takes_foreign = False

    def __init__(self, field: str, *formats: str) -> None:
        super().__init__("a JSON value")
        self.field, self.formats = field, formats

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        return raw

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if owner.spelling is None or owner.spelling.format in self.formats:
            return thaw(item)
        writing.lose(owner, self.field)
        return OMIT


class HostOnly(Codec):
    """A field that only some hosts of the format take: it is written back, and goes to their
    `profiles` and to other formats, but what comes from there has no place."""

    takes_foreign = False

    def __init__(self, field: str, codec: Codec, *profiles: str) -> None:
        super().__init__(codec.expected)
        self.field, self.codec, self.profiles = field, codec, profiles
        self.exact = codec.exact

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        return self.codec.read(raw, reading, key)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if writing.profile in self.profiles or (writing.native and writing.owns(owner)):
            return self.codec.write(item, writing, owner)
        writing.lose(owner, self.field)
        return OMIT


class Words(Codec):
    """A word of a vendor's list, in our words.

    `ours` maps each of our words to the vendor's. A word of the vendor's that is in no row
    passes through; one of ours without a row is dropped and reported; one whose row does not
    lead back is reported as approximated. `numbers` are a vendor's numbers for its words, and
    with `fold` the case of the word does not matter.
    """

    marks = True
    odd_form = "setting.approximated"

    def __init__(
        self,
        field: str,
        ours: Mapping[JSON, JSON],
        *,
        numbers: Mapping[int, JSON] | None = None,
        fold: bool = False,
    ) -> None:
        super().__init__("a word")
        self.field = field
        self.ours = ours
        self.theirs = {theirs: our for our, theirs in reversed([*ours.items()])}
        self.numbers = numbers or {}
        self.fold = fold
        self.direct = {word: our for word, our in self.theirs.items() if isinstance(word, str)}

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, str):
            return self.theirs.get(raw.upper() if self.fold else raw, raw)
        if isinstance(raw, bool) and raw in self.theirs:
            return self.theirs[raw]
        if isinstance(raw, int) and raw in self.numbers:
            return self.theirs[self.numbers[raw]]
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if item in self.ours:
            word = self.ours[item]
            if not self.leads_back(item, self.theirs[word], writing.codec_of(owner, self.field)):
                writing.approximate(owner, self.field, f"{item!r} is written as {word!r}")
            return word
        if writing.owns(owner):
            return item
        writing.lose(owner, self.field, f"{item!r} has no counterpart")
        return OMIT

    def leads_back(self, item: JSON, back: JSON, source: Codec | None) -> bool:
        """Whether the word that comes back is, in the source's own words, the one that went."""
        if isinstance(source, Words):
            return bool(source.ours.get(item, item) == source.ours.get(back, back))
        return bool(item == back)

    def mark(self, raw: JSON, item: Any) -> JSON:
        return [item, raw] if self.ours.get(item, item) != raw else None

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return mark[1] if mark[0] == item else written


class Range(Codec):
    """A number that the vendor takes within bounds: outside them it is clamped and reported."""

    def __init__(self, field: str, low: float, high: float = math.inf, whole: bool = False) -> None:
        super().__init__(
            "an integer" if whole else "a number", *((int,) if whole else (float, int))
        )
        self.field, self.low, self.high = field, low, high

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if self.low <= item <= self.high or writing.owns(owner):
            return item
        nearest = type(item)(min(max(item, self.low), self.high))
        writing.approximate(owner, self.field, f"{item} is outside {self.low} to {self.high}")
        return nearest
