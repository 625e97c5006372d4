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

KEPT: Final = 1024
TAKEN: Final = Adapted(None, SAME)
"""Stands for a schema that stays as it is."""

_known: dict[tuple[Dialect, str], Adapted] = {}


def adapt_schema(schema: JSON, dialect: Dialect) -> Adapted:
    """Adapt the schema of a tool. It stays as it is where the target takes it so. Remembered by
    dialect and text: an app sends the same tools again and again, and writing a schema as text
    costs a tenth of looking through it."""
    try:
        key = (dialect, json.dumps(schema))
    except RecursionError:
        why = "it is nested too deep"
        return Adapted(schema, SAME, (Change("schema.unreadable", "", why),), (Finding("", why),))
    found = _known.get(key)
    if found is None:
        if len(_known) >= KEPT:
            _known.clear()
        found = _known[key] = TAKEN if is_taken(schema, dialect) else made_anew(schema, dialect)
    return Adapted(schema, SAME) if found is TAKEN else found


def made_anew(schema: JSON, dialect: Dialect) -> Adapted:
    """A schema that the target takes, in place of one that it does not."""
    from toolbridge.schemas.workshop import adapted

    return adapted(schema, dialect)


def is_taken(schema: JSON, dialect: Dialect) -> bool:
    """Whether the target takes a schema as it is. One whose keywords hold what they may not hold
    makes any question about it fail."""
    try:
        return isinstance(schema, dict) and not findings(schema, dialect)
    except (TypeError, AttributeError, ValueError, re.error):
        return False
