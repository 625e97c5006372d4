"""The validation of arguments over the real schemas: what a label calls invalid is refused, with
formats checked, but for the few on which label and validator differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from laws.corpus import requires_shared
from schemas.corpus_schemas import real_schemas
from toolbridge.errors import ToolDefinitionError
from toolbridge.validation.validators import checker_of

FILE: Final = Path(__file__).with_name("disagreements.json")
"""`labels`: instances, by schema and index, that are labelled otherwise than the validator says.
`schemas`: those that are invalid in the draft that they name."""


def measured() -> dict[str, Any]:
    """What the file should hold."""
    labels, schemas = [], []
    for real in real_schemas():
        try:
            checker = checker_of(real.id, real.schema)
        except ToolDefinitionError:
            schemas.append(real.id)
            continue
        labels += [
            [real.id, index]
            for index, instance in enumerate(real.instances)
            if checker.is_valid(instance.data) is not instance.valid
        ]
    return {"labels": labels, "schemas": schemas}


@requires_shared
def test_label_and_validator_differ_on_the_listed_alone() -> None:
    assert measured() == json.loads(FILE.read_text(encoding="utf-8"))
