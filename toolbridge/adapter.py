"""What an adapter is: one format's tables and its functions between wire and model.

Adapters import the model (values, parts, tools, request, response), the engine (codec, shape)
and this module; never each other, never what stands above (lower, convert, cli).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from toolbridge.conversion import Reading, Writing
from toolbridge.rules import Rule
from toolbridge.schemas.dialect import Rows
from toolbridge.shape import Shape
from toolbridge.values import JSON

KINDS = ("request", "response", "tools", "error")
"""The kinds of payload that convert, read and write take."""

Reader = Callable[[JSON, Reading], Any]
Writer = Callable[[Any, Writing], JSON]


class Place(NamedTuple):
    """Whether a format has a place for something that must be carried, and who says so.

    `carried` is True, False, or `part` where only some forms of it have a place.
    """

    carried: bool | str
    source: str


class ErrorWord(NamedTuple):
    """What a vendor calls a kind of error: its type, the status of HTTP, and a code if any."""

    type: str
    status: int
    code: str | None = None


class Server(NamedTuple):
    """A server that speaks a format: None for a URL leaves it to the SDK."""

    base_url: str | None
    key_variables: tuple[str, ...]
    keys_at: str


class Vendor(NamedTuple):
    """How a format is reached: the module of its Transport, the SDK that this imports, the
    package and the extra that install it, and the servers by profile (`""` for the vendor's
    own)."""

    transport: str
    sdk: str
    package: str
    extra: str
    servers: Mapping[str, Server]


@dataclasses.dataclass(frozen=True)
class Adapter:
    """One wire format.

    `reads` and `writes` hold a function for each kind. `profiles` maps each profile to one
    line about it. `shapes` are all shapes by kind of object, `rules` the dated rows of what
    the vendor, its models and compatible servers accept, `places` what the format can carry.
    `schemas` are the dated rows of which JSON Schema a tool may have.
    `merges_turns`: consecutive messages of one role are one turn to the server.
    `names_results`: each result carries the name of its call. `strict_absent`: what a tool
    without `strict` means, `off`, or that the server will `try`. `system_field`: leading system
    text has a field of its own, made of `parts` or of one `text`, or `none`. `outside_body`:
    settings that the vendor takes elsewhere, in the URL. `default_choices`: modes of tool choice
    that say no more than their absence, where there are tools (True) or none (False).

    `paths` and `versions` say by profile (`""` for none) which path of the URL a request goes to,
    whole and as a stream, and which version its header names; `betas` which beta header a key
    of the body needs, sent under the name `version_header` or `beta_header`. `error_words`
    are the vendor's word and status for each category of an error. `service` is how the vendor
    is reached, None for a format that is only converted. `streams` is the package with the
    modules `stream_reader` and `stream_writer`; `names_events`: its server-sent events have their
    type as a name, `done_marker`: `[DONE]` comes after the last.
    """

    name: str
    vendor: str
    reads: Mapping[str, Reader]
    writes: Mapping[str, Writer]
    shapes: Mapping[str, Shape]
    rules: tuple[Rule, ...]
    places: Mapping[str, Place]
    profiles: Mapping[str, str] = dataclasses.field(default_factory=dict)
    merges_turns: bool = False
    names_results: bool = False
    strict_absent: Literal["off", "try"] = "off"
    system_field: Literal["parts", "text", "none"] = "none"
    answer_reasoning: bool = False
    outside_body: frozenset[str] = frozenset()
    paths: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    versions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    betas: Mapping[str, str] = dataclasses.field(default_factory=dict)
    version_header: str = ""
    beta_header: str = ""
    default_choices: frozenset[tuple[str, bool]] = frozenset()
    error_words: Mapping[str, ErrorWord] = dataclasses.field(default_factory=dict)
    streams: str | None = None
    schemas: Rows = ()
    names_events: bool = False
    done_marker: bool = False
    service: Vendor | None = None


def by_kind(shapes: Iterable[Shape]) -> dict[str, Shape]:
    """The shapes of a format by kind; a kind names one shape only."""
    table: dict[str, Shape] = {}
    for shape in shapes:
        if table.setdefault(shape.kind, shape) is not shape:
            raise ValueError(f"two shapes of {shape.format} have the kind {shape.kind!r}")
    return table
