"""A conversation that another vendor goes on with in the middle, and tools whose names or kinds a
vendor does not have: the app sees neither."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

import toolbridge as tb
from acceptable.signatures import foreign_signatures
from acceptable.verdict import request_findings
from laws.prefix import blocks, is_prefix

from .answers import FORMATS, MODELS, SIGNATURE, Answer, Body, Called, calling, said
from .orders import CHAIN, TOOLS, WEATHER, transcript
from .servers import Server

PAIRS = [*itertools.product(FORMATS, FORMATS)]
CUTS = [(turns, cut) for turns in (WEATHER, CHAIN) for cut in range(1, len(turns))]
SYSTEM = "짧게 답해요."


def handed_over(
    turns: tuple[Answer, ...], cut: int, first: str, second: str
) -> tuple[tb.Run, list[Body], list[Body]]:
    """A run of which the second vendor answers from a step on, and what each was sent."""
    servers = Server(first, turns[:cut]), Server(second, turns[cut:], first_turn=cut)
    begun = tb.run(servers[0].model(), "부탁해요", tools=TOOLS, system=SYSTEM, max_steps=cut)
    ended = tb.run(servers[1].model(), begun, tools=TOOLS, system=SYSTEM)
    return ended, servers[0].bodies, servers[1].bodies


@pytest.mark.parametrize(("turns", "cut"), CUTS)
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_another_vendor_goes_on_at_every_step(
    first: str, second: str, turns: tuple[Answer, ...], cut: int
) -> None:
    ended, before, after = handed_over(turns, cut, first, second)
    whole = tb.run(Server("anthropic", turns).model(), "부탁해요", tools=TOOLS, system=SYSTEM)
    assert transcript(ended.messages) == transcript(whole.messages)
    assert (len(before), len(after)) == (cut, len(turns) - cut)
    for format, bodies in ((first, before), (second, after)):
        assert_taken(bodies, format)
    if first != second:
        assert all(foreign_signatures(sent, body) == [] for sent in before for body in after)


def assert_taken(bodies: list[Body], format: str) -> None:
    """Law 3, and law 4 from request to request."""
    for body in bodies:
        assert request_findings(body, format, model=MODELS[format]) == []
    for shorter, longer in itertools.pairwise(bodies):
        assert is_prefix(blocks(shorter, format), blocks(longer, format))


@pytest.mark.parametrize("order", [*itertools.permutations(FORMATS)], ids="-".join)
def test_each_step_may_be_another_vendors(order: tuple[str, ...]) -> None:
    """And each goes on where it was before: its own prefix holds."""
    sent: dict[str, list[Body]] = {format: [] for format in FORMATS}
    run: Any = "부탁해요"
    for index, (turn, format) in enumerate(zip(CHAIN, itertools.cycle(order), strict=False)):
        server = Server(format, [turn], first_turn=index)
        run = tb.run(server.model(), run, tools=TOOLS, system=SYSTEM, max_steps=1)
        sent[format] += server.bodies
    whole = tb.run(Server("anthropic", CHAIN).model(), "부탁해요", tools=TOOLS, system=SYSTEM)
    assert transcript(run.messages) == transcript(whole.messages)
    for format, bodies in sent.items():
        assert_taken(bodies, format)


# --- names


@tb.tool(name="get.weather now")
def weather(city: str) -> str:
    """No vendor takes this name."""
    return f"맑음, {city}"


def names_of(body: Body) -> list[str]:
    """The names of the tools in a request, in any format."""
    tools = body["tools"]
    declared = tools[0].get("functionDeclarations", tools)
    return [each.get("function", each)["name"] for each in declared]


class Renaming(Server):
    """Calls the first tool by the name that it was offered under."""

    def handle(self, request: Any) -> Any:
        body = json.loads(request.content)
        if not self.requests:
            call = Called(names_of(body)[0], {"city": "서울"}, "call_1", signed=True)
            self.replies[0] = calling(call)
        return super().handle(request)


@pytest.mark.parametrize("format", FORMATS)
def test_a_name_that_had_to_be_changed_comes_back_as_the_apps(format: str) -> None:
    server = Renaming(format, [said(""), said("ok")])
    run = tb.run(server.model(), "hi", tools=[weather])
    (call,) = run.steps[0].response.tool_calls
    assert (call.name, call.arguments) == ("get.weather now", {"city": "서울"})
    assert run.steps[0].results[0].parts == (tb.Text(text="맑음, 서울"),)
    (offered,) = names_of(server.bodies[0])
    assert offered != "get.weather now"
    assert names_of(server.bodies[1]) == [offered]
    assert f'"{offered}"' in str(server.requests[1].content, "utf-8").split('"tools"')[0]
    assert_taken(server.bodies, format)


def test_a_signature_still_stands_on_a_call_whose_name_was_changed() -> None:
    server = Renaming("gemini", [said(""), said("ok")])
    tb.run(server.model(), "hi", tools=[weather])
    (part,) = server.bodies[1]["contents"][1]["parts"]
    assert part["thoughtSignature"] == SIGNATURE
    assert part["functionCall"]["name"] == names_of(server.bodies[0])[0]


@pytest.mark.parametrize("second", FORMATS)
@pytest.mark.parametrize("first", FORMATS)
def test_a_changed_name_is_changed_for_the_next_vendor_anew(first: str, second: str) -> None:
    begun = tb.run(Renaming(first, [said("")]).model(), "hi", tools=[weather], max_steps=1)
    server = Server(second, [said("ok")])
    tb.run(server.model(), begun, tools=[weather])
    (offered,) = names_of(server.bodies[0])
    assert str(server.bodies[0]).count(f"'{offered}'") >= 2
    assert_taken(server.bodies, second)


def test_two_names_that_become_one_stay_apart() -> None:
    made = [tb.tool(name=name, schema={"type": "object"})(echo(name)) for name in ("a.b", "a_b")]
    server = Server("openai-chat", [calling(Called("a_b", {}, "1")), said("ok")])
    run = tb.run(server.model(), "hi", tools=made)
    offered = names_of(server.bodies[0])
    assert len(set(offered)) == 2
    assert run.steps[0].results[0].parts == (tb.Text(text="a_b"),)


def echo(text: str) -> Any:
    return lambda **_: text


def test_a_name_that_nobody_offered_stays_as_the_model_wrote_it() -> None:
    server = Server("openai-chat", [calling(Called("get_wether", {}, "1")), said("ok")])
    run = tb.run(server.model(), "hi", tools=[weather])
    assert run.steps[0].response.tool_calls[0].name == "get_wether"
    assert "The tools are: get.weather now." in str(run.steps[0].results[0])


# --- namespaces


@pytest.mark.parametrize("format", FORMATS)
def test_tools_of_two_namespaces_go_out_and_come_back(format: str) -> None:
    made = [
        tb.tool(name="find", namespace=space, schema={"type": "object"})(echo(space))
        for space in ("crm", "erp")
    ]
    server = Renaming(format, [said(""), said("ok")])
    run = tb.run(server.model(), "hi", tools=made)
    (call,) = run.steps[0].response.tool_calls
    assert (call.namespace, call.name) == ("crm", "find")
    assert run.steps[0].results[0].parts == (tb.Text(text="crm"),)
    offered = names_of(server.bodies[1])
    assert len(set(offered)) == 2
    assert f"'{offered[0]}'" in str({**server.bodies[1], "tools": None})
    assert_taken(server.bodies, format)


# --- free text


@tb.tool(kind="custom")
def run_code(code: str) -> str:
    """Run a program.

    Args:
        code: in Python
    """
    return code.upper()


def custom_body(turn: int) -> Body:
    """A call with free text, of the one vendor that has them in each of its formats."""
    call = {"id": "call_1", "type": "custom", "custom": {"name": "run_code", "input": "print(1)"}}
    body = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": body, "finish_reason": "tool_calls"}
    return {"id": f"c{turn}", "object": "chat.completion", "created": 0, "choices": [choice]}


FREE: dict[str, Any] = {
    "anthropic": calling(Called("run_code", {"input": "print(1)"})),
    "gemini": calling(Called("run_code", {"input": "print(1)"}, signed=True)),
    "openai-chat": custom_body(0),
    "openai-responses": {
        "id": "resp_0",
        "object": "response",
        "status": "completed",
        "output": [
            {
                "type": "custom_tool_call",
                "id": "ctc_0",
                "call_id": "call_1",
                "name": "run_code",
                "input": "print(1)",
            }
        ],
    },
}


@pytest.mark.parametrize("format", FORMATS)
def test_free_text_comes_as_itself_from_every_vendor(format: str) -> None:
    server = Server(format, [FREE[format], said("ok")])
    run = tb.run(server.model(), "hi", tools=[run_code])
    (call,) = run.steps[0].response.tool_calls
    assert (call.kind, call.name, call.arguments) == ("custom", "run_code", "print(1)")
    (result,) = run.steps[0].results
    assert (result.kind, result.parts) == ("custom", (tb.Text(text="PRINT(1)"),))
    assert run.text == "ok"
    assert_taken(server.bodies, format)


@pytest.mark.parametrize(("first", "second"), [*itertools.permutations(FORMATS, 2)])
def test_free_text_goes_on_with_another_vendor(first: str, second: str) -> None:
    begun = tb.run(Server(first, [FREE[first]]).model(), "hi", tools=[run_code], max_steps=1)
    server = Server(second, [FREE[second], said("ok")])
    run = tb.run(server.model(), begun, tools=[run_code])
    kinds = [call.kind for step in run.steps for call in step.response.tool_calls]
    assert kinds == ["custom"]
    assert_taken(server.bodies, second)


def test_a_signature_still_stands_on_free_text() -> None:
    server = Server("gemini", [FREE["gemini"], said("ok")])
    tb.run(server.model(), "hi", tools=[run_code])
    (part,) = server.bodies[1]["contents"][1]["parts"]
    assert part["thoughtSignature"] == SIGNATURE
    assert part["functionCall"]["args"] == {"input": "print(1)"}
