"""The recordings of `../shared/corpus`: real traffic that the laws are measured over.

The folder stands beside the checkout and nothing moves it. Where it is missing, tests that
need it are skipped; under `CI=true` they fail, so that a green run has seen the corpus.
"""

import functools
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, ParamSpec, TypeAlias, TypeVar

import pytest

from .pointers import Json

SHARED = Path(__file__).parents[2].parent / "shared"
FORMATS = ("anthropic", "openai-chat", "openai-responses", "gemini")
FIRST_ERROR = 400

BodyKind: TypeAlias = Literal["request", "response", "error"]
Body: TypeAlias = dict[str, Json]
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Recording:
    """One interaction. Of `response`, `error` and `events` exactly one is there.

    `model` is the model the recording names, also where the body does not. `path` is None
    where the request was not recorded. `headers` are those of the protocol (API version, beta
    features), `kinds` the tags of the corpus.
    """

    name: str
    format: str
    host: str
    path: str | None
    status: int
    model: str | None
    request: Body | None = field(repr=False)
    response: Body | None = field(repr=False)
    error: Body | None = field(repr=False)
    events: list[Body] | None = field(repr=False)
    headers: dict[str, str]
    kinds: tuple[str, ...]

    @property
    def bodies(self) -> Iterator[tuple[BodyKind, Body]]:
        """The bodies it holds with their kinds, events left aside."""
        named: tuple[tuple[BodyKind, Body | None], ...] = (
            ("request", self.request),
            ("response", self.response),
            ("error", self.error),
        )
        return ((kind, body) for kind, body in named if body is not None)

    def __str__(self) -> str:
        """The test id."""
        return f"{self.format}/{self.name}"


def shared_folder() -> Path:
    """The shared folder; skips the running test without it, or fails it under CI."""
    if not SHARED.is_dir():
        stop = pytest.fail if _under_ci() else pytest.skip
        stop(f"no folder {SHARED.name!r} beside the checkout")
    return SHARED


def requires_shared(test: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Mark a test that needs the shared folder: skipped without it, failed under CI."""

    @functools.wraps(test)
    def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        shared_folder()
        return test(*args, **kwargs)

    return guarded


@functools.cache
def recordings(*formats: str) -> tuple[Recording, ...]:
    """The recordings of these formats (all four if none is named), in order of name.

    Without the folder there are none, so that tests can still be collected; under CI the
    missing folder is an error here already, because no parameters would pass for a skip.
    """
    corpus = SHARED / "corpus"
    if not corpus.is_dir():
        if _under_ci():
            raise FileNotFoundError(f"no folder {SHARED.name!r} beside the checkout")
        return ()
    return tuple(
        _recording(file, format)
        for format in formats or FORMATS
        for file in sorted((corpus / format).glob("*.json"))
    )


def count_bodies(*formats: str) -> dict[str, Counter[str]]:
    """How many bodies of each kind there are in each format; streams count as `events`."""
    counts = {format: Counter[str]() for format in formats or FORMATS}
    for recording in recordings(*formats):
        count = counts[recording.format]
        count.update(kind for kind, _ in recording.bodies)
        count["events"] += recording.events is not None
        count["recordings"] += 1
    return counts


def _under_ci() -> bool:
    return os.environ.get("CI") == "true"


def _recording(file: Path, format: str) -> Recording:
    record = json.loads(file.read_text(encoding="utf-8"))
    response = _body(record.get("response"))
    failed = record["status"] >= FIRST_ERROR
    return Recording(
        name=file.stem,
        format=format,
        host=record["compatible_host"],
        path=record["path"],
        status=record["status"],
        model=record["model"],
        request=_body(record["request"]),
        response=None if failed else response,
        error=response if failed else None,
        events=record.get("events"),
        headers=record.get("protocol_headers") or {},
        kinds=tuple(record["kinds"]),
    )


def _body(value: Json) -> Body | None:
    return value if isinstance(value, dict) else None
