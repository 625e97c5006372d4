"""Law 5: what a stream folds to is what the vendor says it is, and what the vendor's SDK makes of
it, in all that the SDK keeps."""

from __future__ import annotations

import re
from typing import Any

import pytest

import toolbridge as tb
from laws.corpus import Recording, requires_shared

from .recorded import RECORDED, data_of, hear
from .sdk_folds import FOLDS, kept

NOT_A_DIFFERENCE = {
    "openai-chat": re.compile(
        r"/tool_calls/\d+/index: "  # the place of a call in the stream, none of the call's
        r"|/(role|format|id|type|channel|executed_tools/0/arguments): "  # it adds them up
    ),
    "anthropic": re.compile(r"/content: None is "),  # the text of a compaction, which it loses
}

REFUSED = {
    "test_openrouter_streaming_reasoning": "a list without an index in a delta",
    "test_tool_use_failed_error_streaming_with_text": "an error body in the middle",
    "test_openrouter_web_search_annotations_stream": "a list without an index in a delta",
    "rig__reasoning_roundtrip__streaming__0": "the id of the response changes",
}
"""Streams that an SDK breaks at, with what it does not take."""

of_sdks = [each for each in RECORDED if each.format in FOLDS]


@pytest.mark.parametrize("recording", of_sdks, ids=str)
def test_it_folds_to_what_the_sdk_keeps(recording: Recording) -> None:
    data = data_of(recording)
    try:
        theirs = FOLDS[recording.format](data)
    except (RuntimeError, TypeError):
        assert any(name in recording.name for name in REFUSED)
        return
    ours = hear(data, recording.format).reader.folded()
    if recording.format == "openai-responses":
        theirs, ours = spoken(theirs), spoken(ours)
    allowed = NOT_A_DIFFERENCE.get(recording.format)
    different = kept(theirs, ours)
    assert [each for each in different if allowed is None or not allowed.search(each)] == []


def spoken(response: Any) -> Any:
    """What grows in the SDK's response: all else of an item stays as it began."""
    said = []
    for item in response["output"]:
        if item["type"] not in ("message", "function_call"):
            continue
        texts = [part.get("text") or part.get("refusal") for part in item.get("content") or ()]
        named = {key: item.get(key) for key in ("type", "id", "call_id", "name")}
        grown = item.get("arguments") if item["type"] == "function_call" else None
        said.append({**named, "arguments": grown, "texts": texts if texts else None})
    return {"output": [each for each in said if each["texts"] or each["arguments"]]}


responses = [each for each in RECORDED if each.format == "openai-responses"]
TERMINAL = ("response.completed", "response.incomplete", "response.failed")


@pytest.mark.parametrize("recording", responses, ids=str)
def test_it_folds_to_the_final_object(recording: Recording) -> None:
    """From the items alone, the last event's output taken away."""
    data = data_of(recording)
    last = data[-1]
    assert last["type"] in TERMINAL
    whole = last["response"]
    if not whole["output"]:
        assert "codex" in recording.name
        return
    without = {**last, "response": {**whole, "output": []}}
    folded = hear([*data[:-1], without], "openai-responses").reader.folded()
    assert [
        differs(one, other) for one, other in zip(folded["output"], whole["output"], strict=True)
    ] == [{} for _ in whole["output"]]
    assert {**folded, "output": None} == {**whole, "output": None}
    assert tb.read(data, "openai-responses", kind="stream") == tb.read(
        whole, "openai-responses", kind="response"
    )


SEALED_ANEW = ("encrypted_content", "id")
"""What a vendor makes anew for the last event."""


def differs(one: Any, other: Any) -> dict[str, Any]:
    """The members in which two items differ."""
    keys = (one.keys() | other.keys()) - set(SEALED_ANEW)
    return {key: (one.get(key), other.get(key)) for key in keys if one.get(key) != other.get(key)}


@requires_shared
def test_the_sdks_break_at_few_streams() -> None:
    """A row that breaks at nothing would excuse what comes later."""
    names = [recording.name for recording in of_sdks]
    assert all(any(row in name for name in names) for row in REFUSED)
