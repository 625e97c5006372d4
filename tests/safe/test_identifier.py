"""Identifier against known attacks."""

from __future__ import annotations

from typing import Any, Final

import pytest

import toolbridge as tb
from safe.helpers import fits, given, offered, refusal
from toolbridge import safe

ATTACKS: Final[tuple[tuple[Any, str], ...]] = (
    ("order-1\n", "U+000A"),  # `$` of a pattern takes a newline at the end
    ("order-1\0", "U+0000"),
    ("\u200border-1", "U+200B"),
    ("order-1\u202e", "U+202E"),
    ("order 1", "not of the form"),
    ("-rf", "not of the form"),  # CWE-88: an option where it becomes an argument
    ("_id", "not of the form"),
    ("../order", "not of the form"),
    ("1' OR '1'='1", "not of the form"),
    ("1;DROP TABLE orders", "not of the form"),
    ("${jndi:ldap://evil}", "not of the form"),
    ("{{7*7}}", "not of the form"),
    ("<script>", "not of the form"),
    ("order-\u0661", "U+0661"),  # Arabic-Indic one
    ("order-\uff11", "U+FF11"),  # full width one
    ("order-\u00b2", "U+00B2"),  # raised two
    ("\u043erder-1", "not of the form"),  # Cyrillic o
    ("a" * 65, "longer than 64"),
    ("", "is empty"),
    (1001, "must be a text"),
    (None, "must be a text"),
    ({"$ne": ""}, "must be a text"),  # operators of MongoDB
)


@pytest.mark.parametrize(("value", "why"), ATTACKS, ids=lambda each: ascii(each)[:40])
def test_an_attack_is_refused(value: Any, why: str) -> None:
    words = refusal(safe.Identifier(), value)
    assert why in words
    assert words.endswith("Give one that matches [A-Za-z0-9][A-Za-z0-9_-]*, such as order-1001")


@pytest.mark.parametrize("value", ["a", "order-1001", "A_b-9", "0", "a" * 64])
def test_a_good_one_is_given_as_it_came(value: str) -> None:
    assert given(safe.Identifier(), value) == value
    assert fits(safe.Identifier(), value)


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (r"\d+", "12\u0663"),
        (r"\w+", "b\u00fccher"),
        (r"[^/]+", "12\u0663"),
        (r"[^/]+", "a\nb"),
        (r"a|b", "ac"),
        (r"^\d+$", "12\n"),
    ],
)
def test_no_pattern_of_the_app_lets_them_in(pattern: str, value: str) -> None:
    """Other scripts, newlines, and a match of a part."""
    assert refusal(safe.Identifier(pattern), value)


def test_the_schema_tells_the_limits() -> None:
    kind = safe.Identifier(r"ORD-\d{4}", example="ORD-1001", max_length=8, description="An order")
    assert offered(kind) == {
        "type": "string",
        "description": "An order. An identifier exactly as it was given, nothing around it.",
        "pattern": r"^ORD-\d{4}$",
        "minLength": 1,
        "maxLength": 8,
        "examples": ["ORD-1001"],
    }
    alternatives = safe.Identifier("a|b")
    assert offered(alternatives)["pattern"] == "^(a|b)$" and "examples" not in offered(alternatives)
    assert fits(alternatives, "b") and not fits(alternatives, "bc")


@pytest.mark.parametrize(
    "options", [{"pattern": "["}, {"max_length": 0}, {"pattern": "a+", "example": "b"}]
)
def test_what_the_app_says_wrong_is_told_to_the_app(options: dict[str, Any]) -> None:
    with pytest.raises(tb.ToolDefinitionError, match="Identifier"):
        safe.Identifier(**options)


def test_short_default_has_a_short_example() -> None:
    """The example passes whatever the length."""
    assert safe.Identifier(max_length=3).example == "ord"
