"""What the lowering of one value carries along: the target's rules, its maps of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from toolbridge.conversion import Writing
from toolbridge.identifiers import NameMap, WordMap
from toolbridge.rules import Rules, resolve
from toolbridge.values import Value, make

if TYPE_CHECKING:
    from toolbridge.adapter import Adapter
    from toolbridge.request import Request
    from toolbridge.response import Response
    from toolbridge.schemas.budget import Spent
    from toolbridge.schemas.forms import Form
    from toolbridge.shape import Shape

V = TypeVar("V", bound=Value)
Marks = tuple[int, tuple[int, int]]
"""How many ids were taken at some time, and how many names."""


class Lowering:
    """The rules and maps of one lowering, and the request or response that is lowered.

    Of the tools: the names of those that take `free_text` here, those that are `custom` in
    the request, the names of those `left_out`, the
    `namespaces` of the others by name, and the `forms` of arguments that are not the app's; what
    of the budget for strict ones is `spent`, here and where they come from. `says_json`: a part
    of the history that was lowered before has the word in it.
    """

    def __init__(self, writing: Writing, whole: Request | Response) -> None:
        rules = writing.rules
        self.whole = whole
        self.writing, self.rules, self.report = writing, rules, writing.report
        self.ids = WordMap(rules.id_pattern, rules.id_length, rules.id_exact)
        self.names = NameMap(rules.name_pattern, rules.name_length)
        self.free_text: set[str] = set()
        self.custom: set[tuple[str | None, str]] = set()
        self.left_out: set[str] = set()
        self.forms: dict[tuple[str | None, str], Form] = {}
        self.spent: dict[str, Spent] = {}
        self.namespaces: dict[str, str | None] = {}
        self.says_json = False
        self._homes: dict[str, Rules] = {}

    def mark(self) -> Marks:
        """How many ids and names are taken, for `rewind`."""
        return self.ids.mark(), self.names.mark()

    def rewind(self, marks: Marks) -> None:
        """Give back the ids and names that were taken since."""
        ids, names = marks
        self.ids.rewind(ids)
        self.names.rewind(names)

    def changed(self, item: V, **changes: Any) -> V:
        """A copy of a value that stands for it in the report."""
        fields = {**vars(item), **changes}
        for name, member in changes.items():
            if member is item.defaults[name]:
                del fields[name]
        return self.report.derive(make(type(item), fields), item)

    def native(self, item: Value) -> bool:
        """Whether the target's own format read a value."""
        return self.writing.owns(item)

    def source_of(self, item: Value) -> Adapter | None:
        """The adapter of the format that a value was read in."""
        return None if item.spelling is None else self.writing.adapter_of(item.spelling.format)

    def derives_names(self, item: Value) -> bool:
        """Whether the source names a result after its call anyway."""
        source = self.source_of(item)
        return source is not None and source.names_results

    def shape_of(self, item: Value) -> Shape | None:
        """The shape that read a value."""
        source = self.source_of(item)
        return None if source is None else source.shapes.get(item.spelling.kind)

    def shows_reasoning(self, item: Value) -> bool:
        """Whether an answer shows another's thoughts, in the target and on the way back."""
        source = self.source_of(item)
        return self.writing.target.answer_reasoning and (source is None or source.answer_reasoning)

    def home(self, item: Value) -> Rules | None:
        """The rules of the format that a value was read in: what the way back will meet. It
        knows the model where the body names it."""
        source = self.source_of(item)
        if source is None:
            return None
        if source.name not in self._homes:
            whole = self.whole
            own = whole.spelling is not None and whole.spelling.format == source.name
            named = own and "model" not in self.writing.target.outside_body
            profile, model = whole.profile if own else None, whole.model if named else None
            self._homes[source.name] = resolve(source.rules, profile, model)
        return self._homes[source.name]
