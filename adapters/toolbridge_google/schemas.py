"""Which JSON Schema generateContent takes in a tool, in dated rows with their source.

[S] types of `google-genai` 3.6.1; [D] ai.google.dev; [I] an issue that quotes the error; [C] what
a library that follows the API does. Strictness is a mode of the choice: the rows hold for both.
"""

from __future__ import annotations

from typing import Final

from toolbridge.schemas.dialect import Keywords, Limit, Rows

TYPES: Final = "[S] types.py of google-genai 3.6.1"
JSON_SCHEMA: Final = "[D] ai.google.dev/api/generate-content: responseJsonSchema"
SIBLINGS: Final = "[I] google-gemini/gemini-cli#13326, anomalyco/opencode#12295"
PROTO: Final = "[I] zed#44875, nodetool#4388, openswarm#24: Unknown name, cannot find field"
DATE: Final = "2026-11-30"

SUBSET: Final = "parameters"
"""The profile for the older field `parameters`."""

SCHEMAS: Final[Rows] = (
    Limit("strict_flag", False, f"{TYPES}: FunctionDeclaration has none", DATE),
    Limit("references", "bare", SIBLINGS, "2026-05"),
    Limit("recursion_optional", True, JSON_SCHEMA, DATE),
    Keywords(
        (
            "type",
            "enum",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "anyOf",
            "oneOf",
            "properties",
            "additionalProperties",
            "required",
            "$ref",
            "$defs",
            "format",
        ),
        "enforced",
        f"{JSON_SCHEMA}; in the modes ANY and VALIDATED",
        DATE,
    ),
    Keywords(("$id", "$anchor", "title", "description"), "text", JSON_SCHEMA, DATE),
    Keywords(("definitions",), "refused", f"{JSON_SCHEMA} knows $defs only", DATE),
    Limit("subset", True, TYPES, DATE, profile=SUBSET),
    Limit("others", "refused", f"{TYPES}: extra='forbid'; {PROTO}", DATE, profile=SUBSET),
    Limit("references", "none", f"{PROTO}: $ref", DATE, profile=SUBSET),
    Limit("recursion", False, f"{PROTO}: $ref", DATE, profile=SUBSET),
    Limit("recursion_optional", False, f"{PROTO}: $ref", DATE, profile=SUBSET),
    Limit("typed", True, "[I] inspect_ai#3097: MALFORMED_FUNCTION_CALL", "2026-01", profile=SUBSET),
    Limit("type_lists", False, "[I] TablePro#1276, google_workspace_mcp#1099", "2026-09")._replace(
        profile=SUBSET
    ),
    Limit("items", True, "[I] DEEIX-AI/DEEIX-Chat#546: missing field", "2026-07", profile=SUBSET),
    Limit(
        "enum_types",
        frozenset({"string"}),
        "[I] 9router#380, CLIProxyAPI#4545: strings that are not empty",
        "2026-07",
        profile=SUBSET,
    ),
    Limit(
        "formats",
        {
            "string": frozenset({"date-time"}),
            "number": frozenset({"float", "double"}),
            "integer": frozenset({"int32", "int64"}),
        },
        "[I] google-gemini/gemini-cli#2237: others bring a 400 on the Gemini API",
        DATE,
        profile=SUBSET,
    ),
    Limit("empty_objects", False, "[I] agno-agi/agno#2112", DATE, profile=SUBSET),
    Limit("keys", r"[a-zA-Z_][a-zA-Z0-9_]*", f"{TYPES}: Schema.properties", DATE, profile=SUBSET),
    Limit("key_length", 64, f"{TYPES}: Schema.properties", DATE, profile=SUBSET),
    Limit(
        "nesting", 24, "ours: [I] gemini-cli#5923 tells of a limit without a number", DATE
    )._replace(profile=SUBSET),
    Keywords(
        ("$ref", "$defs", "$id", "$anchor", "prefixItems", "oneOf", "additionalProperties"),
        "refused",
        PROTO,
        "2026-09",
        profile=SUBSET,
    ),
    Keywords(
        (
            "type",
            "enum",
            "items",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "anyOf",
            "properties",
            "required",
            "nullable",
            "format",
            "pattern",
            "minLength",
            "maxLength",
            "minProperties",
            "maxProperties",
        ),
        "enforced",
        f"{TYPES}: Schema; in the modes ANY and VALIDATED",
        DATE,
        profile=SUBSET,
    ),
    Keywords(("title", "description"), "text", f"{TYPES}: Schema", DATE, profile=SUBSET),
)
