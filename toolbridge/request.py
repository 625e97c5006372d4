"""Requests: a history, the tools in force, and the settings of one model call."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from toolbridge.values import JSON, Value, value

if TYPE_CHECKING:
    from toolbridge.parts import Bound, Cache, Citation, ContextItem, Opaque, Part
    from toolbridge.tools import HostedTool, OutputFormat, ToolChoice, ToolGroup, ToolSpec


@value
class Author(Value):
    """Who wrote an assistant message: exact in a response, the format alone in a request."""

    format: str
    host: str | None = None
    model: str | None = None


@value
class Message(Value):
    """What one role said in one go; the reader keeps the wire's own grouping.

    A `tool` message holds results only. `name` tells speakers of one role apart, `phase` a
    comment from the final answer; `effort` is in force from here on. `citations` are those that
    the wire gives for the whole message. `item_id` and `item_status` are the vendor's.
    """

    derived: ClassVar = frozenset({"signature", "citations"})
    covered: ClassVar = ("parts",)

    role: Literal["system", "user", "assistant", "tool"]
    parts: tuple[Part, ...] = ()
    author: Author | None = None
    name: str | None = None
    phase: str | None = None
    effort: str | None = None
    citations: tuple[Citation | Opaque, ...] | None = None
    signature: Bound | None = None
    item_id: str | None = None
    item_status: str | None = None


@value
class Request(Value):
    """One call of a model, whatever the vendor.

    `instructions` is the system text that stands before everything. `history` is the ordered
    list of messages and context items; which tools and settings are in force is a function of
    the position in it. What each setting means is in `parameters.PARAMETERS`; None leaves it
    to the vendor. `state` is what the vendor's server holds for this conversation, by the
    vendor's own keys (a previous response, a stored prompt): it means nothing elsewhere.
    `profile` is the one that the body was read under.
    """

    json_fields: ClassVar = frozenset(
        {
            "logit_bias",
            "audio",
            "safety_settings",
            "metadata",
            "cache_options",
            "context_management",
            "stream_options",
            "prediction",
            "moderation",
            "web_search",
            "background_options",
            "tool_servers",
            "state",
            "speech",
        }
    )
    uncompared: ClassVar = frozenset({"spelling", "profile"})

    profile: str | None = None
    model: str | None = None
    stream: bool | None = None
    instructions: Message | None = None
    history: tuple[Message | ContextItem | Opaque, ...] = ()
    tools: tuple[ToolSpec | HostedTool | ToolGroup | Opaque, ...] | None = None
    tool_choice: ToolChoice | Opaque | None = None
    parallel_tool_calls: bool | None = None
    tool_servers: JSON = None
    state: JSON = None

    output_limit: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    stop_sequences: tuple[str, ...] | None = None
    alternatives: int | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    logit_bias: JSON = None
    modalities: tuple[str, ...] | None = None
    audio: JSON = None
    speech: JSON = None
    media_resolution: str | None = None
    effort: str | None = None
    thinking: str | None = None
    thinking_budget: int | None = None
    thinking_display: str | None = None
    reasoning_context: str | None = None
    reasoning_mode: str | None = None
    verbosity: str | None = None
    output: OutputFormat | Opaque | None = None
    service_tier: str | None = None
    speed: str | None = None
    safety_settings: JSON = None
    user_id: str | None = None
    user: str | None = None
    metadata: JSON = None
    store: bool | None = None
    background: bool | None = None
    background_options: JSON = None
    cache: Cache | None = None
    cache_key: str | None = None
    cache_options: JSON = None
    cache_retention: str | None = None
    truncation: str | None = None
    context_management: JSON = None
    stream_options: JSON = None
    include: tuple[str, ...] | None = None
    max_tool_calls: int | None = None
    prediction: JSON = None
    moderation: JSON = None
    web_search: JSON = None
    geography: str | None = None
