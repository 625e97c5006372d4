"""Messages requests: one that is taken, what breaks each rule, and what breaks none."""

from __future__ import annotations

from typing import Any

from .changes import GONE, Change

MARK = {"type": "ephemeral"}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def call(call_id: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": {}, **more}


def result(call_id: str, content: Any = "noon", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "input_schema": {"type": "object", "properties": {"city": {}}}, **more}


IMAGE = {"type": "image", "source": {"type": "url", "url": "https://example.org/rain.png"}}
PAGES = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Rain"}}
CITED = {**PAGES, "citations": {"enabled": True}}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
CITATION = {
    "type": "char_location",
    "cited_text": "Rain",
    "document_index": 0,
    "document_title": None,
    "start_char_index": 0,
    "end_char_index": 4,
}
WEB_SEARCH = {"type": "web_search_20250305", "name": "web_search"}
SYSTEM = {"role": "system", "content": "In Dutch from here."}
ASSISTANT = {"role": "assistant", "content": "Rain until"}

VALID: dict[str, Any] = {
    "model": "claude-opus-4-5",
    "max_tokens": 4096,
    "system": [text("Be brief.")],
    "tools": [tool("weather"), tool("clock")],
    "tool_choice": {"type": "auto"},
    "messages": [
        {"role": "user", "content": "Weather and time?"},
        {
            "role": "assistant",
            "content": [text("Let me see."), call("toolu_1", "weather"), call("toolu_2", "clock")],
        },
        {"role": "user", "content": [result("toolu_1", [text("rain"), IMAGE]), result("toolu_2")]},
        {"role": "assistant", "content": [text("Rain, and it is noon.")]},
        {"role": "user", "content": [text("Thanks.")]},
    ],
}

BUDGET = {"thinking": {"type": "enabled", "budget_tokens": 2048}}

VIOLATIONS: dict[str, Change] = {
    "calls-answered": {"messages/2/content/1": GONE},
    "calls-answered (a turn between)": {"messages/2": {"role": "user", "content": "Never mind."}},
    "calls-answered (no turn after)": {"messages/4": GONE, "messages/3": GONE, "messages/2": GONE},
    "results-answer-calls": {"messages/4/content/0": result("toolu_1")},
    "results-answer-calls (twice)": {"messages/2/content/2": result("toolu_2")},
    "results-answer-calls (of a server)": {"messages/2/content/2": result("srvtoolu_1")},
    "results-first": {"messages/2/content/0": text("Here."), "messages/2/content/2": result("t")},
    "server-results-after-calls": {"messages/3/content/1": FOUND},
    "error-results": {"messages/2/content/0/is_error": True},
    "error-results (empty)": {"messages/2/content/1": result("toolu_2", "", is_error=True)},
    "toolset-names": {"messages/1/content/1/toolset_name": "browser"},
    "id-pattern": {
        "messages/1/content/1/id": "call:1",
        "messages/2/content/0/tool_use_id": "call:1",
    },
    "id-pattern (empty)": {"messages/1/content/1/id": "", "messages/2/content/0/tool_use_id": ""},
    "ids-unique": {"messages/3/content/0": call("toolu_1", "clock")},
    "blank-text": {"messages/3/content/0/text": " \n"},
    "blank-text (of the system)": {"system/0/text": ""},
    "blank-text (in a result)": {"messages/2/content/0/content/0/text": ""},
    "blank-text (a string)": {"messages/0/content": "  "},
    "empty-content": {"messages/3/content": []},
    "first-user": {"messages/0": GONE},
    "system-turns-placed": {"messages/3": SYSTEM},
    "system-turns-placed (first)": {"messages/0": SYSTEM},
    "system-turns-known": {"messages/5": SYSTEM},
    "system-turns-known (old name)": {"messages/5": SYSTEM, "model": "claude-3-5-haiku-20241022"},
    "prefill": {"messages/5": ASSISTANT, "model": "claude-sonnet-4-6"},
    "prefill (fable)": {"messages/5": ASSISTANT, "model": "claude-fable-5-1"},
    "prefill-space": {"messages/5": {"role": "assistant", "content": "Rain "}},
    "assistant-documents": {"messages/3/content/1": PAGES},
    "user-citations": {"messages/4/content/0/citations": [CITATION]},
    "document-citations": {"messages/4/content/1": PAGES, "messages/4/content/2": CITED},
    "document-citations (and a format)": {
        "messages/4/content/1": CITED,
        "output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}},
    },
    "unicode": {"messages/4/content/0/text": "half \ud83d"},
    "name-pattern": {"tools/1/name": "clock.now"},
    "name-pattern (in history)": {"messages/1/content/1/name": "weather report"},
    "name-pattern (too long)": {"tools/1/name": "c" * 129},
    "names-unique": {"tools/1/name": "weather"},
    "choice-declared": {"tool_choice": {"type": "tool", "name": "calendar"}},
    "choice-has-tools": {"tool_choice": {"type": "any"}, "tools": []},
    "references-declared": {
        "messages/2/content/0/content/0": {"type": "tool_reference", "tool_name": "calendar"}
    },
    "not-all-deferred": {"tools": [tool("weather", defer_loading=True)]},
    "schema-root": {"tools/0/input_schema/anyOf": [{}]},
    "schema-root (no object)": {"tools/0/input_schema/type": "string"},
    "property-names": {"tools/0/input_schema/properties": {"in which city": {}}},
    "forced-choice": {"tool_choice": {"type": "any"}, "model": "claude-opus-5-5"},
    "forced-choice (preview)": {"tool_choice": {"type": "any"}, "model": "claude-mythos-preview"},
    "forced-choice-thinking": {"tool_choice": {"type": "any"}, **BUDGET},
    "thinking-type (adaptive)": {"thinking": {"type": "adaptive"}},
    "thinking-type (enabled)": {**BUDGET, "model": "claude-opus-4-8"},
    "thinking-type (disabled)": {"thinking": {"type": "disabled"}, "model": "claude-sonnet-5-5"},
    "thinking-budget": {"thinking": {"type": "enabled", "budget_tokens": 4096}},
    "thinking-budget (small)": {"thinking": {"type": "enabled", "budget_tokens": 1000}},
    "thinking-first": {**BUDGET, "messages/4": GONE, "messages/3": GONE},
    "cache-marks": {
        "tools/0/cache_control": MARK,
        "system/0/cache_control": MARK,
        "messages/2/content/0/content/0/cache_control": MARK,
        "messages/2/content/0/cache_control": MARK,
        "messages/4/content/0/cache_control": MARK,
    },
}

LEGAL: dict[str, Change] = {
    "results in two user messages": {
        "messages/2/content/1": GONE,
        "messages/3": {"role": "user", "content": [result("toolu_2"), text("Well?")]},
    },
    "text after the results": {"messages/2/content/2": text("Well?")},
    "a result without content": {"messages/2/content/1": {**result("toolu_2"), "content": []}},
    "an error as text": {"messages/2/content/1": result("toolu_2", "no clock", is_error=True)},
    "a server tool": {"messages/3/content": [SEARCH, FOUND, text("So.")], "tools/2": WEB_SEARCH},
    "a system turn": {"messages/5": SYSTEM, "model": "claude-opus-4-8"},
    "a prefill": {"messages/5": ASSISTANT},
    "four cache marks": {
        "cache_control": MARK,
        "tools/0/cache_control": MARK,
        "system/0/cache_control": MARK,
        "messages/2/content/0/cache_control": MARK,
    },
    "temperature in 2023": {"temperature": 0.5, "profile": "2023-06-01"},
    "a document of the assistant in 2023": {"messages/3/content/1": PAGES, "profile": "2023-06-01"},
}
