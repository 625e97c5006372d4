"""What each format carries, as tables made from the adapters' own: for `toolbridge formats`, the
README and the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolbridge.adapter import Adapter
from toolbridge.loss import CODES
from toolbridge.parameters import PARAMETERS
from toolbridge.registry import adapter_named, formats
from toolbridge.schemas.dialect import Dialect, Limit, resolve_dialect
from toolbridge.settings import HostOnly, Own, Range, Words
from toolbridge.shape import Shape

Table = list[list[str]]
"""Rows of cells; the first row is the heading."""

CARRIED = {True: "yes", False: "no", "part": "part"}


def adapters() -> list[Adapter]:
    """The adapters of all formats."""
    return [adapter for info in formats() if (adapter := adapter_named(info.name)) is not None]


def places() -> Table:
    """What must be carried, and whether each format has a place for it."""
    found = adapters()
    names = list(dict.fromkeys(name for adapter in found for name in adapter.places))
    rows = [[name, *(CARRIED[adapter.places[name].carried] for adapter in found)] for name in names]
    return [["carries", *(adapter.name for adapter in found)], *rows]


def sources() -> Table:
    """Who says whether a format has a place."""
    return [
        ["format", "carries", "", "source"],
        *(
            [adapter.name, name, CARRIED[place.carried], place.source]
            for adapter in adapters()
            for name, place in adapter.places.items()
        ),
    ]


def profiles() -> Table:
    """The profiles of each format."""
    return [
        ["profile", "is"],
        *(
            [f"{adapter.name}:{profile}", line]
            for adapter in adapters()
            for profile, line in adapter.profiles.items()
        ),
    ]


def servers() -> Table:
    """How each format and profile is reached; none where the app names the server."""
    rows = [
        [
            f"{adapter.name}:{profile}" if profile else adapter.name,
            server.base_url or "the SDK's own",
            " or ".join(server.key_variables) or "found by the SDK",
            server.keys_at,
            f"toolbridge[{adapter.service.extra}]",
        ]
        for adapter in adapters()
        if adapter.service is not None
        for profile, server in adapter.service.servers.items()
    ]
    return [["format", "server", "key", "keys are made at", "install"], *rows]


def settings() -> Table:
    """Each setting of a request, and the key that it has in each format."""
    found = adapters()
    rows = [
        [name, meaning, *(key_of(adapter.shapes["request"], name) for adapter in found)]
        for name, meaning in PARAMETERS.items()
    ]
    return [["setting", "means", *(adapter.name for adapter in found)], *rows]


def key_of(shape: Shape, name: str) -> str:
    """The key of a setting, with its range, words and default; empty where there is none."""
    if name in shape.bags:
        return "(vendor's keys)"
    place = shape.places.get(name)
    row = shape.writers.get(name)
    if row is None:
        return ".".join(place) if place else ""
    told = [".".join(row.path), *transform_of(row.codec)]
    if name in shape.defaults:
        told.append(f"default {shape.defaults[name]!r}")
    return "; ".join(told)


def transform_of(codec: Any) -> list[str]:
    """What happens to a value that comes from another format."""
    if isinstance(codec, Range):
        return [f"{codec.low} to {codec.high}"]
    if isinstance(codec, Words):
        renamed = {our: word for our, word in codec.ours.items() if our != word}
        return [", ".join(f"{our} as {word}" for our, word in renamed.items())] if renamed else []
    if isinstance(codec, (Own, HostOnly)):
        return ["of its own only"]
    return []


def losses() -> Table:
    """Every code of a loss."""
    return [
        ["code", "effect", "severity", "meaning", "reversible because"],
        *([name, *code] for name, code in CODES.items()),
    ]


def as_text(table: Table) -> str:
    """A table with aligned columns."""
    widths = [max(len(row[index]) for row in table) for index in range(len(table[0]))]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    )
    return "\n".join(lines)


def as_markdown(table: Table) -> str:
    """A table as Markdown has it."""
    head, *rows = [[cell.replace("|", "\\|") for cell in row] for row in table]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_json(table: Table) -> list[Mapping[str, str]]:
    """A table as objects."""
    head, *rows = table
    return [dict(zip(head, row, strict=True)) for row in rows]


def as_blocks(table: Table) -> str:
    """A table with a block for each row: name and meaning, then a line for each format."""
    (_, _, *names), *rows = table
    width = max(map(len, names))
    lines = []
    for name, meaning, *cells in rows:
        lines.append(f"{name}: {meaning}")
        lines += [
            f"    {each.ljust(width)}  {cell or '-'}"
            for each, cell in zip(names, cells, strict=True)
        ]
    return "\n".join(lines)


COLUMNS = (
    ("anthropic", False),
    ("anthropic", True),
    ("openai-chat", False),
    ("openai-chat", True),
    ("gemini", False),
    ("gemini:parameters", False),
)
"""The targets whose schemas differ: a format, and whether tools are strict. Responses is as Chat
is."""


def dialects() -> list[tuple[str, Dialect]]:
    """The dialect of each target, with its name."""
    found = []
    for target, strict in COLUMNS:
        name, _, profile = target.partition(":")
        adapter = adapter_named(name)
        if adapter is not None:
            made = resolve_dialect(adapter.schemas, strict, profile or None, None)
            found.append((f"{target} strict" if strict else target, made))
    return found


def schema_keywords() -> Table:
    """What each target does with each keyword of a tool's schema."""
    known = dialects()
    words = sorted({word for _, dialect in known for word in dialect.statuses})
    rows = [
        [f"`{word}`", *(dialect.statuses.get(word, dialect.others) for _, dialect in known)]
        for word in words
    ]
    rest = ["others", *(dialect.others for _, dialect in known)]
    return [["keyword", *(name for name, _ in known)], *rows, rest]


def schema_rows() -> Table:
    """Every row of the tables of schemas, with its source and date."""
    table = [["format", "for", "what", "is", "source", "date"]]
    for adapter in adapters():
        for row in adapter.schemas:
            kind = {None: "all tools", True: "strict tools", False: "other tools"}[row.strict]
            where = "".join(f", {each}" for each in (row.profile, row.model) if each != "*")
            if isinstance(row, Limit):
                what, value = row.name, told_limit(row.value)
            else:
                what, value = ", ".join(row.words), row.status
            table.append([adapter.name, kind + where, what, value, row.source, row.date])
    return table


def told_limit(value: Any) -> str:
    """A limit in a few words."""
    if isinstance(value, frozenset):
        return ", ".join(sorted(value))
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {told_limit(each)}" for key, each in value.items())
    return str(value).lower() if isinstance(value, bool) else f"`{value}`".replace("|", "\\|")
