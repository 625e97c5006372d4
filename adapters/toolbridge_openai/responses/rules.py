"""What the Responses API accepts and has places for, in dated rows with their source.

[S] types of `openai` 3.57.0; [OAS] openai/openai-openapi of 2026-08-21; [I] an issue.
"""

from __future__ import annotations

from typing import Final

from toolbridge.adapter import Place
from toolbridge.rules import Rule
from toolbridge_openai.common import (
    DEEPSEEK_SERVER,
    OPENROUTER_SERVER,
    OUTPUT_NAME,
    OWN_SERVER,
    REASONING_RULES,
)

TYPES: Final = "[S] types/responses of openai 3.57.0"
SPEC: Final = "[OAS] openai/openai-openapi f85dbe2"
DATE: Final = "2026-11-30"

PROFILES: Final = {
    "azure": "Azure OpenAI",
    "deepseek": "DeepSeek",
    "openrouter": "OpenRouter",
}

SERVERS: Final = {
    "": OWN_SERVER,
    "deepseek": DEEPSEEK_SERVER,
    "openrouter": OPENROUTER_SERVER,
}
"""A server on Azure has an address of the customer's own."""

MEDIA: Final = frozenset(
    (where, kind, form)
    for where in ("user", "result")
    for kind in ("image", "document")
    for form in ("data", "url", "id", "text")
)

DISPLAYS: Final = frozenset({"summarized", "auto", "concise", "detailed"})

RULES: Final = (
    Rule("id_length", 64, SPEC, "2026-08-21"),
    Rule("name_length", 128, SPEC, "2026-08-21"),
    Rule("namespaces", True, f"{TYPES}: namespace_tool_param", DATE),
    Rule("custom_tools", True, f"{TYPES}: custom_tool_param", DATE),
    Rule("json_text", True, f"{TYPES}: response_function_tool_call_param", DATE),
    Rule("schema_required", True, f"{TYPES}: function_tool_param", DATE),
    Rule("results", "items", f"{TYPES}: response_input_item_param", DATE),
    Rule("text_citations", True, f"{TYPES}: response_output_text", DATE),
    Rule("answer_refusals", True, f"{TYPES}: response_output_refusal", DATE),
    Rule("displays", DISPLAYS, f"{TYPES}: shared_params/reasoning", DATE),
    *REASONING_RULES,
    Rule("json_word", True, "[D] platform.openai.com structured-outputs: JSON mode", DATE),
    Rule("output_name", OUTPUT_NAME, f"{TYPES}: response_format_json_schema", DATE),
    Rule("media", MEDIA, f"{TYPES}: response_input_content_param", DATE),
)

PLACES: Final = {
    "text": Place(True, f"{TYPES}: response_input_text_param"),
    "tools": Place(True, f"{TYPES}: function_tool_param"),
    "calls": Place(True, f"{TYPES}: response_function_tool_call_param"),
    "results": Place(True, f"{TYPES}: response_input_item_param"),
    "tool choice": Place(True, f"{TYPES}: tool_choice_allowed_param"),
    "system text": Place(True, f"{TYPES}: response_create_params"),
    "images": Place(True, f"{TYPES}: response_input_image_param"),
    "documents": Place(True, f"{TYPES}: response_input_file_param"),
    "error flag": Place(True, f"{TYPES}: none; told by the first line of the result"),
    "output schema": Place(True, f"{TYPES}: response_text_config_param"),
    "output limit": Place(True, f"{TYPES}: response_create_params"),
    "effort": Place(True, f"{TYPES}: shared_params/reasoning"),
    "stop sequences": Place(False, f"{TYPES}: response_create_params has none"),
    "cache marks": Place("part", f"{TYPES}: on input parts, not on tools and calls"),
}
