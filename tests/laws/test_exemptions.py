"""Exemptions: few, for recordings that exist, and only as long as each is needed."""

import pytest

import toolbridge as tb

from .corpus import FORMATS, Recording, recordings, requires_shared
from .exemptions import EXEMPT, MOST, Reason
from .models import MODELS
from .round_trip import trip
from .taken import findings


def exempt(*reasons: Reason) -> list[Recording]:
    """The recordings that are exempt for one of these reasons."""
    return [each for each in recordings() if EXEMPT.get(str(each)) in reasons]


def others(recording: Recording) -> list[str]:
    """The formats to convert a recording to."""
    return [format for format in FORMATS if format != recording.format]


@requires_shared
def test_exemptions_are_few_and_of_recordings() -> None:
    assert EXEMPT.keys() <= {str(recording) for recording in recordings()}
    assert len(EXEMPT) <= MOST


@requires_shared
def test_history_on_the_server_cannot_be_converted() -> None:
    held = exempt(Reason.SERVER_HELD, Reason.SIBLING)
    assert held
    for recording in held:
        for target in others(recording):
            with pytest.raises(tb.ConversionError) as raised:
                tb.convert(recording.request, source=recording.format, target=target)
            assert raised.value.path and raised.value.mend, str(recording)


@requires_shared
def test_nothing_else_is_refused() -> None:
    held = exempt(Reason.SERVER_HELD, Reason.SIBLING)
    for recording in recordings():
        for kind, body in recording.bodies:
            if kind == "request" and recording in held:
                continue
            for target in others(recording):
                tb.convert(body, source=recording.format, target=target, kind=kind)


@requires_shared
def test_an_answer_of_a_sibling_endpoint_breaks_the_law() -> None:
    siblings = exempt(Reason.SIBLING)
    assert siblings
    for recording in siblings:
        for target in others(recording):
            assert trip(recording.response, recording.format, target, "response").problems


@requires_shared
def test_a_request_that_was_invalid_breaks_the_law() -> None:
    invalid = exempt(Reason.INVALID)
    assert invalid
    for recording in invalid:
        assert 400 <= recording.status < 500
        found: list[str] = []
        for target in others(recording):
            model = MODELS[target]
            converted = tb.convert(
                recording.request, source=recording.format, target=target, model=model
            )
            found += findings(converted, target, model)
        assert found, str(recording)
