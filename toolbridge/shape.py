"""Shapes: one table a wire object, read and written by one engine for every format.

A Shape says which key of a wire object is which field of a canonical value. The engine keeps
what must never be forgotten, in one place for all: unknown keys go to `extra`, spelling to
`spelling`, and a field for which the target has no row is reported as a loss.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from toolbridge import shape_read, shape_write
from toolbridge.codec import Codec
from toolbridge.nodes import PLANS_KEPT, Bag, Inner, Level, Node, Row, Sub, Tag
from toolbridge.parts import ToolCall
from toolbridge.return_trip import Difference
from toolbridge.shape_write import WritePlan
from toolbridge.values import JSON, Value, same

if TYPE_CHECKING:
    from toolbridge.conversion import Reading, Writing
    from toolbridge.spelling import Spelling

NEVER_LOST = frozenset({"spelling", "author", "stop_reason", "arguments_text", "profile"})
"""Fields that say what the reader made of others that are written; so does a call's status."""


class Writer(NamedTuple):
    """Where a field goes: the path of keys and the codec."""

    path: tuple[str, ...]
    codec: Codec


@dataclasses.dataclass(eq=False, repr=False)
class Shape:
    """The table of one wire object.

    `format` and `kind` name it, alone in its format; `word` is what the tag of a union calls
    it, if that is another. `model` is the class of value it stands for.

    Fields: `given` are those that every object of this kind has without a key of its own,
    `implied` those that the place of the object expresses, `places` the paths of those that
    `finish` sets. `defaults` are documented values that say no more than their absence.
    `required` fields must be there and not null, else the object is no such thing (Mismatch).
    `synonyms` are those of which several keys are the vendor's own.

    Answers: `fills` is what is written for fields that the type requires and another format
    does not have, a value or a function of the fields. `follows` says how fields follow from
    others, `hinges` whose value is off where another is lost.

    `tolerant` keeps a value of the wrong form among the unknown keys. Those go to the field
    `rest`. `finish` may complete the fields read, `prepare` change those to be written; `trip`
    tells what else the way back from elsewhere changes.

    `read` gives the value of a wire object and raises Mismatch where it is no object of this
    kind; `write` gives the wire object of a value, in its own spelling where it was read by
    this shape.
    """

    format: str
    kind: str
    model: type[Value]
    nodes: Sequence[Node]
    word: str = ""
    given: dict[str, Any] = dataclasses.field(default_factory=dict)
    implied: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    places: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    fills: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    hinges: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    follows: Mapping[str, Callable[[Mapping[str, Any]], Any]] = dataclasses.field(
        default_factory=dict
    )
    synonyms: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    tolerant: bool = False
    rest: str = "extra"
    trip: Callable[[Spelling], Iterable[Difference]] | None = None
    finish: Callable[[dict[str, Any], JSON, Reading], None] | None = None
    prepare: Callable[[Any, dict[str, Any], Writing], dict[str, Any]] | None = None

    def __post_init__(self) -> None:
        self.word = self.word or self.kind
        self.derived = self.model.derived
        self.top = Level(self.nodes)
        self.passed = {*NEVER_LOST, "extra", *self.given, *self.implied, self.rest}
        if self.model is ToolCall:
            self.passed.add("status")
        self.writers: dict[str, Writer] = {}
        self.alternates: dict[str, list[Writer]] = {}
        self.bags: set[str] = set()
        self.subs: dict[str, Shape] = {}
        self.tags: list[tuple[tuple[str, ...], JSON]] = []
        self.nested: set[tuple[str, ...]] = set()
        self.write_plans: dict[tuple[str, ...], WritePlan] = {}
        self._collect(self.nodes, ())
        self.constants = {path[0]: constant for path, constant in self.tags if len(path) == 1}
        self.fields_at = {"/".join(row.path): name for name, row in self.writers.items()}
        self.deep_tags = [(path, constant) for path, constant in self.tags if len(path) > 1]
        self.read: Callable[[JSON, Reading], Any] = partial(shape_read.read, self)
        self.write: Callable[[Any, Writing], dict[str, JSON]] = partial(shape_write.write, self)

    def _collect(self, nodes: Sequence[Node], path: tuple[str, ...]) -> None:
        for node in nodes:
            if isinstance(node, Row):
                writer = Writer((*path, node.key), node.codec)
                if node.field in self.writers:
                    self.alternates.setdefault(node.field, []).append(writer)
                else:
                    self.writers[node.field] = writer
            elif isinstance(node, Tag) and node.written:
                self.tags.append(((*path, node.key), node.constant))
            elif isinstance(node, Inner):
                self.nested.add((*path, node.key))
                self._collect(node.rows, (*path, node.key))
            elif isinstance(node, Sub):
                self.subs[node.field] = node.shape
            elif isinstance(node, Bag):
                self.bags.add(node.field)

    def fill(self, field: str, fields: Mapping[str, Any]) -> Any:
        """What an answer's required field is given, by the fields that there are."""
        fill = self.fills[field]
        return fill(fields) if callable(fill) else fill

    def comes_back(self, field: str, item: Value) -> bool:
        """Whether the way back gives a field of an answer just what it had."""
        fields = vars(item)
        if field in self.follows:
            return same(self.follows[field](fields), fields[field])
        return field in self.fills and same(self.fill(field, fields), fields[field])

    @property
    def made_up(self) -> Iterable[str]:
        """Ids that pair calls and results, where the format has a key for them."""
        return self.writers.keys() & ({"id"} if self.model is ToolCall else {"call_id"})

    def write_plan(self, names: tuple[str, ...]) -> WritePlan:
        """What to do with one set of fields, made once."""
        if len(self.write_plans) >= PLANS_KEPT:
            self.write_plans.clear()
        plan = self.write_plans[names] = shape_write.make_plan(self, names)
        return plan

    def writer(self, field: str, spelling: Spelling | None) -> Writer | None:
        """Where a field goes: under the key that it came under, else under the first."""
        if spelling is not None and field in self.alternates:
            return self.spelled_writers(field, spelling)[0]
        return self.writers.get(field)

    def has_place(self, field: str) -> bool:
        """Whether a field has a key, or a place within another's."""
        return field in self.writers or field in self.places

    def writers_for(
        self, field: str, item: Any, spelling: Spelling | None, writing: Writing
    ) -> list[Writer]:
        """Where a value goes: under the keys that it came under, else the first that fits it
        and suits the target. A host's own key is not for other profiles."""
        every = [self.writers[field], *self.alternates.get(field, ())]
        fitting = [each for each in every if each.codec.fits(item)] or every
        if spelling is not None and (writing.native or field in self.synonyms):
            came = [each for each in fitting if self.spelled_with(each.path, spelling)]
            if came:
                return came
        return [each for each in fitting if each.codec.suits(writing.rules)][:1] or fitting[:1]

    def spelled_writers(self, field: str, spelling: Spelling) -> list[Writer]:
        """All places of a field that an object came with, else the first. A host may spell one
        value under two keys: both are written again."""
        every = [self.writers[field], *self.alternates.get(field, ())]
        return [each for each in every if self.spelled_with(each.path, spelling)] or every[:1]

    def spelled_with(self, path: tuple[str, ...], spelling: Spelling) -> bool:
        """Whether an object came with a value at this path of the table's keys."""
        return self.has_key(path, spelling) and "/".join(path) not in spelling.nulls

    def has_key(self, path: tuple[str, ...], spelling: Spelling) -> bool:
        """Whether an object came with this path of the table's keys, if only with a null."""
        level, keys = self.top, spelling.keys
        for key in path:
            if all(level.standard(spelled) != key for spelled in keys):
                return False
            keys = spelling.inner.get(level.path + key, ())
            level = level.inner.get(key, level)
        return True

    def places_of(self, field: str, spelling: Spelling) -> list[list[str]]:
        """The keys, as an object of this shape is spelled, down to one of its fields."""
        if field in self.alternates:
            paths = [writer.path for writer in self.spelled_writers(field, spelling)]
        elif field in self.writers:
            paths = [self.writers[field].path]
        else:
            paths = [self.places.get(field, ())]
        return [self.spelled(path, spelling) for path in paths]

    def spelled(self, path: tuple[str, ...], spelling: Spelling) -> list[str]:
        """A path of the table's keys in the spelling of one object."""
        level, keys, spelled = self.top, spelling.keys, []
        for key in path:
            spelled.append(next((k for k in keys if level.standard(k) == key), key))
            keys = spelling.inner.get(level.path + key, ())
            level = level.inner.get(key, level)
        return spelled
