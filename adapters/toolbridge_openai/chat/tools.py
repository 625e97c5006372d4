"""Tools and tool choice of Chat Completions.

https://platform.openai.com/docs/guides/function-calling; types/chat/*tool*_param.py of
`openai` 3.57.0.

- A function's fields stand under `function`, a custom tool's under `custom`.
- An absent `strict` means off here; in Responses it means that the server tries.
- `functions` and `function_call` are the form before `tools` and `tool_choice`.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import ANY, BOOLEAN, Codec, Element, Elements, Mismatch
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Inner, Row
from toolbridge.settings import HostOnly, Words
from toolbridge.shape import Shape
from toolbridge.spelling import Spelling
from toolbridge.tools import HostedTool, ToolChoice, ToolName, ToolSpec
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_openai.chat.parts import CACHE_CONTROL, FORMAT, part

FUNCTION_ROWS: Final = (
    Row("name", "name"),
    Row("description", "description"),
    Row("parameters", "parameters", ANY),
    Row("strict", "strict", BOOLEAN),
)
CACHE_ROW: Final = Row(
    "cache_control", "cache", HostOnly("cache", Element(CACHE_CONTROL), "openrouter")
)
EAGER_ROW: Final = Row(
    "eager_input_streaming", "eager_input", HostOnly("eager_input", BOOLEAN, "openrouter")
)
"""OpenRouter's, for Anthropic's models (https://openrouter.ai/docs)."""

FUNCTION: Final = part(
    "tool_function",
    ToolSpec,
    Inner("function", FUNCTION_ROWS),
    CACHE_ROW,
    EAGER_ROW,
    word="function",
    defaults={"strict": False},
    implied=("kind",),
    required=("name",),
)
OLD_FUNCTION: Final = Shape(
    FORMAT,
    "old_function",
    ToolSpec,
    FUNCTION_ROWS,
    defaults={"strict": False},
    implied=("kind",),
    required=("name",),
)


class Grammar(Codec):
    """The format of a custom tool's input: any text, or a grammar."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, dict) and raw.keys() == {"type", "grammar"}:
            if raw["type"] == "grammar" and isinstance(raw["grammar"], dict):
                return raw["grammar"]
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return {"type": "grammar", "grammar": dict(item)}


CUSTOM: Final = part(
    "tool_custom",
    ToolSpec,
    Inner(
        "custom",
        [
            Row("name", "name"),
            Row("description", "description"),
            Row("format", "grammar", Grammar("a grammar")),
        ],
    ),
    word="custom",
    given={"kind": "custom"},
    required=("name",),
    tolerant=True,
)
HOSTED: Final = Shape(
    FORMAT,
    "hosted",
    HostedTool,
    [Row("type", "type")],
    given={"format": FORMAT},
    rest="settings",
)
TOOLS: Final = Union([FUNCTION, CUSTOM], lambda item, writing: choose_tool(item), default=HOSTED)
OLD_TOOLS: Final = Union([], lambda item, writing: OLD_FUNCTION, untagged=OLD_FUNCTION)


def choose_tool(item: Any) -> Shape | None:
    """What the app runs has a place, and what Chat knows by its type."""
    if isinstance(item, HostedTool) and item.format == FORMAT:
        return HOSTED
    if not isinstance(item, ToolSpec):
        return None
    return CUSTOM if item.kind == "custom" else FUNCTION


TOOL_LIST: Final = Elements(TOOLS.read, TOOLS.write)
OLD_TOOL_LIST: Final = Elements(OLD_TOOLS.read, OLD_TOOLS.write)

TOOL_NAMES: Final[Union] = Union(
    [
        part(
            "name_function",
            ToolName,
            Inner("function", [Row("name", "name")]),
            word="function",
            given={"type": "function"},
            required=("name",),
        ),
        part(
            "name_custom",
            ToolName,
            Inner("custom", [Row("name", "name")]),
            word="custom",
            given={"type": "custom"},
            required=("name",),
        ),
    ],
    lambda item, writing: TOOL_NAMES.by_word.get(item.type),
)


ALLOWED: Final = part(
    "allowed_tools",
    ToolChoice,
    Inner(
        "allowed_tools",
        [
            Row("mode", "required", Words("required", {True: "required", False: "auto"})),
            Row("tools", "tools", Elements(TOOL_NAMES.read, TOOL_NAMES.write)),
        ],
    ),
    given={"mode": "subset"},
)
MODES: Final = {"auto": "auto", "none": "none", "required": "required"}
OTHER_MODES: Final = {"any": "required"}
"""Mistral's word for required (https://docs.mistral.ai/capabilities/function_calling)."""


class Choice(Codec):
    """A word, one tool, or a subset of the tools. The older form names a function bare."""

    marks = True
    odd_form = "setting.approximated"

    def __init__(self, old: bool = False) -> None:
        super().__init__("a tool choice")
        self.old = old

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        word = OTHER_MODES.get(raw, raw) if isinstance(raw, str) else None
        path, reading.path = reading.path, (reading.path, key)
        if word in MODES:
            choice = make(ToolChoice, {"mode": word, "spelling": WORD})
        elif not isinstance(raw, dict):
            raise Mismatch(key, self.expected, raw)
        elif raw.get("type") == "allowed_tools":
            choice = ALLOWED.read(raw, reading)
        else:
            name = OLD_NAME.read(raw, reading) if self.old else TOOL_NAMES.read(raw, reading)
            fields = {"mode": "tool", "tools": (reading.placed(name),), "spelling": NAMED}
            choice = make(ToolChoice, fields)
        reading.placed(choice)
        reading.path = path
        return choice

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if item.mode == "subset":
            return ALLOWED.write(item, writing)
        if item.mode == "tool":
            name = item.tools[0]
            return OLD_NAME.write(name, writing) if self.old else TOOL_NAMES.write(name, writing)
        return MODES[item.mode]

    def mark(self, raw: JSON, item: Any) -> JSON:
        return raw if isinstance(raw, str) and raw != item.mode else None

    def remember(self, mark: JSON, item: Any, written: JSON) -> JSON:
        return mark if OTHER_MODES.get(mark) == item.mode else written


WORD: Final = Spelling(FORMAT, "choice_word")
NAMED: Final = Spelling(FORMAT, "choice_named")
OLD_NAME: Final = Shape(FORMAT, "old_name", ToolName, [Row("name", "name")], required=("name",))
