"""Law 2, what must be carried wherever the target has a place, and the codes that are excused.

The kinds are those of the adapters' own tables (`toolbridge formats`). For each source format
and kind patterns name the leaves that are of it (see `pointers`); Gemini's are in camelCase.
Settings are those of a request: a response only repeats them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import toolbridge as tb
from toolbridge.registry import adapter_named

from .pointers import Json, Patterns, camel_path, path_of, under, value_at
from .spelling import Kind, Spelled, base_format
from .tree import Node

KINDS = (
    "text",
    "tools",
    "calls",
    "results",
    "tool choice",
    "system text",
    "images",
    "documents",
    "error flag",
    "output schema",
    "output limit",
    "effort",
    "stop sequences",
    "cache marks",
)
MEDIA = ("images", "documents")
"""A place does not tell the two apart: what stands there must be carried if both have a place."""

_ANTHROPIC_CONTENT = {
    "text": ("/messages/*/content", "/messages/*/content/*/text", "/content/*/text"),
    "calls": ("content/*/id", "content/*/name", "content/*/input/**"),
    "results": ("content/*/tool_use_id", "content/*/content", "content/*/content/*/text"),
    "error flag": ("content/*/is_error",),
    "media": ("content/*/source/data", "content/*/source/url"),
}
_ANTHROPIC_SETTINGS = {
    "tools": ("tools/*/name", "tools/*/description", "tools/*/input_schema/**"),
    "tool choice": ("/tool_choice/type", "/tool_choice/name"),
    "system text": ("/system", "/system/*/text"),
    "output schema": ("/output_config/format/schema/**",),
    "output limit": ("/max_tokens",),
    "effort": ("/output_config/effort",),
    "stop sequences": ("/stop_sequences/*",),
    "cache marks": ("cache_control/**",),
}
_CHAT_CONTENT = {
    "text": ("/messages/*/content", "/messages/*/content/*/text", "message/content"),
    "calls": ("tool_calls/*/id", "tool_calls/*/function/name", "tool_calls/*/function/arguments"),
    "results": ("/messages/*/tool_call_id",),
    "media": ("content/*/image_url/url", "content/*/file/file_data"),
}
_CHAT_SETTINGS = {
    "tools": (
        "tools/*/function/name",
        "tools/*/function/description",
        "tools/*/function/parameters/**",
        "tools/*/custom/name",
        "tools/*/custom/description",
        "/functions/*/name",
        "/functions/*/description",
        "/functions/*/parameters/**",
    ),
    "tool choice": ("/tool_choice", "/tool_choice/**", "/function_call/**"),
    "output schema": ("/response_format/json_schema/schema/**",),
    "output limit": ("/max_tokens", "/max_completion_tokens"),
    "effort": ("/reasoning_effort", "/reasoning/effort"),
    "stop sequences": ("/stop", "/stop/*"),
    "cache marks": ("prompt_cache_breakpoint/**", "cache_control/**"),
}
_RESPONSES_CONTENT = {
    "text": ("content", "content/*/text", "/input"),
    "calls": ("call_id", "input/*/name", "output/*/name", "arguments", "input/*/input"),
    "results": ("/input/*/output", "/input/*/output/*/text"),
    "media": ("image_url", "file_data", "file_url"),
}
_RESPONSES_SETTINGS = {
    "tools": ("tools/*/name", "tools/*/description", "tools/*/parameters/**"),
    "tool choice": ("/tool_choice", "/tool_choice/**"),
    "system text": ("/instructions",),
    "output schema": ("/text/format/schema/**",),
    "output limit": ("/max_output_tokens",),
    "effort": ("/reasoning/effort",),
    "cache marks": ("prompt_cache_breakpoint/**",),
}
_GEMINI_CONTENT = {
    "text": ("content/parts/*/text", "contents/*/parts/*/text"),
    "calls": ("functionCall/id", "functionCall/name", "functionCall/args/**"),
    "results": ("functionResponse/id", "functionResponse/name", "functionResponse/response/**"),
    "media": ("inlineData/data", "fileData/fileUri"),
}
_GEMINI_SETTINGS = {
    "tools": (
        "functionDeclarations/*/name",
        "functionDeclarations/*/description",
        "functionDeclarations/*/parameters/**",
        "functionDeclarations/*/parametersJsonSchema/**",
    ),
    "tool choice": ("/toolConfig/functionCallingConfig/**",),
    "system text": ("/systemInstruction/parts/*/text",),
    "output schema": (
        "/generationConfig/responseSchema/**",
        "/generationConfig/responseJsonSchema/**",
    ),
    "output limit": ("/generationConfig/maxOutputTokens",),
    "effort": ("/generationConfig/thinkingConfig/thinkingLevel",),
    "stop sequences": ("/generationConfig/stopSequences/*",),
}


def _patterns(*tables: Mapping[str, tuple[str, ...]]) -> dict[str, Patterns]:
    return {kind: Patterns(rows) for table in tables for kind, rows in table.items()}


LEAVES: dict[tuple[str, Kind], dict[str, Patterns]] = {
    ("anthropic", "request"): _patterns(_ANTHROPIC_CONTENT, _ANTHROPIC_SETTINGS),
    ("anthropic", "response"): _patterns(_ANTHROPIC_CONTENT),
    ("openai-chat", "request"): _patterns(_CHAT_CONTENT, _CHAT_SETTINGS),
    ("openai-chat", "response"): _patterns(_CHAT_CONTENT),
    ("openai-responses", "request"): _patterns(_RESPONSES_CONTENT, _RESPONSES_SETTINGS),
    ("openai-responses", "response"): _patterns(_RESPONSES_CONTENT),
    ("gemini", "request"): _patterns(_GEMINI_CONTENT, _GEMINI_SETTINGS),
    ("gemini", "response"): _patterns(_GEMINI_CONTENT),
}

EXCUSED = {
    "model.unknown": "says that no model is named, and stands at the root",
    "call.vendor_run": "what a vendor ran itself has no place elsewhere",
    "tool.vendor_run": "a tool that the vendor knows by its type has no place elsewhere",
    "context.dropped": "a change of tools or settings on the way is its own format's",
    "element.opaque": "nobody here knows what the element is",
    "reasoning.foreign": "thoughts are of use to their writer only",
    "text.blank": "the target refuses blank text",
    "response.echo": "a response repeats what the request said",
    "choice.no_tools": "no tools are left to choose from",
    "choice.vendor_tool": "the tool that is chosen is one that the vendor knows by its type",
    "alternative.dropped": "the target gives one answer only",
    "setting.refused": "this model or version refuses the setting",
    "result.duplicate": "the call has a result already: the first stays",
}
"""Codes under which even what has a place may be dropped, each with the reason."""

EMPTY = "message.empty"
"""Stands where nothing of a message is left: excused where another loss says why, or where the
message says nothing."""

EFFORTS = frozenset({"none", "minimal", "low", "medium", "high", "xhigh", "max"})
STORES = ("gs://", "https://generativelanguage.googleapis.com/")
PLAYED = ("audio/", "video/", "data:audio/", "data:video/")


@dataclass(frozen=True, slots=True)
class Broken:
    """A leaf that the target has a place for, and the loss that says it was dropped."""

    kind: str
    pointer: str
    loss: tb.Loss

    def __str__(self) -> str:
        return f"{self.kind} at {self.pointer}: {self.loss.code} at {self.loss.path!r}"


def carried(format: str) -> frozenset[str]:
    """The kinds that the table of a target marks as carried without restriction."""
    adapter = adapter_named(base_format(format))
    assert adapter is not None
    marked = {kind for kind, place in adapter.places.items() if place.carried is True}
    return frozenset(marked | ({"media"} if marked.issuperset(MEDIA) else set()))


def wrongly_dropped(
    source: Spelled, target: str, lost: Iterable[Node], losses: Sequence[tb.Loss]
) -> Iterator[Broken]:
    """The leaves that did not come back, are dropped by a loss, and have a place in the target."""
    wanted = carried(target)
    dropped = [loss for loss in losses if loss.effect == "dropped"]
    for pointer in (place for leaf in lost for place in leaf.pointers) if dropped else ():
        covering = [loss for loss in dropped if under(pointer, loss.path)]
        graver = [loss for loss in covering if not _is_excused(loss, covering, pointer, source)]
        for kind in _kinds(source, pointer) if graver else ():
            if kind in wanted:
                yield Broken(kind, pointer, graver[0])


def _is_excused(loss: tb.Loss, covering: list[tb.Loss], pointer: str, source: Spelled) -> bool:
    if loss.code != EMPTY:
        return loss.code in EXCUSED
    value = value_at(source.body, pointer)
    blank = isinstance(value, str) and not value.strip()
    return blank or any(other.code != EMPTY and under(other.path, loss.path) for other in covering)


def _kinds(source: Spelled, pointer: str) -> Iterator[str]:
    """What a leaf of a source is, of all that must be carried."""
    format = base_format(source.format)
    path = camel_path(path_of(pointer)) if format == "gemini" else path_of(pointer)
    for kind, patterns in LEAVES[format, source.kind].items():
        if patterns.match(path) and _is_plain(kind, source.body, pointer):
            yield kind


def _is_plain(kind: str, body: Json, pointer: str) -> bool:
    """Whether a leaf is what its place says: not a word of one host's, nor bytes that are played
    or lie in a vendor's store, nor the description of a group of tools."""
    value, holder = value_at(body, pointer), value_at(body, pointer.rpartition("/")[0])
    beside = list(holder.values()) if isinstance(holder, dict) else []
    if kind == "effort":
        return value in EFFORTS
    if kind == "tools":
        return "namespace" not in beside
    if kind == "media":
        words = [word for word in (value, *beside) if isinstance(word, str)]
        return not any(word.startswith((*STORES, *PLAYED)) for word in words)
    return True
