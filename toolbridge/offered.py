"""The tools as they were written for a target, and the way back from the calls that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from toolbridge.values import JSON

if TYPE_CHECKING:
    from toolbridge.schemas.forms import Form


class Offered(NamedTuple):
    """The namespace and name of each tool by the name that it was written under, the form of its
    arguments where that is another than the app's, and the names of those whose free text is
    the argument of a function."""

    names: Mapping[str, tuple[str | None, str]] = {}
    forms: Mapping[str, Form] = {}
    custom: frozenset[str] = frozenset()

    def identity(self, name: str) -> tuple[str | None, str] | None:
        """The namespace and name of the tool that is called by a name; None if none was offered
        under it."""
        return self.names.get(name)

    def restore(self, name: str, arguments: JSON) -> JSON:
        """The arguments of a call in terms of the tool's own schema."""
        form = self.forms.get(name)
        return arguments if form is None else form.restore(arguments)
