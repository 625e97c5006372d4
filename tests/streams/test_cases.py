"""The cases of `../shared/cases` about streams: rebuilt from public bug reports."""

from __future__ import annotations

from typing import Any

import pytest

import toolbridge as tb
from laws.corpus import requires_shared
from test_shared_cases import FOLDER, evaluator, load

Json = Any

OF_STREAMS = 13


def is_of_streams(case: Json) -> bool:
    return any(case[end].startswith("sse:") for end in ("from", "to"))


CASES = {
    file.stem: case for file in sorted(FOLDER.glob("*.json")) if is_of_streams(case := load(file))
}


@requires_shared
def test_every_case_of_streams_is_run() -> None:
    assert len(CASES) == OF_STREAMS


def neutral(answer: tb.Response) -> Json:
    """The view that the cases call canonical."""
    reason: str = answer.stop_reason
    usage = answer.usage or tb.Usage()
    errors: list[Json] = [[call.id, call.name, call.status] for call in answer.broken_calls]
    return {
        "text": answer.text,
        "calls": [
            {"id": call.id, "name": call.name, "arguments": tb.thaw(call.arguments)}
            for call in answer.tool_calls
        ],
        "stop": {"stop_sequence": "end", "context_full": "length"}.get(reason, reason),
        "usage": {"input": usage.input_tokens, "output": usage.output_tokens},
        "errors": [*errors, tb.thaw(answer.error)],
    }


def by_index(chunks: list[Json]) -> Json:
    """A stream of Chat Completions folded as the cases say."""
    calls: dict[int, Json] = {}
    finish = [choice["finish_reason"] for chunk in chunks for choice in chunk["choices"]]
    for chunk in chunks:
        for choice in chunk["choices"]:
            for raw in choice["delta"].get("tool_calls") or ():
                call = calls.setdefault(raw["index"], {"function": {"name": "", "arguments": ""}})
                call["id"] = call.get("id", "") + raw.get("id", "")
                for key in ("name", "arguments"):
                    call["function"][key] += raw.get("function", {}).get(key, "")
    assert [*calls] == list(range(len(calls)))
    assert len([each for each in finish if each]) == 1
    return {"tool_calls": [*calls.values()], "finish_reason": next(filter(None, finish))}


@requires_shared
@pytest.mark.parametrize("name", CASES)
def test_what_comes_out_is_what_the_report_asks_for(name: str) -> None:
    case = CASES[name]
    source, target = (case[end].removeprefix("sse:") for end in ("from", "to"))
    if case["to"].startswith("sse:"):
        made = by_index(
            tb.convert(case["input"], source=source, target=target, kind="stream").payload
        )
    elif target == "canonical":
        made = neutral(tb.read(case["input"], source, kind="stream"))
    else:
        made = tb.write(tb.read(case["input"], source, kind="stream"), target).payload
    assert evaluator()(case["expect"], made) == []
