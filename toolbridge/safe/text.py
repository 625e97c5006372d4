"""What is wrong in texts whatever they stand for: hidden characters, look-alikes, length."""

from __future__ import annotations

import unicodedata
from typing import Any

from toolbridge.safe.base import refuse

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories (https://www.unicode.org/reports/tr44/#General_Category_Values) of what
nobody sees: controls with null and newlines, formats such as zero width and right-to-left
override (file systems drop some: https://nvd.nist.gov/vuln/detail/CVE-2014-9390), lone
surrogates, separators of lines."""


def checked_text(value: Any, what: str, mend: str, longest: int) -> str:
    """A text of reasonable length without hidden characters. Raises ValueError."""
    if not isinstance(value, str):
        refuse(f"{what} must be a text, not {type(value).__name__}", mend)
    if not value:
        refuse(f"{what} is empty", mend)
    if len(value) > longest:
        refuse(f"{what} is longer than {longest} characters", mend)
    check_visible(value, what, mend)
    return str(value)


def check_visible(text: str, what: str, mend: str) -> None:
    """Raise ValueError where a text has a character that nobody sees."""
    for character in text:
        if unicodedata.category(character) in HIDDEN:
            refuse(f"{what} has the hidden character {code_of(character)}", mend)


def code_of(character: str) -> str:
    """A character as Unicode writes it: U+0000."""
    return f"U+{ord(character):04X}"


def folded(character: str) -> str:
    """What compatibility normalization makes of a character beyond ASCII: a full width dot is
    a dot (NFKC, https://www.unicode.org/reports/tr15/)."""
    return "" if character.isascii() else unicodedata.normalize("NFKC", character)
