"""The generator of the loop on strings: the model's turns are given, tools run here and now with a
ledger, and the process may die, or be told to stop, at any place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import Any

import toolbridge as tb
from toolbridge.app_tools import CancelToken
from toolbridge.checkpoint.ledger import Ledger
from toolbridge.checkpoint.questions import Decision
from toolbridge.loop.conversation import conversation
from toolbridge.loop.plan import Options, make_plan
from toolbridge.loop.resuming import take_up
from toolbridge.loop.state import Cancelled, Decide, Outcome, Perform, Plan
from toolbridge.loop.work import Workplace, work
from toolbridge.transport import Call, Reply

from .answers import MODELS, Answer, said
from .play import response_of

Turn = tuple[str, Answer]


class Death(BaseException):
    """The process dies here."""


@dataclasses.dataclass
class World:
    """What outlives a process: the model, the app's tools, its ledger, the last state that was
    saved, and what was seen. `cancel_at` counts the Performs, after which the run is cancelled."""

    turns: Sequence[Turn | tb.Response]
    tools: Sequence[Any]
    ledger: Ledger | None = None
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    gate: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    cancel_at: int | None = None
    saved: list[str] = dataclasses.field(default_factory=list)
    requests: list[tb.Request] = dataclasses.field(default_factory=list)
    events: list[Any] = dataclasses.field(default_factory=list)
    performed: int = 0

    def begin(self, messages: Any = "hi") -> tb.Run:
        """A run from the beginning."""
        model = tb.Model(f"anthropic/{MODELS['anthropic']}")
        options = Options(tools=self.tools, gate=self.checkpoint(), **self.options)
        return self.drive(make_plan(model, messages, options), None, {})

    def resume(self, run_or_state: Any, decisions: Mapping[str, Decision] | None = None) -> tb.Run:
        """A run that goes on, here or in a new process."""
        given = {"tools": self.tools, "gate": self.checkpoint()}
        resumed = take_up(run_or_state, decisions or {}, None, None, given)
        return self.drive(resumed.plan(), resumed.state, resumed.decisions)

    def checkpoint(self) -> tb.Gate:
        """The gate of this world: the newest state is kept."""
        return tb.Gate(ledger=self.ledger, save=self.saved.append, **self.gate)

    def drive(
        self, plan: Plan, state: tb.RunState | None, decisions: Mapping[str, Decision]
    ) -> tb.Run:
        """Do what the generator asks for."""
        asked = 0 if state is None else len(state.steps) + (state.open is not None)
        steps = conversation(plan, self.ask(asked), self.events.append, state, decisions)
        place = Workplace(None, self.events.append, CancelToken(), ledger=self.ledger)
        resume: Callable[[], Any] = partial(next, steps)
        while True:
            try:
                action = resume()
            except StopIteration as done:
                run: tb.Run = done.value
                return run
            resume = self.carry_out(steps, action, place)

    def carry_out(self, steps: Any, action: Any, place: Workplace) -> Callable[[], Any]:
        """Do one thing; gives how the generator goes on."""
        if isinstance(action, Decide):
            answers = [action.approve(question) for question in action.questions]
            return lambda: steps.send(answers)
        assert isinstance(action, Perform)
        outcomes: list[Outcome] = []
        real = not action.jobs[0].check
        self.performed += real
        for number, job in enumerate(action.jobs):
            if real and self.performed == self.cancel_at and number:
                begun = action.jobs[:number]
                finished = {each.key: came for each, came in zip(begun, outcomes, strict=True)}
                return lambda: steps.throw(Cancelled(finished))
            outcomes.append(work(job, place))
        return lambda: steps.send(outcomes)

    def ask(self, asked: int) -> Callable[[tb.Request], Generator[Any, Any, tb.Answered]]:
        """The model: what it says hangs on how often it was asked alone."""
        number = asked

        def ask(request: tb.Request) -> Generator[Any, Any, tb.Answered]:
            nonlocal number
            self.requests.append(request)
            left = number < len(self.turns)
            turn: Any = self.turns[number] if left else ("anthropic", said("끝"))
            number += 1
            yield from ()
            response = response_of(turn, number)
            return tb.Answered(response, (), Call("", {}, {}), Reply({}, {}))

        return ask
