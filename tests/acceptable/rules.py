"""Rules of the vendors that no type expresses: each would bring a 400.

    rule_errors(body, "anthropic", profile="2023-06-01", model="claude-sonnet-4-5")

gives one line a breach, `rule: JSON pointer: what is wrong`. A rule that depends on a fact which is
not known (the model, the server) is silent. Rules on single keywords of schemas are not here.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import rules_anthropic, rules_chat, rules_gemini, rules_responses
from .asked import Asked, Rule
from .places import JSON

RULES: Mapping[str, Mapping[str, Rule]] = {
    "anthropic": rules_anthropic.RULES,
    "openai-chat": rules_chat.RULES,
    "openai-responses": rules_responses.RULES,
    "gemini": rules_gemini.RULES,
}


def rule_errors(
    body: JSON, format: str, profile: str | None = None, model: str | None = None
) -> list[str]:
    """Every breach of a rule in a request; `model` where the body does not name one."""
    asked = Asked.of(body, format, profile, model)
    return [found for name, rule in RULES[format].items() for found in breaches(name, rule, asked)]


def breaches(name: str, rule: Rule, asked: Asked) -> list[str]:
    try:
        return [f"{name}: {breach}" for breach in rule(asked)]
    except (AttributeError, TypeError) as error:  # the types say what is mistyped, and where
        return [f"{name}: : cannot be checked: {error}"]
