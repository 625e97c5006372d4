"""Ids and names that a target accepts: deterministic maps in which no two become one.

A word that the target accepts and that is still free stays as it is. Any other is cleaned and
gets a digest of itself, so that the same history gives the same words again: prompt caches and
recordings depend on it. Words are mapped in the order in which they are met, so that a longer
history never changes the words of a shorter one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from toolbridge.errors import ConversionError

ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DIGEST_LENGTH = 8


@lru_cache(maxsize=64)
def pattern(expression: str) -> re.Pattern[str]:
    """A compiled pattern for whole words."""
    return re.compile(expression)


def digest(word: str, length: int) -> str:
    """A digest of a word in letters and digits."""
    from hashlib import sha256

    number = int.from_bytes(sha256(word.encode("utf-8", "surrogatepass")).digest(), "big")
    letters = []
    for _ in range(length):
        number, index = divmod(number, len(ALPHANUMERIC))
        letters.append(ALPHANUMERIC[index])
    return "".join(letters)


class WordMap:
    """Maps words to words that match `expression` and have at most `length` characters
    (exactly that many with `exact`)."""

    def __init__(self, expression: str, length: int, exact: bool = False) -> None:
        self._pattern = pattern(expression)
        self._length = length
        self._exact = exact
        self._taken: dict[str, None] = {}

    def accepts(self, word: str) -> bool:
        """Whether the target takes a word as it is."""
        long = len(word) != self._length if self._exact else len(word) > self._length
        return not long and self._pattern.fullmatch(word) is not None

    def take(self, word: str) -> str:
        """The word to write for a new word: itself where it is accepted and free."""
        if word not in self._taken and self.accepts(word):
            self._taken[word] = None
            return word
        for attempt in range(1000):
            made = self._make(word if attempt == 0 else f"{word}\n{attempt}")
            if made not in self._taken:
                self._taken[made] = None
                return made
        raise ConversionError(
            "",
            f"a thousand words like {word!r} are taken",
            f"Allow longer words than {self._length} characters",
        )

    def shares(self, words: set[str]) -> bool:
        """Whether some words are among those taken."""
        return not self._taken.keys().isdisjoint(words)

    def mark(self) -> int:
        """How many words are taken, for `rewind`."""
        return len(self._taken)

    def rewind(self, mark: int) -> None:
        """Give back the words that were taken since a mark."""
        shorten(self._taken, mark)

    def _make(self, word: str) -> str:
        """A readable word with a digest where the rules have room for it, else a digest alone."""
        made = digest(word, DIGEST_LENGTH)
        room = self._length - DIGEST_LENGTH - 1
        cleaned = re.sub(r"[^a-zA-Z0-9_-]", "_", word.partition("\n")[0])[: max(room, 0)]
        cleaned = cleaned.strip("_-")
        if not cleaned or not cleaned[0].isalpha():
            cleaned = f"x{cleaned}"[: max(room, 0)]
        whole = digest(word, self._length if self._exact else min(self._length, 3 * DIGEST_LENGTH))
        tries = (f"{cleaned}_{made}", whole, f"x{whole}"[: self._length], whole.lower())
        for each in tries if not self._exact else tries[1:]:
            if self.accepts(each):
                return each
        raise ConversionError(
            "",
            f"no word of letters and digits fits the rule {self._pattern.pattern!r}",
            "Change the rule: words are made of ASCII letters, digits, _ and -",
        )


def shorten(table: dict[Any, Any], size: int) -> None:
    """Take what came last out of a table, down to a size."""
    while len(table) > size:
        table.popitem()


class NameMap:
    """Maps tools, known by namespace and name, to the names that a target takes."""

    def __init__(self, expression: str, length: int) -> None:
        self._words = WordMap(expression, length)
        self._names: dict[tuple[str | None, str], str] = {}

    def __contains__(self, tool: tuple[str | None, str]) -> bool:
        """Whether a tool has a name already."""
        return tool in self._names

    @property
    def originals(self) -> dict[str, tuple[str | None, str]]:
        """Each tool by the name that was made for it."""
        return {made: tool for tool, made in self._names.items()}

    def name(self, namespace: str | None, name: str) -> str:
        """The name for a tool; a namespace that the target does not know goes before it."""
        key = (namespace, name)
        if key not in self._names:
            joined = f"{namespace}__{name}" if namespace else name
            self._names[key] = self._words.take(joined)
        return self._names[key]

    def mark(self) -> tuple[int, int]:
        """How many tools have a name, for `rewind`."""
        return len(self._names), self._words.mark()

    def rewind(self, mark: tuple[int, int]) -> None:
        """Forget the names that were made since a mark."""
        names, words = mark
        shorten(self._names, names)
        self._words.rewind(words)
