"""Law 4, stable prefix: a longer history never changes what was written for a shorter one.

With tools and leading system text given whole, the blocks written for the first n elements of a
history are a prefix of those for more of them, for every n at which all calls are answered.
"""

from collections.abc import Iterator

import pytest

from .corpus import recordings, requires_shared
from .exemptions import is_exempt
from .growth import answered_lengths, awaiting_lengths, broken_prefixes
from .models import MODELS
from .pointers import Json
from .round_trip import PAIRS, SOURCES
from .spelling import base_format

Body = dict[str, Json]


def requests(source: str) -> Iterator[tuple[str, Body]]:
    """The requests that law 4 is asked of, by name."""
    for recording in recordings(base_format(source)):
        if recording.request is not None and not is_exempt(recording, "request", 4):
            yield str(recording), recording.request


@requires_shared
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_longer_history_goes_on_where_the_shorter_ends(source: str, target: str) -> None:
    count = 0
    broken: list[str] = []
    for name, body in requests(source):
        lengths = answered_lengths(body, source)
        count += len(lengths)
        broken += [f"{name}: {each}" for each in broken_prefixes(body, source, target, lengths)]
    print(f"{source} > {target}: {count} lengths, {len(broken)} broken")
    assert count
    assert not broken, "\n".join(broken[:10])


@requires_shared
@pytest.mark.parametrize(
    ("source", "target"),
    [(s, t) for s in SOURCES for t in MODELS if base_format(s) != base_format(t)],
)
def test_the_prefix_is_stable_for_a_model(source: str, target: str) -> None:
    count = 0
    broken: list[str] = []
    for name, body in requests(source):
        lengths = awaiting_lengths(body, source)
        count += len(lengths)
        found = broken_prefixes(body, source, target, lengths, MODELS[target])
        broken += [f"{name}: {each}" for each in found]
    print(f"{source} > {target}: {count} lengths, {len(broken)} broken")
    assert count
    assert not broken, "\n".join(broken[:10])
