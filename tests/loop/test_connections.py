"""How a model is reached: keys, servers, headers, timeouts, and clients of the app's own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from google.auth.exceptions import DefaultCredentialsError

import toolbridge as tb
from toolbridge.registry import find

from .answers import FORMATS, MODELS, Called, calling, said
from .local_server import local
from .orders import CHAIN, TOOLS, transcript
from .servers import Server

KEYS = {
    "anthropic": ("ANTHROPIC_API_KEY", "https://platform.claude.com/settings/keys"),
    "openai-chat": ("OPENAI_API_KEY", "https://platform.openai.com/api-keys"),
    "openai-responses": ("OPENAI_API_KEY", "https://platform.openai.com/api-keys"),
    "gemini": ("GOOGLE_API_KEY or GEMINI_API_KEY", "https://aistudio.google.com/apikey"),
    "openai-chat:groq": ("GROQ_API_KEY", "https://console.groq.com/keys"),
    "openai-chat:openrouter": ("OPENROUTER_API_KEY", "https://openrouter.ai/settings/keys"),
}
PACKAGES = {
    "anthropic": ("anthropic", "anthropic", "anthropic"),
    "openai-chat": ("openai", "openai", "openai"),
    "openai-responses": ("openai", "openai", "openai"),
    "gemini": ("google.genai", "google-genai", "google"),
}
SECRET = "the-key-of-the-environment"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key of whoever runs the tests, and no server of theirs."""
    for name in os.environ:
        if name.startswith(("ANTHROPIC_", "OPENAI_", "GOOGLE_", "GEMINI_", "GROQ_", "OPENROUTER_")):
            monkeypatch.delenv(name)


def run(model: Any, asynchronous: bool = False, **options: Any) -> tb.Run:
    if asynchronous:
        return asyncio.run(tb.arun(model, "hi", **options))
    return tb.run(model, "hi", **options)


both = pytest.mark.parametrize("asynchronous", [False, True])
every = pytest.mark.parametrize("format", FORMATS)


# --- what is missing


@both
@pytest.mark.parametrize("format", KEYS)
def test_a_missing_key_says_which_and_where_to_get_it(format: str, asynchronous: bool) -> None:
    names, where = KEYS[format]
    with pytest.raises(tb.MissingKeyError) as raised:
        run(f"{format}/some-model", asynchronous)
    assert str(raised.value) == (
        f"no key for {format}: set {names} (keys are made at {where}), "
        "or pass tb.Model(..., api_key=...)"
    )


def test_an_empty_key_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    with pytest.raises(tb.MissingKeyError):
        run("anthropic/claude-sonnet-4-6")


@pytest.mark.parametrize("format", ["openai-chat:azure", "openai-responses:azure"])
def test_a_profile_without_a_server_says_what_to_pass(format: str) -> None:
    with pytest.raises(tb.MissingKeyError, match=rf"{format} has no server .*base_url=\.\.\."):
        run(f"{format}/gpt-5")


@every
def test_a_missing_sdk_says_how_to_get_it(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, package, extra = PACKAGES[format]
    vendor = find(format)[0].service
    assert vendor is not None
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, vendor.transport, raising=False)
    if module == "google.genai":
        monkeypatch.delattr("google.genai")
    with pytest.raises(tb.MissingSDKError) as raised:
        run(f"{format}/some-model")
    assert str(raised.value) == (
        f'{format} needs the package {package}: pip install "toolbridge[{extra}]"'
    )
    assert isinstance(raised.value, ImportError)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("claude-sonnet-4-6", "names no format"),
        ("/claude", "names no format"),
        ("anthropic/", "names no model"),
        ("", "names no format"),
        ("claude/sonnet", "'claude'"),
        ("openai-chat:nobody/gpt-5", "nobody"),
    ],
)
def test_a_name_that_is_none(name: str, told: str) -> None:
    with pytest.raises(tb.UnknownFormatError, match=told):
        tb.Model(name)


def test_a_name_is_split_at_the_first_slash() -> None:
    model = tb.Model("openai-chat:openrouter/anthropic/claude-opus-5.5")
    assert (model.format, model.id) == ("openai-chat:openrouter", "anthropic/claude-opus-5.5")


def test_a_key_is_not_shown() -> None:
    assert SECRET not in repr(tb.Model("anthropic/claude", api_key=SECRET))


# --- a server of one's own


@both
@every
def test_a_whole_run_against_a_server_of_ones_own(format: str, asynchronous: bool) -> None:
    with local(format, [*CHAIN]) as server:
        model = tb.Model(f"{format}/{MODELS[format]}", base_url=server.url)
        ours = run(model, asynchronous, tools=TOOLS)
    other = run(Server("anthropic", CHAIN).model(), tools=TOOLS)
    assert transcript(ours.messages) == transcript(other.messages)
    assert server.connections == 1


PATHS = {
    "anthropic": ["/v1/messages"],
    "openai-chat": ["/v1/chat/completions"],
    "openai-responses": ["/v1/responses"],
    "gemini": [f"/{version}/models/gemini-3-pro:generateContent" for version in ("v1", "v1beta")],
}


@both
@every
def test_the_key_of_the_environment_goes_to_the_vendor_only(
    format: str, asynchronous: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for names, _ in KEYS.values():
        for name in names.split(" or "):
            monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", SECRET)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", SECRET)
    with local(format, [said("ok")]) as server:
        model = tb.Model(f"{format}/{MODELS[format]}", base_url=server.url)
        assert run(model, asynchronous).text == "ok"
    ((path, headers, body),) = server.requests
    assert path in PATHS[format]
    assert SECRET not in str(headers) + str(body) + path


@both
@every
def test_a_key_and_headers_of_ones_own_are_sent(format: str, asynchronous: bool) -> None:
    with local(format, [said("ok")]) as server:
        model = tb.Model(
            f"{format}/{MODELS[format]}",
            base_url=server.url,
            api_key="my-key",
            headers={"x-team": "blue"},
        )
        run(model, asynchronous)
    ((_, headers, _),) = server.requests
    assert headers["x-team"] == "blue"
    assert any("my-key" in value for value in headers.values())
    assert headers["content-type"] == "application/json"


@both
def test_a_header_of_ones_own_outweighs_the_version(asynchronous: bool) -> None:
    sent = []
    for given in ({}, {"anthropic-version": "2023-06-01"}):
        with local("anthropic", [said("ok")]) as server:
            model = tb.Model("anthropic/claude", base_url=server.url, headers=given)
            run(model, asynchronous)
        sent.append(server.requests[0][1]["anthropic-version"])
    assert sent == ["2026-10-21", "2023-06-01"]


def test_the_header_of_the_version_is_that_of_the_profile() -> None:
    with local("anthropic", [said("ok")]) as server:
        run(tb.Model("anthropic:2023-06-01/claude", base_url=server.url), temperature=0.5)
    ((_, headers, body),) = server.requests
    assert headers["anthropic-version"] == "2023-06-01"
    assert body["temperature"] == 0.5


@both
@every
def test_no_answer_within_the_timeout(format: str, asynchronous: bool) -> None:
    with local(format, [None]) as server:
        model = tb.Model(
            f"{format}/{MODELS[format]}", base_url=server.url, timeout=0.1, max_retries=0
        )
        with pytest.raises(tb.VendorTimeoutError):
            run(model, asynchronous)
    assert len(server.requests) == 1


@both
@every
def test_nobody_listens(format: str, asynchronous: bool) -> None:
    with local(format, []) as server:
        url = server.url
    model = tb.Model(f"{format}/{MODELS[format]}", base_url=url, max_retries=0)
    with pytest.raises(tb.VendorConnectionError) as raised:
        run(model, asynchronous)
    assert "refused" in str(raised.value) or "attempts failed" in str(raised.value)


@both
@every
def test_a_connection_that_is_dropped_after_each_answer_is_survived(
    format: str, asynchronous: bool
) -> None:
    with local(format, [*CHAIN], drops=True) as server:
        model = tb.Model(f"{format}/{MODELS[format]}", base_url=server.url, max_retries=0)
        assert run(model, asynchronous, tools=TOOLS).stop_reason == "end"
    assert len(server.requests) == len(CHAIN)


def test_vertex_without_credentials_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("google.auth.default", no_credentials)
    with pytest.raises(tb.MissingKeyError, match="no credentials for Google: run gcloud"):
        run("gemini:vertex/gemini-3-pro")


def no_credentials(*_: Any, **__: Any) -> Any:
    error: Any = DefaultCredentialsError
    raise error("run gcloud")


@both
def test_vertex_takes_a_key_of_ones_own(asynchronous: bool) -> None:
    with local("gemini", [said("ok")]) as server:
        model = tb.Model("gemini:vertex/gemini-3-pro", base_url=server.url, api_key="my-key")
        assert run(model, asynchronous).text == "ok"
    ((path, headers, _),) = server.requests
    assert path == "/v1beta1/publishers/google/models/gemini-3-pro:generateContent"
    assert headers["x-goog-api-key"] == "my-key"


def test_the_environment_does_not_choose_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `google-genai` reads to go to Vertex would make other paths of the same model."""
    monkeypatch.setenv("GOOGLE_GENAI_USE_ENTERPRISE", "true")
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    with local("gemini", [said("ok")]) as server:
        run(tb.Model("gemini/gemini-3-pro", base_url=server.url, api_key="k"))
    assert server.requests[0][0] in PATHS["gemini"]


# --- clients of one's own


@both
@every
def test_a_client_of_ones_own_is_used_and_stays_open(format: str, asynchronous: bool) -> None:
    server = Server(format, [said("ok"), said("ok")])
    model = server.model(asynchronous)
    assert [run(model, asynchronous).text for _ in range(2)] == ["ok", "ok"]


@pytest.mark.parametrize("format", ["anthropic", "openai-chat", "openai-responses"])
def test_a_client_of_the_wrong_kind_is_refused(format: str) -> None:
    server = Server(format, [])
    with pytest.raises(TypeError, match=r"arun needs the async client of the SDK, not \w+"):
        run(server.model(asynchronous=False), asynchronous=True)
    with pytest.raises(TypeError, match=r"run needs the sync client of the SDK, not Async\w+"):
        run(server.model(asynchronous=True))


@pytest.mark.parametrize("name", ["api_key", "base_url", "timeout"])
def test_what_a_client_has_settled_is_not_passed_beside_it(name: str) -> None:
    settled: dict[str, Any] = {name: 1}
    with pytest.raises(TypeError, match=f"a client has its own {name}: pass one or the other"):
        tb.Model("anthropic/claude", client=Server("anthropic", []).client(), **settled)


@both
@every
def test_headers_go_with_a_client_of_ones_own_too(format: str, asynchronous: bool) -> None:
    server = Server(format, [said("ok")])
    client = server.client(asynchronous)
    model = tb.Model(f"{format}/{MODELS[format]}", client=client, headers={"x-team": "blue"})
    run(model, asynchronous)
    assert server.requests[0].headers["x-team"] == "blue"


RETRYING: dict[str, Callable[[str], Any]] = {
    "anthropic": lambda url: anthropic.Anthropic(api_key="k", base_url=url, max_retries=1),
    "openai-chat": lambda url: openai.OpenAI(api_key="k", base_url=url, max_retries=1),
    "gemini": lambda url: genai.Client(
        api_key="k",
        http_options=genai.types.HttpOptions(
            base_url=url,
            retry_options=genai.types.HttpRetryOptions(attempts=2, initial_delay=0.01),
        ),
    ),
}


@pytest.mark.parametrize("format", RETRYING)
def test_a_client_of_ones_own_makes_no_retries_beside_those_of_the_loop(format: str) -> None:
    """Each would try again for every try of the other."""
    with local(format, []) as server:  # each request finds no answer: its connection breaks
        client = RETRYING[format](server.url)
        with pytest.raises(tb.VendorConnectionError):
            run(tb.Model(f"{format}/{MODELS[format]}", client=client, max_retries=0))
    assert len(server.requests) == 2, "a dead connection is tried once more"


# --- what is left behind


@both
@every
def test_what_is_opened_here_is_closed_here(
    format: str, asynchronous: bool, recwarn: pytest.WarningsRecorder
) -> None:
    import gc

    with local(format, [calling(Called("nobody")), said("ok")]) as server:
        run(tb.Model(f"{format}/{MODELS[format]}", base_url=server.url), asynchronous)
        gc.collect()
    assert [str(each.message) for each in recwarn if each.category is ResourceWarning] == []
