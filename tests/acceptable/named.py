"""Recorded traffic of the vendors themselves that is refused here all the same, each with why."""

from __future__ import annotations

Named = dict[str, dict[str, str]]
"""Of each format the recordings, and the reason."""

COMPACT = (
    "pydantic-ai__test_openai_responses__"
    "test_openai_responses_compact_with_auto_previous_response_id_chain__"
)

# Requests answered with 200.
REFUSED_BY_THE_TYPES: Named = {
    "openai-chat": {
        "activeagent__native_format_test__test_agent_functions_with_streaming__1": (
            "replays the `index` that only a streamed call has; nobody has to write it"
        ),
    },
    "gemini": {
        f"pydantic-ai__test_openai__test_multiple_agent_tool_calls__{number}": (
            "`tools` is one object; proto JSON takes that for a list of one"
        )
        for number in (0, 1)
    },
}

REFUSED_BY_THE_RULES: Named = {
    "anthropic": {
        "rig__opus_4_8__messages_preserve_system_role_after_server_tool_result__1": (
            "begins with the assistant, which claude-opus-4-8 took; ids were redacted one by one"
        ),
    },
    "openai-responses": {
        f"{COMPACT}{number}": "for /responses/compact, where the input may be empty"
        for number in (2, 4)
    },
    "gemini": {
        "crewai__agents__TestGeminiNativeToolCalling."
        "test_gemini_parallel_native_tool_calling_t__1": (
            "three results in three Contents: gemini-2.5-flash took what the guide forbids"
        ),
    },
}

OLDER_THAN_THE_KEY = (
    "/usage/server_tool_use/web_fetch_requests: Field required",
    "/usage/input_tokens_details/cache_write_tokens: Field required",
)
"""What the types of today require and most recorded responses are too old to have."""

UNKNOWN_RESPONSES: Named = {
    "openai-responses": {
        **{f"{COMPACT}{number}": "of /responses/compact, another type" for number in (2, 4)},
        "pydantic-ai__test_openai_responses__"
        "test_openai_responses_model_web_search_tool_stream__1": (
            "a search source of the type api, which the SDK has no longer"
        ),
    },
}
