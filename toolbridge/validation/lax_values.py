"""JSON values read as another JSON type, as pydantic's lax mode reads them.

https://docs.pydantic.dev/latest/concepts/conversion_table, from JSON to int, float and bool. What
JSON cannot say (NaN, infinity) is read as nothing. Beside it arrays and objects that are written
as the text of their JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final, NoReturn

from toolbridge.values import JSON

BLANK: Final = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""White space of Unicode, which pydantic strips from numbers. Python's own takes four more."""

INTEGER: Final = re.compile(r"[+-]?[0-9]+(?:_[0-9]+)*(?:\.0+)?")
WHOLE: Final = re.compile(r"[+-]?[0-9]+")
NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
WORDS: Final = {
    **dict.fromkeys(("1", "true", "t", "yes", "y", "on"), True),
    **dict.fromkeys(("0", "false", "f", "no", "n", "off"), False),
}
LARGEST: Final = 2**63
"""What pydantic takes no whole float for, and above."""


def as_integer(value: JSON) -> int | None:
    """A whole number in another form; None for anything else."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return int(value) if abs(value) < LARGEST and value.is_integer() else None
    text = value.strip(BLANK) if isinstance(value, str) else ""
    return integer_of(text.partition(".")[0]) if INTEGER.fullmatch(text) else None


def integer_of(digits: str) -> int | None:
    """The number of a text of digits; None for more of them than Python reads."""
    sign = "-" if digits.startswith("-") else ""
    try:
        return int(sign + (digits.lstrip("+-0_") or "0"))
    except ValueError:
        return None


def as_number(value: JSON) -> int | float | None:
    """A number in another form; None for anything else, and for what JSON cannot say. A text of
    digits alone keeps them all: no float could."""
    if isinstance(value, bool):
        return int(value)
    text = plain_number(value) if isinstance(value, str) else ""
    if not NUMBER.fullmatch(text):
        return None
    made = integer_of(text) if WHOLE.fullmatch(text) else float(text)
    return made if made is not None and abs(made) <= FARTHEST else None


def plain_number(text: str) -> str:
    """A text without blanks around it, or without single underscores in it; pydantic takes one or
    the other for a float."""
    if "_" not in text:
        return text.strip(BLANK)
    if text.startswith("_") or text.endswith("_") or "__" in text:
        return ""
    return text.replace("_", "")


FARTHEST: Final = 1.7976931348623157e308
"""The largest number that a float holds."""


def as_boolean(value: JSON) -> bool | None:
    """A boolean in another form; None for anything else."""
    if isinstance(value, str):
        return WORDS.get(value.lower())
    is_bit = isinstance(value, (int, float)) and value in (0, 1)
    return bool(value) if is_bit else None


# --- texts of JSON


def refuse(word: str) -> NoReturn:
    """What Python reads and JSON does not have."""
    raise ValueError(f"{word} is not JSON")


def finite(text: str) -> float:
    """A number that a float holds."""
    made = float(text)
    return made if abs(made) <= FARTHEST else refuse(text)


def unique(members: list[tuple[str, JSON]]) -> dict[str, JSON]:
    """An object. Two members of one name leave to guess which was meant (RFC 8259, section 4)."""
    made = dict(members)
    return made if len(made) == len(members) else refuse("a name used twice")


DECODER: Final = json.JSONDecoder(
    parse_constant=refuse, parse_float=finite, object_pairs_hook=unique
)


def parsed(text: str, kind: type) -> Any:
    """What a JSON text says if it is of this type; None for any other, for what is broken or cut,
    and for what UTF-8 cannot say."""
    try:
        made = DECODER.decode(text.strip(" \t\r\n"))
        if "\\u" in text:
            json.dumps(made, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return made if isinstance(made, kind) else None


def decoder(kind: type, first: str) -> Callable[[JSON], Any]:
    """Reads JSON texts of arrays or objects, which begin with this letter."""

    def decode(value: JSON) -> Any:
        is_text = isinstance(value, str) and value.lstrip(" \t\r\n").startswith(first)
        return parsed(value, kind) if is_text else None

    return decode


CONVERSIONS: Final[dict[str, Callable[[JSON], Any]]] = {
    "integer": as_integer,
    "number": as_number,
    "boolean": as_boolean,
    "array": decoder(list, "["),
    "object": decoder(dict, "{"),
}
"""How a value becomes one of a type. Of several the first counts: "1" is no boolean beside them."""
