"""Tools, tool choice and output format of the Responses API.

https://platform.openai.com/docs/guides/tools; types/responses/tool_param.py and
tool_choice_*_param.py of `openai` 3.57.0.

- Fields of a function stand at the top. An absent `strict` means that the server tries.
- A `namespace` groups functions; every other type is run by OpenAI or known by its type.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import ANY, BOOLEAN, OBJECT, Codec, Elements, Mismatch
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Row
from toolbridge.settings import Own, Words
from toolbridge.shape import Shape
from toolbridge.spelling import Spelling
from toolbridge.tools import (
    HostedTool,
    OutputFormat,
    ToolChoice,
    ToolGroup,
    ToolName,
    ToolSpec,
)
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_openai.common import OUTPUT_NAME
from toolbridge_openai.responses.parts import FORMAT, part

SPEC_ROWS: Final = (
    Row("name", "name"),
    Row("description", "description"),
    Row("defer_loading", "deferred", BOOLEAN),
    Row("allowed_callers", "allowed_callers", Own("allowed_callers", FORMAT)),
    Row("async", "asynchronous", BOOLEAN),
)
FUNCTION: Final = part(
    "tool_function",
    ToolSpec,
    *SPEC_ROWS,
    Row("parameters", "parameters", ANY),
    Row("strict", "strict", BOOLEAN),
    Row("output_schema", "output_schema", ANY),
    word="function",
    implied=("kind", "namespace"),
    required=("name",),
)


class Grammar(Codec):
    """The format of a custom tool's input: a grammar."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if isinstance(raw, dict) and raw.get("type") == "grammar":
            return {name: member for name, member in raw.items() if name != "type"}
        raise Mismatch(key, self.expected, raw)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return {"type": "grammar", **item}


CUSTOM: Final = part(
    "tool_custom",
    ToolSpec,
    *SPEC_ROWS,
    Row("format", "grammar", Grammar("a grammar")),
    word="custom",
    given={"kind": "custom"},
    implied=("namespace",),
    required=("name",),
    tolerant=True,
)
CLIENT_RUN: Final = ("shell", "local_shell", "apply_patch", "computer", "computer_use_preview")
"""Types that the app runs (facts of types/responses/tool_param.py; a `shell` with a container
and a `tool_search` without `execution: client` are OpenAI's to run)."""


def finish_hosted(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """Who runs the tool follows from its type."""
    kind = fields.get("type")
    environment = raw.get("environment")
    hosted = isinstance(environment, dict) and str(environment.get("type")).startswith("container")
    if (kind in CLIENT_RUN and not hosted) or raw.get("execution") == "client":
        fields["executor"] = "client"


HOSTED: Final = Shape(
    FORMAT,
    "hosted",
    HostedTool,
    [Row("type", "type")],
    given={"format": FORMAT},
    implied=("executor",),
    rest="settings",
    finish=finish_hosted,
)
INNER_TOOLS: Final = Union(
    [FUNCTION, CUSTOM], lambda item, writing: choose_tool(item), default=HOSTED
)
NAMESPACE: Final = part(
    "namespace",
    ToolGroup,
    Row("name", "name"),
    Row("description", "description"),
    Row("tools", "tools", Elements(INNER_TOOLS.read, INNER_TOOLS.write)),
)
TOOLS: Final = Union(
    [FUNCTION, CUSTOM, NAMESPACE], lambda item, writing: choose_tool(item), default=HOSTED
)
TOOL_LIST: Final = Elements(TOOLS.read, TOOLS.write)


def choose_tool(item: Any) -> Shape | None:
    """Tools of the app's have a place, alone or in a namespace, and OpenAI's own by their type."""
    if isinstance(item, HostedTool) and item.format == FORMAT:
        return HOSTED
    if isinstance(item, ToolGroup):
        return NAMESPACE
    if not isinstance(item, ToolSpec):
        return None
    return CUSTOM if item.kind == "custom" else FUNCTION


TOOL_NAME: Final = Shape(
    FORMAT,
    "tool_name",
    ToolName,
    [Row("type", "type"), Row("name", "name"), Row("server_label", "namespace")],
    required=("type",),
    prepare=lambda item, fields, writing: {"type": "function", **fields},
)
TOOL_NAMES: Final[Union] = Union([], lambda item, writing: TOOL_NAME, default=TOOL_NAME)
ALLOWED: Final = part(
    "allowed_tools",
    ToolChoice,
    Row("mode", "required", Words("required", {True: "required", False: "auto"})),
    Row("tools", "tools", Elements(TOOL_NAMES.read, TOOL_NAMES.write)),
    given={"mode": "subset"},
)
MODES: Final = ("auto", "none", "required")


class Choice(Codec):
    """A word, one tool, or a subset of the tools."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        path, reading.path = reading.path, (reading.path, key)
        if raw in MODES:
            choice = make(ToolChoice, {"mode": raw, "spelling": WORD})
        elif not isinstance(raw, dict):
            raise Mismatch(key, self.expected, raw)
        elif raw.get("type") == "allowed_tools":
            choice = ALLOWED.read(raw, reading)
        else:
            name = reading.placed(TOOL_NAMES.read(raw, reading))
            choice = make(ToolChoice, {"mode": "tool", "tools": (name,), "spelling": NAMED})
        reading.placed(choice)
        reading.path = path
        return choice

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        if item.mode == "subset":
            return ALLOWED.write(item, writing)
        return TOOL_NAMES.write(item.tools[0], writing) if item.mode == "tool" else item.mode


WORD: Final = Spelling(FORMAT, "choice_word")
NAMED: Final = Spelling(FORMAT, "choice_named")
CHOICE: Final = Choice("a tool choice")

OUTPUTS: Final[Union] = Union(
    [
        part("output_text_format", OutputFormat, word="text", given={"kind": "text"}),
        part("output_json", OutputFormat, word="json_object", given={"kind": "json"}),
        part(
            "output_schema",
            OutputFormat,
            Row("name", "name"),
            Row("description", "description"),
            Row("schema", "schema", OBJECT),
            Row("strict", "strict", BOOLEAN),
            word="json_schema",
            given={"kind": "schema"},
            defaults={"strict": False, "name": OUTPUT_NAME},
        ),
    ],
    lambda item, writing: OUTPUTS.by_word[OUTPUT_KINDS[item.kind]],
)
OUTPUT_KINDS: Final[dict[str, str]] = {
    "text": "text",
    "json": "json_object",
    "schema": "json_schema",
}
