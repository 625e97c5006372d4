"""Bodies for which a law does not hold yet, each the smallest that shows one cause.

The strategies and the exchanged values of `test_generated` leave these causes out. A test that
holds for a row fails, so that the row goes and the strategy is widened.
"""

from dataclasses import dataclass

from .corpus import BodyKind
from .pointers import Json

Body = dict[str, Json]
A, C, R, G = "anthropic", "openai-chat", "openai-responses", "gemini"

HI: Json = {"role": "user", "content": "hi"}
GEMINI_HI: Json = {"role": "user", "parts": [{"text": "hi"}]}
OBJECT: Json = {"type": "object"}
WEATHER: Json = {"type": "function", "function": {"name": "weather", "parameters": OBJECT}}


@dataclass(frozen=True)
class Row:
    """A body of a format, and the target under which it breaks a law."""

    source: str
    body: Body
    target: str = ""
    kind: BodyKind = "request"


def chat(*messages: Json, **settings: Json) -> Body:
    """A request of Chat Completions."""
    return {"model": "gpt-4.1", "messages": list(messages), **settings}


def call(arguments: str = "{}", name: str = "weather", id: str = "call_1") -> Json:
    """The assistant's message with one call."""
    function: Json = {"name": name, "arguments": arguments}
    made: Json = {"id": id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [made]}


def result(content: Json = "sunny", id: str = "call_1") -> Json:
    """The message of a result."""
    return {"role": "tool", "tool_call_id": id, "content": content}


def turn(part: Body) -> Body:
    """A request of Gemini's with one part of the model's."""
    return {"contents": [{"role": "model", "parts": [part]}]}


NOT_IDENTICAL = {
    # one field under two keys: the second value overwrites the first
    "two schemas of a function": Row(
        G,
        {
            "contents": [GEMINI_HI],
            "tools": [
                {
                    "functionDeclarations": [
                        {
                            "name": "f",
                            "parameters": {"type": "OBJECT"},
                            "parametersJsonSchema": OBJECT,
                        }
                    ]
                }
            ],
        },
    ),
    "two calls in a part": Row(
        G, turn({"functionCall": {"name": "f"}, "function_call": {"name": "g"}})
    ),
    # a null where the reader makes a value up
    "null media type of an output": Row(
        G,
        {
            "contents": [GEMINI_HI],
            "generationConfig": {"responseMimeType": None, "responseSchema": {"type": "OBJECT"}},
        },
    ),
    # a word or a value that is not known
    "a new mode": Row(
        G,
        {
            "contents": [GEMINI_HI],
            "toolConfig": {"functionCallingConfig": {"mode": "NEW", "allowedFunctionNames": ["f"]}},
        },
    ),
    "a server call without type": Row(G, turn({"toolCall": {"id": "c"}})),
    "fewer tokens than none": Row(
        A,
        {"content": [], "usage": {"input_tokens": -1, "cache_read_input_tokens": 5}},
        kind="response",
    ),
    "fewer written tokens than none": Row(
        G,
        {
            "candidates": [],
            "usageMetadata": {"candidatesTokenCount": -1, "thoughtsTokenCount": 5},
        },
        kind="response",
    ),
}
"""Law 1: read and written in the same format, these differ, and no loss says so."""
