"""The calls of an answer, wherever in it they are."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any

from toolbridge.parts import ToolCall
from toolbridge.request import Message
from toolbridge.response import Alternative, Response
from toolbridge.values import make

HOLDERS = {Response: "alternatives", Alternative: "messages", Message: "parts"}
"""Where the parts of an answer are."""


def remade(item: Any, changes: dict[str, Any]) -> Any:
    """A value with some fields changed."""
    return make(type(item), {**vars(item), **changes})


def map_calls(
    response: Response,
    change: Callable[[ToolCall], ToolCall],
    remake: Callable[[Any, dict[str, Any]], Any] = remade,
) -> Response:
    """The response with each of its calls changed; what holds a call that did not change stays
    the same object. `remake` makes the holders anew."""

    def changed(item: Any) -> Any:
        if isinstance(item, ToolCall):
            return change(item)
        field = HOLDERS.get(type(item))
        if field is None:
            return item
        had = getattr(item, field)
        made = tuple(map(changed, had))
        return item if all(map(is_, made, had)) else remake(item, {field: made})

    return changed(response)  # type: ignore[no-any-return]
