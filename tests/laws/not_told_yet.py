"""Law 2: bodies of which a difference is not told yet, or one is told that there is not.

As in `not_yet`, each is the smallest that shows one cause.
"""

from .not_yet import GEMINI_HI, HI, OBJECT, WEATHER, A, Body, C, G, R, Row, call, chat, result
from .pointers import Json

SAID: Json = {"role": "assistant", "content": "hello"}
KINDLY: Json = {"role": "system", "content": "be kind"}
GEMINI_BYE: Json = {"role": "user", "parts": [{"text": "bye"}]}
TWO_TEXTS: Json = {
    "role": "assistant",
    "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
}
TWO_PIECES: Json = [
    {"type": "text", "text": "Error: the tool call failed.\nno such city"},
    {"type": "text", "text": "b"},
]
STEP: Json = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}],
}
MESSAGE: Json = {
    "type": "message",
    "id": "msg_SemdfMi9CThRee9JHNxye2JE",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "hi", "annotations": []}],
}


def calls(*ids: str) -> Json:
    """The assistant's message with several calls."""
    function: Json = {"name": "weather", "arguments": "{}"}
    made: list[Json] = [{"id": id, "type": "function", "function": function} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def gemini_step(given: Body, response: Body) -> Body:
    """A request of Gemini's with a call and its result."""
    named: Body = {"id": "c", "name": "f"}
    asked: Json = {"role": "model", "parts": [{"functionCall": {**named, **given}}]}
    told: Json = {"functionResponse": {**named, "response": response}}
    return {"contents": [GEMINI_HI, asked, {"role": "user", "parts": [told]}]}


def subset(mode: str) -> Body:
    """A request of Chat Completions with a choice of a subset of one tool."""
    named: Json = {"type": "function", "function": {"name": "weather"}}
    allowed: Json = {"mode": mode, "tools": [named]}
    choice: Json = {"type": "allowed_tools", "allowed_tools": allowed}
    return chat(HI, tools=[WEATHER], tool_choice=choice)


def answer(**members: Json) -> Body:
    """A response of Responses as it is written for another's answer."""
    base: Body = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m"}
    return {**base, "status": "completed", **members}


NOT_TOLD = {
    # arguments
    "no arguments": Row(C, chat(HI, call(""), result()), A),
    "blank arguments": Row(C, chat(HI, call(" "), result()), G),
    "no arguments of a function's": Row(G, gemini_step({}, {"output": "sunny"}), A),
    "null arguments": Row(C, chat(HI, call("null"), result()), A),
    "a key twice in arguments": Row(C, chat(HI, call('{"a": 1, "a": 2}'), result()), A),
    "arguments that look wrapped": Row(C, chat(HI, call('{"INVALID_JSON": "x"}'), result()), R),
    # ids and names that the source's own format would not take: the way back maps them
    "a long id": Row(C, chat(HI, call(id="c" * 50), result(id="c" * 50)), R),
    "a long name": Row(C, chat(HI, call(name="n" * 70), result()), A),
    "a name with a dot": Row(C, chat(HI, call(name="get.weather"), result()), G),
    "the name in a choice": Row(
        A,
        {
            "max_tokens": 9,
            "messages": [HI],
            "tools": [{"name": "1st", "input_schema": OBJECT}],
            "tool_choice": {"type": "tool", "name": "1st"},
        },
        G,
    ),
    # histories
    "an orphan": Row(C, chat(HI, SAID, result()), R),
    "a late result": Row(C, chat(HI, call(), HI, SAID, result()), A),
    "a result after one word": Row(C, chat(HI, call(), HI, result()), R),
    "a result twice, another never": Row(
        C, chat(HI, calls("call_2", "call_1"), result("a"), result("b")), A
    ),
    "no result before system text": Row(C, chat(HI, call(), KINDLY), A),
    "a result twice before system text": Row(
        C, chat(HI, call(), result("a"), result("b"), KINDLY), A
    ),
    "two of three results of renamed ids": Row(
        C, chat(HI, calls("c", "a b"), result("a", "c"), result("b", "c"), result("b", "a b")), A
    ),
    "two texts of the assistant's": Row(C, chat(HI, TWO_TEXTS), R),
    "words, then a call": Row(
        C, chat(HI, {"role": "assistant", "content": "a" * 9}, call(), result()), R
    ),
    "a first text that is blank": Row(
        C, chat({"role": "user", "content": [{"type": "text", "text": ""}]}, SAID), A
    ),
    "a blank text after system text": Row(
        C, chat(HI, SAID, KINDLY, {"role": "user", "content": [{"type": "text", "text": ""}]}), A
    ),
    "a blank system text before another": Row(
        R, {"model": "gpt-5", "input": [{"role": "system", "content": ""}, KINDLY, HI]}, A
    ),
    "blank words of the model's": Row(
        G,
        {
            "contents": [
                GEMINI_HI,
                {"role": "model", "parts": [{"text": ""}]},
                GEMINI_HI,
                GEMINI_BYE,
            ]
        },
        A,
    ),
    "the assistant first": Row(A, {"max_tokens": 9, "messages": [SAID, HI]}, C),
    "a failure of two texts": Row(C, chat(HI, call(), result(TWO_PIECES)), G),
    "a failure that says nothing": Row(G, gemini_step({"args": {}}, {"error": ""}), A),
    # tools and settings
    "a tool without schema": Row(
        C, chat(HI, tools=[{"type": "function", "function": {"name": "weather"}}]), R
    ),
    "strict switched off": Row(
        A,
        {
            "max_tokens": 16,
            "messages": [HI],
            "tools": [{"name": "f", "input_schema": OBJECT, "strict": False}],
        },
        R,
    ),
    "a subset of one": Row(C, subset("required"), G),
    "a subset at will": Row(C, subset("auto"), G),
    "a validated subset": Row(
        G,
        {
            "contents": [GEMINI_HI],
            "tools": [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}],
            "toolConfig": {
                "functionCallingConfig": {"mode": "VALIDATED", "allowedFunctionNames": ["f"]}
            },
        },
        C,
    ),
    "one stop sequence": Row(C, chat(HI, stop="END"), A),
    "thinking switched off": Row(
        A, {"max_tokens": 9, "messages": [HI, STEP], "thinking": {"type": "disabled"}}, G
    ),
    "two output limits": Row(C, chat(HI, max_tokens=1, max_completion_tokens=1), A),
    # answers that were written from another format's
    "the id of an answer": Row(R, answer(output=[MESSAGE]), C, "response"),
    "counts of nothing": Row(
        G,
        {
            "candidates": [{"index": 0, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 3},
        },
        R,
        "response",
    ),
}
