"""Law 3, tested itself: the types refuse, the rules bite, and real traffic passes both."""

from __future__ import annotations

import re

import pytest

from laws.corpus import Recording, requires_shared

from .allowed import Kind
from .changes import GONE, Change, changed
from .named import OLDER_THAN_THE_KEY, REFUSED_BY_THE_RULES, REFUSED_BY_THE_TYPES, UNKNOWN_RESPONSES
from .places import JSON
from .recordings import PROFILES, accepted, betas, objects_in
from .rules import RULES, rule_errors
from .signatures import foreign_signatures
from .vendor_types import request_errors, response_errors
from .verdict import request_findings
from .violations import LEGAL, VALID, VIOLATIONS, broken_rule, case

FORMATS = tuple(RULES)

# The maps that belong to the user, or that the SDK types as any map.
FREE_MAPS = {
    "anthropic": r"/messages/\d+/content/\d+/input|/tools/\d+/input_schema"
    r"|/output_config/format/schema",
    "openai-chat": r"/(tools/\d+/function|functions/\d+)/parameters"
    r"|/response_format/json_schema/schema",
    "openai-responses": r"(/input/\d+)?(/tools/\d+)+/(parameters|input_schema|annotations)"
    r"|/input/\d+/arguments|/text/format/schema|/tool_choice/tools/\d+",
    "gemini": r"/contents/\d+/parts/\d+/\w+/(args|response)"
    r"|/tools/\d+/functionDeclarations/\d+/parameters_?[Jj]son_?[Ss]chema"
    r"|/generationConfig/responseJsonSchema",
}


def type_errors(recording: Recording, kind: Kind = "request") -> list[str]:
    """Where headers were not recorded: the fewest errors without and with a beta header."""
    check = request_errors if kind == "request" else response_errors
    body = recording.request if kind == "request" else recording.response
    known, profile = betas(recording), PROFILES.get(recording.format)
    tried = [known] if known is not None else [(), ("not recorded",)]
    found = [check(body, recording.format, betas=some, profile=profile) for some in tried]
    return min(found, key=len)


def refused(errors: dict[str, list[str]], wanted: dict[str, str]) -> dict[str, list[str]]:
    """Prints how many hold; gives those that are refused and not named, or named and taken."""
    broken = {name for name, found in errors.items() if found}
    print(f"{len(errors) - len(broken)} of {len(errors)} hold, {len(wanted)} are named")
    return {name: errors.get(name, []) for name in broken ^ wanted.keys()}


# --- the types


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_an_unknown_key_is_refused_in_every_object(format: str) -> None:
    named = REFUSED_BY_THE_TYPES.get(format, {})
    usable = [
        recording
        for recording in accepted(format)
        if recording.name not in named
        and sum(1 for _ in objects_in(recording.request)) < 60  # each costs a whole validation
    ]
    varied = sorted(usable, key=lambda recording: -len(recording.kinds))[:10]
    assert len(varied) == 10
    for recording in varied:
        for at, found in objects_in(recording.request):
            found["key_of_2027"] = 1
            is_refused = bool(type_errors(recording))
            del found["key_of_2027"]
            is_free = re.match(FREE_MAPS[format], at) is not None
            assert is_refused is not is_free, (recording.name, at)


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_recorded_requests_have_the_types_of_the_sdk(format: str) -> None:
    errors = {recording.name: type_errors(recording) for recording in accepted(format)}
    assert not refused(errors, REFUSED_BY_THE_TYPES.get(format, {}))


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_recorded_responses_have_the_types_of_the_sdk(format: str) -> None:
    errors = {
        recording.name: [
            error for error in type_errors(recording, "response") if error not in OLDER_THAN_THE_KEY
        ]
        for recording in accepted(format)
        if recording.response is not None
    }
    assert not refused(errors, UNKNOWN_RESPONSES.get(format, {}))


# --- the rules


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_recorded_requests_meet_the_rules(format: str) -> None:
    errors = {
        recording.name: rule_errors(
            recording.request, format, PROFILES.get(format), recording.model
        )
        for recording in accepted(format)
    }
    assert not refused(errors, REFUSED_BY_THE_RULES.get(format, {}))


ROWS = [(format, name) for format in FORMATS for name in VIOLATIONS[format]]
LEGAL_ROWS = [(format, name) for format in FORMATS for name in LEGAL[format]]


@pytest.mark.parametrize("format", FORMATS)
def test_the_valid_request_is_taken(format: str) -> None:
    assert request_findings(VALID[format], format) == []


@pytest.mark.parametrize("format", FORMATS)
def test_every_rule_has_a_violation(format: str) -> None:
    assert RULES[format].keys() == {broken_rule(name) for name in VIOLATIONS[format]}


@pytest.mark.parametrize(("format", "name"), ROWS)
def test_a_violation_is_found(format: str, name: str) -> None:
    body, profile = case(format, VIOLATIONS[format][name])
    found = {finding.split(":")[0] for finding in rule_errors(body, format, profile)}
    assert broken_rule(name) in found


@pytest.mark.parametrize(("format", "name"), LEGAL_ROWS)
def test_what_is_legal_is_taken(format: str, name: str) -> None:
    body, profile = case(format, LEGAL[format][name])
    assert request_findings(body, format, profile=profile) == []


@pytest.mark.parametrize(
    ("model", "is_taken"), [(None, False), ("gemini-3-pro", False), ("gemini-2.5-flash", True)]
)
def test_steps_are_signed_unless_the_model_is_known_to_be_old(
    model: str | None, is_taken: bool
) -> None:
    body, _ = case("gemini", VIOLATIONS["gemini"]["signed-steps"])
    assert (rule_errors(body, "gemini", model=model) == []) is is_taken


# --- the types, by hand


MISTAKES = [
    ("anthropic", {"max_tokens": GONE}, "/max_tokens: Field required"),
    ("anthropic", {"max_tokens": "10"}, "/max_tokens: Input should be a valid integer"),
    ("anthropic", {"temperature": 1}, "/temperature: Extra inputs are not permitted"),
    ("anthropic", {"betas": ["x"]}, "/betas: Extra inputs are not permitted"),
    ("anthropic", {"messages/0/content": [1]}, "/messages/0/content/0: Input should be an object"),
    (
        "anthropic",
        {"messages/1/content/1/input": GONE},
        "/messages/1/content/1/input: Field required",
    ),
    (
        "anthropic",
        {"messages/1/content/0/annotations": []},
        "/messages/1/content/0/annotations: Extra inputs are not permitted",
    ),
    ("openai-chat", {"messages/3/tool_call_id": GONE}, "/messages/3/tool_call_id: Field required"),
    (
        "openai-chat",
        {"messages/2/reasoning_content": ""},
        "/messages/2/reasoning_content: Extra inputs are not permitted",
    ),
    ("openai-responses", {"input/1/arguments": {}}, "/input/1/arguments: Input should be a valid"),
    ("openai-responses", {"stop": ["."]}, "/stop: Extra inputs are not permitted"),
    ("gemini", {"model": "gemini-3-pro"}, "/model: Extra inputs are not permitted"),
    ("gemini", {"stream": True}, "/stream: Extra inputs are not permitted"),
    (
        "gemini",
        {"contents/0/parts/0/cacheControl": {}},
        "/contents/0/parts/0/cacheControl: Extra inputs are not permitted",
    ),
    (
        "gemini",
        {"contents/2/parts/0/functionResponse/response": "noon"},
        "/contents/2/parts/0/functionResponse/response: Input should be an object",
    ),
    (
        "gemini",
        {"toolConfig": {"functionCallingConfig": {"mode": "SOMETIMES"}}},
        "/toolConfig/functionCallingConfig/mode: Input should be 'MODE_UNSPECIFIED'",
    ),
]


@pytest.mark.parametrize(("format", "change", "finding"), MISTAKES)
def test_a_mistake_is_told_with_its_place(format: str, change: Change, finding: str) -> None:
    [told] = request_errors(changed(VALID[format], change), format)
    assert told.startswith(finding)


def test_a_beta_is_taken_with_its_header_only() -> None:
    body = {**VALID["anthropic"], "context_management": {"edits": []}}
    assert request_errors(body, "anthropic", betas=("context-management-2025-06-27",)) == []
    assert request_errors(body, "anthropic") != []


def test_a_block_that_only_the_response_class_takes_is_refused() -> None:
    body = changed(VALID["anthropic"], {"messages/3/content/0": {"type": "hologram", "text": "3D"}})
    assert request_errors(body, "anthropic") != []


def test_a_body_that_is_no_json_is_refused() -> None:
    for value in (object(), float("nan"), "half \ud83d"):
        body = {**VALID["openai-chat"], "user": value}
        assert request_errors(body, "openai-chat") != []


RESPONSES: dict[str, JSON] = {
    "anthropic": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-4-5",
        "content": [{"type": "text", "text": "Rain."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
    "openai-chat": {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "gpt-4o",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Rain."},
            }
        ],
    },
    "openai-responses": {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "model": "gpt-4o",
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    },
    "gemini": {
        "candidates": [
            {"content": {"role": "model", "parts": [{"text": "Rain."}]}, "finishReason": "STOP"}
        ]
    },
}

BROKEN_RESPONSES = [
    ("anthropic", {"usage": GONE}, "/usage: Field required"),
    ("anthropic", {"content/0/text": None}, "/content/0/text: Input should be a valid string"),
    ("anthropic", {"stop_reason": "stop"}, "/stop_reason: Input should be 'end_turn'"),
    ("openai-chat", {"choices/0/index": GONE}, "/choices/0/index: Field required"),
    ("openai-chat", {"choices/0/message/thinking": ""}, "/choices/0/message/thinking: Extra"),
    ("openai-responses", {"output": "Rain."}, "/output: Input should be a valid array"),
    ("gemini", {"candidates/0/finishReason": "END"}, "/candidates/0/finishReason: Input"),
    ("gemini", {"sdkHttpResponse": {}}, "/sdkHttpResponse: Extra inputs are not permitted"),
]


@pytest.mark.parametrize("format", FORMATS)
def test_a_response_is_taken(format: str) -> None:
    assert response_errors(RESPONSES[format], format) == []


@pytest.mark.parametrize(("format", "change", "finding"), BROKEN_RESPONSES)
def test_a_broken_response_is_refused(format: str, change: Change, finding: str) -> None:
    [told] = response_errors(changed(RESPONSES[format], change), format)
    assert told.startswith(finding)


def test_a_foreign_signature_is_found_wherever_it_went() -> None:
    source = {"content": [{"type": "thinking", "thinking": "Hm.", "signature": "c2VhbGVk"}]}
    assert foreign_signatures(source, {"contents": [{"thoughtSignature": "c2VhbGVk"}]})
    assert foreign_signatures(source, {"metadata": {"note": "c2VhbGVk"}})
    assert not foreign_signatures(source, {"contents": [{"text": "Hm."}]})
