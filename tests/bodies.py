"""Small bodies written by hand: one conversation, one answer and one list of tools, in the words
of each format. What is the same in all of them is what tests compare."""

from __future__ import annotations

import copy
from typing import Any, Final

from toolbridge.registry import BUILT_IN

FORMATS: Final = tuple(BUILT_IN)

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}

TOOLS: Final[dict[str, list[Any]]] = {
    "anthropic": [{"name": "weather", "description": "The weather.", "input_schema": SCHEMA}],
    "openai-chat": [
        {
            "type": "function",
            "function": {"name": "weather", "description": "The weather.", "parameters": SCHEMA},
        }
    ],
    "openai-responses": [
        {
            "type": "function",
            "name": "weather",
            "description": "The weather.",
            "parameters": SCHEMA,
            "strict": False,
        }
    ],
    "gemini": [
        {
            "functionDeclarations": [
                {
                    "name": "weather",
                    "description": "The weather.",
                    "parametersJsonSchema": SCHEMA,
                }
            ]
        }
    ],
}

REQUESTS: Final[dict[str, dict[str, Any]]] = {
    "anthropic": {
        "model": "m",
        "max_tokens": 512,
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": "부산 날씨?"},
            {
                "role": "assistant",
                "content": [
                    {
                        "type": "tool_use",
                        "id": "call_1",
                        "name": "weather",
                        "input": {"city": "부산"},
                    }
                ],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "맑음"}],
            },
        ],
        "tools": TOOLS["anthropic"],
    },
    "openai-chat": {
        "model": "m",
        "max_completion_tokens": 512,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "부산 날씨?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "weather", "arguments": '{"city": "부산"}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": "맑음"},
        ],
        "tools": TOOLS["openai-chat"],
    },
    "openai-responses": {
        "model": "m",
        "max_output_tokens": 512,
        "instructions": "Be brief.",
        "input": [
            {"role": "user", "content": "부산 날씨?"},
            {
                "type": "function_call",
                "call_id": "call_1",
                "name": "weather",
                "arguments": '{"city": "부산"}',
            },
            {"type": "function_call_output", "call_id": "call_1", "output": "맑음"},
        ],
        "tools": TOOLS["openai-responses"],
    },
    "gemini": {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "부산 날씨?"}]},
            {
                "role": "model",
                "parts": [
                    {"functionCall": {"id": "call_1", "name": "weather", "args": {"city": "부산"}}}
                ],
            },
            {
                "role": "user",
                "parts": [
                    {
                        "functionResponse": {
                            "id": "call_1",
                            "name": "weather",
                            "response": {"output": "맑음"},
                        }
                    }
                ],
            },
        ],
        "tools": TOOLS["gemini"],
        "generationConfig": {"maxOutputTokens": 512},
    },
}

RESPONSES: Final[dict[str, dict[str, Any]]] = {
    "anthropic": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": [
            {"type": "text", "text": "확인합니다."},
            {"type": "tool_use", "id": "call_1", "name": "weather", "input": {"city": "부산"}},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 10,
            "cache_creation_input_tokens": 200,
            "cache_read_input_tokens": 3000,
            "output_tokens": 40,
        },
    },
    "openai-chat": {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1796000000,
        "model": "gpt-5.4",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "확인합니다.",
                    "refusal": None,
                    "tool_calls": [
                        {
                            "id": "call_1",
                            "type": "function",
                            "function": {"name": "weather", "arguments": '{"city": "부산"}'},
                        }
                    ],
                },
                "logprobs": None,
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {
            "prompt_tokens": 3210,
            "completion_tokens": 40,
            "total_tokens": 3250,
            "prompt_tokens_details": {"cached_tokens": 3000},
            "completion_tokens_details": {"reasoning_tokens": 30},
        },
    },
    "openai-responses": {
        "id": "resp_1",
        "object": "response",
        "created_at": 1796000000,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": "gpt-5.4",
        "output": [
            {
                "type": "message",
                "id": "msg_1",
                "status": "completed",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "확인합니다.", "annotations": []}],
            },
            {
                "type": "function_call",
                "id": "fc_1",
                "status": "completed",
                "call_id": "call_1",
                "name": "weather",
                "arguments": '{"city": "부산"}',
            },
        ],
        "usage": {
            "input_tokens": 3210,
            "input_tokens_details": {"cached_tokens": 3000},
            "output_tokens": 40,
            "output_tokens_details": {"reasoning_tokens": 30},
            "total_tokens": 3250,
        },
    },
    "gemini": {
        "responseId": "r_1",
        "modelVersion": "gemini-3-pro",
        "candidates": [
            {
                "index": 0,
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "확인합니다."},
                        {
                            "functionCall": {
                                "id": "call_1",
                                "name": "weather",
                                "args": {"city": "부산"},
                            }
                        },
                    ],
                },
                "finishReason": "STOP",
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 3210,
            "cachedContentTokenCount": 3000,
            "candidatesTokenCount": 10,
            "thoughtsTokenCount": 30,
            "totalTokenCount": 3250,
        },
    },
}

ERRORS: Final[dict[str, dict[str, Any]]] = {
    "anthropic": {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded"},
        "request_id": "req_1",
    },
    "openai": {
        "error": {
            "message": "No such model",
            "type": "invalid_request_error",
            "param": "model",
            "code": "model_not_found",
        }
    },
    "google": {"error": {"code": 429, "message": "Quota", "status": "RESOURCE_EXHAUSTED"}},
    "code and text": {"code": "invalid", "error": "Wrong key"},
    "text": {"error": "No model loaded"},
    "detail": {"detail": "Not Found"},
    "flat": {"code": 500, "message": "Failed", "type": "server_error"},
}
"""The seven shapes of error bodies that vendors and compatible servers send, by what they are."""


def body(format: str, kind: str) -> Any:
    """A copy of the body of a kind in a format, free to be changed."""
    errors = {"anthropic": ERRORS["anthropic"], "gemini": ERRORS["google"]}
    found = {
        "request": REQUESTS[format],
        "response": RESPONSES[format],
        "tools": TOOLS[format],
        "error": errors.get(format, ERRORS["openai"]),
    }
    return copy.deepcopy(found[kind])
