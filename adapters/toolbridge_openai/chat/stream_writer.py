"""A completion as a stream of chunks.

https://platform.openai.com/docs/api-reference/chat-streaming: the role first, the finish reason
last, usage in a chunk without choices (`stream_options.include_usage`).
"""

from __future__ import annotations

from collections.abc import Iterator

from toolbridge.streams.events import CallStarted, ReasoningAdded, RefusalAdded, TextAdded
from toolbridge.streams.writer import Data, StreamWriter
from toolbridge.values import JSON
from toolbridge_openai.chat.beside import REASONING_KEYS
from toolbridge_openai.chat.parts import FORMAT

CHUNK = "chat.completion.chunk"


SAID = ("role", "content", "refusal", "tool_calls", "function_call", "reasoning_details")
"""Members of a message that were said in pieces; annotations come with the last chunk."""


class Writer(StreamWriter):
    """Writes the chunks of a completion."""

    format = FORMAT
    prefix = "chatcmpl-"

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.head: Data = {}
        self.begun: set[int] = set()
        self.calls: dict[int, tuple[int, int, str]] = {}

    def start(self, id: str, model: str | None) -> Iterator[Data]:
        self.head = {
            "id": id,
            "object": "chat.completion.chunk",
            "created": 0,
            "model": model or "",
        }
        yield from self.begin(0)

    def begin(self, number: int) -> Iterator[Data]:
        """The first chunk of a choice."""
        if number not in self.begun:
            self.begun.add(number)
            yield self.chunk(number, {"role": "assistant"})

    def chunk(self, number: int, delta: Data, finish_reason: JSON = None) -> Data:
        """A chunk of one choice."""
        choice = {"index": number, "delta": delta, "finish_reason": finish_reason}
        return {**self.head, "choices": [choice]}

    def add_text(self, event: TextAdded) -> Iterator[Data]:
        yield from self.begin(event.alternative)
        yield self.chunk(event.alternative, {"content": event.text})

    def add_refusal(self, event: RefusalAdded) -> Iterator[Data]:
        yield from self.begin(event.alternative)
        yield self.chunk(event.alternative, {"refusal": event.text})

    def add_reasoning(self, event: ReasoningAdded) -> Iterator[Data]:
        yield from self.begin(event.alternative)
        field = self.rules.reasoning_field or REASONING_KEYS[0]
        yield self.chunk(event.alternative, {field: event.text})

    def start_call(self, event: CallStarted) -> Iterator[Data]:
        yield from self.begin(event.alternative)
        number = event.alternative
        index = sum(choice == number for choice, _, _ in self.calls.values())
        custom = event.kind == "custom"
        self.calls[event.block] = (number, index, "custom" if custom else "function")
        inner = {"name": event.name, "input" if custom else "arguments": ""}
        kind = "custom" if custom else "function"
        yield self.piece(event.block, {"id": event.id, "type": kind, kind: inner})

    def add_arguments(self, block: int, text: str) -> Iterator[Data]:
        kind = self.calls[block][2]
        yield self.piece(block, {kind: {"input" if kind == "custom" else "arguments": text}})

    def piece(self, block: int, told: Data) -> Data:
        """A chunk with a piece of a call."""
        number, index, _ = self.calls[block]
        return self.chunk(number, {"tool_calls": [{"index": index, **told}]})

    def end(self, body: Data, finished: bool = True) -> list[Data]:
        known = {key: body[key] for key in body if key not in ("choices", "usage", *self.head)}
        self.head |= {"created": body.get("created") or 0}
        told: list[Data] = []
        for number, choice in enumerate(body.get("choices") or [{}]):
            word = choice.get("finish_reason") if finished else None
            message = choice.get("message") or {}
            told += self.begin(number)
            told.append(self.chunk(number, beside(message, SAID), word))
            told[-1]["choices"][0] |= beside(choice, ("index", "message", "finish_reason"))
        told[-1] |= known
        if not finished:
            told[-1] |= beside({"usage": body.get("usage")}, ())
        return [*told, *(self.tell_usage(body) if finished else ())]

    def tell_usage(self, body: Data) -> Iterator[Data]:
        """The chunk of the usage."""
        if isinstance(body.get("usage"), dict):
            yield {**self.head, "choices": [], "usage": body["usage"]}

    def unfold(self, body: Data) -> list[Data]:
        self.head = {key: body[key] for key in body if key not in ("choices", "usage")}
        self.head["object"] = CHUNK
        told: list[Data] = []
        for place, choice in enumerate(body.get("choices") or ()):
            told += self.unfold_choice(place, choice)
        return [*told, *self.tell_usage(body)]

    def unfold_choice(self, place: int, choice: Data) -> Iterator[Data]:
        """A choice that is whole: a chunk for each member of its message."""
        number, message = choice.get("index", place), choice.get("message") or {}
        yield self.chunk(number, {"role": message.get("role", "assistant")})
        for key, member in message.items():
            if key == "tool_calls" and isinstance(member, list):
                for index, call in enumerate(member):
                    yield self.chunk(number, {key: [{"index": index, **call}]})
            elif key != "role":
                yield self.chunk(number, {key: member})
        last = self.chunk(number, {}, choice.get("finish_reason"))
        rest = {key: choice[key] for key in choice if key not in ("index", "message")}
        last["choices"][0] |= rest
        yield last


def beside(told: Data, said: tuple[str, ...]) -> Data:
    """What an object says besides what was said."""
    keys = [key for key in told if key not in (*said, *REASONING_KEYS)]
    return {key: told[key] for key in keys if told[key] is not None}
