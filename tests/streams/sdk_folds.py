"""The accumulators of the vendors' SDKs: what they make of a stream, as plain JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anthropic.lib.streaming._messages import accumulate_event
from anthropic.types import RawMessageStreamEvent
from openai._models import construct_type_unchecked
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.lib.streaming.responses._responses import ResponseStreamState
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseStreamEvent

Json = Any


def fold_anthropic(data: list[Json]) -> Json:
    """`accumulate_event` of lib/streaming/_messages.py."""
    message: Any = None
    buffers: dict[int, bytes] = {}
    for each in data:
        if each.get("type") == "ping":
            continue
        event: Any = construct_type_unchecked(type_=RawMessageStreamEvent, value=each)  # type: ignore[arg-type]
        message = accumulate_event(event=event, current_snapshot=message, json_bufs=buffers)
    return message.to_dict(mode="json", warnings=False)


def fold_chat(data: list[Json]) -> Json:
    """`ChatCompletionStreamState`."""
    state: ChatCompletionStreamState[Any] = ChatCompletionStreamState()
    for each in data:
        state.handle_chunk(ChatCompletionChunk.construct(**each))
    return state.current_completion_snapshot.to_dict(mode="json", warnings=False)


def fold_responses(data: list[Json]) -> Json:
    """`ResponseStreamState`; what it accumulated where the last event says it all once more."""
    from openai import omit

    state: ResponseStreamState[Any] = ResponseStreamState(input_tools=omit, text_format=omit)
    for each in data[:-1]:
        event: Any = construct_type_unchecked(type_=ResponseStreamEvent, value=each)  # type: ignore[arg-type]
        state.handle_event(event)
    snapshot: Any = vars(state)["_ResponseStreamState__current_snapshot"]
    return snapshot.to_dict(mode="json", warnings=False)


FOLDS: dict[str, Callable[[list[Json]], Json]] = {
    "anthropic": fold_anthropic,
    "openai-chat": fold_chat,
    "openai-responses": fold_responses,
}


def kept(theirs: Json, ours: Json, path: str = "") -> list[str]:
    """Where what an SDK kept differs from ours; what it made of nothing does not count."""
    if theirs in (None, "", 0, [], {}):
        return []
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return [
            each
            for key, member in theirs.items()
            for each in kept(member, ours.get(key), f"{path}/{key}")
        ]
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        pairs = enumerate(zip(theirs, ours, strict=True))
        return [each for index, pair in pairs for each in kept(*pair, f"{path}/{index}")]
    return [] if theirs == ours else [f"{path}: {str(theirs)[:80]} is {str(ours)[:80]}"]
