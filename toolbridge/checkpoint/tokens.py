"""Whether a value stands in a text as a whole token: no piece of a longer word, number or code.

In doubt it is a piece: refusing a value costs a step, letting it pass may cost an order. Texts and
values are in the form NFC (`evidence.composed`).
"""

from __future__ import annotations

import unicodedata
from typing import Final

JOINERS: Final = frozenset(
    "-./\\@+~#%|&*$^:=\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{MINUS SIGN}"
    "\N{FRACTION SLASH}"
)
"""What joins two pieces to one word where a letter or a digit stands beyond it, or beyond several
of these: https://host."""

SYMBOLS: Final = frozenset("#%|&*$^")
"""Those of them that join no letters of different scripts: **A-1029**를."""

QUOTES: Final = frozenset("'\N{RIGHT SINGLE QUOTATION MARK}")
"""What joins two letters beside it, and ends a word else: Kim's, 'Kim'."""

SIGNS: Final = frozenset("-+.\N{MINUS SIGN}")
"""What makes another number of the digits after it, even where nothing stands before."""

SPACES: Final = frozenset(
    " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{FIGURE SPACE}"
)
"""What stands between groups of three digits (1 000):
https://www.bipm.org/en/publications/si-brochure, 5.4.4."""

PAIRS: Final = frozenset("&|")
"""What stands between pairs of a key and a value: id=7&name=Kim."""

BEFORE_KEYS: Final = frozenset("([{<>,;&?|*\"'`")
"""What may stand before a key, beside a space."""

KEY_LENGTH: Final = 64
"""Characters of a key, at most."""

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


def stands_in(text: str, value: str) -> bool:
    """Whether a value stands in a text as a whole token somewhere."""
    start = text.find(value)
    while start >= 0:
        last = start + len(value) - 1
        if not is_joined(text, start, -1) and not (
            is_joined(text, last, 1) and not ends_pair(text, start, last)
        ):
            return True
        start = text.find(value, start + 1)
    return False


def is_joined(text: str, edge: int, step: int) -> bool:
    """Whether a word or number goes on beyond the first (`step` -1) or last (1) character of a
    value."""
    inner, place = text[edge], beside(text, edge, step)
    near = folded(text, place)
    digit = inner.isdigit()
    if is_mark(near):
        return step > 0 or is_word(folded(text, beside(text, place, step)))
    if digit and near in UNITS:
        return step > 0 or folded(text, beside(text, place, step)).isdigit()
    if is_word(near):
        return is_cjk(near) == is_cjk(inner)
    if near in SPACES or near == ",":
        return groups_digits(text, place)
    if is_cut(text, place, step) or (digit and step < 0 and near in SIGNS):
        return True
    if near in QUOTES:
        return is_word(folded(text, beside(text, place, step)))
    return (step > 0 and near == "=") or goes_on(text, place, step, inner)


def goes_on(text: str, place: int, step: int, inner: str) -> bool:
    """Whether joiners, from a place on, lead to another piece of the word. A key before a value
    is none (id:7, total=$7); after it, it would be one (usr:42)."""
    joiners: set[str] = set()
    while (near := folded(text, place)) in JOINERS:
        if step < 0 and joiners <= SYMBOLS and ends_key(text, place):
            return False
        joiners.add(near)
        place = beside(text, place, step)
    if not joiners or not is_word(near):
        return False
    return not joiners <= SYMBOLS or is_cjk(near) == is_cjk(inner)


def ends_key(text: str, place: int) -> bool:
    """Whether a plain word, as keys are, ends with the sign at a place: user_id=, 'id':, but not
    urn:order: nor 12:."""
    if folded(text, place) not in (":", "="):
        return False
    quote = character(text, place - 1)
    end = place - 1 if quote in ("'", '"', "`") else place
    start = end
    while start > 0 and end - start <= KEY_LENGTH and is_word(text[start - 1]):
        start -= 1
    if not 0 < end - start <= KEY_LENGTH or text[start].isdigit():
        return False
    if end < place:
        start -= 1
        if character(text, start) != quote:
            return False
    before = folded(text, beside(text, start, -1))
    return before == "" or before.isspace() or before in BEFORE_KEYS


def ends_pair(text: str, start: int, last: int) -> bool:
    """Whether a value is that of a key, and another pair comes after it."""
    following = character(text, last + 1)
    return following in PAIRS and ends_key(text, start - 1)


def is_cut(text: str, place: int, step: int) -> bool:
    """Whether an ellipsis stands at a place: what is beside it is the rest of something longer."""
    dots = text[place : place + 3] if step > 0 else text[max(0, place - 2) : place + 1]
    return character(text, place) == "\N{HORIZONTAL ELLIPSIS}" or dots == "..."


def beside(text: str, place: int, step: int) -> int:
    """The place of the next character that is seen; a zero-width space and a soft hyphen do not
    end a word."""
    place += step
    while is_hidden(character(text, place)):
        place += step
    return place


def character(text: str, place: int) -> str:
    """The character at a place; an empty text outside."""
    return text[place] if 0 <= place < len(text) else ""


def folded(text: str, place: int) -> str:
    """The character at a place, in the plain form of its kind: a full-width colon is a colon."""
    letter = character(text, place)
    plain = letter if letter.isascii() else unicodedata.normalize("NFKC", letter)
    return plain if len(plain) == 1 and not is_word(plain) else letter


def groups_digits(text: str, sign: int) -> bool:
    """Whether a comma or a space stands between a digit and exactly three: 1,000. Before a space
    there are three at most, and no code: A-7 100 are two."""
    group = text[sign + 1 : sign + 4]
    if len(group) < 3 or not group.isdigit() or character(text, sign + 4).isdigit():
        return False
    start = sign
    while sign - start <= 3 and character(text, start - 1).isdigit():
        start -= 1
    if start == sign or text[sign] == ",":
        return start < sign
    before, far = character(text, start - 1), character(text, start - 2)
    return not is_word(before) and not (before in JOINERS and is_word(far))


def is_word(letter: str) -> bool:
    """Whether a character is part of words."""
    return letter.isalnum() or letter == "_" or is_mark(letter)


def is_mark(letter: str) -> bool:
    """Whether a character changes the one before it, as an accent does."""
    return letter != "" and unicodedata.category(letter).startswith("M")


def is_hidden(letter: str) -> bool:
    """Whether a character has no width: https://www.unicode.org/reports/tr44/#Cf."""
    return letter != "" and unicodedata.category(letter) in ("Cf", "Cc") and not letter.isspace()


def is_cjk(letter: str) -> bool:
    """Whether a character is Hangul, Han or Kana."""
    return letter > "\u10ff" and any(first <= ord(letter) <= last for first, last in CJK)
