"""What makes Chat Completions answer 400 to a request; servers that speak it, by profile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain

from .asked import (
    Asked,
    Limit,
    Rule,
    Version,
    empty_lists,
    is_unicode,
    mismatched,
    repeated,
    undeclared,
)
from .openai_models import is_openais, is_reasoning_model, reasons, unusual_sampling
from .places import JSON, Placed, members, objects, places

NAME = "[a-zA-Z0-9_-]{1,64}"
ID = ".{1,40}"
MISTRAL_ID = "[a-zA-Z0-9]{9}"
TOOL_NAMES = ("tools/*/function/name", "tools/*/custom/name", "functions/*/name")
CALL = "messages/*/tool_calls/*"
CHOSEN = "tool_choice/allowed_tools/tools/*"

NO_EFFORT_WITH_TOOLS_SINCE: dict[str, Version] = {"gpt": (5, 4)}
EFFORT_NONE_WITH_TOOLS_SINCE: dict[str, Version] = {"gpt": (5, 6)}

LIMITS = (
    Limit("messages", least=1),
    Limit("tools", most=128),
    Limit("functions", least=1, most=128),
    Limit("n", least=1, most=128),
    Limit("stop", most=4),
    Limit("temperature", least=0, most=2),
    Limit("presence_penalty", least=-2, most=2),
    Limit("frequency_penalty", least=-2, most=2),
    Limit("top_logprobs", least=0, most=20),
    Limit("metadata", most=16),
)


# --- calls and their results


def results_follow_their_calls(asked: Asked) -> Iterator[str]:
    """Straight after the assistant message, one for each id, before any other message."""
    waiting: list[str] = []
    for at, message in objects(asked.body, "messages/*"):
        if message.get("role") == "tool":
            if message.get("tool_call_id") in waiting:
                waiting.remove(message["tool_call_id"])
            else:
                yield f"{at}: {message.get('tool_call_id')!r} is no open call"
            continue
        yield from (f"{at}: before the result of {call!r}" for call in waiting)
        waiting = [call.get("id", "") for _, call in objects(message, "tool_calls/*")]
    yield from (f"/messages: no result of {call!r}" for call in waiting)


def ids_match(asked: Asked) -> Iterator[str]:
    used = places(asked.body, f"{CALL}/id", "messages/*/tool_call_id")
    yield from mismatched(used, MISTRAL_ID if asked.profile == "mistral" else ID)


def ids_are_unique(asked: Asked) -> Iterator[str]:
    for at, message in objects(asked.body, "messages/*", role="assistant"):
        yield from repeated(places(message, "tool_calls/*/id", at=at))


def results_are_text(asked: Asked) -> Iterator[str]:
    for at, message in objects(asked.body, "messages/*", role="tool"):
        kinds = {part.get("type") for _, part in objects(message, "content/*")}
        if kinds - {"text"}:
            yield f"{at}: {sorted(map(str, kinds))} in a tool message"


def silence_has_calls(asked: Asked) -> Iterator[str]:
    """An assistant message without content makes calls (or refuses, or speaks)."""
    for at, message in objects(asked.body, "messages/*", role="assistant"):
        instead = ("tool_calls", "function_call", "refusal", "audio")
        if message.get("content") is None and not any(message.get(key) for key in instead):
            yield f"{at}/content: is {message.get('content')!r}"


# --- names, tools, tool choice


def declared_names(body: JSON) -> Iterator[Placed]:
    return places(body, *TOOL_NAMES)


def chosen_names(body: JSON) -> Iterator[Placed]:
    holders = ("tool_choice", CHOSEN)
    named = [f"{holder}/{kind}/name" for holder in holders for kind in ("function", "custom")]
    return places(body, *named, "function_call/name")


def names_match(asked: Asked) -> Iterator[str]:
    called = places(asked.body, f"{CALL}/function/name", f"{CALL}/custom/name")
    output = places(asked.body, "response_format/json_schema/name")
    yield from mismatched(chain(declared_names(asked.body), called, output), NAME)


def names_are_unique(asked: Asked) -> Iterator[str]:
    yield from repeated(declared_names(asked.body))


def chosen_names_are_declared(asked: Asked) -> Iterator[str]:
    yield from undeclared(chosen_names(asked.body), declared_names(asked.body))


def choice_has_tools(asked: Asked) -> Iterator[str]:
    if asked.body.get("tool_choice") is not None and not members(asked.body, "tools"):
        yield "/tool_choice: there are no tools"


def lists_are_not_empty(asked: Asked) -> Iterator[str]:
    yield from empty_lists(asked.body, "tools", "messages/*/tool_calls", "messages/*/content")


def schemas_are_objects(asked: Asked) -> Iterator[str]:
    for at, schema in objects(asked.body, "tools/*/function/parameters"):
        if schema.get("type") != "object":
            yield f"{at}: its type is {schema.get('type')!r}"
        for keyword in sorted({"oneOf", "anyOf", "allOf", "enum", "not"} & schema.keys()):
            yield f"{at}/{keyword}: at the top of the schema"


# --- settings


def limits_are_kept(asked: Asked) -> Iterator[str]:
    for limit in LIMITS:
        yield from limit.breaches(asked.body)
    for key, value in (asked.body.get("metadata") or {}).items():
        if len(key) > 64 or len(str(value)) > 512:
            yield f"/metadata/{key}: over 64 characters, or its value over 512"


def effort_goes_with_tools(asked: Asked) -> Iterator[str]:
    """From gpt-5.4 only `none`; from gpt-5.6, where it is not the default, `none` is said."""
    if not is_openais(asked) or not any(objects(asked.body, "tools/*", type="function")):
        return
    effort = asked.body.get("reasoning_effort")
    if asked.is_since(NO_EFFORT_WITH_TOOLS_SINCE) and effort not in (None, "none"):
        yield f"/reasoning_effort: {effort!r} with tools"
    if asked.is_since(EFFORT_NONE_WITH_TOOLS_SINCE) and effort is None:
        yield f"/reasoning_effort: has to be 'none' for {asked.model} with tools"


def sampling_suits_the_model(asked: Asked) -> Iterator[str]:
    """While a model reasons it takes no other value than the default."""
    if reasons(asked, asked.body.get("reasoning_effort")):
        yield from unusual_sampling(asked.body)


def output_limit_suits_the_model(asked: Asked) -> Iterator[str]:
    if is_reasoning_model(asked) and asked.body.get("max_tokens") is not None:
        yield f"/max_tokens: {asked.model} takes max_completion_tokens"


def json_mode_is_told(asked: Asked) -> Iterator[str]:
    if any(objects(asked.body, "response_format", type="json_object")):
        if "json" not in json.dumps(asked.body.get("messages")).lower():
            yield "/response_format: no message has the word JSON"


# --- profiles


def reasoning_goes_back_to_deepseek(asked: Asked) -> Iterator[str]:
    if asked.profile != "deepseek":
        return
    for at, message in objects(asked.body, "messages/*", role="assistant"):
        if message.get("tool_calls") and "reasoning_content" not in message:
            yield f"{at}: calls without reasoning_content"


def groq_lacks(asked: Asked) -> Iterator[str]:
    if asked.profile == "groq":
        found = places(asked.body, "messages/*/name", "logprobs", "top_logprobs")
        yield from (f"{at}: Groq refuses it" for at, _ in found)
        yield from Limit("n", most=1).breaches(asked.body)


RULES: dict[str, Rule] = {
    # genkit-plugins#225; BerriAI/litellm#28995
    "results-straight-after": results_follow_their_calls,
    # Portkey-AI/gateway#1062; vercel/ai#5171: 40. Mistral: its own error text (code 3280)
    "id-pattern": ids_match,
    "ids-unique": ids_are_unique,
    # openai chat_completion_tool_message_param.py: text parts only
    "results-text": results_are_text,
    # openai chat_completion_assistant_message_param.py: required unless calls are there
    "silent-assistant": silence_has_calls,
    # openai shared_params/function_definition.py; ida-pro-mcp#129
    "name-pattern": names_match,
    "names-unique": names_are_unique,
    "choice-declared": chosen_names_are_declared,
    # openai/openai-node#1341; vllm-project/vllm#39780
    "choice-has-tools": choice_has_tools,
    "empty-lists": lists_are_not_empty,
    # nspady/google-calendar-mcp#39 (2025-06)
    "schema-root": schemas_are_objects,
    # openai-openapi; tools: zed#32946, Tools4AI#16
    "limits": limits_are_kept,
    # BerriAI/litellm#34569; pipecat-ai/pipecat#4043; developers.openai.com upgrading guide
    "effort-with-tools": effort_goes_with_tools,
    # pydantic-ai profiles/openai.py; a recording of 2026-02 has gpt-5-nano take temperature 1
    "sampling": sampling_suits_the_model,
    # openai completion_create_params.py: max_tokens
    "output-limit": output_limit_suits_the_model,
    # developers.openai.com structured-outputs
    "json-mode": json_mode_is_told,
    # api-docs.deepseek.com guides/thinking_mode
    "deepseek-reasoning": reasoning_goes_back_to_deepseek,
    # console.groq.com openai compatibility
    "groq-lacks": groq_lacks,
    "unicode": is_unicode,
}
