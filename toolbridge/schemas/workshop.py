"""A schema that a target would refuse, made into one that it takes. Loaded when one comes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Final

from toolbridge.schemas import arrays, objects, scalars
from toolbridge.schemas.check import findings
from toolbridge.schemas.compiler import Compiler, Writer
from toolbridge.schemas.dialect import Dialect
from toolbridge.schemas.forms import SAME, pruned
from toolbridge.schemas.modern import Modern, SchemaProblem, modern
from toolbridge.schemas.plain import plain
from toolbridge.schemas.records import Adapted, Change, Changes, Finding
from toolbridge.schemas.root import compiled_root
from toolbridge.schemas.words import nodes
from toolbridge.values import JSON

WRITERS: Final[Mapping[str, Writer]] = {
    "object": objects.options,
    "array": arrays.options,
    "enum": scalars.listed,
    **{
        kind: scalars.of_type_named(kind)
        for kind in ("string", "number", "integer", "boolean", "null")
    },
}


def adapted(schema: JSON, dialect: Dialect) -> Adapted:
    """The schema with the least changes that the dialect takes, as far as there is such."""
    changes = Changes()
    try:
        made = modern(schema)
        for place, said in made.unresolved:
            changes.note("schema.reference", place, f"{said} is not in the schema")
        if not dialect.subset:
            if made.root is False:
                changes.note("schema.never", "")
            known = schema if isinstance(schema, dict) else {}
            written, form = plain(known, dialect, made, changes)
            left = tuple(findings(written, dialect))
            return Adapted(written, pruned(form), changes.all, left)
        return compiled(made, dialect, changes, is_literal(schema))
    except SchemaProblem as problem:
        return unreadable(schema, dialect, f"{problem.message} at {problem.pointer or '/'}")
    except RecursionError:
        return unreadable(schema, dialect, "it is nested too deep")


def compiled(made: Modern, dialect: Dialect, changes: Changes, literal: bool) -> Adapted:
    """The schema in the subset. What stands for a value beside others is an object or two deep:
    where that is one too many, what is above becomes JSON text."""
    found = Adapted(False, SAME)
    for slack in range(4):
        deepest = None if dialect.nesting is None else dialect.nesting - slack
        narrowed = dataclasses.replace(dialect, nesting=deepest)
        noted = Changes(changes.all)
        compiler = Compiler(made, narrowed, WRITERS, noted, literal)
        written, form = compiled_root(compiler)
        whole = {**written, "$defs": compiler.written} if compiler.written else written
        left = tuple(findings(whole, dialect))
        found = Adapted(whole, pruned(form), noted.all, left)
        if deepest is None or not any("nesting" in finding.why for finding in left):
            return found
    return found


def is_literal(schema: JSON) -> bool:
    """Whether a schema is to be read to the letter: it names its draft, or closes some object, so
    its author knows that the others are open. What code generates, and most of what is written
    for tools, does neither, and means the properties that it names."""
    return isinstance(schema, dict) and (
        "$schema" in schema
        or any(node.get("additionalProperties") is False for _, node in nodes(schema))
    )


def unreadable(schema: JSON, dialect: Dialect, why: str) -> Adapted:
    """A schema that is none, or too large: it stays as it is, but for what is no object."""
    left = (Finding("", why),) if dialect.subset else ()
    if isinstance(schema, dict):
        return Adapted(schema, SAME, (Change("schema.unreadable", "", why),), left)
    empty = {"type": "object", "properties": {}}
    return Adapted(empty, SAME, (Change("schema.root", "", why),), left)
