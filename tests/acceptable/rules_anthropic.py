"""What makes the Messages API answer 400 to a conversation."""

from __future__ import annotations

from collections.abc import Iterator

from .asked import Asked, Rule, Version, is_unicode, mismatched, repeated
from .places import JSON, Placed, members, objects, places, texts
from .rules_anthropic_settings import RULES as SETTINGS
from .turns_anthropic import last_turn, neighbours, turns

ID = "[a-zA-Z0-9_-]+"
CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
BLOCK = "messages/*/content/*"
NESTED = "messages/*/content/*/content/*"

# `claude-3-5-haiku` and the like name the version first, and are older than all that have a family.
SYSTEM_TURNS_SINCE: dict[str, Version] = {
    "opus": (4, 8),
    "fable": (5, 0),
    "mythos": (5, 0),
    "sonnet": (5, 5),
    "haiku": (5, 5),
    "claude": (9, 0),
}
NO_PREFILL_SINCE: dict[str, Version] = {
    "opus": (4, 6),
    "sonnet": (4, 6),
    "haiku": (4, 6),
    "fable": (0, 0),
    "mythos": (0, 0),
}


# --- calls and their results


def calls_are_answered(asked: Asked) -> Iterator[str]:
    for _, turn, after in neighbours(asked.body):
        answered = [block.get("tool_use_id") for _, block in after.of("tool_result")]
        for at, block in turn.of("tool_use"):
            if after.role != "user" or block.get("id") not in answered:
                yield f"{at}: no result of {block.get('id')!r} in the next turn"


def results_answer_calls(asked: Asked) -> Iterator[str]:
    for before, turn, _ in neighbours(asked.body):
        calls = [block.get("id") for _, block in before.of("tool_use")]
        for at, result in turn.of("tool_result"):
            if result.get("tool_use_id") in calls:
                calls.remove(result.get("tool_use_id"))
            else:
                yield f"{at}: {result.get('tool_use_id')!r} is no open call of the turn before"


def results_stand_first(asked: Asked) -> Iterator[str]:
    for turn in turns(asked.body):
        before = "tool_result"
        for (at, _), kind in zip(turn.blocks, turn.types, strict=True):
            if kind == "tool_result" != before:
                yield f"{at}: comes after a block of type {before}"
            before = kind


def server_results_follow_their_calls(asked: Asked) -> Iterator[str]:
    called = set()
    for at, block in objects(asked.body, BLOCK):
        kind = str(block.get("type"))
        if kind in CALLS:
            called.add(block.get("id"))
        if kind.endswith("_tool_result") and block.get("tool_use_id") not in called:
            yield f"{at}: no call {block.get('tool_use_id')!r} before it"


def error_results_are_text(asked: Asked) -> Iterator[str]:
    for at, result in objects(asked.body, BLOCK, type="tool_result", is_error=True):
        kinds = [block.get("type") for _, block in objects(result, "content/*")]
        if not result.get("content"):
            yield f"{at}: is_error without content"
        if any(kind != "text" for kind in kinds):
            yield f"{at}: is_error with {kinds}"


def toolset_names_agree(asked: Asked) -> Iterator[str]:
    calls = objects(asked.body, BLOCK, type="tool_use")
    toolsets = {block.get("id"): block.get("toolset_name") for _, block in calls}
    for at, result in objects(asked.body, BLOCK, type="tool_result"):
        toolset = toolsets.get(result.get("tool_use_id"))
        if result.get("toolset_name") != toolset:
            yield f"{at}: its call has the toolset_name {toolset!r}"


# --- ids


def call_ids(body: JSON, *types: str) -> Iterator[Placed]:
    for at, block in objects(body, BLOCK):
        if block.get("type") in types:
            yield f"{at}/id", block.get("id")


def ids_match(asked: Asked) -> Iterator[str]:
    yield from mismatched(call_ids(asked.body, "tool_use"), ID)
    for at, result in objects(asked.body, BLOCK, type="tool_result"):
        yield from mismatched([(at, result.get("tool_use_id"))], ID)


def ids_are_unique(asked: Asked) -> Iterator[str]:
    yield from repeated(call_ids(asked.body, *CALLS))


# --- text and turns


def text_is_not_blank(asked: Asked) -> Iterator[str]:
    patterns = ("system/*/text", f"{BLOCK}/text", f"{NESTED}/text")
    for at, text in texts(asked.body, *patterns, "messages/*/content", "system"):
        if not text.strip() and (text or at.endswith("/text")):
            yield f"{at}: is {text!r}"


def content_is_not_empty(asked: Asked) -> Iterator[str]:
    messages = members(asked.body, "messages")
    for at, message in objects(asked.body, "messages/*"):
        is_prefill = message is messages[-1] and message.get("role") == "assistant"
        if message.get("content") in ("", []) and not is_prefill:
            yield f"{at}/content: is empty"


def first_turn_is_the_users(asked: Asked) -> Iterator[str]:
    roles = [turn.role for turn in turns(asked.body)]
    if roles[:1] != ["user"]:
        yield f"/messages: begins with {roles[:1]}"


def system_turns_are_placed(asked: Asked) -> Iterator[str]:
    """After a user turn or a server tool's result; before an assistant turn, or last."""
    for before, turn, after in neighbours(asked.body):
        if turn.role != "system":
            continue
        follows_result = before.types[-1:] and before.types[-1].endswith("_tool_result")
        if before.role != "user" and not follows_result:
            yield f"/messages: a system turn after {before.role or 'nothing'}"
        if after.role not in ("assistant", ""):
            yield f"/messages: a system turn before {after.role}"


def model_knows_system_turns(asked: Asked) -> Iterator[str]:
    has_some = any(objects(asked.body, "messages/*", role="system"))
    if has_some and asked.is_since(SYSTEM_TURNS_SINCE) is False:
        yield f"/messages: {asked.model} knows no system turns"


def model_takes_prefill(asked: Asked) -> Iterator[str]:
    last = last_turn(asked.body)
    resumes = last.of("server_tool_use", "mcp_tool_use")
    if last.role == "assistant" and not resumes and asked.is_since(NO_PREFILL_SINCE):
        yield f"/messages: {asked.model} takes no prefill"


def prefill_ends_in_no_space(asked: Asked) -> Iterator[str]:
    last = last_turn(asked.body)
    for at, block in last.blocks[-1:]:
        text = block.get("text")
        if last.role == "assistant" and isinstance(text, str) and text != text.rstrip():
            yield f"{at}: the prefill ends in white space"


def documents_are_the_users(asked: Asked) -> Iterator[str]:
    for turn in turns(asked.body):
        if turn.role == "assistant" and asked.profile != "2023-06-01":
            yield from (f"{at}: a document of the assistant" for at, _ in turn.of("document"))


def citations_are_the_assistants(asked: Asked) -> Iterator[str]:
    for turn in turns(asked.body):
        cited = [at for at, block in turn.of("text") if block.get("citations")]
        if turn.role == "user" and asked.profile != "2023-06-01":
            yield from (f"{at}: citations in a text of the user" for at in cited)


def documents_agree_on_citations(asked: Asked) -> Iterator[str]:
    documents = objects(asked.body, BLOCK, NESTED, type="document")
    enabled = {bool((block.get("citations") or {}).get("enabled")) for _, block in documents}
    if len(enabled) > 1:
        yield "/messages: some documents have citations, some not"
    if True in enabled and any(places(asked.body, "output_config/format")):
        yield "/output_config/format: together with citations"


HISTORY: dict[str, Rule] = {
    # platform.claude.com handle-tool-calls; anthropics/claude-code#1831, #18947 (2026-01)
    "calls-answered": calls_are_answered,
    "results-answer-calls": results_answer_calls,
    # platform.claude.com handle-tool-calls
    "results-first": results_stand_first,
    # anthropics/claude-code#64383 (2026-06)
    "server-results-after-calls": server_results_follow_their_calls,
    # bytedance/trae-agent#230; vellum-assistant#18387 (2026-03); anthropic lib/tools/_toolsets
    "error-results": error_results_are_text,
    # platform.claude.com tool-reference
    "toolset-names": toolset_names_agree,
    # BerriAI/litellm#21114; qwen-code#8160 (2026-07)
    "id-pattern": ids_match,
    # anthropics/claude-code#21317 (2026-01); BerriAI/litellm#23510
    "ids-unique": ids_are_unique,
    # anthropics/claude-code#59812, #23440 (2026)
    "blank-text": text_is_not_blank,
    # anthropics/claude-code#21392 (2026-01)
    "empty-content": content_is_not_empty,
    # TextWordExplain#2 (2024-09)
    "first-user": first_turn_is_the_users,
    # platform.claude.com mid-conversation-system-messages; anthropics/claude-code#73821 (2026-07)
    "system-turns-placed": system_turns_are_placed,
    "system-turns-known": model_knows_system_turns,
    # platform.claude.com errors: Claude 4.6 and later
    "prefill": model_takes_prefill,
    # forgecode#1872 (2025-11)
    "prefill-space": prefill_ends_in_no_space,
    # platform.claude.com migration-2026-10-21
    "assistant-documents": documents_are_the_users,
    "user-citations": citations_are_the_assistants,
    # platform.claude.com citations, structured-outputs
    "document-citations": documents_agree_on_citations,
    # anthropics/claude-code#558
    "unicode": is_unicode,
}

RULES: dict[str, Rule] = {**HISTORY, **SETTINGS}
