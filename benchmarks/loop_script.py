"""What loops of calls are measured with: the answers of a model, written beforehand, tools that
add two numbers, and `tb.run` and `tb.arun` on them.

Answers come in one of two ways. "In process" they are handed over as JSON, without an SDK:
toolbridge still writes each request for the vendor and reads each answer. "SDK" is OpenAI's own,
with no network behind it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Final, NamedTuple

import httpx2
import openai

import toolbridge as tb
from toolbridge.transport import Call, Reply, Transport
from toolbridge.values import JSON

Body = dict[str, Any]

MODEL: Final = "gpt-4o"
QUESTION: Final = "Add these numbers."
LAST: Final = "That is all."


RAN: Final[list[int]] = []
"""The results of all calls that ran, so that a loop which leaves one out is not taken for fast."""


def add(a: int, b: int) -> int:
    """Add two numbers."""
    RAN.append(a + b)
    return a + b


async def add_later(a: int, b: int) -> int:
    """Add two numbers."""
    RAN.append(a + b)
    return a + b


class Script(NamedTuple):
    """The answers of a run: `steps` of them, all but the last with `calls` calls, each with
    arguments of its own."""

    steps: int
    calls: int = 1

    @property
    def results(self) -> list[int]:
        """What all calls give, in their order."""
        return [number + 1 for number in range((self.steps - 1) * self.calls)]

    def bodies(self, function: Callable[..., Any]) -> list[Body]:
        """The answers as Chat Completions has them."""
        name = function.__name__
        calling = (self.calling(name, step) for step in range(self.steps - 1))
        return [*calling, answer("stop", LAST)]

    def calling(self, name: str, step: int) -> Body:
        """An answer that calls a tool."""
        numbers = range(step * self.calls, (step + 1) * self.calls)
        return answer("tool_calls", None, tool_calls=[call_of(name, each) for each in numbers])


def call_of(name: str, number: int) -> Body:
    """A call of a tool."""
    called = {"name": name, "arguments": json.dumps({"a": number, "b": 1})}
    return {"id": f"call_{number}", "type": "function", "function": called}


def answer(stop: str, text: str | None, **message: Any) -> Body:
    """An answer in Chat Completions."""
    said = {"role": "assistant", "content": text, **message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1764460800,
        "model": MODEL,
        "choices": [{"index": 0, "message": said, "finish_reason": stop}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


class Stage(NamedTuple):
    """Where a script is played: through the SDK or in process, in an event loop or not."""

    events: asyncio.AbstractEventLoop
    through_sdk: bool = False
    asynchronous: bool = False

    @property
    def function(self) -> Callable[..., Any]:
        """The tool: async where the loop is."""
        return add_later if self.asynchronous else add

    def answers(self, script: Script) -> Iterator[Body]:
        """The answers of a script, over and over: every run takes all of them."""
        return itertools.cycle(script.bodies(self.function))

    def client(self, script: Script, asynchronous: bool) -> Any:
        """OpenAI's client, with the answers of a script at the other end."""
        texts = map(json.dumps, script.bodies(self.function))
        contents = itertools.cycle([text.encode() for text in texts])
        headers = {"content-type": "application/json"}

        def handle(request: httpx2.Request) -> httpx2.Response:
            return httpx2.Response(200, content=next(contents), headers=headers)

        transport = httpx2.MockTransport(handle)
        if asynchronous:
            later = httpx2.AsyncClient(transport=transport)
            return openai.AsyncOpenAI(api_key="key", http_client=later, max_retries=0)
        http = httpx2.Client(transport=transport)
        return openai.OpenAI(api_key="key", http_client=http, max_retries=0)


Loop = Callable[[Script, Stage], Callable[[], Any]]
"""What runs a script once, as often as it is called."""


class Played:
    """A transport without a vendor: the answers, one after another."""

    def __init__(self, answers: Iterator[Body]) -> None:
        self._answers = answers

    def send(self, call: Call) -> Reply:
        """The next answer."""
        return Reply(next(self._answers), {})

    async def asend(self, call: Call) -> Reply:
        """The same in an event loop."""
        return Reply(next(self._answers), {})

    def stream(self, call: Call) -> Iterator[JSON]:
        """Nothing is streamed here."""
        raise NotImplementedError

    def astream(self, call: Call) -> AsyncIterator[JSON]:
        """The same in an event loop."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is open."""

    async def aclose(self) -> None:
        """The same in an event loop."""


@dataclasses.dataclass(frozen=True)
class PlayedModel(tb.Model):
    """A model whose answers are written beforehand."""

    answers: Iterator[Body] = dataclasses.field(default_factory=lambda: iter(()))

    def open(self, asynchronous: bool) -> Transport:
        """A transport that plays them."""
        played: Any = Played(self.answers)
        made: Transport = played
        return made


def toolbridge(script: Script, stage: Stage) -> Callable[[], tb.Run]:
    """`tb.run`, or `tb.arun`; the tool is made once, as an app makes it."""
    tools, name = [tb.tool(stage.function)], f"openai-chat/{MODEL}"
    model = (
        tb.Model(name, client=stage.client(script, stage.asynchronous), max_retries=0)
        if stage.through_sdk
        else PlayedModel(name, answers=stage.answers(script))
    )

    def run() -> tb.Run:
        return tb.run(model, QUESTION, tools=tools, max_steps=script.steps)

    def arun() -> tb.Run:
        asked = tb.arun(model, QUESTION, tools=tools, max_steps=script.steps)
        return stage.events.run_until_complete(asked)

    return arun if stage.asynchronous else run
