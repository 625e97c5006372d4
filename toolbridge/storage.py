"""Canonical values as versioned JSON, and back: equal, spelling memory included.

The text is `{"toolbridge": 1, "value": ...}`. A value is an object of the fields that were set,
with the name of its class under `class`; a tuple of values is a list. So a JSON pointer
`/value/history/0/parts/1` names the second part of the first message: the losses of `write`
point so. Every earlier version stays readable.
"""

from __future__ import annotations

import dataclasses
import json
from functools import lru_cache
from types import ModuleType
from typing import Any

from toolbridge.errors import StateError, WireError
from toolbridge.payload import NESTING, check_payload
from toolbridge.spelling import Spelling
from toolbridge.values import JSON, Value, freeze, make, thaw

VERSION = 1
CLASS = "class"


def to_json(value: Any, *, key: str | bytes | None = None) -> str:
    """The JSON text of a canonical value, of a tuple of them (tools) or of a Run, whose state is
    stored; in UTF-8 as it is. With a `key` it is signed.

    Raises TypeError for anything else.
    """
    value = stored(value)
    if not isinstance(value, (Value, tuple, list)):
        raise TypeError(
            f"to_json takes canonical values and tuples of them, not {type(value).__name__}"
        )
    data = {"toolbridge": VERSION, "value": encode(value)}
    if key is not None:
        data[SIGNATURE] = signature(data["value"], key)
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def stored(value: Any) -> Any:
    """What is stored of a value: of a Run its state."""
    state = getattr(value, "state", None)
    return state if isinstance(state, Value) else value


SIGNATURE = "signature"


def signature(data: JSON, key: str | bytes) -> str:
    """An HMAC (RFC 2104) of JSON, whatever the order of its keys: databases change that."""
    import hmac

    secret = key.encode() if isinstance(key, str) else key
    if len(secret) < KEY_BYTES:
        raise ValueError(f"the key is shorter than {KEY_BYTES} bytes: secrets.token_bytes(32)")
    return f"hmac-sha256:{hmac.new(secret, canonical(data), 'sha256').hexdigest()}"


def canonical(data: JSON) -> bytes:
    """JSON in one spelling, whatever the order of its keys."""
    return json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()


KEY_BYTES = 16
"""The least that a key may be; NIST SP 800-107 wants as much as the strength that is sought."""

OWN_LEVELS = 20
"""What the text of a value adds at most to the levels of the payload that it was read from."""


def from_json(text: str | bytes, *, key: str | bytes | None = None) -> Any:
    """The value of a text that `to_json` made.

    Raises WireError if the text is not such JSON, or was made by a newer version; StateError if
    it was not signed with the `key`.
    """
    return value_of(loaded(text), key)


def loaded(text: str | bytes) -> JSON:
    """The JSON of a text. Raises WireError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireError("", "JSON text", str(error), MEND) from None


def value_of(data: JSON, key: str | bytes | None) -> Any:
    """The value of what `to_json` made, parsed; signed if there is a key."""
    version = data.get("toolbridge") if isinstance(data, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or "value" not in data:
        raise WireError("", 'an object with "toolbridge" and "value"', "other JSON", MEND)
    check_payload(data, NESTING + OWN_LEVELS)
    if not 0 < version <= VERSION:
        raise WireError(
            "/toolbridge", f"version {VERSION} or older", f"version {version}", "Upgrade toolbridge"
        )
    if key is not None:
        check_signature(data, key)
    if not isinstance(data["value"], (dict, list)):
        raise WireError("/value", "a value or a list of them", repr(data["value"]), MEND)
    return decode(data["value"], "/value")


def check_signature(data: dict[str, JSON], key: str | bytes) -> None:
    """Raise StateError unless JSON is signed with a key."""
    import hmac

    given = data.get(SIGNATURE)
    if not isinstance(given, str):
        raise StateError("there is no signature, though a key was given: store to_json(run, key=)")
    if not hmac.compare_digest(given.encode(), signature(data["value"], key).encode()):
        raise StateError("the signature is not that of this text and key: it was changed")


def is_signed(data: JSON) -> bool:
    """Whether what `to_json` made, parsed, is signed."""
    return isinstance(data, dict) and SIGNATURE in data


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
    name = data.get(CLASS)
    cls = classes().get(name) if isinstance(name, str) else None
    if cls is None:
        raise WireError(path, f'the name of a value under "{CLASS}"', repr(name), MEND)
    check_fields(cls, data, path)
    return make(
        cls, {name: decode_field(cls, name, data[name], path) for name in data if name != CLASS}
    )


def check_fields(cls: type[Value], data: dict[str, JSON], path: str) -> None:
    """Raise WireError unless an object has the fields of a class: no others, and all required."""
    unknown = data.keys() - cls.defaults.keys() - {CLASS}
    if unknown:
        raise WireError(path, f"fields of {cls.__name__}", repr(min(unknown)), MEND)
    for name, default in cls.defaults.items():
        if default is dataclasses.MISSING and name not in data:
            raise WireError(path, f"the field {name!r} of {cls.__name__}", "none", MEND)


MEND = "Pass what to_json returned, unchanged"


def decode_field(cls: type[Value], name: str, member: JSON, path: str) -> Any:
    """The inverse of `encode_field`."""
    if name == "spelling":
        try:
            return None if member is None else Spelling.from_json(member)
        except (AttributeError, KeyError, TypeError) as error:
            raise WireError(f"{path}/{name}", "a spelling", repr(error), MEND) from None
    if name == "extra" or name in cls.json_fields:
        return freeze(member)
    return decode(member, f"{path}/{name}")


def modules() -> tuple[ModuleType, ...]:
    """The modules of all values."""
    from toolbridge import parts, request, response, tools
    from toolbridge.checkpoint import questions, run_state

    return (parts, tools, request, response, questions, run_state)


@lru_cache(maxsize=1)
def classes() -> dict[JSON, type[Value]]:
    """All classes of values, by name."""
    found = (each for module in modules() for each in vars(module).values())
    return {
        each.__name__: each
        for each in found
        if isinstance(each, type) and issubclass(each, Value) and each is not Value
    }
