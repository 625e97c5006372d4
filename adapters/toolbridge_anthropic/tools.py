"""Tools and tool choice of the Messages API.

https://platform.claude.com/docs/en/agents-and-tools/tool-use; types/tool_union_param.py and
types/tool_choice_param.py of `anthropic` 2.14.0.

- A tool without `type` is the app's own. Every other type is run by Anthropic, or by the app
  after Anthropic's description.
- Whether calls may come in parallel stands inside the tool choice, and not on `none`.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import ANY, ARRAY, BOOLEAN, Codec, Elements, Mismatch
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Row, Tag
from toolbridge.settings import Own, Words
from toolbridge.shape import Shape
from toolbridge.tools import HostedTool, ToolChoice, ToolName, ToolSpec
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_anthropic.parts import CACHE, FORMAT

SPEC: Final = Shape(
    FORMAT,
    "custom",
    ToolSpec,
    [
        Tag("type", "custom", written=False),
        Row("name", "name"),
        Row("description", "description"),
        Row("input_schema", "parameters", ANY),
        Row("strict", "strict", BOOLEAN),
        Row("defer_loading", "deferred", BOOLEAN),
        Row("allowed_callers", "allowed_callers", Own("allowed_callers", FORMAT)),
        Row("input_examples", "examples", ARRAY),
        Row("eager_input_streaming", "eager_input", BOOLEAN),
        CACHE,
    ],
    implied=("kind",),
    required=("name",),
)

CLIENT_RUN: Final = ("bash_", "text_editor_", "memory_", "computer_", "browser_toolset_")
"""Types the app runs, by the start of their name: facts of types/tool_union_param.py and
types/beta/beta_tool_union_param.py (bash, text editor, memory, computer, browser)."""


def finish_hosted(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Who runs the tool follows from its type."""
    if str(fields.get("type")).startswith(CLIENT_RUN):
        fields["executor"] = "client"


HOSTED: Final = Shape(
    FORMAT,
    "hosted",
    HostedTool,
    [Row("type", "type"), Row("name", "name"), CACHE],
    given={"format": FORMAT},
    implied=("executor",),
    rest="settings",
    finish=finish_hosted,
)

TOOLS: Final = Union([SPEC], lambda item, writing: choose_tool(item), default=HOSTED, untagged=SPEC)


def choose_tool(item: Any) -> Shape | None:
    """Tools of the app's, and Anthropic's own by their type."""
    if isinstance(item, HostedTool) and item.format == FORMAT:
        return HOSTED
    return SPEC if isinstance(item, ToolSpec) else None


TOOL_LIST: Final = Elements(TOOLS.read, TOOLS.write)


class ChosenTool(Codec):
    """The one tool that must be called, by name."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, str):
            return (make(ToolName, {"name": raw}),)
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return item[0].name


MODES: Final = {"auto": "auto", "required": "any", "none": "none", "tool": "tool"}

TOOL_CHOICE: Final = Shape(
    FORMAT,
    "tool_choice",
    ToolChoice,
    [Row("type", "mode", Words("mode", MODES)), Row("name", "tools", ChosenTool("a tool name"))],
    required=("mode",),
)

PARALLEL_OFF: Final = "disable_parallel_tool_use"


def split_parallel(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Take the parallel switch out of a tool choice just read: it is a setting of its own."""
    choice = fields.get("tool_choice")
    if not isinstance(choice, ToolChoice) or not choice.extra:
        return
    off = choice.extra.get(PARALLEL_OFF)
    if isinstance(off, bool):
        fields["parallel_tool_calls"] = not off
        rest = {key: member for key, member in choice.extra.items() if key != PARALLEL_OFF}
        fields["tool_choice"] = reading.moved(choice.replace(extra=rest or None), choice)


def join_parallel(item: Value, fields: dict[str, Any], writing: Writing) -> None:
    """Put the parallel switch into the tool choice to be written."""
    parallel = fields.pop("parallel_tool_calls", None)
    choice = fields.get("tool_choice")
    if parallel is None or (choice is None and parallel):
        return
    if choice is None:
        choice = make(ToolChoice, {"mode": "auto"})
    if choice.mode == "none" and not writing.owns(item):
        writing.lose(item, "parallel_tool_calls", "with tool choice none there is nothing to limit")
        return
    extra = {**(choice.extra or {}), PARALLEL_OFF: not parallel}
    fields["tool_choice"] = choice.replace(extra=extra)
