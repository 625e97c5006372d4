"""Whatever a model asks for, a person decides and a process survives: one result per call, nothing
irreversible without approval, nothing twice that must not run twice."""

from __future__ import annotations

import collections
from functools import partial
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toolbridge as tb
from acceptable.verdict import request_findings
from toolbridge.checkpoint.ledger import MemoryLedger
from toolbridge.loop.talk import client_calls

from .answers import FORMATS, MODELS, Answer, Called
from .puppet import Death, Turn, World

many = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

RAN: collections.Counter[tuple[str, str]] = collections.Counter()
"""How often each tool did its work, by name and call key."""


def did(context: tb.Context) -> str:
    RAN[context.call_id, context.call_key] += 1
    return context.call_key


def did_for_good(context: tb.Context) -> None:
    """What raises in a tool ends no test: what was wrong is noted."""
    key = did(context)
    NOT_TWICE.add(key)
    if key not in APPROVED:
        UNASKED.add(key)


@tb.tool(effect="read")
def find(city: str, context: tb.Context) -> dict[str, Any]:
    """Finds a city."""
    did(context)
    return {"city_id": len(city), "name": city}


@tb.tool(effect="write")
def note(text: str, context: tb.Context) -> str:
    """Changes something."""
    NOT_TWICE.add(did(context))
    return "noted"


@tb.tool(effect="write", idempotent=True)
def put(text: str, context: tb.Context) -> str:
    """May run twice."""
    did(context)
    return "put"


@tb.tool(effect="irreversible")
def pay(city_id: Annotated[int, tb.From("find.city_id")], context: tb.Context) -> str:
    """Cannot be undone."""
    did_for_good(context)
    return "paid"


@tb.tool(effect="irreversible", checks=[lambda text: text != "x" or "not x"])
def send(text: str, context: tb.Context) -> str:
    """Cannot be undone, and fails after it has been done."""
    did_for_good(context)
    raise tb.ToolError("the line broke")


@tb.tool
def silent(text: str = "") -> Any:
    """Says nothing of itself, and gives what JSON cannot say."""
    return object()


@tb.tool(effect="read", repeatable=True)
def poll(context: tb.Context) -> str:
    """May be called for ever."""
    did(context)
    return "not yet"


NOT_TWICE: set[str] = set()
APPROVED: set[str] = set()
UNASKED: set[str] = set()
"""Call keys: of what must not run twice, what a person approved, what ran without that."""


def begin_anew() -> None:
    for each in (RAN, NOT_TWICE, APPROVED, UNASKED):
        each.clear()


def check_what_ran() -> None:
    """Nothing irreversible ran without approval, and nothing twice that must not."""
    assert set() == UNASKED
    assert all(times == 1 for (_, key), times in RAN.items() if key in NOT_TWICE)


TOOLS = (find, note, put, pay, send, silent, poll)
NAMES = (*(tool.name for tool in TOOLS), "pay", "send", "note", "nobody")
ARGUMENTS: tuple[Any, ...] = (
    {"city": "서울"},
    {"text": "a"},
    {"text": "x"},
    {"city_id": 2},
    {"city_id": "2"},
    {"city_id": 9},
    {},
    '{"text": "a',
    '"{\\"text\\": \\"a\\"}"',
)
called = st.builds(
    Called,
    name=st.sampled_from(NAMES),
    arguments=st.sampled_from(ARGUMENTS),
    id=st.sampled_from(("c1", "c1", "c2", "", None)),
)
STOPS = (None, None, None, "max_tokens", "refusal", "pause_turn", "new_word")


@st.composite
def turns(draw: Any) -> Turn:
    format = draw(st.sampled_from(FORMATS))
    stop = draw(st.sampled_from(STOPS)) if format == "anthropic" else None
    return format, Answer(None, tuple(draw(st.lists(called, max_size=3))), stop)


CONVERSATION: tuple[Turn, ...] = (
    ("anthropic", Answer(None, (Called("find", {"city": "서울"}, "c1"),))),
    (
        "gemini",
        Answer(
            None,
            (
                Called("pay", {"city_id": 2}, "c2"),
                Called("note", {"text": "a"}, "c3"),
                Called("send", {"text": "b"}, "c4"),
            ),
        ),
    ),
)
"""What random turns seldom are: a chain that ends in payments."""

conversations = st.one_of(
    st.lists(turns(), min_size=1, max_size=5),
    st.lists(turns(), max_size=2).map(lambda more: [*CONVERSATION, *more]),
)


class Mortal(MemoryLedger):
    """A ledger in whose hands the process dies, before or after it has written."""

    def __init__(self, dies_at: int | None, written: bool) -> None:
        super().__init__()
        self.dies_at, self.written = dies_at, written

    def record(self, call_key: str, result: tb.ToolResult) -> None:
        if self.dies_at is not None:
            self.dies_at -= 1
            if self.dies_at < 0:
                self.dies_at = None
                if self.written:
                    super().record(call_key, result)
                raise Death
        super().record(call_key, result)


def decided(draw: Any, questions: tuple[Any, ...]) -> dict[str, Any]:
    """What a person says to some of the questions, at least one."""
    decisions: dict[str, Any] = {}
    for number, question in enumerate(questions):
        edit = tb.Edit(draw(st.sampled_from(({"text": "z"}, {"city_id": 2}, {"text": "x"}, {}))))
        chosen = draw(st.sampled_from((tb.Approve(), tb.Deny("no"), edit, None)))
        if chosen is None and number:
            continue
        decisions[question.call_key] = chosen or tb.Deny()
        if not isinstance(chosen, tb.Deny | None):
            APPROVED.add(question.call_key)
    return decisions


def survived(world: World, go: Any) -> tb.Run:
    """What comes of a run whose process may die: a new one takes up what was saved last."""
    try:
        return go()  # type: ignore[no-any-return]
    except Death:
        return world.resume(world.saved[-1])


def check_steps(run: tb.Run) -> None:
    """Each call of each step that is over has exactly one result, in its place."""
    *over, last = run.steps or (None,)
    complete = [*over, last] if run.stop_reason not in ("approval", "unhandled_call") else over
    for step in complete:
        if step is not None:
            calls = client_calls(step.response)
            assert [each.call_id for each in step.results] == [call.id for call in calls]


@many
@given(st.data())
def test_one_result_nothing_unasked_and_nothing_twice(data: Any) -> None:
    begin_anew()
    draw = data.draw
    ledger = Mortal(draw(st.none() | st.integers(0, 4)), draw(st.booleans()))
    cancel_at = draw(st.none() | st.integers(1, 3))
    world = World(draw(conversations), TOOLS, ledger, cancel_at=cancel_at)
    run = survived(world, world.begin)
    for _ in range(12):
        check_steps(run)
        if run.stop_reason != "approval":
            break
        assert run.pending
        decisions = decided(draw, run.pending)
        source: Any = run if draw(st.booleans()) else tb.to_json(run)
        if draw(st.booleans()):
            survived(world, partial(world.resume, source, decisions))
        run = survived(world, partial(world.resume, source, decisions))
    check_what_ran()
    for target in FORMATS:
        for request in (*world.requests, world.requests[0].replace(history=run.messages)):
            written = tb.write(request, target, model=MODELS[target]).payload
            assert request_findings(written, target, model=MODELS[target]) == []


@many
@given(st.data())
def test_a_run_that_was_saved_and_loaded_ends_the_same(data: Any) -> None:
    said = data.draw(conversations)
    ends = []
    answers = data.draw(
        st.lists(st.sampled_from((tb.Approve(), tb.Deny("no"), tb.Edit({"text": "z"}))), min_size=9)
    )
    for saved in (False, True):
        begin_anew()
        world = World(said, TOOLS, None, {"run_id": "the same"})
        run = world.begin()
        left = list(answers)
        while run.stop_reason == "approval" and left:
            (question, *_) = run.pending
            APPROVED.add(question.call_key)  # type: ignore[union-attr]
            decisions = {question.call_key: left.pop(0)}  # type: ignore[union-attr]
            state: Any = tb.from_json(tb.to_json(run)) if saved else run
            run = world.resume(state, decisions)
        ends.append(run)
        check_what_ran()
    here, there = ends
    assert here == there
    assert tb.to_json(here) == tb.to_json(there)


@pytest.mark.parametrize("format", FORMATS)
def test_the_chain_that_ends_in_payments_waits_for_both(format: str) -> None:
    """That the conversation above does what the tests above need it for."""
    begin_anew()
    world = World([(format, answer) for _, answer in CONVERSATION], TOOLS)
    run = world.begin()
    assert run.stop_reason == "approval"
    assert [question.name for question in run.pending] == ["pay", "send"]
    assert [result.call_id for result in run.steps[1].results] == ["c3"]


def test_of_two_decisions_about_one_call_the_first_counts() -> None:
    """The process dies after the payment; whoever denies it then cannot undo it, and the model is
    not told that it was not made. The other way round an approval comes too late."""
    for first, second, paid in ((tb.Approve(), tb.Deny("no"), 1), (tb.Deny("no"), tb.Approve(), 0)):
        begin_anew()
        world = World(CONVERSATION, TOOLS, MemoryLedger())
        stored = tb.to_json(world.begin())
        question, other = world.resume(stored).pending
        assert isinstance(question, tb.Question) and isinstance(other, tb.Question)
        APPROVED.add(question.call_key)
        runs = [world.resume(stored, {"c2": each, "c4": tb.Deny("no")}) for each in (first, second)]
        results = [run.steps[1].results[0] for run in runs]
        assert results[0] == results[1]
        assert sum(key == question.call_key for _, key in RAN) == paid
