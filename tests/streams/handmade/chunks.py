"""Chunks of Chat Completions."""

from __future__ import annotations

from typing import Any

Json = Any


def chunk(delta: Json = None, finish: Json = None, **more: Json) -> Json:
    """A chunk of a completion."""
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "choices": [choice], **more}


def calls(*raw: Json) -> Json:
    """A chunk with pieces of calls."""
    return chunk({"tool_calls": [*raw]})


def function(name: str | None = None, arguments: Json = None, **more: Json) -> Json:
    """A piece of a call."""
    told = {"name": name, "arguments": arguments}
    return {**more, "function": {key: each for key, each in told.items() if each is not None}}


END = chunk(finish="tool_calls")
USAGE = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
