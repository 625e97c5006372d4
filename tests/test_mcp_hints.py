"""The table from and to MCP's hints: what it maps, and what cannot be inverted."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

import pytest

from toolbridge.checkpoint.mcp_hints import ABOUT, DEFAULTS, FIELDS, TABLE, from_hints, to_hints
from toolbridge.tools import ToolSpec

TERNARY: Final = (None, False, True)
ALL_FIELDS: Final = [
    dict(zip(FIELDS, each, strict=True))
    for each in product((None, "read", "write", "irreversible"), TERNARY, TERNARY, TERNARY)
]
ALL_HINTS: Final[list[dict[str, bool]]] = [
    {name: hint for name, hint in zip(DEFAULTS, each, strict=True) if hint is not None}
    for each in product(TERNARY, repeat=4)
]
WORST: Final = {
    "effect": "irreversible",
    "idempotent": False,
    "untrusted_output": True,
    "sends_out": True,
}


def meaning(hints: Mapping[str, bool]) -> dict[str, bool]:
    """What hints say: with defaults, and without those that mean nothing for a tool that reads."""
    whole = {**DEFAULTS, **hints}
    if whole["readOnlyHint"]:
        del whole["destructiveHint"], whole["idempotentHint"]
    return whole


@pytest.mark.parametrize("hints", [None, {}, {"title": "Weather"}])
def test_a_tool_without_hints_is_taken_for_the_worst(hints: Any) -> None:
    assert from_hints(hints) == WORST


@pytest.mark.parametrize("hint", ["true", 1, None, [], {"readOnlyHint": True}])
def test_a_hint_that_is_no_boolean_says_nothing(hint: Any) -> None:
    """Else a server could say `"false"` and be read as true, or the other way."""
    assert from_hints({"readOnlyHint": hint, "openWorldHint": hint}) == WORST


@pytest.mark.parametrize(
    ("hints", "field", "value"),
    [
        ({"readOnlyHint": True}, "effect", "read"),
        ({"readOnlyHint": True, "destructiveHint": True}, "effect", "read"),
        ({"destructiveHint": False}, "effect", "write"),
        ({"destructiveHint": True}, "effect", "irreversible"),
        ({"readOnlyHint": True, "idempotentHint": True}, "idempotent", None),
        ({"idempotentHint": True}, "idempotent", True),
        ({"openWorldHint": False}, "sends_out", False),
        ({"openWorldHint": False}, "untrusted_output", False),
    ],
)
def test_what_a_hint_says(hints: dict[str, bool], field: str, value: Any) -> None:
    assert from_hints(hints)[field] == value


@pytest.mark.parametrize("fields", ALL_FIELDS, ids=str)
def test_what_the_way_back_changes_is_named_in_a_loss(fields: dict[str, Any]) -> None:
    """All 108: a field comes back as it was, or a loss says what came instead and why."""
    hints = to_hints(fields)
    back = from_hints(hints.annotations)
    lost = {loss.field: loss for loss in hints.losses}
    for name in FIELDS:
        if back[name] != fields[name]:
            assert (lost[name].value, lost[name].back) == (fields[name], back[name])
            assert lost[name].why


@pytest.mark.parametrize("fields", ALL_FIELDS, ids=str)
def test_the_way_back_is_never_less_careful(fields: dict[str, Any]) -> None:
    """A tool whose hints went out and came in again must not run where it would have asked."""
    back = from_hints(to_hints(fields).annotations)
    order = ["read", "write", "irreversible"]
    if fields["effect"] is not None:
        assert order.index(back["effect"]) >= order.index(fields["effect"])
    assert back["sends_out"] or not fields["sends_out"]
    assert back["untrusted_output"] or not fields["untrusted_output"]
    assert not back["idempotent"] or fields["idempotent"]


@pytest.mark.parametrize("hints", ALL_HINTS, ids=str)
def test_hints_that_came_in_mean_the_same_when_they_go_out(hints: dict[str, bool]) -> None:
    assert meaning(to_hints(from_hints(hints)).annotations) == meaning(hints)


def test_fields_that_came_from_hints_come_back_as_they_are() -> None:
    for hints in ALL_HINTS:
        fields = from_hints(hints)
        assert from_hints(to_hints(fields).annotations) == fields


def test_an_irreversible_tool_is_told_in_other_words() -> None:
    """Nothing is destroyed by a mail: the hint is careful, and a loss says that it is not it."""
    hints = to_hints(ToolSpec(name="send_mail", effect="irreversible", sends_out=True))
    assert hints.annotations["destructiveHint"] is True
    (loss,) = (each for each in hints.losses if each.field == "effect")
    assert loss.value == loss.back == "irreversible"
    assert "mail" in loss.why


def test_a_search_on_the_web_has_one_hint_for_two_fields() -> None:
    """What is fetched may be trusted while the query leaves the app: MCP cannot tell them apart."""
    hints = to_hints({"effect": "read", "untrusted_output": False, "sends_out": True})
    assert hints.annotations == {"readOnlyHint": True, "openWorldHint": True}
    assert [(loss.field, loss.back) for loss in hints.losses] == [("untrusted_output", True)]


def test_an_undeclared_tool_has_no_hints() -> None:
    hints = to_hints(ToolSpec(name="weather"))
    assert hints.annotations == {}
    assert {loss.field for loss in hints.losses} == set(FIELDS)


def test_an_effect_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="effect is read, write, irreversible or None"):
        to_hints({"effect": "delete"})


def test_every_row_is_reached() -> None:
    """A row that stands below one that fits all it fits would never act."""
    reached = {
        next(
            index
            for index, row in enumerate(TABLE)
            if row.about == about and row.fields.items() <= fields.items()
        )
        for fields in ALL_FIELDS
        for about in ABOUT
    }
    assert reached == set(range(len(TABLE)))
