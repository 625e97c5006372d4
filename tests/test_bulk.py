"""Many payloads at a time: order, memory, bad lines, and the lines of the vendors' batches."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, REQUESTS, RESPONSES
from command_line import (
    FINE,
    IMPOSSIBLE,
    LOSSES,
    UNREADABLE,
    USAGE,
    Run,
    as_lines,
)
from laws.corpus import recordings, requires_shared
from toolbridge import bulk
from toolbridge.bulk import Task, convert_lines

CHAT: Final[dict[str, Any]] = {
    "model": "m",
    "messages": [{"role": "user", "content": "안녕, 부산"}],
}
SEEDED: Final = CHAT | {"seed": 7}
STORED: Final = {"model": "m", "input": "go on", "previous_response_id": "resp_1"}
BAD: Final = b'{"model": \n'
TO_ANTHROPIC: Final = ("convert", "--jsonl", "--from", "openai-chat", "--to", "anthropic")
CHAT_TASK: Final = Task("openai-chat", "anthropic")


def numbered(count: int) -> Iterator[bytes]:
    """Requests that can be told apart."""
    return (as_lines(CHAT | {"user": f"user {number}"}) for number in range(count))


def converted(payload: Any, source: str, target: str, kind: str = "request") -> Any:
    return tb.convert(payload, source=source, target=target, kind=kind).payload


# lines


def test_each_line_is_converted_in_order(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, stdin=b"".join(numbered(100)))
    assert ran.code == FINE
    users = [line["metadata"]["user_id"] for line in ran.lines]
    assert users == [f"user {number}" for number in range(100)]
    assert ran.out.endswith(b"}\n")
    assert "부산".encode() in ran.out


@requires_shared
@pytest.mark.parametrize("target", FORMATS)
def test_recorded_requests_come_out_as_one_by_one(target: str, run: Run) -> None:
    for source in FORMATS:
        bodies = [each.request for each in recordings(source) if each.request is not None]
        ran = run("convert", "--jsonl", "--from", source, "--to", target, stdin=as_lines(*bodies))
        expected = []
        for body in bodies:
            try:
                expected.append(converted(body, source, target))
            except tb.ConversionError:
                continue
        assert ran.code == FINE
        assert ran.lines == expected
        assert f"{len(expected)} written, {len(bodies) - len(expected)} left out" in ran.err


@pytest.mark.parametrize("kind", ["request", "response", "tools", "error", "stream"])
def test_every_kind_can_stand_in_a_line(kind: str, run: Run) -> None:
    payloads: dict[str, Any] = {
        "request": REQUESTS["anthropic"],
        "response": RESPONSES["anthropic"],
        "tools": REQUESTS["anthropic"]["tools"],
        "error": {"type": "error", "error": {"type": "api_error", "message": "no"}},
        "stream": tb.write(
            tb.read(RESPONSES["anthropic"], "anthropic", "response"), "anthropic", kind="stream"
        ).payload,
    }
    payload = payloads[kind]
    options = ("convert", "--jsonl", "--from", "anthropic", "--to", "gemini", "--kind", kind)
    ran = run(*options, stdin=as_lines(payload, payload))
    assert ran.lines == [converted(payload, "anthropic", "gemini", kind)] * 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_order_is_kept_by_any_number_of_processes(jobs: int) -> None:
    """Groups of lines end at different times: every third one is long."""
    lines = [
        as_lines(CHAT | {"user": f"user {number}", "pad": "x" * (9000 if number % 192 < 64 else 1)})
        for number in range(700)
    ]
    found = list(convert_lines(iter(lines), CHAT_TASK, jobs))
    assert [line.number for line in found] == list(range(1, 701))
    users = [json.loads(line.text or "")["metadata"]["user_id"] for line in found]
    assert users == [f"user {number}" for number in range(700)]


def test_processes_do_the_same_as_one(run: Run, tmp_path: Path) -> None:
    """Losses, bad lines and the summary as well."""
    text = b"".join([*numbered(150), BAD, *numbered(150), as_lines(SEEDED, [])])
    runs = []
    for jobs in ("1", "2", "0"):
        file = tmp_path / f"{jobs}.jsonl"
        ran = run(*TO_ANTHROPIC, "--jobs", jobs, "--losses", str(file), stdin=text)
        runs.append((ran, file.read_text(encoding="utf-8")))
    assert runs[0] == runs[1] == runs[2]


def test_little_is_read_ahead_of_what_is_done() -> None:
    taken = 0

    def lines() -> Iterator[bytes]:
        nonlocal taken
        for line in numbered(10_000):
            taken += 1
            yield line

    found = convert_lines(lines(), CHAT_TASK, 2)
    next(found)
    found.close()
    assert taken <= bulk.LINES_AT_A_TIME * (bulk.AHEAD * 2 + 1)


def test_groups_end_at_so_many_lines_or_bytes() -> None:
    small = bulk.grouped(enumerate([b"x"] * 130))
    assert [len(group) for group in small] == [64, 64, 2]
    large = bulk.grouped(enumerate([b"x" * 600_000] * 5))
    assert [len(group) for group in large] == [2, 2, 1]


@pytest.mark.parametrize(("jobs", "most"), [(1, 500_000), (2, 9_000_000)])
def test_memory_does_not_grow_with_the_input(jobs: int, most: int) -> None:
    """What is kept is a line, or a few groups of lines for each process."""
    lines = (as_lines(CHAT | {"user": f"user {number}" + "x" * 9000}) for number in range(2000))
    tracemalloc.start()
    size = sum(line.size for line in convert_lines(lines, CHAT_TASK, jobs))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 18_000_000
    assert peak < most


# bad lines


def test_a_bad_line_is_told_by_number_and_the_others_go_on(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, stdin=as_lines(CHAT, BAD, CHAT, [], CHAT))
    assert ran.code == FINE
    assert len(ran.lines) == 3
    told = [line for line in ran.err.splitlines() if line.startswith("line ")]
    assert told[0].startswith("line 2: no JSON: ")
    assert told[1].startswith("line 4: at the top: expected an object as request, found list")
    assert "lines: 5, 3 written, 2 left out\n" in ran.err


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([STORED, BAD], UNREADABLE),
        ([STORED], IMPOSSIBLE),
        ([{"model": "m", "input": "hi", "truncation": "auto"}], LOSSES),
        ([{"model": "m", "input": "hi", "truncation": "auto"}, STORED], IMPOSSIBLE),
        ([{"model": "m", "input": "hi"}], FINE),
    ],
)
def test_strict_ends_with_the_gravest_code(lines: list[Any], code: int, run: Run) -> None:
    options = ("convert", "--jsonl", "--from", "openai-responses", "--to", "anthropic")
    assert run(*options, "--strict", stdin=as_lines(*lines)).code == code
    assert run(*options, stdin=as_lines(*lines)).code == FINE


def test_strict_leaves_out_lines_that_lose_meaning(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, "--strict", stdin=as_lines(CHAT, SEEDED, CHAT))
    assert ran.code == LOSSES
    assert len(ran.lines) == 2
    assert "line 2: left out under --strict: setting.unsupported at /seed\n" in ran.err


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe{}\n",
        b'{"model": "\xe3\x81"}\n',
        b"NaN\n",
        b"[" * 5000 + b"\n",
        b'"hi"\n',
        b"null\n",
        b'{"model": "m", "messages": [{"role": "user", "content": "\\ud83d"}]}\n',
        b'{"n": ' + b"9" * 5000 + b"}\n",
    ],
    ids=["utf-16", "cut letter", "nan", "nested", "text", "null", "half a pair", "digits"],
)
def test_no_line_stops_the_others(line: bytes, run: Run) -> None:
    ran = run(*TO_ANTHROPIC, "--strict", stdin=as_lines(CHAT, line, CHAT))
    assert ran.code == UNREADABLE
    assert len(ran.lines) == 2
    assert "line 2: " in ran.err
    assert "Traceback" not in ran.err


def test_empty_lines_line_ends_of_windows_and_a_byte_order_mark_are_no_fault(run: Run) -> None:
    text = b"\xef\xbb\xbf" + as_lines(CHAT) + b"\n  \r\n" + as_lines(CHAT).replace(b"\n", b"\r\n")
    ran = run(*TO_ANTHROPIC, "--strict", stdin=text + json.dumps(CHAT).encode())
    assert ran.code == FINE
    assert len(ran.lines) == 3
    assert ran.lines[0] == ran.lines[1] == ran.lines[2]
    assert "lines: 3, 3 written, 0 left out\n" in ran.err


def test_lines_are_numbered_as_in_the_file(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, stdin=as_lines(CHAT, b"\n\n", BAD))
    assert "line 4: no JSON" in ran.err


def test_no_lines_at_all_are_none(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, "--strict")
    assert (ran.code, ran.out) == (FINE, b"")
    assert "lines: 0, 0 written, 0 left out\n" in ran.err


def test_a_line_may_be_huge(run: Run) -> None:
    content = "단어 " * 1_000_000
    huge = CHAT | {"messages": [{"role": "user", "content": content}]}
    ran = run(*TO_ANTHROPIC, stdin=as_lines(CHAT, huge, CHAT))
    assert [line["messages"][0]["content"] for line in ran.lines][1] == content


# losses


def test_losses_are_summed_up_by_code_those_of_meaning_first(run: Run) -> None:
    ran = run(*TO_ANTHROPIC, stdin=as_lines(SEEDED, CHAT, SEEDED))
    lines = ran.err.splitlines()
    assert lines[0] == "lines: 3, 3 written, 0 left out"
    assert lines[1] == "losses: 2 of meaning (warning), 3 of bookkeeping (note)"
    assert lines[2].split()[:4] == ["warning", "dropped", "2", "setting.unsupported:"]
    assert lines[3].split()[:4] == ["note", "invented", "3", "default.invented:"]


def test_losses_go_to_a_file_with_the_number_of_their_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "losses.jsonl"
    run(*TO_ANTHROPIC, "--losses", str(file), stdin=as_lines(CHAT, b"\n", SEEDED))
    losses = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [loss.pop("line") for loss in losses] == [1, 3, 3]
    expected = tb.convert(SEEDED, source="openai-chat", target="anthropic").losses
    assert [tb.Loss(**loss) for loss in losses[1:]] == list(expected)


# recognising


def test_each_line_is_recognised_by_itself(run: Run) -> None:
    lines = [REQUESTS[format] for format in FORMATS]
    options = ("convert", "--jsonl", "--from", "auto", "--to", "gemini")
    ran = run(*options, stdin=as_lines(*lines, {"foo": 1}, REQUESTS["gemini"]))
    expected = [converted(REQUESTS[format], format, "gemini") for format in FORMATS]
    assert ran.lines == [*expected, REQUESTS["gemini"]]
    (told,) = (line for line in ran.err.splitlines() if line.startswith("formats: "))
    assert told.startswith("formats: gemini 2, ") and told.endswith(" (recognised)")
    assert "line 5: " in ran.err and "none of them" in ran.err


# batches

WRAPPED: Final[dict[str, dict[str, Any]]] = {
    "anthropic": {"custom_id": "1", "params": REQUESTS["anthropic"]},
    "openai-chat": {
        "custom_id": "1",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": REQUESTS["openai-chat"],
    },
    "openai-responses": {
        "custom_id": "1",
        "method": "POST",
        "url": "/v1/responses",
        "body": REQUESTS["openai-responses"],
    },
    "gemini": {"key": "1", "request": REQUESTS["gemini"]},
}
"""A line of a batch in each format, of one request."""

RESULTS: Final[dict[str, dict[str, Any]]] = {
    "anthropic": {
        "custom_id": "1",
        "result": {"type": "succeeded", "message": RESPONSES["anthropic"]},
    },
    "openai-chat": {
        "id": "batch_req_1",
        "custom_id": "1",
        "response": {"status_code": 200, "request_id": "r", "body": RESPONSES["openai-chat"]},
        "error": None,
    },
    "openai-responses": {
        "id": "batch_req_1",
        "custom_id": "1",
        "response": {"status_code": 200, "request_id": "r", "body": RESPONSES["openai-responses"]},
        "error": None,
    },
    "gemini": {"key": "1", "response": RESPONSES["gemini"]},
}
"""A result of a batch in each format, of one answer."""


def held(line: dict[str, Any]) -> Any:
    """The payload of a line of a batch."""
    for key in ("params", "body", "request"):
        if key in line:
            return line[key]
    inner = line.get("result") or line["response"]
    return inner.get("message") or inner.get("body") or inner


def batch(run: Run, source: str, target: str, line: Any, *options: str) -> Any:
    """One line, converted."""
    ran = run(
        "convert", "--jsonl", "--from", source, "--to", target, *options, stdin=as_lines(line)
    )
    (made,) = ran.lines
    return made


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("kind", ["request", "response"])
def test_a_line_of_a_batch_keeps_its_wrapper(source: str, target: str, kind: str, run: Run) -> None:
    line = (WRAPPED if kind == "request" else RESULTS)[source]
    payload = converted(held(line), source, target, kind)
    made = batch(run, source, target, line, "--kind", kind)
    assert held(made) == payload
    text = json.dumps(line).replace(json.dumps(held(line)), json.dumps(payload))
    assert made == json.loads(text)
    assert list(made) == list(line)
    assert batch(run, "auto", target, line, "--kind", kind) == made


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", FORMATS)
def test_batch_writes_requests_as_the_target_s_batches_have_them(
    source: str, target: str, run: Run
) -> None:
    line = WRAPPED[source] | {"label": "mine"}
    made = batch(run, source, target, line, "--batch")
    assert made.pop("label") == "mine"
    expected = WRAPPED[target]
    assert list(made) == list(expected)
    assert held(made) == converted(held(line), source, target)
    assert {**made, "params": 0, "body": 0, "request": 0} == {
        **expected,
        "params": 0,
        "body": 0,
        "request": 0,
    }


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", FORMATS)
def test_batch_writes_results_as_the_target_s_batches_have_them(
    source: str, target: str, run: Run
) -> None:
    made = batch(run, source, target, RESULTS[source], "--batch", "--kind", "response")
    payload = converted(held(RESULTS[source]), source, target, "response")
    expected: dict[str, Any] = {
        "anthropic": {"custom_id": "1", "result": {"type": "succeeded", "message": payload}},
        "gemini": {"key": "1", "response": payload},
    }
    answer = {"status_code": 200, "body": payload}
    openai = {"custom_id": "1", "response": answer, "error": None}
    assert made == expected.get(target, openai)


FAILED: Final = {
    "anthropic": {
        "custom_id": "1",
        "result": {
            "type": "errored",
            "error": {
                "type": "error",
                "error": {"type": "rate_limit_error", "message": "slow down"},
            },
        },
    },
    "openai-chat": {
        "custom_id": "1",
        "response": {
            "status_code": 429,
            "body": {"error": {"type": "requests", "message": "slow down"}},
        },
        "error": None,
    },
    "gemini": {
        "key": "1",
        "error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "slow down"},
    },
}
"""A request of a batch that failed."""


@pytest.mark.parametrize("options", [(), ("--batch",)])
@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", FAILED)
def test_a_result_may_be_an_error(
    source: str, target: str, options: tuple[str, ...], run: Run
) -> None:
    made = batch(run, source, target, FAILED[source], "--kind", "response", *options)
    assert "slow down" in json.dumps(made)
    words = {"anthropic": "rate_limit_error", "gemini": "RESOURCE_EXHAUSTED"}
    assert words.get(target, "slow down") in json.dumps(made)


def test_an_error_of_openai_s_batch_itself_is_one(run: Run) -> None:
    line = {
        "custom_id": "1",
        "response": None,
        "error": {"code": "batch_expired", "message": "too late"},
    }
    made = batch(run, "openai-chat", "anthropic", line, "--kind", "response")
    assert made == line | {"error": {"message": "too late"}}


@pytest.mark.parametrize("word", ["canceled", "expired"])
def test_a_request_without_an_answer_stays_as_it_is(word: str, run: Run) -> None:
    line = {"custom_id": "1", "result": {"type": word}}
    assert batch(run, "anthropic", "gemini", line, "--kind", "response") == line


@pytest.mark.parametrize(
    ("line", "kind", "other"),
    [
        (RESULTS["anthropic"], "request", "response"),
        (RESULTS["gemini"], "request", "response"),
        (WRAPPED["openai-chat"], "response", "request"),
        (WRAPPED["anthropic"], "tools", "request"),
    ],
)
def test_a_batch_of_another_kind_says_which(line: Any, kind: str, other: str, run: Run) -> None:
    """Its wrapper would be taken for a payload of nothing but unknown keys."""
    options = ("convert", "--jsonl", "--from", "anthropic", "--to", "gemini", "--kind", kind)
    ran = run(*options, stdin=as_lines(line))
    assert ran.out == b""
    assert f"--kind {other}" in ran.err


def test_a_data_set_keeps_what_stands_beside_the_payload(run: Run) -> None:
    line = {"label": 1, "custom_id": "a", "body": CHAT, "split": {"name": "train"}}
    made = batch(run, "openai-chat", "anthropic", line)
    assert list(made) == list(line)
    assert made == line | {"body": converted(CHAT, "openai-chat", "anthropic")}


def test_the_pointers_of_losses_point_into_the_payload(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "losses.jsonl"
    line = {"custom_id": "a", "body": SEEDED}
    run(*TO_ANTHROPIC, "--losses", str(file), stdin=as_lines(line))
    assert "/seed" in {json.loads(each)["path"] for each in file.read_text().splitlines()}


# options and files


@pytest.mark.parametrize(
    "options",
    [
        ("--jsonl", "--as", "sse", "--kind", "stream"),
        ("--jsonl", "--jobs", "-1"),
        ("--jsonl", "--jobs", "many"),
        ("--jobs", "2"),
        ("--batch",),
    ],
)
def test_options_that_do_not_go_together_are_a_matter_of_usage(
    options: tuple[str, ...], run: Run
) -> None:
    ran = run("convert", "--from", "openai-chat", "--to", "gemini", *options, stdin=CHAT)
    assert (ran.code, ran.out) == (USAGE, b"")


def test_the_input_is_not_written_over(run: Run, tmp_path: Path) -> None:
    """It would be empty before it is read."""
    file = tmp_path / "in.jsonl"
    file.write_bytes(as_lines(CHAT))
    ran = run(*TO_ANTHROPIC, str(file), "-o", str(file))
    assert ran.code == USAGE
    assert file.read_bytes() == as_lines(CHAT)


def test_a_missing_input_leaves_no_output(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    ran = run(*TO_ANTHROPIC, "nowhere.jsonl", "-o", str(target))
    assert ran.code == UNREADABLE
    assert not target.exists()
