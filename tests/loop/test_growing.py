"""A run encodes its history once: each request comes out as it would if it were written alone."""

from __future__ import annotations

import copy
import functools
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toolbridge as tb
from laws.corpus import FORMATS, recordings, requires_shared
from laws.strategies import conversations as read_conversations
from toolbridge import growing
from toolbridge.convert import Converted, write_offered
from toolbridge.growing import GrowingWriter
from toolbridge.lower.steps import lower_step
from toolbridge.offered import Offered
from toolbridge.values import Value

from .test_any_turns import TARGETS, TOOLS, played, turns

few = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

MARK = tb.Cache()
PIXEL = tb.Media(kind="image", source=tb.Source(data="aGk=", media_type="image/png"))
BLANK = tb.Text(text=" ", cache=MARK)
"""Parts that stand in several messages: which of them is their place depends on all of them."""


def said(role: Any, *parts: Any) -> tb.Message:
    return tb.Message(role=role, parts=parts)


def result(call_id: str, *parts: Any, **fields: Any) -> tb.ToolResult:
    return tb.ToolResult(call_id=call_id, parts=parts, **fields)


ITEMS = (
    said("user", tb.Text(text="그리고?")),
    said("user"),
    said("user", tb.Text(text=" ")),
    said("user", tb.Text(text="as JSON", cache=MARK), PIXEL),
    said("user", BLANK, tb.Text(text="go on")),
    said("system", tb.Text(text="Be brief.")),
    said("assistant"),
    said("assistant", tb.Text(text="잠깐 ")),
    said("assistant", tb.Reasoning(text="hm", signature=tb.Bound(value="s", format="anthropic"))),
    said("assistant", tb.Reasoning(text="hm"), tb.ToolCall(id="call_1", name="lost", arguments={})),
    said("assistant", tb.Refusal(text="no"), tb.Text(text="sorry", cache=MARK)),
    said(
        "assistant",
        tb.ToolCall(id="call_3", name="search", arguments={}, executor="vendor"),
        tb.Compaction(summary="so far"),
    ),
    said("tool", result("call_1", PIXEL, tb.Text(text="late?"))),
    said("tool", result("call_2", tb.Json(value={"a": 1.0}), is_error=True), result("c", BLANK)),
    said("tool", result("nobody", tb.Text(text="orphan")), result("")),
    said("user", tb.Text(text="before"), result("call_1", tb.Text(text="twice"))),
    tb.Opaque(format="gemini", data={"text": "?"}),
    tb.Compaction(summary="short"),
)
"""What stands in a history besides the turns of a loop; some of it begins or mends nothing."""

CHOICES = (
    None,
    tb.ToolChoice(mode="none"),
    tb.ToolChoice(mode="required"),
    tb.ToolChoice(mode="tool", tools=(tb.ToolName(name="weather"),)),
    tb.ToolChoice(mode="subset", tools=(tb.ToolName(name="fail"), tb.ToolName(name="없다"))),
    tb.Opaque(format="openai-chat", data={"type": "new"}),
)
SPECS = tuple(tool.spec for tool in TOOLS)
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"tools": SPECS},
    {"tools": SPECS, "instructions": said("system", tb.Text(text="Help.", cache=MARK))},
    {"tools": SPECS[:1], "thinking_budget": 2048, "output_limit": 4096, "cache": MARK},
    {"output": tb.OutputFormat(kind="json"), "stream": True, "temperature": 0.5},
)


def told(made: tuple[Converted, Offered]) -> tuple[Any, ...]:
    """All that there is to say of a written request, the order of its keys too. The forms of
    arguments are not equal to others alike."""
    (payload, losses, envelope), offered = made
    forms = {name: repr(vars(form)) for name, form in offered.forms.items()}
    return json.dumps(payload), losses, envelope, offered.names, [*forms], offered.custom


def check(requests: Iterable[tb.Request], target: str, model: str | None) -> None:
    """Written one after the other, each of them is what it is alone, or no request as it is."""
    writer = GrowingWriter(target, model)
    for request in requests:
        try:
            alone = write_offered(request, target, model=model, stream=request.stream)
        except tb.ToolbridgeError as error:
            with pytest.raises(type(error)) as raised:
                writer.write_offered(request)
            assert str(raised.value) == str(error)
        else:
            assert told(writer.write_offered(request)) == told(alone)


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> list[tb.Request]:
    """The requests that the writer wrote as a whole."""
    written: list[tb.Request] = []

    def counted(request: tb.Request, *args: Any, **options: Any) -> Any:
        written.append(request)
        return write_offered(request, *args, **options)

    monkeypatch.setattr(growing, "write_offered", counted)
    return written


@pytest.mark.parametrize("target", TARGETS)
@few
@given(st.lists(turns(), min_size=1, max_size=6))
def test_a_run_is_written_as_its_requests_are(target: str, turned: list[Any]) -> None:
    whole = played(turned)
    final = whole.requests[0].replace(history=whole.run.messages)
    check((*whole.requests, final), target, TARGETS[target])


@st.composite
def grown(draw: Any) -> list[tb.Request]:
    """Requests of one conversation, of any messages in any order, each longer than the one
    before by some; now and then one that is not."""
    run = played(draw(st.lists(turns(), max_size=4)) or [("gemini", draw(turns("gemini"))[1])]).run
    history: list[Any] = [*run.messages]
    for item in draw(st.lists(st.sampled_from(ITEMS), max_size=6)):
        own = item if draw(st.sampled_from([True, False, False, False])) else copy.deepcopy(item)
        history.insert(draw(st.integers(0, len(history))), own)
    base = tb.Request(**draw(st.sampled_from(SETTINGS)))
    ends = sorted({*draw(st.lists(st.integers(0, len(history)), max_size=8)), len(history)})
    made = []
    for end in ends:
        request = base.replace(history=tuple(history[:end]))
        if draw(st.booleans()):
            changes = {"tool_choice": draw(st.sampled_from(CHOICES))}
            request = request.replace(**changes, parallel_tool_calls=draw(st.booleans()))
        made.append(request)
    edited = draw(st.sampled_from(["", "again", "history", "tools"]))
    if edited == "again":
        made = [*made, *made]
    elif edited == "history" and history:
        at = draw(st.integers(0, len(history) - 1))
        made.append(base.replace(history=(*history[:at], ITEMS[0], *history[at + 1 :], ITEMS[4])))
    elif edited == "tools":
        made.append(made[-1].replace(tools=SPECS[1:]))
    return made


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("named", [True, False], ids=["model", "no model"])
@few
@given(requests=grown())
def test_any_history_is_written_as_it_is_alone(
    target: str, named: bool, requests: list[tb.Request]
) -> None:
    check(requests, target, TARGETS[target] if named else None)


def prefixes(request: tb.Request) -> Iterator[tb.Request]:
    """A request message by message, made by an app of what a vendor's body says."""
    made = request.replace(spelling=None, profile=None, extra=None, state=None)
    for count in range(1, len(request.history) + 1):
        yield made.replace(history=request.history[:count])


@pytest.mark.parametrize("target", TARGETS)
@few
@given(read_conversations(), st.sampled_from(FORMATS))
def test_what_was_read_is_written_as_it_is_alone(target: str, body: Any, source: str) -> None:
    given = tb.convert(body, source="openai-chat", target=source, model=TARGETS[source]).payload
    check(prefixes(tb.read(given, source)), target, TARGETS[target])


@functools.cache
def recorded() -> tuple[tb.Request, ...]:
    """The conversations of the corpus that have more than one message."""
    requests = [
        tb.read(each.request, each.format) for each in recordings() if each.request is not None
    ]
    return tuple(request for request in requests if len(request.history) > 1)


@pytest.mark.parametrize("target", TARGETS)
@requires_shared
def test_recorded_conversations_are_written_as_they_are_alone(target: str) -> None:
    assert len(recorded()) > 150
    for request in recorded():
        check(prefixes(request), target, TARGETS[target])


def run_of(steps: int) -> list[tb.Request]:
    """The requests of a run of so many steps, each with one call."""
    history = [said("user", tb.Text(text="hi"))]
    base = tb.Request(tools=SPECS)
    made = [base.replace(history=tuple(history))]
    for step in range(steps):
        call = tb.ToolCall(id=f"call.{step}", name="weather", arguments={"city": "서울"})
        history.append(said("assistant", tb.Text(text=f"{step}"), call))
        history.append(said("tool", result(call.id, PIXEL.replace(name=f"{step}.png"))))
        choice = tb.ToolChoice(mode="auto" if step % 2 else "required")
        made.append(base.replace(history=tuple(history), tool_choice=choice))
    return made


@pytest.mark.parametrize("target", TARGETS)
def test_a_step_is_lowered_once(
    target: str, monkeypatch: pytest.MonkeyPatch, whole: list[tb.Request]
) -> None:
    """The first alone is lowered again: what comes after it stays with it."""
    lowered: list[Any] = []

    def counted(lowering: Any, entry: Any, *others: Any) -> Any:
        lowered.append(entry)
        return lower_step(lowering, entry, *others)

    monkeypatch.setattr("toolbridge.lower.history.lower_step", counted)
    writer = GrowingWriter(target, TARGETS[target])
    for request in run_of(20):
        writer.write_offered(request)
    assert len(lowered) == len(set(map(id, lowered))) == 20
    assert whole == []


@pytest.mark.parametrize("target", TARGETS)
def test_the_payloads_of_a_run_share_the_objects_of_the_history(target: str) -> None:
    """What is new in each is written; the rest is there already."""
    writer = GrowingWriter(target, TARGETS[target])
    key = {"gemini": "contents", "openai-responses": "input"}.get(target, "messages")
    lists = [writer.write_offered(request)[0].payload[key] for request in run_of(5)][1:]
    for before, after in itertools.pairwise(lists):
        assert all(one is other for one, other in zip(before, after, strict=False))
        assert len(before) < len(after)


def test_the_losses_of_earlier_messages_are_the_same_objects() -> None:
    """They are told with each request, and found once."""
    writer = GrowingWriter("anthropic", "claude-sonnet-4-6")
    told = [writer.write_offered(request)[0].losses for request in run_of(5)]
    renamed = [[each for each in losses if each.code == "id.renamed"] for losses in told]
    assert [len(each) for each in renamed] == [0, 2, 4, 6, 8, 10]
    assert {*map(id, renamed[-2])} < {*map(id, renamed[-1])}


def steps_after(history: Iterable[Value], *steps: tuple[Value, ...]) -> list[tb.Request]:
    """Requests of a history, and after each of more steps."""
    base, whole = tb.Request(tools=SPECS), tuple(history)
    made = [base.replace(history=whole)]
    for step in steps:
        whole = (*whole, *step)
        made.append(base.replace(history=whole))
    return made


def step(call_id: str, name: str = "weather", *parts: Any) -> tuple[tb.Message, tb.Message]:
    """A call and its result."""
    call = tb.ToolCall(id=call_id, name=name, arguments={})
    parts = parts or (tb.Text(text="맑음"),)
    return said("assistant", call), said("tool", result(call_id, *parts))


STEPS = tuple(step(f"call_{number}") for number in range(4))


def test_an_input_that_is_a_string_is_a_message_from_the_first_step_on(
    whole: list[tb.Request],
) -> None:
    """By itself it is written as the string that it was; after that it is kept as a message."""
    target = "openai-responses"
    requests = steps_after(tb.read({"input": "hi"}, target).history, *STEPS)
    check(requests, target, "gpt-5")
    assert whole == requests[:1]


def test_more_cache_marks_than_the_target_takes_go_from_the_oldest_messages() -> None:
    """Anthropic takes four: with the fifth, a message that is settled changes."""
    marked = tb.Text(text="ok", cache=MARK)
    steps = [step(f"call_{number}", "weather", copy.deepcopy(marked)) for number in range(7)]
    check(steps_after([ITEMS[0]], *steps), "anthropic", "claude-sonnet-4-6")


def test_a_name_in_the_choice_comes_before_those_of_the_history() -> None:
    """The model called a tool by just the word that the choice's tool is written under."""
    choice = tb.ToolChoice(mode="tool", tools=(tb.ToolName(name="없는 것"),))
    before, *after = steps_after([ITEMS[0]], *STEPS)
    chosen = tb.write(before.replace(tool_choice=choice), "anthropic", model="m")
    word = chosen.payload["tool_choice"]["name"]
    before, *after = steps_after([ITEMS[0]], step("call_a", word), *STEPS)
    check([before, after[0], after[1].replace(tool_choice=choice), after[2]], "anthropic", "m")


def test_a_message_that_is_equal_but_spelled_otherwise_is_written_again() -> None:
    """The same meaning in another order of keys is another payload."""
    first, second = ({"role": "user", "content": "hi"}, {"content": "hi", "role": "user"})
    one, other = (tb.read({"messages": [each]}, "openai-chat").history for each in (first, second))
    assert one == other
    requests = [*steps_after(one, *STEPS[1:]), steps_after(other, *STEPS[1:], STEPS[0])[-1]]
    check(requests, "openai-chat:mistral", "mistral-large-latest")


def test_a_call_that_the_vendor_ran_may_have_the_id_of_another() -> None:
    """Gemini names results by their call: without an id where that has none."""
    code = {"executableCode": {"language": "PYTHON", "code": "1"}}
    ran = tb.read({"contents": [{"role": "model", "parts": [code]}]}, "gemini").history
    (call,) = ran[0].parts
    steps = (*STEPS[:2], (*ran, ITEMS[0]), step(call.id), STEPS[2])
    check(steps_after([ITEMS[0]], *steps), "gemini", "gemini-3-pro")


def test_ids_in_the_system_text_come_after_those_of_the_history() -> None:
    """It is lowered with each request, and gives back what it took."""
    system = said("system", tb.Text(text="so:"), tb.ToolCall(id="call_1", name="a b", arguments={}))
    requests = steps_after([ITEMS[0]], *STEPS)
    for target in ("anthropic", "openai-chat"):
        check([each.replace(instructions=system) for each in requests], target, "m")


def test_a_format_that_read_the_request_gets_it_back_as_it_was(whole: list[tb.Request]) -> None:
    """Nobody knows which pieces its spelling has: it is written as a whole."""
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    request = tb.read(body, "openai-chat")
    written, _ = GrowingWriter("openai-chat").write_offered(request)
    assert written.payload == body
    assert whole == [request]
