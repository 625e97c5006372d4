"""Plain JSON Schema: what pydantic generates, without titles, needless unions and references.

Fewer words cost fewer tokens, and every vendor takes the plain form.
"""

from __future__ import annotations

from typing import Any

from toolbridge.values import JSON

SCHEMAS = frozenset(
    {"items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames"}
)
LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
MAPS = frozenset({"properties", "patternProperties", "$defs", "dependentSchemas"})


def plain(schema: JSON) -> JSON:
    """A schema that says the same plainly. Definitions that hold themselves stay definitions."""
    definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
    held = {name: named_in(each) & definitions.keys() for name, each in definitions.items()}
    recursive = {name: definitions[name] for name in definitions if name in reached(name, held)}
    once = {name: each for name, each in definitions.items() if name not in recursive}
    name = reference(schema)
    if name in recursive:
        schema = definitions[name] | {key: each for key, each in schema.items() if key != "$ref"}
    made = simplify(schema, once)
    if recursive:
        made["$defs"] = {name: simplify(each, once) for name, each in recursive.items()}
    return made


def reference(schema: JSON) -> str | None:
    """The name of the definition that a schema refers to."""
    told = schema.get("$ref") if isinstance(schema, dict) else None
    return told.removeprefix("#/$defs/") if isinstance(told, str) else None


def named_in(schema: JSON) -> set[str]:
    """The names of the definitions that stand in a schema."""
    if isinstance(schema, list):
        return set().union(*map(named_in, schema))
    if not isinstance(schema, dict):
        return set()
    name = reference(schema)
    return set().union(*map(named_in, schema.values())) | ({name} if name else set())


def reached(name: str, held: dict[str, set[str]]) -> set[str]:
    """The definitions that a definition holds, in however many steps."""
    found: set[str] = set()
    open_names = [name]
    while open_names:
        new = held[open_names.pop()] - found
        found |= new
        open_names += new
    return found


def simplify(schema: JSON, definitions: dict[str, JSON]) -> JSON:
    """One schema; `definitions` are those to put in the place of their references."""
    if not isinstance(schema, dict):
        return schema
    name = reference(schema)
    if name in definitions:
        told = {key: member for key, member in schema.items() if key != "$ref"}
        return simplify(definitions[name] | told, definitions)
    members = {
        key: member
        for key, member in schema.items()
        if key not in ("title", "$defs", "discriminator")
    }
    made = {key: simplify_member(key, member, definitions) for key, member in members.items()}
    return without_union(made)


def simplify_member(key: str, member: JSON, definitions: dict[str, JSON]) -> JSON:
    """What stands under a keyword: a schema, schemas, or data that stays as it is."""
    if key in SCHEMAS:
        return simplify(member, definitions)
    if key in LISTS and isinstance(member, list):
        return [simplify(each, definitions) for each in member]
    if key in MAPS and isinstance(member, dict):
        return {name: simplify(each, definitions) for name, each in member.items()}
    return member


def without_union(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without a union of one, or of one type and null, where plainer words do."""
    union = schema.get("anyOf")
    if not isinstance(union, list):
        return schema
    rest = {key: member for key, member in schema.items() if key != "anyOf"}
    others = [each for each in union if each != {"type": "null"}]
    if len(union) == 1:
        return {**union[0], **rest}
    if len(others) == 1 and len(union) == 2:
        return nullable(others[0], rest, schema)
    return schema


def nullable(other: dict[str, Any], rest: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """One type or null. Where null is the default, absence says it: the type alone is left."""
    if "default" in rest and rest["default"] is None:
        return {**other, **{key: member for key, member in rest.items() if key != "default"}}
    kind = other.get("type")
    if isinstance(kind, str) and "enum" not in other and "const" not in other:
        return {**other, **rest, "type": [kind, "null"]}
    return schema
