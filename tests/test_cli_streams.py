"""Streams on the command line: as they come, in every form, and when they break off."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, RESPONSES
from command_line import FINE, INTERRUPTED, LOSSES, PROGRAM, UNREADABLE, USAGE, Run, as_lines
from laws.corpus import recordings, requires_shared
from toolbridge.streams.pipe import Pipe
from toolbridge.streams.text import StreamText

STREAM: Final = ("convert", "--kind", "stream")
CHAT_TO_ANTHROPIC: Final = (*STREAM, "--from", "openai-chat", "--to", "anthropic")


def events_in(format: str) -> list[Any]:
    """The stream of one answer."""
    response = tb.read(RESPONSES[format], format, "response")
    events: list[Any] = tb.write(response, format, kind="stream").payload
    return events


def chunk(**delta: Any) -> dict[str, Any]:
    """A chunk of Chat Completions."""
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}


STOP: Final = {
    **chunk(),
    "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
}
SAID: Final = [chunk(role="assistant", content="부산"), chunk(content="은 맑음"), STOP]


def as_sse(*events: Any, end: str = "\n") -> bytes:
    """Events as the text of a response."""
    return "".join(f"data: {json.dumps(each)}{end}{end}" for each in events).encode()


def as_array(*events: Any) -> bytes:
    """Events as Gemini sends them without `alt=sse`."""
    return json.dumps([*events]).encode()


FORMS: Final = {"sse": as_sse, "lines": as_lines, "array": as_array}


def parsed(text: bytes) -> list[Any]:
    """The events of a text in any form."""
    reader = StreamText()
    return [*reader.feed(text), *reader.end()]


def form_of(text: bytes) -> str:
    return {b"[": "array", b"{": "lines"}.get(text[:1], "sse")


def converted(events: list[Any], source: str, target: str) -> list[Any]:
    made: list[Any] = tb.convert(events, source=source, target=target, kind="stream").payload
    return made


# forms


@requires_shared
@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", FORMATS)
def test_a_recorded_stream_comes_out_as_in_python(source: str, target: str) -> None:
    """Whatever the form, and in pieces of any size."""
    for number, recording in enumerate(each for each in recordings(source) if each.events):
        events = [each["data"] for each in recording.events or () if each["data"] != "[DONE]"]
        form = list(FORMS)[number % 3]
        text, size = FORMS[form](*events), 1 + 97 * (number % 7)
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        pipe = Pipe("auto" if number % 2 else source, target)
        out = "".join(pipe.run(pieces)).encode()
        made = tb.convert(events, source=source, target=target, kind="stream")
        assert parsed(out) == made.payload, recording.name
        assert form_of(out) == form
        assert pipe.source == source
        assert pipe.losses == made.losses


@pytest.mark.parametrize("wanted", FORMS)
@pytest.mark.parametrize("form", FORMS)
def test_the_form_stays_unless_another_is_asked_for(form: str, wanted: str, run: Run) -> None:
    text = FORMS[form](*events_in("gemini"))
    options = (*STREAM, "--from", "gemini", "--to", "openai-responses")
    same, other = run(*options, stdin=text), run(*options, "--as", wanted, stdin=text)
    assert (same.code, other.code) == (FINE, FINE)
    assert (form_of(same.out), form_of(other.out)) == (form, wanted)
    assert parsed(same.out) == parsed(other.out)
    assert parsed(same.out) == converted(events_in("gemini"), "gemini", "openai-responses")


def test_an_array_is_json(run: Run) -> None:
    ran = run(*CHAT_TO_ANTHROPIC, "--as", "array", stdin=as_sse(*SAID))
    assert ran.payload == converted(SAID, "openai-chat", "anthropic")


def test_lines_are_json_lines_with_letters_as_they_are(run: Run) -> None:
    ran = run(*CHAT_TO_ANTHROPIC, "--as", "lines", stdin=as_sse(*SAID))
    assert ran.lines == converted(SAID, "openai-chat", "anthropic")
    assert "부산".encode() in ran.out


@pytest.mark.parametrize("target", FORMATS)
def test_events_are_named_and_the_end_is_marked_as_the_vendor_does(target: str, run: Run) -> None:
    """Anthropic and OpenAI Responses name their events, Chat Completions ends with `[DONE]`."""
    text = as_sse(*events_in("gemini"))
    ran = run(*STREAM, "--from", "gemini", "--to", target, stdin=text)
    named = target in ("anthropic", "openai-responses")
    assert ran.out.startswith(b"event: " if named else b"data: ")
    assert ran.out.endswith(b"data: [DONE]\n\n") is (target == "openai-chat")
    assert ran.out.endswith(b"\n\n")


def test_text_is_read_as_the_standard_has_it(run: Run) -> None:
    """A byte order mark, line ends of Windows, comments, `[DONE]`, data in several lines, and a
    last event without its blank line."""
    first, second, third = (json.dumps(each, indent=1).splitlines() for each in SAID)
    lines = [
        ": keep-alive",
        *(f"data: {line}" for line in first),
        "",
        "event: x",
        "id: 1",
        *(f"data:{line}" for line in second),
        "",
        ":",
        "data: [DONE]",
        "",
        *(f"data: {line}" for line in third),
    ]
    ran = run(*CHAT_TO_ANTHROPIC, stdin=b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert ran.code == FINE
    assert parsed(ran.out) == converted(SAID, "openai-chat", "anthropic")


def test_empty_lines_between_json_lines_are_none(run: Run) -> None:
    text = b"\r\n\r\n".join(as_lines(each) for each in SAID)
    ran = run(*CHAT_TO_ANTHROPIC, stdin=b"\xef\xbb\xbf\n" + text)
    assert ran.lines == converted(SAID, "openai-chat", "anthropic")


def test_the_same_format_is_handed_on(run: Run) -> None:
    ran = run(*STREAM, "--from", "gemini", "--to", "gemini", stdin=as_sse({"foo": [1, None]}))
    assert parsed(ran.out) == [{"foo": [1, None]}]


def test_an_event_may_be_huge(run: Run) -> None:
    events = [chunk(role="assistant", content="단어 " * 500_000), STOP]
    ran = run(*CHAT_TO_ANTHROPIC, stdin=as_sse(*events))
    assert parsed(ran.out) == converted(events, "openai-chat", "anthropic")


def test_half_a_letter_between_two_events_stays_an_escape(run: Run) -> None:
    """Servers that cut by UTF-16 send half an emoji, which has no UTF-8."""
    events = [chunk(role="assistant", content="\ud83d"), chunk(content="\ude00")]
    options = (*STREAM, "--from", "openai-chat", "--to", "openai-chat")
    ran = run(*options, stdin=as_sse(*events))
    assert ran.code == FINE
    assert parsed(ran.out) == events


# recognising


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("form", FORMS)
def test_auto_says_which_format_it_took(source: str, form: str, run: Run) -> None:
    events = events_in(source)
    target = "gemini" if source != "gemini" else "anthropic"
    options = (*STREAM, "--from", "auto", "--to", target)
    ran = run(*options, stdin=FORMS[form](*events))
    assert ran.code == FINE
    assert f"format: {source} (recognised)\n" in ran.err
    assert parsed(ran.out) == converted(events, source, target)


def test_what_came_before_the_format_was_known_is_not_lost(run: Run) -> None:
    events = [{"type": "ping"}, *events_in("anthropic")]
    ran = run(*STREAM, "--from", "auto", "--to", "anthropic", stdin=as_sse(*events))
    assert parsed(ran.out) == events


def test_a_single_payload_is_recognised_as_well(run: Run) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    ran = run("convert", "--from", "auto", "--to", "gemini", stdin=body)
    assert ran.payload == tb.convert(body, source="openai-chat", target="gemini").payload
    assert ran.err.startswith("format: openai-chat (recognised)\n")
    answer = RESPONSES["anthropic"]
    options = ("convert", "--from", "auto", "--to", "gemini", "--kind", "response")
    assert "format: anthropic (recognised)\n" in run(*options, stdin=answer).err


@pytest.mark.parametrize("kind", ["request", "response", "tools", "stream"])
def test_what_no_format_reads_is_not_readable(kind: str, run: Run) -> None:
    ran = run("convert", "--from", "auto", "--to", "gemini", "--kind", kind, stdin=[5])
    assert (ran.code, ran.out) == (UNREADABLE, b"")
    assert "none of them" in ran.err or "expected an object" in ran.err


# losses


def test_losses_come_at_the_end(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "losses.jsonl"
    text = as_sse(*events_in("openai-chat"))
    options = (*STREAM, "--from", "openai-chat", "--to", "anthropic", "--losses", str(file))
    ran = run(*options, stdin=text)
    losses = tb.convert(
        events_in("openai-chat"), source="openai-chat", target="anthropic", kind="stream"
    ).losses
    told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert losses
    assert [tb.Loss(**each) for each in told] == list(losses)
    assert "losses: " in ran.err


LOSSY: Final = [
    chunk(role="assistant", content="hi"),
    {**STOP, "choices": [*STOP["choices"], {"index": 1, "delta": {"content": "ho"}}]},
]
"""Two alternatives, where Anthropic has one answer."""


def test_strict_can_only_tell_by_its_exit_code(run: Run) -> None:
    """What was written stays: a stream goes out before its losses are known."""
    ran = run(*CHAT_TO_ANTHROPIC, "--strict", stdin=as_sse(*LOSSY))
    assert ran.code == LOSSES
    assert "alternative.dropped" in ran.err and "--strict" in ran.err
    assert ran.out == run(*CHAT_TO_ANTHROPIC, stdin=as_sse(*LOSSY)).out != b""


def test_strict_minds_no_notes(run: Run) -> None:
    assert run(*CHAT_TO_ANTHROPIC, "--strict", stdin=as_sse(*SAID)).code == FINE


# what breaks off


def test_what_was_written_before_a_fault_stays(run: Run) -> None:
    text = as_sse(*SAID[:2]) + b'data: {"choices": [\n\n'
    ran = run(*CHAT_TO_ANTHROPIC, stdin=text)
    assert ran.code == UNREADABLE
    assert ran.err.startswith("toolbridge: at /2: expected JSON")
    assert "부산".encode() in ran.out
    assert b"message_stop" not in ran.out


@pytest.mark.parametrize("form", FORMS)
def test_a_text_that_ends_within_an_event_is_not_readable(form: str, run: Run) -> None:
    text = FORMS[form](*SAID)
    ran = run(*CHAT_TO_ANTHROPIC, stdin=text[: len(text) * 2 // 3])
    assert ran.code == UNREADABLE
    assert "부산".encode() in ran.out
    assert "Traceback" not in ran.err


def test_a_stream_without_its_stop_is_told_to_be_broken_off(run: Run) -> None:
    ran = run(*CHAT_TO_ANTHROPIC, stdin=as_sse(*SAID[:2]))
    assert ran.code == FINE
    assert "the stream broke off: its answer is not whole\n" in ran.err
    whole = run(*CHAT_TO_ANTHROPIC, stdin=as_sse(*SAID))
    assert "broke off" not in whole.err


def test_an_error_in_the_middle_is_said_in_the_target_s_words(run: Run) -> None:
    error = {"error": {"message": "slow down", "type": "server_error"}}
    ran = run(*CHAT_TO_ANTHROPIC, stdin=as_sse(*SAID[:2], error))
    last = parsed(ran.out)[-1]
    assert last["type"] == "error" and last["error"]["message"] == "slow down"
    assert "broke off" in ran.err


@pytest.mark.parametrize("text", [b"", b"\n\n", b": nothing\n\n", b"data: [DONE]\n\n", b"[]"])
@pytest.mark.parametrize("source", ["openai-chat", "anthropic", "auto"])
def test_no_events_are_not_readable(text: bytes, source: str, run: Run) -> None:
    ran = run(*STREAM, "--from", source, "--to", "anthropic", stdin=text)
    assert (ran.code, ran.out) == (UNREADABLE, b"")


@pytest.mark.parametrize("text", [b"hello", b"\xff\xfe\x00", b"<html>no</html>", b"data: x\n\n"])
def test_what_is_no_stream_is_not_readable(text: bytes, run: Run) -> None:
    ran = run(*CHAT_TO_ANTHROPIC, stdin=text)
    assert (ran.code, ran.out) == (UNREADABLE, b"")
    assert "Traceback" not in ran.err


def test_letters_that_are_no_utf_8_are_replaced(run: Run) -> None:
    """As the standard says of server-sent events."""
    text = as_sse(*SAID).replace(b"\\ubd80", b"\xff")
    ran = run(*CHAT_TO_ANTHROPIC, stdin=text)
    assert ran.code == FINE
    assert "�".encode() in ran.out


# options and files


@pytest.mark.parametrize(
    "options",
    [(*STREAM, "--model", "m"), ("convert", "--as", "sse"), (*STREAM, "--as", "film")],
)
def test_options_that_do_not_go_together_are_a_matter_of_usage(
    options: tuple[str, ...], run: Run
) -> None:
    ran = run(*options, "--from", "openai-chat", "--to", "anthropic", stdin=as_sse(*SAID))
    assert (ran.code, ran.out) == (USAGE, b"")


def test_files_are_read_and_written(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "in.sse", tmp_path / "out.sse"
    source.write_bytes(as_sse(*SAID))
    assert run(*CHAT_TO_ANTHROPIC, str(source), "-o", str(target)).code == FINE
    assert parsed(target.read_bytes()) == converted(SAID, "openai-chat", "anthropic")
    assert run(*CHAT_TO_ANTHROPIC, str(source), "-o", str(source)).code == USAGE
    assert source.read_bytes() == as_sse(*SAID)


# memory


def endless(count: int) -> Iterator[bytes]:
    """The text of a long stream, piece by piece."""
    yield as_sse(chunk(role="assistant", content=""))
    for number in range(count):
        yield as_sse(chunk(content=f" word {number}"))
    yield as_sse(STOP)


@pytest.mark.parametrize("target", FORMATS)
def test_memory_grows_by_the_pieces_of_the_answer_alone(target: str) -> None:
    """Not by the events: what is handed on as it is leaves nothing, of what is converted the
    text stays, in pieces of a tenth of their event's size."""

    def kept(count: int) -> tuple[int, int]:
        pipe = Pipe("openai-chat", target)
        tracemalloc.start()
        size = sum(map(len, pipe.run(endless(count))))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size, peak

    kept(10)
    size, peak = kept(20_000)
    assert size > 2_500_000
    assert peak < (50_000 if target == "openai-chat" else 3_500_000)


# as a program


def start(*arguments: str, **pipes: Any) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    pipe = subprocess.PIPE
    options: dict[str, Any] = {"stdin": pipe, "stdout": pipe, "stderr": pipe, **pipes}
    program: Any = subprocess.Popen([*PROGRAM, *arguments], **options)
    assert isinstance(program, subprocess.Popen)
    return program


def send(program: subprocess.Popen[bytes], text: bytes) -> None:
    assert program.stdin is not None
    program.stdin.write(text)
    program.stdin.flush()


def receive(program: subprocess.Popen[bytes], word: str) -> None:
    """Wait for a line with a word in it."""
    assert program.stdout is not None
    while word not in (line := program.stdout.readline().decode()):
        assert line, f"no {word!r} came"


def test_an_event_goes_out_while_the_next_is_not_there_yet() -> None:
    with start(*CHAT_TO_ANTHROPIC) as program:
        for event, word in zip(SAID[:2], ("부산", "은 맑음"), strict=True):
            send(program, as_sse(event))
            receive(program, word)
        send(program, as_sse(STOP))
        out, _ = program.communicate(timeout=60)
    assert b"message_stop" in out
    assert program.returncode == FINE


def test_a_line_goes_out_while_the_next_is_not_there_yet() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    options = ("convert", "--jsonl", "--from", "openai-chat", "--to", "anthropic")
    with start(*options) as program:
        for _ in range(3):
            send(program, as_lines(body))
            receive(program, '"messages"')
        program.communicate(timeout=60)
    assert program.returncode == FINE


LONG: Final = {
    "stream": (CHAT_TO_ANTHROPIC, as_sse(*SAID[:1], *[SAID[1]] * 2000)),
    "lines": (
        ("convert", "--jsonl", "--from", "openai-chat", "--to", "anthropic"),
        as_lines(*[{"model": "m", "messages": [{"role": "user", "content": "hi"}]}] * 2000),
    ),
    "lines, two processes": (
        ("convert", "--jsonl", "--jobs", "2", "--from", "openai-chat", "--to", "anthropic"),
        as_lines(*[{"model": "m", "messages": [{"role": "user", "content": "hi"}]}] * 2000),
    ),
}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes and signals")
@pytest.mark.parametrize("case", LONG)
def test_a_reader_that_goes_away_is_met_with_silence(case: str, tmp_path: Path) -> None:
    """As with `| head -1`."""
    options, text = LONG[case]
    file = tmp_path / "input"
    file.write_bytes(text)
    with start(*options, str(file)) as program:
        assert program.stdout is not None and program.stderr is not None
        assert program.stdout.readline()
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait(timeout=60) == FINE


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes and signals")
@pytest.mark.parametrize("case", LONG)
def test_an_interrupt_ends_it_in_one_line_and_what_was_written_stays(case: str) -> None:
    options, text = LONG[case]
    with start(*options, start_new_session=True) as program:
        send(program, text[: len(text) // 5])
        assert program.stdout is not None
        assert program.stdout.readline()
        os.killpg(program.pid, signal.SIGINT)
        _, err = program.communicate(timeout=60)
    assert program.returncode == INTERRUPTED
    assert err.decode() == "toolbridge: interrupted\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_terminal_sees_a_progress_bar_and_a_file_does_not(tmp_path: Path) -> None:
    import fcntl
    import pty
    import termios

    options, text = LONG["lines"]
    file = tmp_path / "input"
    file.write_bytes(text + b"{bad\n")
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with start(*options, str(file), "-o", str(tmp_path / "out"), stderr=follower) as program:
        os.close(follower)
        shown = b"".join(iter(lambda: read_terminal(leader), b""))
        assert program.wait(timeout=60) == FINE
    os.close(leader)
    assert b"100%|" in shown and b"B/s" in shown
    assert b"line 2001: no JSON" in shown
    assert b"lines: 2001, 2000 written, 1 left out" in shown
    plain = subprocess.run([*PROGRAM, *options, str(file)], capture_output=True, check=True)
    assert b"%" not in plain.stderr


def read_terminal(terminal: int) -> bytes:
    """What a program wrote to a terminal; nothing once it is gone."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""
