"""Which format a payload is in: the one whose reader understands the most of it.

Where two understand it equally well, what only one of them has to say decides: a setting that
it requires, the role of its first message, whose model it names.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from toolbridge.convert import read
from toolbridge.errors import ToolbridgeError, WireError
from toolbridge.parts import Opaque
from toolbridge.registry import BUILT_IN
from toolbridge.streams.convert import stream_reader
from toolbridge.streams.events import Unknown
from toolbridge.values import JSON, Value

AUTO = "auto"
"""The name under which a format is asked for that is yet to be recognised."""

USUAL = ("openai-chat", "anthropic", "openai-responses", "gemini")
"""The order in which formats are taken that nothing tells apart: the most used first."""

KEYS = {
    ("anthropic", "request"): {"messages"},
    ("openai-chat", "request"): {"messages"},
    ("openai-responses", "request"): {"input", "prompt", "previous_response_id", "instructions"},
    ("gemini", "request"): {"contents"},
    ("anthropic", "response"): {"content"},
    ("openai-chat", "response"): {"choices"},
    ("openai-responses", "response"): {"output"},
    ("gemini", "response"): {"candidates", "promptFeedback", "usageMetadata", "usage_metadata"},
}
"""The keys of which a request or response of a format has one."""

CLAUDE = re.compile(r"(\w+\.)?(anthropic\.)?claude-")
"""Names of Anthropic's models, on its own servers and on Bedrock
(docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html); the prefix
`anthropic/` is of routers that speak Chat Completions (openrouter.ai/docs)."""

DATED = re.compile(r"_20\d{6}$")
"""The end of the types of Anthropic's own tools (types/tool_union_param.py of `anthropic`)."""

FIRST = 5
"""Events of a stream that tell its format at the latest."""


def recognise(payload: JSON, kind: str = "request", likely: str | None = None) -> str:
    """The format of a payload of some kind; `likely` is taken if nothing else tells. Raises
    WireError where no format reads it."""
    if kind == "tools":
        return recognise_tools(payload)
    read_by = [name for name in USUAL if may_be(payload, name, kind)]
    if len(read_by) == 1:
        return read_by[0]
    scores = {name: strangeness(payload, name, kind) for name in read_by}
    scored = {name: score for name, score in scores.items() if score is not None}
    if not scored:
        raise nobody_reads(kind)
    found = [name for name, score in scored.items() if score == min(scored.values())]
    if likely in found:
        return likely
    model = payload.get("model") if isinstance(payload, dict) else None
    claude = isinstance(model, str) and CLAUDE.match(model) is not None
    return "anthropic" if claude and "anthropic" in found else found[0]


def nobody_reads(kind: str) -> WireError:
    """The error for a payload of no format."""
    return WireError(
        "", f"a payload ({kind}) of {', '.join(BUILT_IN)}", "none of them", "Name it: --from F"
    )


def may_be(payload: JSON, format: str, kind: str) -> bool:
    """Whether a payload has what every payload of a format has."""
    if kind == "stream":
        return isinstance(payload, list)
    return (format, kind) not in KEYS or has_keys(payload, format, kind)


def has_keys(payload: JSON, format: str, kind: str = "response") -> bool:
    """Whether a payload has one of the keys of its format."""
    return isinstance(payload, dict) and not KEYS[format, kind].isdisjoint(payload)


def strangeness(payload: JSON, format: str, kind: str) -> int | None:
    """How much of a payload a format does not know; None where it cannot read it at all."""
    if kind == "stream":
        return strange_events(payload, format)
    try:
        strange = unknown_in(read(payload, format, kind))
    except ToolbridgeError:
        return None
    if kind != "request":
        return strange
    return strange + missing_in(payload, format) - ("thinking" in payload and format in THINKING)


THINKING = ("openai-chat",)
"""Formats of which some servers take `thinking` as Anthropic does
(api-docs.deepseek.com/guides/thinking_mode, docs.z.ai/guides/capabilities/thinking-mode)."""


def missing_in(payload: JSON, format: str) -> int:
    """What a request would be refused for: Anthropic requires `max_tokens`, and system text as
    the first message is not for its `messages` (types/message_create_params.py of
    `anthropic`)."""
    if format != "anthropic":
        return 0
    messages = payload.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    role = first.get("role") if isinstance(first, dict) else None
    return 5 * ("max_tokens" not in payload) + 5 * (role in ("system", "developer"))


def recognise_tools(payload: JSON) -> str:
    """The format of most tools of a list. Raises WireError where there is none."""
    tools = payload if isinstance(payload, list) else []
    votes = Counter(format_of_tool(tool) for tool in tools if isinstance(tool, dict))
    if not votes:
        raise nobody_reads("tools")
    return votes.most_common(1)[0][0]


def format_of_tool(tool: dict[str, JSON]) -> str:
    """Chat Completions has a tool under its type, or one of a router (openrouter.ai/docs has
    `openrouter:web_search`), Anthropic an `input_schema` or a type with a date, Responses any
    other type, Gemini none."""
    kind = tool.get("type")
    if "input_schema" in tool or (isinstance(kind, str) and DATED.search(kind)):
        return "anthropic"
    if not isinstance(kind, str):
        return "gemini"
    nested = isinstance(tool.get(kind), dict) or ":" in kind
    return "openai-chat" if nested else "openai-responses"


def recognise_stream(first: list[JSON], last: bool = False) -> str | None:
    """The format of a stream by its first data objects; None while more of them could tell.
    Raises WireError where no format reads them."""
    scores = {name: strange_events(first, name) for name in USUAL}
    plain = [name for name, score in scores.items() if score == 0]
    if len(plain) == 1:
        return plain[0]
    return recognise(first, "stream") if last or len(first) >= FIRST else None


def strange_events(payload: list[JSON], format: str) -> int | None:
    """How many of the first events of a stream a format does not know; None where they begin no
    answer and tell of no error."""
    first = payload[:FIRST]
    if format == "gemini" and not any(has_keys(data, format) for data in first):
        return None
    reader = stream_reader(format)
    try:
        strange = sum(isinstance(event, Unknown) for data in first for event in reader.feed(data))
    except ToolbridgeError:
        return None
    return None if not reader.body and reader.failure is None else strange


def unknown_in(item: Any) -> int:
    """The unknown keys and elements in a value."""
    if isinstance(item, (tuple, list)):
        return sum(map(unknown_in, item))
    if isinstance(item, Opaque):
        return 3
    if not isinstance(item, Value):
        return 0
    inside = sum(
        unknown_in(member)
        for name, member in vars(item).items()
        if name not in ("spelling", "extra") and isinstance(member, (tuple, Value))
    )
    return inside + len(item.extra or ())
