"""What makes the Messages API answer 400 to tools, thinking, tool choice and cache marks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from .asked import Asked, Rule, Version, mismatched, repeated, undeclared
from .places import JSON, Placed, objects, places
from .turns_anthropic import turns

NAME = "[a-zA-Z0-9_-]{1,128}"
PROPERTY = "[a-zA-Z0-9_.-]{1,64}"
BLOCK = "messages/*/content/*"
NESTED = "messages/*/content/*/content/*"
THINKING = ("thinking", "redacted_thinking")

NO_FORCED_CHOICE_SINCE: dict[str, Version] = {"opus": (5, 5), "sonnet": (5, 5), "fable": (5, 1)}
ADAPTIVE_SINCE: dict[str, Version] = {
    "opus": (4, 6),
    "sonnet": (4, 6),
    "haiku": (4, 6),
    "claude": (9, 0),
}
NO_BUDGET_SINCE: dict[str, Version] = {"opus": (4, 7), "sonnet": (4, 7), "haiku": (4, 7)}
ALWAYS_THINKING_SINCE: dict[str, Version] = {
    "opus": (5, 5),
    "sonnet": (5, 5),
    "fable": (5, 0),
    "mythos": (5, 0),
}


# --- tools and names


def declared_names(body: JSON) -> Iterator[Placed]:
    """Also of the tools that a system turn adds."""
    return places(body, "tools/*/name", f"{BLOCK}/tool/definition/name")


def names_match(asked: Asked) -> Iterator[str]:
    calls = objects(asked.body, BLOCK, type="tool_use")
    used = ((f"{at}/name", block.get("name")) for at, block in calls)
    chosen = places(asked.body, "tool_choice/name")
    yield from mismatched(chain(declared_names(asked.body), used, chosen), NAME)


def names_are_unique(asked: Asked) -> Iterator[str]:
    yield from repeated(places(asked.body, "tools/*/name"))


def chosen_name_is_declared(asked: Asked) -> Iterator[str]:
    yield from undeclared(places(asked.body, "tool_choice/name"), declared_names(asked.body))


def references_are_declared(asked: Asked) -> Iterator[str]:
    references = objects(asked.body, BLOCK, NESTED, type="tool_reference")
    names = ((at, block.get("tool_name")) for at, block in references)
    yield from undeclared(names, declared_names(asked.body))


def one_tool_is_at_hand(asked: Asked) -> Iterator[str]:
    deferred = [tool.get("defer_loading") is True for _, tool in objects(asked.body, "tools/*")]
    if deferred and all(deferred):
        yield "/tools: all are deferred"


def schemas_are_objects(asked: Asked) -> Iterator[str]:
    for at, schema in objects(asked.body, "tools/*/input_schema"):
        if schema.get("type") != "object":
            yield f"{at}: its type is {schema.get('type')!r}"
        for union in sorted({"oneOf", "anyOf", "allOf"} & schema.keys()):
            yield f"{at}/{union}: at the top of the schema"


def property_names_match(asked: Asked) -> Iterator[str]:
    for at, properties in objects(asked.body, "tools/*/input_schema/properties"):
        yield from mismatched(((at, name) for name in properties), PROPERTY)


# --- tool choice and thinking


def forces_a_call(asked: Asked) -> bool:
    return any(kind in ("any", "tool") for _, kind in places(asked.body, "tool_choice/type"))


def thinking_type(asked: Asked) -> str | None:
    return next((kind for _, kind in places(asked.body, "thinking/type")), None)


def model_can_be_forced(asked: Asked) -> Iterator[str]:
    is_preview = "mythos-preview" in (asked.model or "")
    if forces_a_call(asked) and (asked.is_since(NO_FORCED_CHOICE_SINCE) or is_preview):
        yield f"/tool_choice: {asked.model} takes no forced choice"


def forced_choice_has_tools(asked: Asked) -> Iterator[str]:
    if forces_a_call(asked) and not any(places(asked.body, "tools/*")):
        yield "/tool_choice: there are no tools"


def thinking_is_not_forced(asked: Asked) -> Iterator[str]:
    if thinking_type(asked) == "enabled" and forces_a_call(asked):
        yield "/tool_choice: forces a call, with thinking enabled"


def model_knows_thinking_type(asked: Asked) -> Iterator[str]:
    kind = thinking_type(asked)
    is_refused = {
        "enabled": asked.is_since(NO_BUDGET_SINCE) is True,
        "adaptive": asked.is_since(ADAPTIVE_SINCE) is False,
        "disabled": asked.is_since(ALWAYS_THINKING_SINCE) is True,
    }
    if is_refused.get(str(kind)):
        yield f"/thinking/type: {asked.model} refuses {kind}"


def budget_fits(asked: Asked) -> Iterator[str]:
    """Interleaved thinking may have more than `max_tokens`; a beta header asks for it."""
    for at, budget in places(asked.body, "thinking/budget_tokens"):
        if budget < 1024 or budget >= asked.body.get("max_tokens", budget + 1):
            yield f"{at}: {budget}, not from 1024 to under max_tokens"


def thinking_leads_the_last_step(asked: Asked) -> Iterator[str]:
    """With a budget, the assistant turn whose calls the last user turn answers begins so."""
    if thinking_type(asked) != "enabled":
        return
    for turn, after in list(zip(turns(asked.body), turns(asked.body)[1:], strict=False))[-1:]:
        if after.of("tool_result") and turn.types[:1] and turn.types[0] not in THINKING:
            yield f"{turn.blocks[0][0]}: the step begins with {turn.types[0]}"


def at_most_four_cache_marks(asked: Asked) -> Iterator[str]:
    marked = objects(asked.body, "", "tools/*", "system/*", BLOCK, NESTED)
    marks = [at for at, holder in marked if holder.get("cache_control")]
    if len(marks) > 4:
        yield f"{marks[4]}/cache_control: is the fifth of {len(marks)}"


RULES: dict[str, Rule] = {
    # home-assistant/core#147760; anthropics/claude-code#96152 (2026-09)
    "name-pattern": names_match,
    # LibreChat#13162
    "names-unique": names_are_unique,
    # every name used in a tool choice is a tool's: tool_choice_tool_param.py of the SDK
    "choice-declared": chosen_name_is_declared,
    "choice-has-tools": forced_choice_has_tools,
    # platform.claude.com tool-search-tool
    "references-declared": references_are_declared,
    "not-all-deferred": one_tool_is_at_hand,
    # makenotion/notion-mcp-server#341 (2026-08)
    "schema-root": schemas_are_objects,
    # anthropics/claude-code#79418 (2026-07)
    "property-names": property_names_match,
    # platform.claude.com whats-new-opus-5-5; vercel/ai notes on Sonnet 5.5
    "forced-choice": model_can_be_forced,
    # platform.claude.com define-tools; llm-exe/llm-exe#721: adaptive thinking takes it
    "forced-choice-thinking": thinking_is_not_forced,
    # platform.claude.com errors, thinking, thinking-troubleshooting
    "thinking-type": model_knows_thinking_type,
    "thinking-budget": budget_fits,
    "thinking-first": thinking_leads_the_last_step,
    # anthropics/claude-code#8901, #50082
    "cache-marks": at_most_four_cache_marks,
}
