"""Bodies for the tests of lowering, and what is looked at in the bodies written for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import toolbridge as tb

Json: TypeAlias = Any
Body: TypeAlias = dict[str, Any]

SIGNED = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
"""The placeholder for a call that Gemini did not write, as base64 (ai.google.dev
thought-signatures)."""

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
FREE_TEXT = {
    "type": "object",
    "properties": {
        "input": {"type": "string", "description": "The tool's whole input, as free text."}
    },
    "required": ["input"],
    "additionalProperties": False,
}
"""The schema of a custom tool where there are functions only."""


def user(content: Json) -> Body:
    return {"role": "user", "content": content}


def assistant(content: Json) -> Body:
    return {"role": "assistant", "content": content}


def call(call_id: str, arguments: str = "{}", name: str = "weather") -> Body:
    """A call of Chat."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*made: Body, content: Json = None) -> Body:
    """A message of Chat with calls."""
    return {"role": "assistant", "content": content, "tool_calls": list(made)}


def result(call_id: str, text: Json = "맑음") -> Body:
    """A result of Chat."""
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def use(call_id: str, arguments: Body | None = None, name: str = "weather") -> Body:
    """A call of Messages."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments or {}}


def answer(call_id: str, content: Json = "맑음", **more: Json) -> Body:
    """A result of Messages."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def chat(*messages: Json, **settings: Json) -> Body:
    return {"model": "gpt-4o", "messages": list(messages), **settings}


def messages(*turns: Json, **settings: Json) -> Body:
    return {"model": "claude-haiku-4-5", "max_tokens": 1024, "messages": list(turns), **settings}


def items(*inputs: Json, **settings: Json) -> Body:
    """A request of Responses."""
    return {"model": "gpt-4o", "input": list(inputs), **settings}


def contents(*turns: Json, config: Body | None = None, **settings: Json) -> Body:
    """A request of Gemini."""
    return {"contents": list(turns), "generationConfig": config or {}, **settings}


def said(text: str, role: str = "user") -> Body:
    """A turn of Gemini."""
    return {"role": role, "parts": [{"text": text}]}


def function(name: str = "weather", schema: Json = None, **more: Json) -> Body:
    """A tool of Chat."""
    told = {"name": name, "parameters": SCHEMA if schema is None else schema, **more}
    return {"type": "function", "function": told}


def to(body: Body, source: str, target: str, **options: Json) -> Body:
    """What becomes of a body in another format."""
    written: Body = tb.convert(body, source=source, target=target, **options).payload
    return written


def from_chat(target: str, *history: Json, **settings: Json) -> Body:
    """What becomes of a history of Chat in another format."""
    return to(chat(*history, **settings), "openai-chat", target)


def losses(body: Body, source: str, target: str, **options: Json) -> list[tuple[str, str]]:
    """The losses by code and path, sorted, without those of the envelope."""
    converted = tb.convert(body, source=source, target=target, **options)
    envelope = {"model.envelope", "stream.envelope", "model.unknown"}
    found = [(loss.code, loss.path) for loss in converted.losses if loss.code not in envelope]
    return sorted(found)


def blocks(body: Body) -> list[tuple[str, Json]]:
    """All blocks of a request of Messages with the role of their turn."""
    return [(turn["role"], block) for turn in body["messages"] for block in parts_of(turn)]


def parts_of(turn: Body) -> list[Json]:
    """The blocks of a turn of Messages: a string is one of text."""
    content = turn["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def kinds(body: Body) -> list[tuple[str, list[str]]]:
    """The turns of a request of Messages, each with the types of its blocks."""
    turns = body["messages"]
    return [(turn["role"], [block["type"] for block in parts_of(turn)]) for turn in turns]


def gemini_kinds(body: Body) -> list[tuple[str, list[str]]]:
    """The turns of a request of Gemini, each with the data fields of its parts."""
    turns = body["contents"]
    return [(turn["role"], [field_of(part) for part in turn["parts"]]) for turn in turns]


def field_of(part: Body) -> str:
    return next(key for key in part if key != "thoughtSignature")


def call_ids(body: Body) -> list[tuple[str, str]]:
    """The ids of a request of Chat, those of calls and those of results, in order."""
    return list(_call_ids(body))


def _call_ids(body: Body) -> Iterator[tuple[str, str]]:
    for message in body["messages"]:
        yield from (("call", made["id"]) for made in message.get("tool_calls", ()))
        if message["role"] == "tool":
            yield "result", message["tool_call_id"]
