"""Tools: what the model may call, and how free it is to choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from toolbridge.values import JSON, Value, value

if TYPE_CHECKING:
    from toolbridge.parts import Cache, Opaque


@value
class ToolSpec(Value):
    """A tool that the app runs.

    `parameters` and `output_schema` are JSON Schemas. `strict` has four states: True, False,
    `auto` (where it costs no meaning) and None, which leaves it to the vendor: OpenAI Responses
    then tries it, Chat does not. A `custom` tool takes free text; `grammar` may restrict it as
    `{"syntax": "lark" or "regex", "definition": text}`. `deferred` hides the tool until a search
    finds it; `allowed_callers` are the vendor's words for who may call it.

    `effect`, `idempotent` (running it twice is as running it once), `untrusted_output` (others
    write what it gives) and `sends_out` (what it is given leaves the app) rule what runs unasked
    (`toolbridge.checkpoint.policies`); they stay with the app, and None says nothing.
    """

    json_fields: ClassVar = frozenset(
        {"parameters", "output_schema", "examples", "allowed_callers", "grammar"}
    )

    name: str
    description: str | None = None
    parameters: JSON = None
    output_schema: JSON = None
    strict: bool | Literal["auto"] | None = None
    namespace: str | None = None
    kind: Literal["function", "custom"] = "function"
    grammar: JSON = None
    deferred: bool | None = None
    examples: JSON = None
    allowed_callers: JSON = None
    eager_input: bool | None = None
    asynchronous: bool | None = None
    cache: Cache | None = None
    effect: Literal["read", "write", "irreversible"] | None = None
    idempotent: bool | None = None
    untrusted_output: bool | None = None
    sends_out: bool | None = None


@value
class HostedTool(Value):
    """A tool known by its type: the vendor runs it, or tells the app how to (`executor`).

    Kept as what it is: `type` and `settings` are the vendor's words and mean nothing elsewhere.
    """

    json_fields: ClassVar = frozenset({"settings"})

    format: str
    type: str
    name: str | None = None
    executor: Literal["client", "vendor"] = "vendor"
    settings: JSON = None
    cache: Cache | None = None


@value
class ToolGroup(Value):
    """Tools that stand together on the wire: a namespace of OpenAI, one Tool object of Gemini."""

    tools: tuple[ToolSpec | HostedTool | Opaque, ...] = ()
    name: str | None = None
    description: str | None = None


Tool = ToolSpec | HostedTool | ToolGroup


@value
class ToolName(Value):
    """A tool by name, in a choice: of the app, or by the vendor's `type`."""

    name: str | None = None
    type: str = "function"
    namespace: str | None = None


@value
class ToolChoice(Value):
    """How free the model is: `auto`, `required`, `none`, one `tool`, or a `subset` of them.

    In a subset `required` says whether one of them must be called. Whether several calls may
    come at once is apart from it: `Request.parallel_tool_calls`. `strict` stands for Gemini's
    VALIDATED: text or a call, and the call fits its schema.
    """

    mode: Literal["auto", "required", "none", "tool", "subset"]
    tools: tuple[ToolName | Opaque, ...] = ()
    required: bool | None = None
    strict: bool | None = None


@value
class OutputFormat(Value):
    """The form of the answer: `text`, any `json`, or JSON after a `schema`."""

    json_fields: ClassVar = frozenset({"schema"})

    kind: Literal["text", "json", "schema"]
    schema: JSON = None
    name: str | None = None
    description: str | None = None
    strict: bool | None = None
