"""The loop itself, without I/O: a generator that says what to do and takes what came of it.

It goes on because of the calls in an answer, not because of its stop reason: servers contradict
themselves, calls do not. Every call gets exactly one result, in the order of the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from toolbridge.checkpoint.questions import Decision
from toolbridge.checkpoint.run_state import RunState, SavedStep
from toolbridge.errors import VendorError
from toolbridge.loop.dossier import Dossier
from toolbridge.loop.examine import has_handler
from toolbridge.loop.listening import Listening, checkpoint_of, close_early
from toolbridge.loop.output import MALFORMED, Parsed, parse_output
from toolbridge.loop.resuming import go_past
from toolbridge.loop.sound import BLOCKED, meant
from toolbridge.loop.state import Answered, Cancelled, Outcome, Plan, Run, said
from toolbridge.loop.step import Checkpoint
from toolbridge.loop.talk import Talk, client_calls, first_of, saved_step
from toolbridge.loop.work import Watch
from toolbridge.request import Request
from toolbridge.response import Response
from toolbridge.storage import to_json

Ask = Callable[[Request], Generator[Any, Any, Answered]]
"""Sends a request, by yielding what is to be sent."""


def conversation(
    plan: Plan,
    ask: Ask,
    watch: Watch,
    state: RunState | None = None,
    decisions: Mapping[str, Decision] | None = None,
) -> Generator[Any, Any, Run]:
    """The run of a plan, or of a state that was put down: yields what `ask` yields, and Perform
    and Decide for calls."""
    talk = Talk(plan)
    if state is not None:
        talk.restore(state)
    nobody = plan.gate.approve is None and not decisions
    if state is not None and state.questions and nobody:
        return talk.run("approval", pending=state.questions)
    if talk.open is not None:
        ended = yield from take_up(talk, talk.open, watch, state, decisions or {})
        if ended is not None:
            return ended
    while len(talk.steps) < plan.max_steps:
        save(talk)
        ended = yield from exchange_once(talk, ask, watch)
        if ended is not None:
            return ended
    return talk.run("max_steps")


def exchange_once(talk: Talk, ask: Ask, watch: Watch) -> Generator[Any, Any, Run | None]:
    """Ask the model, and see to the calls of its answer; gives the Run if this ends it."""
    listening = Listening(talk)
    try:
        answered = yield from listening.to(ask(talk.request()))
    except Cancelled as by:
        return cut_short(talk, by.why)
    except VendorError as error:
        outcomes = yield from listening.collect()
        error.run = listening.broken_off(error.partial, outcomes) or talk.run("error")
        raise
    watch(answered)
    response = meant(answered.response)
    talk.answer(response, answered.losses)
    if answered.cancelled:
        outcomes = yield from listening.collect()
        return stopped(talk, answered, response, outcomes)
    calls = client_calls(response)
    unhandled = tuple(call for call in calls if not has_handler(talk.plan, call))
    talk.open = saved_step(response, ())
    if unhandled:
        return talk.run("unhandled_call", pending=unhandled)
    checkpoint = checkpoint_of(talk, response, watch)
    checkpoint.note_decoded(client_calls(answered.response))
    checkpoint.note_begun(listening.keys)
    save(talk)
    return (yield from see_to(talk, checkpoint, talk.open))


def take_up(
    talk: Talk,
    step: SavedStep,
    watch: Watch,
    state: RunState | None,
    decisions: Mapping[str, Decision],
) -> Generator[Any, Any, Run | None]:
    """Go on with an answer whose calls were not all settled."""
    checkpoint = checkpoint_of(talk, step.response, watch)
    checkpoint.restore(step.settled, state.questions if state else (), decisions)
    return (yield from see_to(talk, checkpoint, step))


def see_to(talk: Talk, checkpoint: Checkpoint, step: SavedStep) -> Generator[Any, Any, Run | None]:
    """Bring the calls of an answer to their results; gives the Run if it ends here, or waits."""
    response = step.response
    parsed = parse_output(talk.plan, response)
    cancelled = yield from checkpoint.pass_through()
    dossiers = checkpoint.dossiers
    waiting = tuple(each.question for each in dossiers if each.question is not None)
    if waiting:
        checkpoint.report_waiting()
        talk.open = step.replace(settled=saved_step(response, dossiers).settled)
        save(talk, "approval", waiting)
        return told(talk, talk.run("approval", pending=waiting))
    words = () if dossiers else words_after(talk, response, parsed)
    settled = saved_step(response, dossiers).settled
    talk.close(step.replace(settled=settled, said=words))
    told(talk, None)
    if cancelled:
        return cut_short(talk, checkpoint.why)
    if response.stop_reason in BLOCKED:
        return talk.run(response.stop_reason)
    ends = next((each for each in dossiers if each.ends is not None), None)
    if ends is not None:
        return ended_by(talk, ends)
    if not words and is_done(response, bool(dossiers), parsed):
        return talk.run(response.stop_reason, parsed.output)
    return None


def told(talk: Talk, run: Run | None) -> Run | None:
    """The run, unless the audit failed: then that is raised, now that each call has its result,
    with the run as it stands in the error's `run`."""
    if talk.trouble is None:
        return run
    talk.trouble.run = run or talk.run("error")  # type: ignore[attr-defined]
    raise talk.trouble


def ended_by(talk: Talk, dossier: Dossier) -> Run:
    """The run that ends because of one call."""
    stop = "repeated_call" if dossier.ends == "repeated_call" else "error"
    detail = "".join(str(each.get("fault", "")) for each in dossier.checks[-1:])
    return talk.run(stop, detail=detail)  # type: ignore[arg-type]


def words_after(talk: Talk, response: Response, parsed: Parsed) -> tuple[Any, ...]:
    """What the loop says to an answer without calls: what is wrong with the output, or once that
    a call could not be read."""
    if parsed.fault:
        return (said(parsed.fault),)
    told = any(said(MALFORMED) in step.said for step in talk.saved)
    if response.stop_reason == "malformed" and not parsed.done and not told:
        return (said(MALFORMED),)
    return ()


def stopped(
    talk: Talk, answered: Answered, response: Response, outcomes: Mapping[str, Outcome]
) -> Run:
    """The run whose last answer nobody waited for: its calls have their results all the same."""
    if first_of(response) is not None:
        close_early(talk, response, outcomes)
    return cut_short(talk, answered.cancelled if isinstance(answered.cancelled, str) else None)


def cut_short(talk: Talk, why: str | None) -> Run:
    """The run that ends before its end: its time is over, or somebody ended it."""
    seconds = talk.plan.limits.timeout
    over = f"the time of the run is over ({seconds} s)" if why == "timeout" else None
    return talk.run("cancelled", detail=over)


def is_done(response: Response, called: bool, parsed: Parsed) -> bool:
    """Whether an answer is the last one: no call is left, and the vendor did not just pause."""
    if parsed.done:
        return True
    return not called and not parsed.fault and response.stop_reason != "pause"


def save(talk: Talk, stop_reason: str | None = None, questions: Any = ()) -> None:
    """Hand the state to the app, if it wants it."""
    gate = talk.plan.gate
    if gate.save is None:
        return
    state = talk.state(stop_reason, questions)
    try:
        gate.save(to_json(state, key=gate.key))
    except Exception as error:
        error.run = talk.run("error")  # type: ignore[attr-defined]
        raise
    if gate.ledger is None and stop_reason is None:
        go_past(state)
