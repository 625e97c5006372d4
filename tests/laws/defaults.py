"""Documented defaults: values that say no more than the absence of their key (law 2).

One row a default, with the place in the vendor's material that states it, checked
2026-11-30. A default that depends on the model is none. Numbers compare as numbers here
(`1` and `1.0` are both the default 1), nowhere else. An empty object stands in the table
where it only groups settings; `{}` that switches something on (`googleSearch`) does not.

Sources: "SDK" is the installed package (anthropic 2.14.0, openai 3.57.0, google-genai
3.6.1) with the file or type whose docstring says it; "OAS" is openai/openai-openapi,
openapi.yaml, at the schema named; "ProtoJSON" is protobuf.dev/programming-guides/json: a
parser takes an absent field as its default, a writer leaves defaults out. "Facts" is the
facts file of the vendor in the shared folder. `_UNREAD` marks what is known of a source but
was not read again for this table.
"""

import json
from dataclasses import dataclass
from enum import Enum

from .pointers import Json, Path, Patterns


class When(Enum):
    """The condition of a default on the rest of the body."""

    ALWAYS = "always"
    TOOLS = "tools are present"
    NO_TOOLS = "no tools are present"
    ONLY_FUNCTIONS = "functions are the only tools, and the output is free text"


@dataclass(frozen=True, slots=True)
class Default:
    """`value` at `pattern` is worth as much as its absence, as `source` says."""

    pattern: str
    value: Json
    source: str
    when: When = When.ALWAYS


_UNREAD = " (not read again)"
_CHAT = "OAS CreateChatCompletionRequest"
_MODEL = "OAS ModelResponseProperties, in requests and in the response object"
_IMAGE_TOOL = "SDK responses/tool_param.py ImageGeneration"

ANTHROPIC = (
    Default("/stream", False, "SDK message_create_params.py: overload Literal[False]"),
    Default("content/*/is_error", False, "docs handle-tool-calls: set on failure" + _UNREAD),
    Default("/tools/*/type", "custom", "SDK tool_param.py: absent, null or 'custom'"),
    Default("cache_control/ttl", "5m", "SDK cache_control_ephemeral_param.py: Defaults to `5m`"),
    Default(
        "/tool_choice/disable_parallel_tool_use",
        False,
        "SDK tool_choice_auto_param.py, _any_, _tool_: Defaults to `false`",
    ),
    Default("/tool_choice", {"type": "auto"}, "facts, anthropic 2.6", When.TOOLS),
    Default("/tool_choice", {"type": "none"}, "facts, anthropic 2.6", When.NO_TOOLS),
)

CHAT = (
    Default("/stream", False, _CHAT),
    Default("/n", 1, _CHAT),
    Default("/temperature", 1, _CHAT),
    Default("/top_p", 1, _CHAT),
    Default("/frequency_penalty", 0, _CHAT),
    Default("/presence_penalty", 0, _CHAT),
    Default("/logprobs", False, _CHAT),
    Default("/store", False, _CHAT + _UNREAD),
    Default("/parallel_tool_calls", True, "OAS ParallelToolCalls"),
    Default("/service_tier", "auto", "SDK completion_create_params.py: when not set, 'auto'"),
    Default("/verbosity", "medium", "SDK completion_create_params.py: The default is `medium`"),
    Default("/modalities", ["text"], "SDK completion_create_params.py: text is the default"),
    Default("/response_format", {"type": "text"}, "SDK ResponseFormatText: Default"),
    Default("/tool_choice", "auto", "SDK completion_create_params.py tool_choice", When.TOOLS),
    Default("/tool_choice", "none", "SDK completion_create_params.py tool_choice", When.NO_TOOLS),
    Default("function/strict", False, "OAS FunctionObject.strict" + _UNREAD),
    Default("json_schema/strict", False, "OAS ResponseFormatJsonSchema.strict" + _UNREAD),
    Default("custom/format", {"type": "text"}, "SDK custom_tool_param: unconstrained text"),
    Default("image_url/detail", "auto", "OAS ...MessageContentPartImage" + _UNREAD),
    Default("/stream_options/include_obfuscation", True, "SDK stream_options: by default"),
    Default("/stream_options", {}, "groups settings only"),
    Default("web_search_options/search_context_size", "medium", "SDK: `medium` is the default"),
    Default("/prompt_cache_options/mode", "implicit", "SDK: Defaults to `implicit`"),
    Default("/prompt_cache_options/ttl", "30m", "SDK: Defaults to `30m`"),
    Default("/prompt_cache_options", {}, "groups settings only"),
)

RESPONSES = (
    Default("/stream", False, "OAS CreateResponse"),
    Default("/store", True, "SDK response_create_params.py: Defaults to true when omitted"),
    Default("/background", False, "OAS ResponseProperties" + _UNREAD),
    Default("/truncation", "disabled", "SDK response_create_params.py: `disabled` (default)"),
    Default("/parallel_tool_calls", True, "OAS CreateResponse"),
    Default("/tool_choice", "auto", "as in Chat, which documents it", When.TOOLS),
    Default("/temperature", 1, _MODEL),
    Default("/top_p", 1, _MODEL),
    Default("/service_tier", "auto", "SDK response.py: when not set, 'auto'"),
    Default("/text/format", {"type": "text"}, "SDK response_text_config.py: The default format"),
    Default("/text/verbosity", "medium", "SDK response_text_config.py: The default is `medium`"),
    Default("/text", {}, "groups settings only"),
    Default("/reasoning", {}, "groups settings only"),
    Default("format/strict", False, "OAS TextResponseFormatJsonSchema" + _UNREAD),
    Default("tools/*/format", {"type": "text"}, "SDK custom_tool_param.py: unconstrained text"),
    Default("content/*/detail", "auto", "SDK response_input_image.py, _file.py"),
    Default("output/*/detail", "auto", "SDK response_input_image_content.py, _file_content.py"),
    Default("tools/*/search_context_size", "medium", "SDK web_search_tool_param.py"),
    Default("tools/*/external_web_access", True, "SDK web_search_tool_param.py"),
    Default("tools/*/require_approval", "always", "facts, openai 5.3: `always` (default)"),
    Default("tools/*/action", "auto", _IMAGE_TOOL),
    Default("tools/*/background", "auto", _IMAGE_TOOL),
    Default("tools/*/moderation", "auto", _IMAGE_TOOL),
    Default("tools/*/output_compression", 100, _IMAGE_TOOL),
    Default("tools/*/output_format", "png", _IMAGE_TOOL),
    Default("tools/*/partial_images", 0, _IMAGE_TOOL),
    Default("tools/*/quality", "auto", _IMAGE_TOOL),
    Default("tools/*/size", "auto", "OAS ImageGenTool.size" + _UNREAD),
    Default("/stream_options/include_obfuscation", True, "SDK stream options: by default"),
    Default("/stream_options", {}, "groups settings only"),
    Default("/prompt_cache_options/mode", "implicit", "SDK: Defaults to `implicit`"),
    Default("/prompt_cache_options/ttl", "30m", "SDK: `30m` (the default)"),
    Default("/prompt_cache_options", {}, "groups settings only"),
    Default("/image/context_compression", "auto", "SDK: Defaults to `auto`"),
    Default("/background_options/completion_window", "soonest", "SDK: Defaults to `soonest`"),
)

GEMINI = (
    Default("parts/*/thought", False, "ProtoJSON, bool"),
    Default("functionResponse/scheduling", "WHEN_IDLE", "SDK types.py: Defaults to WHEN_IDLE"),
    Default("videoMetadata/fps", 1, "SDK types.py: the default value is 1.0"),
    Default("/serviceTier", "standard", "SDK types.py ServiceTier: Default service tier"),
    Default("/generationConfig/candidateCount", 1, "API reference: defaults to 1" + _UNREAD),
    Default("/generationConfig/responseMimeType", "text/plain", "SDK types.py: (default)"),
    Default("thinkingConfig/includeThoughts", False, "ProtoJSON, bool"),
    Default("/generationConfig/thinkingConfig", {}, "groups settings only"),
    Default("/generationConfig", {}, "groups settings only; the SDK sends it empty"),
    Default(
        "/toolConfig/functionCallingConfig/mode",
        "AUTO",
        "SDK types.py: Default model behavior; VALIDATED beside built-in tools or a schema",
        When.ONLY_FUNCTIONS,
    ),
    Default("/toolConfig/functionCallingConfig", {}, "groups settings only"),
    Default("/toolConfig/includeServerSideToolInvocations", False, "ProtoJSON, bool"),
    Default("/toolConfig", {}, "groups settings only"),
    Default("/candidates/*/index", 0, "ProtoJSON, int32"),
    Default("segment/startIndex", 0, "ProtoJSON, int32"),
    Default("segment/partIndex", 0, "ProtoJSON, int32"),
    Default("/usageMetadata/cachedContentTokenCount", 0, "ProtoJSON, int32"),
    Default("/usageMetadata/candidatesTokenCount", 0, "ProtoJSON, int32"),
    Default("/usageMetadata/thoughtsTokenCount", 0, "ProtoJSON, int32"),
    Default("/usageMetadata/toolUsePromptTokenCount", 0, "ProtoJSON, int32"),
)

DEFAULTS = {
    "anthropic": ANTHROPIC,
    "openai-chat": CHAT,
    "openai-responses": RESPONSES,
    "gemini": GEMINI,
}

_ROWS = {
    format: [(Patterns([row.pattern]), row) for row in rows] for format, rows in DEFAULTS.items()
}


def defaults_at(format: str, path: Path) -> list[Default]:
    """The rows that speak of this place; more than one where they depend on the rest."""
    return [row for pattern, row in _ROWS[format] if pattern.match(path)]


def is_default(value: Json, row: Default) -> bool:
    """Whether the value is the default of the row, numbers compared as numbers."""
    return _loose(value) == _loose(row.value)


def _loose(value: Json) -> str:
    return json.dumps(_whole(value), sort_keys=True)


def _whole(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _whole(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_whole(element) for element in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
