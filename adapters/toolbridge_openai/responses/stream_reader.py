"""The events of a streamed response.

https://platform.openai.com/docs/api-reference/responses-streaming; types/responses/*_event.py of
`openai` 3.57.0. Items are known by `output_index`, else by their ids, else the latest is meant:
some servers (llama.cpp) send no index, some change the id on the way. Whatever comes once more
whole is the last word; what of it was not told before is told then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolbridge.arguments import dump
from toolbridge.parts import ToolResult
from toolbridge.request import Author
from toolbridge.streams.calls import OpenCall
from toolbridge.streams.events import (
    CitationAdded,
    Event,
    MessageStarted,
    PartAdded,
    SignatureAdded,
    Unknown,
)
from toolbridge.streams.pieces import Pieces
from toolbridge.streams.reader import StreamReader, index_in
from toolbridge.values import JSON, thaw
from toolbridge_openai.responses.parts import FORMAT
from toolbridge_openai.responses.response import USAGE
from toolbridge_openai.responses.stream_items import (
    FREE_TEXT,
    PLACES,
    TEXT_KEYS,
    Item,
    Path,
    Place,
    call_of,
    parts_of,
    put,
    texts_of,
)

PROGRESS = (
    ".in_progress",
    ".completed",
    ".searching",
    ".interpreting",
    ".generating",
    ".failed",
    "_part.done",
)
"""Events that say no more than that something goes on; that of the whole response is another."""


class Reader(StreamReader):
    """Reads the stream of a response."""

    format = FORMAT

    def __init__(self, profile: str | None = None) -> None:
        super().__init__(profile)
        self.items: dict[int, Item] = {}
        self.whole = False

    def take(self, data: dict[str, JSON]) -> Iterator[Event]:
        kind = str(data.get("type") or "")
        handler = HANDLERS.get(kind)
        stem, _, last = kind.rpartition(".")
        if handler is not None:
            yield from handler(self, data)
        elif last == "delta" and stem in PLACES:
            yield from self.add_text(data, PLACES[stem])
        elif last == "done" and stem in PLACES:
            yield from self.set_text(data, PLACES[stem])
        elif kind == "error" or (not kind.startswith("response.") and data.get("error")):
            yield from self.fail(data if isinstance(data.get("error"), dict) else {"error": data})
        elif not kind.endswith(PROGRESS):
            yield Unknown(FORMAT, data)

    def start(self, data: dict[str, JSON]) -> Iterator[Event]:
        begins, response = not self.body, data.get("response")
        if response or begins:
            self.body = thaw(response or {})
        if begins:
            self.answers.add(0)
            model = self.body.get("model")
            fields: dict[str, Any] = {"format": FORMAT}
            fields |= {"host": self.profile} if self.profile else {}
            fields |= {"model": model} if isinstance(model, str) else {}
            yield MessageStarted(self.body.get("id"), model, Author(**fields))

    def find_item(self, data: dict[str, JSON]) -> Item | None:
        """The item that an event is about, if it began."""
        index, raw = index_in(data, "output_index"), data.get("item")
        if index is not None:
            return self.items.get(index)
        named = raw if raw is not None else {"id": data.get("item_id")}
        items = [*reversed(self.items.values())]
        found = next((item for item in items if item.is_named(named)), None)
        if found is None and items and not items[0].done:
            latest = items[0]
            same = raw is None or raw.get("type") == latest.wire.get("type")
            return latest if same else None
        return found

    def item_of(self, data: dict[str, JSON], start: dict[str, JSON]) -> Item:
        """The item that an event is about; a new one if none began."""
        item = self.find_item(data)
        if item is None:
            index = data.get("output_index")
            key = max(self.items, default=-1) + 1 if index is None else index
            item = self.items[key] = Item(start)
        return item

    def add_item(self, data: dict[str, JSON]) -> Iterator[Event]:
        raw = data.get("item") or {}
        known = any(item.is_named(raw) for item in self.items.values())
        if data.get("output_index") is None and not known:
            item = self.items[max(self.items, default=-1) + 1] = Item({})
        else:
            item = self.item_of(data, {})
        item.wire = thaw(raw)
        yield from self.start_item(item)

    def start_item(self, item: Item) -> Iterator[Event]:
        """A call begins, if an item is one."""
        found = None if item.call is not None else call_of(item.wire)
        if found is None:
            return
        kind, key = str(item.wire.get("type")), TEXT_KEYS.get(str(item.wire.get("type")))
        item.call, event = self.start_call(
            id=item.wire.get("call_id") or item.wire.get("id") or "",
            name=found.name,
            namespace=found.namespace,
            kind=found.kind,
            executor=found.executor,
        )
        item.call.free_text = kind in FREE_TEXT
        yield event
        text = "" if key is None else item.wire.get(key) or ""
        waiting = "" if key is None else "".join(item.pieces.get((key,), ()))
        yield from self.add_arguments(item.call, text + waiting)

    def add_text(self, data: dict[str, JSON], place: Place) -> Iterator[Event]:
        item, piece = self.item_of(data, place.start()), data.get("delta")
        if not isinstance(piece, str):
            if piece is not None:
                yield Unknown(FORMAT, data)
            return
        at = place.path(data)
        item.pieces.setdefault(at, Pieces()).append(piece)
        if place.event is not None:
            yield from self.tell_text(item, place, at, piece)
        elif item.call is not None:
            yield from self.add_arguments(item.call, piece)

    def tell_text(self, item: Item, place: Place, at: Path, piece: str) -> Iterator[Event]:
        """A piece of a text."""
        if piece and place.event is not None:
            if at not in item.blocks:
                item.blocks[at] = self.open_text()
            yield place.event(item.blocks[at], piece)

    def set_text(self, data: dict[str, JSON], place: Place) -> Iterator[Event]:
        """All of a text, once more."""
        whole = data.get(place.whole)
        if isinstance(whole, str):
            item = self.item_of(data, place.start())
            yield from self.know_text(item, place, place.path(data), whole)

    def know_text(self, item: Item, place: Place, at: Path, whole: str) -> Iterator[Event]:
        """The last word on a text; what of it was not told is told now."""
        told = "".join(item.pieces.get(at, ()))
        item.pieces[at] = [whole]
        if place.event is not None:
            if whole.startswith(told):
                yield from self.tell_text(item, place, at, whole[len(told) :])
        elif item.call is not None:
            yield from self.catch_up(item.call, whole)

    def add_part(self, data: dict[str, JSON]) -> Iterator[Event]:
        summary = "summary_index" in data
        item = self.item_of(data, {"type": "reasoning" if summary else "message"})
        index = data.get("summary_index" if summary else "content_index") or 0
        put(item.wire, "summary" if summary else "content", index, thaw(data.get("part") or {}))
        return iter(())

    def add_annotation(self, data: dict[str, JSON]) -> Iterator[Event]:
        place, citation = PLACES["response.output_text"], data.get("annotation")
        item, at = self.item_of(data, place.start()), place.path(data)
        part = put(item.wire, at[0], at[1], None)
        part["annotations"] = [*(part.get("annotations") or []), thaw(citation)]
        if at not in item.blocks:
            item.blocks[at] = self.open_text()
        yield CitationAdded(item.blocks[at], citation)

    def finish_item(self, data: dict[str, JSON]) -> Iterator[Event]:
        raw = thaw(data.get("item") or {})
        yield from self.set_item(self.item_of(data, raw), raw)

    def set_item(self, item: Item, raw: dict[str, JSON]) -> Iterator[Event]:
        """All of an item, once more."""
        item.wire, item.done = raw or item.folded(), True
        yield from self.start_item(item)
        if item.call is not None:
            yield from self.set_call(item, item.call)
            return
        for place, at, whole in texts_of(item.wire):
            yield from self.know_text(item, place, at, whole)
        item.pieces.clear()
        kind = item.wire.get("type")
        sealed = item.wire.get("encrypted_content")
        if kind == "reasoning" and sealed:
            blocks = iter(item.blocks.values())
            block = next(blocks, None)
            item.blocks.setdefault((), self.open_text() if block is None else block)
            yield SignatureAdded(item.blocks[()], sealed, encrypted=True)
        elif kind not in ("message", "reasoning"):
            item.blocks[()] = self.open_text()
            yield PartAdded(item.blocks[()], item.wire)
        for block in item.blocks.values():
            yield from self.close_texts(block)

    def set_call(self, item: Item, call: OpenCall) -> Iterator[Event]:
        """All of a call, once more; of one that is known by its type the arguments come now."""
        key = TEXT_KEYS.get(str(item.wire.get("type")))
        item.pieces.clear()
        if key is not None and call.status is None:
            yield from self.catch_up(call, item.wire.get(key) or "")
        if call.status is not None:
            return
        if item.wire.get("status") == "incomplete":
            yield from self.close_calls("cut", call)
        elif key is not None:
            yield self.finish_call(call)
        else:
            made = call_of(item.wire)
            yield from self.add_arguments(call, "" if made is None else said(made.arguments))
            yield from self.close_calls("complete", call)
        if any(isinstance(part, ToolResult) for part in parts_of(item.wire)):
            yield from self.tell_part(item.wire)

    def finish(self, data: dict[str, JSON]) -> Iterator[Event]:
        yield from self.start(data)
        output = self.body.get("output") or ()
        self.whole = bool(output)
        known = [self.items[key] for key in sorted(self.items)]
        aligned = len(known) == len(output)
        for index, raw in enumerate(output):
            named = (item for item in known if item.is_named(raw))
            item = next(named, known[index] if aligned else None)
            if item is None:
                item = self.items[max(self.items, default=-1) + 1] = Item({})
            if not item.done:
                yield from self.set_item(item, thaw(raw))
        if data.get("type") == "response.completed":
            for item in self.items.values():
                if not item.done:
                    yield from self.set_item(item, {})
        yield from self.finish_response(data)

    def finish_response(self, data: dict[str, JSON]) -> Iterator[Event]:
        """The answer ends."""
        yield from self.close_texts()
        yield from self.close_calls("cut")
        if isinstance(self.body.get("usage"), dict):
            self.usage = USAGE.read(self.body["usage"], self.reading)
        yield from self.tell_usage()
        if data.get("type") == "response.failed":
            yield from self.fail({"error": self.body.get("error") or {}})
        self.finished.add(0)
        yield from self.tell_stops()

    def told_calls(self) -> list[OpenCall]:
        items = (self.items[key] for key in sorted(self.items))
        return [item.call for item in items if item.call is not None]

    def folded(self) -> dict[str, JSON]:
        if self.whole:
            return self.body
        items = [self.items[key] for key in sorted(self.items)]
        return {**self.body, "output": [item.folded() for item in items]}


HANDLERS = {
    "response.created": Reader.start,
    "response.queued": Reader.start,
    "response.in_progress": Reader.start,
    "response.output_item.added": Reader.add_item,
    "response.output_item.done": Reader.finish_item,
    "response.content_part.added": Reader.add_part,
    "response.reasoning_summary_part.added": Reader.add_part,
    "response.output_text.annotation.added": Reader.add_annotation,
    "response.completed": Reader.finish,
    "response.incomplete": Reader.finish,
    "response.failed": Reader.finish,
}


def said(arguments: JSON) -> str:
    """Arguments as the text of a call."""
    return arguments if isinstance(arguments, str) else dump(arguments)
