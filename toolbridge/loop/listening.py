"""Eager execution: reading calls begin while the answer is still being streamed.

Only calls of tools declared `read` that the policy lets run, and that nothing else must look at
first. Should the stream break off, what they gave is kept, and the transcript stays valid.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from toolbridge.loop.dossier import Dossier
from toolbridge.loop.examine import examine
from toolbridge.loop.memory import brought_in
from toolbridge.loop.recording import recorder
from toolbridge.loop.sound import meant
from toolbridge.loop.state import Answered, Cancelled, Job, Outcome, Perform, Run, Start, Tell
from toolbridge.loop.step import Checkpoint
from toolbridge.loop.talk import Talk, client_calls, first_of, saved_step
from toolbridge.loop.work import Watch
from toolbridge.response import Response
from toolbridge.streams.events import CallFinished


def nobody(event: Any) -> None:
    """Nobody watches: the crew tells of what runs."""


class Listening:
    """One answer as it comes. `started` are the calls that have begun, by place."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._number = len(talk.steps) + 1
        self.started: dict[int, Dossier] = {}
        self._seen: set[int] = set()

    def to(self, asking: Generator[Any, Any, Answered]) -> Generator[Any, Any, Answered]:
        """Do what `asking` does; after a call is whole, begin it where that may be."""
        if not self._talk.plan.eager:
            return (yield from asking)
        came: Any = None
        while True:
            try:
                action = asking.send(came)
            except StopIteration as done:
                return done.value  # type: ignore[no-any-return]
            try:
                came = yield action
                if isinstance(action, Tell) and isinstance(action.event, CallFinished):
                    for job in self.heard(action):
                        yield Start(job)
            except GeneratorExit:
                raise
            except BaseException as error:
                return (yield from self.after(asking, error))

    def after(
        self, asking: Generator[Any, Any, Answered], error: BaseException
    ) -> Generator[Any, Any, Answered]:
        """Hand an error in, and do what `asking` does then; nothing new begins."""
        try:
            action = asking.throw(error)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        while True:
            try:
                came = yield action
            except BaseException as another:
                action = asking.throw(another)
                continue
            try:
                action = asking.send(came)
            except StopIteration as done:
                return done.value  # type: ignore[no-any-return]

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the calls that have begun."""
        return frozenset(each.key for each in self.started.values())

    def heard(self, tell: Tell) -> list[Job]:
        """The calls that are whole now and may begin; none once the vendor's own tools brought
        something in, which is judged with the whole answer."""
        if tell.so_far is None:
            return []
        begins: list[Job] = []
        answer = meant(tell.so_far())
        first = first_of(answer)
        if first is not None and brought_in(self._number, first.parts):
            return []
        checkpoint = checkpoint_of(self._talk, answer, nobody)
        for dossier in checkpoint.dossiers:
            if dossier.place in self._seen or dossier.call.status != "complete":
                continue
            self._seen.add(dossier.place)
            if not self.may_begin(checkpoint, dossier):
                continue
            self.started[dossier.place] = dossier
            if dossier.job is not None:
                begins.append(dossier.job)
        return begins

    def may_begin(self, checkpoint: Checkpoint, dossier: Dossier) -> bool:
        """Whether a call may run before its answer is whole."""
        examine(self._talk.plan, self._talk.memory, dossier)
        if dossier.result is not None or dossier.tool is None or dossier.job is None:
            return False
        handling = dossier.tool.handling
        if dossier.tool.stance.effect != "read" or handling.checks:
            return False
        if handling.exclusive or handling.ordered:
            return False
        checkpoint.judge(dossier)
        return dossier.ready

    def collect(self) -> Generator[Any, Any, dict[str, Outcome]]:
        """Wait for what has begun, after the answer ended early; gives the outcomes by key."""
        jobs = tuple(each.job for each in self.started.values() if each.job is not None)
        if not jobs:
            return {}
        try:
            outcomes: list[Outcome] = yield Perform(jobs)
        except Cancelled as by:
            return by.finished
        return {job.key: came for job, came in zip(jobs, outcomes, strict=True)}

    def broken_off(self, partial: Response | None, outcomes: Mapping[str, Outcome]) -> Run | None:
        """The run whose last answer broke off after calls of it had begun: they have their
        results, all others one that says that they did not run. None where none had begun."""
        if not self.started or partial is None or first_of(partial) is None:
            return None
        response = meant(partial)
        self._talk.answer(response, ())
        close_early(self._talk, response, outcomes)
        return self._talk.run("error")


def checkpoint_of(talk: Talk, response: Response, watch: Watch) -> Checkpoint:
    """The checkpoint for the calls of an answer."""
    number, calls = len(talk.steps) + 1, client_calls(response)
    return Checkpoint(talk.plan, talk.memory, number, calls, watch, recorder(talk, number))


def close_early(talk: Talk, response: Response, outcomes: Mapping[str, Outcome]) -> None:
    """Close an answer that nobody waits for: calls that had begun have what came of them, all
    others a result that says that they did not run."""
    checkpoint = checkpoint_of(talk, response, nobody)
    checkpoint.cancel(outcomes)
    talk.close(saved_step(response, checkpoint.dossiers))
