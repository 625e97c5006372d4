"""What the readers of all formats share: blocks and calls that are open, and the answer at the end.

A reader folds a vendor's events into the body that the vendor would have sent whole, and tells
each as canonical events on the way. The Response is then read from the body, as any other is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from toolbridge.arguments import parse
from toolbridge.conversion import Reading
from toolbridge.convert import read, read_error
from toolbridge.errors import ToolbridgeError, WireError, vendor_error
from toolbridge.registry import find
from toolbridge.response import ErrorBody, Response, Usage
from toolbridge.streams.calls import OpenCall, Status
from toolbridge.streams.events import (
    ArgumentsAdded,
    BlockFinished,
    CallFinished,
    CallStarted,
    Event,
    Failed,
    PartAdded,
    Stopped,
    Unknown,
    UsageTold,
)
from toolbridge.streams.settle import number_of, settle
from toolbridge.values import JSON


class StreamReader:
    """Reads one stream of a format: `feed` each data object, `end` once, then `response`.

    `finished` holds the answers of which the vendor said how they ended, `stopped` those of
    which that was told; a format that says it in its last event only tells it there.
    """

    format: ClassVar[str]

    def __init__(self, profile: str | None = None) -> None:
        self.profile = profile
        self.body: dict[str, JSON] = {}
        self.calls: dict[int, OpenCall] = {}
        self.texts: dict[int, int] = {}
        self.answers: set[int] = set()
        self.finished: set[int] = set()
        self.stopped: set[int] = set()
        self.blocks = 0
        self.fed = 0
        self.usage: Usage | None = None
        self.failure: ErrorBody | None = None
        self.ended = False
        self.reading = Reading(self.format)
        self._made: Response | None = None

    def feed(self, data: JSON) -> list[Event]:
        """The events that a data object of the vendor's says, at once. Raises WireError for one
        that is no event of the format, and ValueError after `end`."""
        if self.ended:
            raise ValueError("the stream was ended: open another reader for another stream")
        self.fed += 1
        self._made = None
        if not isinstance(data, dict):
            return [Unknown(self.format, data)]
        try:
            return list(self.take(data))
        except ToolbridgeError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise self._unreadable(data, error) from error

    def _unreadable(self, data: JSON, error: Exception) -> WireError:
        """To go on without a piece of a call could make other arguments of it."""
        return WireError(
            f"/{self.fed - 1}",
            f"an event of {self.format}",
            f"{str(data)[:80]!r} ({error})",
            "Pass the data objects of the stream as the vendor sent them",
        )

    def take(self, data: dict[str, JSON]) -> Iterator[Event]:
        """What `feed` gives; each format has its own."""
        raise NotImplementedError

    def end(self) -> list[Event]:
        """What closes: calls that were open are cut, an answer without a stop is incomplete."""
        if self.ended:
            return []
        self.ended = True
        self._made = None
        return list(self.close())

    def close(self) -> Iterator[Event]:
        """What `end` gives."""
        yield from self.close_texts()
        yield from self.close_calls("cut")
        yield from self.tell_usage()
        yield from self.tell_stops()

    def response(self) -> Response:
        """The whole answer so far. Raises VendorError where there is nothing but an error, and
        WireError where there is nothing at all."""
        if self._made is None:
            if not self.body and self.failure is not None:
                raise vendor_error(self.failure)
            if not self.body:
                raise WireError("", "the events of an answer", "none", "Pass all data objects")
            name = self.format if self.profile is None else f"{self.format}:{self.profile}"
            whole = read(self.folded(), name, "response")
            self._made = settle(whole, self.told_calls(), self.finished, self.failure)
        return self._made

    def folded(self) -> dict[str, JSON]:
        """The body of the whole answer."""
        return self.body

    def told_calls(self) -> list[OpenCall]:
        """The calls in the order of the body."""
        return [*self.calls.values()]

    def partial_arguments(self, block: int) -> JSON:
        """The arguments of a call as far as they are there, for a user interface: strings, lists
        and objects that are open end where the text ends. Never to be run with. A call of free
        text gives the text."""
        call = self.calls[block]
        text = call.joined()
        if call.free_text:
            return text
        if call.status == "complete" and call.arguments is not None:
            return call.arguments
        from jiter import from_json

        try:
            found = from_json(text.encode("utf-8", "replace"), partial_mode="trailing-strings")
        except ValueError:
            found = None
        return found if isinstance(found, (dict, list)) else {}

    def new_block(self, alternative: int = 0) -> int:
        """The number of the next block."""
        self.answers.add(alternative)
        self.blocks += 1
        return self.blocks - 1

    def open_text(self, alternative: int = 0) -> int:
        """A block that is no call begins."""
        block = self.new_block(alternative)
        self.texts[block] = alternative
        return block

    def tell_part(self, data: JSON, alternative: int = 0) -> Iterator[Event]:
        """A part that comes whole."""
        block = self.new_block(alternative)
        yield PartAdded(block, data, alternative)
        yield BlockFinished(block, alternative)

    def start_call(
        self, said: JSON = "", known_as: str | None = None, **told: Any
    ) -> tuple[OpenCall, CallStarted]:
        """A call begins, as CallStarted has it; one without an id gets the one that a whole
        answer with the arguments `said` would get, made of its name or what it is `known_as`."""
        made = not told["id"]
        if made:
            name = told["name"] if known_as is None else known_as
            told["id"] = self.reading.call_without_id(name, said)
        event = CallStarted(block=self.new_block(told.get("alternative", 0)), **told)
        call = OpenCall(event.block, event.alternative, event.id, made, event.kind == "custom")
        self.calls[event.block] = call
        return call, event

    def add_arguments(self, call: OpenCall, text: str) -> Iterator[Event]:
        """A piece of a call's arguments."""
        if text.__class__ is not str:
            raise TypeError(f"arguments are {text!r}, no text")
        if text:
            call.text.append(text)
            yield ArgumentsAdded(call.block, text, call.alternative)

    def catch_up(self, call: OpenCall, whole: str) -> Iterator[Event]:
        """All of a call's text, once more or for the first time: it is the last word."""
        told = call.joined()
        if whole.startswith(told):
            yield from self.add_arguments(call, whole[len(told) :])
        call.text = [whole]

    def finish_call(self, call: OpenCall) -> CallFinished:
        """A call is whole, if its text is."""
        call.arguments, status = (None, "") if call.free_text else parse(call.joined())
        call.status = "invalid" if status == "invalid" else "complete"
        return CallFinished(call.block, call.ended(), call.alternative)

    def close_calls(self, status: Status, only: OpenCall | None = None) -> Iterator[Event]:
        """End the calls that are open, or one of them."""
        for call in self.calls.values():
            if call.status is None and only in (None, call):
                call.status = status
                yield CallFinished(call.block, status, call.alternative)

    def close_texts(self, block: int | None = None) -> Iterator[Event]:
        """End the blocks of text that are open, or one of them."""
        for number in [*self.texts] if block is None else [block]:
            if number in self.texts:
                yield BlockFinished(number, self.texts.pop(number))

    def tell_usage(self) -> Iterator[Event]:
        """The tokens, where they come with many events: the last are those of the whole."""
        if self.usage is not None:
            yield UsageTold(self.usage)
            self.usage = None

    def tell_stops(self) -> Iterator[Event]:
        """How each answer ended that was not told of yet."""
        for number in sorted((self.answers | self.finished or {0}) - self.stopped):
            self.stopped.add(number)
            if self.failure is not None or number not in self.finished:
                yield Stopped("error" if self.failure else "incomplete", None, number)
                continue
            response = self.response()
            numbered = {number_of(each): each for each in response.alternatives}
            answer: Any = numbered.get(number, response)
            yield Stopped(answer.stop_reason, answer.stop_word, number)

    def fail(self, body: JSON) -> Iterator[Event]:
        """The vendor sent an error instead of going on."""
        if self.failure is None:
            adapter, _ = find(self.format)
            self.failure = read_error(adapter, body)
            yield Failed(self.failure)


def index_in(raw: dict[str, JSON], key: str) -> int | None:
    """A place that an event names."""
    index = raw.get(key)
    if index is None or (index.__class__ is int and index >= 0):
        return index
    raise TypeError(f"{key} is {index!r}, no place")
