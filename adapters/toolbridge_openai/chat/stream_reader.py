"""Chunks of Chat Completions, of OpenAI and of the servers that speak it.

https://platform.openai.com/docs/api-reference/chat-streaming; types/chat/chat_completion_chunk.py
of `openai` 3.57.0; facts of compatible servers: an index that is missing, repeated or counted
from one, ids and names that come again or late, whole calls in one chunk, usage elsewhere, a finish
reason in more than one chunk, or in none (Snowflake: then the usage, which comes alone after the
answer, says that it is whole). So the last chunk is known by the end of the stream only: calls
end, and stops and usage are told, there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolbridge.arguments import parse
from toolbridge.request import Author
from toolbridge.streams.calls import OpenCall
from toolbridge.streams.events import Event, MessageStarted, Unknown
from toolbridge.streams.reader import StreamReader, index_in
from toolbridge.values import JSON, thaw
from toolbridge_openai.chat.parts import FORMAT
from toolbridge_openai.chat.response import OTHER_WORDS, STOP_WORD, USAGE
from toolbridge_openai.chat.stream_call import Slot, find_slot, open_slot
from toolbridge_openai.chat.stream_text import Texts, extend

NOT_KEPT = frozenset({"choices", "obfuscation", "object", "usage"})
"""Keys of a chunk with a meaning of their own, and padding."""

ONCE = frozenset({"id", "created", "model"})
"""Keys that say the same in each chunk of an answer; Groq's last has an id of its own."""

CHOICE = frozenset({"delta", "message", "index", "finish_reason", "logprobs", "usage"})
"""Keys of a choice with a meaning of their own."""


class Choice:
    """One answer: its folded body, its calls, its texts."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.message: dict[str, JSON] = {"role": "assistant"}
        self.wire: dict[str, JSON] = {
            "index": number,
            "message": self.message,
            "finish_reason": None,
        }
        self.slots: list[Slot] = []
        self.texts = Texts(self.message, number)

    def folded(self) -> dict[str, JSON]:
        """The body."""
        self.texts.fold()
        self.message.setdefault("content", None)
        for slot in self.slots:
            slot.fold()
        return self.wire


class Reader(StreamReader):
    """Reads the chunks of a completion."""

    format = FORMAT

    def __init__(self, profile: str | None = None) -> None:
        super().__init__(profile)
        self.choices: dict[int, Choice] = {}
        self.counts: JSON = None
        self.counted_last = False
        self.begun = False

    def take(self, data: dict[str, JSON]) -> Iterator[Event]:
        choices = data.get("choices")
        if data.get("error") and not choices:
            yield from self.fail(data)
            return
        if choices is None and not self.body:
            yield from self.take_strange(data)
            return
        self.keep(data)
        if not self.begun and (choices or data.get("id")):
            yield self.begin()
        for raw in choices or ():
            yield from self.take_choice(raw)
        counts = data.get("usage") or (data.get("x_groq") or {}).get("usage")
        self.counts = counts or self.counts
        self.counted_last = bool(counts) and not choices
        if data.get("error"):
            yield from self.fail({key: data[key] for key in data if key != "choices"})

    def keep(self, data: dict[str, JSON]) -> None:
        """What a chunk says besides: who answers once, the rest as the newest has it."""
        for key, member in data.items():
            had = self.body.get(key)
            if key in NOT_KEPT or (key in ONCE and had) or (key in self.body and not member):
                continue
            if isinstance(had, dict) and isinstance(member, dict):
                had.update(thaw(member))
            else:
                self.body[key] = thaw(member)

    def take_strange(self, data: dict[str, JSON]) -> Iterator[Event]:
        """What is no chunk: Mistral and vLLM send errors flat."""
        if data.get("object") == "error":
            yield from self.fail(data)
        else:
            yield Unknown(FORMAT, data)

    def begin(self) -> MessageStarted:
        """The first chunk that says who answers; Azure's filter results come before it."""
        self.begun = True
        self.body["object"] = "chat.completion"
        model = self.body.get("model") or None
        fields: dict[str, Any] = {"format": FORMAT}
        fields |= {"host": self.profile} if self.profile else {}
        fields |= {"model": model} if model else {}
        return MessageStarted(self.body.get("id") or None, model, Author(**fields))

    def take_choice(self, raw: dict[str, JSON]) -> Iterator[Event]:
        number = index_in(raw, "index") or 0
        choice = self.choices.get(number)
        if choice is None:
            choice = self.choices[number] = Choice(number)
            self.answers.add(number)
        delta = raw.get("delta") or raw.get("message")
        if delta:
            yield from self.take_delta(choice, delta)
        for key, member in raw.items():
            if key not in CHOICE and (key not in choice.wire or member is not None):
                choice.wire[key] = thaw(member)
        if raw.get("logprobs"):
            if not choice.wire.get("logprobs"):
                choice.wire["logprobs"] = {}
            extend(choice.wire["logprobs"], raw["logprobs"])
        self.counts = raw.get("usage") or self.counts
        word = raw.get("finish_reason")
        if word or choice.wire["finish_reason"] is None:
            choice.wire["finish_reason"] = word
        if word:
            self.finished.add(number)

    def take_delta(self, choice: Choice, delta: dict[str, JSON]) -> Iterator[Event]:
        for key, member in delta.items():
            if key == "tool_calls":
                for raw in member or ():
                    yield from self.take_call(choice, raw, key)
            elif key == "function_call" and member and any(member.values()):
                yield from self.take_call(choice, {"function": member}, key)
            elif key == "role":
                choice.message["role"] = member or choice.message["role"]
            elif member is not None:
                yield from choice.texts.add(self, key, member, delta)

    def take_call(self, choice: Choice, raw: dict[str, JSON], place: str) -> Iterator[Event]:
        """A piece of a call; `function_call` is the form for one without an id."""
        slot = find_slot(choice.slots, raw, place)
        if slot is None:
            slot = open_slot(choice.message, raw, place)
            choice.slots.append(slot)
        text = slot.take(raw)
        if slot.call is None and slot.is_known(text):
            slot.call, event = self.announce(choice, slot, text)
            yield event
            text = "".join([*slot.waiting, text])
        if slot.call is None:
            slot.waiting.append(text)
        else:
            yield from self.add_arguments(slot.call, text)

    def announce(self, choice: Choice, slot: Slot, text: str) -> tuple[OpenCall, Event]:
        """Tell that a call began. The wire has an empty id where the server sends that."""
        told = slot.wire.get("id")
        said = "" if told is not None else parse("".join([*slot.waiting, text]))[0]
        call, event = self.start_call(
            said,
            "" if told == "" else None,
            id=told or "",
            name=slot.inner.get("name") or "",
            kind=slot.kind,
            alternative=choice.number,
        )
        return call, event

    def close(self) -> Iterator[Event]:
        if self.counted_last:
            self.finished |= self.answers
        for choice in self.choices.values():
            yield from self.close_choice(choice)
        if isinstance(self.counts, dict):
            self.usage = USAGE.read(self.counts, self.reading)
        yield from super().close()

    def close_choice(self, choice: Choice) -> Iterator[Event]:
        """End the calls of an answer; the last of one that ended for its length is cut."""
        for slot in choice.slots:
            if slot.call is None:
                slot.call, event = self.announce(choice, slot, "")
                yield event
                yield from self.add_arguments(slot.call, "".join(slot.waiting))
        word = choice.wire["finish_reason"]
        cut = STOP_WORD.theirs.get(OTHER_WORDS.get(str(word), str(word))) == "length"
        if choice.number not in self.finished:
            return
        for slot in choice.slots[: -1 if cut else None]:
            if slot.call is not None:
                yield self.finish_call(slot.call)

    def told_calls(self) -> list[OpenCall]:
        choices = [self.choices[number] for number in sorted(self.choices)]
        return [slot.call for each in choices for slot in each.slots if slot.call is not None]

    def folded(self) -> dict[str, JSON]:
        choices = [self.choices[number].folded() for number in sorted(self.choices)]
        usage = {"usage": thaw(self.counts)} if isinstance(self.counts, dict) else {}
        return {**self.body, **usage, "choices": choices}
