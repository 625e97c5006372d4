"""What Chat Completions accepts and has places for, in dated rows with their source.

[S] types of `openai` 3.57.0; [D] a vendor's documentation; [I] an issue that quotes the error.
"""

from __future__ import annotations

from typing import Final

from toolbridge.adapter import Place, Server
from toolbridge.rules import Rule
from toolbridge_openai.chat.parts import AUDIO_FORMATS
from toolbridge_openai.common import (
    DEEPSEEK_SERVER,
    OPENROUTER_SERVER,
    OUTPUT_NAME,
    OWN_SERVER,
    REASONING_RULES,
    hosted,
)

TYPES: Final = "[S] types/chat of openai 3.57.0"
DATE: Final = "2026-11-30"
EFFORT_ISSUES: Final = "[I] BerriAI/litellm#34569, pipecat-ai/pipecat#4043"
OPENROUTER: Final = "[D] openrouter.ai/docs/guides/best-practices/reasoning-tokens"

PROFILES: Final = {
    "azure": "Azure OpenAI",
    "deepseek": "DeepSeek: reasoning goes back with calls",
    "groq": "Groq",
    "mistral": "Mistral: ids of nine letters and digits",
    "openrouter": "OpenRouter",
}

SERVERS: Final = {
    "": OWN_SERVER,
    "deepseek": DEEPSEEK_SERVER,
    "groq": Server(
        "https://api.groq.com/openai/v1", ("GROQ_API_KEY",), "https://console.groq.com/keys"
    ),
    "mistral": Server(
        "https://api.mistral.ai/v1", ("MISTRAL_API_KEY",), "https://console.mistral.ai/api-keys"
    ),
    "openrouter": OPENROUTER_SERVER,
}
"""[D] console.groq.com/docs/openai, docs.mistral.ai/api. A server on Azure has an address of the
customer's own."""

MEDIA: Final = frozenset(
    {("user", "image", "data"), ("user", "image", "url"), ("user", "audio", "data")}
    | {("user", "document", form) for form in ("data", "id", "text")}
)
TAKEN: Final = {("user", "audio"): frozenset(AUDIO_FORMATS)}

RULES: Final = (
    Rule("id_length", 40, "[I] Portkey-AI/gateway#1062", "2025"),
    Rule("name_length", 64, f"{TYPES}: shared_params/function_definition", DATE),
    Rule("custom_tools", True, f"{TYPES}: chat_completion_custom_tool_param", DATE),
    Rule("json_text", True, f"{TYPES}: chat_completion_message_function_tool_call_param", DATE),
    Rule("results", "message", f"{TYPES}: chat_completion_tool_message_param", DATE),
    Rule("calls_last", True, f"{TYPES}: chat_completion_assistant_message_param", DATE),
    Rule("refusals", True, f"{TYPES}: chat_completion_assistant_message_param", DATE),
    Rule("alternatives", True, f"{TYPES}: chat_completion", DATE),
    Rule("alternatives", False, "[D] console.groq.com/docs/openai", DATE, "groq"),
    Rule("stream_usage", True, f"{TYPES}: chat_completion_stream_options_param", DATE),
    Rule("stream_usage", False, "[D] docs.mistral.ai/api: always, no such option", DATE, "mistral"),
    Rule("joined_text", True, f"{TYPES}: chat_completion_message", DATE),
    *REASONING_RULES,
    Rule("json_word", True, "[D] platform.openai.com structured-outputs: JSON mode", DATE),
    Rule("output_name", OUTPUT_NAME, f"{TYPES}: response_format_json_schema", DATE),
    Rule("media", MEDIA, f"{TYPES}: chat_completion_content_part_param", DATE),
    Rule("media_taken", TAKEN, f"{TYPES}: chat_completion_content_part_input_audio_param", DATE),
    *(
        Rule("effort_with_tools", "absent", EFFORT_ISSUES, "2026", model=model)
        for model in hosted("gpt-5.4*", "gpt-5.5*")
    ),
    *(
        Rule("effort_with_tools", "none", "[D] upgrading to gpt-5.6", DATE, model=model)
        for model in hosted("gpt-5.[6-9]*", "gpt-[6-9]*")
    ),
    Rule("kept_reasoning", False, f"{TYPES}: chat_completion_assistant_message_param", DATE),
    Rule("kept_reasoning", True, "[I] agno-agi/agno#5618", "2026", "deepseek"),
    Rule("kept_reasoning", True, OPENROUTER, DATE, "openrouter"),
    Rule("reasoning_field", "reasoning", OPENROUTER, DATE, "openrouter"),
    Rule("cache_control", True, "[D] openrouter.ai/docs prompt-caching", DATE, "openrouter"),
    Rule("id_pattern", r"[a-zA-Z0-9]+", "[I] anomalyco/opencode#1680", "2026", "mistral"),
    Rule("id_length", 9, "[I] anomalyco/opencode#1680", "2026", "mistral"),
    Rule("id_exact", True, "[I] anomalyco/opencode#1680", "2026", "mistral"),
    Rule("output_limit_key", "max_tokens", "[D] docs.mistral.ai/api", DATE, "mistral"),
    Rule("reasoning_field", "reasoning_content", "[I] agno-agi/agno#5618", "2026", "deepseek"),
    Rule("foreign_reasoning", True, "[I] agno-agi/agno#5618", "2026", "deepseek"),
)

PLACES: Final = {
    "text": Place(True, f"{TYPES}: chat_completion_content_part_text_param"),
    "tools": Place(True, f"{TYPES}: chat_completion_function_tool_param"),
    "calls": Place(True, f"{TYPES}: chat_completion_message_function_tool_call_param"),
    "results": Place(True, f"{TYPES}: chat_completion_tool_message_param"),
    "tool choice": Place(True, f"{TYPES}: chat_completion_tool_choice_option_param"),
    "system text": Place(True, f"{TYPES}: chat_completion_system_message_param"),
    "images": Place("part", f"{TYPES}: by URL or data, in user messages"),
    "documents": Place("part", f"{TYPES}: by data or id, in user messages"),
    "error flag": Place(True, f"{TYPES}: none; told by the first line of the result"),
    "output schema": Place(True, f"{TYPES}: completion_create_params"),
    "output limit": Place(True, f"{TYPES}: completion_create_params"),
    "effort": Place(True, f"{TYPES}: completion_create_params"),
    "stop sequences": Place(True, f"{TYPES}: completion_create_params"),
    "cache marks": Place("part", f"{TYPES}: on content parts, not on tools and calls"),
}
