"""The loops of other libraries on the scripts of `loop_script.py`, where they are installed.

pydantic-ai plays a script in process with its FunctionModel, which writes no request for a vendor
and reads none of its answers; through the SDK with its OpenAIChatModel.

litellm has no loop for functions of the app. What stands for one is the loop that its documentation
tells everybody to write (https://docs.litellm.ai/docs/completion/function_call), run until no call
is left: it checks no arguments and calls one function after another, where it stands. In process
the answers are its `mock_response`, which writes no request; through the SDK it is given OpenAI's
client.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

from loop_script import MODEL, QUESTION, Body, Loop, Script, Stage

PACKAGES: Final = {"pydantic_ai": "pydantic-ai-slim", "litellm": "litellm"}

TOOL: Final = {
    "description": "Add two numbers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    },
}


def missing() -> list[str]:
    """The packages that are not installed."""
    return [package for name, package in PACKAGES.items() if find_spec(name) is None]


def found() -> dict[str, Loop]:
    """The loops of those that are."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # it would ask GitHub otherwise
    return {
        f"{name.replace('_', '-')} {version(package)}": LOOPS[name]
        for name, package in PACKAGES.items()
        if find_spec(name) is not None
    }


def load(name: str) -> Any:
    """A module of a library that may not be there."""
    return importlib.import_module(name)


def pydantic_ai(script: Script, stage: Stage) -> Callable[[], Any]:
    """`Agent.run_sync`, or `Agent.run`, of an agent that is made once, without a limit."""
    model = openai_model if stage.through_sdk else function_model
    agent = load("pydantic_ai").Agent(model(script, stage), tools=[stage.function])
    limits = load("pydantic_ai.usage").UsageLimits(request_limit=None)

    def run() -> Any:
        return agent.run_sync(QUESTION, usage_limits=limits).output

    def arun() -> Any:
        return stage.events.run_until_complete(agent.run(QUESTION, usage_limits=limits)).output

    return arun if stage.asynchronous else run


def function_model(script: Script, stage: Stage) -> Any:
    """A model that gives the answers; with their usage, which it would count otherwise."""
    messages, usage = load("pydantic_ai.messages"), load("pydantic_ai.usage").RequestUsage
    answers = stage.answers(script)

    def respond(history: Any, info: Any) -> Any:
        said = next(answers)["choices"][0]["message"]
        parts = [
            messages.ToolCallPart(
                call["function"]["name"], call["function"]["arguments"], tool_call_id=call["id"]
            )
            for call in said.get("tool_calls", ())
        ]
        parts = parts or [messages.TextPart(said["content"])]
        return messages.ModelResponse(parts, usage=usage(input_tokens=10, output_tokens=5))

    return load("pydantic_ai.models.function").FunctionModel(respond)


def openai_model(script: Script, stage: Stage) -> Any:
    """A model behind OpenAI's client, which is async here whatever the loop is."""
    client = stage.client(script, asynchronous=True)
    provider = load("pydantic_ai.providers.openai").OpenAIProvider(openai_client=client)
    return load("pydantic_ai.models.openai").OpenAIChatModel(MODEL, provider=provider)


def litellm(script: Script, stage: Stage) -> Callable[[], Any]:
    """The documented loop over `litellm.completion`, or over `litellm.acompletion`."""
    function = stage.function
    tools = [{"type": "function", "function": {**TOOL, "name": function.__name__}}]
    options: dict[str, Any] = {"model": f"openai/{MODEL}", "tools": tools}
    answers = stage.answers(script)
    if stage.through_sdk:
        options["client"] = stage.client(script, stage.asynchronous)

    def more() -> Body:
        return {} if stage.through_sdk else {"mock_response": next(answers)}

    if not stage.asynchronous:
        return partial(documented, partial(load("litellm").completion, **options), more, function)
    ask = partial(load("litellm").acompletion, **options)
    return lambda: stage.events.run_until_complete(adocumented(ask, more, function))


def documented(
    ask: Callable[..., Any], more: Callable[[], Body], function: Callable[..., Any]
) -> Any:
    """Ask, call, append, ask again."""
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    while True:
        said = ask(messages=messages, **more()).choices[0].message
        if not said.tool_calls:
            return said.content
        messages.append(said)
        for call in said.tool_calls:
            given = function(**json.loads(call.function.arguments))
            messages.append(result_of(call, given))


async def adocumented(
    ask: Callable[..., Awaitable[Any]],
    more: Callable[[], Body],
    function: Callable[..., Awaitable[Any]],
) -> Any:
    """The same with an async function."""
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    while True:
        said = (await ask(messages=messages, **more())).choices[0].message
        if not said.tool_calls:
            return said.content
        messages.append(said)
        for call in said.tool_calls:
            given = await function(**json.loads(call.function.arguments))
            messages.append(result_of(call, given))


def result_of(call: Any, given: Any) -> Body:
    """The result of a call, as the documentation has it."""
    head = {"tool_call_id": call.id, "role": "tool", "name": call.function.name}
    return {**head, "content": str(given)}


LOOPS: Final[Mapping[str, Loop]] = {"pydantic_ai": pydantic_ai, "litellm": litellm}
