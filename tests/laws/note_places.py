"""Law 2, severity: the places where a note may stand, one table a format, as path patterns.

Envelope keys, ids, names, timestamps, usage, other spellings, server-held state, request settings
that a response repeats; and keys that a format requires, at a value that says nothing.
"""

from acceptable.signatures import PLACEHOLDERS

from .pointers import Json, Patterns
from .spelling import Kind

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

OPEN_PLACES: dict[tuple[str, Kind], Patterns] = {
    ("anthropic", "request"): Patterns(_ANTHROPIC_REQUEST),
    ("anthropic", "response"): Patterns(_ANTHROPIC_RESPONSE),
    ("openai-chat", "request"): Patterns(_CHAT_REQUEST),
    ("openai-chat", "response"): Patterns(_CHAT_RESPONSE),
    ("openai-responses", "request"): Patterns(_RESPONSES_REQUEST),
    ("openai-responses", "response"): Patterns(_RESPONSES_RESPONSE),
    ("gemini", "request"): Patterns(_GEMINI_REQUEST),
    ("gemini", "response"): Patterns(_GEMINI_RESPONSE),
}
"""Of each format and kind the places where a note may stand."""

_RESPONSES_REQUIRED: dict[str, tuple[Json, ...]] = {
    "content/*/annotations": ([],),
    "content/*/logprobs": ([],),
    "input/*/status": ("completed",),
    "output/*/status": ("completed",),
}

REQUIRED_VALUES: dict[tuple[str, Kind], dict[str, tuple[Json, ...]]] = {
    ("anthropic", "request"): {"/max_tokens": ()},
    ("anthropic", "response"): {
        "/stop_reason": (None,),
        "/stop_sequence": (None,),
        "content/*/citations": (None, []),
    },
    ("openai-chat", "request"): {"content/*/file/filename": ()},
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
    ("gemini", "request"): {"parts/*/thoughtSignature": (*PLACEHOLDERS,)},
    ("gemini", "response"): {
        "/candidates/*/index": (0,),
        "/candidates/*/content/role": ("model",),
    },
}
"""Of each format and kind the required keys, with the values that say nothing there."""
