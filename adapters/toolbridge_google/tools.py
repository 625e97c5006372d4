"""Tools and tool choice of generateContent.

https://ai.google.dev/api/caching#Tool; types.Tool and types.ToolConfig of `google-genai` 3.6.1.

- One Tool object holds function declarations and any of the tools that Google runs.
- `parameters` is a subset of OpenAPI with upper-case types, `parametersJsonSchema` JSON Schema.
- Strictness is a mode of the choice (VALIDATED, ANY), not a property of a tool.
"""

from __future__ import annotations

from typing import Any, Final

from toolbridge.codec import ANY, OBJECT, Codec, Element, Elements, Mismatch
from toolbridge.conversion import Reading, Writing
from toolbridge.nodes import Row
from toolbridge.parts import Opaque
from toolbridge.settings import Words
from toolbridge.shape import Shape
from toolbridge.tools import HostedTool, ToolChoice, ToolGroup, ToolName, ToolSpec
from toolbridge.union import Union
from toolbridge.values import JSON, Value, make
from toolbridge_google.casing import both, row
from toolbridge_google.openapi import OpenApiSchema
from toolbridge_google.parts import FORMAT
from toolbridge_google.schemas import SUBSET

DECLARATION: Final = Shape(
    FORMAT,
    "declaration",
    ToolSpec,
    [
        Row("name", "name"),
        Row("description", "description"),
        row("parametersJsonSchema", "parameters", ANY),
        Row("parameters", "parameters", OpenApiSchema()),
        row("responseJsonSchema", "output_schema", ANY),
        Row("response", "output_schema", OpenApiSchema()),
    ],
    implied=("kind",),
    synonyms=("parameters", "output_schema"),
    required=("name",),
)
OLDER: Final = Shape(
    FORMAT,
    "older_declaration",
    ToolSpec,
    [
        Row("name", "name"),
        Row("description", "description"),
        Row("parameters", "parameters", OpenApiSchema(upper=True)),
        row("responseJsonSchema", "output_schema", ANY),
    ],
    implied=("kind",),
    required=("name",),
)
"""With the schema in the older field, for the profile that asks for it."""

DECLARATIONS: Final = Union(
    [],
    lambda item, writing: DECLARATION if writing.profile != SUBSET or writing.native else OLDER,
    untagged=DECLARATION,
    name="functionDeclarations",
)

HOSTED_KEYS: Final = (
    "googleSearch",
    "googleSearchRetrieval",
    "codeExecution",
    "urlContext",
    "googleMaps",
    "computerUse",
    "fileSearch",
    "mcpServers",
    "retrieval",
    "enterpriseWebSearch",
    "parallelAiSearch",
    "exaAiSearch",
)
"""Members of types.Tool besides functionDeclarations, `google-genai` 3.6.1."""


class Hosted(Codec):
    """A tool that Google runs, by the key that it stands under."""

    def __init__(self, key: str) -> None:
        super().__init__("an object")
        self.key = key

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if not isinstance(raw, (dict, list)):
            raise Mismatch(key, self.expected, raw)
        path, reading.path = reading.path, (reading.path, key)
        tool = make(HostedTool, {"format": FORMAT, "type": self.key, "settings": raw})
        reading.placed(tool)
        reading.path = path
        return tool

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return OBJECT.write(item.settings, writing, owner)


def finish_group(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """All tools of one object, functions first."""
    hosted = [fields.pop(key) for key in HOSTED_KEYS if key in fields]
    fields["tools"] = (*fields.pop("declarations", ()), *hosted)


def prepare_group(item: ToolGroup, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The inverse of finish_group."""
    tools = fields.pop("tools", ())
    for tool in tools:
        if isinstance(tool, HostedTool) and tool.format == FORMAT:
            fields[tool.type] = tool
    declared = tuple(tool for tool in tools if not isinstance(tool, HostedTool))
    if declared or (writing.owns(item) and spelled(item, "functionDeclarations")):
        fields["declarations"] = declared
    return fields


def spelled(item: Value, key: str) -> bool:
    """Whether an object came with a value under a key, in either case."""
    came = not {key, *both(key)}.isdisjoint(item.spelling.keys)
    return came and key not in item.spelling.nulls


GROUP: Final = Shape(
    FORMAT,
    "tool",
    ToolGroup,
    [
        row(
            "functionDeclarations", "declarations", Elements(DECLARATIONS.read, DECLARATIONS.write)
        ),
        *(row(key, key, Hosted(key)) for key in HOSTED_KEYS),
    ],
    implied=("name",),
    finish=finish_group,
    prepare=prepare_group,
)


def grouped(tools: tuple[Any, ...]) -> tuple[Any, ...]:
    """Tools that stand by themselves, in one Tool object before the others."""
    loose = tuple(tool for tool in tools if is_loose(tool))
    rest = tuple(tool for tool in tools if not is_loose(tool))
    return (make(ToolGroup, {"tools": loose}), *rest) if loose else tools


def is_loose(tool: Any) -> bool:
    """Whether a tool has no Tool object around it: of what nobody knows only a declaration."""
    if isinstance(tool, Opaque):
        return tool.spelling is not None and tool.spelling.kind == DECLARATIONS.name
    return not isinstance(tool, ToolGroup)


GROUPS: Final = Union([], lambda item, writing: GROUP, default=GROUP, untagged=GROUP)
TOOL_LIST: Final = Elements(GROUPS.read, GROUPS.write, alone=True)

MODES: Final = {"auto": "AUTO", "required": "ANY", "none": "NONE", "validated": "VALIDATED"}
MODE_NUMBERS: Final = {1: "AUTO", 2: "ANY", 3: "NONE"}
"""FunctionCallingConfig.Mode of google/cloud/aiplatform/v1/tool.proto, for the vertexai SDK."""


class Names(Codec):
    """The functions that may be called."""

    def read(self, raw: JSON, reading: Reading, key: str) -> Any:
        if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
            raise Mismatch(key, self.expected, raw)
        path, names = reading.path, []
        for index, name in enumerate(raw):
            reading.path = (path, key, index)
            names.append(reading.placed(make(ToolName, {"name": name})))
        reading.path = path
        return tuple(names)

    def write(self, item: Any, writing: Writing, owner: Value) -> JSON:
        return [name.name for name in item]


def finish_choice(fields: dict[str, Any], raw: JSON, reading: Reading) -> None:
    """VALIDATED is a free choice with strict schemas; names make a subset, or one tool."""
    mode, names = fields.get("mode", "auto"), fields.get("tools", ())
    if mode == "validated":
        fields["strict"], mode = True, "auto"
    if names and mode == "required" and len(names) == 1:
        mode = "tool"
    elif names:
        fields["required"], mode = mode == "required", "subset"
    fields["mode"] = mode


def prepare_choice(item: ToolChoice, fields: dict[str, Any], writing: Writing) -> dict[str, Any]:
    """The inverse of finish_choice. A subset to choose freely from exists as VALIDATED only."""
    strict, required = fields.pop("strict", None), fields.pop("required", None)
    mode = item.mode
    if mode == "subset" and not required and strict is None and not writing.owns(item):
        writing.report.add("choice.validated", item)
        strict = True
    if mode in ("tool", "subset"):
        mode = "required" if mode == "tool" or required else "auto"
    fields["mode"] = "validated" if strict else mode
    if writing.owns(item) and "mode" not in item.spelling.keys and fields["mode"] == "auto":
        del fields["mode"]
    return fields


CHOICE: Final = Shape(
    FORMAT,
    "choice",
    ToolChoice,
    [
        Row("mode", "mode", Words("mode", MODES, numbers=MODE_NUMBERS, fold=True)),
        row("allowedFunctionNames", "tools", Names("a list of names")),
    ],
    implied=("strict", "required"),
    finish=finish_choice,
    prepare=prepare_choice,
)
CHOICE_CODEC: Final = Element(CHOICE)
