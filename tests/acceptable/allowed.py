"""What a vendor takes and its SDK's types do not know, as of 2026-11-30.

"Recordings" are real requests that the vendor answered with status 200.

A row changes a copy of the body into what the types know, before it is validated: it `drops` keys,
`fills` keys that may be absent, `renames` values. It holds for one format, under one profile if it
names one, and at the objects that have the members `where`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .places import JSON, objects

Kind = Literal["request", "response"]


@dataclass(frozen=True, kw_only=True)
class Allowed:
    """One row: what a vendor takes at this place and its types do not know."""

    format: str
    at: str
    source: str
    kind: Kind = "request"
    profile: str | None = None
    where: Mapping[str, JSON] = field(default_factory=dict)
    drops: tuple[str, ...] = ()
    fills: Mapping[str, JSON] = field(default_factory=dict)
    renames: Mapping[tuple[str, JSON], JSON] = field(default_factory=dict)

    def apply(self, body: JSON) -> None:
        for _, found in objects(body, self.at, **self.where):
            for key in self.drops:
                found.pop(key, None)
            for key, value in self.fills.items():
                found.setdefault(key, value)
            for (key, value), known in self.renames.items():
                if key in found and found[key] == value:
                    found[key] = known


def known_to_the_types(body: JSON, format: str, kind: Kind, profile: str | None = None) -> JSON:
    """A copy of the body in which all that is allowed below is spelled as the types have it."""
    known = copy.deepcopy(body)
    for row in ALLOWED:
        if (row.format, row.kind) == (format, kind) and row.profile in (None, profile):
            row.apply(known)
    return known


ANTHROPIC = (
    Allowed(
        format="anthropic",
        profile="2023-06-01",
        at="",
        drops=("temperature", "top_p", "top_k"),
        source="platform.claude.com migration-2026-10-21; four recordings of 2025-11 to 2026-05",
    ),
    Allowed(
        format="anthropic",
        kind="response",
        at="content/*/content",
        where={"type": "code_execution_result"},
        drops=("abort_reason",),
        source="three recordings of code execution",
    ),
)

CHAT = (
    Allowed(
        format="openai-chat",
        at="messages/*",
        where={"role": "assistant"},
        drops=("annotations",),
        source="two recordings of 2025-11-19 replay a response's message",
    ),
    Allowed(
        format="openai-chat",
        at="messages/*",
        where={"role": "tool"},
        drops=("name",),
        source="five recordings of 2026-01 and 2026-02; Mistral documents the key",
    ),
    Allowed(
        format="openai-chat",
        at="",
        renames={("tool_choice", None): "auto"},
        source="a recording of 2025-11-19",
    ),
    Allowed(
        format="openai-chat",
        profile="azure",
        at="",
        fills={"model": "in the path"},
        source="four recordings: Azure has the deployment in the path",
    ),
    Allowed(
        format="openai-chat",
        profile="deepseek",
        at="",
        drops=("thinking",),
        source="api-docs.deepseek.com guides/thinking_mode",
    ),
    Allowed(
        format="openai-chat",
        profile="deepseek",
        at="messages/*",
        where={"role": "assistant"},
        drops=("reasoning_content",),
        source="api-docs.deepseek.com guides/thinking_mode; two recordings",
    ),
    Allowed(
        format="openai-chat",
        profile="openrouter",
        at="",
        drops=("reasoning", "include_reasoning", "provider", "models", "transforms", "usage"),
        source="openrouter.ai/docs api-reference; recordings of each",
    ),
    Allowed(
        format="openai-chat",
        profile="openrouter",
        at="messages/*",
        where={"role": "assistant"},
        drops=("reasoning", "reasoning_details"),
        source="openrouter.ai/docs reasoning-tokens: replayed verbatim; four recordings",
    ),
    Allowed(
        format="openai-chat",
        profile="openrouter",
        at="messages/*/content/*",
        drops=("cache_control",),
        source="two recordings",
    ),
    Allowed(
        format="openai-chat",
        profile="openrouter",
        at="tools/*",
        where={"type": "function"},
        drops=("cache_control", "eager_input_streaming"),
        source="three recordings",
    ),
    Allowed(
        format="openai-chat",
        profile="openrouter",
        at="",
        renames={("tool_choice", "any"): "required"},
        source="recordings",
    ),
    Allowed(
        format="openai-chat",
        profile="groq",
        at="",
        drops=("reasoning_format", "search_settings"),
        renames={("reasoning_effort", "default"): "medium", ("service_tier", "on_demand"): "auto"},
        source="recordings of each; a key or a word of Groq alone",
    ),
    Allowed(
        format="openai-chat",
        profile="mistral",
        at="",
        renames={("tool_choice", "any"): "required"},
        source="docs.mistral.ai function-calling",
    ),
)

RESPONSES = (
    Allowed(
        format="openai-responses",
        at="tools/*",
        where={"type": "function"},
        fills={"strict": None},
        source="nine recordings; developers.openai.com function-calling: the server tries strict",
    ),
    Allowed(
        format="openai-responses",
        at="input/*/content/*",
        where={"type": "output_text"},
        fills={"annotations": []},
        source="a recording of a three-turn tool session",
    ),
    Allowed(
        format="openai-responses",
        at="input/*/content/*",
        where={"type": "input_image"},
        fills={"detail": "auto"},
        source="recordings",
    ),
    Allowed(
        format="openai-responses",
        at="input/*",
        where={"type": "reasoning"},
        fills={"id": "rs_"},
        source="recordings of stateless replay with `encrypted_content`",
    ),
    Allowed(
        format="openai-responses",
        at="input/*/action",
        renames={("sources", None): []},
        source="recordings of a web_search_call with `sources: null`",
    ),
    Allowed(
        format="openai-responses",
        at="input/*",
        where={"type": "image_generation_call"},
        fills={"result": None, "status": "completed"},
        source="a recording of 2025-10-01 sends only id and type",
    ),
    Allowed(
        format="openai-responses",
        kind="response",
        at="",
        drops=("store", "billing", "frequency_penalty", "presence_penalty"),
        source="40 to 63 recordings of each",
    ),
    Allowed(
        format="openai-responses",
        kind="response",
        at="output/*",
        where={"type": "custom_tool_call"},
        drops=("status",),
        source="three recordings of 2025-08-21",
    ),
    Allowed(
        format="openai-responses",
        kind="response",
        at="output/*/results/*",
        drops=("vector_store_id",),
        source="a recording of 2025-12-10",
    ),
    Allowed(
        format="openai-responses",
        kind="response",
        at="tools/*",
        drops=("return_token_budget", "search_content_types", "n"),
        source="recordings of 2026-03-31 and 2026-07-24",
    ),
)

GEMINI = (
    Allowed(
        format="gemini",
        kind="response",
        at="usageMetadata",
        drops=("serviceTier",),
        source="most recordings of 2026",
    ),
    Allowed(
        format="gemini",
        kind="response",
        at="candidates/*/citationMetadata",
        drops=("citationSources",),
        source="google.genai models.py: the Gemini API spells `citations` so",
    ),
)

ALLOWED = ANTHROPIC + CHAT + RESPONSES + GEMINI
