"""The root of a tool's schema: an object, since the arguments of a call are one."""

from __future__ import annotations

from typing import Any, Final

from toolbridge.schemas.check import is_key
from toolbridge.schemas.compiler import Compiler, Written
from toolbridge.schemas.dialect import Dialect
from toolbridge.schemas.flatten import Flattener
from toolbridge.schemas.forms import SAME, Form, Object, Property, Wrapped
from toolbridge.schemas.merge import types_of
from toolbridge.schemas.objects import renamed
from toolbridge.schemas.snippets import closed_object
from toolbridge.schemas.words import CONSTRAINTS, OF_TYPE, Schema

WRAPPER: Final = "value"
"""The property that holds the arguments where the root cannot be said as an object."""

ENCLOSED: Final = f"the arguments stand in {WRAPPER}"
BY_NAME: Final = ("patternProperties", "propertyNames", "dependentRequired", "dependentSchemas")
"""Keywords that name properties, beside which none can be renamed alone."""

APPLIED: Final = ("allOf", "anyOf", "oneOf", "if", "not", "$ref", *BY_NAME)


def is_object(flat: Schema) -> bool:
    """Whether a schema is plainly that of an object: it says so, or says nothing of arrays and
    scalars."""
    if not isinstance(flat, dict) or "enum" in flat or "const" in flat:
        return False
    if "type" in flat:
        return "object" in types_of(flat)
    others = (word for kind, words in OF_TYPE.items() if kind != "object" for word in words)
    return any(word in flat for word in OF_TYPE["object"]) or not any(
        map(flat.__contains__, others)
    )


def compiled_root(compiler: Compiler) -> Written:
    """The root in the subset of a target."""
    root = compiler.made.root
    flat = Flattener(compiler.made.definitions, keep=False).flatten(root)
    if len(flat) != 1 or not isinstance(flat[0], dict) or not is_object(flat[0]):
        return wrapped(compiler)
    (one, *_), words = compiler.flattened(root, "", keep=False)
    if types_of(flat[0]) != frozenset({"object"}):
        compiler.note("schema.root", "", "arguments are an object")
    options = compiler.typed({**as_object(one), "type": "object"}, "", 0)
    return compiler.combine(options, root, "", words) if options else wrapped(compiler)


def as_object(schema: Schema) -> dict[str, Any]:
    """A schema that is known to be an object of keywords."""
    return schema if isinstance(schema, dict) else {}


def wrapped(compiler: Compiler) -> Written:
    """The root, whatever it is, as a property."""
    compiler.note("schema.rewritten", "", ENCLOSED)
    return enclosed(compiler.node(compiler.made.root, "", 1), compiler.dialect)


def enclosed(found: Written, dialect: Dialect) -> Written:
    """The arguments as the one property of an object."""
    made = closed_object(dialect, {WRAPPER: found.schema})
    return Written(made, Wrapped(WRAPPER, found.form))


def plain_root(
    root: dict[str, Any], definitions: dict[str, Schema], dialect: Dialect, note: Any
) -> tuple[dict[str, Any], Form]:
    """The root where schemas stay as they are: resolved, renamed or wrapped where it must be."""
    root = resolved(root, definitions)
    refused = dialect.root_refused & root.keys()
    if refused or not is_object(root):
        path = f"/{min(refused)}" if refused else ""
        note("schema.rewritten", path, ENCLOSED)
        return enclosed(Written(root, SAME), dialect)
    if root.get("type") != "object":
        note("schema.root", "/type" if "type" in root else "", "arguments are an object")
        root = {"type": "object", **{key: root[key] for key in root if key != "type"}}
    if dialect.root_properties and "properties" not in root:
        note("schema.empty", "", "no properties")
        root = {**root, "properties": {}}
    return keyed(root, dialect, note)


def resolved(root: dict[str, Any], definitions: dict[str, Schema]) -> dict[str, Any]:
    """A root that is a reference, beside which nothing but its type decides what is valid, as
    what it refers to."""
    seen = set()
    while "$ref" in root and root["$ref"] not in seen:
        seen.add(root["$ref"])
        beside = {key: root[key] for key in root if key != "$ref"}
        target = definitions.get(root["$ref"].rpartition("/")[2])
        if not isinstance(target, dict) or not constrains_type_only(beside, target):
            break
        root = {**target, **beside}
    return root


def constrains_type_only(beside: dict[str, Any], target: dict[str, Any]) -> bool:
    """Whether what stands beside a reference says no more than the type of an object, and what
    it refers to no other."""
    said = beside.keys() & CONSTRAINTS
    return not said or (beside.get("type") == "object" and said == {"type"} and is_object(target))


def keyed(root: dict[str, Any], dialect: Dialect, note: Any) -> tuple[dict[str, Any], Form]:
    """The root with names of properties that the target takes."""
    properties = root.get("properties", {})
    if dialect.root_keys is None or all(
        is_key(name, dialect.root_keys, dialect.key_length) for name in properties
    ):
        return root, SAME
    if any(keyword in root for keyword in APPLIED):
        note("schema.rewritten", "/properties", ENCLOSED)
        return enclosed(Written(root, SAME), dialect)
    limits = (dialect.root_keys, dialect.key_length)
    names = renamed(note, properties, root.get("required", ()), limits, "")
    made = {**root, "properties": {names[name]: properties[name] for name in properties}}
    if "required" in root:
        made["required"] = [names.get(name, name) for name in root["required"]]
    return made, Object({name: Property(names[name], SAME) for name in properties})
