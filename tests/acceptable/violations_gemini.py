"""generateContent requests: one that is taken, what breaks each rule, and what breaks none."""

from __future__ import annotations

from typing import Any

from .changes import GONE, Change

SIGNATURE = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
PNG = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
WAV = {"inlineData": {"mimeType": "audio/wav", "data": "AAAA"}}


def call(name: str, **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {}, **more}}


def result(name: str, **more: Any) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": {"output": "noon"}, **more}}


def declaration(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "parametersJsonSchema": {"type": "object"}, **more}


VALID: dict[str, Any] = {
    "systemInstruction": {"parts": [{"text": "Be brief."}]},
    "contents": [
        {"role": "user", "parts": [{"text": "Weather and time?"}]},
        {
            "role": "model",
            "parts": [{**call("weather"), "thoughtSignature": SIGNATURE}, call("clock")],
        },
        {"role": "user", "parts": [result("weather"), result("clock")]},
        {"role": "model", "parts": [{"text": "Rain, and it is noon."}]},
        {"role": "user", "parts": [{"text": "Thanks."}]},
    ],
    "tools": [{"functionDeclarations": [declaration("weather"), declaration("clock")]}],
}

CHOICE = "toolConfig"
FIRST_CALL = "contents/1/parts/0"


def choice(mode: str, *names: str) -> dict[str, Any]:
    return {"functionCallingConfig": {"mode": mode, "allowedFunctionNames": list(names)}}


VIOLATIONS: dict[str, Change] = {
    "calls-answered": {"contents/2/parts/1": GONE},
    "calls-answered (other order)": {"contents/2/parts": [result("clock"), result("weather")]},
    "calls-answered (other id)": {"contents/2/parts/0": result("weather", id="call_1")},
    "calls-answered (two Contents)": {
        "contents/2/parts/1": GONE,
        "contents/3": {"role": "user", "parts": [result("clock")]},
    },
    "results-after-calls": {"contents/4/parts/0": result("clock")},
    "calls-after-user": {"contents/0": GONE},
    "signed-steps": {f"{FIRST_CALL}/thoughtSignature": GONE},
    "result-media": {"contents/2/parts/0": result("weather", parts=[WAV])},
    "roles": {"contents/3/role": "assistant"},
    "first-user": {"contents": [{"role": "model", "parts": [{"text": "Hello."}]}]},
    "parts": {"contents/3/parts": []},
    "one-thing": {"contents/3/parts/0": {}},
    "one-thing (two)": {"contents/3/parts/0": {"text": "a picture", **PNG}},
    "name-pattern": {"tools/0/functionDeclarations/1": declaration("2nd clock")},
    "name-pattern (too long)": {"tools/0/functionDeclarations/1": declaration("c" * 65)},
    "names-unique": {"tools/0/functionDeclarations/1": declaration("weather")},
    "choice-declared": {CHOICE: choice("ANY", "calendar")},
    "choice-mode": {CHOICE: choice("AUTO", "weather")},
    "one-schema": {"tools/0/functionDeclarations/0/parameters": {"type": "OBJECT"}},
    "schema-root": {"tools/0/functionDeclarations/0/parametersJsonSchema": {"type": "array"}},
    "builtin-tools": {"tools/1": {"googleSearch": {}}},
    "limits": {
        "tools/0/functionDeclarations": [declaration(f"tool_{number}") for number in range(513)]
    },
    "platform": {f"{FIRST_CALL}/functionCall/willContinue": False},
    "platform (Vertex)": {
        "toolConfig": {"includeServerSideToolInvocations": True},
        "profile": "vertex",
    },
    "unicode": {"contents/4/parts/0/text": "half \ud83d"},
}

LEGAL: dict[str, Change] = {
    "snake_case and nulls": {
        FIRST_CALL: {
            "function_call": {"name": "weather", "args": None},
            "thought_signature": SIGNATURE,
        },
        "safetySettings": None,
    },
    "results by id in another order": {
        FIRST_CALL: {**call("weather", id="call_1"), "thoughtSignature": SIGNATURE},
        "contents/1/parts/1": call("clock", id="call_2"),
        "contents/2/parts": [result("clock", id="call_2"), result("weather", id="call_1")],
    },
    "a step in two Contents": {
        "contents/1/parts/1": GONE,
        "contents/2": {"role": "model", "parts": [call("clock")]},
        "contents/3": {"role": "user", "parts": [result("weather"), result("clock")]},
    },
    "a picture as a result": {"contents/2/parts/0": result("weather", parts=[PNG])},
    "search beside functions": {
        "tools/1": {"googleSearch": {}},
        "toolConfig": {"includeServerSideToolInvocations": True},
    },
}
