"""Provenance: whole tokens of a text, in Latin letters, in Hangul and in numbers."""

import pytest

from toolbridge.checkpoint.evidence import stands_in

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
]


@pytest.mark.parametrize(("text", "value"), STANDS)
def test_a_whole_token_stands_in_a_text(text: str, value: str) -> None:
    assert stands_in(text, value)


@pytest.mark.parametrize(("text", "value"), DOES_NOT_STAND)
def test_a_piece_of_a_token_does_not(text: str, value: str) -> None:
    assert not stands_in(text, value)
