"""The text of a stream: any cut of its bytes gives the same data objects."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbridge as tb
from laws.test_generated import few
from laws.widths import json_objects
from toolbridge.streams.text import as_event

Json = Any

FIRST = {"type": "one", "text": 'a "b" \\ {[\u2028\u2029\x85 안녕 🙂', "deep": [{"": {}}, []]}
SECOND = {"type": "two", "number": 1.5, "none": None}
BOTH = [FIRST, SECOND]


def dumped(data: Json, **options: Any) -> str:
    return json.dumps(data, ensure_ascii=False, **options)


def sse(*lines: str, end: str = "\n") -> str:
    return "".join(f"{line}{end}" for line in lines)


ONE, TWO = dumped(FIRST), dumped(SECOND)
INDENTED = [f"data: {line}" for line in dumped(SECOND, indent=1).split("\n")]

TEXTS = {
    "as it should be": sse(f"data: {ONE}", "", f"data: {TWO}", ""),
    "with names": sse("event: one", f"data: {ONE}", "", "event: two", f"data: {TWO}", ""),
    "CR LF": sse(f"data: {ONE}", "", f"data: {TWO}", "", end="\r\n"),
    "CR": sse(f"data: {ONE}", "", f"data: {TWO}", "", end="\r"),
    "comments": sse(": keep-alive", "", f"data: {ONE}", ": x", "", ":", f"data: {TWO}", ""),
    "ids and retries": sse("id: 1", "retry: 3", f"data: {ONE}", "", "id", f"data: {TWO}", ""),
    "several data lines": sse(f"data: {ONE}", "", *INDENTED, ""),
    "no space after the colon": sse(f"data:{ONE}", "", f"data:{TWO}", ""),
    "a byte order mark": "\ufeff" + sse(f"data: {ONE}", "", f"data: {TWO}", ""),
    "a marker at the end": sse(f"data: {ONE}", "", f"data: {TWO}", "", "data: [DONE]", ""),
    "no blank line at the end": sse(f"data: {ONE}", "", f"data: {TWO}"),
    "no line end at the end": sse(f"data: {ONE}", "") + f"data: {TWO}",
    "blank lines before and between": sse("", "", f"data: {ONE}", "", "", "", f"data: {TWO}", ""),
    "a bare object among the events": sse(f"data: {ONE}", "", TWO),
    "a bare object in lines": sse(f"data: {ONE}", "", *dumped(SECOND, indent=2).split("\n"), ""),
    "JSON lines": f"{ONE}\n{TWO}\n",
    "JSON lines with CR LF and blanks": f"\r\n{ONE}\r\n\r\n{TWO}",
    "JSON lines and a marker": f"{ONE}\n{TWO}\n[DONE]\n",
    "JSON records": f"{ONE}\x1e{TWO}\x1e",
    "a JSON array": f"[{ONE},\n{TWO}]\n",
    "an indented JSON array": dumped(BOTH, indent=2),
    "a JSON array after a mark": "\ufeff" + dumped(BOTH),
}


def read(chunks: list[bytes] | list[str]) -> list[Json]:
    text = tb.StreamText()
    return [each for chunk in chunks for each in text.feed(chunk)] + text.end()


def cut(whole: Any, places: list[int]) -> list[Any]:
    """Bytes or text, cut at some places."""
    edges = [0, *sorted(place % (len(whole) + 1) for place in places), len(whole)]
    return [whole[begin:end] for begin, end in pairwise(edges)]


places = st.lists(st.integers(0, 10_000), max_size=8)


@pytest.mark.parametrize("name", TEXTS)
@few
@given(places)
def test_any_cut_gives_the_same(name: str, places: list[int]) -> None:
    assert read(cut(TEXTS[name].encode(), places)) == BOTH
    assert read(cut(TEXTS[name], places)) == BOTH


@pytest.mark.parametrize("name", TEXTS)
def test_byte_by_byte(name: str) -> None:
    """Letters of several bytes are cut too."""
    whole = TEXTS[name].encode()
    assert read([whole[place : place + 1] for place in range(len(whole))]) == BOTH


@few
@given(st.lists(json_objects.filter(bool), max_size=4), places, st.sampled_from(["sse", "json"]))
def test_what_is_written_is_read(data: list[Json], places: list[int], form: str) -> None:
    lines = [as_event(each, True) if form == "sse" else dumped(each) + "\n" for each in data]
    assert read(cut("".join(lines).encode(), places)) == data


def test_an_event_is_there_with_its_blank_line() -> None:
    """Nothing waits for more, whatever the line ends are."""
    for end in ("\n", "\r", "\r\n"):
        text = tb.StreamText()
        assert text.feed(f"data: {TWO}{end}") == []
        assert text.feed(end) == [SECOND]
    text = tb.StreamText()
    assert text.feed(f"[{ONE}") == [FIRST]
    assert text.feed(f"\n,{TWO}") == [SECOND]
    assert (text.feed("]"), text.end()) == ([], [])


def test_the_form_is_known_from_the_first_character() -> None:
    for name, whole in TEXTS.items():
        text = tb.StreamText()
        assert text.form is None
        text.feed(whole)
        assert text.form == ("json" if "JSON" in name else "sse"), name


def test_nothing_is_nothing() -> None:
    for whole in ("", "\ufeff", "\n\n", ": ping\n\n", "data:\n\n", "data: [DONE]\n\n", "[]"):
        assert read([whole.encode()]) == []


@pytest.mark.parametrize(
    ("whole", "at"),
    [
        ("data: {}\n\ndata: {broken\n\n", "/1"),
        ("data: nothing\n\n", "/0"),
        ('{"a": 1}\n{"b": ', "/1"),
        ('[{"a": 1}, x]', "/1"),
        ("{broken}", "/0"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(whole: str, at: str) -> None:
    with pytest.raises(tb.WireError) as raised:
        read([whole])
    assert raised.value.path == at
