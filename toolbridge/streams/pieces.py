"""A text that comes in pieces."""

from __future__ import annotations

FULL = 1000
"""Pieces that become one: a string of Python's has about fifty bytes beside its characters."""


class Pieces(list[str]):
    """The pieces of a text, to be joined in the end. Each thousand of them becomes one, so that an
    endless text takes little more memory than its characters."""

    _whole = 0

    def append(self, piece: str, /) -> None:
        super().append(piece)
        if len(self) - self._whole >= FULL:
            self[self._whole :] = ["".join(self[self._whole :])]
            self._whole += 1
