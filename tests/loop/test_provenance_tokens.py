"""Provenance: whole tokens of a text, in Latin letters, in Hangul and in numbers."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbridge.checkpoint.tokens import stands_in

STANDS = [
    ("A-1029", "A-1029"),
    ("order #A-1029 is late", "A-1029"),
    ("order #A-1029 is late", "#A-1029"),
    ("A-1029를 취소해 주세요", "A-1029"),
    ("주문A-1029", "A-1029"),
    ("7개 주문", "7"),
    ("ends with A-1029.", "A-1029"),
    ("(A-1029)", "A-1029"),
    ("'A-1029'", "A-1029"),
    ("id=A-1029&x", "A-1029"),
    ("id:A-1029", "A-1029"),
    ("1,2,3", "2"),
    ("7, 8", "7"),
    ("7,2026", "7"),
    ("Kim Ha-na called", "Kim Ha-na"),
    ("A-10290 and A-1029", "A-1029"),
    ("it is -7 today", "-7"),
    ("김하나 님", "김하나"),
    ("José님", "José"),
    ("$7", "7"),
    # a key before a value, and what may stand before the key
    ("id=7", "7"),
    ("user_id: 7", "7"),
    ("user_id:7", "7"),
    ("user_id:7", "user_id:7"),
    ('{"id":7}', "7"),
    ("{'id':7}", "7"),
    ("id='U-7'", "U-7"),
    ("?id=7&name=Kim", "7"),
    ("?id=7&name=Kim", "Kim"),
    ("id=7|name=Kim", "7"),
    ("total=$7", "7"),
    ("주문번호:7", "7"),
    ("id\N{FULLWIDTH COLON}7", "7"),
    ("**id:7**", "7"),
    # signs that join nothing here
    ("**A-1029**", "A-1029"),
    ("**A-1029**를 취소", "A-1029"),
    ("주문#1029", "1029"),
    ("| U-7 | Kim |", "U-7"),
    ("5%", "5"),
    ("Kim: here", "Kim"),
    ("https://kim.example/7 U-7", "U-7"),
    ("\N{LEFT-TO-RIGHT MARK}U-7\N{LEFT-TO-RIGHT MARK}", "U-7"),
    ("12\N{ZERO WIDTH SPACE} here", "12"),
    ("\N{ZERO WIDTH NO-BREAK SPACE}U-7", "U-7"),
    ("7 2026", "7"),
    ("7 100000", "7"),
    ("A-7 100 won", "A-7"),
    ("room 7, 100 won", "7"),
    ("12345 678", "678"),
    ("1 000 won", "1 000"),
]
DOES_NOT_STAND = [
    ("A-10290", "A-1029"),
    ("A-1029-B", "A-1029"),
    ("BA-1029", "A-1029"),
    ("A-1029_old", "A-1029"),
    ("A-1029.pdf", "A-1029"),
    ("orders/A-1029", "A-1029"),
    ("A-1029@shop", "A-1029"),
    ("A-1029~2", "A-1029"),
    ("Kim's", "Kim"),
    ("C:\\Users\\kim", "kim"),
    ("7.5", "7"),
    ("3.7", "7"),
    ("12:30", "12"),
    ("1,000", "1"),
    ("1,000", "000"),
    ("1,234,567", "234"),
    ("it is -7 today", "7"),
    ("it is .7", "7"),
    ("call +82", "82"),
    ("it is \N{MINUS SIGN}7", "7"),
    ("1만 원", "1"),
    ("1만5000 원", "5000"),
    ("김하나님", "김하나"),
    ("山田さん", "山田"),
    ("José", "Jos"),
    ("m\N{COMBINING MACRON}", "m"),
    ("7\N{VARIATION SELECTOR-16}\N{COMBINING ENCLOSING KEYCAP}", "7"),
    ("7²", "7"),
    ("", "A"),
    # what stands before a key, or could be one
    ("abc=def", "abc"),
    ("usr:42x", "usr"),
    ("urn:order:12", "12"),
    ("urn:order:12", "order"),
    ("12:ab", "ab"),
    ("12:ab", "12"),
    ("a.b=7", "7"),
    ("x-id:7", "7"),
    ("k" * 65 + "=7", "7"),
    ("'id:7", "id"),
    ("x&id=7&y", "id"),
    ("https://kim", "https"),
    ("https://kim", "kim"),
    # signs between two pieces
    ("YWJj==", "YWJj"),
    ("YWJj=", "YWJj"),
    ("abc#1", "abc"),
    ("abc#1", "1"),
    ("a%20b", "a"),
    ("a%20b", "b"),
    ("abc|def", "abc"),
    ("abc&def", "def"),
    ("abc*def", "abc"),
    ("US$7", "7"),
    ("2^7", "7"),
    ("abc--def", "abc"),
    ("김#하나", "김"),
    ("12\N{EN DASH}34", "12"),
    ("abc\N{FULLWIDTH SOLIDUS}def", "abc"),
    # what is cut
    ("A-10\N{HORIZONTAL ELLIPSIS}", "A-10"),
    ("A-10...", "A-10"),
    ("...29", "29"),
    # what is not seen
    ("12\N{ZERO WIDTH SPACE}34", "12"),
    ("12\N{ZERO WIDTH SPACE}34", "34"),
    ("ab\N{SOFT HYPHEN}cd", "ab"),
    ("ab\N{SOFT HYPHEN}cd", "cd"),
    ("12\N{ZERO WIDTH SPACE}\N{WORD JOINER}34", "12"),
    ("12\N{NULL}34", "12"),
    ("A\N{SOFT HYPHEN}-\N{SOFT HYPHEN}1029", "1029"),
    # digits in groups of three
    ("1 000 won", "1"),
    ("1 000 won", "000"),
    ("1 234 567", "234"),
    ("1 234 567", "567"),
    ("1\N{NARROW NO-BREAK SPACE}000", "1"),
    ("1\N{NO-BREAK SPACE}000", "000"),
]


@pytest.mark.parametrize(("text", "value"), STANDS)
def test_a_whole_token_stands_in_a_text(text: str, value: str) -> None:
    assert stands_in(text, value)


@pytest.mark.parametrize(("text", "value"), DOES_NOT_STAND)
def test_a_piece_of_a_token_does_not(text: str, value: str) -> None:
    assert not stands_in(text, value)


WORDS = st.text(string.ascii_letters + string.digits, min_size=1, max_size=5)


@given(WORDS, st.sampled_from([*"-./\\@+~#%|&*$^_=:"]), WORDS)
def test_the_first_of_two_joined_words_never_stands_alone(
    first: str, sign: str, second: str
) -> None:
    text = f"it is {first}{sign}{second} here"
    if first not in ("it", "is", "here", second):
        assert not stands_in(text, first)


@given(WORDS, st.sampled_from(["\n", "\t", "; ", ", ", " (", ") ", '"', " = ", ": "]), WORDS)
def test_words_apart_stand_for_themselves(first: str, sign: str, second: str) -> None:
    text = f"{first}{sign}{second}"
    assert stands_in(text, first)
    assert stands_in(text, second)
