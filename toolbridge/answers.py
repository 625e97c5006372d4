"""What answers of every format need: a stop reason, and an id.

A stop reason is a vendor's word and ours; the calls in the answer have a say in both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from toolbridge.codec import Codec, Mismatch
from toolbridge.identifiers import digest
from toolbridge.parts import Opaque, Refusal, ToolCall
from toolbridge.request import Message
from toolbridge.response import Alternative, Response
from toolbridge.values import JSON, Value, make

if TYPE_CHECKING:
    from toolbridge.conversion import Reading, Writing


class StopWord(Codec):
    """The vendor's word for why an answer ended; `ours` maps each of our reasons to a word,
    `others` each further word to one of these, `numbers` the numbers that stand for words.

    The word of another vendor's answer follows from our reason. Where the source's own word
    would not come back from there, the loss is reported.
    """

    marks = True
    odd_form = "stop.approximated"

    def __init__(
        self,
        ours: Mapping[str, str],
        others: Mapping[str, str] | None = None,
        numbers: Mapping[int, str] | None = None,
    ) -> None:
        super().__init__("a word", str)
        self.ours = ours
        self.theirs = {word: reason for reason, word in reversed([*ours.items()])}
        self.others = others or {}
        self.numbers = numbers or {}

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, str):
            return raw
        if isinstance(raw, int) and raw in self.numbers:
            return self.numbers[raw]
        raise Mismatch(key, self.expected, raw)

    def mark(self, raw: JSON, item: Any) -> JSON:
        return [item, raw] if item != raw else None

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return mark[1] if mark[0] == item else written

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if writing.owns(owner):
            return item
        answer: Alternative = owner  # type: ignore[assignment]
        word = self.word_for(answer.stop_reason, answer)
        back = self.reason(word, answer)
        if item is NO_WORD:
            writing.report.add("stop.invented", owner)
        elif not self.leads_back(answer, back, writing):
            detail = f"{item!r} ({answer.stop_reason}) is written as {word!r}"
            writing.report.add("stop.approximated", owner, "stop_word", detail)
            writing.report.follow(owner, stop_reason=back)
        return word

    def reason(self, word: str | None, answer: Alternative) -> str:
        """Our reason for a vendor's word. Calls for the app to run outweigh a plain end, and so
        does a refusal; an answer without a call ends, whatever the word."""
        reason = self.theirs.get(self.others.get(word or "", word or ""), "unknown")
        if reason in ("end", "unknown") and has_calls(answer):
            return "tool_calls"
        if reason == "tool_calls" and not may_call(answer):
            return "end"
        return "refusal" if reason == "end" and has_refusal(answer) else reason

    def word_for(self, reason: str, answer: Alternative) -> str:
        """The word for our reason; a refusal that stands in the answer says so itself."""
        return self.ours["end" if reason == "refusal" and has_refusal(answer) else reason]

    def word_of(self, answer: Alternative) -> str | None:
        """The word of an answer of this format, as `ours` has it."""
        return answer.stop_word

    def leads_back(self, answer: Alternative, back: str, writing: Writing) -> bool:
        """Whether the source's own word follows from the reason that comes back."""
        source = writing.codec_of(answer, "stop_word")
        if isinstance(source, StopWord):
            return source.word_for(back, answer) == source.word_of(answer)
        return back == answer.stop_reason


NO_WORD: Final = object()
"""Stands for the word of an answer that has none, so that one is written."""


def has_calls(answer: Alternative) -> bool:
    """Whether there is a call that the app must run."""
    return any(isinstance(part, ToolCall) and part.executor == "client" for part in answer.parts)


def may_call(answer: Alternative) -> bool:
    """Whether there is such a call, or something unknown that may be one."""
    return has_calls(answer) or any(isinstance(part, Opaque) for part in answer.parts)


def has_refusal(answer: Alternative) -> bool:
    """Whether a part of the answer is the model's refusal."""
    return any(isinstance(part, Refusal) for part in answer.parts)


def finish_alternative(words: StopWord) -> Callable[[dict[str, Any], JSON, Reading], None]:
    """The step that gives an answer its reason in our words and marks a call that was cut."""

    def finish(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
        messages = fields.get("messages", ())
        answer = make(Alternative, fields)
        reason = words.reason(words.word_of(answer), answer)
        fields["stop_reason"] = reason
        if reason in ("length", "context_full", "incomplete") and messages:
            fields["messages"] = (*messages[:-1], cut_last(messages[-1], reading))

    return finish


def cut_last(message: Message, reading: Reading) -> Message:
    """The message with its last part, if that is a call, marked as cut."""
    parts = getattr(message, "parts", ())
    call = parts[-1] if parts else None
    if not isinstance(call, ToolCall) or call.executor != "client" or call.status == "cut":
        return message
    cut = reading.moved(make(ToolCall, {**vars(call), "status": "cut"}), call)
    parts = (*message.parts[:-1], cut)
    return reading.moved(make(Message, {**vars(message), "parts": parts}), message)


def with_stop_word(item: Any, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """Every answer to be written in another format gets a word."""
    if not writing.owns(item) and fields.get("stop_word") is None:
        fields["stop_word"] = NO_WORD
    return fields


def with_id(prefix: str) -> Callable[[Any, dict[str, Any], Writing], dict[str, Any]]:
    """The step that gives an answer an id made from its text, where it has none."""

    def prepare(item: Response, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
        if not writing.owns(item) and fields.get("id") is None:
            fields["id"] = f"{prefix}{digest(item.text, 24)}"
            writing.report.filled(item, "id", fields["id"], "id.invented")
        return fields

    return prepare
