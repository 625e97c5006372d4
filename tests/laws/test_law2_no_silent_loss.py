"""Law 2, no silent loss: what a way there and back changes is told by the losses of the way there.

Over every request and response, for each ordered pair, Anthropic as source under both of its
versions: nothing is missing, nothing is spurious, no note stands where only a warning may, no
share of carried leaves falls, and nothing is dropped that has a place.
"""

from collections.abc import Iterator

import pytest

from toolbridge.loss import CODES
from toolbridge.registry import adapter_named

from . import shares
from .corpus import FORMATS, requires_shared
from .must_carry import EXCUSED, KINDS, LEAVES, wrongly_dropped
from .pointers import Json, camel_path, path_of
from .round_trip import PAIRS, asked_of
from .spelling import one_spelling
from .tree import leaves

every_pair = pytest.mark.parametrize(("source", "target"), PAIRS)


@requires_shared
@every_pair
def test_every_difference_has_its_loss(source: str, target: str) -> None:
    trips = shares.trips(source, target)
    missing = sum(len(each.coverage.missing) for each in trips.values())
    spurious = sum(len(each.coverage.spurious) for each in trips.values())
    misplaced = sum(len(each.misplaced) for each in trips.values())
    print(
        f"{source} > {target}: {len(trips)} bodies, {missing} missing, {spurious} spurious, "
        f"{misplaced} misplaced notes, share {shares.share(source, target)}"
    )
    problems = [f"{name}: {line}" for name, each in trips.items() for line in each.problems]
    assert trips
    assert not problems, "\n".join(problems[:10])


@requires_shared
@every_pair
def test_no_share_falls(source: str, target: str) -> None:
    assert shares.share(source, target) >= shares.checked_in()[shares.name(source, target)]


def test_every_pair_has_a_share() -> None:
    assert list(shares.checked_in()) == [shares.name(*pair) for pair in PAIRS]


@requires_shared
@every_pair
def test_what_has_a_place_is_not_dropped(source: str, target: str) -> None:
    broken = [
        f"{name}: {each}"
        for name, trip in shares.trips(source, target).items()
        for each in wrongly_dropped(trip.source, target, trip.lost, trip.converted.losses)
    ]
    assert not broken, "\n".join(broken[:10])


# the tables of what must be carried


@pytest.mark.parametrize("format", FORMATS)
def test_every_place_has_a_source(format: str) -> None:
    adapter = adapter_named(format)
    assert adapter is not None
    assert tuple(adapter.places) == KINDS
    for place in adapter.places.values():
        assert place.carried in (True, False, "part")
        assert place.source.strip()


def test_every_excuse_is_of_a_code_that_drops() -> None:
    assert all(EXCUSED.values())
    assert {code for code in EXCUSED if CODES[code].effect != "dropped"} == set()


NOT_RECORDED = {("openai-responses", "cache marks")}


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_every_row_of_what_must_be_carried_names_something(format: str) -> None:
    places = set(all_places(format))
    tables = [(kind, table) for (of, kind), table in LEAVES.items() if of == format]
    named = {
        row
        for kind, table in tables
        for row, patterns in table.items()
        if any(of == kind and patterns.match(path) for of, path in places)
    }
    rows = {row for _, table in tables for row in table if (format, row) not in NOT_RECORDED}
    assert named == rows


def all_places(format: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The paths of all leaves of all bodies of a format, with the kind of body."""
    for _, kind, body in asked_of(format):
        for leaf in leaves(one_spelling(body, format, kind).root):
            for pointer in leaf.pointers:
                path = path_of(pointer)
                yield kind, camel_path(path) if format == "gemini" else path


# nothing of ours hides


KEPT = ("metadata", "labels", "user", "safety_identifier")
SAID_TO_THE_MODEL = {"The tool's whole input, as free text."}
"""Describes the one parameter of a tool that takes free text, where there are only functions."""


def labels(body: Json) -> set[str]:
    """The texts of a request that are kept for its application, or describe its tools."""
    members = body if isinstance(body, dict) else {}
    kept = [text for key in KEPT for _, text in texts(members.get(key))]
    tools = [found for key in ("tools", "functions") for found in texts(members.get(key))]
    return {*kept, *(text for key, text in tools if key == "description")}


def texts(value: Json, under: str = "") -> Iterator[tuple[str, str]]:
    """All texts in a value, each with the key that it stands under."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from texts(member, key)
    elif isinstance(value, list):
        for element in value:
            yield from texts(element)
    elif isinstance(value, str):
        yield under, value


@requires_shared
@every_pair
def test_nothing_of_ours_hides_in_metadata_or_descriptions(source: str, target: str) -> None:
    for name, trip in shares.trips(source, target).items():
        if trip.source.kind == "request":
            if any(loss.code.startswith("schema.") for loss in trip.converted.losses):
                continue  # constraints may stand in words: tests/schemas holds what they say
            ours = labels(trip.converted.payload) - labels(trip.source.body)
            assert ours <= SAID_TO_THE_MODEL, name
