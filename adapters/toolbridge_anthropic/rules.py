"""What the Messages API accepts and has places for, in dated rows with their source.

[S] types of `anthropic` 2.14.0; [D] platform.claude.com; [I] an issue that quotes the error.
"""

from __future__ import annotations

from typing import Final

from toolbridge.adapter import Place, Server
from toolbridge.rules import Rule

TYPES: Final = "[S] types of anthropic 2.14.0"
MIGRATION: Final = "[D] platform.claude.com, migrating to 2026-10-21"
DATE: Final = "2026-11-30"

PROFILES: Final = {"2023-06-01": "the API version before 2026-10-21: sampling may be set"}

OWN: Final = Server(None, ("ANTHROPIC_API_KEY",), "https://platform.claude.com/settings/keys")
SERVERS: Final = {"": OWN, "2023-06-01": OWN}
"""[S] the variables that `anthropic` 2.14.0 reads (_client.py)."""

MEDIA: Final = frozenset(
    {("user", "image", form) for form in ("data", "url", "id")}
    | {("user", "document", form) for form in ("data", "url", "id", "text", "parts")}
    | {("result", "image", form) for form in ("data", "url", "id")}
    | {("result", "document", form) for form in ("data", "url", "id", "text", "parts")}
)

IMAGES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
DOCUMENTS: Final = frozenset({"application/pdf", "text/plain"})
TAKEN: Final = {
    (where, kind): types
    for where in ("user", "result")
    for kind, types in (("image", IMAGES), ("document", DOCUMENTS))
}

ADAPTIVE_ONLY: Final = (
    "*claude-opus-4-[789]*",
    "*claude-sonnet-4-[789]*",
    "*claude-haiku-4-[789]*",
    "*claude-opus-[5-9]*",
    "*claude-sonnet-[5-9]*",
    "*claude-haiku-[5-9]*",
    "*claude-fable-*",
    "*claude-mythos-*",
)
"""Models that choose their own budget of thinking."""

NO_ADAPTIVE: Final = ("*claude-*-4-[015]*", "*claude-*-4-20*", "*claude-3*")
"""Models of 4.5 and older, which take a budget only."""

ALWAYS_THINKING: Final = (
    "*claude-opus-5-5*",
    "*claude-sonnet-5-5*",
    "*claude-fable-5*",
    "*claude-mythos-5*",
)
"""Models whose thinking cannot be switched off."""

NOT_FORCED: Final = (
    "*claude-opus-5-5*",
    "*claude-sonnet-5-5*",
    "*claude-fable-5-1*",
    "*claude-mythos-preview*",
)
"""Models that refuse a forced tool choice."""

NO_PREFILL: Final = (
    "*claude-opus-4-6*",
    "*claude-sonnet-4-6*",
    "*claude-haiku-4-6*",
    *ADAPTIVE_ONLY,
)

DISPLAYS: Final = frozenset({"summarized", "omitted", "auto", "concise", "detailed"})

RULES: Final = (
    Rule("id_pattern", r"[a-zA-Z0-9_-]+", "[I] BerriAI/litellm#21114", "2026-07"),
    Rule("name_length", 128, "[I] home-assistant/core#147760", "2026-09"),
    Rule("subsets", False, f"{TYPES}: tool_choice_param", DATE),
    Rule("schema_required", True, f"{TYPES}: tool_param", DATE),
    Rule("late_system", "user", "[D] mid-conversation-system-messages: newer models only", DATE),
    Rule("results", "turn", "[D] handle-tool-calls", DATE),
    Rule("results_join", True, "[D] handle-tool-calls: results first, then text", DATE),
    Rule("first_user", True, "[I] TextWordExplain#2", "2024-09"),
    *(
        Rule(
            "prefill",
            False,
            "[D] errors: the conversation must end with the user",
            DATE,
            model=model,
        )
        for model in NO_PREFILL
    ),
    Rule("blank_text", False, "[I] anthropics/claude-code#59812", "2026"),
    Rule("failed_text_only", True, "[I] vellum-assistant#18387", "2026-03"),
    Rule("media", MEDIA, f"{TYPES}: content_block_param, tool_result_block_param", DATE),
    Rule(
        "media_taken", TAKEN, f"{TYPES}: base64_image_source_param, base64_pdf_source_param", DATE
    ),
    Rule("media_types", frozenset({"data"}), f"{TYPES}: base64_image_source_param", DATE),
    Rule("output_limit", 8192, f"{TYPES}: max_tokens is required", DATE),
    Rule("json_output", False, f"{TYPES}: json_output_format_param has a schema", DATE),
    Rule("prefill_space", False, "[I] forgecode#1872", "2025-11"),
    Rule("cache_marks", 4, "[I] anthropics/claude-code#8901, #50082", "2026"),
    Rule("no_effort", "disabled", f"{TYPES}: thinking_config_param", DATE),
    *(
        Rule("no_effort", "between_tools", "[D] errors, thinking", DATE, model=model)
        for model in ALWAYS_THINKING
    ),
    *(Rule("adaptive", False, "[D] errors, thinking", DATE, model=model) for model in NO_ADAPTIVE),
    *(
        Rule("forced_choice", False, "[D] define-tools, whats-new-opus-5-5", DATE, model=model)
        for model in NOT_FORCED
    ),
    Rule("least_budget", 1024, "[D] errors, thinking, thinking-troubleshooting", DATE),
    *(
        Rule("least_budget", None, "[D] thinking: refused from 4.7 on", DATE, model=model)
        for model in ADAPTIVE_ONLY
    ),
    Rule("displays", DISPLAYS, f"{TYPES}: thinking_config_param", DATE),
    Rule("sampling", False, MIGRATION, DATE),
    Rule("sampling", True, MIGRATION, DATE, profile="2023-06-01"),
)

BETAS: Final = {
    "mcp_servers": "mcp-client-2025-11-20",
    "compaction": "compact-2026-09-04",
    "thread": "message-threads-2026-08-12",
    "fallbacks": "server-side-fallback-2026-07-01",
    "fallback_credit_token": "fallback-credit-2026-07-01",
}
"""[S] types/beta/message_create_params.py and types/anthropic_beta_param.py, by key of the body."""

PLACES: Final = {
    "text": Place(True, f"{TYPES}: text_block_param"),
    "tools": Place(True, f"{TYPES}: tool_param"),
    "calls": Place(True, f"{TYPES}: tool_use_block_param"),
    "results": Place(True, f"{TYPES}: tool_result_block_param"),
    "tool choice": Place("part", f"{TYPES}: tool_choice_param has no subset"),
    "system text": Place(True, f"{TYPES}: message_create_params"),
    "images": Place(True, f"{TYPES}: image_block_param"),
    "documents": Place(True, f"{TYPES}: document_block_param"),
    "error flag": Place(True, f"{TYPES}: tool_result_block_param"),
    "output schema": Place(True, f"{TYPES}: output_config_param"),
    "output limit": Place(True, f"{TYPES}: message_create_params"),
    "effort": Place(True, f"{TYPES}: output_config_param"),
    "stop sequences": Place(True, f"{TYPES}: message_create_params"),
    "cache marks": Place(True, f"{TYPES}: cache_control_ephemeral_param"),
}
