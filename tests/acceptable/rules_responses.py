"""What makes the Responses API answer 400 to a request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from .asked import Asked, Limit, Rule, empty_lists, is_unicode, mismatched, repeated
from .openai_models import reasons, unusual_sampling
from .places import JSON, Placed, members, objects, places

NAME = "[a-zA-Z0-9_-]{1,128}"
CALL_ID = ".{1,64}"
OUTPUT_OF = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "shell_call": "shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "computer_call": "computer_call_output",
}
CALL_OF = {output: call for call, output in OUTPUT_OF.items()}
ID_PREFIX = {"function_call": "fc_", "reasoning": "rs_", "message": "msg_"}
PARTS = {
    "assistant": {"output_text", "refusal"},
    "user": {"input_text", "input_image", "input_file", "input_audio"},
}

LIMITS = (
    Limit("input", least=1),
    Limit("max_output_tokens", least=16),
    Limit("temperature", least=0, most=2),
    Limit("top_logprobs", least=0, most=20),
    Limit("metadata", most=16),
)


# --- calls and their outputs


def has_held_history(body: Any) -> bool:
    """Then the server knows calls that the input does not show."""
    held = any(body.get(key) for key in ("previous_response_id", "conversation"))
    return held or any(objects(body, "input/*", type="item_reference"))


def outputs_follow_their_calls(asked: Asked) -> Iterator[str]:
    open_calls = set()
    for at, item in objects(asked.body, "input/*"):
        kind, call_id = item.get("type"), item.get("call_id")
        if kind in OUTPUT_OF:
            open_calls.add((kind, call_id))
        elif kind in CALL_OF and call_id is not None:
            if (CALL_OF[kind], call_id) in open_calls:
                open_calls.discard((CALL_OF[kind], call_id))
            elif not has_held_history(asked.body):
                yield f"{at}: {call_id!r} is no open {CALL_OF[kind]}"


def calls_have_outputs(asked: Asked) -> Iterator[str]:
    """All but those of async tools, whose output may come in a later request."""
    outputs = [
        (CALL_OF.get(item.get("type", "")), item.get("call_id"))
        for _, item in objects(asked.body, "input/*")
    ]
    for at, item in objects(asked.body, "input/*"):
        call = (item.get("type"), item.get("call_id"))
        if item.get("type") in OUTPUT_OF and not item.get("async") and call not in outputs:
            yield f"{at}: no output of {item.get('call_id')!r}"


# --- ids


def call_ids_match(asked: Asked) -> Iterator[str]:
    ids = places(asked.body, "input/*/call_id")
    # Hosted tool search has none: `call_id: null`.
    yield from mismatched(((at, call_id) for at, call_id in ids if call_id is not None), CALL_ID)


def call_ids_are_unique(asked: Asked) -> Iterator[str]:
    calls = [(at, item) for at, item in objects(asked.body, "input/*")]
    yield from repeated(
        (at, item.get("call_id")) for at, item in calls if item.get("type") in OUTPUT_OF
    )


def item_ids_match(asked: Asked) -> Iterator[str]:
    for at, item in objects(asked.body, "input/*"):
        if item.get("id") is not None:
            prefix = ID_PREFIX.get(item.get("type", "message"), "")
            yield from mismatched([(f"{at}/id", item["id"])], f"{prefix}.{{1,{64 - len(prefix)}}}")


def item_ids_are_unique(asked: Asked) -> Iterator[str]:
    yield from repeated(places(asked.body, "input/*/id"))


def stateless_reasoning_is_whole(asked: Asked) -> Iterator[str]:
    """What is not stored cannot be found by its id."""
    if asked.body.get("store") is False:
        for at, item in objects(asked.body, "input/*", type="reasoning"):
            if not item.get("encrypted_content"):
                yield f"{at}: no encrypted_content, and store is false"


# --- content


def parts_suit_the_role(asked: Asked) -> Iterator[str]:
    for at, item in objects(asked.body, "input/*"):
        suited = PARTS.get(item.get("role", ""))
        for place, part in objects(item, "content/*", at=at):
            if suited and part.get("type") not in suited:
                yield f"{place}: {part.get('type')} of the {item.get('role')}"


def compaction_comes_last(asked: Asked) -> Iterator[str]:
    for at, item in objects(asked.body, "input/*", type="compaction_trigger"):
        if item is not members(asked.body, "input")[-1]:
            yield f"{at}: is not the last item"


# --- names, tools, tool choice


def declared(body: JSON) -> Iterator[Placed]:
    """Functions and custom tools as (namespace, name), also those that the input adds."""
    holders = ("tools/*", "input/*/tools/*")
    for at, tool in objects(body, *holders):
        if tool.get("type") in ("function", "custom"):
            yield f"{at}/name", (None, tool.get("name"))
        for inner_at, inner in objects(tool, "tools/*", at=at):
            yield f"{inner_at}/name", (tool.get("name"), inner.get("name"))


def names_match(asked: Asked) -> Iterator[str]:
    named = ((at, name) for at, (_, name) in declared(asked.body))
    items = objects(asked.body, "input/*")
    called = (
        (f"{at}/name", item.get("name"))
        for at, item in items
        if item.get("type") in ("function_call", "custom_tool_call")
    )
    yield from mismatched(chain(named, called, places(asked.body, "text/format/name")), NAME)


def names_are_unique(asked: Asked) -> Iterator[str]:
    in_tools = ((at, name) for at, name in declared(asked.body) if at.startswith("/tools"))
    yield from repeated(in_tools)


def chosen_names_are_declared(asked: Asked) -> Iterator[str]:
    names = [name for _, (_, name) in declared(asked.body)]
    for at, choice in objects(asked.body, "tool_choice", "tool_choice/tools/*"):
        if choice.get("type") in ("function", "custom") and choice.get("name") not in names:
            yield f"{at}: {choice.get('name')!r} is not declared"


def schemas_are_objects(asked: Asked) -> Iterator[str]:
    for at, schema in objects(asked.body, "tools/*/parameters", "tools/*/tools/*/parameters"):
        if schema.get("type") != "object":
            yield f"{at}: its type is {schema.get('type')!r}"


def deferred_tools_can_be_found(asked: Asked) -> Iterator[str]:
    deferred = objects(asked.body, "tools/*", "tools/*/tools/*", defer_loading=True)
    if not any(objects(asked.body, "tools/*", type="tool_search")):
        yield from (f"{at}: deferred without tool_search" for at, _ in deferred)


# --- settings


def limits_are_kept(asked: Asked) -> Iterator[str]:
    for limit in LIMITS:
        yield from limit.breaches(asked.body)
    yield from empty_lists(asked.body, "input/*/content")


def one_history_is_held(asked: Asked) -> Iterator[str]:
    if asked.body.get("previous_response_id") and asked.body.get("conversation"):
        yield "/conversation: together with previous_response_id"


def sampling_suits_the_model(asked: Asked) -> Iterator[str]:
    """While a model reasons it takes no other value than the default."""
    effort = next((effort for _, effort in places(asked.body, "reasoning/effort")), None)
    if reasons(asked, effort):
        yield from unusual_sampling(asked.body)


def json_mode_is_told(asked: Asked) -> Iterator[str]:
    if any(objects(asked.body, "text/format", type="json_object")):
        if "json" not in json.dumps(asked.body.get("input")).lower():
            yield "/text/format: the input lacks the word JSON"


RULES: dict[str, Rule] = {
    # continuedev/continue#10092; vscode#320060
    "outputs-answer-calls": outputs_follow_their_calls,
    # GhidrAssist#78; livekit/agents#5092
    "calls-have-outputs": calls_have_outputs,
    # openai-openapi: call_id 1 to 64
    "call-id-length": call_ids_match,
    "call-ids-unique": call_ids_are_unique,
    # nodetool#4252; mastra#10815; langchainjs#11044
    "item-id-pattern": item_ids_match,
    # github/app#540
    "item-ids-unique": item_ids_are_unique,
    # oh-my-pi#41; copilot-sdk#615
    "reasoning-whole": stateless_reasoning_is_whole,
    # developers.openai.com: output_text for the assistant's, input_text for the user's history
    "parts-by-role": parts_suit_the_role,
    # openai response_compaction_trigger_item_param.py
    "compaction-last": compaction_comes_last,
    # openai-openapi: name 1 to 128
    "name-pattern": names_match,
    "names-unique": names_are_unique,
    "choice-declared": chosen_names_are_declared,
    # farion1231/cc-switch#5490 (2026-07); nspady/google-calendar-mcp#39 (2025-06): both in Chat
    "schema-root": schemas_are_objects,
    # pydantic-ai: "Deferred tools require tools.tool_search"
    "deferred-found": deferred_tools_can_be_found,
    # openai-openapi; pydantic-ai: empty input
    "limits": limits_are_kept,
    # openai response_create_params.py
    "one-history": one_history_is_held,
    # pydantic-ai profiles/openai.py
    "sampling": sampling_suits_the_model,
    # developers.openai.com structured-outputs
    "json-mode": json_mode_is_told,
    "unicode": is_unicode,
}
