"""The canonical events of a stream: one closed set, whatever the vendor.

A `block` is the number of a part of the answer, in the order in which parts began; several may
be open at once. `alternative` is the answer that it belongs to, where there are several.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from toolbridge.request import Author
from toolbridge.response import ErrorBody, StopReason, Usage
from toolbridge.values import JSON


class MessageStarted(NamedTuple):
    """The answer begins."""

    id: str | None = None
    model: str | None = None
    author: Author | None = None


class TextAdded(NamedTuple):
    """A piece of text."""

    block: int
    text: str
    alternative: int = 0


class ReasoningAdded(NamedTuple):
    """A piece of what the model thinks; `form` says of which of the texts that it may have."""

    block: int
    text: str
    form: Literal["text", "summary", "content"] = "text"
    alternative: int = 0


class SignatureAdded(NamedTuple):
    """A signature, or a thought that only its writer can read, whole."""

    block: int
    data: str
    encrypted: bool = False
    alternative: int = 0


class CitationAdded(NamedTuple):
    """A citation of a text, in the vendor's form."""

    block: int
    citation: JSON
    alternative: int = 0


class RefusalAdded(NamedTuple):
    """A piece of the model's words for not answering."""

    block: int
    text: str
    alternative: int = 0


class CallStarted(NamedTuple):
    """A call begins; `executor` says who runs it, `kind` is as in ToolCall."""

    block: int
    id: str
    name: str
    namespace: str | None = None
    kind: str = "function"
    executor: Literal["client", "vendor"] = "client"
    alternative: int = 0


class ArgumentsAdded(NamedTuple):
    """A piece of the text of a call's arguments."""

    block: int
    text: str
    alternative: int = 0


class CallFinished(NamedTuple):
    """A call is whole (`complete`), was `cut`, or what the model wrote is no JSON (`invalid`)."""

    block: int
    status: Literal["complete", "cut", "invalid"]
    alternative: int = 0


class PartAdded(NamedTuple):
    """A part that comes whole, in the vendor's form: a result of a vendor-run tool, a medium."""

    block: int
    data: JSON
    alternative: int = 0


class BlockFinished(NamedTuple):
    """A block that is no call is whole."""

    block: int
    alternative: int = 0


class UsageTold(NamedTuple):
    """The tokens so far; a later one replaces an earlier one."""

    usage: Usage


class Stopped(NamedTuple):
    """An answer ended; `stop_word` is the vendor's."""

    stop_reason: StopReason
    stop_word: str | None = None
    alternative: int = 0


class Failed(NamedTuple):
    """The vendor broke the stream off with an error."""

    error: ErrorBody


class Unknown(NamedTuple):
    """An event of a vendor's that nobody here knows."""

    format: str
    data: Any


Event = (
    MessageStarted
    | TextAdded
    | ReasoningAdded
    | SignatureAdded
    | CitationAdded
    | RefusalAdded
    | CallStarted
    | ArgumentsAdded
    | CallFinished
    | PartAdded
    | BlockFinished
    | UsageTold
    | Stopped
    | Failed
    | Unknown
)
