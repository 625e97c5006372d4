"""Which JSON Schema Chat Completions takes in a tool, in dated rows with their source."""

from __future__ import annotations

from typing import Final

from toolbridge.schemas.dialect import Limit, Rows
from toolbridge_openai.schemas import COMMON, DATE, ROOT, ROOT_REFUSED

SCHEMAS: Final[Rows] = (
    *COMMON,
    Limit("root_refused", ROOT_REFUSED, f"{ROOT}: every model", "2026-09"),
    Limit(
        "strict_flag",
        False,
        "[D] api-docs.deepseek.com tool_calls: at the /beta address only, and then for all tools",
        DATE,
        profile="deepseek",
    ),
    Limit("strict_flag", False, "[C] litellm 1.110.2: not supported", DATE, profile="mistral"),
    Limit(
        "strict_flag",
        False,
        "[D] console.groq.com/docs/structured-outputs: of the output format alone",
        DATE,
        profile="groq",
    ),
)
