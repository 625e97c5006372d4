"""A run that waits, as JSON: complete, signed, and refused where it does not hold together."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

import toolbridge as tb
from toolbridge.checkpoint import policies

from .answers import FORMATS, Called, calling, said
from .servers import Server

KEY = "a key of the app's"
DONE: list[int] = []


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    DONE.clear()


@tb.tool(effect="read", untrusted_output=False)
def look(place: str) -> str:
    """Looks."""
    return f"seen {place}"


@tb.tool(effect="irreversible")
def pay(amount: int) -> str:
    """Pays."""
    DONE.append(amount)
    return f"paid {amount}"


TOOLS = (look, pay)
YES = {"p1": tb.Approve()}
TURNS = (
    calling(Called("look", {"place": "서울"}, "l0", signed=True)),
    calling(Called("look", {"place": "here"}, "l1"), Called("pay", {"amount": 5}, "p1")),
    said("끝"),
)


def waiting(format: str = "anthropic", **options: Any) -> tuple[tb.Run, tb.Model]:
    """A run that waits for a decision, and the model that answers after it."""
    model = Server(format, TURNS).model()
    run = tb.run(model, "hi", tools=TOOLS, **options)
    assert run.stop_reason == "approval"
    return run, model


def going_on(state: Any, model: tb.Model | None = None, **options: Any) -> tb.Run:
    """The run, taken up where nobody remembers it; `model` stands at its last answer."""
    last = model or Server("anthropic", TURNS[-1:], first_turn=2).model()
    return tb.resume(state, YES, tools=TOOLS, model=last, **options)


def stored(**options: Any) -> dict[str, Any]:
    """The text of the state, parsed."""
    given: dict[str, Any] = json.loads(tb.to_json(waiting()[0], **options))
    return given


# there and back


@pytest.mark.parametrize("format", FORMATS)
def test_a_state_that_was_stored_ends_as_the_run_would_have(format: str) -> None:
    run, _ = waiting(format, gate=tb.Gate(ledger=tb.MemoryLedger()))
    text = tb.to_json(run)
    assert tb.from_json(text) == run.state
    assert tb.to_json(tb.from_json(text)) == text
    here = tb.resume(run, YES, tools=TOOLS)
    model = Server(format, TURNS[-1:], first_turn=2).model()
    there = going_on(text, model, gate=tb.Gate(ledger=tb.MemoryLedger()))
    assert there == here
    assert tb.to_json(there) == tb.to_json(here)
    assert (here.text, DONE) == ("끝", [5, 5]), "the other ledger knows nothing of it"


FORMS = ("text", "bytes", "parsed", "read")


@pytest.mark.parametrize("form", [str, str.encode, json.loads, tb.from_json], ids=FORMS)
def test_a_state_may_come_as_text_bytes_parsed_or_read(form: Any) -> None:
    """Databases give JSON back in their own ways."""
    assert going_on(form(tb.to_json(waiting()[0]))).stop_reason == "end"
    assert DONE == [5]


def test_a_run_that_was_pickled_goes_on() -> None:
    """Its model and tools stay behind: there is no connection in a file."""
    run, _ = waiting()
    back: tb.Run = pickle.loads(pickle.dumps(run))
    assert (back, back.state, back.begun) == (run, run.state, None)
    assert copy.deepcopy(run) == run
    assert going_on(back).stop_reason == "end"


def test_a_run_may_go_on_with_another_vendor() -> None:
    run, _ = waiting("gemini")
    server = Server("openai-chat", TURNS[-1:])
    done = tb.resume(tb.to_json(run), YES, tools=TOOLS, model=server.model())
    assert (done.stop_reason, done.text, DONE) == ("end", "끝", [5])
    roles = [message["role"] for message in server.bodies[0]["messages"]]
    assert roles == ["user", "assistant", "tool", "assistant", "tool", "tool"]


def test_a_state_knows_its_vendors_model_by_name() -> None:
    assert stored()["value"]["model"] == "anthropic/claude-sonnet-4-6"


# the signature


@pytest.mark.parametrize("key", [KEY, KEY.encode()])
def test_a_signed_state_goes_on_with_its_key(key: str | bytes) -> None:
    text = tb.to_json(waiting()[0], key=KEY)
    assert going_on(text, key=key).stop_reason == "end"


def test_a_signature_holds_whatever_the_order_of_keys() -> None:
    """Databases change it (PostgreSQL's jsonb)."""
    text = json.dumps(stored(key=KEY), sort_keys=True, ensure_ascii=True, indent=2)
    assert going_on(text, key=KEY).stop_reason == "end"


def test_a_state_that_is_saved_on_the_way_is_signed_with_the_key_of_the_gate() -> None:
    saved: list[str] = []
    waiting(gate=tb.Gate(key=KEY, save=saved.append))
    assert going_on(saved[-1], key=KEY).stop_reason == "end"


def forged(text: dict[str, Any], change: str) -> Any:
    """A signed state that somebody tried to change."""
    made = copy.deepcopy(text)
    if change == "amount":
        made["value"]["open"]["response"]["alternatives"][0]["messages"][0]["parts"][1][
            "arguments"
        ]["amount"] = 500
    elif change == "unsigned":
        del made["signature"]
    elif change == "another algorithm":
        made["signature"] = "none:"
    elif change == "one letter":
        last = made["signature"][-1]
        made["signature"] = made["signature"][:-1] + ("0" if last != "0" else "1")
    elif change == "no text":
        made["signature"] = 5
    return made


CHANGES = ("amount", "unsigned", "another algorithm", "one letter", "no text")


@pytest.mark.parametrize("change", CHANGES)
def test_a_state_that_was_changed_is_refused(change: str) -> None:
    with pytest.raises(tb.StateError, match="signature"):
        going_on(forged(stored(key=KEY), change), key=KEY)
    assert DONE == []


def test_a_key_is_the_right_one_given_and_long_enough() -> None:
    text = tb.to_json(waiting()[0], key=KEY)
    with pytest.raises(tb.StateError, match="it was changed"):
        going_on(text, key="another key of 16")
    with pytest.raises(tb.StateError, match="the state is signed: pass the key"):
        going_on(text)
    with pytest.raises(ValueError, match="the key is shorter than 16 bytes"):
        tb.to_json(waiting()[0], key="short")


# once


def test_a_state_is_taken_up_once_in_one_process() -> None:
    """Whether as a Run or as text: it is the same state."""
    run, _ = waiting()
    assert going_on(tb.to_json(run)).stop_reason == "end"
    for again in (run, tb.to_json(run)):
        with pytest.raises(tb.StateError, match="taken up before"):
            going_on(again)
    assert DONE == [5]


def test_with_a_ledger_a_state_may_be_taken_up_again_and_nothing_runs_twice() -> None:
    run, _ = waiting()
    gate = tb.Gate(ledger=tb.MemoryLedger())
    ends = [going_on(tb.to_json(run), gate=gate) for _ in range(2)]
    assert ends[0] == ends[1]
    assert DONE == [5]


@pytest.mark.parametrize("keep", [lambda run: run, tb.to_json], ids=["run", "text"])
def test_what_an_error_left_goes_on_as_often_as_it_comes_no_further(keep: Any) -> None:
    lost = ConnectionError("lost")
    server = Server("anthropic", [TURNS[0], lost, lost, lost, said("끝")])
    with pytest.raises(tb.VendorError) as raised:
        tb.run(server.model(), "hi", tools=TOOLS)
    for _ in range(2):
        run = raised.value.run
        assert run is not None and run.stop_reason == "error"
        assert len(run.steps) == 1, "the step that went well is kept"
        with pytest.raises(tb.VendorError) as raised:
            tb.resume(keep(run), {}, tools=TOOLS, model=server.model())
    run = raised.value.run
    assert tb.resume(keep(run), {}, tools=TOOLS, model=server.model()).text == "끝"


@pytest.mark.parametrize("stop", ["end", "max_steps"])
def test_a_run_that_is_over_is_not_taken_up(stop: str) -> None:
    turns = [said("끝")] if stop == "end" else [TURNS[0]]
    run = tb.run(Server("anthropic", turns).model(), "hi", tools=TOOLS, max_steps=1)
    assert run.stop_reason == stop
    with pytest.raises(tb.StateError, match=f"the run is over .{stop}.: pass it to tb.run"):
        tb.resume(run, {}, tools=TOOLS)


# what a state cannot hold


def no_policy(proposal: policies.Proposal) -> None:
    """No opinion."""


def forget(record: tb.AuditRecord) -> None:
    """Keeps nothing."""


NEEDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("output", {"output": dict[str, str]}),
    ("data", {"data": {"user": 1}}),
    ("gate.policy", {"gate": tb.Gate(policy=no_policy)}),
    ("gate.ledger", {"gate": tb.Gate(ledger=tb.MemoryLedger())}),
    ("gate.audit", {"gate": tb.Gate(audit=forget)}),
)


@pytest.mark.parametrize(("name", "options"), NEEDS, ids=[row[0] for row in NEEDS])
def test_what_a_state_cannot_hold_is_asked_for_by_name(name: str, options: dict[str, Any]) -> None:
    text = tb.to_json(waiting(**options)[0])
    told = f"options that are not stored: {name}. Pass them to resume"
    with pytest.raises(tb.StateError, match=told):
        going_on(text)
    assert DONE == [], "nothing has run, and it can be taken up"
    model = Server("anthropic", [said('{"a": "b"}')]).model()
    assert going_on(text, model, **options).stop_reason == "end"


def test_a_client_of_ones_own_is_asked_for_too() -> None:
    """A conversation with a server of one's own never goes to the vendor by mistake."""
    text = tb.to_json(waiting()[0])
    with pytest.raises(tb.StateError, match="not stored: model"):
        tb.resume(text, YES, tools=TOOLS)


def test_within_the_process_nothing_is_asked_for() -> None:
    run, _ = waiting(**{name: each for _, row in NEEDS[1:3] for name, each in row.items()})
    assert tb.resume(run, YES, tools=TOOLS).stop_reason == "end"


def test_an_option_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="resume has no option 'temperature'"):
        tb.resume(waiting()[0], YES, tools=TOOLS, temperature=1)  # type: ignore[call-arg]
