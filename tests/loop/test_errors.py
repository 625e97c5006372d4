"""`convert(kind="error")`: an error body in another vendor's words. What it says and what kind of
error it is come through; the vendor's own word is replaced and told as a loss."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

import toolbridge as tb
from laws.corpus import SHARED, recordings, requires_shared
from laws.inject import strict_equal
from toolbridge.error_kinds import categorised
from toolbridge.errors import KINDS
from toolbridge.registry import find

from .answers import FORMATS

Body = Any
PAIRS = [*itertools.permutations(FORMATS, 2)]
CATEGORIES = [name for name in KINDS if name != "connection"]
"""No vendor has a word for a connection that broke: then nobody said anything."""


def body_of(format: str, category: str) -> Body:
    """A body of a category as a vendor writes it."""
    fields: dict[str, Any] = {"category": category, "message": "왜"}
    return tb.write(tb.ErrorBody(**fields), format).payload


def status_of(format: str, category: str) -> int:
    """The status of HTTP that goes with it."""
    return find(format)[0].error_words[category].status


def kind_of(body: Body, format: str, status: int | None) -> str:
    """The category that whoever gets a body with a status sees."""
    return categorised(tb.read(body, format, "error"), status).category


def said_by(format: str, category: str) -> str:
    """What is left of a category in a vendor's words: OpenAI alone has one for what is a bad
    request elsewhere."""
    unsaid = {"context_too_long", "content_refused"}
    return category if format.startswith("openai") or category not in unsaid else "bad_request"


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("format", FORMATS)
def test_every_vendor_has_a_word_for_every_kind(format: str, category: str) -> None:
    told = tb.read(body_of(format, category), format, "error")
    assert told.message == "왜"
    back = kind_of(body_of(format, category), format, status_of(format, category))
    assert back == said_by(format, category)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_the_kind_comes_through(source: str, target: str, category: str) -> None:
    body, status = body_of(source, category), status_of(source, category)
    converted = tb.convert(body, source=source, target=target, kind="error", status=status)
    seen = kind_of(body, source, status)
    there = kind_of(converted.payload, target, status_of(target, seen))
    assert there == said_by(target, seen)
    assert tb.read(converted.payload, target, "error").message == "왜"


def test_a_body_in_the_words_of_each_vendor() -> None:
    """Written out once, so that the tables above have something to stand on."""
    error: Body = {"type": "overloaded_error", "message": "Overloaded"}
    body = {"type": "error", "error": error, "request_id": "req_1"}
    written = {
        target: tb.convert(body, source="anthropic", target=target, kind="error", status=529)
        for target in FORMATS
    }
    assert written["anthropic"].payload == body
    assert written["openai-chat"].payload == {
        "error": {"message": "Overloaded", "type": "server_error"}
    }
    assert written["openai-chat"].payload == written["openai-responses"].payload
    assert written["gemini"].payload == {
        "error": {"code": 529, "message": "Overloaded", "status": "UNAVAILABLE"}
    }
    losses = [(loss.code, loss.path) for loss in written["openai-chat"].losses]
    assert sorted(losses) == [("answer.detail", "/request_id"), ("error.word", "/error/type")]


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (401, "authentication_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (503, "overloaded_error"),
        (400, "invalid_request_error"),
        (None, "invalid_request_error"),
    ],
)
def test_the_status_says_what_a_general_word_does_not(status: int | None, word: str) -> None:
    """OpenAI says `invalid_request_error` beside several of them."""
    body = {"error": {"message": "no", "type": "invalid_request_error", "code": None}}
    converted = tb.convert(
        body, source="openai-chat", target="anthropic", kind="error", status=status
    )
    assert converted.payload["error"]["type"] == word


@pytest.mark.parametrize("target", ["anthropic", "openai-responses", "gemini"])
def test_a_closer_word_outweighs_the_status(target: str) -> None:
    error = {"message": "too long", "type": None, "code": "context_length_exceeded"}
    converted = tb.convert(
        {"error": error}, source="openai-chat", target=target, kind="error", status=400
    )
    wanted = tb.write(tb.ErrorBody(category="context_too_long", message="too long"), target)
    words = [each.payload["error"] for each in (converted, wanted)]
    assert words[0].get("type") == words[1].get("type")
    assert words[0].get("status") == words[1].get("status")


@pytest.mark.parametrize("status", [None, 502])
@pytest.mark.parametrize("body", ["<html>Bad Gateway</html>", "", [], {}, [{"error": "no"}]])
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_body_that_is_no_vendors_becomes_one(
    source: str, target: str, body: Body, status: int | None
) -> None:
    converted = tb.convert(body, source=source, target=target, kind="error", status=status)
    assert isinstance(converted.payload, dict)
    read: tb.ErrorBody = tb.read(converted.payload, target, "error")
    said = tb.read(body, source, "error").message
    assert (read.message or "") == (said or "")


# --- recorded bodies


def recorded() -> Iterator[tuple[str, str, int, Body]]:
    """Name, format, status and body of each recorded error, and of those quoted in issues."""
    for recording in recordings(*FORMATS):
        if recording.error is not None:
            yield str(recording), recording.format, recording.status, recording.error
    names = {"anthropic-messages": "anthropic", "gemini-generate": "gemini"}
    quoted = SHARED / "corpus" / "errors" / "quoted_in_issues.jsonl"
    for line in quoted.read_text(encoding="utf-8").splitlines() if quoted.is_file() else ():
        record = json.loads(line)
        format = names.get(record["format"], record["format"])
        if format in FORMATS:
            yield record["source"], format, record["status"], record["response"]


RECORDED = 120
"""There are at least so many."""


@requires_shared
def test_a_recorded_error_is_itself() -> None:
    bodies = [*recorded()]
    assert len(bodies) >= RECORDED
    for _, format, status, body in bodies:
        same = tb.convert(body, source=format, target=format, kind="error", status=status)
        assert strict_equal(same.payload, body)
        assert same.losses == ()


@requires_shared
@pytest.mark.parametrize("target", FORMATS)
def test_a_recorded_error_is_the_same_error_elsewhere(target: str) -> None:
    broken: list[str] = []
    for name, format, status, body in recorded():
        if format == target:
            continue
        converted = tb.convert(body, source=format, target=target, kind="error", status=status)
        category = kind_of(body, format, status)
        words = find(target)[0].error_words
        seen = kind_of(converted.payload, target, words[category].status)
        said = [
            tb.read(each, at, "error").message or ""
            for each, at in ((body, format), (converted.payload, target))
        ]
        if seen != category or said[0] != said[1]:
            broken.append(f"{name}: {category} is {seen}: {said}")
    print(f"{target}: {len(broken)} broken")
    assert not broken, "\n".join(broken[:10])


@requires_shared
def test_no_recorded_error_is_of_no_kind() -> None:
    kinds = {name: kind_of(body, format, status) for name, format, status, body in recorded()}
    assert [name for name, kind in kinds.items() if kind == "unknown"] == []
