"""Events of servers that speak the Messages API."""

from __future__ import annotations

from typing import Any

from .deviation import ONE, TWO, A, B, Deviation

Json = Any

START = {
    "type": "message_start",
    "message": {"id": "m", "type": "message", "role": "assistant", "model": "c", "content": []},
}
TOOL = {"type": "tool_use", "id": "c1", "name": "f", "input": {}}


def block(kind: str, index: int | None, **more: Json) -> Json:
    """An event about a block."""
    return {"type": f"content_block_{kind}", **({} if index is None else {"index": index}), **more}


def json_piece(text: str) -> Json:
    """A piece of a call's input."""
    return {"type": "input_json_delta", "partial_json": text}


def stop(word: str) -> list[Json]:
    """The end of a message."""
    delta = {"stop_reason": word, "stop_sequence": None}
    return [
        {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]


ANTHROPIC: dict[str, Deviation] = {
    "no index": Deviation(
        [
            START,
            block("start", None, content_block=TOOL),
            block("delta", None, delta=json_piece(A)),
            block("stop", None),
            block("start", None, content_block={**TOOL, "id": "c2", "name": "g"}),
            block("delta", None, delta=json_piece(B)),
            block("stop", None),
            *stop("tool_use"),
        ],
        calls=TWO,
        usage=(0, 2),
    ),
    "two blocks at once, in another order": Deviation(
        [
            START,
            block("start", 1, content_block={**TOOL, "id": "c2", "name": "g"}),
            block("start", 0, content_block=TOOL),
            block("delta", 1, delta=json_piece('{"n"')),
            block("delta", 0, delta=json_piece(A)),
            block("delta", 1, delta=json_piece(":2}")),
            block("stop", 0),
            block("stop", 1),
            *stop("tool_use"),
        ],
        calls=TWO,
        usage=(0, 2),
    ),
    "the input with the start": Deviation(
        [
            START,
            block("start", 0, content_block={**TOOL, "input": {"n": 1}}),
            block("stop", 0),
            *stop("tool_use"),
        ],
        calls=ONE,
        usage=(0, 2),
    ),
    "length inside a call": Deviation(
        [
            START,
            block("start", 0, content_block=TOOL),
            block("delta", 0, delta=json_piece('{"n"')),
            block("stop", 0),
            *stop("max_tokens"),
        ],
        stop="length",
        usage=(0, 2),
        errors=("f",),
    ),
    "pieces that are null": Deviation(
        [START, block("start", 0, content_block={"type": "text", "text": ""})]
        + [block("delta", 0, delta={"type": "text_delta", "text": text}) for text in (None, "Hi")]
        + [block("delta", 0, delta=None), block("stop", 0), *stop("end_turn")],
        "Hi",
        stop="end",
        usage=(0, 2),
    ),
    "an end without a stop": Deviation(
        [START, block("start", 0, content_block=TOOL), block("delta", 0, delta=json_piece(A))],
        stop="incomplete",
        errors=("f",),
    ),
}
