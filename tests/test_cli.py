"""The command line: exit codes, streams, files, and what it says to a person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import toolbridge as tb
from command_line import FINE, IMPOSSIBLE, LOSSES, UNREADABLE, USAGE, Run
from toolbridge.loss import CODES

CHAT: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "안녕, 부산"}]}
SEEDED: dict[str, Any] = CHAT | {"seed": 7}
TO_ANTHROPIC = ("convert", "--from", "openai-chat", "--to", "anthropic")
TO_GEMINI = ("convert", "--from", "openai-chat", "--to", "gemini")

# input and output


def test_a_body_from_standard_input_goes_to_standard_output(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, stdin=CHAT)
    assert ran.code == FINE
    assert ran.payload == tb.convert(CHAT, source="openai-chat", target="anthropic").payload


def test_a_dash_is_standard_input(run: Run) -> None:
    assert run(*TO_ANTHROPIC, "-", stdin=CHAT) == run(*TO_ANTHROPIC, stdin=CHAT)


def test_a_file_is_read_and_written(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "in.json", tmp_path / "out.json"
    source.write_text(json.dumps(CHAT), encoding="utf-8")
    ran = run(*TO_ANTHROPIC, str(source), "-o", str(target))
    assert (ran.code, ran.out) == (FINE, b"")
    assert json.loads(target.read_bytes()) == run(*TO_ANTHROPIC, stdin=CHAT).payload


def test_the_payload_is_pretty_and_its_text_stands_as_it_is(run: Run) -> None:
    """People read it: no escapes for what UTF-8 can say, two spaces a level, a line end."""
    out = run(*TO_ANTHROPIC, stdin=CHAT).out
    assert out.startswith(b'{\n  "')
    assert out.endswith(b"}\n")
    assert "안녕, 부산".encode() in out
    assert b"\\u" not in out


def test_compact_is_one_line_of_the_same(run: Run) -> None:
    out = run(*TO_ANTHROPIC, "--compact", stdin=CHAT).out
    assert out.count(b"\n") == 1
    assert out.endswith(b"}\n")
    assert b'": ' not in out
    assert json.loads(out) == run(*TO_ANTHROPIC, stdin=CHAT).payload
    assert "안녕, 부산".encode() in out


def test_a_body_with_a_byte_order_mark_is_read(run: Run) -> None:
    """Editors on Windows put one there."""
    body = b"\xef\xbb\xbf" + json.dumps(CHAT).encode()
    assert run(*TO_ANTHROPIC, stdin=body).code == FINE


def test_big_numbers_keep_their_digits(run: Run) -> None:
    """An id of 19 digits in arguments is not a float."""
    big = 9007199254740993123
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": "f", "arguments": f'{{"id":{big}}}'},
    }
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "r"},
    ]
    out = run(*TO_ANTHROPIC, stdin={"model": "m", "messages": messages}).out
    assert str(big).encode() in out


# options


def test_a_model_replaces_that_of_the_body(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, "--model", "claude-opus-5-5", stdin=CHAT)
    assert ran.payload["model"] == "claude-opus-5-5"


def test_the_envelope_is_told_on_standard_error(run: Run) -> None:
    """The caller needs path and model, which the body for Gemini does not hold."""
    ran = run(*TO_GEMINI, "--model", "gemini-3-pro", stdin=CHAT)
    assert "model" not in ran.payload
    assert "model: gemini-3-pro\n" in ran.err
    assert "path: /v1/models/gemini-3-pro:generateContent\n" in ran.err


def test_tools_are_a_kind(run: Run) -> None:
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
    ran = run(*TO_ANTHROPIC, "--kind", "tools", stdin=tools)
    assert ran.code == FINE
    assert ran.payload == [{"name": "f", "input_schema": {"type": "object"}}]


def test_an_error_body_is_a_kind(run: Run) -> None:
    body = {"error": {"message": "no", "type": "server_error", "param": None, "code": None}}
    ran = run(*TO_ANTHROPIC, "--kind", "error", stdin=body)
    assert ran.code == FINE
    assert ran.payload["error"]["message"] == "no"


def test_losses_are_told_warnings_first(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, stdin=SEEDED)
    assert ran.code == FINE, "without --strict a loss is no failure"
    lines = [line for line in ran.err.splitlines() if line.startswith("  ")]
    assert "losses: 1 of meaning (warning), 1 of bookkeeping (note)" in ran.err
    assert lines[0].split()[:3] == ["warning", "dropped", "/seed"]
    assert lines[1].split()[0] == "note"


def test_losses_go_to_a_file_as_json_lines(run: Run, tmp_path: Path) -> None:
    """One JSON object a line, with the fields of a Loss: programs read it."""
    file = tmp_path / "losses.jsonl"
    assert run(*TO_ANTHROPIC, "--losses", str(file), stdin=SEEDED).code == FINE
    losses = tb.convert(SEEDED, source="openai-chat", target="anthropic").losses
    assert file.read_bytes().endswith(b"}\n")
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [tb.Loss(**json.loads(line)) for line in lines] == list(losses)


def test_no_loss_is_an_empty_file(run: Run, tmp_path: Path) -> None:
    """The file of an earlier run must not be taken for that of this one."""
    file = tmp_path / "losses.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    chat = ("convert", "--from", "openai-chat", "--to", "openai-chat")
    assert run(*chat, "--losses", str(file), stdin=CHAT).code == FINE
    assert file.read_text(encoding="utf-8") == ""


def test_strict_writes_nothing_if_meaning_is_lost(run: Run, tmp_path: Path) -> None:
    target, losses = tmp_path / "out.json", tmp_path / "losses.jsonl"
    ran = run(*TO_ANTHROPIC, "--strict", "-o", str(target), "--losses", str(losses), stdin=SEEDED)
    assert (ran.code, ran.out) == (LOSSES, b"")
    assert not target.exists()
    assert "/seed" in ran.err
    assert "--strict" in ran.err
    assert losses.read_text(encoding="utf-8").count("\n") == 2, "the losses are told all the same"


def test_strict_minds_no_notes(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, "--strict", stdin=CHAT)
    assert ran.code == FINE
    assert "1 of bookkeeping (note)" in ran.err
    assert ran.payload["max_tokens"] > 0


# what goes wrong


def test_without_a_command_or_formats_it_is_a_matter_of_usage(run: Run) -> None:
    assert run().code == USAGE
    assert run("convert", "--from", "openai-chat").code == USAGE
    assert run("convert", "--from", "openai-chat", "--to", "gemini", "--kind", "film").code == USAGE
    assert run("translate").code == USAGE


@pytest.mark.parametrize("end", ["--from", "--to"])
def test_an_unknown_format_names_those_that_there_are(run: Run, end: str) -> None:
    ends = {"--from": "openai-chat", "--to": "anthropic"} | {end: "openai"}
    ran = run("convert", *(each for pair in ends.items() for each in pair), stdin=CHAT)
    assert (ran.code, ran.out) == (USAGE, b"")
    assert "'openai'" in ran.err
    for name in ("anthropic", "openai-chat", "openai-responses", "gemini"):
        assert name in ran.err


def test_an_unknown_profile_names_those_that_there_are(run: Run) -> None:
    ran = run("convert", "--from", "openai-chat", "--to", "openai-chat:mistrel", stdin=CHAT)
    assert ran.code == USAGE
    assert "'mistrel'" in ran.err
    assert "mistral" in ran.err


def test_a_missing_file_is_named(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, "nowhere.json")
    assert (ran.code, ran.out) == (UNREADABLE, b"")
    assert ran.err == "toolbridge: nowhere.json: No such file or directory\n"


@pytest.mark.parametrize("text", [b"", b"{", b"{} {}", b"\xff\xfe\x00", b"[" * 100_000])
def test_what_is_no_json_is_not_readable(run: Run, text: bytes) -> None:
    ran = run(*TO_ANTHROPIC, stdin=text)
    assert (ran.code, ran.out) == (UNREADABLE, b"")
    assert ran.err.startswith("toolbridge: at the top: expected one JSON value")
    assert "standard input" in ran.err


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_does_not_have_are_not_readable(run: Run, word: str) -> None:
    """Python's parser takes them; no vendor does."""
    text = f'{{"model": "m", "messages": [], "temperature": {word}}}'.encode()
    ran = run(*TO_ANTHROPIC, stdin=text)
    assert (ran.code, ran.out) == (UNREADABLE, b"")
    assert "at /temperature: expected a finite number" in ran.err


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("request", [], "an object as request, found list"),
        ("response", "hi", "an object as response, found str"),
        ("tools", 5, "a list as tools, found int"),
        ("error", 5, "an object, a list or a text as error, found int"),
    ],
)
def test_a_body_of_another_outer_type_is_not_readable(
    run: Run, kind: str, body: Any, expected: str
) -> None:
    ran = run(*TO_ANTHROPIC, "--kind", kind, stdin=body)
    assert ran.code == UNREADABLE
    assert f"at the top: expected {expected}" in ran.err


def test_an_error_body_given_as_a_response_says_which_kind_it_is(run: Run) -> None:
    body = {"error": {"message": "slow down", "type": "rate_limit", "param": None, "code": None}}
    ran = run(*TO_ANTHROPIC, "--kind", "response", stdin=body)
    assert (ran.code, ran.out) == (UNREADABLE, b"")
    assert "slow down" in ran.err
    assert "--kind error" in ran.err


def test_what_only_a_server_holds_cannot_be_converted(run: Run) -> None:
    body = {"model": "m", "input": "go on", "previous_response_id": "resp_1"}
    ran = run("convert", "--from", "openai-responses", "--to", "anthropic", stdin=body)
    assert (ran.code, ran.out) == (IMPOSSIBLE, b"")
    assert ran.err.startswith("toolbridge: at /previous_response_id: ")


@pytest.mark.parametrize("option", ["-o", "--losses"])
def test_a_file_that_cannot_be_written_is_named(run: Run, tmp_path: Path, option: str) -> None:
    file = tmp_path / "missing" / "file.json"
    ran = run(*TO_ANTHROPIC, option, str(file), stdin=CHAT)
    assert ran.code != FINE
    assert str(file) in ran.err
    assert "Traceback" not in ran.err


# formats, help, version


def test_formats_tells_of_places_profiles_and_settings(run: Run) -> None:
    ran = run("formats")
    assert (ran.code, ran.err) == (FINE, "")
    text = ran.out.decode()
    for title in ("What each format carries", "Profiles", "Settings"):
        assert f"{title}\n\n" in text
    assert "openai-chat:mistral" in text
    assert "max_completion_tokens" in text


def test_formats_tells_who_says_so(run: Run) -> None:
    text = run("formats", "--sources").out.decode()
    assert text.startswith("Who says whether a format carries it\n")
    assert "google-genai" in text
    assert "anthropic 2" in text


def test_formats_tells_every_code_of_a_loss(run: Run) -> None:
    lines = run("formats", "--losses").out.decode().splitlines()
    assert {line.split()[0] for line in lines[3:] if line} == set(CODES)


@pytest.mark.parametrize("options", [(), ("--sources",), ("--losses",)])
def test_formats_as_json_is_tables_of_objects(run: Run, options: tuple[str, ...]) -> None:
    tables = run("formats", "--json", *options).payload
    for rows in tables.values():
        assert rows
        assert all(row.keys() == rows[0].keys() for row in rows)


def test_formats_as_json_has_a_column_for_each_format(run: Run) -> None:
    (carried, *_) = run("formats", "--json").payload.values()
    assert carried[0] == {"carries": "text"} | {info.name: "yes" for info in tb.formats()}


@pytest.mark.parametrize("command", ["convert", "formats"])
def test_help_has_examples(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == FINE
    assert f"examples:\n  toolbridge {command}" in ran.out.decode()


def test_the_examples_of_the_help_are_right(run: Run) -> None:
    """Each names options and formats that there are: it reads its input and finds it missing."""
    text = run("convert", "--help").out.decode()
    lines = [
        line.split("toolbridge ")[1]
        for line in text.splitlines()
        if "toolbridge convert --" in line
    ]
    assert len(lines) == 12
    for line in lines:
        ran = run(*line.split())
        assert ran.code == UNREADABLE, line


def test_version(run: Run) -> None:
    ran = run("--version")
    assert (ran.code, ran.out.decode()) == (FINE, f"toolbridge {tb.__version__}\n")
