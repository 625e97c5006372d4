"""The drivers of the loop: `run` for threads, `arun` for an event loop. No logic of their own."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import time
from collections.abc import AsyncGenerator, Generator
from functools import partial
from typing import Any, NamedTuple

from toolbridge.app_tools import CancelToken
from toolbridge.growing import GrowingWriter
from toolbridge.loop.async_crew import AsyncCrew
from toolbridge.loop.async_hands import AsyncHands, aconduct
from toolbridge.loop.at_most_once import check_sync
from toolbridge.loop.conversation import conversation
from toolbridge.loop.crew import Crew
from toolbridge.loop.exchange import exchange
from toolbridge.loop.gate import OPEN, USUAL, Gate, Limits
from toolbridge.loop.hands import Hands, Steps, conduct, end_early
from toolbridge.loop.plan import Messages, Options, Tools, make_plan
from toolbridge.loop.recording import late_reporter
from toolbridge.loop.resuming import Resumed, claim, put_down
from toolbridge.loop.state import Plan, Run
from toolbridge.loop.work import Watch, Workplace
from toolbridge.model import Model, as_model
from toolbridge.request import Message


def nobody(event: Any) -> None:
    """Nobody watches."""


def run(
    model: str | Model,
    messages: Messages,
    *,
    tools: Tools = (),
    system: str | Message | None = None,
    output: Any = None,
    data: Any = None,
    max_steps: int = 20,
    max_parallel: int = 8,
    gate: Gate = OPEN,
    limits: Limits = USUAL,
    run_id: str | None = None,
    cancel: CancelToken | None = None,
    watch: Watch = nobody,
    format: str | None = None,
    **settings: Any,
) -> Run:
    """Ask a model, run the calls of its answer, hand back the results, until no call is left.

    `model` is `<format>/<model id>` or a Model. `messages` is text, a list of text, canonical
    messages and vendors' dicts (with `format`), or a Run to go on with. `tools` are functions,
    Tools, or specs without a function: a call of those ends the run as `unhandled_call`.
    `output` is a type for the last answer: a pydantic model, a dataclass, anything pydantic
    takes. `data` reaches the tools in their Context. `max_steps` counts answers of the model,
    `max_parallel` the calls of a step that run at a time, each in a thread. `gate` says what runs
    unasked, `limits` how far the run may go, `run_id` names it. `watch` gets Answered, Progress
    and Finished events as they come, from any thread. `settings` are fields of Request, such as
    output_limit; `tool_choice` may be a list, one a step.

    Blocks until the end, or until a person is to be asked (`resume`); in a running event loop use
    `arun`. Raises VendorError, MissingKeyError, MissingSDKError, ToolDefinitionError. A tool that
    fails raises nothing: the model is told.
    """
    basic = (tools, system, output, max_steps, max_parallel, format, settings, data)
    options = Options(*basic, gate, limits, run_id)
    return ran(Setup(as_model(model), messages, options, watch, cancel))


async def arun(
    model: str | Model,
    messages: Messages,
    *,
    tools: Tools = (),
    system: str | Message | None = None,
    output: Any = None,
    data: Any = None,
    max_steps: int = 20,
    max_parallel: int = 8,
    gate: Gate = OPEN,
    limits: Limits = USUAL,
    run_id: str | None = None,
    cancel: CancelToken | None = None,
    watch: Watch = nobody,
    format: str | None = None,
    **settings: Any,
) -> Run:
    """The same as `run` in an event loop: async tools run in it, the others in threads."""
    basic = (tools, system, output, max_steps, max_parallel, format, settings, data)
    options = Options(*basic, gate, limits, run_id)
    return await aran(Setup(as_model(model), messages, options, watch, cancel))


class Setup(NamedTuple):
    """With what a run is opened."""

    model: Model
    messages: Messages
    options: Options
    watch: Watch = nobody
    cancel: CancelToken | None = None
    told: queue.SimpleQueue[Any] | None = None
    resumed: Resumed | None = None

    @property
    def watched(self) -> bool:
        """Whether the run may have to end while a vendor is waited for."""
        return self.cancel is not None or self.options.limits.timeout is not None


def ran(setup: Setup) -> Run:
    """The Run of a setup."""
    with opened(setup, exchange) as (steps, hands):
        try:
            for _ in conduct(steps, hands):
                pass
        except Exception as error:
            hands.crew.stop()
            keep(error, end_early(steps, hands.crew))
            raise
    assert hands.run is not None
    return hands.run


async def aran(setup: Setup) -> Run:
    """The same in an event loop."""
    async with (
        aopened(setup, exchange) as (steps, hands),
        contextlib.aclosing(aconduct(steps, hands)) as events,
    ):
        try:
            async for _ in events:
                pass
        except Exception as error:
            await hands.crew.stop()
            keep(error, end_early(steps, hands.crew))
            raise
    assert hands.run is not None
    return hands.run


def keep(error: Exception, run: Run | None) -> None:
    """Let an error of the app's carry the run that it ended, as a vendor's does: each call has
    its result, and `resume` goes on from there."""
    if run is not None and getattr(error, "run", None) is None:
        with contextlib.suppress(AttributeError, TypeError):
            error.run = run  # type: ignore[attr-defined]


def workplace(setup: Setup, plan: Plan, now: float) -> Workplace:
    """What the calls of a run share; `now` is the time by the clock of its deadline."""
    options = setup.options
    limits = options.limits
    return Workplace(
        data=options.data,
        watch=setup.watch,
        cancel=setup.cancel or CancelToken(),
        ledger=options.gate.ledger,
        max_parallel=options.max_parallel,
        timeout=limits.tool_timeout,
        deadline=None if limits.timeout is None else now + limits.timeout,
        late=late_reporter(plan),
    )


def plan_of(setup: Setup) -> Plan:
    """The plan of a run, new or taken up."""
    if setup.resumed is not None:
        return setup.resumed.plan()
    return make_plan(setup.model, setup.messages, setup.options)


def steps_of(setup: Setup, plan: Plan, place: Workplace, ask: Any) -> Steps:
    """The conversation of a run. A state that is taken up is claimed here, once all else holds."""
    writer = GrowingWriter(setup.model.format, setup.model.id)
    asking = partial(ask, setup.model, random=place.random, writer=writer)
    if setup.resumed is None:
        return conversation(plan, asking, place.watch)
    claim(setup.resumed)
    return conversation(plan, asking, place.watch, setup.resumed.state, setup.resumed.decisions)


def stand_still(setup: Setup, run: Any) -> None:
    """Let a run that was taken up be taken up again from where it stands now."""
    if setup.resumed is not None and isinstance(run, Run):
        put_down(run)


@contextlib.contextmanager
def opened(setup: Setup, ask: Any) -> Generator[tuple[Steps, Hands]]:
    """A conversation and what carries it out. Whatever ends it early tells the tools still at
    work."""
    check_sync(setup.options.gate.ledger)
    plan = plan_of(setup)
    place = workplace(setup, plan, time.monotonic())
    transport = setup.model.open(asynchronous=False)
    crew = Crew(place)
    told = setup.told or queue.SimpleQueue()
    hands = Hands(transport, place, crew, told, setup.watched)
    try:
        yield steps_of(setup, plan, place, ask), hands
    except BaseException as error:
        place.cancel.cancel()
        stand_still(setup, getattr(error, "run", None))
        raise
    finally:
        stand_still(setup, hands.run)
        crew.close()
        hands.close()
        transport.close()


@contextlib.asynccontextmanager
async def aopened(setup: Setup, ask: Any) -> AsyncGenerator[tuple[Steps, AsyncHands]]:
    """The same in an event loop."""
    plan = plan_of(setup)
    place = workplace(setup, plan, asyncio.get_running_loop().time())
    transport = setup.model.open(asynchronous=True)
    crew = AsyncCrew(place)
    hands = AsyncHands(transport, place, crew, setup.told or queue.SimpleQueue())
    try:
        yield steps_of(setup, plan, place, ask), hands
    except BaseException as error:
        place.cancel.cancel()
        stand_still(setup, getattr(error, "run", None))
        raise
    finally:
        stand_still(setup, hands.run)
        await crew.close()
        await hands.close()
        await transport.aclose()
