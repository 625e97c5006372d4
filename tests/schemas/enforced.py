"""Which faults of a value a target would prevent: those against keywords that it enforces."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any, Final

from jsonschema.exceptions import ValidationError

from toolbridge.schemas.dialect import Dialect

VALUES: Final[dict[str, Callable[[Dialect, ValidationError], bool]]] = {
    "format": lambda dialect, error: any(
        error.validator_value in names for names in (dialect.formats or {}).values()
    ),
    "pattern": lambda dialect, error: (
        dialect.refused_patterns is None
        or re.search(dialect.refused_patterns, str(error.validator_value)) is None
    ),
    "minItems": lambda dialect, error: (
        dialect.least_items is None or int(str(error.validator_value)) <= dialect.least_items
    ),
}
"""Keywords of which only some values are enforced."""

SAID_OTHERWISE: Final = {
    "additionalProperties": "closed",
    "const": "subset",
    "prefixItems": "subset",
}
"""Keywords that a subset says by other means, with the field of the dialect."""


def is_prevented(error: Any, dialect: Dialect) -> bool:
    """Whether the target holds the model to what a value breaks here."""
    keyword = str(error.validator)
    if error.context:
        ordered = sorted(error.context, key=lambda each: str(each.schema_path[0]))
        groups = groupby(ordered, key=lambda each: each.schema_path[0])
        return all(any(is_prevented(each, dialect) for each in group) for _, group in groups)
    said = getattr(dialect, SAID_OTHERWISE.get(keyword, ""), False)
    if not said and not dialect.enforces(keyword):
        return False
    return keyword not in VALUES or VALUES[keyword](dialect, error)
