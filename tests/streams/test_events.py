"""The events are a closed set, and the machines keep their promises about them."""

from __future__ import annotations

import json
import typing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbridge as tb
from laws.corpus import FORMATS
from laws.test_generated import few
from laws.widths import json_values
from toolbridge import events

from .handmade import DEVIATIONS
from .recorded import RECORDED, data_of, hear

Json = Any
KINDS = typing.get_args(events.Event)
every_format = pytest.mark.parametrize("format", FORMATS)


def sample(format: str) -> list[Json]:
    """A stream of a format."""
    return next(iter(DEVIATIONS[format].values())).data


def test_the_set_is_closed() -> None:
    """Every event of the module is in the union, and each is a plain record."""
    classes = {
        each
        for each in vars(events).values()
        if isinstance(each, type) and each.__module__ == events.__name__
    }
    assert classes == set(KINDS)
    assert all(issubclass(each, tuple) and each.__doc__ for each in KINDS)
    assert tb.events is events


def test_every_event_is_told_in_some_recorded_stream() -> None:
    if not RECORDED:
        pytest.skip("no recordings")
    told = {type(event) for each in RECORDED for event in hear(data_of(each), each.format).all}
    assert set(KINDS) - told <= {events.Unknown}


@every_format
def test_nothing_comes_after_the_end(format: str) -> None:
    data = sample(format)
    heard = hear(data, format)
    assert heard.reader.end() == []
    with pytest.raises(ValueError, match="ended"):
        heard.reader.feed(data[0])
    before = heard.reader.response()
    assert heard.reader.response() is before
    for target in FORMATS:
        converter = tb.StreamConverter(format, target)
        for each in data:
            converter.feed(each)
        assert converter.end() or target == format
        assert converter.end() == []
        with pytest.raises(ValueError, match="ended"):
            converter.feed(data[0])


@every_format
def test_the_answer_so_far_is_there_at_any_moment(format: str) -> None:
    reader = tb.stream_reader(format)
    for each in sample(format):
        reader.feed(each)
        if reader.body:
            assert isinstance(reader.response(), tb.Response)


@every_format
def test_a_stream_without_events_is_not_readable(format: str) -> None:
    with pytest.raises(tb.WireError):
        tb.read([], format, kind="stream")
    with pytest.raises(tb.WireError):
        tb.StreamConverter(format, FORMATS[FORMATS[0] == format]).end()
    with pytest.raises(tb.WireError):
        tb.read({"not": "a list"}, format, kind="stream")


def test_blocks_that_are_open_at_once_are_told_apart() -> None:
    heard = hear(DEVIATIONS["anthropic"]["two blocks at once, in another order"].data, "anthropic")
    told: dict[int, str] = {}
    for event in heard.of(events.ArgumentsAdded):
        told[event.block] = told.get(event.block, "") + event.text
    names = {event.block: event.name for event in heard.of(events.CallStarted)}
    assert {names[block]: text for block, text in told.items()} == {"f": '{"n":1}', "g": '{"n":2}'}


def test_several_answers_end_each_for_itself() -> None:
    def chunk(index: int, delta: Json, finish: str | None = None) -> Json:
        return {"choices": [{"index": index, "delta": delta, "finish_reason": finish}]}

    data = [chunk(0, {"content": "a"}), chunk(1, {"content": "b"}), chunk(1, {}, "stop")]
    heard = hear(data, "openai-chat")
    assert heard.of(events.Stopped) == [
        events.Stopped("incomplete", None, 0),
        events.Stopped("end", "stop", 1),
    ]
    answers = heard.reader.response().alternatives
    assert [getattr(each, "stop_reason", None) for each in answers] == ["incomplete", "end"]
    whole = hear([*data, chunk(0, {}, "length")], "openai-chat")
    assert [event.stop_reason for event in whole.of(events.Stopped)] == ["length", "end"]


PARTIAL = [
    ('{"path":"/etc/pas', {"path": "/etc/pas"}),
    ('{"a":1,"b":[1,2', {"a": 1, "b": [1, 2]}),
    ('{"a":{"b":tr', {"a": {}}),
    ('{"a', {}),
    ("{", {}),
    ("", {}),
    ('{"a":1}}', {"a": 1}),
    ("nothing", {}),
]


@pytest.mark.parametrize(("text", "partial"), PARTIAL)
def test_the_arguments_so_far_are_there_on_demand(text: str, partial: Json) -> None:
    reader = tb.stream_reader("openai-chat")
    call = {"index": 0, "id": "c1", "function": {"name": "f", "arguments": text}}
    started = reader.feed({"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]})[1]
    assert isinstance(started, events.CallStarted)
    assert reader.partial_arguments(started.block) == partial


@every_format
@few
@given(st.data())
def test_a_broken_event_is_refused_or_read(format: str, data: st.DataObject) -> None:
    """Any member replaced by any value: what is wrong raises WireError, and nothing else does."""
    stream = [json.loads(json.dumps(each)) for each in sample(format)]
    place = data.draw(st.integers(0, len(stream) - 1))
    holder, key = data.draw(st.sampled_from(list(members(stream[place]))))
    holder[key] = data.draw(json_values)
    reader = tb.stream_reader(format)
    try:
        for each in stream:
            reader.feed(each)
        reader.end()
        reader.response()
    except (tb.WireError, tb.VendorError):
        pass


def members(item: Json) -> Any:
    """The places of a JSON value."""
    if isinstance(item, (dict, list)):
        for key in [*item] if isinstance(item, dict) else range(len(item)):
            yield item, key
            yield from members(item[key])
