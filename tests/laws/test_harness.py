"""The harness over the corpus and over generated bodies: what it must find, and how fast."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .corpus import FORMATS, BodyKind, Recording, count_bodies, recordings, requires_shared
from .coverage import Coverage, count
from .handmade import Loss
from .inject import inject, strict_equal
from .pointers import Json, tokens
from .prefix import blocks, is_prefix
from .spelling import Kind, one_spelling
from .tree import leaves

SECONDS_FOR_THE_CORPUS = 30
BODIES = {"anthropic": 198, "openai-chat": 259, "openai-responses": 209, "gemini": 168}


def compared(source: Json, returned: Json, format: str, kind: Kind, losses: list[Loss]) -> Coverage:
    spelled = one_spelling(source, format, kind), one_spelling(returned, format, kind)
    return count(*spelled, losses)


def without(body: Json, pointer: str) -> Json:
    """The body without the value at a pointer."""
    return _without(body, tokens(pointer))


def _without(body: Json, place: list[str]) -> Json:
    key, rest = place[0], place[1:]
    if isinstance(body, dict):
        inner = {key: _without(body[key], rest)} if rest else {}
        return {name: value for name, value in body.items() if name != key} | inner
    assert isinstance(body, list)
    index = int(key)
    return [*body[:index], *([_without(body[index], rest)] if rest else []), *body[index + 1 :]]


def answers(coverage: Coverage) -> list[Loss]:
    """A loss for everything that counting misses."""
    return [Loss(missing.path, "approximated") for missing in coverage.missing]


SCALAR = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
JSON = st.recursive(
    SCALAR, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=25
)
OBJECT = st.dictionaries(st.text(), JSON)


def call(arguments: Json) -> Json:
    """A Messages body whose call has any arguments."""
    block: Json = {"type": "tool_use", "id": "t", "name": "f", "input": arguments}
    return {"messages": [{"role": "assistant", "content": [block]}]}


@given(OBJECT)
def test_nothing_is_missing_from_the_same_body(arguments: Json) -> None:
    coverage = compared(call(arguments), call(arguments), "anthropic", "request", [])
    assert (coverage.missing, coverage.spurious) == ((), ())
    assert coverage.carried == coverage.total


@given(OBJECT, st.data())
def test_a_leaf_that_went_is_missing_until_a_loss_stands(
    arguments: Json, data: st.DataObject
) -> None:
    source = call(arguments)
    places = [
        leaf.pointers[0] for leaf in leaves(one_spelling(source, "anthropic", "request").root)
    ]
    returned = without(source, data.draw(st.sampled_from(places)))
    coverage = compared(source, returned, "anthropic", "request", [])
    assert len(coverage.missing) == 1
    covered = compared(source, returned, "anthropic", "request", answers(coverage))
    assert (covered.missing, covered.spurious) == ((), ())


@given(OBJECT, OBJECT)
def test_losses_where_counting_wants_them_satisfy_it(source: Json, returned: Json) -> None:
    coverage = compared(call(source), call(returned), "anthropic", "request", [])
    covered = compared(call(source), call(returned), "anthropic", "request", answers(coverage))
    assert (covered.missing, covered.spurious) == ((), ())


def bodies(format: str) -> list[tuple[Recording, Kind, Json]]:
    """Every request and response of a format."""
    kinds: dict[BodyKind, Kind] = {"request": "request", "response": "response"}
    return [
        (recording, kinds[kind], body)
        for recording in recordings(format)
        for kind, body in recording.bodies
        if kind in kinds
    ]


DEEP_PLACES = {
    "anthropic": ("input_schema", None),
    "openai-chat": ("function", "parameters"),
    "openai-responses": ("parameters", None),
    "gemini": ("functionDeclarations", "parameters"),
}


@pytest.mark.parametrize("format", FORMATS)
def test_a_deep_schema_is_no_error(format: str) -> None:
    schema: Json = {"type": "string"}
    for _ in range(450):
        inner: Json = {"a": schema}
        schema = {"properties": inner}
    key, member = DEEP_PLACES[format]
    tool: Json = {key: {member: schema} if member else schema}
    body: Json = {"tools": [tool]}
    assert compared(body, body, format, "request", []).missing == ()
    assert len(compared(body, {"tools": []}, format, "request", []).missing) == 1
    assert strict_equal(body, body)
    assert blocks(body, format)


@requires_shared
def test_the_corpus_is_whole() -> None:
    counts = count_bodies()
    assert sum(count["recordings"] for count in counts.values()) == 515
    assert {
        format: count["request"] + count["response"] for format, count in counts.items()
    } == BODIES


@requires_shared
def test_every_body_aligns_with_itself(capsys: pytest.CaptureFixture[str]) -> None:
    started = time.perf_counter()
    found = [_self_difference(*item) for format in FORMATS for item in bodies(format)]
    seconds = time.perf_counter() - started
    with capsys.disabled():
        print(f"\n{found.count('')} of {len(found)} bodies align with themselves, {seconds:.1f} s")
    assert [name for name in found if name] == []
    assert seconds < SECONDS_FOR_THE_CORPUS


def _self_difference(recording: Recording, kind: Kind, body: Json) -> str:
    coverage = compared(body, body, recording.format, kind, [])
    whole = not coverage.missing and coverage.carried == coverage.total
    return "" if whole else f"{recording} {kind}"


@requires_shared
def test_every_body_aligns_with_a_body_that_lost_much(capsys: pytest.CaptureFixture[str]) -> None:
    started = time.perf_counter()
    missing = sum(_lossy(*item) for format in FORMATS for item in bodies(format))
    seconds = time.perf_counter() - started
    with capsys.disabled():
        print(f"\n{missing} leaves missing from {sum(BODIES.values())} bodies, {seconds:.1f} s")
    assert seconds < SECONDS_FOR_THE_CORPUS


def _lossy(recording: Recording, kind: Kind, body: Json) -> int:
    coverage = compared(body, _thinned(body), recording.format, kind, [])
    answered = compared(body, _thinned(body), recording.format, kind, answers(coverage))
    assert (answered.missing, answered.spurious) == ((), ()), str(recording)
    return len(coverage.missing)


def _thinned(value: Json) -> Json:
    """The value with texts changed, every third element gone and the last one in front."""
    if isinstance(value, dict):
        return {key: _thinned(member) for key, member in value.items()}
    if isinstance(value, list):
        kept = [_thinned(element) for index, element in enumerate(value) if index % 3 != 1]
        return [*kept[-1:], *kept]
    return f"{value}!" if isinstance(value, str) and len(value) > 20 else value


@requires_shared
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_leaf_that_went_from_a_recording_is_missing(data: st.DataObject) -> None:
    recording, kind, body = data.draw(st.sampled_from(bodies(data.draw(st.sampled_from(FORMATS)))))
    tree = one_spelling(body, recording.format, kind).root
    pointer = data.draw(st.sampled_from([leaf.pointers[0] for leaf in leaves(tree)]))
    coverage = compared(body, without(body, pointer), recording.format, kind, [])
    assert coverage.missing


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_an_unknown_key_is_a_difference_wherever_it_stands(format: str) -> None:
    _, kind, body = bodies(format)[0]
    for pointer, changed in inject(body, format):
        assert compared(body, changed, format, kind, []).missing, pointer


@requires_shared
@pytest.mark.parametrize("format", FORMATS)
def test_the_block_list_of_a_longer_history_goes_on(format: str) -> None:
    histories = {"gemini": "contents", "openai-responses": "input"}
    key = histories.get(format, "messages")
    for recording in recordings(format):
        body = recording.request
        history = body.get(key) if body is not None else None
        if body is not None and isinstance(history, list):
            shorter = blocks({**body, key: history[:-1]}, format)
            assert is_prefix(shorter, blocks(body, format)), str(recording)
