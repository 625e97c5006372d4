"""Law 2, severity: where a note may stand.

A note may stand only at envelope keys, ids, names, timestamps, usage, required defaults,
other spellings, server-held state, and request settings that a response repeats. These are
the places, one table a format, as path patterns (see `pointers`).

A note of something *invented* is judged by its target path in the tables of the target,
because its path is only the nearest parent; so is a note at the root, which names no place.
A required default is a key that the format wants and a value that says nothing. What is
invented there may be a note whatever it is (a `max_tokens`); what the source has there, only
if it is that value: `annotations: []` may go with a note, a citation may not.
"""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from .inject import strict_equal
from .pointers import Json, Path, Patterns, camel_path, path_of, resolves, value_at
from .spelling import Kind, Spelled, base_format


class NoteLike(Protocol):
    """What is read of a loss."""

    @property
    def path(self) -> str: ...
    @property
    def effect(self) -> str: ...
    @property
    def severity(self) -> str: ...
    @property
    def target_path(self) -> str | None: ...


Note = TypeVar("Note", bound=NoteLike)

_ANTHROPIC_CALLS = (
    # ids and names of calls
    "content/*/id",
    "content/*/tool_use_id",
    "content/*/name",
    # server-held state
    "/container/**",
)

_ANTHROPIC_REQUEST = (
    *_ANTHROPIC_CALLS,
    # envelope
    "/model",
    "/stream",
    "/anthropic_version",
    "/anthropic_beta/**",
    # ids and names
    "/metadata/user_id",
    "/tools/*/name",
    "/tool_choice/name",
    # server-held state
    "/diagnostics/**",
    "/thread/**",
)

_ANTHROPIC_RESPONSE = (
    *_ANTHROPIC_CALLS,
    # envelope
    "/id",
    "/type",
    "/role",
    "/model",
    # usage
    "/usage/**",
    # server-held state
    "/diagnostics/**",
)

_CHAT_CALLS = (
    # ids and names of calls; the index is what compatible servers number them with
    "tool_calls/*/id",
    "tool_calls/*/index",
    "tool_calls/*/function/name",
    "tool_calls/*/custom/name",
    "function_call/name",
)

_CHAT_REQUEST = (
    *_CHAT_CALLS,
    # envelope
    "/model",
    "/stream",
    "/stream_options/**",
    # ids and names
    "/user",
    "/safety_identifier",
    "/messages/*/name",
    "/messages/*/tool_call_id",
    "/tools/*/function/name",
    "/tools/*/custom/name",
    "/functions/*/name",
    "/function_call/name",
    "/tool_choice/function/name",
    "/tool_choice/custom/name",
    "/tool_choice/allowed_tools/tools/*/function/name",
    "/response_format/json_schema/name",
    # server-held state
    "/store",
)

_CHAT_RESPONSE = (
    *_CHAT_CALLS,
    # envelope, ids, timestamps
    "/id",
    "/object",
    "/model",
    "/created",
    "/request_id",
    "/system_fingerprint",
    "/x_groq/id",
    # usage
    "/usage/**",
    # repeated settings
    "/service_tier",
    "/metadata/**",
)

_RESPONSES_ITEMS = (
    # ids and names of items
    "content/*/id",
    "output/*/id",
    "input/*/id",
    "output/*/call_id",
    "input/*/call_id",
    "output/*/name",
    "input/*/name",
    "output/*/container_id",
    "input/*/container_id",
    "output/*/namespace",
    "input/*/namespace",
)

_RESPONSES_NAMES = (
    "/tools/*/name",
    "/tools/*/tools/*/name",
    "/tool_choice/name",
    "/tool_choice/tools/*/name",
    "/text/format/name",
)

_RESPONSES_REQUEST = (
    *_RESPONSES_ITEMS,
    *_RESPONSES_NAMES,
    # envelope
    "/model",
    "/stream",
    "/stream_options/**",
    # ids
    "/user",
    "/safety_identifier",
    # server-held state
    "/store",
    "/previous_response_id",
    "/conversation/**",
)

_RESPONSES_RESPONSE = (
    *_RESPONSES_ITEMS,
    # envelope, ids, timestamps
    "/id",
    "/object",
    "/model",
    "/created_at",
    "/completed_at",
    # usage
    "/usage/**",
    "/tool_usage/**",
    "/billing/**",
    # server-held state
    "/conversation/**",
    "/previous_response_id",
    "/store",
    # repeated settings
    "/access_programs/**",
    "/background",
    "/frequency_penalty",
    "/image/**",
    "/instructions/**",
    "/max_output_tokens",
    "/max_tool_calls",
    "/metadata/**",
    "/moderation/**",
    "/parallel_tool_calls",
    "/presence_penalty",
    "/prompt/**",
    "/prompt_cache_key",
    "/prompt_cache_options/**",
    "/prompt_cache_retention",
    "/reasoning/**",
    "/safety_identifier",
    "/service_tier",
    "/temperature",
    "/text/**",
    "/tool_choice/**",
    "/tools/**",
    "/top_logprobs",
    "/top_p",
    "/truncation",
    "/user",
)

_GEMINI_CALLS = (
    "functionCall/id",
    "functionCall/name",
    "functionResponse/id",
    "functionResponse/name",
    "toolCall/id",
    "toolResponse/id",
    "executableCode/id",
    "codeExecutionResult/id",
    # an object that becomes text and cannot come back as one: a note, says law 2
    "functionResponse/response/**",
)

_GEMINI_REQUEST = (
    *_GEMINI_CALLS,
    # envelope: outside the body, in the URL
    "/model",
    "/stream",
    # names
    "inlineData/displayName",
    "fileData/displayName",
    "functionDeclarations/*/name",
    "/toolConfig/functionCallingConfig/allowedFunctionNames/*",
    # other spelling: the server ignores it
    "/systemInstruction/role",
    # server-held state
    "/cachedContent",
    "/continuationToken",
    "/store",
)

_GEMINI_RESPONSE = (
    *_GEMINI_CALLS,
    # envelope, ids, timestamps
    "/modelVersion",
    "/responseId",
    "/createTime",
    # usage
    "/usageMetadata/**",
    "/candidates/*/tokenCount",
    # server-held state
    "/candidates/*/continuationToken",
)

_PLACES = {
    ("anthropic", "request"): Patterns(_ANTHROPIC_REQUEST),
    ("anthropic", "response"): Patterns(_ANTHROPIC_RESPONSE),
    ("openai-chat", "request"): Patterns(_CHAT_REQUEST),
    ("openai-chat", "response"): Patterns(_CHAT_RESPONSE),
    ("openai-responses", "request"): Patterns(_RESPONSES_REQUEST),
    ("openai-responses", "response"): Patterns(_RESPONSES_RESPONSE),
    ("gemini", "request"): Patterns(_GEMINI_REQUEST),
    ("gemini", "response"): Patterns(_GEMINI_RESPONSE),
}


# Documented signatures for calls of another vendor, as text and as base64 (facts, google).
_FOREIGN_SIGNATURES: tuple[Json, ...] = (
    "skip_thought_signature_validator",
    "context_engineering_is_the_way_to_go",
    "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
    "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv",
)

_RESPONSES_REQUIRED: dict[str, tuple[Json, ...]] = {
    "content/*/annotations": ([],),
    "content/*/logprobs": ([],),
    "input/*/status": ("completed",),
    "output/*/status": ("completed",),
}

# The values that say nothing at a required key.
_REQUIRED: dict[tuple[str, Kind], dict[str, tuple[Json, ...]]] = {
    ("anthropic", "request"): {"/max_tokens": ()},
    ("anthropic", "response"): {
        "/stop_reason": (None,),
        "/stop_sequence": (None,),
        "content/*/citations": (None, []),
    },
    ("openai-chat", "request"): {},
    ("openai-chat", "response"): {
        "/choices/*/index": (0,),
        "/choices/*/logprobs": (None,),
        "/choices/*/message/role": ("assistant",),
        "/choices/*/message/content": (None,),
        "/choices/*/message/refusal": (None,),
        "/choices/*/message/annotations": (None, []),
    },
    ("openai-responses", "request"): {**_RESPONSES_REQUIRED, "/tools/*/strict": (None, False)},
    ("openai-responses", "response"): {
        **_RESPONSES_REQUIRED,
        "/status": ("completed",),
        "/error": (None,),
        "/incomplete_details": (None,),
    },
    ("gemini", "request"): {"parts/*/thoughtSignature": _FOREIGN_SIGNATURES},
    ("gemini", "response"): {
        "/candidates/*/index": (0,),
        "/candidates/*/content/role": ("model",),
    },
}

_REQUIRED_PLACES = {
    key: [(Patterns([pattern]), values) for pattern, values in rows.items()]
    for key, rows in _REQUIRED.items()
}


def misplaced_notes(losses: Iterable[Note], source: Spelled, target: str) -> tuple[Note, ...]:
    """The notes that stand where only a warning may."""
    notes = (loss for loss in losses if loss.severity == "note")
    return tuple(note for note in notes if not _in_place(note, source, target))


def _in_place(note: NoteLike, source: Spelled, target: str) -> bool:
    if note.target_path is not None and (note.effect == "invented" or not note.path):
        place = _path(note.target_path, target)
        return (
            _open(place, target, source.kind) or _required(place, target, source.kind) is not None
        )
    place = _path(note.path, source.format)
    if note.effect == "invented" and _may_hold(place, source.format, source.kind):
        return True
    return _open(place, source.format, source.kind) or _says_nothing(note.path, place, source)


def _may_hold(path: Path, format: str, kind: Kind) -> bool:
    """Whether a place where a note may stand is right below: what is invented has no path yet."""
    tables = [_PLACES[base_format(format), kind]]
    tables += [pattern for pattern, _ in _REQUIRED_PLACES[base_format(format), kind]]
    return any(table.has_child(path) for table in tables)


def _says_nothing(pointer: str, place: Path, source: Spelled) -> bool:
    """Whether the source has a required key here, and one of the values that say nothing."""
    values = _required(place, source.format, source.kind)
    if not values or not resolves(source.body, pointer):
        return False
    return any(strict_equal(value_at(source.body, pointer), value) for value in values)


def _path(pointer: str, format: str) -> Path:
    path = path_of(pointer)
    return camel_path(path) if base_format(format) == "gemini" else path


def _open(path: Path, format: str, kind: Kind) -> bool:
    return _PLACES[base_format(format), kind].match(path)


def _required(path: Path, format: str, kind: Kind) -> tuple[Json, ...] | None:
    """The values that say nothing at this place, if the format requires it."""
    rows = _REQUIRED_PLACES[base_format(format), kind]
    return next((values for pattern, values in rows if pattern.match(path)), None)
