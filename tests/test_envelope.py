"""What goes with a body: the model, the stream flag, and the envelope outside the body."""

from __future__ import annotations

from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, body

PROFILES: Final = tuple(
    f"{info.name}:{profile}" for info in tb.formats() for profile in info.profiles
)
TARGETS: Final = (*FORMATS, *PROFILES)
CHAT: Final[dict[str, Any]] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
NO_MODEL: Final = {"messages": CHAT["messages"]}

everywhere: Final = pytest.mark.parametrize("target", TARGETS)


@everywhere
def test_a_model_replaces_that_of_the_source(target: str) -> None:
    made = tb.convert(CHAT, source="openai-chat", target=target, model="other")
    if target.startswith("gemini"):
        assert "model" not in made.payload
        assert made.envelope.model == "other"
        assert [loss.severity for loss in made.losses if loss.code == "model.envelope"] == ["note"]
    else:
        assert made.payload["model"] == "other"
        assert made.envelope.model is None


@everywhere
def test_without_a_model_the_source_s_stays(target: str) -> None:
    made = tb.convert(CHAT, source="openai-chat", target=target)
    assert (
        made.envelope.model == "m" if target.startswith("gemini") else made.payload["model"] == "m"
    )


@pytest.mark.parametrize("target", [name for name in TARGETS if name != "openai-chat"])
def test_no_model_at_all_is_a_note(target: str) -> None:
    """It never raises: the caller may add the model, or the server may have one of its own."""
    made = tb.convert(NO_MODEL, source="openai-chat", target=target, on_loss="raise")
    assert "model" not in made.payload
    assert made.envelope.model is None
    (loss,) = (loss for loss in made.losses if loss.code == "model.unknown")
    assert (loss.severity, loss.path, loss.target_path) == ("note", "", "/model")


def test_a_model_can_be_given_to_a_body_that_names_none() -> None:
    made = tb.convert(body("gemini", "request"), source="gemini", target="openai-chat", model="m")
    assert made.payload["model"] == "m"
    assert "model.unknown" not in {loss.code for loss in made.losses}


def test_a_model_is_replaced_in_its_own_format_too() -> None:
    made = tb.convert(CHAT, source="openai-chat", target="openai-chat", model="other")
    assert list(made.payload) == list(CHAT), "at its place"
    assert (made.payload, made.losses) == (CHAT | {"model": "other"}, ())


@everywhere
@pytest.mark.parametrize("stream", [True, False])
def test_a_stream_flag_is_set(target: str, stream: bool) -> None:
    made = tb.convert(CHAT, source="openai-chat", target=target, stream=stream)
    if target.startswith("gemini"):
        assert "stream" not in made.payload
        assert made.envelope.stream is stream
        assert "stream.envelope" in {loss.code for loss in made.losses}
    else:
        assert made.payload["stream"] is stream


@everywhere
@pytest.mark.parametrize("stream", [True, False])
def test_without_a_stream_flag_the_source_s_stays(target: str, stream: bool) -> None:
    made = tb.convert(CHAT | {"stream": stream}, source="openai-chat", target=target)
    place = made.envelope.stream if target.startswith("gemini") else made.payload["stream"]
    assert place is stream


@everywhere
def test_no_stream_flag_is_none(target: str) -> None:
    made = tb.convert(CHAT, source="openai-chat", target=target)
    assert "stream" not in made.payload
    assert made.envelope.stream is None


def test_a_stream_flag_is_none_of_a_response_s() -> None:
    made = tb.convert(
        body("openai-chat", "response"),
        source="openai-chat",
        target="anthropic",
        kind="response",
        stream=True,
    )
    assert "stream" not in made.payload
    assert made.envelope == tb.Envelope()


# the envelope

PATHS: Final = {
    "anthropic": "/v1/messages",
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "gemini": "/v1/models/m:generateContent",
    "gemini:vertex": "/v1beta1/publishers/google/models/m:generateContent",
}
STREAM_PATHS: Final = {
    "anthropic": "/v1/messages",
    "gemini": "/v1/models/m:streamGenerateContent?alt=sse",
    "gemini:vertex": "/v1beta1/publishers/google/models/m:streamGenerateContent?alt=sse",
}


@everywhere
def test_the_envelope_names_the_path(target: str) -> None:
    path = PATHS.get(target) or PATHS[target.partition(":")[0]]
    assert tb.convert(CHAT, source="openai-chat", target=target).envelope.path == path


@pytest.mark.parametrize("target", STREAM_PATHS)
def test_the_envelope_names_the_path_of_a_stream(target: str) -> None:
    made = tb.convert(CHAT, source="openai-chat", target=target, stream=True)
    assert made.envelope.path == STREAM_PATHS[target]


def test_a_path_that_needs_a_model_is_none_without_one() -> None:
    """Half a path would be called."""
    assert tb.convert(NO_MODEL, source="openai-chat", target="gemini").envelope.path is None


@pytest.mark.parametrize(
    ("target", "version"),
    [("anthropic", "2026-10-21"), ("anthropic:2023-06-01", "2023-06-01"), ("openai-chat", None)],
)
def test_the_envelope_names_the_version(target: str, version: str | None) -> None:
    assert tb.convert(CHAT, source="openai-chat", target=target).envelope.version == version


def test_the_envelope_names_the_betas_of_the_keys_in_the_body() -> None:
    plain = body("anthropic", "request")
    assert tb.convert(plain, source="anthropic", target="anthropic").envelope.betas == ()
    servers = [{"type": "url", "name": "files", "url": "https://example.com/mcp"}]
    made = tb.convert(plain | {"mcp_servers": servers}, source="anthropic", target="anthropic")
    assert len(made.envelope.betas) == 1
    assert made.envelope.betas[0].startswith("mcp-client-")


@pytest.mark.parametrize("kind", ["response", "tools", "error"])
@pytest.mark.parametrize("target", FORMATS)
def test_only_a_request_has_an_envelope(target: str, kind: str) -> None:
    made = tb.convert(body("openai-chat", kind), source="openai-chat", target=target, kind=kind)
    assert made.envelope == tb.Envelope(None, None, None, None, ())
