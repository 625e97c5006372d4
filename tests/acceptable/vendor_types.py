"""Would the official SDK's types take this body? Unknown keys are forbidden, requests are strict.

request_errors(body, "anthropic", betas=("mcp-client-2025-11-20",))    the beta type
request_errors(body, "openai-chat", profile="deepseek")                with what DeepSeek allows
response_errors(body, "gemini")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from anthropic.types import Message
from anthropic.types import message_create_params as messages
from anthropic.types.beta import BetaMessage
from anthropic.types.beta import message_create_params as beta_messages
from google.genai import types as google
from openai.types.chat import ChatCompletion, completion_create_params
from openai.types.responses import Response, response_create_params
from pydantic import ConfigDict, create_model
from pydantic.alias_generators import to_camel

from .allowed import Kind, known_to_the_types
from .places import JSON
from .sdk_types import SdkType

# google/genai/models.py:
# `_GenerateContentConfig_to_mldev` and `_to_vertex` write the top level of a request.
GEMINI_REQUEST: dict[str, Any] = {
    "contents": (list[google.Content], ...),
    "system_instruction": (google.Content, None),
    "tools": (list[google.Tool], None),
    "tool_config": (google.ToolConfig, None),
    "safety_settings": (list[google.SafetySetting], None),
    "generation_config": (google.GenerationConfig, None),
    "cached_content": (str, None),
    "labels": (dict[str, str], None),
    "service_tier": (google.ServiceTier, None),
    "continuation_token": (bytes, None),
    "store": (bool, None),
    "model_armor_config": (google.ModelArmorConfig, None),
    "output_config": (google.GenerationOutputConfig, None),
}

# What google.genai puts into a response itself: types.py, GenerateContentResponse.
GEMINI_OWN = frozenset({"sdk_http_response", "automatic_function_calling_history", "parsed"})

# What anthropic sends as headers: resources/messages/messages.py and its beta twin.
ANTHROPIC_HEADERS = frozenset({"user_profile_id", "workspace_id"})


def gemini_request() -> Any:
    config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        val_json_bytes="base64",
    )
    return create_model("GenerateContentRequest", __config__=config, **GEMINI_REQUEST)


TYPES: dict[tuple[str, Kind], Callable[[], SdkType]] = {
    ("anthropic", "request"): lambda: SdkType(
        messages.MessageCreateParamsNonStreaming, outside_the_body=ANTHROPIC_HEADERS
    ),
    ("anthropic beta", "request"): lambda: SdkType(
        beta_messages.MessageCreateParamsNonStreaming,
        outside_the_body=ANTHROPIC_HEADERS | {"betas"},
    ),
    ("openai-chat", "request"): lambda: SdkType(
        completion_create_params.CompletionCreateParamsNonStreaming
    ),
    ("openai-responses", "request"): lambda: SdkType(
        response_create_params.ResponseCreateParamsNonStreaming
    ),
    ("gemini", "request"): lambda: SdkType(gemini_request()),
    ("anthropic", "response"): lambda: SdkType(Message),
    ("anthropic beta", "response"): lambda: SdkType(BetaMessage),
    ("openai-chat", "response"): lambda: SdkType(ChatCompletion),
    ("openai-responses", "response"): lambda: SdkType(Response),
    # Not strict: `createTime` has more digits than a strict datetime takes.
    ("gemini", "response"): lambda: SdkType(
        google.GenerateContentResponse, outside_the_body=GEMINI_OWN, strict=False
    ),
}


@cache
def sdk_type(name: str, kind: Kind) -> SdkType:
    return TYPES[name, kind]()


def request_errors(
    body: JSON, format: str, *, betas: Sequence[str] = (), profile: str | None = None
) -> list[str]:
    """What the type of a request finds wrong; for Anthropic the beta type if there are betas."""
    known = known_to_the_types(body, format, "request", profile)
    if format == "gemini":
        known = without_nulls(known)
    elif isinstance(known, dict) and isinstance(known.get("stream"), bool):
        del known["stream"]  # the types differ in nothing else
    return sdk_type(type_name(format, betas), "request").errors(known)


def response_errors(
    body: JSON, format: str, *, betas: Sequence[str] = (), profile: str | None = None
) -> list[str]:
    """What the type of a response finds wrong."""
    known = known_to_the_types(body, format, "response", profile)
    return sdk_type(type_name(format, betas), "response").errors(known)


def type_name(format: str, betas: Sequence[str]) -> str:
    return "anthropic beta" if format == "anthropic" and betas else format


def without_nulls(node: JSON) -> JSON:
    """Proto JSON reads an explicit null as an absent key."""
    if isinstance(node, list):
        return [without_nulls(member) for member in node]
    if isinstance(node, dict):
        return {k: without_nulls(member) for k, member in node.items() if member is not None}
    return node
