"""Losses: what a conversion could not carry as it was, as data.

CODES is the one table that says of each code what happened, how severe it is, and whether it
is undone on the way back; the README's table is made from it. A note stands for envelope keys,
ids, names, timestamps, usage and what a response repeats; everything else is a warning.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from toolbridge.values import Value

Effect = Literal["dropped", "approximated", "moved", "invented"]
Severity = Literal["note", "warning"]


class Code(NamedTuple):
    """One kind of loss. `reversible` says why the way back restores it; empty: it does not."""

    effect: Effect
    severity: Severity
    meaning: str
    reversible: str = ""


class Loss(NamedTuple):
    """One loss: `path` is a JSON pointer into the source; for what was invented, to the nearest
    parent that the source has, with the place in the payload in `target_path`."""

    code: str
    path: str
    effect: Effect
    severity: Severity
    detail: str
    target_path: str | None = None

    @property
    def reversible(self) -> bool:
        """Whether the way back restores what was changed."""
        return bool(CODES[self.code].reversible)


ENVELOPE = "the envelope carries it"
MAPPED = "the map of words is undone by whoever reads the results"
RECOGNISED = "a tool with exactly that schema is read as one of free text"

UNCHANGED = "nothing is changed"
RESTORED = "the arguments are brought back"

CODES: dict[str, Code] = {
    # envelope
    "model.envelope": Code("moved", "note", "the model stands outside the body", ENVELOPE),
    "stream.envelope": Code("moved", "note", "the stream flag stands outside the body", ENVELOPE),
    "model.unknown": Code("dropped", "note", "no model is named: pass model=", ENVELOPE),
    # ids, names, bookkeeping
    "id.renamed": Code("approximated", "note", "the id breaks the target's rules", MAPPED),
    "id.invented": Code("invented", "note", "the target needs an id where there is none", MAPPED),
    "id.dropped": Code("dropped", "note", "an id or index of the vendor's own"),
    "name.renamed": Code("approximated", "note", "the name breaks the target's rules", MAPPED),
    "name.namespace": Code("approximated", "note", "the namespace stands in the name", MAPPED),
    "name.dropped": Code("dropped", "note", "a name for which the target has no place"),
    "timestamp.rounded": Code("approximated", "note", "a time in another form, or rounded"),
    "timestamp.dropped": Code("dropped", "note", "a time for which the target has no place"),
    "usage.detail": Code("dropped", "note", "a count for which the target has no place"),
    "response.echo": Code("dropped", "note", "a setting of the request that the response repeats"),
    "item.done": Code("dropped", "note", "that an item is complete goes without saying"),
    "usage.approximated": Code("approximated", "note", "a count that hinges on one dropped"),
    "default.dropped": Code("dropped", "note", "an empty value in an answer"),
    "empty.dropped": Code("dropped", "warning", "an empty value"),
    "default.invented": Code("invented", "note", "the target requires a value"),
    "state.container": Code("dropped", "warning", "a container on the vendor's server"),
    # fields and elements
    "field.unknown": Code("dropped", "warning", "a field that nobody here knows"),
    "field.moved": Code("moved", "warning", "the field stands under another key"),
    "field.moved_to": Code("moved", "warning", "the key that a moved field stands under"),
    "tag.changed": Code("approximated", "warning", "a word that is always another in this format"),
    "field.host_only": Code(
        "approximated", "warning", "carried, though only some hosts of the source take it"
    ),
    "element.opaque": Code("dropped", "warning", "an element that nobody here knows"),
    "element.no_place": Code("dropped", "warning", "the target has no place for this element"),
    "derived.stale": Code("dropped", "warning", "made by the vendor for content since changed"),
    "context.dropped": Code("dropped", "warning", "a change of tools or settings on the way"),
    "item.status": Code("dropped", "warning", "the item is not complete"),
    # settings
    "setting.unsupported": Code("dropped", "warning", "the target has no such setting"),
    "setting.refused": Code("dropped", "warning", "this model or version refuses the setting"),
    "setting.invented": Code("invented", "warning", "this model needs the setting"),
    "setting.approximated": Code("approximated", "warning", "the nearest value of the setting"),
    "output.json_word": Code(
        "approximated", "warning", "the target wants the word JSON in the history", UNCHANGED
    ),
    "error.word": Code("approximated", "note", "the vendor's word for this kind of error"),
    "output.option": Code("dropped", "warning", "an option of the output format"),
    "cache.mark": Code("dropped", "warning", "the target has no cache mark here"),
    "cache.lifetime": Code("approximated", "warning", "the nearest lifetime of a cache mark"),
    # tools and choice
    "tool.option": Code("dropped", "warning", "an option of the tool"),
    "tool.vendor_run": Code("dropped", "warning", "a tool that the vendor knows by its type"),
    "tool.duplicate": Code("dropped", "warning", "a second tool of one name: the first stays"),
    "tool.custom": Code(
        "approximated", "warning", "free text becomes the argument of a function", RECOGNISED
    ),
    "tool.grammar": Code("dropped", "warning", "a grammar for free text"),
    "tool.ungrouped": Code("moved", "warning", "a tool of a group stands by itself"),
    "tool.strict_tried": Code("approximated", "warning", "the server would have tried strict"),
    "schema.invented": Code("invented", "note", "the target needs a schema: one of no parameters"),
    "schema.type_number": Code("approximated", "warning", "a type told by a number of protobuf"),
    "tool.not_strict": Code("dropped", "warning", "the tool cannot be strict here"),
    "tool.stance": Code("dropped", "note", "what a tool says to the app's gate stays with the app"),
    "tool.auto_strict": Code("dropped", "note", "strict would cost meaning here", UNCHANGED),
    "schema.root": Code("approximated", "warning", "the schema's root is not plainly an object"),
    "schema.rewritten": Code("approximated", "warning", "said in another form", RESTORED),
    "schema.renamed": Code(
        "approximated", "note", "the property breaks the target's rules", RESTORED
    ),
    "schema.empty": Code("invented", "warning", "what says nothing, where it is needed"),
    "schema.constraint": Code("approximated", "warning", "a constraint stands in the description"),
    "schema.annotation": Code("dropped", "warning", "a hint, or a keyword that decides nothing"),
    "schema.closed": Code("approximated", "warning", "an object takes no further properties here"),
    "schema.union": Code("approximated", "warning", "more than one form may hold at once"),
    "schema.condition": Code("approximated", "warning", "a condition holds in both ways"),
    "schema.recursion": Code("approximated", "warning", "recursion ends at a depth"),
    "schema.encoded": Code("approximated", "warning", "a value is JSON text here"),
    "schema.null_default": Code("approximated", "warning", "null stands for absence, its default"),
    "schema.required": Code("approximated", "warning", "a required property may be left out"),
    "schema.reference": Code("approximated", "warning", "a reference to nothing: any value"),
    "schema.never": Code("approximated", "warning", "what nothing fits cannot be said"),
    "schema.unreadable": Code("approximated", "warning", "no schema that can be read", UNCHANGED),
    "choice.parallel": Code("dropped", "warning", "parallel calls cannot be switched here"),
    "choice.subset": Code("approximated", "warning", "the choice cannot name a subset of tools"),
    "choice.forced": Code("approximated", "warning", "this model refuses a forced tool choice"),
    "choice.validated": Code("approximated", "warning", "calls cannot be held to their schema"),
    "choice.no_tools": Code("dropped", "warning", "no tools are left to choose from"),
    "choice.vendor_tool": Code("dropped", "warning", "a choice of a tool known by its type"),
    # calls and results
    "call.vendor_run": Code(
        "dropped", "warning", "what a vendor ran itself has no place elsewhere"
    ),
    "call.form": Code("approximated", "warning", "arguments after the adapted schema", RESTORED),
    "call.custom": Code(
        "approximated", "warning", "free text becomes the argument of a call", RECOGNISED
    ),
    "call.kind": Code("approximated", "warning", "a call known by its type becomes a function's"),
    "call.invalid_arguments": Code(
        "approximated",
        "warning",
        "arguments that are no JSON object stand in one",
        "it is read back",
    ),
    "call.option": Code("dropped", "warning", "who called, or how"),
    "result.invented": Code("invented", "warning", "the call has no result: one says so"),
    "result.duplicate": Code(
        "dropped", "warning", "the call has a result already: the first stays"
    ),
    "result.orphan": Code("moved", "warning", "the result has no call: it becomes the user's text"),
    "result.moved": Code("moved", "warning", "a result stands straight after its call"),
    "result.media": Code("moved", "warning", "a medium that a result cannot hold"),
    "result.object_as_text": Code(
        "approximated", "note", "a structured result becomes its JSON text"
    ),
    "result.error_in_text": Code(
        "approximated", "warning", "the first line says that the call failed", "it is read back"
    ),
    "result.emptied": Code("approximated", "warning", "nothing that the target can hold is left"),
    "result.kind": Code(
        "approximated", "warning", "a result known by its type becomes a function's"
    ),
    "result.custom": Code(
        "approximated", "warning", "the result of a call with free text", RECOGNISED
    ),
    "reference.as_text": Code("approximated", "warning", "tools that were found are told by name"),
    "result.option": Code("dropped", "warning", "an option of the result"),
    # messages and parts
    "system.moved": Code("moved", "warning", "system text stands elsewhere"),
    "system.as_user": Code("approximated", "warning", "system text on the way is said by the user"),
    "message.empty": Code("dropped", "warning", "a message with nothing that the target can hold"),
    "message.filled": Code("approximated", "warning", "a first message with nothing left of it"),
    "message.joined": Code("moved", "warning", "two messages become one"),
    "message.none": Code(
        "approximated", "warning", "the target refuses a history of none", UNCHANGED
    ),
    "message.added": Code("invented", "warning", "a message or part that the target needs"),
    "message.phase": Code("dropped", "warning", "whether text is a comment or the answer"),
    "order.changed": Code("moved", "warning", "what moved stands new in this list"),
    "text.blank": Code("dropped", "warning", "text of nothing but white space"),
    "text.trailing_space": Code(
        "approximated",
        "warning",
        "the target refuses white space at the end of the last words",
        UNCHANGED,
    ),
    "text.moved": Code("moved", "warning", "text said after a call stands before it"),
    "text.joined": Code("moved", "warning", "pieces of text become one string"),
    "text.citations": Code("dropped", "warning", "a citation for which the target has no place"),
    "text.logprobs": Code("dropped", "warning", "log probabilities"),
    "refusal.as_text": Code("approximated", "warning", "the refusal is said as text"),
    "refusal.said": Code("moved", "warning", "the place of text, where the refusal is said now"),
    "reasoning.foreign": Code("dropped", "warning", "thoughts are of use to their writer only"),
    "reasoning.echo": Code("dropped", "warning", "a second spelling of thoughts"),
    "reasoning.joined": Code("approximated", "warning", "thoughts in pieces become one text"),
    "signature.foreign": Code("dropped", "warning", "a signature is of use to its writer only"),
    "compaction.as_text": Code("approximated", "warning", "a summary becomes text"),
    "media.as_text": Code("approximated", "warning", "what can be read of a medium stands as text"),
    "media.no_place": Code("dropped", "warning", "the target cannot hold this medium here"),
    "media.host_only": Code(
        "approximated", "warning", "carried, though only some hosts of the source take it"
    ),
    "media.type_guessed": Code(
        "invented", "warning", "the media type is a guess", "the source has no place for it"
    ),
    "media.option": Code("dropped", "warning", "an option of the medium"),
    "media.approximated": Code("approximated", "warning", "the nearest media type"),
    # answers
    "alternative.dropped": Code("dropped", "warning", "the target gives one answer only"),
    "answer.detail": Code("dropped", "warning", "a detail of the answer"),
    "stop.approximated": Code("approximated", "warning", "the nearest stop reason"),
    "stop.detail": Code("invented", "warning", "a detail that the nearest stop reason has"),
    "stop.invented": Code("invented", "warning", "the answer names no stop reason"),
}

DROPPED: dict[str, str] = {
    "ErrorBody": "answer.detail",
    "Request": "setting.unsupported",
    "Request.parallel_tool_calls": "choice.parallel",
    "Request.state": "state.container",
    "Request.tool_servers": "tool.vendor_run",
    "Request.cache": "cache.mark",
    "Response": "answer.detail",
    "Response.id": "id.dropped",
    "Response.system_fingerprint": "id.dropped",
    "Response.created": "timestamp.dropped",
    "Response.completed": "timestamp.dropped",
    "Response.service_tier": "response.echo",
    "Response.metadata": "response.echo",
    "Response.echo": "response.echo",
    "Response.tool_usage": "usage.detail",
    "Alternative": "answer.detail",
    "Alternative.index": "id.dropped",
    "Usage": "usage.detail",
    "Message": "field.unknown",
    "Message.name": "name.dropped",
    "Message.phase": "message.phase",
    "Message.effort": "setting.unsupported",
    "Message.citations": "text.citations",
    "Message.item_id": "id.dropped",
    "Text.citations": "text.citations",
    "Text.logprobs": "text.logprobs",
    "Citation": "text.citations",
    "Media": "media.option",
    "Source": "media.option",
    "Reasoning": "reasoning.foreign",
    "ToolCall": "call.option",
    "ToolCall.namespace": "name.namespace",
    "ToolResult": "result.option",
    "ToolResult.namespace": "name.namespace",
    "ToolResult.name": "name.dropped",
    "ToolSpec": "tool.option",
    "ToolSpec.namespace": "name.namespace",
    "ToolSpec.grammar": "tool.grammar",
    "ToolSpec.effect": "tool.stance",
    "ToolSpec.idempotent": "tool.stance",
    "ToolSpec.untrusted_output": "tool.stance",
    "ToolSpec.sends_out": "tool.stance",
    "ToolGroup": "tool.option",
    "ToolChoice": "choice.validated",
    "ToolName": "name.namespace",
    "OutputFormat": "output.option",
    "OutputFormat.name": "name.dropped",
    "Cache": "cache.mark",
    "Compaction": "context.dropped",
}
"""The code for a field that the target has no row for: by class and field, else by class."""

EVERYWHERE = {
    "signature": "signature.foreign",
    "encrypted": "signature.foreign",
    "cache": "cache.mark",
    "item_id": "id.dropped",
}

APPROXIMATED = {
    "Cache": "cache.lifetime",
    "Source": "media.approximated",
    "ToolChoice": "choice.validated",
}


def is_invented(code: str) -> bool:
    """Whether a loss is about what the source does not say at all."""
    return CODES[code].effect == "invented"


def is_new(code: str) -> bool:
    """Whether a loss is about what stands where the source has nothing."""
    return is_invented(code) or code in ("field.moved_to", "refusal.said")


def dropped_code(item: Value, field: str) -> str:
    """The code for the loss of a field."""
    name = type(item).__name__
    if field == "item_status":
        return "item.done" if item.item_status == "completed" else "item.status"  # type: ignore[attr-defined]
    code = DROPPED.get(f"{name}.{field}") or EVERYWHERE.get(field) or DROPPED.get(name)
    return code or "field.unknown"


def approximated_code(item: Value, field: str) -> str:
    """The code for a field of which the target gets the nearest that it has."""
    if field == "created":
        return "timestamp.rounded"
    return APPROXIMATED.get(type(item).__name__, "setting.approximated")


def unknown_code(item: Value) -> str:
    """The code for unknown keys: what counts tokens is a count."""
    return "usage.detail" if type(item).__name__ == "Usage" else "field.unknown"
