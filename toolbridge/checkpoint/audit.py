"""The audit: one record per call, without secrets, for a hook of the app's or as JSON lines.

toolbridge.run(..., audit=AuditLines("audit.jsonl"))
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from toolbridge.checkpoint.secrets_of import (
    MASK,
    at_same_place,
    is_card,
    is_secret_name,
    masked_text,
    of_item,
    of_property,
)
from toolbridge.locate import unescape
from toolbridge.parts import Json, Media, Text, ToolReference
from toolbridge.schemas.places import is_marked
from toolbridge.values import JSON

if TYPE_CHECKING:
    from toolbridge.parts import ToolResult

LONGEST: Final = 500
"""Characters of a text in the arguments of a record."""

Checked = Mapping[str, JSON]
AuditDecision = Literal["run", "ask", "refuse"]
AuditOutcome = Literal[
    "ok",
    "error",
    "refused",
    "denied",
    "asked",
    "unknown",
    "cancelled",
    "timeout",
    "late",
    "recorded",
    "invalid",
    "repeated",
]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """What was asked for, checked, decided and done at one call.

    `time` is UTC as RFC 3339 has it, with milliseconds; `step` counts from 1, and is None where
    nobody knows it any more (`late`). `arguments` are `masked`. `changes` is what the schema layer
    read otherwise than it was written (`masked_changes`), `checks`
    has a member per layer: `{"layer": "schema", "ok": true}`, with words in `fault` if not.
    `decision` and `reason` are the policy's, and `decided_by` is `policy` or who said so;
    `untrusted` are the ids of the calls whose untrusted results stood in the context. `outcome`
    `asked` means that the run waits for a decision, `invalid` that a check failed, `repeated`
    that the same call had been answered alike before, `late` that a tool came back after its
    timeout, `recorded` that it ran before and its result was in the ledger. `seconds` is None
    where nothing ran. `result_size` is in characters (`result_size`). `error` is the traceback:
    it is for the app, and the model never sees it.
    """

    time: str
    run_id: str
    step: int | None = None
    call_id: str
    call_key: str
    tool: str
    namespace: str | None = None
    effect: str | None = None
    arguments: JSON = None
    changes: tuple[JSON, ...] = ()
    checks: tuple[Checked, ...] = ()
    decision: AuditDecision | None = None
    reason: str | None = None
    decided_by: str | None = None
    untrusted: tuple[str, ...] = ()
    outcome: AuditOutcome
    seconds: float | None = None
    result_size: int | None = None
    error: str | None = None

    def to_dict(self) -> dict[str, JSON]:
        """The record as a JSON object, its fields in their order, None included."""
        return {field.name: plain(getattr(self, field.name)) for field in dataclasses.fields(self)}


def plain(item: Any) -> JSON:
    """JSON of dicts, lists and scalars. A number that JSON cannot say (RFC 8259, section 6)
    becomes its text, any other object the name of its type."""
    if isinstance(item, Mapping):
        return {str(key): plain(member) for key, member in item.items()}
    if isinstance(item, (list, tuple)):
        return [plain(member) for member in item]
    if isinstance(item, float) and not math.isfinite(item):
        return str(item)
    if item is None or isinstance(item, (str, int, float)):
        return item
    return f"[{type(item).__name__}]"


def time_of(seconds: float | None = None) -> str:
    """A time in seconds since 1970, now without one, as a record has it."""
    from datetime import UTC, datetime

    moment = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def result_size(result: ToolResult) -> int:
    """The characters of a result: of its texts, of its JSON, and of its media as base64."""
    return sum(map(size_of_part, result.parts))


def size_of_part(part: Any) -> int:
    """The characters of one part; none for what has no content of its own."""
    if isinstance(part, Text):
        return len(part.text)
    if isinstance(part, Json):
        return len(json.dumps(plain(part.value), ensure_ascii=False))
    if isinstance(part, ToolReference):
        return len(part.name)
    if not isinstance(part, Media):
        return 0
    source = part.source
    held = source.data or source.text or source.url or source.id or ""
    return len(held) + sum(map(size_of_part, source.parts or ()))


# masking


def masked(arguments: JSON, schema: JSON = None) -> JSON:
    """A copy of the arguments of a call in which secrets are `[masked]`.

    A secret is what the name of its property says it is (`is_secret_name`), what the JSON Schema
    of the tool marks `writeOnly` or `format: password`, and in texts, numbers and names whatever
    looks like one (`secrets_of.SHAPES`). Null, true and false stay where only a name speaks.
    References lead into the schema by JSON pointer alone. Texts are shortened to 500 characters,
    with their length.
    """
    return mask(arguments, [schema], schema)


def masked_changes(changes: Iterable[Mapping[str, JSON]], schema: JSON = None) -> tuple[JSON, ...]:
    """Changes to the arguments of a call, each with `path` (a JSON pointer), `before` and `after`:
    both are masked as `masked` does it where they stand."""
    return tuple(
        {
            name: masked_at(change["path"] if name in ("before", "after") else "", item, schema)
            for name, item in change.items()
        }
        for change in changes
    )


INDEX: Final = 5
"""Digits of a step of a pointer up to which it is taken for a place in a list."""


def masked_at(path: str, item: JSON, schema: JSON) -> JSON:
    """A value masked as part of the arguments in which it stands at a path."""
    whole, steps = item, [unescape(step) for step in path.split("/")[1:]]
    for step in reversed(steps):
        index = int(step) if step.isdecimal() and len(step) <= INDEX else None
        whole = {step: whole} if index is None else [*[None] * index, whole]
    shown = masked(whole, schema)
    for _ in steps:
        if shown == MASK:
            break
        *_, shown = shown.values() if isinstance(shown, dict) else shown
    return shown


def mask(item: JSON, schemas: list[JSON], root: JSON) -> JSON:
    """A value without secrets, by all schemas that speak of it."""
    found = at_same_place(schemas, root) if any(schemas) else []
    if item is not None and any(map(is_marked, found)):
        return MASK
    if isinstance(item, Mapping):
        return mask_members(item, found, root)
    if isinstance(item, (list, tuple)):
        return [mask(each, of_item(found, index), root) for index, each in enumerate(item)]
    if isinstance(item, str):
        return shortened(mask_text(item, found, root), len(item))
    return MASK if is_card_number(item) else plain(item)


def mask_text(text: str, schemas: list[JSON], root: JSON) -> str:
    """A text without secrets; one that is JSON of an object, a list or a text as that, for models
    encode arguments twice."""
    if text.lstrip()[:1] in ("{", "[", '"'):
        with suppress(ValueError, RecursionError):
            meant = json.loads(text)
            made = mask(meant, schemas, root)
            return text if made == meant else json.dumps(made, ensure_ascii=False)
    return masked_text(text)


def is_card_number(item: JSON) -> bool:
    """Whether a number is that of a payment card; Gemini's numbers are floats."""
    if isinstance(item, bool) or not isinstance(item, (int, float)):
        return False
    return 10**12 <= item < 10**19 and item == int(item) and is_card(str(int(item)))


def mask_members(
    item: Mapping[str, JSON], schemas: list[dict[str, Any]], root: JSON
) -> dict[str, JSON]:
    """The members of an object without secrets. Names that are masked are numbered: no member
    may take the place of another."""
    made: dict[str, JSON] = {}
    for name, member in item.items():
        shown = shortened(masked_text(str(name)), len(str(name)))
        key = f"{shown} {len(made)}" if shown in made else shown
        secret = is_secret_name(str(name)) and is_telling(member)
        made[key] = MASK if secret else mask(member, of_property(schemas, name), root)
    return made


def is_telling(member: JSON) -> bool:
    """Whether a value can be a secret: a flag, nothing, and what is empty cannot."""
    return not isinstance(member, bool) and member not in (None, "", [], {})


def shortened(text: str, length: int) -> str:
    """A text in a record: its beginning, and how long it was."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... [{length} characters]"


def without_shapes(item: JSON) -> JSON:
    """JSON in which whatever looks like a secret is masked, whatever it is called."""
    if isinstance(item, dict):
        return {masked_text(name): without_shapes(member) for name, member in item.items()}
    if isinstance(item, list):
        return [without_shapes(member) for member in item]
    return masked_text(item) if isinstance(item, str) else item


# lines

FREE: Final = ("changes", "checks", "reason", "error")
"""Fields of a record with words that nobody has looked at for secrets."""


class AuditLines:
    """A hook that appends each record to a file as one line of JSON (https://jsonlines.org), in
    UTF-8 as it is.

    A line is written at once and to its end, so threads and, on a local file system, processes
    may share the file. It is made, for its owner alone to read, with the first record; its folder
    must exist: FileNotFoundError. It grows for ever: nothing here rotates it, but it is opened
    for every line, so that whoever moves it away gets a new one. Raises OSError where it cannot
    be written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()
        self._lock = threading.Lock()
        if not self.path.parent.is_dir():
            raise FileNotFoundError(
                f"the audit {self.path.name} has no folder: make {self.path.parent} first"
            )

    def __call__(self, record: AuditRecord) -> None:
        fields = record.to_dict()
        told = fields | {name: without_shapes(fields[name]) for name in FREE}
        # A lone surrogate stands in JSON as an escape alone (RFC 8259, section 8.2).
        text = json.dumps(told, ensure_ascii=False) + "\n"
        self._append(text.encode("utf-8", "backslashreplace"))

    def _append(self, line: bytes) -> None:
        # O_APPEND puts every write at the end, whoever else writes (POSIX.1-2024, write()).
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        with self._lock:
            file = os.open(self.path, flags, 0o600)
            try:
                while line:
                    line = line[os.write(file, line) :]
            finally:
                os.close(file)
