"""Items of a streamed response: where the texts of events go, and what is known of each item."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from toolbridge.conversion import Reading
from toolbridge.parts import ToolCall
from toolbridge.streams.calls import OpenCall
from toolbridge.streams.events import Event, ReasoningAdded, RefusalAdded, TextAdded
from toolbridge.streams.reader import index_in
from toolbridge.values import JSON
from toolbridge_openai.responses.messages import HISTORY
from toolbridge_openai.responses.parts import FORMAT

Path = tuple[Any, ...]
"""The keys and indexes from an item to a text."""


@dataclasses.dataclass
class Item:
    """An item of the output: its folded body, its texts by path in pieces, the blocks that they
    are told under, its call if it is one."""

    wire: dict[str, JSON]
    pieces: dict[Path, list[str]] = dataclasses.field(default_factory=dict)
    blocks: dict[Path, int] = dataclasses.field(default_factory=dict)
    call: OpenCall | None = None
    done: bool = False

    def is_named(self, raw: dict[str, JSON]) -> bool:
        """Whether another body of an item is that of this one."""
        return any(raw.get(key) and raw[key] == self.wire.get(key) for key in ("id", "call_id"))

    def folded(self) -> dict[str, JSON]:
        """The body with the texts so far."""
        for at, pieces in [*self.pieces.items()]:
            text = "".join(pieces)
            if len(at) == 1:
                self.wire[at[0]] = text
            else:
                field, index, key, kind = at
                part = put(self.wire, field, index, None)
                part.setdefault("type", kind)
                part[key] = text
        return self.wire


@dataclasses.dataclass(frozen=True)
class Place:
    """Where the text of an event goes: in an item of the type `item`, under `field`, in the list
    that the index `index` counts, as `whole` of an object of the type `part`. `event` is None for
    a call's arguments; `whole` is the key under which the text comes once more."""

    item: str
    whole: str
    event: Callable[[int, str], Event] | None = None
    field: str = ""
    index: str = ""
    part: str = ""

    def path(self, data: dict[str, JSON]) -> Path:
        """The path from the item to the text."""
        if self.event is None:
            return (self.whole,)
        return (self.field, index_in(data, self.index) or 0, self.whole, self.part)

    def start(self) -> dict[str, JSON]:
        """The item, where the server did not say that one began."""
        made: dict[str, JSON] = {"type": self.item}
        if self.event is not None:
            made[self.field] = []
        return made | ({"role": "assistant"} if self.item == "message" else {})


def reasoning(form: Any) -> Callable[[int, str], Event]:
    """The event of a thought of one form."""
    return lambda block, text: ReasoningAdded(block, text, form)


CONTENT = ("content", "content_index")
SUMMARY = ("summary", "summary_index")

PLACES = {
    "response.output_text": Place("message", "text", TextAdded, *CONTENT, "output_text"),
    "response.refusal": Place("message", "refusal", RefusalAdded, *CONTENT, "refusal"),
    "response.reasoning_text": Place(
        "reasoning", "text", reasoning("content"), *CONTENT, "reasoning_text"
    ),
    "response.reasoning_summary_text": Place(
        "reasoning", "text", reasoning("summary"), *SUMMARY, "summary_text"
    ),
    "response.function_call_arguments": Place("function_call", "arguments"),
    "response.mcp_call_arguments": Place("mcp_call", "arguments"),
    "response.custom_tool_call_input": Place("custom_tool_call", "input"),
    "response.code_interpreter_call_code": Place("code_interpreter_call", "code"),
}

TEXT_KEYS = {place.item: place.whole for place in PLACES.values() if place.event is None}
"""The key of the text of each call whose arguments are text."""

FREE_TEXT = ("custom_tool_call", "code_interpreter_call")

PARTS = {(each.item, each.field, each.part): each for each in PLACES.values() if each.event}


FAR = 1000
"""An event may skip so many parts of an item; more is no answer's."""


def texts_of(wire: dict[str, JSON]) -> Iterator[tuple[Place, Path, str]]:
    """The texts of a whole item, each with its place and path."""
    for field in ("summary", "content"):
        for index, part in enumerate(wire.get(field) or ()):
            kind = part.get("type") if isinstance(part, dict) else None
            place = PARTS.get((str(wire.get("type")), field, str(kind)))
            if place is not None and isinstance(part.get(place.whole), str):
                yield place, (field, index, place.whole, place.part), part[place.whole]


def parts_of(wire: dict[str, JSON]) -> list[Any]:
    """The canonical parts of an item."""
    messages = HISTORY.read([wire], Reading(FORMAT), "output")
    return [part for message in messages for part in getattr(message, "parts", ())]


def call_of(wire: dict[str, JSON]) -> ToolCall | None:
    """The call that an item is."""
    if not str(wire.get("type")).endswith("_call"):
        return None
    found = (part for part in parts_of(wire) if isinstance(part, ToolCall))
    return next(found, None)


def put(wire: dict[str, JSON], field: str, index: int, part: JSON) -> Any:
    """The element of a list of an item, made if there is none yet."""
    listed = wire[field] = wire.get(field) or []
    if index > len(listed) + FAR:
        raise IndexError(f"{index} in a list of {len(listed)}")
    while len(listed) <= index:
        listed.append({})
    if part is not None:
        listed[index] = part
    return listed[index]
