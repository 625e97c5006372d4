"""Taking up a run that was put down: its state checked, its options found again, its decisions
matched with its questions."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from toolbridge.checkpoint.misfit import misfit
from toolbridge.checkpoint.questions import Decision, Decisions, keyed
from toolbridge.checkpoint.run_state import VERSION, RunState, SavedStep
from toolbridge.errors import StateError, ToolbridgeError
from toolbridge.identifiers import digest
from toolbridge.loop.examine import key_of
from toolbridge.loop.gate import OPEN, Gate, Limits
from toolbridge.loop.plan import KEPT, Options, make_plan
from toolbridge.loop.state import Plan, Run
from toolbridge.loop.talk import client_calls
from toolbridge.model import Model, as_model
from toolbridge.storage import canonical, encode, is_signed, loaded, value_of

TAKEN_UP: Final[set[str]] = set()
LOCK: Final = threading.Lock()
"""The states that this process has taken up: without a ledger, none is taken up twice."""

WAITING: Final = frozenset({"approval", "cancelled", "error", None})
"""Why a run stands still that can go on; None: it was saved on its way."""


class Resumed(NamedTuple):
    """A run that goes on: its model, options and state, and the decisions by call key."""

    model: Model
    options: Options
    state: RunState
    decisions: Mapping[str, Decision]

    @property
    def waits(self) -> bool:
        """Whether it waits for a person who has said nothing yet."""
        answered = self.decisions or self.options.gate.approve is not None
        return bool(self.state.questions) and not answered

    def plan(self) -> Plan:
        """The plan: settings and history are those of the state, the tools those given now."""
        made = make_plan(self.model, (), self.options)
        changes: dict[str, Any] = {}
        if made.request.tools is not None:
            changes["tools"] = made.request.tools
        request = self.state.request.replace(**changes)
        return dataclasses.replace(made, request=request, run_id=self.state.run_id)


def take_up(
    run_or_state: Any,
    decisions: Decisions,
    key: str | bytes | None,
    model: str | Model | None,
    given: dict[str, Any],
) -> Resumed:
    """Find what a run needs to go on. `given` are options; None stands for what it had.

    Raises StateError, and ValueError for decisions about what was not asked.
    """
    told = {name: each for name, each in given.items() if each is not None}
    key = key or getattr(told.get("gate"), "key", None)
    state = state_of(run_or_state, key)
    check(state)
    begun = run_or_state.begun if isinstance(run_or_state, Run) else None
    if begun is not None:
        if "gate" in told:
            told["gate"] = joined(begun.options.gate, told["gate"])
        options = dataclasses.replace(begun.options, **told)
    else:
        check_needs(state, told if model is None else {**told, "model": model})
        options = options_of(state, told)
    if key is not None:
        options = dataclasses.replace(options, gate=dataclasses.replace(options.gate, key=key))
    chosen = model or (begun.model if begun is not None else state.model)
    return Resumed(as_model(chosen), options, state, keyed(decisions, state.questions))


def joined(before: Gate, given: Gate) -> Gate:
    """A gate with what it leaves open as it was: nobody loses a policy by adding an audit."""
    fields = (field.name for field in dataclasses.fields(Gate))
    left = {name: getattr(before, name) for name in fields if is_usual(given, name)}
    return dataclasses.replace(given, **left)


def is_usual(gate: Gate, name: str) -> bool:
    """Whether a field of a gate says nothing."""
    return bool(getattr(gate, name) == getattr(OPEN, name))


def state_of(given: Any, key: str | bytes | None) -> RunState:
    """The state of a Run, of what `to_json` gave, or itself."""
    if isinstance(given, Run):
        given = given.state
    if isinstance(given, Mapping):
        given = json.dumps(dict(given))
    if isinstance(given, (str, bytes)):
        try:
            data = loaded(given)
            read: Any = value_of(data, key)
            if key is None and is_signed(data):
                raise StateError("the state is signed: pass the key that it was signed with")
        except StateError:
            raise
        except (ToolbridgeError, TypeError, ValueError) as error:
            raise StateError(f"this is no state of a run: {error}") from error
        given = read
    if not isinstance(given, RunState):
        raise StateError(
            f"a Run, or the text of to_json(run), is wanted, not {type(given).__name__}"
        )
    return given


def check(state: RunState) -> None:
    """Raise StateError for a state that does not hold together, or that cannot go on."""
    wrong = misfit(state)
    if wrong is not None:
        raise StateError(f"the state is malformed: {wrong}")
    if state.version != VERSION:
        raise StateError(f"the state is of version {state.version}, this is {VERSION}: upgrade")
    if state.stop_reason not in WAITING:
        raise StateError(
            f"the run is over ({state.stop_reason}): pass it to tb.run(model, [*run.messages, ...])"
        )
    try:
        for step in state.steps:
            check_step(step, is_open=False)
        if state.open is not None:
            check_step(state.open, is_open=True)
        check_questions(state)
    except (AttributeError, TypeError, IndexError) as error:
        raise StateError(f"the state is malformed: {error}") from error


def check_step(step: SavedStep, is_open: bool) -> None:
    """Raise StateError unless each call has one result, or none yet in an open step."""
    calls = client_calls(step.response)
    places = [each.place for each in step.settled]
    wanted = set(range(len(calls)))
    fits = set(places) <= wanted if is_open else places == sorted(wanted)
    if not fits or len(set(places)) != len(places):
        raise StateError("the state is malformed: calls and results of a step do not match")
    for each in step.settled:
        if each.result.call_id != calls[each.place].id:
            raise StateError("the state is malformed: a result is not that of its call")


def check_questions(state: RunState) -> None:
    """Raise StateError unless what is asked about are open calls, as the model wrote them."""
    if not state.questions:
        return
    if state.open is None:
        raise StateError("the state is malformed: it asks about calls that there are not")
    if len({question.call_key for question in state.questions}) < len(state.questions):
        raise StateError("the state is malformed: it asks about one call twice")
    calls = client_calls(state.open.response)
    settled = {each.place for each in state.open.settled}
    number = len(state.steps) + 1
    open_keys = {
        key_of(state.run_id, number, place, call): call
        for place, call in enumerate(calls)
        if place not in settled
    }
    for question in state.questions:
        if open_keys.get(question.call_key) != question.call:
            raise StateError("the state is malformed: a question is not about a call that is open")


def check_needs(state: RunState, given: dict[str, Any]) -> None:
    """Raise StateError where what a state cannot hold was not given again."""
    missing = [name for name in state.needs if not was_given(name, given)]
    if missing:
        raise StateError(
            f"the run was begun with options that are not stored: {', '.join(missing)}. "
            "Pass them to resume"
        )


def options_of(state: RunState, given: dict[str, Any]) -> Options:
    """The options of a state, with those given now in their place."""
    unknown = state.options.keys() - {*KEPT, "limits"}
    if unknown:
        raise StateError(f"the state is malformed: nobody knows its option {min(unknown)!r}")
    kept = {name: state.options[name] for name in KEPT if name in state.options}
    try:
        limits = Limits(**state.options.get("limits", {}))
        fields: dict[str, Any] = {"limits": limits, **kept, "run_id": state.run_id, **given}
        return Options(**fields)
    except (TypeError, ValueError) as error:
        raise StateError(f"the state is malformed: its options: {error}") from error


def was_given(name: str, given: dict[str, Any]) -> bool:
    """Whether an option, or one of the gate's, was given again."""
    outer, _, inner = name.partition(".")
    if not inner:
        return outer in given or outer in given.get("settings", {})
    gate: Gate | None = given.get(outer)
    return gate is not None and not is_usual(gate, inner)


def claim(resumed: Resumed) -> None:
    """Raise StateError where this process took up the state before, and no ledger keeps its calls
    from running twice."""
    if resumed.options.gate.ledger is not None or resumed.waits:
        return
    name = name_of(resumed.state)
    with LOCK:
        if name in TAKEN_UP:
            raise StateError(
                "this state was taken up before: its calls may have run. Use the newer state, or a "
                "ledger (tb.SQLiteLedger) that keeps calls from running twice"
            )
        TAKEN_UP.add(name)


def go_past(state: RunState) -> None:
    """Note that a run went on from a state that it saved: nobody else may."""
    with LOCK:
        TAKEN_UP.add(name_of(state))


def put_down(run: Run | None) -> None:
    """Note that a run that was taken up stands still again: from where it stands it may go on,
    also where it came no further."""
    if run is not None and run.state is not None:
        with LOCK:
            TAKEN_UP.discard(name_of(run.state))


def name_of(state: RunState) -> str:
    """What tells one state from all others, whatever the order of its keys."""
    return digest(canonical(encode(state)).decode(), 22)
