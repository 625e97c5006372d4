"""One schema adapted to one dialect: the schema to send, the form of its arguments, the changes."""

from __future__ import annotations

import json
import re
from typing import Final

from toolbridge.schemas.check import findings
from toolbridge.schemas.dialect import Dialect
from toolbridge.schemas.forms import SAME
from toolbridge.schemas.records import Adapted, Change, Finding
from toolbridge.values import JSON

KEPT: Final = 512
_known: dict[tuple[Dialect, str], Adapted] = {}


def adapt_schema(schema: JSON, dialect: Dialect) -> Adapted:
    """Adapt the schema of a tool. It stays as it is where the target takes it so. Remembered by
    dialect and text."""
    if is_taken(schema, dialect):
        return Adapted(schema, SAME)
    try:
        key = (dialect, json.dumps(schema))
    except RecursionError:
        why = "it is nested too deep"
        return Adapted(schema, SAME, (Change("schema.unreadable", "", why),), (Finding("", why),))
    if key not in _known:
        from toolbridge.schemas.workshop import adapted

        if len(_known) >= KEPT:
            _known.clear()
        _known[key] = adapted(schema, dialect)
    return _known[key]


def is_taken(schema: JSON, dialect: Dialect) -> bool:
    """Whether the target takes a schema as it is. One whose keywords hold what they may not hold
    makes any question about it fail."""
    try:
        return isinstance(schema, dict) and not findings(schema, dialect)
    except (TypeError, AttributeError, ValueError, re.error):
        return False
