"""Calls in the chunks of servers that speak Chat Completions."""

from __future__ import annotations

from .chunks import END, USAGE, calls, chunk, function
from .deviation import ONE, TWO, A, B, Deviation

CALLS: dict[str, Deviation] = {
    "index missing": Deviation(
        [
            calls(function("f", A, id="c1")),
            calls(function("g", '{"n"', id="c2")),
            calls(function(None, ":2}")),
            END,
        ],
        calls=TWO,
    ),
    "index null": Deviation(
        [calls(function("f", A, id="c1", index=None), function("g", B, id="c2", index=None)), END],
        calls=TWO,
    ),
    "index repeated": Deviation(
        [calls(function("f", A, id="c1", index=0)), calls(function("g", B, id="c2", index=0)), END],
        calls=TWO,
    ),
    "index repeated, then pieces": Deviation(
        [
            calls(function("f", '{"n"', id="c1", index=0)),
            calls(function(None, ":1}", index=0)),
            calls(function("g", '{"n"', id="c2", index=0)),
            calls(function(None, ":2}", index=0)),
            END,
        ],
        calls=TWO,
    ),
    "index from one": Deviation(
        [
            calls(function("f", A, id="c1", index=1)),
            calls(function("g", "", id="c2", index=2)),
            calls(function(None, B, index=2)),
            END,
        ],
        calls=TWO,
    ),
    "one id at two indexes": Deviation(
        [calls(function("f", A, id="c1", index=0)), calls(function("f", B, id="c1", index=1)), END],
        calls=(("c1", "f", {"n": 1}), ("c1", "f", {"n": 2})),
    ),
    "id and name repeated": Deviation(
        [calls(function("f", part, id="c1", index=0, type="function")) for part in ('{"n"', ":1}")]
        + [END],
        calls=ONE,
    ),
    "id and name empty later": Deviation(
        [
            calls(function("f", '{"n"', id="c1", index=0)),
            calls(function("", ":1}", id="", index=0)),
            END,
        ],
        calls=ONE,
    ),
    "id late": Deviation(
        [calls(function("f", "", index=0)), calls(function(None, A, index=0, id="c1")), END],
        calls=ONE,
    ),
    "id after the arguments": Deviation(
        [
            calls(function("f", '{"n"', index=0)),
            calls(function(None, ":1}", index=0, id="c1")),
            END,
        ],
        calls=ONE,
    ),
    "name late": Deviation(
        [
            calls(function(None, '{"n"', index=0, id="c1")),
            calls(function("f", ":1}", index=0)),
            END,
        ],
        calls=ONE,
    ),
    "no id": Deviation(
        [calls(function("f", A, index=0), function("f", B, index=1)), END],
        calls=((None, "f", {"n": 1}), (None, "f", {"n": 2})),
    ),
    "no id, in pieces": Deviation(
        [calls(function("f", '{"n"', index=0)), calls(function(None, ":1}", index=0)), END],
        calls=((None, "f", {"n": 1}),),
    ),
    "an empty id": Deviation(
        [calls(function("f", A, index=0, id="")), END], calls=((None, "f", {"n": 1}),)
    ),
    "no type, no index, whole": Deviation(
        [chunk({"role": "assistant", "tool_calls": [function("f", A, id="c1")]}, "tool_calls")],
        calls=ONE,
    ),
    "arguments as an object": Deviation(
        [calls(function("f", {"n": 1}, id="c1", index=0)), END], calls=ONE
    ),
    "no arguments at all": Deviation(
        [calls({"index": 0, "id": "c1", "function": {"name": "f"}}), END], calls=(("c1", "f", {}),)
    ),
    "custom tool": Deviation(
        [
            calls(
                {"index": 0, "id": "c1", "type": "custom", "custom": {"name": "f", "input": "ls"}}
            ),
            calls({"index": 0, "custom": {"input": " -l"}}),
            END,
        ],
        calls=(("c1", "f", "ls -l"),),
    ),
    "both objects, one of them empty": Deviation(
        [calls(function("f", A, id="c1", index=0, custom={"name": "", "input": ""})), END],
        calls=ONE,
    ),
    "the older form": Deviation(
        [
            chunk({"function_call": {"name": "f", "arguments": '{"n"'}}),
            chunk({"function_call": {"arguments": ":1}"}}),
            chunk(finish="function_call"),
        ],
        calls=((None, "f", {"n": 1}),),
    ),
    "pieces of two calls in turn": Deviation(
        [
            calls(function("f", '{"n"', id="c1", index=0), function("g", '{"n"', id="c2", index=1)),
            calls(function(None, ":2}", index=1), function(None, ":1}", index=0)),
            END,
        ],
        calls=TWO,
    ),
    "finish reason stop with calls": Deviation(
        [calls(function("f", A, id="c1", index=0)), chunk(finish="stop")], calls=ONE
    ),
    "finish reason tool": Deviation(
        [calls(function("f", A, id="c1", index=0)), chunk(finish="tool")], calls=ONE
    ),
    "finish reason tool_calls without calls": Deviation(
        [chunk({"content": "Hi"}), END], "Hi", stop="end"
    ),
    "finish reason empty in each chunk": Deviation(
        [chunk({"content": "H"}, ""), chunk({"content": "i"}, ""), chunk({}, "stop")],
        "Hi",
        stop="end",
    ),
    "finish reason twice, text between": Deviation(
        [chunk({"content": "H"}, "stop"), chunk({"content": "i"}), chunk({}, "stop")],
        "Hi",
        stop="end",
    ),
    "no finish reason, usage last": Deviation(
        [calls(function("f", A, id="c1", index=0)), {"choices": [], "usage": USAGE}],
        calls=ONE,
        usage=(5, 2),
    ),
    "no finish reason": Deviation(
        [calls(function("f", A, id="c1", index=0))], stop="incomplete", errors=("f",)
    ),
    "length inside a call": Deviation(
        [
            calls(function("f", A, id="c1", index=0), function("g", '{"n"', id="c2", index=1)),
            chunk(finish="length"),
        ],
        calls=ONE,
        stop="length",
        errors=("g",),
    ),
    "arguments that are no JSON": Deviation(
        [calls(function("f", '{"n": 1,}', id="c1", index=0)), END], errors=("f",)
    ),
}
