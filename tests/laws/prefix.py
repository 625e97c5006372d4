"""Law 4: the list of (role, block) of a request, which a longer history may only extend.

All tools, then all system text, then the history, each block dumped with sorted keys. A
block is:

- Anthropic: one content block (a string is one text block);
- Gemini: one part, one function declaration, one other tool;
- Chat: first what the message holds besides role, content and tool calls, as one block if
  there is any, then each content part (a string is one), then each tool call; a `tool`
  message is one block;
- Responses: each content part of a `message` item (a string is one), every other item whole.

Turn and list boundaries, message ids and cache marks are left out. Chat and Responses have
system text in the history (besides `instructions`), so leading system messages come first by
themselves and later ones keep their place. Argument texts are compared as texts here.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from .owned import owned
from .pointers import ANY, Json, Path, camel
from .spelling import base_format
from .tree import deep_recursion

Block: TypeAlias = tuple[str, str]
Object: TypeAlias = dict[str, Json]
Pair: TypeAlias = tuple[str, Json]

TOOLS = "tools"
SYSTEM = "system"
CACHE_MARKS = frozenset({"cache_control", "prompt_cache_breakpoint"})


def blocks(body: Json, format: str) -> list[Block]:
    """The list of (role, block) of a request body."""
    base = base_format(format)
    with deep_recursion():
        cleaned = _unmarked(body, base, ())
        assert isinstance(cleaned, dict), f"a request is an object, not {type(body).__name__}"
        return [(role, json.dumps(block, sort_keys=True)) for role, block in _PAIRS[base](cleaned)]


def is_prefix(shorter: Sequence[Block], longer: Sequence[Block]) -> bool:
    """Whether the longer list only goes on where the shorter one ends."""
    return list(longer[: len(shorter)]) == list(shorter)


def _unmarked(value: Json, format: str, path: Path) -> Json:
    """The value without cache marks, what the user owns left as it is."""
    if path and owned(format, path):
        return value
    if isinstance(value, dict):
        kept = {key: member for key, member in value.items() if key not in CACHE_MARKS}
        return {key: _unmarked(member, format, (*path, key)) for key, member in kept.items()}
    if isinstance(value, list):
        return [_unmarked(element, format, (*path, ANY)) for element in value]
    return value


def _list(holder: Object, key: str) -> list[Json]:
    """The list under a key; one object counts as the list with it, anything else as empty."""
    value = holder.get(key)
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) else []


def _parts(content: Json, part_type: str) -> list[Json]:
    """Content parts; a string is one."""
    if isinstance(content, str):
        return [{"type": part_type, "text": content}]
    return content if isinstance(content, list) else []


def _turn(turn: Json, read: Callable[[str, Object], Iterator[Pair]]) -> Iterator[Pair]:
    """The blocks of one element of the history; what is no object is one block without role."""
    if isinstance(turn, dict):
        role = turn.get("role")
        yield from read(role if isinstance(role, str) else "", turn)
    else:
        yield "", turn


def _anthropic(body: Object) -> Iterator[Pair]:
    yield from ((TOOLS, tool) for tool in _list(body, "tools"))
    yield from ((SYSTEM, block) for block in _parts(body.get("system"), "text"))
    for message in _list(body, "messages"):
        yield from _turn(message, _anthropic_message)


def _anthropic_message(role: str, message: Object) -> Iterator[Pair]:
    return ((role, block) for block in _parts(message.get("content"), "text"))


def _gemini(body: Object) -> Iterator[Pair]:
    body = {camel(key): member for key, member in body.items()}
    for tool in _list(body, "tools"):
        yield from ((TOOLS, block) for block in _gemini_tool(tool))
    instruction = body.get("systemInstruction")
    if isinstance(instruction, dict):
        yield from ((SYSTEM, part) for part in _list(instruction, "parts"))
    for content in _list(body, "contents"):
        yield from _turn(content, _gemini_content)


def _gemini_tool(tool: Json) -> Iterator[Json]:
    for key, member in tool.items() if isinstance(tool, dict) else ():
        if camel(key) == "functionDeclarations" and isinstance(member, list):
            yield from member
        else:
            yield {key: member}


def _gemini_content(role: str, content: Object) -> Iterator[Pair]:
    return ((role or "user", part) for part in _list(content, "parts"))


def _chat(body: Object) -> Iterator[Pair]:
    yield from ((TOOLS, tool) for tool in _list(body, "tools"))
    yield from ((TOOLS, function) for function in _list(body, "functions"))
    for message in _list(body, "messages"):
        yield from _turn(message, _chat_message)


def _chat_message(role: str, message: Object) -> Iterator[Pair]:
    named = {"role", "content", "tool_calls", "id"}
    rest: Object = {key: member for key, member in message.items() if key not in named}
    if role == "tool":
        yield role, {**rest, "content": message.get("content")}
        return
    if rest:
        yield role, rest
    yield from ((role, part) for part in _parts(message.get("content"), "text"))
    yield from ((role, call) for call in _list(message, "tool_calls"))


def _responses(body: Object) -> Iterator[Pair]:
    yield from ((TOOLS, tool) for tool in _list(body, "tools"))
    yield from ((SYSTEM, part) for part in _parts(body.get("instructions"), "input_text"))
    given = body.get("input")
    if isinstance(given, str):
        yield from (("user", part) for part in _parts(given, "input_text"))
    for item in _list(body, "input"):
        yield from _turn(item, _responses_item)


def _responses_item(role: str, item: Object) -> Iterator[Pair]:
    if "role" in item and item.get("type", "message") == "message":
        part_type = "output_text" if role == "assistant" else "input_text"
        yield from ((role, part) for part in _parts(item.get("content"), part_type))
    else:
        yield role, item


_PAIRS: dict[str, Callable[[Object], Iterator[Pair]]] = {
    "anthropic": _anthropic,
    "gemini": _gemini,
    "openai-chat": _chat,
    "openai-responses": _responses,
}
