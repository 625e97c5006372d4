"""The cassettes: the same conversation on every vendor, and nothing in them but what is sent."""

from __future__ import annotations

import asyncio
import json
import runpy
from typing import Any

import pytest
from vcr.errors import CannotOverwriteExistingCassetteException  # type: ignore[import-untyped]

import toolbridge as tb
from acceptable.vendor_types import response_errors
from project import ROOT
from toolbridge.demo.conversations import CONVERSATIONS, Conversation
from toolbridge.demo.play import cassette_model, play, play_cassette, run_before
from toolbridge.demo.tape import KEY_HEADERS, ReadableYaml, UnplayedError, path_of, playing
from toolbridge.demo.transcript import transcript

from .said import FORMATS, SAID

EVERY = [(name, format) for name in CONVERSATIONS for format in FORMATS]


async def aplayed(conversation: Conversation, format: str) -> tb.Run:
    before = run_before(conversation)
    history = before.messages if before is not None else ()
    with playing(conversation.name, format):
        return await tb.arun(
            cassette_model(format),
            [*history, conversation.question],
            tools=conversation.tools,
            system=conversation.system,
            gate=tb.Gate(approve=lambda question: tb.Approve()),
        )


@pytest.mark.parametrize(("name", "format"), EVERY)
def test_every_vendor_gives_the_same_transcript(name: str, format: str) -> None:
    run = play_cassette(CONVERSATIONS[name], format).run
    assert run is not None and run.stop_reason == "end"
    assert transcript(run) == SAID[name]


@pytest.mark.parametrize(("name", "format"), EVERY)
def test_async_gives_the_same_run_as_sync(name: str, format: str) -> None:
    conversation = CONVERSATIONS[name]
    assert asyncio.run(aplayed(conversation, format)) == play_cassette(conversation, format).run


@pytest.mark.parametrize("format", FORMATS)
def test_a_request_that_changed_fails_and_shows_the_difference(format: str) -> None:
    other = CONVERSATIONS["weather"]
    with (
        pytest.raises((CannotOverwriteExistingCassetteException, UnplayedError)) as caught,
        playing("weather", format),
    ):
        played = play(
            other.__class__(other.name, "", "부산은?", other.tools), cassette_model(format)
        )
        assert "부산은" in str(played.error), "Anthropic's SDK tells it as a connection error"
    assert "부산은" in str(caught.value) or isinstance(caught.value, UnplayedError)


def test_a_cassette_must_be_played_to_its_end() -> None:
    with pytest.raises(UnplayedError, match="0 of 2 requests"), playing("weather", "gemini"):
        pass


@pytest.mark.parametrize(("name", "format"), EVERY)
def test_a_cassette_says_that_it_is_written_by_hand(name: str, format: str) -> None:
    text = path_of(name, format).read_text(encoding="utf-8")
    assert "\n# Written by hand, not recorded: no vendor was asked." in text.partition("\nint")[0]


def test_the_readme_says_so_too() -> None:
    text = (ROOT / "cassettes" / "README.md").read_text(encoding="utf-8")
    assert "**They are written by hand. None is a recording**" in text
    folders = {path.name for path in (ROOT / "cassettes").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == set(CONVERSATIONS)
    assert all(f"| `{name}` |" in text for name in CONVERSATIONS)


def interactions(name: str, format: str) -> list[dict[str, Any]]:
    text = path_of(name, format).read_text(encoding="utf-8")
    return list(ReadableYaml.deserialize(text)["interactions"])


@pytest.mark.parametrize(("name", "format"), EVERY)
def test_a_response_is_of_the_vendors_own_type(name: str, format: str) -> None:
    """By the type of the vendor's SDK, with unknown keys forbidden."""
    for each in interactions(name, format):
        assert response_errors(json.loads(each["response"]["body"]["string"]), format) == []


@pytest.mark.parametrize(("name", "format"), EVERY)
def test_people_can_read_a_cassette_and_find_no_key_in_it(name: str, format: str) -> None:
    text = path_of(name, format).read_text(encoding="utf-8")
    assert "\\u" not in text and "!!binary" not in text
    assert "부산" in text or "서울" in text or "이수진" in text
    for each in interactions(name, format):
        assert not set(KEY_HEADERS) & set(each["request"]["headers"])


def test_the_requests_are_up_to_date() -> None:
    """They match, or nothing would be played; this holds how they are laid out as well."""
    script = runpy.run_path(str(ROOT / "cassettes" / "update_requests.py"))
    for name, format in EVERY:
        path = path_of(name, format)
        updated = script["updated"](path, CONVERSATIONS[name], format)
        assert updated == path.read_text(encoding="utf-8"), f"{path}: run the script"


def test_what_a_vendor_signed_goes_back_to_it() -> None:
    """Thinking, thought signatures and encrypted reasoning stand in later requests as they came."""
    for format, key in (
        ("anthropic", '"signature"'),
        ("gemini", '"thoughtSignature"'),
        ("openai-responses", '"encrypted_content"'),
    ):
        first, *_, last = interactions("orders", format)
        assert key in first["response"]["body"]["string"]
        assert key in last["request"]["body"]
