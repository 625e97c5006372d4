"""A conversation played without I/O: the model's turns are given, the tools run here and now."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Iterable
from typing import Any

import toolbridge as tb
from toolbridge.app_tools import CancelToken
from toolbridge.loop.conversation import conversation
from toolbridge.loop.plan import Options, make_plan
from toolbridge.loop.state import Decide, Job, Perform
from toolbridge.loop.work import Workplace, work
from toolbridge.transport import Call, Reply

from .answers import MODELS, Answer, Called, body_of, calling, said

Turn = tuple[str, Answer]
"""What a model says, and the format in which."""


@dataclasses.dataclass
class Played:
    """The run, the requests that it would have sent, the calls that it ran together, and what
    whoever watched has seen."""

    run: tb.Run
    requests: list[tb.Request]
    performed: list[tuple[Job, ...]]
    events: list[Any]

    @property
    def results(self) -> list[tb.ToolResult]:
        """All results, in order."""
        return [result for step in self.run.steps for result in step.results]


def response_of(turn: Turn | tb.Response, index: int) -> tb.Response:
    """A turn as it is read."""
    if isinstance(turn, tb.Response):
        return turn
    format, answer = turn
    response: tb.Response = tb.read(body_of(answer, format, index), format, "response")
    return response


def play(
    turns: Iterable[Turn | tb.Response],
    messages: Any = "hi",
    model: str = "anthropic",
    data: Any = None,
    id: str | None = None,
    **options: Any,
) -> Played:
    """Play a conversation to its end. `model` is a format and `id` one of its models; `options`
    are those of `run`."""
    settings = {name: options.pop(name) for name in [*options] if name in tb.Request.defaults}
    output = settings.pop("output", None)
    tools = settings.pop("tools", ())
    given = Options(tools=tools, output=output, settings=settings, data=data, **options)
    plan = make_plan(tb.Model(f"{model}/{id or MODELS[model]}"), messages, given)
    requests: list[tb.Request] = []
    performed: list[tuple[Job, ...]] = []
    events: list[Any] = []
    left = [response_of(turn, index) for index, turn in enumerate(turns)]

    def ask(request: tb.Request) -> Generator[Any, Any, tb.Answered]:
        requests.append(request)
        yield from ()
        return tb.Answered(left.pop(0), (), Call("", {}, {}), Reply({}, {}))

    place = Workplace(data, events.append, CancelToken(), ledger=given.gate.ledger)
    steps = conversation(plan, ask, events.append)
    try:
        action = next(steps)
        while True:
            if isinstance(action, Decide):
                action = steps.send([action.approve(each) for each in action.questions])
                continue
            assert isinstance(action, Perform)
            performed.append(action.jobs)
            action = steps.send([work(job, place) for job in action.jobs])
    except StopIteration as done:
        return Played(done.value, requests, performed, events)


def text_of(result: tb.ToolResult) -> str:
    """What a result says."""
    return "\n".join(
        part.text if isinstance(part, tb.Text) else str(getattr(part, "value", part))
        for part in result.parts
    )


def response(*parts: Any, stop: Any = "end") -> tb.Response:
    """An answer made by hand."""
    message = tb.Message(role="assistant", parts=parts)
    return tb.Response(alternatives=(tb.Alternative(messages=(message,), stop_reason=stop),))


def shown(played: Played) -> list[tuple[str, bool, str]]:
    """Of each result the id, whether it is a failure, and what it says."""
    return [(each.call_id, bool(each.is_error), text_of(each)) for each in played.results]


def called(tool: Any, arguments: Any = None, format: str = "anthropic", **options: Any) -> Played:
    """A conversation in which the model calls a tool once."""
    made = tool if isinstance(tool, tb.Tool) else tb.tool(tool)
    call = Called(made.name, {} if arguments is None else arguments)
    return play([(format, calling(call)), (format, said("ok"))], tools=[tool], **options)


def result_of(tool: Any, arguments: Any = None, **options: Any) -> tb.ToolResult:
    """The result of one call."""
    (result,) = called(tool, arguments, **options).results
    return result


def fault_of(tool: Any, arguments: Any = None, **options: Any) -> str:
    """What the model hears of a call that failed."""
    result = result_of(tool, arguments, **options)
    assert result.is_error
    return text_of(result)


def error_of(tool: Any, arguments: Any = None, **options: Any) -> Any:
    """What the app gets of a call that failed."""
    events = called(tool, arguments, **options).events
    (error,) = (each.error for each in events if isinstance(each, tb.Finished))
    return error
