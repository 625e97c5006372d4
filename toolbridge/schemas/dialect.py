"""Dialects: which JSON Schema a target takes, as dated rows with their source.

An adapter has a table of rows for the schemas of tools. A row says of some keywords whether the
target holds the model to them (`enforced`), shows them to the model (`text`) or answers 400
(`refused`), or sets one limit. It holds for tools that are strict, for those that are not, or
for both; for every profile and model, or some; later rows win.
"""

from __future__ import annotations

import dataclasses
import fnmatch
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Status = Literal["enforced", "text", "refused"]


class Keywords(NamedTuple):
    """One row: these keywords have this status, says `source` of `date`."""

    words: tuple[str, ...]
    status: Status
    source: str
    date: str
    strict: bool | None = None
    profile: str = "*"
    model: str = "*"


class Limit(NamedTuple):
    """One row: the limit `name`, a field of Dialect, is `value`, says `source` of `date`."""

    name: str
    value: Any
    source: str
    date: str
    strict: bool | None = None
    profile: str = "*"
    model: str = "*"


@dataclasses.dataclass(frozen=True, eq=False)
class Dialect:
    """What one target takes.

    `statuses` are those of the keywords that a row names; `others` is that of the rest.
    `subset`: what is not of the subset brings a 400, so every schema is brought into it;
    elsewhere a schema stays as it is but for what is refused. `strict_flag`: whether a tool
    can be marked strict, and then `strict` is what this dialect is for.

    The root: `root_refused` keywords; `root_properties`: it must say its properties. The names
    of its properties match `root_keys`, those of all objects `keys`, with at most `key_length`
    characters.

    Nodes: `modern`: the spelling must be that of draft 2020-12. `typed`: each says its type; with
    `bare_values` an enum or a const need not.
    `type_lists`: a type may be a list, and null one of it; otherwise null is said as
    `nullable`. `enum_types` are the JSON types of the values of an enum, None for any.
    `formats` are the formats by type, None for any. `items`: arrays must say their items.
    `least_items` is the most that minItems may be. `refused_patterns` matches what may not
    stand in a pattern. `empty_objects`: an object below the root may have no properties.

    Objects: `closed`: each refuses further properties; `all_required`: each requires all its
    properties. References: `free`, `bare` (nothing stands beside one but `$` keys), or `none`.
    `recursion`: they may form circles, with `recursion_optional` only through properties that
    are not required; elsewhere what is recursive is written out `unrolled` levels deep.

    Sizes of one schema: levels of `nesting`, `properties`, `enum_values`, the characters of all
    names and values (`texts`), and those of an enum of over 250 strings (`enum_texts`).
    Of one request: `strict_tools`, and in those `optional_parameters`, `union_parameters`.
    """

    statuses: Mapping[str, Status]
    others: Status = "text"
    subset: bool = False
    strict_flag: bool = True
    root_refused: frozenset[str] = frozenset()
    root_properties: bool = False
    root_keys: str | None = None
    keys: str | None = None
    key_length: int = 64
    modern: bool = False
    typed: bool = False
    bare_values: bool = False
    type_lists: bool = True
    enum_types: frozenset[str] | None = None
    formats: Mapping[str, frozenset[str]] | None = None
    items: bool = False
    least_items: int | None = None
    refused_patterns: str | None = None
    empty_objects: bool = True
    closed: bool = False
    all_required: bool = False
    references: Literal["free", "bare", "none"] = "free"
    recursion: bool = True
    recursion_optional: bool = False
    unrolled: int = 3
    nesting: int | None = None
    properties: int | None = None
    enum_values: int | None = None
    enum_texts: int | None = None
    texts: int | None = None
    strict_tools: int | None = None
    optional_parameters: int | None = None
    union_parameters: int | None = None

    def takes(self, keyword: str) -> bool:
        """Whether a keyword may be sent."""
        return self.statuses.get(keyword, self.others) != "refused"

    def enforces(self, keyword: str) -> bool:
        """Whether the target holds the model to a keyword."""
        return self.statuses.get(keyword, self.others) == "enforced"


Rows = tuple[Keywords | Limit, ...]
KEPT = 256
_known: dict[tuple[int, bool, str | None, str | None], tuple[Rows, Dialect]] = {}


def resolve_dialect(rows: Rows, strict: bool, profile: str | None, model: str | None) -> Dialect:
    """The dialect of a target: the defaults, changed by every row that matches. One and the same
    object for the same target."""
    key = (id(rows), strict, profile, model)
    known = _known.get(key)
    if known is not None and known[0] is rows:
        return known[1]
    if len(_known) >= KEPT:
        _known.clear()
    statuses: dict[str, Status] = {}
    limits: dict[str, Any] = {}
    for row in rows:
        if not holds(row, strict, profile, model):
            continue
        if isinstance(row, Limit):
            limits[row.name] = row.value
        else:
            statuses |= dict.fromkeys(row.words, row.status)
    made = Dialect(statuses, **limits)
    _known[key] = (rows, made)
    return made


def holds(row: Keywords | Limit, strict: bool, profile: str | None, model: str | None) -> bool:
    """Whether a row is for a target."""
    return (
        row.strict in (None, strict)
        and fnmatch.fnmatchcase(profile or "", row.profile)
        and fnmatch.fnmatchcase(model or "", row.model)
    )
