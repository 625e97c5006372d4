"""The checkpoint over real traffic: whatever a vendor's model was recorded to call, the run waits
for a person, is stored, and goes on in a transcript that every vendor takes."""

from __future__ import annotations

from typing import Any

import pytest

import toolbridge as tb
from acceptable.verdict import request_findings
from laws.corpus import FORMATS, Recording, recordings, requires_shared
from toolbridge.loop.sound import DOUBTFUL
from toolbridge.loop.talk import client_calls

from .answers import MODELS
from .puppet import World


def answer_of(recording: Recording) -> tb.Response | None:
    """The recorded answer, whole or streamed; None for an error, and for streams of which the
    recording has no event of an answer (the laws of streams list them)."""
    kind = "response" if recording.response else "stream"
    try:
        made: tb.Response = tb.read(recording.response or recording.events, recording.format, kind)
    except tb.ToolbridgeError:
        return None
    return made


def tools_of(response: tb.Response, ran: list[Any]) -> list[tb.Tool]:
    """A tool for each that is called, which cannot be undone."""

    def tool(call: tb.ToolCall) -> tb.Tool:
        def run(**arguments: Any) -> str:
            ran.append((call.name, arguments))
            return "done"

        schema = {"type": "object"}
        options: dict[str, Any] = {"effect": "irreversible", "namespace": call.namespace}
        return tb.tool(name=call.name, schema=schema, **options)(run)

    calls = {(call.namespace, call.name): call for call in client_calls(response)}
    return [tool(call) for call in calls.values() if call.kind == "function"]


def runs_of(format: str) -> list[tuple[Recording, tb.Response]]:
    """The recordings whose answers call functions, all of them whole and to be trusted."""
    answers = [(each, answer_of(each)) for each in recordings(format)]
    return [
        (each, answer)
        for each, answer in answers
        if answer is not None
        and answer.tool_calls
        and not answer.broken_calls
        and answer.stop_reason not in DOUBTFUL
        and all(call.kind == "function" for call in client_calls(answer))
    ]


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_recorded_calls_wait_are_stored_and_go_on(format: str) -> None:
    """A vendor gets its own words back as they are, fields of a host and ids that the corpus made
    unreadable included: what is judged is what the others get."""
    given = runs_of(format)
    assert len(given) >= 20, "the corpus has that many answers that call functions"
    for recording, answer in given:
        ran: list[Any] = []
        world = World([answer], tools_of(answer, ran))
        run = world.begin()
        assert (run.stop_reason, ran) == ("approval", []), recording.name
        decisions = {question.call_key: tb.Approve() for question in run.pending}  # type: ignore[union-attr]
        done = world.resume(tb.to_json(run), decisions)
        calls = client_calls(answer)
        assert [each[0] for each in ran] == [call.name for call in calls], recording.name
        assert [each.call_id for each in done.steps[0].results] == [call.id for call in calls]
        for target in set(FORMATS) - {format}:
            written = tb.write(world.requests[-1], target, model=MODELS[target]).payload
            found = request_findings(written, target, model=MODELS[target])
            assert found == [], f"{recording.name} to {target}"
