"""Servers of the four vendors that play given replies, behind the vendors' own SDKs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import anthropic
import httpx2
import openai
from google import genai
from google.genai import types

import toolbridge as tb

from .answers import MODELS, Answer, Body, body_of

Reply = Answer | Body | httpx2.Response | Exception


class Server:
    """Answers requests with the replies in turn, and keeps the requests. `first_turn` counts
    those that the conversation had before, so that a vendor's own ids are not used again."""

    def __init__(self, format: str, replies: Iterable[Reply], first_turn: int = 0) -> None:
        self.format = format
        self.base = format.partition(":")[0]
        self.replies = list(replies)
        self.first_turn = first_turn
        self.requests: list[httpx2.Request] = []

    @property
    def bodies(self) -> list[Body]:
        """The JSON of each request, in order."""
        return [json.loads(request.content) for request in self.requests]

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        """The next reply."""
        turn = self.first_turn + len(self.requests)
        self.requests.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, httpx2.Response):
            return reply
        body = body_of(reply, self.base, turn) if isinstance(reply, Answer) else reply
        return httpx2.Response(200, json=body)

    async def ahandle(self, request: httpx2.Request) -> httpx2.Response:
        """The same in an event loop."""
        return self.handle(request)

    def client(self, asynchronous: bool = False) -> Any:
        """The vendor's client, with this server at the other end. It makes no retries."""
        sync = httpx2.Client(transport=httpx2.MockTransport(self.handle))
        later = httpx2.AsyncClient(transport=httpx2.MockTransport(self.ahandle))
        if self.base == "gemini":
            options = types.HttpOptions(httpx_client=sync, httpx_async_client=later)
            return genai.Client(api_key="key", http_options=options)
        kinds: Any = anthropic.Anthropic, anthropic.AsyncAnthropic
        if self.base != "anthropic":
            kinds = openai.OpenAI, openai.AsyncOpenAI
        http = later if asynchronous else sync
        return kinds[asynchronous](api_key="key", http_client=http, max_retries=0)

    def model(self, asynchronous: bool = False, id: str | None = None) -> tb.Model:
        """The model behind this server."""
        name = f"{self.format}/{id or MODELS[self.base]}"
        return tb.Model(name, client=self.client(asynchronous), max_retries=0)


async def arun(server: Server, *arguments: Any, **options: Any) -> tb.Run:
    """`tb.arun` of a model behind a server."""
    return await tb.arun(server.model(asynchronous=True), *arguments, **options)
