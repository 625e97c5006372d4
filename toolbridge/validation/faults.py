"""What is wrong with the arguments of a call, in words that a model can act on.

Each fault is a line: the argument by its path, what was wrong, what was given, and a valid example
where one is known. Secrets are not shown.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from toolbridge.schemas.circles import at
from toolbridge.schemas.places import Key, branched, is_marked, is_secret, schemas_at
from toolbridge.schemas.words import nodes
from toolbridge.validation.valid_example import NOTHING
from toolbridge.values import JSON

Path = tuple[Key, ...]

MOST: Final = 10
"""Faults that are told; of more only the number."""

GIVEN: Final = 80
"""Characters of a value that is shown."""

LISTED: Final = 20
"""Values, or names, that are listed."""

HIDDEN: Final = "***"
"""In place of a secret."""

KINDS: Final = {
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "boolean": "true or false",
    "null": "null",
    "array": "an array",
    "object": "an object",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: where, and what. `wrong_kind`: the value is of no type that is
    wanted, `unlisted`: it is none of those that are. `unknown`: there is no such argument.
    `example` is what would be valid there, or NOTHING."""

    path: Path
    what: str
    wrong_kind: bool = False
    unlisted: bool = False
    unknown: bool = False
    example: JSON = NOTHING

    @property
    def is_missing(self) -> bool:
        """Whether nothing was given."""
        return self.what.startswith(MISSING)


MISSING: Final = "missing"


class ArgumentsError(ValueError):
    """Arguments that do not fit: its text is for the model, `faults` are what it says."""

    def __init__(self, faults: Sequence[Fault], schema: JSON, arguments: JSON) -> None:
        self.faults = tuple(faults)
        self.schema = schema
        self.arguments = arguments
        super().__init__(told(self.faults, schema, arguments))

    def __reduce__(self) -> tuple[Any, ...]:
        return ArgumentsError, (self.faults, self.schema, self.arguments)

    @property
    def unquoted(self) -> str:
        """What does not fit, without what was given: for a log."""
        return "; ".join(f"{named(fault.path)}: {fault.what}" for fault in self.faults[:MOST])

    def given(self, original: JSON) -> ArgumentsError:
        """The same of arguments that were mended, with the values shown as the model wrote them.
        What stood inside of a text is shown as it was decoded."""
        return ArgumentsError(self.faults, self.schema, laid_over(self.arguments, original))


def laid_over(mended: JSON, original: JSON) -> JSON:
    """The original, but for what was decoded and what was left out."""
    if isinstance(mended, dict) and isinstance(original, dict):
        return {key: laid_over(member, original[key]) for key, member in mended.items()}
    if isinstance(mended, list) and isinstance(original, list):
        return [laid_over(*pair) for pair in zip(mended, original, strict=True)]
    return mended if isinstance(mended, (dict, list)) else original


def told(faults: Sequence[Fault], schema: JSON, arguments: JSON) -> str:
    """Faults as lines."""
    lines = [line_of(fault, schema, arguments) for fault in faults[:MOST]]
    if len(faults) > MOST:
        lines.append(f"- and {len(faults) - MOST} more")
    return "\n".join(lines)


def line_of(fault: Fault, schema: JSON, arguments: JSON) -> str:
    """One fault as a line."""
    value = NOTHING if fault.unknown or fault.is_missing else value_at(arguments, fault.path)
    given = "" if value is NOTHING else f" (given: {shown(value, schema, fault.path)})"
    example = "" if fault.example is NOTHING else f"; valid example: {as_json(fault.example)}"
    return f"- {named(fault.path)}: {fault.what}{given}{example}"


def named(path: Path) -> str:
    """A path in words."""
    return ".".join(map(str, path)) or "the arguments"


def as_json(value: Any) -> str:
    """A value as JSON; what is none as Python shows it."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def short(value: Any, most: int = GIVEN) -> str:
    """A value in a few words."""
    text = as_json(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def value_at(arguments: JSON, path: Path) -> JSON:
    """What stands at a path; NOTHING if there is none."""
    for key in path:
        if not has(arguments, key):
            return NOTHING
        arguments = arguments[key]
    return arguments


def has(value: JSON, key: Key) -> bool:
    """Whether a value has a property of this name, or an item of this index."""
    if isinstance(value, list):
        return isinstance(key, int) and key < len(value)
    return isinstance(value, dict) and key in value


# --- secrets


def shown(value: JSON, schema: JSON, path: Path) -> str:
    """A value in a few words, without what its schema, or one above, says is secret."""
    for end in range(len(path)):
        if any(is_secret(each, schema) for each in schemas_at(schema, schema, path[:end])):
            return HIDDEN
    return short(masked(value, list(schemas_at(schema, schema, path)), schema))


def masked(value: JSON, schemas: list[JSON], root: JSON) -> JSON:
    """A value with the secrets in it hidden. A text in place of an object may be its JSON,
    and a property of an unknown name one that is spelt differently."""
    if any(is_secret(each, root) for each in schemas):
        return HIDDEN
    secrets = any(holds_secret(each, root) for each in schemas)
    if isinstance(value, dict):
        members: Any = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    else:
        return HIDDEN if secrets and isinstance(value, str) else value
    made: dict[Key, JSON] = {}
    for key, member in members:
        below = [found for each in schemas for found in schemas_at(each, root, (key,))]
        made[key] = HIDDEN if secrets and not below else masked(member, below, root)
    return made if isinstance(value, dict) else list(made.values())


def holds_secret(schema: JSON, root: JSON) -> bool:
    """Whether something that is secret stands anywhere in a schema, or in what it refers to."""
    waiting, seen = [schema], set[int]()
    while waiting:
        for _, node in nodes(waiting.pop(), definitions=False):
            if is_marked(node):
                return True
            target = at(root, node["$ref"]) if isinstance(node.get("$ref"), str) else None
            if target is not None and id(target) not in seen:
                seen.add(id(target))
                waiting.append(target)
    return False


# --- words


def kinds_in_words(kinds: Iterable[str]) -> str:
    """Types as what a value must be."""
    return "must be " + " or ".join(KINDS.get(kind, kind) for kind in kinds)


def listed_in_words(values: Sequence[JSON]) -> str:
    """Values of which one must be given."""
    if len(values) == 1:
        return f"must be {short(values[0])}"
    return f"must be one of {bounded([short(each) for each in values])}"


def bounded(words: Sequence[str]) -> str:
    """Words in a row, the first of many."""
    rest = f" and {len(words) - LISTED} more" if len(words) > LISTED else ""
    return ", ".join(words[:LISTED]) + rest


def names_at(schema: JSON, path: Path) -> list[str]:
    """The names of the properties that an object may have."""
    return list(
        dict.fromkeys(
            name
            for each in schemas_at(schema, schema, path)
            for held in branched(each, schema)
            for node in held
            for name in node.get("properties", {})
        )
    )


def unknown(path: Path, names: Sequence[str]) -> Fault:
    """An argument that there is not, with those that there are."""
    word = "argument" if len(path) == 1 else "property"
    there = f"there are: {bounded(names)}" if names else "there are none"
    nearest = closest(str(path[-1]), names)
    meant = "" if nearest is None else f". Did you mean {nearest}?"
    return Fault(path, f"there is no such {word}; {there}{meant}", unknown=True)


def closest(name: str, names: Sequence[str]) -> str | None:
    """The name that was meant by one that is spelt differently."""
    import difflib

    plain = {each.casefold().replace("_", "").replace("-", ""): each for each in reversed(names)}
    sought = name[:100].casefold().replace("_", "").replace("-", "")
    found = difflib.get_close_matches(sought, list(plain)[:1000], 1)
    return plain[found[0]] if found else None


# --- unions


def best_of(branches: Sequence[Sequence[Fault]], place: Path) -> list[Fault]:
    """Of the faults that a value has under each branch of a union, those of the branch that was
    meant: one that takes its type, and of several the one with the fewest faults. What no branch
    takes is one fault, of all that they want."""
    if len(branches) == 1:
        return list(branches[0])
    meant = [
        branch
        for branch in branches
        if not any(is_other(fault) and fault.path == place for fault in branch)
    ]
    if not meant:
        return alternatives(
            [fault for branch in branches for fault in branch if fault.path == place]
        )
    nearest = min(map(distance, meant))
    nearest_ones = [branch for branch in meant if distance(branch) == nearest]
    found = [*dict.fromkeys(fault for branch in nearest_ones for fault in branch)]
    if len(nearest_ones) > 1 and all(fault.is_missing for fault in found):
        names = " or ".join(" and ".join(str(each.path[-1]) for each in b) for b in nearest_ones)
        return [Fault(place, f"needs {names}")]
    if len(nearest_ones) > 1 and all(fault.path == found[0].path for fault in found):
        return alternatives(found)
    return list(nearest_ones[0])


def is_other(fault: Fault) -> bool:
    """Whether the value is another one altogether."""
    return fault.wrong_kind or fault.unlisted


def distance(branch: Sequence[Fault]) -> tuple[int, int, int]:
    """How far a value is from a branch. What is listed tells branches apart, so it counts first,
    then types."""
    unlisted = sum(fault.unlisted for fault in branch)
    return unlisted, sum(fault.wrong_kind for fault in branch), len(branch)


def alternatives(faults: Sequence[Fault]) -> list[Fault]:
    """Faults at one place as one: what would do."""
    whats = [*dict.fromkeys(fault.what for fault in faults)]
    start = "must be "
    if all(what.startswith(start) for what in whats):
        wanted = " or ".join(what.removeprefix(start) for what in whats)
        return [dataclasses.replace(faults[0], what=start + wanted)]
    return [dataclasses.replace(faults[0], what=", or ".join(whats))]
