"""The form of a value that may have one of several schemas, each with a form of its own.

Which one it is follows from its JSON type where that is enough, else from which schema it fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolbridge.schemas.forms import Form
from toolbridge.schemas.instances import equal, is_of
from toolbridge.schemas.modern import modern, whole
from toolbridge.schemas.words import Schema, nodes
from toolbridge.values import JSON


class Side:
    """A schema on one side of a form: the types that it admits, and what is valid."""

    def __init__(
        self, schema: Schema, kinds: frozenset[str], definitions: Mapping[str, Schema]
    ) -> None:
        self.schema, self.kinds = schema, kinds
        self._definitions = definitions
        self._validator: Any = None

    def admits(self, item: JSON) -> bool:
        """Whether a value is valid."""
        if self._validator is None:
            from jsonschema import Draft202012Validator
            from referencing.jsonschema import EMPTY_REGISTRY

            schema: Any = self.schema
            if isinstance(schema, dict):
                schema = {**schema, "$defs": self._definitions}
            # Google's subset alone has the word, and no definitions to look for it in
            if any("nullable" in node for _, node in nodes(self.schema)):
                schema = whole(modern(schema))
            self._validator = Draft202012Validator(schema, registry=EMPTY_REGISTRY)
        try:
            return bool(self._validator.is_valid(item))
        except Exception:  # a value too deep, a pattern that Python cannot read: it fits nothing
            return False


class Branch:
    """One of the schemas: as the app wrote it, as it is written, and the form in between."""

    def __init__(self, original: Side, written: Side, form: Form) -> None:
        self.original, self.written, self.form = original, written, form


class Union(Form):
    """A value of one of several schemas."""

    def __init__(self, branches: Sequence[Branch]) -> None:
        self.branches = branches

    def forward(self, item: JSON) -> JSON:
        fitting = [each for each in self.branches if is_of(each.original.kinds, item)]
        if len(fitting) > 1:
            fitting = [each for each in fitting if each.original.admits(item)] or fitting
        for branch in fitting if len(fitting) > 1 else ():
            written = branch.form.forward(item)
            if equal(self.restore(written), item):
                return written
        return fitting[0].form.forward(item) if fitting else item

    def restore(self, item: JSON) -> JSON:
        found = list(self.candidates(item))
        for restored, branch in found if len(found) > 1 else ():
            if branch.original.admits(restored):
                return restored
        return found[0][0] if found else item

    def candidates(self, item: JSON) -> Iterator[tuple[JSON, Branch]]:
        """What a written value may stand for, the likeliest first."""
        fitting = [each for each in self.branches if is_of(each.written.kinds, item)]
        if len(fitting) > 1:
            fitting = [each for each in fitting if each.written.admits(item)] or fitting
        for branch in fitting:
            yield branch.form.restore(item), branch

    def parts(self) -> Sequence[Form]:
        return [branch.form for branch in self.branches]
