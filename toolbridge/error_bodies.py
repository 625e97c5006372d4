"""Error bodies: objects of a vendor's, or what stands in their place: a text, a list of one.

A proxy answers in plain text or HTML, a stream of Gemini's breaks off with a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from toolbridge.conversion import Reading
from toolbridge.response import ErrorBody
from toolbridge.spelling import Spelling
from toolbridge.union import Union
from toolbridge.values import JSON, freeze, make, thaw

if TYPE_CHECKING:
    from toolbridge.conversion import Writing
    from toolbridge.shape import Shape

WHOLE = "whole_error"
"""The kind of a body that is no object: the spelling remembers all of it."""


class ErrorBodies(Union):
    """The error bodies of a format. `shapes` are told apart by `choose_shape`; the first is the
    one to write."""

    def __init__(
        self,
        shapes: Iterable[Shape],
        choose_shape: Callable[[dict[str, JSON]], str] | None = None,
    ) -> None:
        listed = [*shapes]
        super().__init__(listed, lambda item, writing: listed[0])
        self.first = listed[0]
        self.choose_shape = choose_shape

    def pick(self, raw: dict[str, JSON]) -> Shape | None:
        return self.first if self.choose_shape is None else self.by_kind[self.choose_shape(raw)]

    def read(self, raw: JSON, reading: Reading) -> Any:
        if isinstance(raw, dict):
            return super().read(raw, reading)
        told = raw[0] if isinstance(raw, list) and raw else raw
        fields: dict[str, Any]
        if isinstance(told, dict):
            fields = {**vars(super().read(told, reading))}
        else:
            fields = {"message": told} if isinstance(told, str) else {}
            if self.first.finish is not None:
                self.first.finish(fields, {}, reading)
        fields["spelling"] = Spelling(reading.format, WHOLE, literals={"": freeze(raw)})
        return make(ErrorBody, fields)

    def write(self, item: Any, writing: Writing) -> JSON:
        if writing.owns(item) and item.spelling.kind == WHOLE:
            raw = item.spelling.literals[""]
            if self.read(raw, Reading(writing.format)) == item:
                return thaw(raw)
            item = make(ErrorBody, {**vars(item), "spelling": None})
        return super().write(item, writing)
