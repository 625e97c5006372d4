"""What earlier steps gave: the values that an argument may be taken from.

Texts and strings are compared in Unicode's form NFC (https://unicode.org/reports/tr15), on both
sides: file systems give Hangul and accents in pieces, models write them whole.
"""

from __future__ import annotations

import dataclasses
import json
import unicodedata
from collections.abc import Collection, Iterator
from decimal import Decimal
from typing import Final

from toolbridge.parts import Json, Text, ToolResult
from toolbridge.values import JSON

Path = tuple[str, ...]
Spelled = tuple[str, JSON]
"""A scalar by which equal ones are found: its kind, and the value."""

JOINERS: Final = frozenset(
    "-./\\@+~'\N{RIGHT SINGLE QUOTATION MARK}\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{MINUS SIGN}"
)
"""What joins two pieces to one word where a letter or a digit stands beyond it."""

SIGNS: Final = frozenset("-+.\N{MINUS SIGN}")
"""What makes another number of the digits after it, even where nothing stands before."""

UNITS: Final = frozenset("십백천만억조十百千万萬億兆")
"""What makes another number of the digits before it: 1만 is 10,000."""

CJK: Final = (
    (0x1100, 0x11FF),
    (0x2E80, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x20000, 0x3FFFF),
)
"""Hangul, Han and Kana, which stand without a space beside words in other letters (A-1029를):
https://www.unicode.org/Public/UCD/latest/ucd/Blocks.txt."""


@dataclasses.dataclass
class Given:
    """What one tool gave at one path: its leaves, and the texts that have no paths. `read` counts
    the results that are in."""

    leaves: set[Spelled] = dataclasses.field(default_factory=set)
    texts: list[str] = dataclasses.field(default_factory=list)
    read: int = 0

    def add(self, part: Text | Json, path: Path) -> None:
        """Add a part of a result."""
        value = part.value if isinstance(part, Json) else parsed(part.text)
        if isinstance(part, Text) and value is None:
            self.texts.append(composed(part.text))
        else:
            self.leaves.update(key for leaf in leaves_at(value, path) for key in spelled(leaf))

    def holds(self, value: JSON) -> bool:
        """Whether a scalar is among the leaves or stands in a text. The newest text is looked at
        first: most values are taken from the last result."""
        if isinstance(value, str) and not value.strip():
            return False
        sought = spelled(value)
        written = [said for kind, said in sought if kind == "text"]
        return not self.leaves.isdisjoint(sought) or any(
            stands_in(text, said) for text in reversed(self.texts) for said in written
        )


class Evidence:
    """The results of the steps before, and what the user wrote.

    Add the results of a step when all its calls are through: then nothing that a call gave is
    there for another call of the same step. Results count as the tools gave them, before they
    are trimmed for the model. Adding costs the same at every step; a result is looked into when
    its tool is asked for, once for each path.
    """

    def __init__(self) -> None:
        self._results: dict[str, list[Text | Json]] = {}
        self._given: dict[tuple[str, Path], Given] = {}
        self._user = Given()

    @property
    def tools(self) -> Collection[str]:
        """The names of the tools that gave something."""
        return self._results.keys()

    def add_user(self, text: str) -> None:
        """Add what the user wrote."""
        self._user.texts.append(composed(text))

    def add_result(self, tool: str, result: ToolResult) -> None:
        """Add what a tool gave. An error is no evidence and is passed over; so is what is neither
        text nor JSON."""
        if not result.is_error:
            parts = [part for part in result.parts if isinstance(part, (Text, Json))]
            self._results.setdefault(tool, []).extend(parts)

    def gave(self, tool: str, path: Path, value: JSON) -> bool:
        """Whether a tool gave a scalar at a path.

        Equal are values of the same JSON type (7 and 7.0 are one number, True is none), and a
        number and its decimal text. A text that is a JSON object or array has paths like any
        other; in other text the value must stand as a whole token.
        """
        parts = self._results.get(tool, ())
        given = self._given.setdefault((tool, path), Given())
        for part in parts[given.read :]:
            given.add(part, path)
        given.read = len(parts)
        return given.holds(value)

    def user_wrote(self, value: JSON) -> bool:
        """Whether a scalar stands in what the user wrote, as a whole token."""
        return self._user.holds(value)


def leaves_at(value: JSON, path: Path) -> Iterator[JSON]:
    """The scalars at a path, through lists at any index."""
    waiting = [(value, path)]
    while waiting:
        item, keys = waiting.pop()
        if isinstance(item, (list, dict)):
            if keys[:1] == ("*",):
                under = item if isinstance(item, list) else item.values()
                waiting += [(member, keys[1:]) for member in under]
            if isinstance(item, list):
                waiting += [(member, keys) for member in item]
                continue
            for count in range(1, len(keys) + 1):
                name = ".".join(keys[:count])
                if name in item:
                    waiting.append((item[name], keys[count:]))
        elif not keys:
            yield item


def parsed(text: str) -> JSON:
    """The object or array that a text is; None where it is neither."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def composed(text: str) -> str:
    """A text in the form NFC."""
    return unicodedata.normalize("NFC", text)


def spelled(value: JSON) -> list[Spelled]:
    """A scalar in all its spellings: two are equal where they share one. None for null."""
    if isinstance(value, bool):
        return [("boolean", value)]
    if isinstance(value, str):
        return [("text", composed(value))]
    if isinstance(value, (int, float)):
        return [("number", value), *(("text", each) for each in decimals(value))]
    return []


def decimals(number: float) -> list[str]:
    """The decimal text of a number; a whole float has that of the integer too."""
    if isinstance(number, int):
        return [str(number)]
    whole = [str(int(number))] if number.is_integer() else []
    return [*whole, format(Decimal(repr(number)), "f")]


def stands_in(text: str, value: str) -> bool:
    """Whether a value stands in a text as a whole token somewhere. Both are in the form NFC."""
    start = text.find(value)
    while start >= 0:
        last = start + len(value) - 1
        if not is_joined(text, start, -1) and not is_joined(text, last, 1):
            return True
        start = text.find(value, start + 1)
    return False


def is_joined(text: str, edge: int, step: int) -> bool:
    """Whether a word or number goes on beyond the first (`step` -1) or last (1) character of a
    value. In doubt it does: refusing a value costs a step, letting it pass may cost an order."""
    inner, near, far = (character(text, edge + count * step) for count in range(3))
    digit = inner.isdigit()
    if is_mark(near):
        return step > 0 or is_word(far)
    if digit and near in UNITS:
        return step > 0 or far.isdigit()
    if is_word(near):
        return is_cjk(near) == is_cjk(inner)
    if near in JOINERS:
        return is_word(far) or (digit and step < 0 and near in SIGNS)
    if near == ":":
        return digit and far.isdigit()
    return near == "," and groups_digits(text, edge + step)


def character(text: str, index: int) -> str:
    """The character at an index; an empty text outside."""
    return text[index] if 0 <= index < len(text) else ""


def groups_digits(text: str, comma: int) -> bool:
    """Whether a comma stands between a digit and exactly three: 1,000."""
    group = text[comma + 1 : comma + 4]
    return (
        character(text, comma - 1).isdigit()
        and len(group) == 3
        and group.isdigit()
        and not character(text, comma + 4).isdigit()
    )


def is_word(letter: str) -> bool:
    """Whether a character is part of words."""
    return letter.isalnum() or letter == "_" or is_mark(letter)


def is_mark(letter: str) -> bool:
    """Whether a character changes the one before it, as an accent does."""
    return letter != "" and unicodedata.category(letter).startswith("M")


def is_cjk(letter: str) -> bool:
    """Whether a character is Hangul, Han or Kana."""
    return letter > "\u10ff" and any(first <= ord(letter) <= last for first, last in CJK)
