"""Requests whose history grows, as those of a run do: what was written once is kept.

Each request is written as `write` would write it, in time that grows with what is new in it. Where
that is not certain, the request is written as a whole.
"""

from __future__ import annotations

from itertools import chain
from operator import is_
from typing import Any

from toolbridge.adapter import Adapter
from toolbridge.convert import (
    Converted,
    envelope,
    open_writing,
    shape_of,
    with_settings,
    write_offered,
)
from toolbridge.errors import ConversionError
from toolbridge.locate import GrowingLocator, escape, pointers
from toolbridge.loss import Loss
from toolbridge.lower.cache import find as find_marks
from toolbridge.lower.history import lower_end
from toolbridge.lower.lowering import Lowering
from toolbridge.lower.pieces import GrowingHistory, Piece, Unsure
from toolbridge.lower.request import lower_calling, lower_rest, refuse_state, split_system
from toolbridge.lower.settings import says_json
from toolbridge.lower.tools import is_function, lower_tools
from toolbridge.offered import Offered
from toolbridge.registry import BUILT_IN, find
from toolbridge.report import Report, Section
from toolbridge.request import Request
from toolbridge.tools import OutputFormat, ToolChoice
from toolbridge.values import JSON, Value, make, same


class GrowingWriter:
    """Writes the requests of one run in a format, for one model, as `write` does.

    A request that goes on from the one before, with the very messages of that and all settings
    but the tool choice as they were, costs what is new in it. The payloads have in common what
    their histories have in common: whoever changes one changes a copy. Not for several threads.
    """

    def __init__(self, format: str, model: str | None = None) -> None:
        self.format = format
        self.model = model
        self._kept: Kept | None = None

    def write_offered(self, request: Request) -> tuple[Converted, Offered]:
        """The request in the target's format, its losses and envelope, and the tools as they are
        written. Raises as `write` does."""
        kept, self._kept = self._kept, None
        for _ in range(2):
            try:
                if kept is None or not kept.is_before(request):
                    kept = self.begin(request)
                written = kept.write(request)
            except (Unsure, ConversionError):
                kept = None
            else:
                self._kept = kept
                return written
        return write_offered(request, self.format, model=self.model, stream=request.stream)

    def begin(self, request: Request) -> Kept:
        """Keep what comes of a request from here on. Raises Unsure for one that a format read,
        which comes back there otherwise, and for formats of which nobody knows whether they
        write a message by itself."""
        adapter, profile = find(self.format)
        if request.spelling is not None or adapter.name not in BUILT_IN:
            raise Unsure
        return Kept(request, adapter, profile, self.model)


STEPWISE = frozenset({"history", "tool_choice", "parallel_tool_calls"})
"""Fields that may change from request to request: the last two have no part in the history."""


class Kept:
    """What is kept of the requests so far: of the settled pieces the JSON and the losses, of the
    last piece all. `request` is the first of them; the others stand for it in the report."""

    def __init__(
        self, request: Request, adapter: Adapter, profile: str | None, model: str | None
    ) -> None:
        self.request = request
        self.history: tuple[Value, ...] = ()
        self.locator = GrowingLocator(request)
        self.report = Report(lambda: self.locator, shape_of)
        self.writing = open_writing(adapter, profile, self.report, False, model, request, ())
        self.writing.put_history = self.put_history
        self.model = model
        self.lowering = Lowering(self.writing, request)
        self.growing = GrowingHistory(self.lowering, request)
        self.row = adapter.shapes["request"].writers["history"]
        refuse_state(self.lowering, request)
        self.of_tools = self.report.section
        self.tools = lower_tools(self.lowering, request)
        self.named = frozenset(self.lowering.names.originals.values())
        self.settled = Settled()
        self.passing = Passing()
        self.front: list[JSON] = []
        self.touched: set[int] = set()

    def is_before(self, request: Request) -> bool:
        """Whether a request goes on from those before."""
        before, now, count = vars(self.request), vars(request), len(self.history)
        if before.keys() - STEPWISE != now.keys() - STEPWISE or len(request.history) < count:
            return False
        if not all(is_same(before[name], now[name]) for name in before.keys() - STEPWISE):
            return False
        return all(map(is_, self.history, request.history))

    def write(self, request: Request) -> tuple[Converted, Offered]:
        """See `GrowingWriter.write_offered`. Raises Unsure."""
        for section in self.passing.sections:
            self.report.drop(section)
        self.passing = passing = Passing()
        self.locator.follow(request)
        self.write_new(request)
        self.report.section = passing.choice
        if request is not self.request:
            self.report.derive(request, self.request)
        value = with_settings(request, self.report, self.model, request.stream)
        lowered = self.lower_settings(value)
        self.check_marks(lowered)
        payload = self.writing.target.writes["request"](lowered, self.writing)
        if self.writing.model is None:
            self.report.add("model.unknown", lowered, target_path="/model")
        self.locate(payload)
        made = Converted(payload, self.losses(), envelope(payload, self.writing, "request"))
        self.settle()
        return made, self.writing.offered

    def write_new(self, request: Request) -> None:
        """Lower and write what the history has more than the one before."""
        leading = 0 if request.instructions is None else 1
        first = len(split_system(request)[0]) - leading
        if first == len(request.history):
            raise Unsure
        self.growing.add(request.history[len(self.history) or first :])
        self.history = request.history
        for piece in self.growing.lower(request.history[first]):
            self.report.section = piece.written
            piece.json = self.in_list(piece.messages, self.request)

    def in_list(self, messages: tuple[Value, ...], owner: Value) -> list[JSON]:
        """Messages as they are written in a list of them."""
        written = self.row.codec.write(messages, self.writing, owner)
        if not isinstance(written, list):
            raise Unsure
        return written

    def lower_settings(self, request: Request) -> Request:
        """The request as the target takes it, with the last piece of its history."""
        lowering, passing, report = self.lowering, self.passing, self.report
        fields = {**vars(request), "tools": self.tools}
        if not self.named.issuperset(self.chosen(request)):
            raise Unsure  # names are given in the order of the choice, then of the history
        lower_calling(lowering, request, fields)
        report.section = passing.settings
        messages, moves = self.growing.pieces[-1].messages, self.growing.moves
        history = lower_end(lowering, messages, moves)
        passing.shown, passing.messages = len(history), history[len(messages) :]
        lowering.says_json = self.says_json(request)
        leading, _ = split_system(request)
        lower_rest(lowering, request, fields, leading, history, moves)
        return report.derive(make(Request, fields), request)

    def chosen(self, request: Request) -> list[tuple[str | None, str]]:
        """The tools that the choice names."""
        choice, lowering = request.tool_choice, self.lowering
        named: Any = choice.tools if isinstance(choice, ToolChoice) and self.tools else ()
        names = [each.name for each in named if is_function(lowering, each)]
        return [(lowering.namespaces.get(name), name) for name in names]

    def says_json(self, request: Request) -> bool:
        """Whether the history has the word JSON in it, where that is asked."""
        output, settled = request.output, self.settled
        if self.lowering.rules.json_word and isinstance(output, OutputFormat):
            pieces = self.growing.pieces
            settled.says_json = settled.says_json or any(says_json(p.messages) for p in pieces[:-1])
        return settled.says_json

    def check_marks(self, lowered: Request) -> None:
        """Where there are more cache marks than the target takes, the oldest go."""
        limit = self.lowering.rules.cache_marks
        if limit is not None:
            pieces = self.growing.pieces[:-1]
            self.settled.marks += sum(1 for p in pieces for _ in find_marks(p.messages, ""))
            if self.settled.marks + sum(1 for _ in find_marks(lowered, "")) > limit:
                raise Unsure

    def put_history(self, shown: tuple[Value, ...], owner: Value) -> list[JSON]:
        """The history of the payload: the system text in front, all pieces, and a last word."""
        passing = self.passing
        self.front = front = self.in_list(shown[: len(shown) - passing.shown], owner)
        self.report.section = passing.rest
        pieces = [each for piece in self.growing.pieces for each in piece.json]
        return [*front, *self.settled.json, *pieces, *self.in_list(passing.messages, owner)]

    def locate(self, payload: JSON) -> None:
        """Give all losses that are new their places. Raises Unsure where one is at a value that
        stands in several."""
        found = self.found(payload)
        pieces = (section for piece in self.growing.pieces for section in piece.sections)
        sections = (self.of_tools, self.growing.collected, *pieces, *self.passing.sections)
        for section in sections:
            self.touched |= self.report.locate(section, found)
        if self.touched:
            self.locator.find_all()
            if not self.locator.shared.isdisjoint(self.touched):
                raise Unsure

    def found(self, payload: JSON) -> dict[int, str]:
        """The pointers of the wire objects in which something was invented, by `id`."""
        (key,), report, front = self.row.path, self.report, self.front
        found: dict[int, str] = {}
        count = len(front) + len(self.settled.json)
        for piece in self.growing.pieces:
            if sought := report.sought(piece.written):
                found |= pointers(numbered(key, piece.json, count), sought)
            count += len(piece.json)
        sought = set().union(*map(report.sought, self.passing.sections))
        if id(payload) in sought:
            found[id(payload)] = ""
        others = [(f"/{escape(name)}", each) for name, each in payload.items() if name != key]
        return found | pointers([*others, *numbered(key, front, 0)], sought - {id(payload)})

    def losses(self) -> tuple[Loss, ...]:
        """All losses, in the order in which the whole would meet them."""
        settled, passing, pieces = self.settled, self.passing, self.growing.pieces
        return (
            *self.of_tools.losses,
            *passing.choice.losses,
            *self.growing.collected.losses,
            *settled.lowered,
            *chain.from_iterable(piece.lowered.losses for piece in pieces),
            *settled.begun,
            *chain.from_iterable(piece.begun.losses for piece in pieces),
            *passing.settings.losses,
            *settled.written,
            *chain.from_iterable(piece.written.losses for piece in pieces),
            *passing.rest.losses,
        )

    def settle(self) -> None:
        """Keep of all pieces but the last what is still needed."""
        pieces, settled = self.growing.pieces, self.settled
        for piece in pieces[:-1]:
            settled.take(piece)
            for section in piece.sections:
                self.report.drop(section)
        del pieces[:-1]


class Passing:
    """What one request alone reports: its tool choice, its settings and what is written before
    its history, and what is written after. `messages` are those put at the end for it, `shown`
    is how many of the history it shows."""

    def __init__(self) -> None:
        self.choice, self.settings, self.rest = self.sections = Section(), Section(), Section()
        self.messages: tuple[Value, ...] = ()
        self.shown = 0


class Settled:
    """Pieces that stay as they are: their JSON, their losses, their cache marks, and whether the
    word JSON is in them."""

    def __init__(self) -> None:
        self.json: list[JSON] = []
        self.lowered: list[Loss] = []
        self.begun: list[Loss] = []
        self.written: list[Loss] = []
        self.marks = 0
        self.says_json = False

    def take(self, piece: Piece) -> None:
        """One more piece."""
        self.json += piece.json
        self.lowered += piece.lowered.losses
        self.begun += piece.begun.losses
        self.written += piece.written.losses


def numbered(key: str, items: list[JSON], first: int) -> list[tuple[str, JSON]]:
    """The elements of a list, each with its pointer."""
    return [(f"/{escape(key)}/{index}", item) for index, item in enumerate(items, first)]


def is_same(one: Any, other: Any) -> bool:
    """Whether two fields are one value, or JSON that says the same."""
    return one is other or (isinstance(one, (str, int, float, dict, list)) and same(one, other))
