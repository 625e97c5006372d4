"""toolbridge: one canonical model of tool calling, and adapters to each vendor's wire format.

    import toolbridge as tb

    converted = tb.convert(body, source="openai-chat", target="anthropic")
    converted.payload, converted.losses

`convert`, `read` and `write` are pure; no vendor SDK is needed for them.
"""

from toolbridge.convert import Converted, Envelope, convert, read, write
from toolbridge.errors import (
    AuthenticationError,
    BadRequestError,
    ContentRefusedError,
    ContextTooLongError,
    ConversionError,
    LossError,
    MissingKeyError,
    MissingSDKError,
    NotFoundError,
    OverloadedError,
    PermissionDeniedError,
    RateLimitedError,
    ServerError,
    StateError,
    ToolbridgeError,
    ToolDefinitionError,
    ToolError,
    UnknownFormatError,
    VendorConnectionError,
    VendorError,
    VendorTimeoutError,
    WireError,
)
from toolbridge.loss import Loss
from toolbridge.parts import (
    Bound,
    Cache,
    Citation,
    Compaction,
    Fallback,
    ItemReference,
    Json,
    Media,
    Opaque,
    Reasoning,
    Refusal,
    SettingsChange,
    Source,
    Text,
    ToolCall,
    ToolChange,
    ToolListing,
    ToolReference,
    ToolResult,
)
from toolbridge.registry import FormatInfo, formats
from toolbridge.request import Author, Message, Request
from toolbridge.response import Alternative, ErrorBody, Response, Usage
from toolbridge.rules import Rule
from toolbridge.tools import (
    HostedTool,
    OutputFormat,
    ToolChoice,
    ToolGroup,
    ToolName,
    ToolSpec,
)
from toolbridge.values import thaw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolbridge.adapted_tools import AdaptedTools, adapt_tools
    from toolbridge.app_tools import CancelToken, Context, Tool, tool
    from toolbridge.checkpoint.audit import AuditLines, AuditRecord
    from toolbridge.checkpoint.ledger import MemoryLedger, SQLiteLedger
    from toolbridge.checkpoint.provenance import From
    from toolbridge.checkpoint.questions import Approve, Deny, Edit, Question, Untrusted
    from toolbridge.checkpoint.run_state import RunState, SavedStep, Settled
    from toolbridge.loop import (
        Answered,
        AsyncRunStream,
        Finished,
        Progress,
        Run,
        RunStream,
        Step,
        aresume,
        aresume_stream,
        arun,
        astream,
        resume,
        resume_stream,
        run,
        stream,
    )
    from toolbridge.loop.gate import Gate, Limits
    from toolbridge.model import Model
    from toolbridge.retries import Retries
    from toolbridge.storage import from_json, to_json
    from toolbridge.streams import events
    from toolbridge.streams.convert import StreamConverter, stream_reader, stream_writer
    from toolbridge.streams.text import StreamText

LAZY = {
    "adapt_tools": "toolbridge.adapted_tools",
    "AdaptedTools": "toolbridge.adapted_tools",
    "to_json": "toolbridge.storage",
    "from_json": "toolbridge.storage",
    "tool": "toolbridge.app_tools",
    "Tool": "toolbridge.app_tools",
    "Context": "toolbridge.app_tools",
    "CancelToken": "toolbridge.app_tools",
    "AuditLines": "toolbridge.checkpoint.audit",
    "AuditRecord": "toolbridge.checkpoint.audit",
    "MemoryLedger": "toolbridge.checkpoint.ledger",
    "SQLiteLedger": "toolbridge.checkpoint.ledger",
    "From": "toolbridge.checkpoint.provenance",
    "Approve": "toolbridge.checkpoint.questions",
    "Deny": "toolbridge.checkpoint.questions",
    "Edit": "toolbridge.checkpoint.questions",
    "Question": "toolbridge.checkpoint.questions",
    "Untrusted": "toolbridge.checkpoint.questions",
    "RunState": "toolbridge.checkpoint.run_state",
    "SavedStep": "toolbridge.checkpoint.run_state",
    "Settled": "toolbridge.checkpoint.run_state",
    "Gate": "toolbridge.loop.gate",
    "Limits": "toolbridge.loop.gate",
    "resume": "toolbridge.loop",
    "aresume": "toolbridge.loop",
    "resume_stream": "toolbridge.loop",
    "aresume_stream": "toolbridge.loop",
    "Model": "toolbridge.model",
    "run": "toolbridge.loop",
    "arun": "toolbridge.loop",
    "Run": "toolbridge.loop",
    "Step": "toolbridge.loop",
    "Answered": "toolbridge.loop",
    "Progress": "toolbridge.loop",
    "Finished": "toolbridge.loop",
    "stream": "toolbridge.loop",
    "astream": "toolbridge.loop",
    "RunStream": "toolbridge.loop",
    "AsyncRunStream": "toolbridge.loop",
    "Retries": "toolbridge.retries",
    "StreamConverter": "toolbridge.streams.convert",
    "StreamText": "toolbridge.streams.text",
    "stream_reader": "toolbridge.streams.convert",
    "stream_writer": "toolbridge.streams.convert",
    "events": "toolbridge.streams",
}
"""Names whose modules are loaded when they are first used."""

__version__ = "0.1.0"
__all__ = [
    "AdaptedTools",
    "Alternative",
    "Answered",
    "Approve",
    "AsyncRunStream",
    "AuditLines",
    "AuditRecord",
    "AuthenticationError",
    "Author",
    "BadRequestError",
    "Bound",
    "Cache",
    "CancelToken",
    "Citation",
    "Compaction",
    "ContentRefusedError",
    "Context",
    "ContextTooLongError",
    "ConversionError",
    "Converted",
    "Deny",
    "Edit",
    "Envelope",
    "ErrorBody",
    "Fallback",
    "Finished",
    "FormatInfo",
    "From",
    "Gate",
    "HostedTool",
    "ItemReference",
    "Json",
    "Limits",
    "Loss",
    "LossError",
    "Media",
    "MemoryLedger",
    "Message",
    "MissingKeyError",
    "MissingSDKError",
    "Model",
    "NotFoundError",
    "Opaque",
    "OutputFormat",
    "OverloadedError",
    "PermissionDeniedError",
    "Progress",
    "Question",
    "RateLimitedError",
    "Reasoning",
    "Refusal",
    "Request",
    "Response",
    "Retries",
    "Rule",
    "Run",
    "RunState",
    "RunStream",
    "SQLiteLedger",
    "SavedStep",
    "ServerError",
    "SettingsChange",
    "Settled",
    "Source",
    "StateError",
    "Step",
    "StreamConverter",
    "StreamText",
    "Text",
    "Tool",
    "ToolCall",
    "ToolChange",
    "ToolChoice",
    "ToolDefinitionError",
    "ToolError",
    "ToolGroup",
    "ToolListing",
    "ToolName",
    "ToolReference",
    "ToolResult",
    "ToolSpec",
    "ToolbridgeError",
    "UnknownFormatError",
    "Untrusted",
    "Usage",
    "VendorConnectionError",
    "VendorError",
    "VendorTimeoutError",
    "WireError",
    "adapt_tools",
    "aresume",
    "aresume_stream",
    "arun",
    "astream",
    "convert",
    "events",
    "formats",
    "from_json",
    "read",
    "resume",
    "resume_stream",
    "run",
    "stream",
    "stream_reader",
    "stream_writer",
    "thaw",
    "to_json",
    "tool",
    "write",
]


def __getattr__(name: str) -> object:
    if name not in LAZY:
        raise AttributeError(f"module 'toolbridge' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(LAZY[name]), name)
    return found
