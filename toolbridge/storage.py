"""Canonical values as versioned JSON, and back: equal, spelling memory included.

The text is `{"toolbridge": 1, "value": ...}`. A value is an object of the fields that were set,
with the name of its class under `class`; a tuple of values is a list. So a JSON pointer
`/value/history/0/parts/1` names the second part of the first message: the losses of `write`
point so. Every earlier version stays readable.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from toolbridge.errors import WireError
from toolbridge.payload import check_payload
from toolbridge.spelling import Spelling
from toolbridge.values import JSON, Value, freeze, make, thaw

VERSION = 1
CLASS = "class"


def to_json(value: Any) -> str:
    """The JSON text of a canonical value or of a tuple of them (tools), in UTF-8 as it is.

    Raises TypeError for anything else.
    """
    if not isinstance(value, (Value, tuple, list)):
        raise TypeError(
            f"to_json takes canonical values and tuples of them, not {type(value).__name__}"
        )
    return json.dumps({"toolbridge": VERSION, "value": encode(value)}, ensure_ascii=False)


def from_json(text: str | bytes) -> Any:
    """The value of a text that `to_json` made.

    Raises WireError if the text is not such JSON, or was made by a newer version.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise WireError("", "JSON text", str(error), "Pass what to_json returned") from None
    check_payload(data)
    version = data.get("toolbridge") if isinstance(data, dict) else None
    if not isinstance(version, int) or "value" not in data:
        raise WireError(
            "",
            'an object with "toolbridge" and "value"',
            "other JSON",
            "Pass what to_json returned",
        )
    if version > VERSION:
        raise WireError(
            "/toolbridge", f"version {VERSION} or older", f"version {version}", "Upgrade toolbridge"
        )
    return decode(data["value"], "/value")


def encode(item: Any) -> JSON:
    """A value, a tuple of values, or what stands in a field of one."""
    if isinstance(item, Value):
        fields = {name: encode_field(item, name, member) for name, member in vars(item).items()}
        return {CLASS: type(item).__name__, **fields}
    if isinstance(item, (tuple, list)):
        return [encode(member) for member in item]
    return item


def encode_field(owner: Value, name: str, member: Any) -> JSON:
    """One field: JSON as it is, values as objects."""
    if isinstance(member, Spelling):
        return member.to_json()
    if name == "extra" or name in owner.json_fields:
        return thaw(member)
    return encode(member)


def decode(data: JSON, path: str) -> Any:
    """The inverse of `encode`."""
    if isinstance(data, list):
        return tuple(decode(member, f"{path}/{index}") for index, member in enumerate(data))
    if not isinstance(data, dict):
        return data
    cls = classes().get(data.get(CLASS))
    if cls is None:
        raise WireError(path, f'the name of a value under "{CLASS}"', repr(data.get(CLASS)), MEND)
    unknown = data.keys() - cls.defaults.keys() - {CLASS}
    if unknown:
        raise WireError(path, f"fields of {cls.__name__}", repr(min(unknown)), MEND)
    return make(
        cls, {name: decode_field(cls, name, data[name], path) for name in data if name != CLASS}
    )


MEND = "Pass what to_json returned, unchanged"


def decode_field(cls: type[Value], name: str, member: JSON, path: str) -> Any:
    """The inverse of `encode_field`."""
    if name == "spelling":
        return None if member is None else Spelling.from_json(member)
    if name == "extra" or name in cls.json_fields:
        return freeze(member)
    return decode(member, f"{path}/{name}")


@lru_cache(maxsize=1)
def classes() -> dict[JSON, type[Value]]:
    """All classes of values, by name."""
    from toolbridge import parts, request, response, tools

    modules = (parts, tools, request, response)
    found = (each for module in modules for each in vars(module).values())
    return {
        each.__name__: each for each in found if isinstance(each, type) and issubclass(each, Value)
    }
