"""Going on with a run that waits: `resume` for threads, `aresume` for an event loop, and both told
as they happen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypedDict, Unpack

from toolbridge.app_tools import CancelToken
from toolbridge.checkpoint.questions import Decision
from toolbridge.checkpoint.run_state import RunState
from toolbridge.loop.drive import Setup, aran, nobody, ran
from toolbridge.loop.gate import Gate, Limits
from toolbridge.loop.live import AsyncRunStream, RunStream, atelling, telling
from toolbridge.loop.plan import Tools
from toolbridge.loop.resuming import take_up
from toolbridge.loop.state import Run
from toolbridge.model import Model

Waiting = Run | RunState | str | bytes | Mapping[str, Any]


class Again(TypedDict, total=False):
    """Options of a run that goes on. What is left out stays as it was; what is no JSON is
    forgotten by a state that was stored, and must be given again where it was given before."""

    model: str | Model
    output: Any
    data: Any
    gate: Gate
    limits: Limits
    max_steps: int
    max_parallel: int
    tool_choice: Any
    cancel: CancelToken
    watch: Callable[[Any], None]


def resume(
    run_or_state: Waiting,
    decisions: Mapping[str, Decision],
    *,
    tools: Tools,
    key: str | bytes | None = None,
    **options: Unpack[Again],
) -> Run:
    """Go on with a run that stopped for a person, was cancelled, or ended by an error.

    `run_or_state` is the Run, or what `to_json` gave of it, as text or parsed. `decisions` are
    `Approve()`, `Deny(reason)` or `Edit(arguments)` by the id of the call, or by its `call_key`
    where ids repeat; what nobody decided on goes on waiting. `tools` are those of the run. With a
    `key` the state must be signed by it. `options` are those of `run`; `model` may be another, or
    the same with a client of one's own.

    Calls that have run do not run again: each call has one result in the end. Raises StateError
    for a state that is malformed, changed, over or taken up before, ValueError for a decision
    about what does not wait, and what `run` raises.
    """
    return ran(setup_of(run_or_state, decisions, tools, key, options))


async def aresume(
    run_or_state: Waiting,
    decisions: Mapping[str, Decision],
    *,
    tools: Tools,
    key: str | bytes | None = None,
    **options: Unpack[Again],
) -> Run:
    """The same as `resume` in an event loop."""
    return await aran(setup_of(run_or_state, decisions, tools, key, options))


def resume_stream(
    run_or_state: Waiting,
    decisions: Mapping[str, Decision],
    *,
    tools: Tools,
    key: str | bytes | None = None,
    **options: Unpack[Again],
) -> RunStream:
    """The same as `resume`, told as it happens: see `stream`."""
    return telling(setup_of(run_or_state, decisions, tools, key, options))


def aresume_stream(
    run_or_state: Waiting,
    decisions: Mapping[str, Decision],
    *,
    tools: Tools,
    key: str | bytes | None = None,
    **options: Unpack[Again],
) -> AsyncRunStream:
    """The same as `aresume`, told as it happens: see `astream`."""
    return atelling(setup_of(run_or_state, decisions, tools, key, options))


def setup_of(
    run_or_state: Waiting,
    decisions: Mapping[str, Decision],
    tools: Tools,
    key: str | bytes | None,
    options: Again,
) -> Setup:
    """With what a run is taken up."""
    unknown = options.keys() - Again.__annotations__.keys()
    if unknown:
        known = ", ".join(sorted(Again.__annotations__))
        raise TypeError(f"resume has no option {min(unknown)!r}. It has {known}")
    given: dict[str, Any] = {**options, "tools": tuple(tools)}
    model, watch = given.pop("model", None), given.pop("watch", nobody)
    cancel = given.pop("cancel", None)
    if "tool_choice" in given:
        given["settings"] = {"tool_choice": given.pop("tool_choice")}
    resumed = take_up(run_or_state, decisions, key, model, given)
    return Setup(resumed.model, (), resumed.options, watch, cancel, None, resumed)
