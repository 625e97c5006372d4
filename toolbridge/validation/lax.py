"""Arguments of a call as a model meant them, where it wrote another JSON type than was asked for.

What pydantic's lax mode takes (https://docs.pydantic.dev/latest/concepts/conversion_table) is
taken for every schema, and each change is told: numbers and booleans as text, 0 and 1 for
booleans, 3.0 for 3. Beside it arrays and objects that were encoded twice, and null for an optional
argument. Numbers never become text, and no text is completed or repaired.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from toolbridge.locate import escape
from toolbridge.schemas.instances import equal
from toolbridge.schemas.places import Key, Node, below, kind_of, kinds, parts, unions
from toolbridge.validation.lax_values import CONVERSIONS, parsed
from toolbridge.values import JSON

Path = tuple[Key, ...]


class Change(NamedTuple):
    """One change: the JSON pointer to the argument, the value as the model wrote it and as it was
    taken (None where null was left out), and why."""

    path: str
    before: JSON
    after: JSON
    why: str


class Mended(NamedTuple):
    """Arguments, and what was changed in them: the arguments that came, if nothing was."""

    arguments: dict[str, JSON]
    changes: tuple[Change, ...]


DEPTH: Final = 100
"""Levels of objects and arrays in one another that are looked at."""

STEPS: Final = 20_000
"""Values that are looked at; unions in unions may ask for a value again and again."""

OMITTED: Final = "null for an argument that may be left out"
DECODED: Final = "a JSON text for an {kind}"
CONVERTED: Final = "a {given} for a {kind}"


def mend(schema: JSON, arguments: dict[str, JSON]) -> Mended:
    """Arguments with the values changed whose JSON type a schema does not want, where there is one
    way to read them as one that it wants. Nothing is mutated.

    A text is decoded only where an object or array is wanted and no text. In a union a value
    changes only if no branch takes its type; an object or array in several branches only if it
    fits none as it is, and all that it could become to fit one are the same. Whether the outcome
    is valid is for the validation to say.
    """
    walk = Walk(schema)
    try:
        made = walk.value(schema, arguments, ())
    except Exhausted:
        return Mended(arguments, ())
    return Mended(made, tuple(walk.changes))


class Exhausted(Exception):
    """A schema asks for too many steps."""


class Walk:
    """A walk through a value along its schema, with the changes that it makes."""

    def __init__(self, root: JSON, steps: int = 0) -> None:
        self.root = root
        self.changes: list[Change] = []
        self.steps = steps

    def value(self, schema: JSON, value: JSON, path: Path) -> Any:
        """A value as the schema wants it."""
        if not isinstance(schema, dict):
            return value
        kind, said = kind_of(value), schema.get("type")
        if said != kind:
            value = self.converted(value, kind, schema, path)
        elif kind not in ("object", "array"):
            return value
        self.step()
        if len(path) >= DEPTH or not isinstance(value, (dict, list)):
            return value
        nodes = parts(schema, self.root)
        value = self.inside(nodes, value, path)
        for node in nodes:
            for branches in unions(node):
                value = self.union(branches, value, path)
        return value

    def step(self) -> None:
        """Count a step. Raises Exhausted."""
        self.steps += 1
        if self.steps > STEPS:
            raise Exhausted

    def converted(self, value: JSON, given: str | None, schema: JSON, path: Path) -> Any:
        """A value as one of the types that a schema wants, if it is of none and can be read so."""
        wanted = kinds(schema, self.root)
        if given in wanted:
            return value
        if "number" in wanted:
            wanted -= {"integer"}
        for kind, convert in CONVERSIONS.items():
            if kind in wanted:
                made = convert(value)
                if made is not None:
                    self.tell(path, value, made, why_of(value, kind))
                    return made
        return value

    def tell(self, path: Path, before: JSON, after: JSON, why: str) -> None:
        """Remember a change."""
        pointer = "".join(f"/{escape(str(key))}" for key in path)
        self.changes.append(Change(pointer, before, after, why))

    def inside(self, nodes: tuple[Node, ...], value: JSON, path: Path) -> Any:
        """An object or array with what is in it as the schemas want it."""
        if isinstance(value, dict):
            return self.object(nodes, value, path)
        return self.array(nodes, value, path)

    def object(self, nodes: tuple[Node, ...], value: dict[str, JSON], path: Path) -> JSON:
        """An object with its members as the schemas want them."""
        made: dict[str, JSON] | None = None
        for name, member in value.items():
            schema = below(nodes, name)
            if schema is None:
                continue
            if member is None and self.is_omitted(nodes, name, schema):
                self.tell((*path, name), None, None, OMITTED)
                made = dict(value) if made is None else made
                del made[name]
                continue
            new = self.value(schema, member, (*path, name))
            if new is not member:
                made = dict(value) if made is None else made
                made[name] = new
        return value if made is None else made

    def is_omitted(self, nodes: tuple[Node, ...], name: str, schema: JSON) -> bool:
        """Whether null can only mean that a property is left out."""
        return (
            any(name in node.get("properties", ()) for node in nodes)
            and not any(name in (node.get("required") or ()) for node in nodes)
            and isinstance(schema, dict)
            and "null" not in kinds(schema, self.root)
        )

    def array(self, nodes: tuple[Node, ...], value: list[JSON], path: Path) -> JSON:
        """An array with its items as the schemas want them."""
        made: list[JSON] | None = None
        for index, item in enumerate(value):
            schema = below(nodes, index)
            new = item if schema is None else self.value(schema, item, (*path, index))
            if new is not item:
                made = list(value) if made is None else made
                made[index] = new
        return value if made is None else made

    def union(self, branches: list[JSON], value: JSON, path: Path) -> Any:
        """An object or array as a branch of a union wants it."""
        kind = kind_of(value)
        taking = [branch for branch in branches if kind in kinds(branch, self.root)]
        if len(taking) == 1:
            return self.value(taking[0], value, path)
        if any(self.fits(branch, value) for branch in taking):
            return value
        trials: list[tuple[Any, list[Change]]] = []
        for branch in taking:
            walk = Walk(self.root, self.steps)
            made = walk.value(branch, value, path)
            self.steps = walk.steps
            if walk.changes and self.fits(branch, made):
                trials.append((made, walk.changes))
        if not trials or not all(equal(made, trials[0][0]) for made, _ in trials):
            return value
        self.changes += trials[0][1]
        return trials[0][0]

    def fits(self, schema: JSON, value: JSON) -> bool:
        """Whether a value has the types, properties and listed values that a schema wants, all the
        way down."""
        self.step()
        if not isinstance(schema, dict):
            return schema is not False
        kind = kind_of(value)
        if kind not in kinds(schema, self.root):
            return False
        nodes = parts(schema, self.root)
        return (
            all(is_listed(node, value) for node in nodes)
            and all(self.fits_inside(node, value) for node in nodes)
            and all(
                any(self.fits(branch, value) for branch in branches)
                for node in nodes
                for branches in unions(node)
            )
        )

    def fits_inside(self, node: Node, value: JSON) -> bool:
        """Whether the members of a value fit one schema, and none is missing."""
        if isinstance(value, dict):
            if not all(name in value for name in node.get("required") or ()):
                return False
            members: Any = value.items()
        else:
            members = enumerate(value) if isinstance(value, list) else ()
        schemas = ((below((node,), key), member) for key, member in members)
        return all(schema is None or self.fits(schema, member) for schema, member in schemas)


def is_listed(node: Node, value: JSON) -> bool:
    """Whether a value is one of those that a schema lists, if it lists any."""
    if "const" in node:
        return equal(node["const"], value)
    return "enum" not in node or any(equal(each, value) for each in node["enum"])


def why_of(value: JSON, kind: str) -> str:
    """Why a value was changed."""
    words = DECODED if kind in ("array", "object") else CONVERTED
    return words.format(given=kind_of(value), kind=kind).replace(" a i", " an i")


def decoded(text: str) -> dict[str, JSON] | None:
    """Whole arguments that were encoded twice: the object whose JSON text a JSON text says. None
    for anything else: broken or cut JSON is never guessed into arguments."""
    inner = parsed(text, str)
    return None if inner is None else parsed(inner, dict)
