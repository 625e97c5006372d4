"""What generateContent accepts and has places for, in dated rows with their source.

[S] types of `google-genai` 3.6.1; [D] ai.google.dev; [R] a report of others'.
"""

from __future__ import annotations

from typing import Final

from toolbridge.adapter import Place, Server
from toolbridge.rules import Rule

TYPES: Final = "[S] types.py of google-genai 3.6.1"
SIGNATURES: Final = "[D] ai.google.dev/gemini-api/docs/thought-signatures"
DATE: Final = "2026-11-30"

PROFILES: Final = {
    "gemini-3": "models that check thought signatures",
    "parameters": "the older field parameters for the schemas of tools: a subset of OpenAPI",
    "vertex": "Vertex (Gemini Enterprise Agent Platform)",
}

OWN: Final = Server(
    None, ("GOOGLE_API_KEY", "GEMINI_API_KEY"), "https://aistudio.google.com/apikey"
)
SERVERS: Final = {"": OWN, "gemini-3": OWN, "parameters": OWN, "vertex": Server(None, (), "")}
"""[S] the variables that `google-genai` 3.6.1 reads, in its order (_api_client.py); on Vertex it
finds credentials and project itself."""

KINDS: Final = {
    "user": ("image", "document", "audio", "video"),
    "assistant": ("image", "document", "audio", "video"),
    "result": ("image", "document"),
}
"""Results hold images, PDF and plain text ([D] function-calling, multimodal responses)."""

FORMS: Final = frozenset({"data", "url", "id", "text"})
MEDIA: Final = frozenset(
    (where, kind, form) for where, kinds in KINDS.items() for kind in kinds for form in FORMS
)
TAKEN: Final = {
    ("result", "image"): frozenset({"image/png", "image/jpeg", "image/webp"}),
    ("result", "document"): frozenset({"application/pdf", "text/plain"}),
}
SKIP_SIGNATURE: Final = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
"""`skip_thought_signature_validator` as base64: the documented placeholder for calls that the
model did not write, in the form of requests recorded with status 200."""

DISPLAYS: Final = frozenset({"summarized", "omitted", "auto", "concise", "detailed"})

TOOLS_OR_OUTPUT: Final = "[I] googleapis/python-genai#706, #867"

RULES: Final = (
    Rule("name_pattern", r"[a-zA-Z_][a-zA-Z0-9_.:-]*", f"{TYPES}: FunctionDeclaration.name", DATE),
    Rule("name_length", 64, "[D] older API pages: the portable limit", DATE),
    Rule("validated_choice", True, f"{TYPES}: FunctionCallingConfigMode", DATE),
    Rule("late_system", "user", f"{TYPES}: Content.role is user or model", DATE),
    Rule("first_user", True, "[D] function-calling: a call follows a turn of the user's", DATE),
    Rule("results", "turn", "[D] function-calling, turn shape", DATE),
    Rule("result_names", True, f"{TYPES}: FunctionResponse.name", DATE),
    Rule("structured_results", True, f"{TYPES}: FunctionResponse.response", DATE),
    Rule("media", MEDIA, f"{TYPES}: Part, FunctionResponsePart", DATE),
    Rule("media_taken", TAKEN, "[D] function-calling, multimodal responses", DATE),
    Rule("media_types", FORMS, "[D] ai.google.dev/gemini-api/docs/file-input-methods", DATE),
    Rule("first_call_signature", SKIP_SIGNATURE, SIGNATURES, DATE),
    Rule("output_with_tools", False, TOOLS_OR_OUTPUT, "2025-12", model="*gemini-2*"),
    Rule("own_calls_signed", True, SIGNATURES, DATE, profile="gemini-3"),
    Rule("own_calls_signed", True, SIGNATURES, DATE, model="*gemini-3*"),
    Rule("alternatives", True, f"{TYPES}: GenerateContentResponse.candidates", DATE),
    Rule("displays", DISPLAYS, f"{TYPES}: ThinkingConfig", DATE),
    Rule("no_effort", "budget", f"{TYPES}: ThinkingConfig.thinking_budget", DATE),
)


def paths(start: str) -> tuple[str, str]:
    """The paths of a whole answer and of a stream."""
    return f"{start}:generateContent", f"{start}:streamGenerateContent?alt=sse"


PATHS: Final = {
    "": paths("/v1/models/{model}"),
    "vertex": paths("/v1beta1/publishers/google/models/{model}"),
}
"""[S] the default versions of `google-genai` 3.6.1; on Vertex with an API key, without project."""

PLACES: Final = {
    "text": Place(True, f"{TYPES}: Part.text"),
    "tools": Place(True, f"{TYPES}: FunctionDeclaration"),
    "calls": Place(True, f"{TYPES}: FunctionCall"),
    "results": Place(True, f"{TYPES}: FunctionResponse"),
    "tool choice": Place(True, f"{TYPES}: FunctionCallingConfig"),
    "system text": Place(True, f"{TYPES}: system_instruction; else said by the user"),
    "images": Place(True, f"{TYPES}: Blob, FileData"),
    "documents": Place(True, f"{TYPES}: Blob, FileData"),
    "error flag": Place(True, f"{TYPES}: the key error of FunctionResponse.response"),
    "output schema": Place(True, f"{TYPES}: response_json_schema"),
    "output limit": Place(True, f"{TYPES}: max_output_tokens"),
    "effort": Place(True, f"{TYPES}: ThinkingLevel"),
    "stop sequences": Place(True, f"{TYPES}: stop_sequences"),
    "cache marks": Place(False, f"{TYPES}: caches are implicit, or made by a call of their own"),
}
