"""Hypothesis strategies: conversations as Chat Completions has them, whole and broken.

A conversation has leading system text, words of the user with images and files, words and calls
of the assistant, and results that come straight after, late, twice, never, or for no call; ids and
names that no other vendor takes; arguments that are no JSON; settings at their edges. `Width` says
how much of this is drawn.
"""

import json
from dataclasses import replace
from functools import cache
from typing import Any

from hypothesis import strategies as st

from .pointers import Json
from .widths import WIDE, Strategy, Width, json_objects, objects, said, words

Body = dict[str, Json]
Draw = Any
"""What a composite strategy draws with."""

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)
PAGE = "JVBERi0xLjQKJSVFT0YK"
SCHEMA: Body = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "도시"}},
    "required": ["city"],
}
schemas = words(SCHEMA, {"type": "object", "properties": {}}, {"type": "object"})


# messages


def contents(text: Strategy, most: int) -> Strategy:
    """A string, or a list of texts."""
    return text | st.lists(objects(type=words("text"), text=text), min_size=1, max_size=most)


urls = words(f"data:image/png;base64,{PIXEL}", "https://example.com/a.png")
media = (
    objects(type=words("image_url"), image_url=objects(url=urls))
    | objects(type=words("image_url"), image_url=objects(url=urls, detail=words("low", "auto")))
    | objects(
        type=words("file"),
        file=objects(
            file_data=words(f"data:application/pdf;base64,{PAGE}"), filename=words("a.pdf")
        ),
    )
)


@cache
def users(width: Width) -> Strategy:
    """Messages of the user's."""
    part = objects(type=words("text"), text=width.text) | media
    return objects(role=words("user"), content=width.text | st.lists(part, min_size=1, max_size=3))


@cache
def systems(width: Width) -> Strategy:
    """Messages of system text."""
    return objects(role=words("system", "developer"), content=contents(width.text, 1))


@cache
def assistants(width: Width) -> Strategy:
    """Messages of the assistant's, with calls or without."""
    content = contents(width.text, width.texts)
    function = objects(name=width.names, arguments=width.arguments)
    call = objects(id=width.ids, type=words("function"), function=function)
    custom = objects(name=words("shell"), input=width.text)
    call |= objects(id=width.ids, type=words("custom"), custom=custom)
    calls = st.lists(call, min_size=1, max_size=3)
    asking = objects(role=words("assistant"), content=st.none() | content, tool_calls=calls)
    return asking | objects(role=words("assistant"), content=content)


def result(call_id: Json, content: Json) -> Json:
    """The message of a result."""
    return {"role": "tool", "tool_call_id": call_id, "content": content}


@cache
def result_contents(width: Width) -> Strategy:
    """What results say: text, or JSON as text."""
    pieces = st.lists(objects(type=words("text"), text=width.pieces), min_size=1, max_size=2)
    return width.text | pieces | json_objects.map(json.dumps)


@st.composite
def histories(draw: Draw, width: Width) -> list[Json]:
    """Messages in which each call has its result, or another of the fates that it may have."""
    history: list[Json] = []
    late: list[Json] = []
    content = result_contents(width)
    for _ in range(draw(st.integers(1, width.steps))):
        history += draw(st.lists(users(width), min_size=not width.runs, max_size=1))
        message = draw(assistants(width))
        history.append(message)
        straight: list[Json] = []
        later: list[Json] = []
        for call in message.get("tool_calls", []):
            fate = draw(words(*width.fates))
            times = {"missing": 0, "twice": 2}.get(fate, 1)
            made = [result(call["id"], draw(content)) for _ in range(times)]
            (later if fate == "late" else straight).extend(made)
        history += [*draw(st.permutations(straight)), *late]
        late = later
        if width.late_system and draw(st.booleans()):
            history.append(draw(systems(width)))
        if width.orphans and draw(st.booleans()):
            history.append(result("nobody", draw(content)))
    return [*history, *late, *draw(st.lists(users(width), max_size=1))]


# tools and settings


@st.composite
def tool_settings(draw: Draw, width: Width) -> Body:
    """Tools, and a choice among them."""
    function = objects(name=width.names, description=said, parameters=schemas) | objects(
        name=width.names, parameters=schemas, strict=width.strict
    )
    if width.tools_without_schema:
        function |= objects(name=width.names)
    custom = objects(name=words("shell"), description=said) | objects(name=words("shell"))
    tool = objects(type=words("function"), function=function)
    tool |= objects(type=words("custom"), custom=custom)
    tools = draw(st.lists(tool, min_size=1, max_size=4, unique_by=name_of))
    named: list[Json] = [chosen(tool) for tool in tools]
    choices = words("auto", "none", "required", *named)
    if width.subsets:
        some = st.lists(words(*named), min_size=1, max_size=3)
        subset = objects(mode=words("auto", "required"), tools=some)
        choices |= objects(type=words("allowed_tools"), allowed_tools=subset)
    optional = {"tool_choice": choices, "parallel_tool_calls": st.booleans()}
    body: Body = draw(st.fixed_dictionaries({"tools": st.just(tools)}, optional=optional))
    return body


def chosen(tool: Any) -> Json:
    """A tool as a choice names it."""
    return {"type": tool["type"], tool["type"]: {"name": name_of(tool)}}


def name_of(tool: Any) -> str:
    """The name of a tool."""
    return str(tool[tool["type"]]["name"])


OUTPUTS: tuple[Json, ...] = (
    {"type": "text"},
    {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}},
    {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}},
)
SETTINGS: dict[str, Strategy] = {
    "temperature": words(0, 0.0, 0.7, 1, 1.0, 2),
    "top_p": words(0, 0.5, 1),
    "max_completion_tokens": words(1, 1024, 100_000),
    "seed": words(0, 7, -1),
    "n": words(1, 2),
    "frequency_penalty": words(0, -2, 2),
    "response_format": words(*OUTPUTS),
    "user": words("사용자", "u1"),
    "metadata": words({"run": "7"}),
    "prompt_cache_key": words("k"),
    "service_tier": words("auto", "default", "priority"),
    "store": st.booleans(),
    "verbosity": words("low", "medium"),
}


@st.composite
def conversations(draw: Draw, width: Width = WIDE) -> Body:
    """A request of Chat Completions."""
    choices = {**SETTINGS, "reasoning_effort": width.efforts, "stop": width.stops}
    some = draw(st.sets(words(*sorted(choices)), max_size=3))
    settings = {key: draw(choices[key]) for key in sorted(some)}
    tools: Body = draw(tool_settings(width)) if draw(st.booleans()) else {}
    leading = draw(st.lists(systems(width), max_size=2))
    messages = [*leading, draw(users(width)), *draw(histories(width))]
    return {"model": "gpt-4.1", "messages": messages, **settings, **tools}


@st.composite
def answers(draw: Draw, width: Width = WIDE) -> Body:
    """A response of Chat Completions."""
    message = draw(assistants(replace(width, texts=1)))
    content = message["content"]
    if isinstance(content, list):
        content = content[0]["text"]
    reason = "tool_calls" if "tool_calls" in message else draw(words("stop", "length"))
    message = {**message, "content": content, "refusal": None}
    choice: Json = {"index": 0, "finish_reason": reason, "message": message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_764_460_800,
        "model": "gpt-4.1",
        "choices": [choice],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    }
