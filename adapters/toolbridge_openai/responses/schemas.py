"""Which JSON Schema Responses takes in a tool, in dated rows with their source."""

from __future__ import annotations

from typing import Final

from toolbridge.schemas.dialect import Limit, Rows
from toolbridge_openai.schemas import COMMON, ROOT, ROOT_REFUSED

SCHEMAS: Final[Rows] = (
    *COMMON,
    Limit("root_refused", ROOT_REFUSED, f"{ROOT}; gpt-5 takes some, says litellm", "2026-09"),
)
