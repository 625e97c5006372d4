"""The real schemas of `../shared/corpus/schemas`, each with instances labelled valid or invalid."""

from __future__ import annotations

import functools
import gzip
import json
from typing import Any, Final, NamedTuple

from laws.corpus import SHARED, shared_folder

FILE: Final = SHARED / "corpus" / "schemas" / "maskbench-dev.jsonl.gz"


class Instance(NamedTuple):
    """A value, and whether it is valid by its label."""

    valid: bool
    data: Any


class Real(NamedTuple):
    """A schema of MaskBench with its instances."""

    id: str
    family: str
    schema: Any
    instances: tuple[Instance, ...]


@functools.cache
def real_schemas() -> tuple[Real, ...]:
    """All of them, in the order of the file."""
    shared_folder()
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return tuple(
            Real(
                row["id"],
                row["family"],
                row["schema"],
                tuple(Instance(each["valid"], each["data"]) for each in row["tests"]),
            )
            for row in rows
        )
