"""The cases of `../shared/cases` that are about the loop: rebuilt from public bug reports."""

from __future__ import annotations

from typing import Any

import pytest

import toolbridge as tb
from laws.corpus import requires_shared
from test_shared_cases import FOLDER, evaluator, load

from .answers import FORMATS, Answer, Called
from .play import play, response, text_of

CASES = {
    file.stem: case
    for file in sorted(FOLDER.glob("*.json"))
    if (case := load(file))["from"] == "loop"
}


def outcome(given: Any, format: str) -> Any:
    """What the loop does with the turns of a case, in the words of the cases."""
    executed: list[Any] = []

    def tool(name: str, declared: Any) -> tb.Tool:
        def run(**arguments: Any) -> Any:
            executed.append({"name": name, "arguments": arguments})
            return declared["returns"]

        return tb.tool(name=name, schema=declared["schema"])(run)

    turns = [
        (format, Answer(turn.get("text"), tuple(Called(**call) for call in turn["calls"])))
        for turn in given["turns"]
    ]
    tools = [tool(name, declared) for name, declared in given["tools"].items()]
    played = play(turns, tools=tools)
    return {
        "model_requests": len(played.requests),
        "executed": executed,
        "results": [
            {"id": each.call_id, "is_error": bool(each.is_error), "content": text_of(each)}
            for each in played.results
        ],
        "stop": played.run.stop_reason,
    }


@requires_shared
def test_every_case_of_the_loop_is_run() -> None:
    assert [*CASES] == [
        "broken-args-double-encoded",
        "loop-unknown-tool",
        "server-pause-turn-resend",
    ]


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["to"] == "loop"])
def test_the_loop_does_what_the_report_asks_for(name: str, format: str) -> None:
    case = CASES[name]
    assert evaluator()(case["expect"], outcome(case["input"], format)) == []


@requires_shared
@pytest.mark.parametrize("id", ["claude-x", "claude-sonnet-4-6", "claude-opus-5-5"])
def test_a_paused_turn_goes_back_as_it_is(id: str) -> None:
    case = CASES["server-pause-turn-resend"]
    given = case["input"]
    paused: tb.Response = tb.read(given["response"], "anthropic", "response")
    played = play([paused, response()], given["history"], format="anthropic", id=id)
    body = tb.write(played.requests[1], "anthropic", model=id).payload
    assert evaluator()(case["expect"], body) == []
