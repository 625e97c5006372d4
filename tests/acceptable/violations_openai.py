"""Chat and Responses requests: taken, breaking each rule, and breaking none."""

from __future__ import annotations

from typing import Any

from .changes import GONE, Change

OBJECT = {"type": "object", "properties": {}}
JSON_OBJECT = {"type": "json_object"}
PICTURE = "https://example.org/rain.png"


def chat_tool(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": OBJECT}}


def chat_call(call_id: str, name: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}


def chat_result(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "noon"}


USER = {"role": "user", "content": "Never mind."}

CHAT_VALID: dict[str, Any] = {
    "model": "gpt-4o",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Weather and time?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [chat_call("call_1", "weather"), chat_call("call_2", "clock")],
        },
        chat_result("call_1"),
        chat_result("call_2"),
        {"role": "assistant", "content": "Rain, and it is noon."},
        {"role": "user", "content": "Thanks."},
    ],
    "tools": [chat_tool("weather"), chat_tool("clock")],
}

CHAT_VIOLATIONS: dict[str, Change] = {
    "results-straight-after": {"messages/4": GONE},
    "results-straight-after (not last)": {"messages/4": USER},
    "results-straight-after (no call)": {"messages/6": chat_result("call_1")},
    "results-straight-after (twice)": {"messages/5": chat_result("call_2")},
    "results-straight-after (at the end)": {"messages/5": CHAT_VALID["messages"][2]},
    "id-pattern": {
        "messages/2/tool_calls/0/id": "c" * 41,
        "messages/3/tool_call_id": "c" * 41,
    },
    "id-pattern (empty)": {"messages/2/tool_calls/0/id": "", "messages/3/tool_call_id": ""},
    "id-pattern (of Mistral)": {"profile": "mistral"},
    "ids-unique": {"messages/2/tool_calls/1/id": "call_1", "messages/4/tool_call_id": "call_1"},
    "results-text": {
        "messages/3/content": [{"type": "image_url", "image_url": {"url": PICTURE}}],
    },
    "silent-assistant": {"messages/5/content": None},
    "name-pattern": {"tools/1/function/name": "clock.now"},
    "name-pattern (too long)": {"tools/1/function/name": "c" * 65},
    "name-pattern (in history)": {"messages/2/tool_calls/0/function/name": "weather report"},
    "names-unique": {"tools/1/function/name": "weather"},
    "choice-declared": {"tool_choice": {"type": "function", "function": {"name": "calendar"}}},
    "choice-declared (of some)": {
        "tool_choice": {
            "type": "allowed_tools",
            "allowed_tools": {"mode": "auto", "tools": [chat_tool("calendar")]},
        }
    },
    "choice-has-tools": {"tool_choice": "auto", "tools": GONE},
    "empty-lists": {"tools": []},
    "empty-lists (of calls)": {"messages/5/tool_calls": []},
    "schema-root": {"tools/0/function/parameters": {"type": "object", "anyOf": [{}]}},
    "schema-root (no type)": {"tools/0/function/parameters": {}},
    "limits": {"stop": ["a", "b", "c", "d", "e"]},
    "limits (of tools)": {"tools": [chat_tool(f"tool_{number}") for number in range(129)]},
    "limits (of metadata)": {"metadata": {"key": "v" * 513}},
    "effort-with-tools": {"model": "gpt-5.4", "reasoning_effort": "low"},
    "effort-with-tools (unsaid)": {"model": "gpt-5.6-terra"},
    "sampling": {"model": "o3-mini", "temperature": 0.2},
    "output-limit": {"model": "gpt-5", "max_tokens": 100},
    "json-mode": {"response_format": JSON_OBJECT},
    "deepseek-reasoning": {"profile": "deepseek"},
    "groq-lacks": {"messages/1/name": "Bo", "profile": "groq"},
    "unicode": {"messages/6/content": "half \ud83d"},
}

CHAT_LEGAL: dict[str, Change] = {
    "results in another order": {
        "messages/3/tool_call_id": "call_2",
        "messages/4/tool_call_id": "call_1",
    },
    "ids used again in a later turn": {
        "messages/5": CHAT_VALID["messages"][2],
        "messages/6": chat_result("call_1"),
        "messages/7": chat_result("call_2"),
    },
    "a refusal": {"messages/5": {"role": "assistant", "content": None, "refusal": "No."}},
    "effort none with tools": {"model": "gpt-5.6", "reasoning_effort": "none"},
    "the default temperature": {"model": "gpt-5-nano", "temperature": 1},
    "JSON mode": {"response_format": JSON_OBJECT, "messages/6/content": "As JSON."},
    "reasoning for DeepSeek": {"messages/2/reasoning_content": "", "profile": "deepseek"},
    "a name on a tool message": {"messages/3/name": "weather"},
    "Mistral's ids and its word for required": {
        "messages/2/tool_calls/0/id": "weather01",
        "messages/2/tool_calls/1/id": "clock0002",
        "messages/3/tool_call_id": "weather01",
        "messages/4/tool_call_id": "clock0002",
        "tool_choice": "any",
        "profile": "mistral",
    },
    "no model for Azure": {"model": GONE, "profile": "azure"},
}


def responses_tool(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "function", "name": name, "parameters": OBJECT, "strict": False, **more}


def function_call(call_id: str, name: str, **more: Any) -> dict[str, Any]:
    item = {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}"}
    return {**item, **more}


def output(call_id: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": "noon"}


def reasoning(**more: Any) -> dict[str, Any]:
    return {"type": "reasoning", "id": "rs_1", "summary": [], **more}


RESPONSES_VALID: dict[str, Any] = {
    "model": "gpt-4o",
    "instructions": "Be brief.",
    "input": [
        {"role": "user", "content": [{"type": "input_text", "text": "Weather and time?"}]},
        function_call("call_1", "weather", id="fc_1"),
        function_call("call_2", "clock"),
        output("call_2"),
        output("call_1"),
        {"role": "assistant", "content": "Rain, and it is noon."},
        {"role": "user", "content": "Thanks."},
    ],
    "tools": [responses_tool("weather"), responses_tool("clock")],
}

RESPONSES_VIOLATIONS: dict[str, Change] = {
    "outputs-answer-calls": {"input/6": output("call_3")},
    "outputs-answer-calls (twice)": {"input/6": output("call_1")},
    "outputs-answer-calls (before)": {
        "input/1": output("call_1"),
        "input/4": function_call("call_1", "weather"),
    },
    "outputs-answer-calls (other kind)": {
        "input/3": {"type": "custom_tool_call_output", "call_id": "call_2", "output": "noon"}
    },
    "calls-have-outputs": {"input/3": GONE},
    "call-id-length": {"input/2/call_id": "c" * 65, "input/3/call_id": "c" * 65},
    "call-id-length (empty)": {"input/2/call_id": "", "input/3/call_id": ""},
    "call-ids-unique": {"input/5": function_call("call_1", "weather"), "input/6": output("call_1")},
    "item-id-pattern": {"input/1/id": "call_1"},
    "item-id-pattern (too long)": {"input/1/id": "fc_" + "c" * 62},
    "item-ids-unique": {"input/2/id": "fc_1"},
    "reasoning-whole": {"input/5": reasoning(), "store": False},
    "parts-by-role": {
        "input/5/content": [{"type": "input_text", "text": "Rain, and it is noon."}],
    },
    "compaction-last": {"input/5": {"type": "compaction_trigger"}},
    "name-pattern": {"tools/1/name": "clock.now"},
    "name-pattern (in history)": {"input/1/name": "weather report"},
    "names-unique": {"tools/1/name": "weather"},
    "choice-declared": {"tool_choice": {"type": "function", "name": "calendar"}},
    "schema-root": {"tools/0/parameters": {}},
    "deferred-found": {"tools/0/defer_loading": True},
    "limits": {"max_output_tokens": 10},
    "limits (of input)": {"input": []},
    "one-history": {"previous_response_id": "resp_1", "conversation": "conv_1"},
    "sampling": {"model": "gpt-5.5", "top_p": 0.5},
    "json-mode": {"text": {"format": JSON_OBJECT}},
    "unicode": {"input/6/content": "half \ud83d"},
}

RESPONSES_LEGAL: dict[str, Change] = {
    "an output of a held call": {"input": [output("call_9")], "previous_response_id": "resp_1"},
    "an async call": {"input/2/async": True, "input/3": GONE},
    "reasoning of its own": {"input/5": reasoning(encrypted_content="gAAA"), "store": False},
    "reasoning without an id": {
        "input/5": {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"}
    },
    "a search that shows no sources": {
        "input/5": {
            "type": "web_search_call",
            "id": "ws_1",
            "status": "completed",
            "action": {"type": "search", "query": "rain", "sources": None},
        }
    },
    "a picture without detail": {
        "input/0/content/0": {"type": "input_image", "image_url": PICTURE}
    },
    "a deferred tool": {"tools/0/defer_loading": True, "tools/2": {"type": "tool_search"}},
    "one name in two namespaces": {
        "tools/1": {
            "type": "namespace",
            "name": "home",
            "description": "",
            "tools": [{"type": "function", "name": "weather"}],
        }
    },
    "a tool without strict": {"tools/0/strict": GONE},
    "sampling with effort none": {
        "model": "gpt-5.5",
        "top_p": 0.5,
        "reasoning": {"effort": "none"},
    },
}
