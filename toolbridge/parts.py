"""Parts: what a message is made of. Each is a value; a vendor's wire block becomes one part."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from toolbridge.values import JSON, Value, value

if TYPE_CHECKING:
    from toolbridge.tools import HostedTool, OutputFormat, ToolGroup, ToolSpec


@value
class Bound(Value):
    """Opaque data that only its writer can use: a signature, an encrypted thought.

    `format`, `host` and `model` say who wrote it, as far as known. It is written back to the
    same format only; anywhere else it is dropped and reported.
    """

    value: str
    format: str | None = None
    host: str | None = None
    model: str | None = None


@value
class Cache(Value):
    """A mark: the prompt prefix up to here should be cached. `ttl` as `5m`, `30m`, `1h`, `12h`."""

    ttl: str | None = None


@value
class Citation(Value):
    """Where a text comes from. `start` and `end` count characters of the text it stands on."""

    kind: str
    url: str | None = None
    title: str | None = None
    cited_text: str | None = None
    start: int | None = None
    end: int | None = None


@value
class Source(Value):
    """Where the bytes of a medium are: one of `data` (base64), `url`, `id`, `text`, `parts`.

    `owner` is the vendor whose file store knows `id`.
    """

    data: str | None = None
    url: str | None = None
    id: str | None = None
    text: str | None = None
    parts: tuple[Part, ...] | None = None
    media_type: str | None = None
    owner: str | None = None


@value
class Text(Value):
    """Text for the reader, with its citations. `phase` tells comments from the final answer."""

    json_fields: ClassVar = frozenset({"logprobs"})
    derived: ClassVar = frozenset({"citations", "logprobs", "signature"})
    covered: ClassVar = ("text",)

    text: str
    citations: tuple[Citation | Opaque, ...] | None = None
    logprobs: JSON = None
    signature: Bound | None = None
    cache: Cache | None = None


@value
class Media(Value):
    """An image, document, audio or video; `kind` is `file` where the wire does not say which.

    `detail` is the resolution asked for, `context` a text about a document, `cite` whether the
    model is to cite it, `transcript` what a spoken answer says, `expires_at` in Unix seconds.
    """

    json_fields: ClassVar = frozenset({"processing"})

    kind: Literal["image", "document", "audio", "video", "file"]
    source: Source
    name: str | None = None
    title: str | None = None
    context: str | None = None
    detail: str | None = None
    cite: bool | None = None
    transcript: str | None = None
    expires_at: int | None = None
    processing: JSON = None
    signature: Bound | None = None
    cache: Cache | None = None


@value
class Refusal(Value):
    """The model's words for not answering."""

    text: str
    signature: Bound | None = None
    cache: Cache | None = None


@value
class Reasoning(Value):
    """What the model thought: `text` as one string, `summary` and `content` in pieces.

    `encrypted` is a thought that only its writer can read (redacted or encrypted), `signature`
    the proof that the text is the model's own. `item_id` and `item_status` are the vendor's.
    """

    derived: ClassVar = frozenset({"signature"})
    covered: ClassVar = ("text", "summary", "content")

    text: str | None = None
    summary: tuple[Text, ...] | None = None
    content: tuple[Text, ...] | None = None
    encrypted: Bound | None = None
    signature: Bound | None = None
    item_id: str | None = None
    item_status: str | None = None


@value
class ToolCall(Value):
    """A call the model asks for.

    `kind` is `function` (arguments are an object), `custom` (arguments are free text) or the
    vendor's word for a tool run by type, such as `shell` or `web_search`. `executor` says who
    runs it: the app (`client`) or the `vendor`. `status` is `complete`, `cut` (the answer ended
    inside the call) or `invalid` (what the model wrote is no JSON object); only complete client
    calls may run, and the `arguments` of the others are the text as it came. `arguments_text`
    is what the model wrote. `id` pairs the call with its result, `item_id` and `item_status`
    are the vendor's own for the wire item; `caller` is whoever inside the vendor's sandbox
    asked and `toolset` the named set: both go back on the result.
    """

    json_fields: ClassVar = frozenset({"arguments", "caller"})
    uncompared: ClassVar = frozenset({"spelling", "arguments_text"})
    derived: ClassVar = frozenset({"signature"})
    covered: ClassVar = ("name", "arguments")

    id: str
    name: str
    arguments: JSON
    arguments_text: str | None = None
    namespace: str | None = None
    toolset: str | None = None
    kind: str = "function"
    executor: Literal["client", "vendor"] = "client"
    caller: JSON = None
    status: Literal["complete", "cut", "invalid"] = "complete"
    asynchronous: bool | None = None
    item_id: str | None = None
    item_status: str | None = None
    signature: Bound | None = None
    cache: Cache | None = None


@value
class ToolResult(Value):
    """The one result of a call, paired by `call_id`.

    `is_error` is None where the wire says nothing. The result of a vendor-run tool stands in
    an assistant message, perhaps a later one than its call.
    """

    json_fields: ClassVar = frozenset({"caller"})
    derived: ClassVar = frozenset({"signature"})
    covered: ClassVar = ("name", "parts")

    call_id: str
    parts: tuple[Part, ...] = ()
    is_error: bool | None = None
    name: str | None = None
    namespace: str | None = None
    toolset: str | None = None
    kind: str = "function"
    executor: Literal["client", "vendor"] = "client"
    caller: JSON = None
    item_id: str | None = None
    item_status: str | None = None
    signature: Bound | None = None
    cache: Cache | None = None


@value
class Json(Value):
    """A structured result: any JSON value."""

    json_fields: ClassVar = frozenset({"value"})

    value: JSON


@value
class ToolReference(Value):
    """A tool named in a result: the model may use it from here on."""

    name: str
    cache: Cache | None = None


@value
class Opaque(Value):
    """A wire element that nobody here knows: `data` as it came, of use to `format` only."""

    json_fields: ClassVar = frozenset({"data"})

    format: str
    data: JSON


@value
class ToolChange(Value):
    """From here on these tools are added to, or removed from, those the model may call.

    A tool is given whole, or by name where it was declared (deferred) before.
    """

    added: tuple[ToolSpec | ToolGroup | HostedTool | ToolReference | Opaque, ...] = ()
    removed: tuple[ToolReference | Opaque, ...] = ()
    role: str | None = None
    item_id: str | None = None


@value
class SettingsChange(Value):
    """From here on these settings are in force (OpenAI's `configuration_update`)."""

    effort: str | None = None
    output: OutputFormat | Opaque | None = None
    item_id: str | None = None


@value
class Compaction(Value):
    """All that stands before is replaced by this summary, readable or sealed.

    `trigger` marks the place where the server is asked to make one.
    """

    summary: str | None = None
    encrypted: Bound | None = None
    item_id: str | None = None
    trigger: bool = False


@value
class ItemReference(Value):
    """An item that the vendor's server holds under this id."""

    id: str


@value
class Fallback(Value):
    """From here on another model answered."""

    from_model: str | None = None
    to_model: str | None = None


@value
class ToolListing(Value):
    """What an MCP server said it offers, as the vendor fetched it."""

    json_fields: ClassVar = frozenset({"tools"})

    server: str
    tools: JSON
    item_id: str | None = None


ContextItem = ToolChange | SettingsChange | Compaction | ItemReference | Fallback | ToolListing

Part = (
    Text
    | Media
    | Refusal
    | Reasoning
    | ToolCall
    | ToolResult
    | Json
    | ToolReference
    | Opaque
    | ContextItem
)
