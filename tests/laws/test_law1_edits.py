"""Law 1, edits: after one change through the public types the body differs there only.

Every element of every list is removed once, every text and the arguments of every call are
changed once, and every message gets a text, and a call or a result, at its end.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import toolbridge as tb

from .corpus import FORMATS, recordings, requires_shared
from .edited import emptied_list, kept_stale, unexplained
from .edits import MARK, NEW_CALL, NEW_TEXT, Edit, edits, read_placed
from .pointers import Json, resolves, value_at

Body = dict[str, Json]
Case = tuple[str, Body, Edit]


def cases(format: str) -> Iterator[Case]:
    """Every edit of every body of a format."""
    for recording in recordings(format):
        for kind, body in recording.bodies:
            for edit in edits(read_placed(body, format, kind)):
                yield f"{recording} {kind}: {edit}", body, edit


def is_of_a_string(body: Body, edit: Edit) -> bool:
    """Whether an edit is of the message that the string `input` of Responses is."""
    return edit.pointers == ("/input",) and isinstance(body["input"], str)


def is_call_beside_content(format: str, body: Body, edit: Edit) -> bool:
    """Whether a call is added to a `message` item of Responses."""
    is_new = (edit.action, edit.what) == ("append", "ToolCall")
    items = [value_at(body, pointer) for pointer in edit.pointers]
    held = any(isinstance(item, dict) and "content" in item for item in items)
    return format == "openai-responses" and is_new and held


def is_run_by_client(body: Body, edit: Edit) -> bool:
    """Whether an edit is in an item of Responses that says `execution: client`."""
    items = [value_at(body, "/".join(pointer.split("/")[:3])) for pointer in edit.pointers]
    return any(isinstance(item, dict) and item.get("execution") == "client" for item in items)


def broken(case: Case, format: str) -> list[str]:
    """What an edit does not explain; what the tests below say of the list that it empties and of
    a signature of Google's is set aside."""
    name, body, edit = case
    written = tb.write(edit.value, format)
    emptied = emptied_list(body, edit)
    aside = f"differs at {emptied!r}"
    found = [each for each in unexplained(body, edit, written) if each != aside]
    stale = [
        f"stale: {place}"
        for place in kept_stale(body, edit, written.payload)
        if not place.endswith("/message/extra_content")
    ]
    return [f"{name}: {each}" for each in (*found, *stale)]


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_an_edit_shows_there_only(format: str) -> None:
    counts: Counter[str] = Counter()
    found: list[str] = []
    for case in cases(format):
        _, body, edit = case
        known = (
            is_of_a_string(body, edit)
            or is_call_beside_content(format, body, edit)
            or (is_run_by_client(body, edit) and edit.action != "append")
        )
        problems = [] if known else broken(case, format)
        counts[f"{edit.action}{', set aside' if known else ''}"] += 1
        found += problems
    print(f"{format}: {dict(counts)}, {len(found)} problems")
    assert counts["remove"] and counts["change"] and counts["append"]
    assert not found, "\n".join(found[:10])


# what does not hold yet


@requires_shared
@pytest.mark.xfail(strict=True, reason="a list that was emptied is left out, or is no list")
@pytest.mark.parametrize("format", FORMATS)
def test_a_list_that_was_emptied_is_an_empty_list(format: str) -> None:
    for name, body, edit in cases(format):
        emptied = None if is_of_a_string(body, edit) else emptied_list(body, edit)
        if emptied is not None:
            payload = tb.write(edit.value, format).payload
            assert resolves(payload, emptied), name
            assert value_at(payload, emptied) == [], name


STRING: Body = {"model": "gpt-5", "input": "hi"}
SEARCH: Body = {
    "model": "gpt-5",
    "input": [
        {
            "type": "tool_search_call",
            "call_id": "c",
            "execution": "client",
            "arguments": {"query": "rain"},
        }
    ],
}
SAID: Body = {
    "model": "gpt-5",
    "input": [
        {"role": "user", "content": "hi"},
        {"type": "message", "role": "assistant", "content": "hello"},
    ],
}


def with_parts(request: Any, *parts: Any) -> Any:
    """The request with other parts in its last message."""
    *before, last = request.history
    return request.replace(history=(*before, last.replace(parts=parts)))


@pytest.mark.xfail(strict=True, reason="a string of `input` hides what is added to its message")
def test_a_text_is_added_to_a_string_of_input() -> None:
    request = tb.read(STRING, "openai-responses")
    (message,) = request.history
    written = tb.write(with_parts(request, *message.parts, NEW_TEXT), "openai-responses")
    assert MARK in str(written.payload["input"])


@pytest.mark.xfail(strict=True, raises=IndexError, reason="a string of `input` needs its text")
def test_the_text_is_removed_from_a_string_of_input() -> None:
    request = tb.read(STRING, "openai-responses")
    tb.write(with_parts(request), "openai-responses")


@pytest.mark.xfail(strict=True, reason="a `message` item of Responses drops a call added to it")
def test_a_call_is_added_to_a_message_item() -> None:
    request = tb.read(SAID, "openai-responses")
    *_, message = request.history
    written = tb.write(with_parts(request, *message.parts, NEW_CALL), "openai-responses")
    assert written.losses == ()
    assert written.payload["input"][:2] == SAID["input"]
    assert written.payload["input"][2]["type"] == "function_call"


@pytest.mark.xfail(strict=True, reason="`replace` forgets a field that is at its default")
def test_a_changed_search_stays_the_clients() -> None:
    request = tb.read(SEARCH, "openai-responses")
    (call,) = request.history[0].parts
    changed = with_parts(request, call.replace(arguments={"query": "snow"}))
    (item,) = tb.write(changed, "openai-responses").payload["input"]
    assert item["execution"] == "client"


SIGNED: Body = {
    "role": "assistant",
    "content": "hello",
    "extra_content": {"google": {"thought_signature": "c2VhbGVk"}},
}


@pytest.mark.xfail(strict=True, reason="a message knows no `extra_content`, a call does")
def test_a_signature_of_googles_is_not_kept_stale() -> None:
    request = tb.read({"messages": [{"role": "user", "content": "hi"}, SIGNED]}, "openai-chat")
    *_, message = request.history
    (text,) = message.parts
    changed = with_parts(request, text.replace(text=MARK))
    assert "c2VhbGVk" not in str(tb.write(changed, "openai-chat").payload)


RUN_BY_GOOGLE: Body = {
    "toolResponse": {"id": "a", "toolType": "GOOGLE_SEARCH_WEB", "response": {"hits": 3}},
    "thoughtSignature": "c2VhbGVk",
}


def test_a_signature_of_a_result_is_not_kept_stale() -> None:
    request = tb.read({"contents": [{"role": "model", "parts": [RUN_BY_GOOGLE]}]}, "gemini")
    (message,) = request.history
    (result,) = message.parts
    changed = with_parts(request, result.replace(parts=(tb.Json(value={"hits": 4}),)))
    assert "c2VhbGVk" not in str(tb.write(changed, "gemini").payload)
