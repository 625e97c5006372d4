"""A server on this machine that replays written events, and the vendors' own clients before it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anthropic
import openai
from google import genai
from google.genai import types

from toolbridge.streams.text import DONE, as_event

Json = Any


class Replay(ThreadingHTTPServer):
    """Answers every request with a stream of `events`, as the vendor of a `format` frames it."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.format = ""
        self.events: list[Json] = []

    @property
    def url(self) -> str:
        """The address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def text(self) -> str:
        """The body of the answer."""
        named = self.format in ("anthropic", "openai-responses")
        written = "".join(as_event(each, named) for each in self.events)
        return written + (f"data: {DONE}\n\n" if self.format == "openai-chat" else "")


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer with the events."""
        assert isinstance(self.server, Replay)
        self.rfile.read(int(self.headers["content-length"]))
        sent = self.server.text.encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextlib.contextmanager
def replaying() -> Generator[Replay]:
    """A server that runs while it is used."""
    server = Replay()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


MESSAGES: Any = [{"role": "user", "content": "hi"}]


def plain(model: Any) -> Json:
    """An SDK object as JSON."""
    return model.to_dict(mode="json", warnings=False)


def ask_anthropic(url: str) -> Json:
    with (
        anthropic.Anthropic(api_key="key", base_url=url, max_retries=0) as client,
        client.messages.stream(model="m", max_tokens=9, messages=MESSAGES) as stream,
    ):
        return plain(stream.get_final_message())


def ask_chat(url: str) -> Json:
    with (
        openai.OpenAI(api_key="key", base_url=url, max_retries=0) as client,
        client.chat.completions.stream(model="m", messages=MESSAGES) as stream,
    ):
        for _ in stream:
            pass
        return plain(stream.current_completion_snapshot)


def ask_responses(url: str) -> Json:
    with (
        openai.OpenAI(api_key="key", base_url=url, max_retries=0) as client,
        client.responses.stream(model="m", input="hi") as stream,
    ):
        return last_response([*stream])


def last_response(events: list[Any]) -> Json:
    """The response of the last event: the helper gives that of a completed one only."""
    return plain(events[-1].response)


def ask_gemini(url: str) -> Json:
    with gemini(url) as client:
        chunks = client.models.generate_content_stream(model="m", contents="hi")
        return [dumped(chunk) for chunk in chunks]


def gemini(url: str) -> genai.Client:
    return genai.Client(api_key="key", http_options=types.HttpOptions(base_url=url))


def dumped(chunk: Any) -> Json:
    """A chunk as JSON."""
    dump: Json = chunk.model_dump(
        mode="json", by_alias=True, exclude_none=True, exclude={"sdk_http_response"}
    )
    return dump


async def aask_anthropic(url: str) -> Json:
    async with (
        anthropic.AsyncAnthropic(api_key="key", base_url=url, max_retries=0) as client,
        client.messages.stream(model="m", max_tokens=9, messages=MESSAGES) as stream,
    ):
        return plain(await stream.get_final_message())


async def aask_chat(url: str) -> Json:
    async with (
        openai.AsyncOpenAI(api_key="key", base_url=url, max_retries=0) as client,
        client.chat.completions.stream(model="m", messages=MESSAGES) as stream,
    ):
        async for _ in stream:
            pass
        return plain(stream.current_completion_snapshot)


async def aask_responses(url: str) -> Json:
    async with (
        openai.AsyncOpenAI(api_key="key", base_url=url, max_retries=0) as client,
        client.responses.stream(model="m", input="hi") as stream,
    ):
        return last_response([each async for each in stream])


async def aask_gemini(url: str) -> Json:
    async with gemini(url).aio as client:
        chunks = await client.models.generate_content_stream(model="m", contents="hi")
        return [dumped(chunk) async for chunk in chunks]


CLIENTS: dict[str, tuple[Callable[[str], Json], Callable[[str], Any]]] = {
    "anthropic": (ask_anthropic, aask_anthropic),
    "openai-chat": (ask_chat, aask_chat),
    "openai-responses": (ask_responses, aask_responses),
    "gemini": (ask_gemini, aask_gemini),
}
"""What each vendor's client makes of a stream, sync and async: a body; of Gemini, whose client
folds nothing, the chunks."""
