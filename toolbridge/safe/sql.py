"""SQL as bound parameters only: the model picks a statement of the app's and gives its values.

CWE-89 (https://cwe.mitre.org/data/definitions/89.html). Text and parameters go to the database
apart (PEP 249, https://peps.python.org/pep-0249/#paramstyle), so no value becomes SQL.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Literal

from toolbridge.safe.base import ArgumentType, misdefined, refuse
from toolbridge.safe.placeholders import names_in, with_percent_style
from toolbridge.values import JSON, FrozenDict

LONGEST = 10_000
SMALLEST, LARGEST = -(2**63), 2**63 - 1
"""The widest integers of SQLite, PostgreSQL and MySQL: 64 bits."""

Scalar = str | int | float | bool | None
TYPES: dict[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


@dataclasses.dataclass(frozen=True, slots=True)
class BoundStatement:
    """A statement of the app's with the values of the model:
    `cursor.execute(bound.text, bound.parameters)`. It has no JSON Schema of its own, so that
    no tool takes one without a `SQL` that says which."""

    name: str
    text: str
    parameters: dict[str, Scalar]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.is_instance_schema(cls)


@dataclasses.dataclass(frozen=True, eq=False)
class SQL(ArgumentType):
    """One of the app's statements by its name, with parameters:
    `{"statement": "orders_of", "parameters": {"customer": "c-1"}}`, given as a BoundStatement.
    Annotate with that: `Annotated[safe.BoundStatement, safe.SQL({...})]`.

    `statements` maps names to SQL with `:name` for each parameter; quoted texts, comments and
    casts (`::`) are left alone. `types` maps parameters to str, int, float or bool (int fits
    float, null fits none); a parameter without a type is any scalar. `descriptions` tells the
    model what a statement is for; the SQL is never shown. `paramstyle` is that of the driver:
    "named" (sqlite3, oracledb, text() of SQLAlchemy) or "pyformat" (psycopg, MySQL).

    A value of a LIKE is still a pattern: escape % and _ in it. Raises ToolDefinitionError.
    """

    statements: Mapping[str, str]
    types: Mapping[str, type] = dataclasses.field(default_factory=dict)
    descriptions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    paramstyle: Literal["named", "pyformat"] = "named"

    def __post_init__(self) -> None:
        if not self.statements or not all(self.statements) or not all(self.statements.values()):
            misdefined("SQL", "statements must map names to SQL with :name for parameters")
        if self.paramstyle not in ("named", "pyformat"):
            misdefined("SQL", f"paramstyle must be 'named' or 'pyformat', not {self.paramstyle!r}")
        used = {name for text in self.statements.values() for name in names_in(text)}
        if unknown := self.types.keys() - used:
            misdefined("SQL", f"types names {', '.join(sorted(unknown))}, in no statement")
        if set(self.types.values()) - TYPES.keys():
            misdefined("SQL", "types must be of str, int, float and bool")
        if unknown := self.descriptions.keys() - self.statements.keys():
            misdefined("SQL", f"descriptions names {', '.join(sorted(unknown))}, no statement")
        for field in ("statements", "types", "descriptions"):
            object.__setattr__(self, field, FrozenDict(getattr(self, field)))

    def check(self, value: Any) -> BoundStatement:
        """Text and parameters for the database. Raises ValueError with words for the model."""
        mend = f"Give an object such as {shown(self.example())}"
        if not isinstance(value, dict) or "statement" not in value:
            refuse("the query must name one of the statements: SQL text is not taken", mend)
        if unknown := value.keys() - {"statement", "parameters"}:
            refuse(f"the query has {', '.join(sorted(map(str, unknown)))}, which it may not", mend)
        name = value["statement"]
        if not isinstance(name, str) or name not in self.statements:
            refuse(f"the statement must be {' or '.join(self.statements)}", mend)
        text = self.statements[name]
        parameters = self.checked_parameters(names_in(text), value.get("parameters", {}), mend)
        text = with_percent_style(text) if self.paramstyle == "pyformat" else text
        return BoundStatement(name, text, parameters)

    def checked_parameters(
        self, names: tuple[str, ...], given: Any, mend: str
    ) -> dict[str, Scalar]:
        """Exactly the parameters of a statement, each a scalar of its type."""
        asked = f"exactly {', '.join(names)}" if names else "none"
        if not isinstance(given, dict) or given.keys() != set(names):
            refuse(f"the parameters of this statement are {asked}", mend)
        for name in names:
            check_scalar(name, given[name], self.types.get(name), mend)
        return {name: given[name] for name in names}

    def example(self) -> dict[str, JSON]:
        """A value that passes."""
        samples: dict[type, Scalar] = {str: "text", int: 1, float: 1.5, bool: True}
        name, text = next(iter(self.statements.items()))
        names = names_in(text)
        return {
            "statement": name,
            "parameters": {each: samples[self.types.get(each, str)] for each in names},
        }

    def limits(self) -> dict[str, JSON]:
        """An object for each statement, with its parameters."""
        forms = [self.form(name, names_in(text)) for name, text in self.statements.items()]
        words = "One of the prepared statements by its name, with its parameters; no SQL text."
        if len(forms) == 1:
            told = f"{words} {forms[0].pop('description', '')}".strip()
            return {**forms[0], "description": told, "examples": [self.example()]}
        return {"description": words, "anyOf": forms, "examples": [self.example()]}

    def form(self, statement: str, names: tuple[str, ...]) -> dict[str, JSON]:
        """The schema of one statement."""
        parameters = {
            "type": "object",
            "properties": {name: self.scalar_schema(name) for name in names},
            "required": list(names),
            "additionalProperties": False,
        }
        told = self.descriptions.get(statement)
        return {
            "type": "object",
            **({"description": told} if told else {}),
            "properties": {
                "statement": {"type": "string", "enum": [statement]},
                "parameters": parameters,
            },
            "required": ["statement", "parameters"] if names else ["statement"],
            "additionalProperties": False,
        }

    def scalar_schema(self, name: str) -> dict[str, JSON]:
        """The schema of a parameter."""
        kind = self.types.get(name)
        if kind is None:
            return {"type": ["string", "number", "boolean", "null"], "maxLength": LONGEST}
        length = {"maxLength": LONGEST} if kind is str else {}
        return {"type": TYPES[kind], **length}


def check_scalar(name: str, value: Any, kind: type | None, mend: str) -> None:
    """Raise where a parameter is no scalar, not of its type, or none that databases store."""
    if value is not None and type(value) not in TYPES:
        refuse(f"{name} must be a single value, not {type(value).__name__}", mend)
    if kind is not None and type(value) not in ((float, int) if kind is float else (kind,)):
        refuse(f"{name} must be of the type {TYPES[kind]}", mend)
    if isinstance(value, str):
        check_stored(name, value, mend)
    elif isinstance(value, float) and not math.isfinite(value):
        refuse(f"{name} must be a finite number", mend)
    elif isinstance(value, int) and not SMALLEST <= value <= LARGEST:
        refuse(f"{name} must fit in 64 bits", mend)


def check_stored(name: str, value: str, mend: str) -> None:
    """Raise for a text that databases do not store: PostgreSQL takes no null character
    (https://www.postgresql.org/docs/current/datatype-character.html), none takes half a pair."""
    if len(value) > LONGEST:
        refuse(f"{name} is longer than {LONGEST} characters", mend)
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        refuse(f"{name} has a null character or half of a surrogate pair", mend)


def shown(value: JSON) -> str:
    """A value as JSON writes it."""
    import json

    return json.dumps(value, ensure_ascii=False)
