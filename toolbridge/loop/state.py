"""What a run gives, and what it is started with."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, NamedTuple

from toolbridge.app_tools import Tool
from toolbridge.checkpoint.questions import Question
from toolbridge.checkpoint.run_state import RunState
from toolbridge.loop.gate import OPEN, USUAL, Gate, Limits
from toolbridge.loss import Loss
from toolbridge.parts import Text, ToolCall, ToolResult
from toolbridge.request import Message, Request
from toolbridge.response import Response, StopReason, Usage
from toolbridge.streams.events import Event
from toolbridge.transport import Call, Reply
from toolbridge.values import JSON, Value

RunStop = (
    StopReason | Literal["max_steps", "unhandled_call", "approval", "repeated_call", "cancelled"]
)


class Begun(NamedTuple):
    """With what a run was begun in this process: its Model and its options, for `resume`."""

    model: Any
    options: Any


class Step(NamedTuple):
    """One answer of the model, the results of its calls in their order, and what the request
    could not carry."""

    response: Response
    results: tuple[ToolResult, ...] = ()
    losses: tuple[Loss, ...] = ()


@dataclasses.dataclass(frozen=True)
class Run:
    """A conversation that came to its end, or to a place where it waits.

    `messages` is the whole history, what it was started with included: pass it on to go on, with
    this vendor or another. `output` is the answer as the type that was asked for. `usage` sums
    all steps. `stop_reason` is that of the last answer, or the loop's own; `stop_detail` says
    more where there is more to say. At `unhandled_call` `pending` holds the calls for which the
    app has no handler, at `approval` the Questions that a person must answer: go on with
    `resume`. `state` is the run as it stands, for `to_json`.
    """

    messages: tuple[Value, ...]
    steps: tuple[Step, ...]
    stop_reason: RunStop
    output: Any = None
    pending: tuple[ToolCall | Question, ...] = ()
    stop_detail: str | None = None
    state: RunState | None = dataclasses.field(default=None, repr=False, compare=False)
    begun: Begun | None = dataclasses.field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "begun": None}

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
    where a target has no schema for it. `choose` gives the tool choice of a step, counted from 0.
    With `eager` a reading call may begin while the answer is still being streamed."""

    request: Request
    tools: dict[Identity, Tool]
    declared: frozenset[Identity] = frozenset()
    max_steps: int = 20
    output_type: Any = None
    output_tool: str | None = None
    run_id: str = ""
    gate: Gate = OPEN
    limits: Limits = USUAL
    data: Any = None
    choose: Callable[[int], Any] | None = None
    eager: bool = False
    begun: Begun | None = None

    @cached_property
    def gated(self) -> bool:
        """Whether any tool says what it does."""
        return any(each.stance.declared for each in self.tools.values())


def said(text: str) -> Message:
    """Words of the user's."""
    return Message(role="user", parts=(Text(text=text),))


class Job(NamedTuple):
    """A call to run: with these arguments of the function's own types. A `check` looks at the
    arguments of a call before it runs: it claims nothing, and nobody is told of it."""

    call: ToolCall
    tool: Tool
    arguments: dict[str, Any] | JSON
    key: str
    check: bool = False


How = Literal["ok", "error", "timeout", "unknown", "cancelled", "recorded"]


class Outcome(NamedTuple):
    """What came of a job: its one result, and how it came about. `timeout` was stopped in time;
    `unknown` may have done its work, or may yet; `cancelled` was stopped, or never began;
    `recorded` ran before, and this is what the ledger holds. `error` is what it raised."""

    result: ToolResult
    how: How
    seconds: float = 0.0
    error: BaseException | None = None


class Perform(NamedTuple):
    """Run calls together; answer with an Outcome for each, in order."""

    jobs: tuple[Job, ...]


class Decide(NamedTuple):
    """Ask a person, one question after another; answer with a Decision or None for each."""

    questions: tuple[Question, ...]
    approve: Callable[[Question], Any]


class Start(NamedTuple):
    """Begin a call and go on: the Perform that names it later gives what came of it."""

    job: Job


class Answered(NamedTuple):
    """The answer to a request; `call` and `reply` are what went over the wire, `reply` without a
    body where the answer was streamed. `cancelled`: nobody waited for the end of it, or the time
    of the run was over."""

    response: Response
    losses: tuple[Loss, ...]
    call: Call
    reply: Reply
    cancelled: bool | Literal["timeout"] = False


class Wait(NamedTuple):
    """Sleep, before what failed is tried again."""

    seconds: float


class OpenStream(NamedTuple):
    """Send a call whose answer comes in pieces."""

    call: Call


class NextData(NamedTuple):
    """Answer with the next data object of the stream that is open, or with END."""


class Tell(NamedTuple):
    """Hand an event to whoever reads the stream; `so_far` gives the answer as far as it is."""

    event: Event
    so_far: Callable[[], Response] | None = None


END = object()
"""The end of a stream."""


class Cancelled(Exception):
    """Nobody waits any more. `finished` says what came of calls, by their keys; `why` is "timeout"
    where the time of the run is over, and None where somebody ended it."""

    def __init__(
        self,
        finished: dict[str, Outcome] | None = None,
        why: Literal["timeout"] | None = None,
    ) -> None:
        super().__init__(why or "cancelled")
        self.finished = finished or {}
        self.why: Literal["timeout"] | None = why


class Progress(NamedTuple):
    """What a tool says on its way."""

    call: ToolCall
    value: Any


class Finished(NamedTuple):
    """The result of a call, whether it ran or was refused, and the error that it raised."""

    call: ToolCall
    result: ToolResult
    error: BaseException | None = None
