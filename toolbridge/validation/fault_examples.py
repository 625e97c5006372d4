"""Faults of arguments with an example each of what would be valid in their place."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable
from typing import Final

from toolbridge.schemas.places import schemas_at
from toolbridge.validation.faults import MOST, Fault, Path, as_json, value_at
from toolbridge.validation.valid_example import NOTHING, TRIED, candidates
from toolbridge.values import JSON

Wrong = Callable[[JSON], Iterable[Path]]
"""Says of which places of arguments something is wrong, by the validator."""

LONGEST: Final = 200
"""Characters of an example that is shown: half of one would be none."""

ATTEMPTS: Final = 40
"""Validations that are spent on the examples of one error."""


def explained(
    faults: Iterable[Fault], schema: JSON, arguments: JSON, wrong: Wrong
) -> tuple[Fault, ...]:
    """Faults with an example, where one is found that the validator takes in their place."""
    finder = Finder(schema, arguments, wrong)
    return tuple(
        fault if fault.unknown or index >= MOST else finder.with_example(fault)
        for index, fault in enumerate(faults)
    )


class Finder:
    """Finds examples for the faults of the same arguments."""

    def __init__(self, schema: JSON, arguments: JSON, wrong: Wrong) -> None:
        self.schema, self.arguments, self.wrong = schema, arguments, wrong
        self.left = ATTEMPTS

    def with_example(self, fault: Fault) -> Fault:
        """A fault with the first example that is right, if there is one."""
        for schema in itertools.islice(schemas_at(self.schema, self.schema, fault.path), TRIED):
            for example in itertools.islice(candidates(schema, self.schema), TRIED):
                if self.is_right(fault.path, example):
                    return dataclasses.replace(fault, example=example)
        return fault

    def is_right(self, path: Path, example: JSON) -> bool:
        """Whether nothing is wrong any more with a place and all below it, once it has the
        example."""
        if self.left <= 0 or len(as_json(example)) > LONGEST:
            return False
        self.left -= 1
        changed = put(self.arguments, path, example)
        if not path and not isinstance(example, dict):
            return False
        return all(place[: len(path)] != path for place in self.wrong(changed))


def put(arguments: JSON, path: Path, value: JSON) -> JSON:
    """A copy of arguments with another value at a path."""
    if not path:
        return value
    key, *rest = path
    member = value_at(arguments, (key,))
    inner = put(None if member is NOTHING else member, tuple(rest), value)
    if isinstance(arguments, list):
        return [inner if index == key else item for index, item in enumerate(arguments)]
    return {**(arguments if isinstance(arguments, dict) else {}), str(key): inner}
