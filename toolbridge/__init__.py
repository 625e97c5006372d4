"""toolbridge: one canonical model of tool calling, and adapters to each vendor's wire format.

    import toolbridge as tb

    converted = tb.convert(body, source="openai-chat", target="anthropic")
    converted.payload, converted.losses

`convert`, `read` and `write` are pure; no vendor SDK is needed for them.
"""

from toolbridge.convert import Converted, Envelope, convert, read, write
from toolbridge.errors import (
    ConversionError,
    LossError,
    ToolbridgeError,
    UnknownFormatError,
    VendorError,
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
    from toolbridge.storage import from_json, to_json

LAZY = {"to_json": "toolbridge.storage", "from_json": "toolbridge.storage"}
"""Names whose modules are loaded when they are first used."""

__version__ = "0.1.0"
__all__ = [
    "Alternative",
    "Author",
    "Bound",
    "Cache",
    "Citation",
    "Compaction",
    "ConversionError",
    "Converted",
    "Envelope",
    "ErrorBody",
    "Fallback",
    "FormatInfo",
    "HostedTool",
    "ItemReference",
    "Json",
    "Loss",
    "LossError",
    "Media",
    "Message",
    "Opaque",
    "OutputFormat",
    "Reasoning",
    "Refusal",
    "Request",
    "Response",
    "Rule",
    "SettingsChange",
    "Source",
    "Text",
    "ToolCall",
    "ToolChange",
    "ToolChoice",
    "ToolGroup",
    "ToolListing",
    "ToolName",
    "ToolReference",
    "ToolResult",
    "ToolSpec",
    "ToolbridgeError",
    "UnknownFormatError",
    "Usage",
    "VendorError",
    "WireError",
    "convert",
    "formats",
    "from_json",
    "read",
    "thaw",
    "to_json",
    "write",
]


def __getattr__(name: str) -> object:
    if name not in LAZY:
        raise AttributeError(f"module 'toolbridge' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(LAZY[name]), name)
    return found
