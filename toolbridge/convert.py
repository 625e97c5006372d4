"""The three functions of the converter: convert, read, write.

They are pure: no network, no clock, no vendor SDK, and the payload given stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from toolbridge.adapter import KINDS, Adapter
from toolbridge.app_terms import restored
from toolbridge.codec import Mismatch
from toolbridge.conversion import Places, Reading, Writing
from toolbridge.error_kinds import categorised, is_error
from toolbridge.errors import LossError, UnknownFormatError, WireError, vendor_error
from toolbridge.locate import ModelLocator, WireLocator
from toolbridge.loss import Loss
from toolbridge.lower import lower_error, lower_request, lower_response
from toolbridge.offered import Offered
from toolbridge.parts import Opaque
from toolbridge.payload import check_payload, check_type
from toolbridge.registry import adapter_named, find
from toolbridge.report import Report
from toolbridge.request import Request
from toolbridge.response import ErrorBody, Response
from toolbridge.rules import Rule, resolve
from toolbridge.shape import Shape
from toolbridge.tools import HostedTool, ToolGroup, ToolSpec
from toolbridge.values import JSON, Value, freeze, make

if TYPE_CHECKING:
    from toolbridge.adapted_tools import AdaptedTools

V = TypeVar("V", bound=Value)
OnLoss = Literal["collect", "raise"]


class Envelope(NamedTuple):
    """What the target carries outside the body: the model and stream flag where they stand in
    the URL, the path of the URL, the API version and the beta headers that keys of the body
    need. None where the target has none."""

    model: str | None = None
    stream: bool | None = None
    path: str | None = None
    version: str | None = None
    betas: tuple[str, ...] = ()


class Converted(NamedTuple):
    """A payload in the target's format, what was lost on the way, and the envelope."""

    payload: JSON
    losses: tuple[Loss, ...]
    envelope: Envelope


def convert(
    payload: JSON,
    *,
    source: str,
    target: str,
    kind: str = "request",
    model: str | None = None,
    stream: bool | None = None,
    on_loss: OnLoss = "collect",
    ignore: Iterable[str] = (),
    rules: tuple[Rule, ...] = (),
    status: int | None = None,
) -> Converted:
    """Convert a payload from one format to another.

    `source` and `target` are formats, with a profile after a colon; `kind` is `request`,
    `response`, `stream` (a list of data objects), `tools` or `error`, with its HTTP `status`.
    `model` replaces the source's, `stream` the stream flag; `rules` join the target's. Losses
    point into `payload`, those of a stream into `to_json` of the Response that it folds to;
    under on_loss="raise" warnings raise, unless `ignore` names them.

    Raises WireError if the payload is not readable, ConversionError if the target has no valid
    payload for it, LossError, and UnknownFormatError for a format or kind that there is not.
    """
    if kind == "stream":
        made: Converted = streams().convert_stream(payload, source, target, on_loss, ignore)
        return made
    reader, source_profile = find(source)
    writer, target_profile = find(target)
    check(payload, kind)
    reading = Reading(reader.name, source_profile, Places())
    value = read_value(reader, payload, kind, reading)
    report = Report(lambda: WireLocator(reader.shapes, reading.places or Places()), shape_of)
    native = reader is writer and source_profile == target_profile
    if kind == "error" and not native:
        value = report.derive(categorised(value, status), value)
    value = with_settings(value, report, model, stream)
    writing = open_writing(writer, target_profile, report, native, model, value, rules)
    writing.fresh = True
    return finish(write_value(value, writing, kind), writing, kind, on_loss, ignore)


def streams() -> Any:
    """The module for whole streams, loaded with the first one."""
    from toolbridge.streams import whole

    return whole


def read(
    payload: JSON, format: str, kind: str = "request", *, tools: AdaptedTools | None = None
) -> Any:
    """Read a payload into the canonical model.

    Gives a Request, a Response, a tuple of tools or an ErrorBody, by `kind`; for `stream`, a
    list of data objects, the Response that they fold to. The calls of an answer are in terms of
    `tools`, if what `adapt_tools` gave is passed. The value is independent of the payload.
    Raises WireError if the payload is not readable, and VendorError for an error body in place
    of a response.
    """
    if tools is not None:
        return restored(read(payload, format, kind), tools.offered)
    if kind == "stream":
        return streams().read_stream(payload, format)
    adapter, profile = find(format)
    check(payload, kind)
    value = read_value(adapter, freeze(payload), kind, Reading(adapter.name, profile))
    return value.tools or () if kind == "tools" else value


def write(
    value: Any,
    format: str,
    *,
    model: str | None = None,
    stream: bool | None = None,
    on_loss: OnLoss = "collect",
    ignore: Iterable[str] = (),
    rules: tuple[Rule, ...] = (),
    kind: str | None = None,
) -> Converted:
    """Write a canonical value (or a list of tools) in a format; a Response with kind="stream" as
    the list of data objects that a server would have streamed.

    A value that was read in the same format comes out as it was. Losses point into `to_json`
    of the value. Raises as `convert` does.
    """
    made = write_offered(
        value, format, model=model, stream=stream, on_loss=on_loss, ignore=ignore, rules=rules
    )[0]
    if kind != "stream":
        return made
    from toolbridge.streams.convert import unfold

    return made._replace(payload=unfold(made.payload, format))


def write_offered(
    value: Any,
    format: str,
    *,
    model: str | None = None,
    stream: bool | None = None,
    on_loss: OnLoss = "collect",
    ignore: Iterable[str] = (),
    rules: tuple[Rule, ...] = (),
) -> tuple[Converted, Offered]:
    """What `write` gives, and the tools as they are written, for the answer that calls them."""
    adapter, profile = find(format)
    kind, value = kind_of(value)
    report = Report(lambda: ModelLocator(value), shape_of)
    native = is_native(value, adapter.name, profile, kind)
    value = with_settings(value, report, model, stream)
    writing = open_writing(adapter, profile, report, native, model, value, rules)
    payload = write_value(value, writing, kind)
    return finish(payload, writing, kind, on_loss, ignore), writing.offered


def is_native(value: Any, format: str, profile: str | None, kind: str) -> bool:
    """Whether a value was read in a format and profile; tools have no profile."""
    if kind == "tools":
        return all(
            getattr(tool, "format", None) == format
            or (tool.spelling is not None and tool.spelling.format == format)
            for tool in value.tools
        )
    came = None if value.spelling is None else value.spelling.format
    return came == format and getattr(value, "profile", None) == profile


def shape_of(item: Value) -> Shape | None:
    """The shape that read a value."""
    if item.spelling is None:
        return None
    adapter = adapter_named(item.spelling.format)
    return None if adapter is None else adapter.shapes.get(item.spelling.kind)


def check(payload: JSON, kind: str) -> None:
    """Raise unless the payload is JSON of the outer type of a kind that there is."""
    if kind not in KINDS:
        raise UnknownFormatError(f"no kind {kind!r}; there are {', '.join(KINDS)}")
    check_type(payload, kind)
    check_payload(payload)


def read_value(adapter: Adapter, payload: JSON, kind: str, reading: Reading) -> Any:
    """The canonical value of a payload; a list of tools as a request of nothing else."""
    if kind == "response" and is_error(payload):
        raise vendor_error(categorised(adapter.reads["error"](payload, reading), None))
    if kind != "response" or reading.profile in adapter.versions:
        reading.host = None
    whole, reads = (payload, kind) if kind != "tools" else ({"tools": payload}, "request")
    try:
        value = reading.placed(adapter.reads[reads](whole, reading))
    except Mismatch as mismatch:
        raise wire_error(adapter, mismatch, kind) from None
    if kind == "error":
        return reading.moved(categorised(value, None), value)
    if kind == "tools" or reading.profile is None:
        return value
    return reading.moved(make(type(value), {**vars(value), "profile": reading.profile}), value)


def read_error(adapter: Adapter, payload: JSON, status: int | None = None) -> ErrorBody:
    """The error of a body that came with a status of HTTP, or of text in place of a body."""
    return categorised(adapter.reads["error"](payload, Reading(adapter.name)), status)


def wire_error(adapter: Adapter, mismatch: Mismatch, kind: str) -> WireError:
    """The error for a payload that is wrong in a place where nothing around it can be kept."""
    path = f"/{mismatch.key}" if mismatch.key else ""
    found = type(mismatch.found).__name__
    return WireError(path, mismatch.expected, found, f"Pass a {kind} of {adapter.name}")


TOOLS = (ToolSpec, ToolGroup, HostedTool, Opaque)


def kind_of(value: Any) -> tuple[str, Any]:
    """The kind of a canonical value, and the value itself; tools become a request of tools."""
    if isinstance(value, Request):
        return "request", value
    if isinstance(value, Response):
        return "response", value
    if isinstance(value, ErrorBody):
        return "error", value
    if isinstance(value, (list, tuple)) and all(isinstance(tool, TOOLS) for tool in value):
        return "tools", make(Request, {"tools": tuple(value)})
    raise TypeError(
        f"cannot write {type(value).__name__}: pass a Request, a Response, an ErrorBody or a list "
        "of tools"
    )


def with_settings(value: V, report: Report, model: str | None, stream: bool | None) -> V:
    """The value with the model and stream flag that the caller wants."""
    changes = {"model": model, "stream": stream if isinstance(value, Request) else None}
    changes = {name: wanted for name, wanted in changes.items() if wanted is not None}
    if not changes or isinstance(value, ErrorBody):
        return value
    return report.derive(make(type(value), {**vars(value), **changes}), value)


def open_writing(
    adapter: Adapter,
    profile: str | None,
    report: Report,
    native: bool,
    model: str | None,
    value: Any,
    rules: tuple[Rule, ...],
) -> Writing:
    """The writing of a value: the rules are those of the target's profile and model."""
    reader_model = model or getattr(value, "model", None)
    rows = (*adapter.rules, *rules) if rules else adapter.rules
    resolved = resolve(rows, profile, reader_model)
    return Writing(
        adapter,
        profile,
        resolved,
        report,
        native=native,
        model=reader_model,
        adapter_of=adapter_named,
    )


def write_value(value: Any, writing: Writing, kind: str) -> JSON:
    """The payload of a value; for another format it is lowered first."""
    writing.kind = writing.report.kind = kind
    if not writing.native and isinstance(value, Request):
        value = lower_request(value, writing)
    elif not writing.native and isinstance(value, Response):
        value = lower_response(value, writing)
    elif not writing.native and isinstance(value, ErrorBody):
        value = lower_error(value, writing)
    body = writing.target.writes["request" if kind == "tools" else kind](value, writing)
    if kind == "tools":
        return body.get("tools", []) if isinstance(body, dict) else []
    if kind == "request" and not writing.native and writing.model is None:
        writing.report.add("model.unknown", value, target_path="/model")
    return body


def finish(
    payload: JSON, writing: Writing, kind: str, on_loss: OnLoss, ignore: Iterable[str]
) -> Converted:
    """The result, or LossError where the caller wants no loss of meaning."""
    if on_loss not in ("collect", "raise"):
        raise ValueError(f"on_loss is 'collect' or 'raise', not {on_loss!r}")
    losses = writing.report.losses(payload)
    if kind == "tools":
        losses = tuple(each for loss in losses for each in in_list(loss))
    if on_loss == "raise":
        ignored = frozenset([ignore] if isinstance(ignore, str) else ignore)
        grave = [each for each in losses if each.severity == "warning" and each.code not in ignored]
        if grave:
            raise LossError(tuple(grave))
    return Converted(payload, losses, envelope(payload, writing, kind))


def in_list(loss: Loss) -> list[Loss]:
    """A loss in a request of tools as one in the list of them; what is none of a tool goes."""
    for whole, part in (("/value/tools", "/value"), ("/tools", "")):
        if loss.path == whole or loss.path.startswith(f"{whole}/"):
            return [loss._replace(path=part + loss.path.removeprefix(whole))]
    return []


def envelope(payload: JSON, writing: Writing, kind: str) -> Envelope:
    """What the target carries outside the body of a request."""
    if kind != "request":
        return Envelope(**writing.envelope)
    target, profile = writing.target, writing.profile or ""
    stream = writing.envelope.get("stream", payload.get("stream"))
    paths = target.paths.get(profile, target.paths.get("", ("", "")))
    path = paths[bool(stream)]
    model = writing.envelope.get("model", payload.get("model"))
    return Envelope(
        model=writing.envelope.get("model"),
        stream=writing.envelope.get("stream"),
        path=None if not path or ("{model}" in path and not model) else path.format(model=model),
        version=target.versions.get(profile, target.versions.get("")),
        betas=tuple(sorted({beta for key, beta in target.betas.items() if key in payload})),
    )
