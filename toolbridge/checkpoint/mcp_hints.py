"""The effect of a tool from and to the annotations of MCP, as one table.

The annotations are `ToolAnnotations` of the Model Context Protocol, revision 2025-11-25
(https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations): four hints,
each with a default. A server may say of itself what it likes: clients must take hints for
untrusted unless they trust the server.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from toolbridge.tools import ToolSpec

DEFAULTS: Final[Mapping[str, bool]] = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}
"""What a hint says that is absent. `destructiveHint` and `idempotentHint` mean something only
where `readOnlyHint` is false."""

FIELDS: Final = ("effect", "idempotent", "untrusted_output", "sends_out")
"""The fields of ToolSpec that hints speak of."""


class Row(NamedTuple):
    """What fields have as their hints. `losses` says, by field, what the hints cannot."""

    about: str
    fields: Mapping[str, Any]
    hints: Mapping[str, bool]
    losses: Mapping[str, str] = MappingProxyType({})


ADDS: Final = (
    "destructiveHint false says that the tool only adds; a write may also change or remove what "
    "can be had back"
)
DESTROYS: Final = (
    "destructiveHint true says that something is destroyed; a mail that was sent destroys nothing "
    "and yet cannot be taken back"
)
UNDECLARED: Final = "an absent hint is read as the most careful one"
ONLY_READS: Final = "idempotentHint means nothing where readOnlyHint is true"
BOTH: Final = (
    "openWorldHint stands for what the tool sends out and for what others write into its results, "
    "and is true if either is so, or not known"
)

TABLE: Final = (
    Row("effect", {"effect": "read"}, {"readOnlyHint": True}),
    Row(
        "effect",
        {"effect": "write"},
        {"readOnlyHint": False, "destructiveHint": False},
        {"effect": ADDS},
    ),
    Row(
        "effect",
        {"effect": "irreversible"},
        {"readOnlyHint": False, "destructiveHint": True},
        {"effect": DESTROYS},
    ),
    Row("effect", {"effect": None}, {}, {"effect": UNDECLARED}),
    Row("twice", {"effect": "read", "idempotent": None}, {"readOnlyHint": True}),
    Row("twice", {"effect": "read"}, {"readOnlyHint": True}, {"idempotent": ONLY_READS}),
    Row("twice", {"idempotent": True}, {"idempotentHint": True}),
    Row("twice", {"idempotent": False}, {"idempotentHint": False}),
    Row("twice", {"idempotent": None}, {}, {"idempotent": UNDECLARED}),
    Row("world", {"untrusted_output": True, "sends_out": True}, {"openWorldHint": True}),
    Row("world", {"untrusted_output": False, "sends_out": False}, {"openWorldHint": False}),
    Row(
        "world",
        {"untrusted_output": None, "sends_out": None},
        {},
        {"untrusted_output": UNDECLARED, "sends_out": UNDECLARED},
    ),
    Row("world", {"untrusted_output": True}, {"openWorldHint": True}, {"sends_out": BOTH}),
    Row("world", {"sends_out": True}, {"openWorldHint": True}, {"untrusted_output": BOTH}),
    Row("world", {}, {"openWorldHint": True}, {"untrusted_output": BOTH, "sends_out": BOTH}),
)
"""Of the rows about one thing the first counts whose fields are so, or, the other way, whose
hints are so with the defaults filled in."""

ABOUT: Final = ("effect", "twice", "world")


class HintLoss(NamedTuple):
    """What the hints of a tool cannot say: the `field` with its `value`, `why`, and `back`, what
    `from_hints` makes of them. Where `back` is the value, the hint says it in other words."""

    field: str
    value: Any
    back: Any
    why: str


class Hints(NamedTuple):
    """The annotations of a tool for MCP, and what they cannot say of it."""

    annotations: dict[str, bool]
    losses: tuple[HintLoss, ...] = ()


def from_hints(annotations: Mapping[str, Any] | None) -> dict[str, Any]:
    """The fields `effect`, `idempotent`, `untrusted_output` and `sends_out` of a tool of MCP, by
    its `annotations` as they stand on the wire (other keys are passed over).

    None, and whatever a hint does not say with true or false, is read as MCP's default: then the
    tool is irreversible, sends out, and gives what others wrote. Pass None for a server that you
    do not trust.
    """
    said = {name: hint for name, hint in (annotations or {}).items() if isinstance(hint, bool)}
    hints = {**DEFAULTS, **said}
    found: dict[str, Any] = dict.fromkeys(FIELDS)
    for about in ABOUT:
        found |= next(row.fields for row in TABLE if row.about == about and holds(row.hints, hints))
    return found


def to_hints(tool: ToolSpec | Mapping[str, Any]) -> Hints:
    """The annotations of a tool, or of its four fields by name, and what they cannot say.

    A hint that the fields say nothing of is absent. Raises ValueError for an effect that there
    is not.
    """
    given = tool if isinstance(tool, Mapping) else {name: getattr(tool, name) for name in FIELDS}
    fields = {name: given.get(name) for name in FIELDS}
    rows = [row_of(about, fields) for about in ABOUT]
    annotations = {name: hint for row in rows for name, hint in row.hints.items()}
    back = from_hints(annotations)
    losses = (
        HintLoss(name, fields[name], back[name], why)
        for row in rows
        for name, why in row.losses.items()
    )
    return Hints(annotations, tuple(losses))


def row_of(about: str, fields: Mapping[str, Any]) -> Row:
    """The row about one thing that fields stand in."""
    for row in TABLE:
        if row.about == about and holds(row.fields, fields):
            return row
    raise ValueError(f"effect is read, write, irreversible or None, not {fields['effect']!r}")


def holds(told: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    """Whether all that is told is so."""
    return all(known[name] == item for name, item in told.items())
