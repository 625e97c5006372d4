"""Streams of compatible servers that deviate, written by hand after the facts of each server.

Each is small and says nothing but its deviation; a `Deviation` says what must come out.
"""

from __future__ import annotations

from typing import Any

from .chat_calls import CALLS
from .chat_texts import TEXTS
from .deviation import Deviation
from .gemini import GEMINI
from .messages import ANTHROPIC
from .responses import RESPONSES

__all__ = ["DEVIATIONS", "ERROR_BODIES", "FLAT_ERROR", "Deviation"]

Json = Any

DEVIATIONS: dict[str, dict[str, Deviation]] = {
    "openai-chat": {**CALLS, **TEXTS},
    "openai-responses": RESPONSES,
    "gemini": GEMINI,
    "anthropic": ANTHROPIC,
}

ERROR_BODIES: dict[str, Json] = {
    "openai-chat": {"error": {"message": "no", "type": "server_error"}},
    "openai-responses": {"error": {"message": "no", "type": "server_error"}},
    "anthropic": {"type": "error", "error": {"type": "api_error", "message": "no"}},
    "gemini": {"error": {"code": 500, "message": "no", "status": "INTERNAL"}},
}
"""Error bodies that came with status 200 in place of a stream."""

FLAT_ERROR = {"object": "error", "message": "no", "type": "BadRequestError", "code": 400}
"""Of vLLM and Mistral."""
