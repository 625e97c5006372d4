"""Hand-made requests of each format: one that is taken, what breaks each rule, what breaks none.

A change maps places in the valid body to what stands there instead. `profile` is no place: it names
the profile under which the change is judged. A rule that has several sides has several rows, told
apart after its name.
"""

from __future__ import annotations

from . import violations_anthropic as anthropic
from . import violations_gemini as gemini
from . import violations_openai as openai
from .changes import Change, changed
from .places import JSON

VALID: dict[str, JSON] = {
    "anthropic": anthropic.VALID,
    "openai-chat": openai.CHAT_VALID,
    "openai-responses": openai.RESPONSES_VALID,
    "gemini": gemini.VALID,
}

VIOLATIONS: dict[str, dict[str, Change]] = {
    "anthropic": anthropic.VIOLATIONS,
    "openai-chat": openai.CHAT_VIOLATIONS,
    "openai-responses": openai.RESPONSES_VIOLATIONS,
    "gemini": gemini.VIOLATIONS,
}

LEGAL: dict[str, dict[str, Change]] = {
    "anthropic": anthropic.LEGAL,
    "openai-chat": openai.CHAT_LEGAL,
    "openai-responses": openai.RESPONSES_LEGAL,
    "gemini": gemini.LEGAL,
}


def case(format: str, change: Change) -> tuple[JSON, str | None]:
    """The changed body and its profile."""
    places = {place: value for place, value in change.items() if place != "profile"}
    return changed(VALID[format], places), change.get("profile")


def broken_rule(name: str) -> str:
    return name.partition(" (")[0]
