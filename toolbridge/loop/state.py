"""What a run gives, and what it is started with."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, NamedTuple

from toolbridge.app_tools import Tool
from toolbridge.loss import Loss
from toolbridge.parts import Text, ToolCall, ToolResult
from toolbridge.request import Message, Request
from toolbridge.response import Response, StopReason, Usage
from toolbridge.streams.events import Event
from toolbridge.transport import Call, Reply
from toolbridge.values import JSON, Value

RunStop = StopReason | Literal["max_steps", "unhandled_call", "cancelled"]


class Step(NamedTuple):
    """One answer of the model, the results of its calls in their order, and what the request
    could not carry."""

    response: Response
    results: tuple[ToolResult, ...] = ()
    losses: tuple[Loss, ...] = ()


@dataclasses.dataclass(frozen=True)
class Run:
    """A conversation that came to its end.

    `messages` is the whole history, what it was started with included: pass it on to go on, with
    this vendor or another. `output` is the answer as the type that was asked for. `usage` sums
    all steps. `stop_reason` is that of the last answer, or `max_steps`, or `unhandled_call`:
    then `pending` holds the calls for which the app has no handler.
    """

    messages: tuple[Value, ...]
    steps: tuple[Step, ...]
    stop_reason: RunStop
    output: Any = None
    pending: tuple[ToolCall, ...] = ()

    @property
    def text(self) -> str:
        """The text of the last answer."""
        return self.steps[-1].response.text if self.steps else ""

    @property
    def usage(self) -> Usage:
        """The tokens of all steps together."""
        return total(step.response.usage for step in self.steps)


COUNTS = (
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
)


def total(usages: Any) -> Usage:
    """The sum of several counts; what no step told stays unknown."""
    told = [usage for usage in usages if usage is not None]
    sums: dict[str, Any] = {
        name: sum(getattr(usage, name) or 0 for usage in told)
        for name in COUNTS
        if any(getattr(usage, name) is not None for usage in told)
    }
    return Usage(**sums)


Identity = tuple[str | None, str]
"""A tool's namespace and name."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What a run is started with: the request that each step extends, the app's tools by
    namespace and name, those `declared` without a function, and limits. `output_type` is what
    the last answer is parsed as, `output_tool` the name of a tool that stands for the answer
    where a target has no schema for it."""

    request: Request
    tools: dict[Identity, Tool]
    declared: frozenset[Identity] = frozenset()
    max_steps: int = 20
    output_type: Any = None
    output_tool: str | None = None


def said(text: str) -> Message:
    """Words of the user's."""
    return Message(role="user", parts=(Text(text=text),))


class Job(NamedTuple):
    """A call to run: with these arguments of the function's own types."""

    call: ToolCall
    tool: Tool
    arguments: dict[str, Any] | JSON
    key: str


class Perform(NamedTuple):
    """Run calls together; answer with a ToolResult for each, in order."""

    jobs: tuple[Job, ...]


class Answered(NamedTuple):
    """The answer to a request; `call` and `reply` are what went over the wire, `reply` without a
    body where the answer was streamed. `cancelled`: nobody waited for the end of it."""

    response: Response
    losses: tuple[Loss, ...]
    call: Call
    reply: Reply
    cancelled: bool = False


class Wait(NamedTuple):
    """Sleep, before what failed is tried again."""

    seconds: float


class OpenStream(NamedTuple):
    """Send a call whose answer comes in pieces."""

    call: Call


class NextData(NamedTuple):
    """Answer with the next data object of the stream that is open, or with END."""


class Tell(NamedTuple):
    """Hand an event to whoever reads the stream."""

    event: Event


END = object()
"""The end of a stream."""


class Cancelled(Exception):
    """Nobody waits any more. `finished` are the results of the calls that have ended, by place."""

    def __init__(self, finished: dict[int, ToolResult] | None = None) -> None:
        super().__init__("cancelled")
        self.finished = finished or {}


class Progress(NamedTuple):
    """What a tool says on its way."""

    call: ToolCall
    value: Any


class Finished(NamedTuple):
    """The result of a call, whether it ran or was refused."""

    call: ToolCall
    result: ToolResult
