"""convert and read: what they promise whatever the formats are."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, body
from toolbridge.loss import CODES

KINDS: Final = ("request", "response", "tools", "error")
PROFILES: Final = tuple(
    f"{info.name}:{profile}" for info in tb.formats() for profile in info.profiles
)
TARGETS: Final = (*FORMATS, *PROFILES)
CHAT: Final[dict[str, Any]] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
SEEDED: Final = CHAT | {"seed": 7}

everywhere: Final = pytest.mark.parametrize("target", TARGETS)
from_everywhere: Final = pytest.mark.parametrize("source", FORMATS)


def objects(node: Any) -> Iterator[Any]:
    """All objects and lists within a JSON value."""
    if isinstance(node, (dict, list)):
        yield node
        for member in node.values() if isinstance(node, dict) else node:
            yield from objects(member)


def odd_body(format: str, kind: str) -> Any:
    """A body with unknown fields of several levels, which go the most direct way."""
    raw = body(format, kind)
    return raw | {"new": {"list": [{"deep": []}]}} if isinstance(raw, dict) else raw


# the payload


@from_everywhere
@everywhere
@pytest.mark.parametrize("kind", KINDS)
def test_the_payload_stays_as_it_is_and_shares_nothing(source: str, target: str, kind: str) -> None:
    """Callers keep their history and append to it, or to what they got."""
    payload = odd_body(source, kind)
    before = copy.deepcopy(payload)
    made = tb.convert(payload, source=source, target=target, kind=kind, model="m")
    assert payload == before
    assert json.dumps(payload) == json.dumps(before), "nor is the order of its keys another"
    own = {id(each) for each in objects(payload)}
    assert [each for each in objects(made.payload) if id(each) in own] == []


@from_everywhere
@everywhere
def test_what_comes_out_is_plain_json(source: str, target: str) -> None:
    """It goes to an SDK or a serialiser and may be changed on the way."""
    made = tb.convert(odd_body(source, "request"), source=source, target=target, model="m")
    assert all(type(each) in (dict, list) for each in objects(made.payload))
    written = tb.write(tb.read(odd_body(source, "request"), source), target, model="m")
    assert all(type(each) in (dict, list) for each in objects(written.payload))
    json.dumps(written.payload, allow_nan=False)


@from_everywhere
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_read_is_independent_of_the_payload(source: str, kind: str) -> None:
    """Whatever becomes of the payload later."""
    payload = odd_body(source, kind)
    value = tb.read(payload, source, kind)
    before, text = tb.write(value, source).payload, tb.to_json(value)
    for each in list(objects(payload)):
        each.clear()
    assert tb.to_json(value) == text
    assert tb.write(value, source).payload == before


@from_everywhere
@pytest.mark.parametrize("kind", KINDS)
def test_two_results_share_nothing(source: str, kind: str) -> None:
    first, second = (
        tb.convert(body(source, kind), source=source, target="openai-chat", kind=kind)
        for _ in range(2)
    )
    assert first == second
    value = tb.read(odd_body(source, kind), source, kind)
    one, other = (tb.write(value, source).payload for _ in range(2))
    assert not {id(each) for each in objects(one)} & {id(each) for each in objects(other)}


@from_everywhere
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_format_gives_the_same_body(source: str, kind: str) -> None:
    check_identity(source, kind)


def check_identity(name: str, kind: str) -> None:
    payload = odd_body(name.partition(":")[0], kind)
    made = tb.convert(payload, source=name, target=name, kind=kind)
    assert json.dumps(made.payload) == json.dumps(payload)
    assert made.losses == ()


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("kind", ["request", "response"])
def test_the_same_profile_gives_the_same_body(name: str, kind: str) -> None:
    """Rules act on what was read in another format or profile only."""
    check_identity(name, kind)


# losses


def test_losses_are_collected_unless_the_caller_wants_an_error() -> None:
    made = tb.convert(SEEDED, source="openai-chat", target="anthropic")
    told = [(loss.code, loss.path, loss.severity, loss.effect) for loss in made.losses]
    assert ("setting.unsupported", "/seed", "warning", "dropped") in told
    assert "seed" not in made.payload


def test_raise_tells_of_all_warnings_at_once_and_of_no_note() -> None:
    """So that one run shows all that there is to decide on."""
    payload = SEEDED | {"logit_bias": {"1": 5}, "frequency_penalty": 1}
    with pytest.raises(tb.LossError) as caught:
        tb.convert(payload, source="openai-chat", target="anthropic", on_loss="raise")
    assert {loss.path for loss in caught.value.losses} == {
        "/seed",
        "/logit_bias",
        "/frequency_penalty",
    }
    assert {loss.severity for loss in caught.value.losses} == {"warning"}
    for path in ("/seed", "/logit_bias", "/frequency_penalty", "ignore="):
        assert path in str(caught.value)


def test_notes_alone_raise_nothing() -> None:
    made = tb.convert(CHAT, source="openai-chat", target="anthropic", on_loss="raise")
    assert {loss.severity for loss in made.losses} == {"note"}


@pytest.mark.parametrize(
    "ignore", [["setting.unsupported"], {"setting.unsupported"}, iter(["setting.unsupported"])]
)
def test_what_is_ignored_raises_nothing_and_is_told_all_the_same(ignore: Any) -> None:
    made = tb.convert(
        SEEDED, source="openai-chat", target="anthropic", on_loss="raise", ignore=ignore
    )
    assert "setting.unsupported" in {loss.code for loss in made.losses}


def test_what_is_not_ignored_raises() -> None:
    with pytest.raises(tb.LossError):
        tb.convert(
            SEEDED, source="openai-chat", target="anthropic", on_loss="raise", ignore=["cache.mark"]
        )


def test_severity_and_effect_belong_to_the_code() -> None:
    """A program may decide by the code alone."""
    for source in FORMATS:
        for target in TARGETS:
            made = tb.convert(odd_body(source, "request"), source=source, target=target)
            for loss in made.losses:
                code = CODES[loss.code]
                assert (loss.effect, loss.severity) == (code.effect, code.severity)
                assert loss.detail
                assert loss.reversible == bool(code.reversible)


def test_a_loss_within_tools_points_into_the_list() -> None:
    function = {"name": "a b", "parameters": {"type": "object", "properties": {}}, "strict": True}
    tools = [
        {"type": "function", "function": {"name": "f"}},
        {"type": "function", "function": function},
    ]
    made = tb.convert(tools, source="openai-chat", target="gemini", kind="tools")
    assert {loss.path for loss in made.losses if loss.path.startswith("/1")} == {
        "/1/function/name",
        "/1/function/strict",
    }


def test_no_losses_of_a_request_stand_in_a_list_of_tools() -> None:
    """Neither a missing model nor a limit has anything to do with tools."""
    for target in TARGETS:
        made = tb.convert(
            body("openai-chat", "tools"), source="openai-chat", target=target, kind="tools"
        )
        assert made.losses == ()
        assert made.envelope == tb.Envelope()


# kinds


def test_each_kind_is_read_as_its_own_type() -> None:
    for format in FORMATS:
        assert isinstance(tb.read(body(format, "request"), format), tb.Request)
        assert isinstance(tb.read(body(format, "response"), format, "response"), tb.Response)
        assert isinstance(tb.read(body(format, "error"), format, "error"), tb.ErrorBody)
        tools = tb.read(body(format, "tools"), format, "tools")
        assert isinstance(tools, tuple) and len(tools) == 1


@from_everywhere
@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("kind", ["request", "tools"])
def test_one_conversation_is_the_same_in_all_formats(source: str, target: str, kind: str) -> None:
    """The bodies of `bodies` say the same: each converts to the other's, spelling apart."""
    made = tb.convert(body(source, kind), source=source, target=target, kind=kind, model="m")
    if (target, kind) == ("gemini", "request") and source != target:
        placeholder = made.payload["contents"][1]["parts"][0].pop("thoughtSignature")
        assert placeholder, "documented for the first call of a step that another vendor wrote"
    assert tb.read(made.payload, target, kind) == tb.read(body(target, kind), target, kind)


def test_a_profile_changes_what_is_written() -> None:
    """Mistral takes ids of nine letters and digits: in the call and in its result."""
    made = tb.convert(
        body("anthropic", "request"), source="anthropic", target="openai-chat:mistral"
    )
    _, _, called, answered = made.payload["messages"]
    call_id = called["tool_calls"][0]["id"]
    assert call_id.isalnum() and len(call_id) == 9
    assert answered["tool_call_id"] == call_id


def ruled(*rules: tb.Rule) -> str:
    """The id of the call in a body that was written under further rules."""
    request = body("anthropic", "request")
    made = tb.convert(request, source="anthropic", target="openai-chat", rules=rules)
    return str(made.payload["messages"][2]["tool_calls"][0]["id"])


def test_rules_of_one_s_own_stand_beside_the_built_in_ones() -> None:
    short = tb.Rule("id_length", 12, "a gateway's manual", "2026-11-30")
    long = tb.convert(
        json.loads(json.dumps(body("anthropic", "request")).replace("call_1", "call_of_the_first")),
        source="anthropic",
        target="openai-chat",
        rules=(short,),
    )
    assert len(long.payload["messages"][2]["tool_calls"][0]["id"]) <= 12
    assert ruled() == ruled(short) == "call_1", "what a rule accepts stays as it is"


@pytest.mark.parametrize(
    ("name", "value", "pattern"),
    [("id_length", 5, r".{1,5}"), ("id_pattern", "[a-z0-9]+", "[a-z0-9]+")],
)
def test_a_word_made_anew_meets_the_rules(name: str, value: Any, pattern: str) -> None:
    made = ruled(tb.Rule(name, value, "a gateway's manual", "2026-11-30"))
    assert re.fullmatch(pattern, made), made
