"""Law 3, acceptable: what is written for another format would be taken by that vendor.

Every converted request has the types of the vendor's SDK and breaks none of its rules, with a
model passed in and, where the target keeps the model outside the body, with none; every
converted response has the types of a response. No signature of another vendor is left, and what
is invented follows from the content.
"""

import itertools
import os
import random
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

import toolbridge as tb
from acceptable.signatures import foreign_signatures
from acceptable.verdict import response_errors

from .corpus import Recording, recordings, requires_shared
from .exemptions import is_exempt
from .models import MODELS
from .pointers import Json
from .round_trip import PAIRS, SOURCES, written
from .spelling import Kind, base_format
from .taken import REPORTED, findings, written_findings

OUTSIDE = ("gemini", "gemini:vertex", "openai-chat:azure")
"""Targets whose body names no model: none is passed in."""

TARGETS = (
    *MODELS,
    "anthropic:2023-06-01",
    "openai-chat:azure",
    "openai-chat:groq",
    "openai-chat:openrouter",
    "openai-responses:azure",
    "openai-responses:deepseek",
    "openai-responses:openrouter",
    "gemini:vertex",
    "gemini:gemini-3",
)
"""Targets that get the model of the recording."""

Body = dict[str, Json]


def asked_of(source: str, kind: Kind) -> Iterator[tuple[Recording, Body]]:
    """The bodies of a format that law 3 is asked of."""
    for recording in recordings(base_format(source)):
        for of, body in recording.bodies:
            if of == kind and not is_exempt(recording, kind, 3):
                yield recording, body


def pairs(targets: Iterable[str]) -> list[tuple[str, str]]:
    """Every source with every target of another format."""
    crossed = itertools.product(SOURCES, targets)
    return [pair for pair in crossed if base_format(pair[0]) != base_format(pair[1])]


def holds(source: str, target: str, model: Callable[[Recording, Body], str | None]) -> None:
    """Print how many requests of a source hold in a target; fail with what is found."""
    found = {
        str(recording): written_findings(body, source, target, model(recording, body))
        for recording, body in asked_of(source, "request")
    }
    broken = [f"{name}: {line}" for name, lines in found.items() for line in lines]
    held = sum(not lines for lines in found.values())
    print(f"{source} > {target}: {held} of {len(found)} requests hold")
    assert found
    assert not broken, "\n".join(broken[:10])


@requires_shared
@pytest.mark.parametrize(("source", "target"), pairs(MODELS))
def test_a_request_for_a_model_is_taken(source: str, target: str) -> None:
    holds(source, target, lambda recording, body: MODELS[target])


@requires_shared
@pytest.mark.parametrize(("source", "target"), pairs(TARGETS))
def test_a_request_for_its_own_model_is_taken(source: str, target: str) -> None:
    def recorded(recording: Recording, body: Body) -> str | None:
        return None if isinstance(body.get("model"), str) else recording.model or "some-model"

    holds(source, target, recorded)


@requires_shared
@pytest.mark.parametrize(("source", "target"), pairs(OUTSIDE))
def test_a_request_for_no_model_is_taken(source: str, target: str) -> None:
    holds(source, target, lambda recording, body: None)


TOOL: Body = {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": False}


@pytest.mark.parametrize("target", ["openai-chat", "openai-chat:azure"])
@pytest.mark.parametrize("model", ["gpt-5.4", "gpt-5.6"])
@pytest.mark.parametrize("effort", [{"effort": "low"}, {}])
def test_no_effort_beside_tools(target: str, model: str, effort: Body) -> None:
    asked: Body = {"model": model, "input": "hi", "tools": [TOOL], "reasoning": effort}
    assert written_findings(asked, "openai-responses", target, None) == []


@pytest.mark.parametrize("target", ["openai-chat", "openai-chat:azure"])
def test_no_effort_beside_tools_of_a_model_on_bedrock(target: str) -> None:
    asked: Body = {"model": "openai.gpt-5.6-luna", "input": "hi", "tools": [TOOL]}
    assert written_findings(asked, "openai-responses", target, None) == []


def test_one_answer_of_groqs() -> None:
    asked: Body = {
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "generationConfig": {"candidateCount": 2},
    }
    assert written_findings(asked, "gemini", "openai-chat:groq", "llama-3.3-70b-versatile") == []


HI: Body = {"role": "user", "content": "hi"}
SYSTEM_ONLY: Body = {"messages": [{"role": "system", "content": "be kind"}]}
PREFILL: Body = {"messages": [HI, {"role": "assistant", "content": "Well, "}]}
FREE_JSON: Body = {
    "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
    "generationConfig": {"responseMimeType": "application/json"},
}
MENDED_BY_THE_CALLER = [
    ("message.none", SYSTEM_ONLY, "openai-chat", "anthropic"),
    ("message.none", SYSTEM_ONLY, "openai-chat", "gemini"),
    ("text.trailing_space", PREFILL, "openai-chat", "anthropic"),
    ("output.json_word", FREE_JSON, "gemini", "openai-chat"),
    ("output.json_word", FREE_JSON, "gemini", "openai-responses"),
]


@pytest.mark.parametrize(("code", "body", "source", "target"), MENDED_BY_THE_CALLER)
def test_what_only_the_caller_can_mend_is_reported(
    code: str, body: Body, source: str, target: str
) -> None:
    converted = tb.convert(body, source=source, target=target, model="some-model")
    assert code in {loss.code for loss in converted.losses if loss.severity == "warning"}
    broken = {line.split(":")[0] for line in findings(converted, target)}
    assert broken and broken <= {*REPORTED[code]}
    assert written_findings(body, source, target, "some-model") == []


def test_every_allowance_is_needed() -> None:
    assert {code for code, *_ in MENDED_BY_THE_CALLER} == REPORTED.keys()


def test_a_history_of_none_is_told_of_responses() -> None:
    converted = tb.convert(SYSTEM_ONLY, source="openai-chat", target="openai-responses")
    assert converted.payload["input"] or "message.none" in {loss.code for loss in converted.losses}


@requires_shared
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_converted_response_has_the_types_of_one(source: str, target: str) -> None:
    broken: list[str] = []
    count = 0
    for recording, body in asked_of(source, "response"):
        count += 1
        payload = tb.convert(body, source=source, target=target, kind="response").payload
        sealed = foreign_signatures(body, payload)
        broken += [f"{recording}: {line}" for line in (*response_errors(payload, target), *sealed)]
    print(f"{source} > {target}: {count} responses, {len(broken)} findings")
    assert count
    assert not broken, "\n".join(broken[:10])


# what is invented


class Chance(Exception):
    """A clock was read, or a number drawn."""


def refuse(*_: object, **__: object) -> None:
    """Stands in for every clock and every source of chance."""
    raise Chance


CHANCE = [
    (time, "time"),
    (time, "time_ns"),
    (time, "monotonic"),
    (time, "perf_counter"),
    (uuid, "uuid1"),
    (uuid, "uuid4"),
    (random, "random"),
    (random, "getrandbits"),
    (os, "urandom"),
]


@requires_shared
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_what_is_invented_comes_from_no_clock_and_no_chance(
    source: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        for module, name in CHANCE:
            patched.setattr(module, name, refuse)
        first, second = written(source, target), written(source, target)
    assert first == second


PROGRAM = """
from hashlib import sha256
from laws.round_trip import written
for source in ("gemini", "openai-chat"):
    print(sha256("".join(written(source, "anthropic")).encode()).hexdigest())
"""


@requires_shared
def test_another_process_invents_the_same() -> None:
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert len(said.pop().split()) == 2
