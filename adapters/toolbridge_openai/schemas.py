"""Which JSON Schema OpenAI takes in a tool, in dated rows with their source: what Chat and
Responses have in common.

[D] a vendor's documentation; [I] an issue that quotes the error or a probe; [C] what a library
that follows the API does.
"""

from __future__ import annotations

from typing import Final

from toolbridge.schemas.dialect import Keywords, Limit, Rows

OUTPUTS: Final = "[D] platform.openai.com structured-outputs; jsonschemaprofiles, 2026-02"
PYDANTIC_AI: Final = "[C] pydantic-ai 2.68.0, profiles/openai.py"
ROOT: Final = "[I] goruck/home-generative-agent#545, feigeCode/navop#247"
DATE: Final = "2026-11-30"

ROOT_REFUSED: Final = frozenset({"oneOf", "anyOf", "allOf", "enum", "const", "not"})
FORMATS: Final = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
PATTERNS: Final = r"\(\?[=!<]|\\[1-9kpP]"
"""Lookaround (vercel/ai#21037, 2026-09); of backreferences and Unicode classes nothing is known."""

TUNED: Final = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "pattern",
    "format",
    "minItems",
    "maxItems",
)
"""What fine-tuned models refuse besides."""

META: Final = "[I] BerriAI/litellm#40485, shunt#488: the server checks it by jsonschema"

COMMON: Final[Rows] = (
    Limit("modern", True, META, "2026-09"),
    Limit("root_properties", True, "[I] github/github-mcp-server#1548", "2025-12"),
    Limit("items", True, "[I] rootlyhq/rootly-mcp-server#84, mcp-digitalocean#265", "2026-04"),
    Keywords(
        ("type", "properties", "required", "enum", "const", "anyOf", "items", "description"),
        "text",
        "[D] platform.openai.com function-calling: strict off",
        DATE,
        strict=False,
    ),
    Limit("subset", True, OUTPUTS, DATE, strict=True),
    Limit("others", "refused", "nothing says that they are taken", DATE, strict=True),
    Limit("closed", True, OUTPUTS, DATE, strict=True),
    Limit("all_required", True, OUTPUTS, DATE, strict=True),
    Limit("typed", True, "[I] oh-my-pi#211, openai-agents-python#4115", "2026-08", strict=True),
    Limit("references", "bare", "[I] hindsight#3944, langchainjs#11384", "2026-08", strict=True),
    Limit("refused_patterns", PATTERNS, "[I] vercel/ai#21037, daydream#304", "2026-09", True),
    Limit("formats", {"string": FORMATS}, f"{OUTPUTS}; [I] git-mcp-server#47", "2026-05", True),
    Limit(
        "enum_types",
        frozenset({"string", "integer", "number", "boolean", "null"}),
        f"{OUTPUTS}: of others nothing is known",
        DATE,
        strict=True,
    ),
    Limit("nesting", 10, OUTPUTS, DATE, strict=True),
    Limit("properties", 5000, OUTPUTS, DATE, strict=True),
    Limit("enum_values", 1000, OUTPUTS, DATE, strict=True),
    Limit("enum_texts", 15_000, OUTPUTS, DATE, strict=True),
    Limit("texts", 120_000, OUTPUTS, DATE, strict=True),
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
            *TUNED,
        ),
        "enforced",
        OUTPUTS,
        DATE,
        strict=True,
    ),
    Keywords(("description", "title"), "text", "[S] openai 3.57.0, lib/_pydantic.py", DATE, True),
    Keywords(
        ("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"),
        "refused",
        f"{OUTPUTS}; [C] openai npm 7.59.0, lib/transform.ts",
        DATE,
        strict=True,
    ),
    Keywords(
        (
            "minLength",
            "maxLength",
            "patternProperties",
            "unevaluatedProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "unevaluatedItems",
            "contains",
            "minContains",
            "maxContains",
            "uniqueItems",
            "default",
            "prefixItems",
        ),
        "refused",
        f"{PYDANTIC_AI}; a probe of 2026-08 (pydantic-ai#7400) took lengths, no page says so",
        DATE,
        strict=True,
    ),
    Keywords(TUNED, "refused", OUTPUTS, DATE, strict=True, model="ft:*"),
)
