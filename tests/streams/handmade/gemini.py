"""Chunks of Gemini, and of Vertex with arguments in parts."""

from __future__ import annotations

from typing import Any

from .deviation import Deviation

Json = Any


def gemini(*parts: Json, finish: str | None = None) -> Json:
    """A chunk of Gemini's."""
    candidate: Json = {"content": {"role": "model", "parts": [*parts]}}
    return {"candidates": [{**candidate, **({"finishReason": finish} if finish else {})}]}


def partial(*pieces: tuple[str, str, Json], **more: Json) -> Json:
    """A part with pieces of arguments."""
    told = [{"jsonPath": path, key: member} for path, key, member in pieces]
    return {"functionCall": {"partialArgs": told, **more}}


GEMINI: dict[str, Deviation] = {
    "Vertex: arguments in parts": Deviation(
        [
            gemini({"functionCall": {"name": "f", "id": "c1", "willContinue": True}}),
            gemini(partial(("$.city", "stringValue", "Se"), willContinue=True)),
            gemini(partial(("$.city", "stringValue", 'o"ul'), willContinue=True)),
            gemini(partial(("$.days[0]", "numberValue", 1), willContinue=True)),
            gemini(partial(("$.days[1].x", "boolValue", True), willContinue=True)),
            gemini(partial(("$['a b']", "nullValue", "NULL_VALUE"), willContinue=True)),
            gemini({"functionCall": {}}),
            gemini(finish="STOP"),
        ],
        calls=(("c1", "f", {"city": 'Seo"ul', "days": [1, {"x": True}], "a b": None}),),
    ),
    "Vertex: no id, no arguments": Deviation(
        [
            gemini({"functionCall": {"name": "f", "willContinue": True}}),
            gemini({"functionCall": {}}),
            gemini(finish="STOP"),
        ],
        calls=((None, "f", {}),),
    ),
    "Vertex: a path that goes back": Deviation(
        [
            gemini({"functionCall": {"name": "f", "id": "c1", "willContinue": True}}),
            gemini(
                partial(
                    ("$.a.x", "numberValue", 1),
                    ("$.b", "numberValue", 2),
                    ("$.a.y", "numberValue", 3),
                )
            ),
            gemini(finish="STOP"),
        ],
        calls=(("c1", "f", {"a": {"x": 1, "y": 3}, "b": 2}),),
    ),
    "Vertex: broken off": Deviation(
        [
            gemini({"functionCall": {"name": "f", "id": "c1", "willContinue": True}}),
            gemini(partial(("$.path", "stringValue", "/etc/pas"), willContinue=True)),
        ],
        stop="incomplete",
        errors=("f",),
    ),
    "a finish reason in each chunk": Deviation(
        [gemini({"text": "H"}, finish="STOP"), gemini({"text": "i"}, finish="STOP")],
        "Hi",
        stop="end",
    ),
    "no ids": Deviation(
        [
            gemini({"functionCall": {"name": "f", "args": {"n": 1}}}),
            gemini({"functionCall": {"name": "f", "args": {"n": 1}}}, finish="STOP"),
        ],
        calls=((None, "f", {"n": 1}), (None, "f", {"n": 1})),
    ),
    "an error in the middle": Deviation(
        [
            gemini({"functionCall": {"name": "f", "id": "c1", "args": {"n": 1}}}),
            {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}},
        ],
        stop="error",
        errors=("f",),
    ),
    "keys in snake_case": Deviation(
        [
            {
                "candidates": [
                    {
                        "content": {"parts": [{"function_call": {"name": "f", "args": {"n": 1}}}]},
                        "finish_reason": "STOP",
                    }
                ],
                "usage_metadata": {"prompt_token_count": 5, "candidates_token_count": 2},
            }
        ],
        calls=((None, "f", {"n": 1}),),
        usage=(5, 2),
    ),
}
