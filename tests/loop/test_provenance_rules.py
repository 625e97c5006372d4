"""Provenance: which values count as taken from an earlier result, and which are made up."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any
from unicodedata import normalize
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbridge as tb
from toolbridge.checkpoint.evidence import Evidence, Identity, leaves_at
from toolbridge.checkpoint.grounds import unfounded
from toolbridge.checkpoint.provenance import From, take_sources, with_sources

from .provenance import FIND_USER, NAMES, OR_USER, SEVEN, USER, evidence, is_refused, result

# --- what a result holds

RESULTS: list[tuple[str, Any, Any]] = [
    ("the leaf at the path", SEVEN, "U-7"),
    ("any list index", [{"user_id": "U-1"}, SEVEN], "U-7"),
    ("lists in lists", [[[SEVEN]]], "U-7"),
    ("a list at the end of the path", {"user_id": ["U-1", "U-7"]}, "U-7"),
    ("the decimal text of a number", {"user_id": 7}, "7"),
    ("a number where the result has its text", {"user_id": "7"}, 7),
    ("an equal number", {"user_id": 7}, 7.0),
    ("a whole float and its integer text", {"user_id": 7.0}, "7"),
    ("a float and its text", {"user_id": 0.25}, "0.25"),
    ("a large float has no exponent in decimals", {"user_id": 1e21}, "1" + "0" * 21),
    ("nor has a small one", {"user_id": 1e-7}, "0.0000001"),
    ("a boolean", {"user_id": False}, False),
    ("Hangul in pieces is Hangul", {"user_id": normalize("NFD", "김하나")}, "김하나"),
    ("and the other way round", {"user_id": "김하나"}, normalize("NFD", "김하나")),
    ("in a text too", normalize("NFD", "이름: 김하나"), "김하나"),
    ("a text that is JSON", json.dumps([SEVEN]), "U-7"),
    ("a whole token of a text", "found: U-7, active", "U-7"),
    ("a number in a text", "3 users, the newest is 7.", 7),
    ("text in the form of JSON that is none has tokens", "[U-7] Kim", "U-7"),
]
MADE_UP: list[tuple[str, Any, Any]] = [
    ("the value at another path", {"count": 1, "user_id": 2}, 1),
    ("the value under a key that only begins so", {"user_id": {"old": "U-7"}}, "U-7"),
    ("the value further up", {"user_id": {"user_id": 2}, "id": 1}, 1),
    ("a prefix of the leaf", {"user_id": "U-77"}, "U-7"),
    ("more than the leaf", {"user_id": "U-7"}, "U-77"),
    ("another case", {"user_id": "u-7"}, "U-7"),
    ("a boolean is no number", {"user_id": True}, 1),
    ("a number is no boolean", {"user_id": 1}, True),
    ("a boolean is not its word", {"user_id": True}, "true"),
    ("leading zeros are another text", {"user_id": 7}, "07"),
    ("decimals are another text than the integer", {"user_id": 7}, "7.00"),
    ("a sign is another text", {"user_id": 7}, "+7"),
    ("a number is not the number of padded digits", {"user_id": "07"}, 7),
    ("null in a result grounds no text", {"user_id": None}, "null"),
    ("an empty text", {"user_id": ""}, ""),
    ("spaces", {"user_id": "  "}, "  "),
    ("JSON in a text has paths, not tokens", json.dumps({"other": "U-7"}), "U-7"),
    ("a prefix in a text", "found: U-77", "U-7"),
    ("a boolean in a text", "active: true", True),
    ("an empty result", [], "U-7"),
]


@pytest.mark.parametrize(("why", "given", "value"), RESULTS, ids=[row[0] for row in RESULTS])
def test_what_the_tool_gave_at_the_path_counts(why: str, given: Any, value: Any) -> None:
    assert not is_refused(value, USER, evidence({"find_user": given})), why


@pytest.mark.parametrize(("why", "given", "value"), MADE_UP, ids=[row[0] for row in MADE_UP])
def test_what_the_tool_did_not_give_at_the_path_is_refused(
    why: str, given: Any, value: Any
) -> None:
    assert is_refused(value, USER, evidence({"find_user": given})), why


def test_the_same_value_from_another_tool_is_refused() -> None:
    assert is_refused("U-7", USER, evidence({"find_order": SEVEN}))


def test_a_value_of_the_same_step_is_refused_until_the_step_is_over() -> None:
    """Results are added after their step; what was asked for before is looked up again then."""
    found = evidence({"find_user": {"user_id": "U-1"}})
    assert is_refused("U-7", USER, found)
    found.add_result(FIND_USER, result(SEVEN))
    assert not is_refused("U-7", USER, found)
    assert not is_refused("U-1", USER, found)


def test_an_error_is_no_evidence() -> None:
    found = Evidence()
    found.add_result(FIND_USER, result("no such user: U-7", is_error=True))
    assert is_refused("U-7", USER, found)
    assert not found.tools


def test_every_part_of_a_result_counts_and_media_have_none() -> None:
    found = Evidence()
    picture = tb.Media(kind="image", source=tb.Source(data="VS03"))
    parts = (picture, tb.Text(text="U-7"), tb.Json(value={"user_id": "U-8"}))
    found.add_result(FIND_USER, tb.ToolResult(call_id="call", parts=parts))
    assert not is_refused("U-7", USER, found)
    assert not is_refused("U-8", USER, found)
    assert is_refused("VS03", USER, found)


# --- what the user wrote


def test_what_the_user_wrote_counts_where_the_source_says_so_only() -> None:
    found = evidence({}, "hello", "A-1029를 취소해 주세요")
    assert not is_refused("A-1029", OR_USER, found)
    assert is_refused("A-1029", USER, found)
    assert is_refused("A-102", OR_USER, found)


def test_the_whole_of_what_the_user_wrote_counts() -> None:
    assert not is_refused("김하나님\n안녕", OR_USER, evidence({}, "김하나님\n안녕"))


def test_a_result_still_counts_beside_the_user() -> None:
    assert not is_refused("U-7", OR_USER, evidence({"find_user": SEVEN}, "hello"))


# --- names and paths


@pytest.mark.parametrize(
    ("source", "names", "expected"),
    [
        (From("find_user.user_id"), NAMES, ("find_user", "user_id")),
        (From("find_user.user_id"), (), ("find_user", "user_id")),
        (From("find_user"), (), ("find_user", "")),
        (From("orders.get.items.id"), NAMES, ("orders.get", "items.id")),
        (From("orders.get"), NAMES, ("orders.get", "")),
        (From("orders.getter.id"), NAMES, ("orders", "getter.id")),
        (From("orders.get", "id"), [(None, "orders")], ("orders.get", "id")),
        (From("orders.get.id"), [(None, "other")], ("orders", "get.id")),
    ],
)
def test_the_longest_known_name_is_the_tool(
    source: From, names: Collection[Identity], expected: tuple[str, str]
) -> None:
    tool, path = expected
    assert source.resolve(names) == ((None, tool), path)


@pytest.mark.parametrize(
    ("source", "known", "own", "expected"),
    [
        (From("find.id"), ["crm", None, "web"], "crm", "crm"),
        (From("find.id"), ["crm", None, "web"], "shop", None),
        (From("find.id"), ["crm", None, "web"], None, None),
        (From("find.id"), ["web"], None, "web"),
        (From("find.id"), ["web"], "crm", "web"),
        (From("find", "id"), ["web"], None, "web"),
        (From("find.id", namespace="web"), ["crm", None, "web"], "crm", "web"),
        (From("find.id", namespace=""), ["crm", None, "web"], "crm", None),
        (From("find.id", namespace=""), ["web"], None, None),
        (From("find.id", namespace="shop"), ["web"], None, "shop"),
    ],
)
def test_a_name_is_that_of_the_own_namespace_then_of_none_then_the_only_one(
    source: From, known: list[str | None], own: str | None, expected: str | None
) -> None:
    names = [(space, "find") for space in known]
    assert source.resolve(names, own) == ((expected, "find"), "id")


def test_a_name_of_two_other_namespaces_is_nobodys() -> None:
    """Neither is more likely meant, and one of them may be a stranger's."""
    found = Evidence()
    for namespace in ("web", "shop"):
        found.add_result((namespace, "find_user"), result(SEVEN))
    names = list(found.tools)
    assert USER.resolve(names) == (FIND_USER, "user_id")
    marked = take_sources(with_sources({"properties": {"x": {}}}, {"x": USER}))[1]
    told = unfounded(marked, {"x": "U-7"}, found, names)
    assert told[0].startswith('- x: "U-7" is in no result of find_user at user_id. Call find_user')


def test_a_longer_name_of_a_stranger_is_not_in_the_way() -> None:
    """A server may name a tool after another tool's path."""
    names = [FIND_USER, ("evil", "find_user.user_id")]
    assert USER.resolve(names) == (FIND_USER, "user_id")


@pytest.mark.parametrize(("own", "is_founded"), [("web", True), ("crm", False), (None, False)])
def test_the_same_name_in_another_namespace_is_another_tool(
    own: str | None, is_founded: bool
) -> None:
    found = Evidence()
    found.add_result(("web", "find_user"), result(SEVEN))
    names = [("web", "find_user"), ("crm", "find_user"), FIND_USER]
    marked = take_sources(with_sources({"properties": {"x": {}}}, {"x": USER}))[1]
    told = unfounded(marked, {"x": "U-7"}, found, names, namespace=own)
    assert (told == []) is is_founded


def test_a_namespace_is_told_in_words() -> None:
    source = From("find_user.user_id", namespace="crm")
    assert source.words == "the result of find_user of crm (user_id)"
    marked = take_sources(with_sources({"properties": {"x": {}}}, {"x": source}))[1]
    told = unfounded(marked, {"x": "U-7"}, Evidence(), [("crm", "find_user")])
    assert "in no result of find_user of crm at user_id. Call find_user of crm first" in told[0]


def test_a_tool_of_an_earlier_run_is_known_by_its_results() -> None:
    """A run that goes on with fewer tools still has what the others gave."""
    found = evidence({"mail.read": {"id": 5}})
    assert not is_refused(5, From("mail.read.id"), found)


@pytest.mark.parametrize(
    ("path", "given"),
    [
        ("orders.id", {"orders": [{"id": 5}, {"id": 6}]}),
        ("a.b.c", {"a.b": {"c": 5}}),
        ("a.b.c", {"a": {"b.c": 5}}),
        ("*.id", {"first": {"id": 5}}),
        ("orders.*.id", {"orders": [{"id": 5}]}),
        ("", 5),
        ("", [4, [5]]),
        (None, "5"),
    ],
)
def test_a_path_leads_to_a_leaf(path: str | None, given: Any) -> None:
    assert not is_refused(5, From("find_order", path), evidence({"find_order": given}))


@pytest.mark.parametrize(
    ("path", "given"),
    [
        ("orders.id", {"orders.id.x": 5}),
        ("*", {"a": {"b": 5}}),
        ("", {"id": 5}),
        ("id.x", {"id": 5}),
    ],
)
def test_a_path_leads_nowhere_else(path: str, given: Any) -> None:
    assert is_refused(5, From("find_order", path), evidence({"find_order": given}))


@pytest.mark.parametrize("source", ["", ".id", "find_user.", "a..b"])
def test_a_source_names_a_tool_and_a_path(source: str) -> None:
    with pytest.raises(tb.ToolDefinitionError, match=r"find_user\.user_id"):
        From(source)


def test_equal_sources_are_one_key() -> None:
    """pydantic hashes what stands in Annotated."""
    assert {From("a.b"): 1} == {From("a.b"): 1}
    assert From("a.b") != From("a.b", or_user=True)


# --- laws

SCALARS = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(min_size=1).filter(lambda text: text.strip() != ""),
)
KEYS = st.lists(st.sampled_from(["a", "b", "a.b"]), max_size=3)


def wrapped(leaf: Any, keys: list[str], lists: int) -> Any:
    """A leaf under keys, with a list around it and each object."""
    for key in (*reversed(keys), None):
        for _ in range(lists):
            leaf = ["another", leaf]
        if key is not None:
            leaf = {key: leaf, "c": "another"}
    return leaf


@given(SCALARS, KEYS, st.integers(0, 2), st.booleans())
def test_a_leaf_at_the_path_is_always_founded(
    leaf: Any, keys: list[str], lists: int, as_text: bool
) -> None:
    value = {"top": wrapped(leaf, keys, lists)}
    found = evidence({"find_user": json.dumps(value) if as_text else value})
    assert not is_refused(leaf, From("find_user", ".".join(["top", *keys])), found)


def may_pass(value: Any, leaf: Any) -> bool:
    """Whether a value may pass for a leaf. Where text meets a number, or is not ASCII and has
    other forms, other tests say which; here it may."""
    if isinstance(value, bool) or isinstance(leaf, bool):
        return value is leaf
    if isinstance(value, str) and isinstance(leaf, str):
        return value == leaf or not (value.isascii() or leaf.isascii())
    for text in (value, leaf):
        if isinstance(text, str):
            return any(character.isdigit() for character in text)
    return bool(value == leaf)


@given(st.lists(SCALARS, max_size=5), SCALARS)
def test_a_value_that_equals_no_leaf_at_the_path_never_is(leaves: list[Any], value: Any) -> None:
    """Though it stands beside them, at another path of the same result."""
    found = evidence({"find_user": [{"user_id": leaves, "other": [value]}]})
    if not any(may_pass(value, leaf) for leaf in leaves):
        assert is_refused(value, USER, found)


@given(st.integers(), st.text("0123456789.+-eE ", min_size=1, max_size=6))
def test_the_only_text_of_an_integer_is_its_decimal_one(number: int, text: str) -> None:
    found = evidence({"find_user": {"user_id": number}})
    assert is_refused(text, USER, found) is (text != str(number))


def test_a_thousand_results_are_read_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step adds a result and looks two values up; reading all of them anew each time would
    make a long run slow."""
    read = Mock(side_effect=leaves_at)
    monkeypatch.setattr("toolbridge.checkpoint.evidence.leaves_at", read)
    found = Evidence()
    for step in range(1000):
        found.add_result(FIND_USER, result({"user_id": step}))
        assert found.gave(FIND_USER, ("user_id",), step)
        assert not found.gave(FIND_USER, ("user_id",), step + 1)
    assert read.call_count == 1000
