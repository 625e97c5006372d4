"""One answer of a model in the words of each vendor: what the servers of these tests send."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

Body = dict[str, Any]

FORMATS: Final = ("anthropic", "openai-chat", "openai-responses", "gemini")
MODELS: Final = {
    "anthropic": "claude-sonnet-4-6",
    "openai-chat": "gpt-5",
    "openai-responses": "gpt-5",
    "gemini": "gemini-3-pro",
}
"""A model of each vendor, so that rules of models act."""

SIGNATURE: Final = "c2lnbmVkIGJ5IHRoZSB2ZW5kb3I="


@dataclasses.dataclass(frozen=True)
class Called:
    """A call: `arguments` as an object, or as the text of what the model wrote. Without an `id`
    the vendor gives none where it may, else an empty one."""

    name: str = "weather"
    arguments: Any = dataclasses.field(default_factory=dict)
    id: str | None = "call_1"
    signed: bool = False


@dataclasses.dataclass(frozen=True)
class Answer:
    """What the model says, its calls, and the vendor's word for why it stopped: None for the
    word that fits."""

    text: str | None = None
    calls: tuple[Called, ...] = ()
    stop: str | None = None


def said(text: str, stop: str | None = None) -> Answer:
    """An answer of text alone."""
    return Answer(text, (), stop)


def calling(*calls: Called, text: str | None = None, stop: str | None = None) -> Answer:
    """An answer that calls tools."""
    return Answer(text, calls, stop)


def body_of(answer: Answer, format: str, turn: int = 0) -> Body:
    """The body of an answer; the vendor's own ids are those of its turn."""
    return WRITERS[format](answer, turn)


def as_object(arguments: Any) -> Any:
    """Arguments where a vendor has an object for them; what is none stands in one."""
    return arguments if isinstance(arguments, dict) else {"INVALID_JSON": arguments}


def as_text(arguments: Any) -> str:
    """Arguments where a vendor has text for them."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def anthropic(answer: Answer, turn: int) -> Body:
    blocks: list[Body] = [{"type": "text", "text": answer.text}] if answer.text else []
    blocks += [
        {
            "type": "tool_use",
            "id": call.id or "",
            "name": call.name,
            "input": as_object(call.arguments),
        }
        for call in answer.calls
    ]
    return {
        "id": f"msg_{turn}",
        "type": "message",
        "role": "assistant",
        "model": MODELS["anthropic"],
        "content": blocks,
        "stop_reason": answer.stop or ("tool_use" if answer.calls else "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def chat(answer: Answer, turn: int) -> Body:
    message: Body = {"role": "assistant", "content": answer.text}
    if answer.calls:
        message["tool_calls"] = [
            {
                "id": call.id or "",
                "type": "function",
                "function": {"name": call.name, "arguments": as_text(call.arguments)},
            }
            for call in answer.calls
        ]
    stop = answer.stop or ("tool_calls" if answer.calls else "stop")
    return {
        "id": f"chatcmpl-{turn}",
        "object": "chat.completion",
        "created": 1764460800,
        "model": MODELS["openai-chat"],
        "choices": [{"index": 0, "message": message, "finish_reason": stop}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def responses(answer: Answer, turn: int) -> Body:
    status, _, reason = (answer.stop or "completed").partition(":")
    output: list[Body] = []
    if answer.text is not None:
        text = {"type": "output_text", "text": answer.text, "annotations": []}
        head = {"type": "message", "id": f"msg_{turn}", "role": "assistant", "status": "completed"}
        output.append({**head, "content": [text]})
    output += [
        {
            "type": "function_call",
            "id": f"fc_{turn}_{index}",
            "call_id": call.id or "",
            "name": call.name,
            "arguments": as_text(call.arguments),
            "status": "completed",
        }
        for index, call in enumerate(answer.calls)
    ]
    return {
        "id": f"resp_{turn}",
        "object": "response",
        "created_at": 1764460800,
        "model": MODELS["openai-responses"],
        "status": status,
        "incomplete_details": {"reason": reason} if reason else None,
        "output": output,
        "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15},
    }


def gemini(answer: Answer, turn: int) -> Body:
    parts: list[Body] = [{"text": answer.text}] if answer.text is not None else []
    for call in answer.calls:
        called: Body = {"name": call.name, "args": as_object(call.arguments)}
        part: Body = {"functionCall": called if call.id is None else {"id": call.id, **called}}
        parts.append({**part, "thoughtSignature": SIGNATURE} if call.signed else part)
    return {
        "candidates": [
            {
                "content": {"role": "model", "parts": parts},
                "finishReason": answer.stop or "STOP",
                "index": 0,
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 10,
            "candidatesTokenCount": 5,
            "totalTokenCount": 15,
        },
        "modelVersion": MODELS["gemini"],
        "responseId": f"resp-{turn}",
    }


WRITERS: Final[Mapping[str, Callable[[Answer, int], Body]]] = {
    "anthropic": anthropic,
    "openai-chat": chat,
    "openai-responses": responses,
    "gemini": gemini,
}
