"""Which JSON Schema the Messages API takes in a tool, in dated rows with their source.

[S] types of `anthropic` 2.14.0; [D] platform.claude.com; [I] an issue that quotes the error;
[C] what a library that follows the API does.
"""

from __future__ import annotations

from typing import Final

from toolbridge.schemas.dialect import Keywords, Limit, Rows

TYPES: Final = "[S] types/tool_param.py of anthropic 2.14.0"
OUTPUTS: Final = "[D] platform.claude.com structured-outputs, JSON Schema limitations"
DRAFT: Final = "[I] anthropics/claude-code#86665, Dokploy/mcp#74, Dolibarr/dolibarr#38290"
LITELLM: Final = "[C] litellm 1.110.2, llms/anthropic/chat/transformation.py"
PYDANTIC_AI: Final = "[C] pydantic-ai 2.68.0, _anthropic_schema_limits.py"
RECORDED: Final = "recorded with status 200: rig, strict_schema and messages_strict_tools"
DATE: Final = "2026-11-30"

FORMATS: Final = (
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "uri",
    "ipv4",
    "ipv6",
    "uuid",
)
PATTERNS: Final = r"\(\?[=!<]|\\[1-9bBkpP]|\{\d{3,}|,\d{3,}\}"
"""Lookaround, backreferences, word boundaries, Unicode classes, large counts."""

SCHEMAS: Final[Rows] = (
    Limit("root_refused", frozenset({"oneOf", "allOf", "anyOf"}), "[I] huly-mcp#66", "2026-08"),
    Limit("root_keys", r"[a-zA-Z0-9_.-]+", "[I] anthropics/claude-code#79418", "2026-07"),
    Limit("key_length", 64, "[I] anthropics/claude-code#79418", "2026-07"),
    Limit("modern", True, DRAFT, "2026-09"),
    Keywords(
        ("type", "properties", "required", "enum", "const", "anyOf", "items", "description"),
        "text",
        TYPES,
        DATE,
        strict=False,
    ),
    Limit("subset", True, OUTPUTS, DATE, strict=True),
    Limit("others", "refused", "ours: ignored by the API says litellm, and of no use", DATE, True),
    Limit("closed", True, OUTPUTS, DATE, strict=True),
    Limit("typed", True, "[S] lib/_parse/_transform.py refuses a schema of no type", DATE, True),
    Limit("bare_values", True, RECORDED, "2026-08", strict=True),
    Limit("items", True, OUTPUTS, DATE, strict=True),
    Limit("references", "bare", "[S] lib/_parse/_transform.py drops what is beside", DATE, True),
    Limit("recursion", False, OUTPUTS, DATE, strict=True),
    Limit("least_items", 1, f"{OUTPUTS}; [I] memorize-everything#93", "2026-05", strict=True),
    Limit("refused_patterns", PATTERNS, OUTPUTS, DATE, strict=True),
    Limit("formats", {"string": frozenset(FORMATS)}, OUTPUTS, DATE, strict=True),
    Limit(
        "enum_types",
        frozenset({"string", "integer", "number", "boolean", "null"}),
        OUTPUTS,
        DATE,
        strict=True,
    ),
    Limit("nesting", 24, "ours: the compiled grammar has a limit that is not told", DATE, True),
    Limit("strict_tools", 20, OUTPUTS, DATE, strict=True),
    Limit("optional_parameters", 24, f"{OUTPUTS}; {PYDANTIC_AI}", DATE, strict=True),
    Limit("union_parameters", 16, f"{OUTPUTS}; {PYDANTIC_AI}", DATE, strict=True),
    Keywords(
        (
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "enum",
            "const",
            "anyOf",
            "$ref",
            "$defs",
            "format",
            "pattern",
            "minItems",
        ),
        "enforced",
        OUTPUTS,
        DATE,
        strict=True,
    ),
    Keywords(("description", "default", "title"), "text", OUTPUTS, DATE, strict=True),
    Keywords(("definitions",), "enforced", RECORDED, "2026-08", strict=True),
    Keywords(
        (
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "maxItems",
            "uniqueItems",
        ),
        "refused",
        f"{OUTPUTS}; [I] earendil-works/pi#9953, experiential#804",
        "2026-09",
        strict=True,
    ),
    Keywords(
        (
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "contains",
            "minContains",
            "maxContains",
            "prefixItems",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "unevaluatedProperties",
        ),
        "refused",
        LITELLM,
        DATE,
        strict=True,
    ),
    Keywords(
        ("allOf",), "refused", f"{OUTPUTS}: not with $ref; merged in any case", DATE, strict=True
    ),
)
