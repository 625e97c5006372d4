"""SQL against known attacks: the model picks statements and gives values, never SQL (CWE-89).

Attacks after
https://github.com/swisskyrepo/PayloadsAllTheThings/tree/master/SQL%20Injection and
https://portswigger.net/web-security/sql-injection/cheat-sheet.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

import toolbridge as tb
from safe.helpers import fits, given, may_be, offered, refusal
from toolbridge import safe
from toolbridge.safe.placeholders import names_in, with_percent_style

STATEMENTS: Final = {
    "orders_of": "SELECT id FROM orders WHERE customer = :customer AND total >= :least",
    "count": "SELECT count(*) FROM orders",
    "find": "SELECT id FROM orders WHERE note = :note",
}
KIND: Final = safe.SQL(
    STATEMENTS,
    types={"customer": str, "least": float},
    descriptions={"orders_of": "the orders of a customer"},
)


def orders_of(customer: Any, least: Any = 0) -> dict[str, Any]:
    return {"statement": "orders_of", "parameters": {"customer": customer, "least": least}}


ATTACKS: Final[tuple[tuple[Any, str], ...]] = (
    # SQL in place of a statement
    ("SELECT * FROM orders", "SQL text is not taken"),
    ("DROP TABLE orders", "SQL text is not taken"),
    ({"sql": "SELECT 1"}, "SQL text is not taken"),
    ({"text": "SELECT 1", "parameters": {}}, "SQL text is not taken"),
    ({"statement": "SELECT 1", "parameters": {}}, "the statement must be"),
    ({"statement": "count; DROP TABLE orders"}, "the statement must be"),
    ({"statement": "COUNT"}, "the statement must be"),
    ({"statement": "count "}, "the statement must be"),
    ({"statement": "count\0"}, "the statement must be"),
    ({"statement": ["count"]}, "the statement must be"),
    ({"statement": None}, "the statement must be"),
    ({"statement": "count", "text": "SELECT 1"}, "which it may not"),
    ({"statement": "count", "parameters": {}, "suffix": "; DROP"}, "which it may not"),
    # parameters that the statement has not, or of another kind
    ({"statement": "count", "parameters": {"x": 1}}, "are none"),
    ({"statement": "orders_of", "parameters": {"customer": "a"}}, "exactly customer, least"),
    ({"statement": "orders_of"}, "exactly customer, least"),
    ({"statement": "orders_of", "parameters": None}, "exactly customer, least"),
    ({"statement": "orders_of", "parameters": ["a", 1]}, "exactly customer, least"),
    ({"statement": "orders_of", "parameters": "a"}, "exactly customer, least"),
    ({"statement": "find", "parameters": {"note": "a", "note OR 1=1 --": 1}}, "exactly note"),
    ({"statement": "find", "parameters": {"note": ["a"]}}, "must be a single value"),
    ({"statement": "find", "parameters": {"note": {"$ne": ""}}}, "must be a single value"),
    ({"statement": "find", "parameters": {"note": b"a"}}, "must be a single value"),
    (orders_of(1), "of the type string"),
    (orders_of(True), "of the type string"),
    (orders_of(None), "of the type string"),  # `= NULL` finds nothing, `IS NULL` is not asked
    (orders_of("a", "0 OR 1=1"), "of the type number"),
    (orders_of("a", "0"), "of the type number"),
    (orders_of("a", True), "of the type number"),
    # values that databases do not store
    (orders_of("a", float("nan")), "finite"),
    (orders_of("a", float("inf")), "finite"),
    (orders_of("a", 2**63), "64 bits"),
    (orders_of("a\0b"), "null character"),
    (orders_of("\ud800"), "surrogate"),
    (orders_of("a" * 10_001), "longer than 10000"),
    # no object
    (None, "must name one"),
    ([], "must name one"),
    ({}, "must name one"),
)

HARMLESS: Final = (
    "' OR '1'='1",
    "' OR 1=1 --",
    "admin'--",
    "'; DROP TABLE orders; --",
    "' UNION SELECT name FROM sqlite_master --",
    '" OR ""="',
    "\\' OR 1=1 --",
    "1; ATTACH DATABASE 'x.db' AS x",
    "' AND (SELECT load_extension('x')) --",
    "%' OR '1'='1",
    "\u02bc OR 1=1",  # a quote that some code pages fold to '
    "\xbf' OR 1=1",  # half a character of GBK before the quote
    ":customer",
    "?",
    "O'Brien",
)
"""They are values like others, once they are bound."""


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE TABLE orders (id INTEGER, customer TEXT, total REAL, note TEXT)")
        made.execute("INSERT INTO orders VALUES (1, 'a', 10.0, 'first')")
        yield made


@pytest.mark.parametrize(("value", "why"), ATTACKS, ids=lambda each: ascii(each)[:50])
def test_an_attack_is_refused(value: Any, why: str) -> None:
    words = refusal(KIND, value, safe.BoundStatement)
    assert why in words
    assert words.endswith(
        'Give an object such as {"statement": "orders_of", '
        '"parameters": {"customer": "text", "least": 1.5}}'
    )


@pytest.mark.parametrize("value", HARMLESS)
def test_sql_in_a_value_stays_a_value(database: sqlite3.Connection, value: str) -> None:
    """It finds what is equal to it, and nothing else happens."""
    asked = {"statement": "find", "parameters": {"note": value}}
    bound = given(KIND, asked, safe.BoundStatement)
    assert database.execute(bound.text, bound.parameters).fetchall() == []
    database.execute("INSERT INTO orders VALUES (2, 'b', 1.0, ?)", (value,))
    assert database.execute(bound.text, bound.parameters).fetchall() == [(2,)]
    assert fits(KIND, asked)


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        (orders_of("a"), [(1,)]),
        (orders_of("a", 10.5), []),
        ({"statement": "count"}, [(1,)]),
        ({"statement": "count", "parameters": {}}, [(1,)]),
        ({"statement": "find", "parameters": {"note": None}}, []),
        ({"statement": "find", "parameters": {"note": -(2**63)}}, []),
    ],
    ids=str,
)
def test_a_good_one_is_ready_for_a_cursor(
    database: sqlite3.Connection, value: Any, rows: list[Any]
) -> None:
    bound = given(KIND, value, safe.BoundStatement)
    assert bound == safe.BoundStatement(
        value["statement"], STATEMENTS[value["statement"]], value.get("parameters", {})
    )
    assert database.execute(bound.text, bound.parameters).fetchall() == rows
    assert fits(KIND, value)


def test_the_schema_tells_statements_and_parameters_and_no_sql() -> None:
    schema = offered(KIND, safe.BoundStatement)
    first, second, third = schema["anyOf"]
    assert first == {
        "type": "object",
        "description": "the orders of a customer",
        "properties": {
            "statement": {"type": "string", "enum": ["orders_of"]},
            "parameters": {
                "type": "object",
                "properties": {
                    "customer": {"type": "string", "maxLength": 10_000},
                    "least": {"type": "number"},
                },
                "required": ["customer", "least"],
                "additionalProperties": False,
            },
        },
        "required": ["statement", "parameters"],
        "additionalProperties": False,
    }
    assert second["required"] == ["statement"]
    assert third["properties"]["parameters"]["properties"]["note"] == {
        "type": ["string", "number", "boolean", "null"],
        "maxLength": 10_000,
    }
    assert "SELECT" not in str(schema)
    assert fits(KIND, schema["examples"][0]) and KIND.check(schema["examples"][0])


def test_the_schema_takes_none_of_the_attacks_that_it_can_tell() -> None:
    """All but the bounds of stored values, which JSON Schema has no plain words for."""
    let_in = [why for value, why in ATTACKS if isinstance(value, dict) and fits(KIND, value)]
    assert set(let_in) <= {"finite", "64 bits", "null character", "surrogate"}


def test_one_statement_needs_no_union() -> None:
    kind = safe.SQL({"count": "SELECT 1"}, descriptions={"count": "How many."}, description="Ask")
    schema = offered(kind, safe.BoundStatement)
    assert schema["type"] == "object" and "anyOf" not in schema
    assert schema["description"] == (
        "Ask. One of the prepared statements by its name, with its parameters; no SQL text. "
        "How many."
    )


def test_a_bound_statement_alone_is_no_type_of_a_tool() -> None:
    """Else a model could write its text."""

    def use(query: safe.BoundStatement) -> None: ...

    with pytest.raises(tb.ToolDefinitionError, match="no JSON Schema"):
        tb.tool(use)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT :a, :b, :a", ("a", "b")),
        ("SELECT ':a', \":b\", `:c`, ':it''s :d' FROM t WHERE x = :e", ("e",)),
        ("SELECT 1 -- :a\n, :b /* :c \n :d */", ("b",)),
        ("SELECT x::int, '12:30'::time, :a::text", ("a",)),
        ("SELECT $$ :a $$, $t$ :b $$ :c $t$, :d", ("d",)),
        ("SELECT a[1:2], a[x:y], :a_1", ("a_1",)),
        ("SELECT 1", ()),
    ],
)
def test_the_parameters_of_a_text(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names


def test_the_style_of_other_drivers() -> None:
    text = "SELECT ':a', '50%', x::int FROM t WHERE x LIKE :a AND y % 2 = :b"
    kind = safe.SQL({"s": text}, paramstyle="pyformat")
    bound = kind.check({"statement": "s", "parameters": {"a": "x", "b": 0}})
    assert bound.text == (
        "SELECT ':a', '50%%', x::int FROM t WHERE x LIKE %(a)s AND y %% 2 = %(b)s"
    )
    assert bound.text % {"a": 1, "b": 2} == text.replace(":a A", "1 A").replace(":b", "2")
    assert with_percent_style("SELECT 1") == "SELECT 1"


@pytest.mark.parametrize(
    "options",
    [
        {"statements": {}},
        {"statements": {"": "SELECT 1"}},
        {"statements": {"a": ""}},
        {"statements": {"a": "SELECT 1"}, "types": {"b": int}},
        {"statements": {"a": "SELECT :b"}, "types": {"b": list}},
        {"statements": {"a": "SELECT 1"}, "descriptions": {"b": "x"}},
        {"statements": {"a": "SELECT 1"}, "paramstyle": "qmark"},
    ],
    ids=str,
)
def test_what_the_app_says_wrong_is_told_to_the_app(options: dict[str, Any]) -> None:
    with pytest.raises(tb.ToolDefinitionError, match="SQL"):
        safe.SQL(**options)


SCALARS: Final = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text())
VALUES: Final = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(("statement", "parameters", "note", "text")), inner, max_size=3
        ),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@drawn(note=VALUES)
def test_whatever_comes_the_text_is_one_of_the_app_s(note: Any) -> None:
    """And what passes is bound by a database, and comes back as it was."""
    for value in (note, {"statement": "find", "parameters": {"note": note}}):
        bound = may_be(KIND, value)
        if bound is not None:
            assert bound.text in STATEMENTS.values()
            with closing(sqlite3.connect(":memory:")) as database:
                (kept,) = database.execute("SELECT :note", {"note": None} | bound.parameters)
            assert kept == (bound.parameters.get("note"),)
