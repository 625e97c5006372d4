"""What makes generateContent answer 400 to a request. Bodies come here in camelCase."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any

from .asked import Asked, Rule, Version, is_unicode, mismatched, repeated, undeclared
from .places import JSON, Placed, members, objects, places

PART = "contents/*/parts/*"
DECLARATION = "tools/*/functionDeclarations/*"
NAME = "[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}"
DATA = frozenset(
    [
        "text",
        "inlineData",
        "fileData",
        "functionCall",
        "functionResponse",
        "executableCode",
        "codeExecutionResult",
        "toolCall",
        "toolResponse",
        "audioTranscription",
    ]
)
RESULT_MEDIA = ("image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain")
SIGNED_SINCE: dict[str, Version] = {"gemini": (3, 0)}
VERTEX_ONLY = (
    f"{PART}/functionCall/partialArgs",
    f"{PART}/functionCall/willContinue",
    "toolConfig/functionCallingConfig/streamFunctionCallArguments",
)
GEMINI_ONLY = (
    f"{PART}/toolCall",
    f"{PART}/toolResponse",
    f"{PART}/partMetadata",
    f"{PART}/functionResponse/willContinue",
    "toolConfig/includeServerSideToolInvocations",
)

Content = tuple[str, dict[str, Any]]


def contents(asked: Asked) -> list[Content]:
    return list(objects(asked.body, "contents/*"))


def steps(asked: Asked) -> list[Content]:
    """The Contents; neighbours of the model are one step, as two recordings of 2026 show."""
    merged: list[Content] = []
    for at, content in contents(asked):
        parts = members(content, "parts")
        if merged and content.get("role") == merged[-1][1]["role"] == "model":
            merged[-1][1]["parts"].extend(parts)
        else:
            merged.append((at, {"role": content.get("role", "user"), "parts": [*parts]}))
    return merged


def of(content: JSON, key: str) -> list[dict[str, Any]]:
    """The function calls, or the function responses, of a Content."""
    return [found for _, found in objects(content, f"parts/*/{key}")]


# --- calls and their results


def calls_are_answered(asked: Asked) -> Iterator[str]:
    """By the next Content alone: as many results, by id where there are ids, else in order."""
    for (at, step), (_, after) in pairwise([*steps(asked), ("", {})]):
        calls, results = of(step, "functionCall"), of(after, "functionResponse")
        if not calls:
            continue
        if len(calls) != len(results) or after["role"] != "user":
            yield f"{at}: {len(calls)} calls, then {len(results)} results"
            continue
        if all(one.get("id") for one in (*calls, *results)):  # then in any order
            calls, results = (sorted(some, key=lambda one: one["id"]) for some in (calls, results))
        for call, result in zip(calls, results, strict=True):
            if (call.get("id"), call.get("name")) != (result.get("id"), result.get("name")):
                yield f"{at}: {call.get('name')!r} is answered by {result.get('name')!r}"


def results_follow_their_calls(asked: Asked) -> Iterator[str]:
    for (_, before), (at, content) in pairwise([("", {}), *steps(asked)]):
        if of(content, "functionResponse") and not of(before, "functionCall"):
            yield f"{at}: function responses without calls before them"


def calls_follow_the_user(asked: Asked) -> Iterator[str]:
    for at, content in steps(asked)[:1]:
        if of(content, "functionCall"):
            yield f"{at}: function calls not after a user turn"


def steps_are_signed(asked: Asked) -> Iterator[str]:
    """The first call of each step, in old turns too; models before Gemini 3 do not ask for it."""
    if asked.is_since(SIGNED_SINCE) is False:
        return
    for at, step in steps(asked):
        signed = [part for _, part in objects(step, "parts/*") if "functionCall" in part]
        if signed and not signed[0].get("thoughtSignature"):
            yield f"{at}: no thoughtSignature on the first call"


def result_media_are_taken(asked: Asked) -> Iterator[str]:
    held = f"{PART}/functionResponse/parts/*"
    for at, kind in places(asked.body, f"{held}/inlineData/mimeType", f"{held}/fileData/mimeType"):
        if kind not in RESULT_MEDIA:
            yield f"{at}: {kind!r}"


# --- turns and parts


def roles_are_two(asked: Asked) -> Iterator[str]:
    for at, content in contents(asked):
        if content.get("role", "user") not in ("user", "model"):
            yield f"{at}/role: is {content['role']!r}"


def first_turn_is_the_users(asked: Asked) -> Iterator[str]:
    for at, content in contents(asked)[:1]:
        if content.get("role", "user") != "user":
            yield f"{at}: the first turn is the model's"


def contents_have_parts(asked: Asked) -> Iterator[str]:
    if not contents(asked):
        yield "/contents: is empty"
    for at, content in contents(asked):
        if not members(content, "parts"):
            yield f"{at}: has no parts"


def parts_hold_one_thing(asked: Asked) -> Iterator[str]:
    for at, part in objects(asked.body, PART):
        held = sorted(DATA & part.keys())
        if len(held) != 1:
            yield f"{at}: holds {held}"


# --- names, tools, tool choice


def declared_names(body: JSON) -> Iterator[Placed]:
    return places(body, f"{DECLARATION}/name")


def names_match(asked: Asked) -> Iterator[str]:
    used = places(asked.body, f"{PART}/functionCall/name", f"{PART}/functionResponse/name")
    yield from mismatched(chain(declared_names(asked.body), used), NAME)


def names_are_unique(asked: Asked) -> Iterator[str]:
    yield from repeated(declared_names(asked.body))


def chosen_names_are_declared(asked: Asked) -> Iterator[str]:
    allowed = places(asked.body, "toolConfig/functionCallingConfig/allowedFunctionNames/*")
    yield from undeclared(allowed, declared_names(asked.body))


def allowed_names_suit_the_mode(asked: Asked) -> Iterator[str]:
    for at, config in objects(asked.body, "toolConfig/functionCallingConfig"):
        mode = str(config.get("mode", "AUTO")).upper()
        if config.get("allowedFunctionNames") and mode not in ("ANY", "VALIDATED"):
            yield f"{at}/allowedFunctionNames: with the mode {mode}"


def schemas_are_single(asked: Asked) -> Iterator[str]:
    for at, declaration in objects(asked.body, DECLARATION):
        for key in ("parameters", "response"):
            if key in declaration and f"{key}JsonSchema" in declaration:
                yield f"{at}: {key} and {key}JsonSchema"


def schemas_are_objects(asked: Asked) -> Iterator[str]:
    roots = (f"{DECLARATION}/parameters", f"{DECLARATION}/parametersJsonSchema")
    for at, schema in objects(asked.body, *roots):
        if str(schema.get("type")).upper() != "OBJECT":
            yield f"{at}: its type is {schema.get('type')!r}"


def builtin_tools_are_declared(asked: Asked) -> Iterator[str]:
    """Built-in tools beside functions: `includeServerSideToolInvocations`, on the Gemini API."""
    kinds = {key for _, tool in objects(asked.body, "tools/*") for key in tool}
    flags = places(asked.body, "toolConfig/includeServerSideToolInvocations")
    is_mixed = "functionDeclarations" in kinds and len(kinds) > 1
    if is_mixed and asked.profile != "vertex" and not any(flag for _, flag in flags):
        yield f"/tools: {sorted(kinds)} without includeServerSideToolInvocations"


def limits_are_kept(asked: Asked) -> Iterator[str]:
    count = sum(1 for _ in places(asked.body, DECLARATION))
    if count > 512:
        yield f"/tools: {count} declarations, over 512"


def platform_is_right(asked: Asked) -> Iterator[str]:
    foreign = GEMINI_ONLY if asked.profile == "vertex" else VERTEX_ONLY
    yield from (f"{at}: of the other platform" for at, _ in places(asked.body, *foreign))


RULES: dict[str, Rule] = {
    # ai.google.dev function-calling; "number of function response parts is equal to ..."
    "calls-answered": calls_are_answered,
    # "function response turn comes immediately after a function call turn"
    "results-after-calls": results_follow_their_calls,
    # "function call turn comes immediately after a user turn or after a function response turn"
    "calls-after-user": calls_follow_the_user,
    # ai.google.dev thought-signatures
    "signed-steps": steps_are_signed,
    # ai.google.dev function-calling: multimodal function responses
    "result-media": result_media_are_taken,
    # google.genai types.py, Content.role
    "roles": roles_are_two,
    "first-user": first_turn_is_the_users,
    "parts": contents_have_parts,
    # google.genai types.py, Part: "exactly one field within a Part should be set"
    "one-thing": parts_hold_one_thing,
    # google-gemini/gemini-cli#6704 (2025-08); su-kaka/gcli2api#146 (2025-12): 64, the SDK says 128
    "name-pattern": names_match,
    "names-unique": names_are_unique,
    "choice-declared": chosen_names_are_declared,
    # ai.google.dev function-calling
    "choice-mode": allowed_names_suit_the_mode,
    # google.genai types.py, FunctionDeclaration: mutually exclusive
    "one-schema": schemas_are_single,
    "schema-root": schemas_are_objects,
    # lbjlaq/Antigravity-Manager#2241 (2026-03)
    "builtin-tools": builtin_tools_are_declared,
    # google.genai types.py, Tool.function_declarations
    "limits": limits_are_kept,
    # google.genai models.py: ValueError for parameters of the other platform
    "platform": platform_is_right,
    "unicode": is_unicode,
}
