"""Law 2: a body written in another format, read there and written back, and what differs."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import toolbridge as tb
from toolbridge.loss import CODES

from .align import align
from .corpus import FORMATS, Recording, recordings
from .coverage import Coverage, count
from .exemptions import is_exempt
from .pointers import Json
from .severity import misplaced_notes
from .spelling import Kind, Spelled, base_format, one_spelling
from .tree import Node

SOURCES = ("anthropic", "anthropic:2023-06-01", "openai-chat", "openai-responses", "gemini")
PAIRS = [
    (source, target) for source in SOURCES for target in FORMATS if base_format(source) != target
]
"""The ordered pairs; Anthropic as source under both of its versions."""

REVERSIBLE = frozenset(code for code, entry in CODES.items() if entry.reversible)


@dataclass(frozen=True, slots=True)
class Trip:
    """The first step of a round trip, and what its losses must cover."""

    source: Spelled
    converted: tb.Converted
    coverage: Coverage
    misplaced: tuple[tb.Loss, ...]
    lost: tuple[Node, ...]
    """The leaves of the source that did not come back."""

    @property
    def problems(self) -> list[str]:
        """What breaks the law: a line for each leaf, loss or note."""
        return [
            *(f"missing {each.path}: {each.why}" for each in self.coverage.missing),
            *(f"spurious {_line(each.loss)}: {each.why}" for each in self.coverage.spurious),
            *(f"misplaced {_line(note)}" for note in self.misplaced),
        ]


def _line(loss: object) -> str:
    return f"{getattr(loss, 'code', '')} at {getattr(loss, 'path', '')!r}"


def trip(body: Json, source: str, target: str, kind: Kind) -> Trip:
    """Convert a body and back, and hold the differences against the losses of the first step."""
    there = tb.convert(body, source=source, target=target, kind=kind)
    back = tb.convert(there.payload, source=target, target=source, kind=kind)
    spelled = one_spelling(body, source, kind)
    returned = one_spelling(back.payload, source, kind)
    return Trip(
        spelled,
        there,
        coverage=count(spelled, returned, there.losses, REVERSIBLE),
        misplaced=misplaced_notes(there.losses, spelled, target),
        lost=tuple(each.leaf for each in align(spelled.root, returned.root).lost),
    )


def asked_of(source: str) -> Iterator[tuple[Recording, Kind, dict[str, Json]]]:
    """The requests and responses of a format that law 2 is asked of."""
    for recording in recordings(base_format(source)):
        for kind, body in recording.bodies:
            if kind != "error" and not is_exempt(recording, kind, 2):
                yield recording, kind, body


def written(source: str, target: str) -> list[str]:
    """All that is written for a target, in order."""
    return [
        json.dumps(tb.convert(body, source=source, target=target, kind=kind).payload)
        for _, kind, body in asked_of(source)
    ]
