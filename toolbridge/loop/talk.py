"""A conversation as it grows: its history, its steps, and what a state keeps of both."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from toolbridge.checkpoint.evidence import EDITED
from toolbridge.checkpoint.questions import Question
from toolbridge.checkpoint.run_state import VERSION, RunState, SavedStep, Settled, coded, uncoded
from toolbridge.loop.dossier import RAN, Dossier
from toolbridge.loop.examine import key_of, tool_of
from toolbridge.loop.fence import fenced
from toolbridge.loop.memory import Memory
from toolbridge.loop.replay import replayable
from toolbridge.loop.state import Begun, Plan, Run, RunStop, Step
from toolbridge.loss import Loss
from toolbridge.parts import Text, ToolCall, ToolResult
from toolbridge.request import Message, Request
from toolbridge.response import Alternative, Response
from toolbridge.tools import ToolChoice

NONE = ToolChoice(mode="none")


class Talk:
    """What was said so far. `open` is an answer whose calls have no results yet, `trouble` what
    the audit raised; `losses` are those of the last answer's request."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.history: list[Any] = list(plan.request.history)
        self.steps: list[Step] = []
        self.saved: list[SavedStep] = []
        self.open: SavedStep | None = None
        self.memory = Memory(plan)
        self.memory.begin(self.history)
        self.trouble: Exception | None = None
        self.losses: tuple[Loss, ...] = ()

    def restore(self, state: RunState) -> None:
        """Take up what a state holds."""
        for step in state.steps:
            self.answer(step.response, uncoded(self.losses, step.losses))
            self.close(step.replace(losses=()))
        if state.open is not None:
            self.answer(state.open.response, uncoded(self.losses, state.open.losses))
            self.open = state.open.replace(losses=())

    def request(self) -> Request:
        """The request of the next step."""
        number = len(self.steps)
        changes: dict[str, Any] = {"history": tuple(self.history)}
        if self.plan.choose is not None:
            changes["tool_choice"] = self.plan.choose(number)
        closing = self.plan.limits.closing_answer and number + 1 == self.plan.max_steps
        if closing and number and self.plan.request.tools and self.plan.output_tool is None:
            changes["tool_choice"] = NONE
        return self.plan.request.replace(**changes)

    def answer(self, response: Response, losses: tuple[Loss, ...]) -> None:
        """Add what the model said, and what the request for it could not carry."""
        self.losses = losses
        self.history += messages_of(response)
        first = first_of(response)
        self.memory.hear(len(self.steps) + 1, first.parts if first is not None else ())

    def close(self, step: SavedStep) -> None:
        """Add the results of the last answer, and what the loop says after them."""
        calls = client_calls(step.response)
        number = len(self.steps) + 1
        if step.settled:
            parts = tuple(self.shown(number, calls[each.place], each) for each in step.settled)
            self.history.append(Message(role="tool", parts=parts))
        self.history += step.said
        results = tuple(each.result for each in step.settled)
        self.steps.append(Step(step.response, results, self.losses))
        self.saved.append(step)
        self.open = None
        self.memory.absorb(
            number, [(calls[each.place], each.result, each.outcome) for each in step.settled]
        )

    def shown(self, number: int, call: ToolCall, settled: Settled) -> ToolResult:
        """A result as the model sees it: fenced where its tool wants that, and with the arguments
        that it ran with where a person changed them."""
        result, tool = settled.result, tool_of(self.plan, call)
        if tool is not None and tool.handling.fence and settled.outcome in RAN:
            key = key_of(self.plan.run_id, number, settled.place, call)
            result = fenced(result, call.name, key)
        if settled.edited is None:
            return result
        said = Text(text=EDITED + json.dumps(settled.edited, ensure_ascii=False))
        return result.replace(parts=(said, *result.parts))

    def state(self, stop_reason: str | None, questions: Iterable[Question] = ()) -> RunState:
        """The conversation as it stands."""
        plan = self.plan
        begun = plan.begun
        return RunState(
            version=VERSION,
            run_id=plan.run_id,
            model=begun.model.name if begun is not None else "",
            request=plan.request,
            steps=self.coded_steps(),
            open=None if self.open is None else self.with_losses(self.open),
            questions=tuple(questions),
            stop_reason=stop_reason,
            options=begun.options.as_json() if begun is not None else {},
            needs=needs_of(begun) if begun is not None else (),
        )

    def coded_steps(self) -> tuple[SavedStep, ...]:
        """The steps with their losses, each by how they differ from those before."""
        told = [step.losses for step in self.steps]
        return tuple(
            step.replace(losses=coded(before, now)) if now else step
            for step, before, now in zip(self.saved, [(), *told], told, strict=False)
        )

    def with_losses(self, step: SavedStep) -> SavedStep:
        """The open step with its losses."""
        before = self.steps[-1].losses if self.steps else ()
        return step.replace(losses=coded(before, self.losses))

    def run(
        self,
        stop_reason: RunStop,
        output: Any = None,
        pending: tuple[Any, ...] = (),
        detail: str | None = None,
    ) -> Run:
        """The Run as it stands."""
        questions = [each for each in pending if isinstance(each, Question)]
        steps = self.steps
        if self.open is not None:
            results = tuple(each.result for each in self.open.settled)
            steps = [*steps, Step(self.open.response, results, self.losses)]
        return Run(
            tuple(self.history),
            tuple(steps),
            stop_reason,
            output,
            pending,
            detail,
            self.state(stop_reason, questions),
            self.plan.begun,
        )


def needs_of(begun: Begun) -> list[str]:
    """What must be given again: options that are no JSON, and a model that its name does not
    reach. A conversation with a server of one's own never goes to the vendor by mistake."""
    model = begun.model
    own = model.client is not None or model.base_url is not None or bool(model.headers)
    return [*(["model"] if own else []), *begun.options.needs()]


def saved_step(response: Response, dossiers: Sequence[Dossier]) -> SavedStep:
    """An answer with the results that its calls have."""
    settled = tuple(each.settled() for each in dossiers if each.result is not None)
    return SavedStep(response=response, settled=settled)


def first_of(response: Response) -> Alternative | None:
    """The first answer of several."""
    return next((each for each in response.alternatives if isinstance(each, Alternative)), None)


def messages_of(response: Response) -> tuple[Any, ...]:
    """What the model said, for the history; its first answer of several."""
    first = first_of(response)
    return tuple(map(replayable, first.messages)) if first is not None else ()


def client_calls(response: Response) -> list[ToolCall]:
    """The calls of an answer that the app must answer, broken ones included, in order."""
    first = first_of(response)
    parts = first.parts if first is not None else ()
    return [part for part in parts if isinstance(part, ToolCall) and part.executor == "client"]
