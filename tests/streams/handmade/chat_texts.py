"""Usage, reasoning, odd chunks and errors of servers that speak Chat Completions."""

from __future__ import annotations

from .chunks import END, USAGE, calls, chunk, function
from .deviation import ONE, A, Deviation

TEXTS: dict[str, Deviation] = {
    "usage without choices": Deviation(
        [chunk({"content": "Hi"}), chunk(finish="stop"), {"choices": [], "usage": USAGE}],
        "Hi",
        stop="end",
        usage=(5, 2),
    ),
    "usage in each chunk": Deviation(
        [
            chunk({"content": "H"}, usage={**USAGE, "completion_tokens": 1}),
            chunk({"content": "i"}, "stop", usage=USAGE),
        ],
        "Hi",
        stop="end",
        usage=(5, 2),
    ),
    "usage in a choice": Deviation(
        [
            chunk({"content": "Hi"}),
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop", "usage": USAGE}]},
        ],
        "Hi",
        stop="end",
        usage=(5, 2),
    ),
    "usage under x_groq": Deviation(
        [
            chunk({"content": "Hi"}, x_groq={"id": "req_1"}),
            chunk(finish="stop", x_groq={"id": "req_1", "usage": USAGE}),
        ],
        "Hi",
        stop="end",
        usage=(5, 2),
    ),
    "usage null": Deviation(
        [chunk({"content": "Hi"}, usage=None), chunk(finish="stop", usage=None)], "Hi", stop="end"
    ),
    "no usage, no id, no model": Deviation(
        [{"choices": [{"delta": {"content": "Hi"}}]}, {"choices": [{"finish_reason": "stop"}]}],
        "Hi",
        stop="end",
    ),
    "reasoning_content": Deviation(
        [chunk({"reasoning_content": "Hm", "content": None}), chunk({"content": "Hi"}, "stop")],
        "Hi",
        stop="end",
        thoughts="Hm",
    ),
    "reasoning under both keys": Deviation(
        [chunk({"reasoning_content": part, "reasoning": part}) for part in ("H", "m")]
        + [chunk({"content": "Hi"}, "stop")],
        "Hi",
        stop="end",
        thoughts="Hm",
    ),
    "reasoning beside reasoning_details": Deviation(
        [
            chunk(
                {
                    "reasoning_details": [{"type": "reasoning.text", "text": part, "index": 0}],
                    "reasoning": part,
                }
            )
            for part in ("H", "m")
        ]
        + [chunk({"content": "Hi"}, "stop")],
        "Hi",
        stop="end",
        thoughts="Hm",
    ),
    "reasoning_details alone": Deviation(
        [
            chunk({"reasoning_details": [{"type": "reasoning.text", "text": part, "index": 0}]})
            for part in ("H", "m")
        ]
        + [chunk({"content": "Hi"}, "stop")],
        "Hi",
        stop="end",
        thoughts="Hm",
    ),
    "extra_content": Deviation(
        [
            calls(
                function(
                    "f",
                    A,
                    id="c1",
                    index=0,
                    extra_content={"google": {"thought_signature": "c2lnbmVk"}},
                )
            ),
            END,
        ],
        calls=ONE,
    ),
    "content as a list": Deviation(
        [
            chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": part}]}]})
            for part in ("H", "m")
        ]
        + [chunk({"content": "H"}), chunk({"content": "i"}, "stop")],
        "Hi",
        stop="end",
    ),
    "a chunk of filter results first, a null delta last": Deviation(
        [
            {
                "id": "",
                "object": "",
                "model": "",
                "created": 0,
                "choices": [],
                "prompt_filter_results": [{"prompt_index": 0}],
            },
            chunk({"role": "assistant", "content": "Hi"}, model="gpt-5"),
            {
                "object": "",
                "choices": [{"index": 0, "delta": None, "finish_reason": "stop"}],
                "content_filter_results": {},
            },
        ],
        "Hi",
        stop="end",
    ),
    "null choices and null delta members": Deviation(
        [
            chunk({"role": "assistant", "content": None, "tool_calls": None, "refusal": None}),
            {"id": "c", "choices": None},
            chunk({"content": "Hi"}, "stop"),
        ],
        "Hi",
        stop="end",
    ),
    "a whole message in one chunk": Deviation(
        [
            {
                "choices": [
                    {"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
                ]
            }
        ],
        "Hi",
        stop="end",
    ),
    "an error in the middle": Deviation(
        [
            calls(function("f", A, id="c1", index=0)),
            {"error": {"code": 502, "message": "Provider disconnected"}},
        ],
        stop="error",
        errors=("f",),
    ),
    "an error beside an answer": Deviation(
        [
            chunk({"content": "Hi"}),
            chunk(
                {"content": ""},
                "error",
                error={"code": 502, "message": "Provider disconnected"},
            ),
        ],
        "Hi",
        stop="error",
    ),
}
