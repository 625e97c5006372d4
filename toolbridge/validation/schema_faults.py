"""The errors of `jsonschema` as faults in plain words (draft 2020-12 and the drafts before it)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from toolbridge.schemas.merge import matches
from toolbridge.validation.faults import (
    MISSING,
    Fault,
    Path,
    best_of,
    kinds_in_words,
    listed_in_words,
    short,
    unknown,
)

FORMATS: Final = {
    "date": "a date (YYYY-MM-DD)",
    "date-time": "a date and time with an offset (RFC 3339)",
    "time": "a time with an offset (RFC 3339)",
    "duration": "a duration (ISO 8601)",
    "email": "an email address",
    "hostname": "a host name",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "uri": "a URI",
    "uuid": "a UUID",
    "regex": "a regular expression",
    "json-pointer": "a JSON pointer",
}


UNSAID: Final = "is not allowed, or holds what is not allowed"
"""Where a schema is False, jsonschema names the place of what stands around the value."""


def schema_faults(errors: Iterable[Any]) -> list[Fault]:
    """The faults that errors of jsonschema tell, each once."""
    return [*dict.fromkeys(fault for error in errors for fault in faults_of(error))]


def faults_of(error: Any) -> list[Fault]:
    """The faults of one error; of a union those of the branch that was meant."""
    path = tuple(error.absolute_path)
    if error.validator in ("anyOf", "oneOf") and error.context:
        branches: dict[Any, list[Fault]] = {}
        for each in error.context:
            branches.setdefault(each.schema_path[0], []).extend(faults_of(each))
        return best_of(list(branches.values()), path)
    if error.validator == "required":
        return [Fault((*path, name), MISSING) for name in absent(error, error.validator_value)]
    if error.validator in ("dependentRequired", "dependencies"):
        return list(dependent(error, path))
    if error.validator == "additionalProperties":
        names = list(error.schema.get("properties", {}))
        return [unknown((*path, name), names) for name in extra(error)]
    what = WORDS.get(error.validator, lambda _: UNSAID)(error)
    if "propertyNames" in error.absolute_schema_path and error.parent is None:
        return [Fault(path, f"the name {short(error.instance)} {what}")]
    return [
        Fault(
            path,
            what,
            wrong_kind=error.validator in ("type", None),
            unlisted=error.validator in ("enum", "const"),
        )
    ]


def absent(error: Any, names: Any) -> list[str]:
    """Names of properties that an object does not have."""
    return [name for name in names if name not in error.instance] if isinstance(names, list) else []


def dependent(error: Any, path: Path) -> Iterator[Fault]:
    """The properties that are missing because another one is there."""
    for name, needed in error.validator_value.items():
        if name in error.instance:
            for each in absent(error, [needed] if isinstance(needed, str) else needed):
                yield Fault((*path, each), f"{MISSING}, and needed beside {name}")


def extra(error: Any) -> list[str]:
    """The properties of an object that its schema does not have."""
    known, patterns = error.schema.get("properties", {}), error.schema.get("patternProperties", {})
    return [
        name
        for name in error.instance
        if name not in known and not any(matches(pattern, name) for pattern in patterns)
    ]


def edge(plain: str, strict: str, key: str) -> Callable[[Any], str]:
    """Words for a limit, which is `strict` under a boolean keyword of draft 4."""
    return lambda error: (
        f"must be {strict if error.schema.get(key) is True else plain} {error.validator_value}"
    )


def count(least: str, of: str) -> Callable[[Any], str]:
    """Words for a number of letters, items or properties."""

    def words(error: Any) -> str:
        number = error.validator_value
        if least == "at least" and number == 1:
            return "must not be empty"
        return f"must have {least} {number} {of if number != 1 else ONE[of]}"

    return words


ONE: Final = {"characters": "character", "items": "item", "properties": "property"}


def format_in_words(name: str) -> str:
    """What a text of a format must be."""
    return f"must be {FORMATS.get(name) or f'a string of the format {name}'}"


def types(error: Any) -> str:
    """What a value must be by its type."""
    said = error.validator_value
    return kinds_in_words([said] if isinstance(said, str) else [str(each) for each in said])


WORDS: Final[dict[str | None, Callable[[Any], str]]] = {
    "type": types,
    "enum": lambda error: listed_in_words(error.validator_value),
    "const": lambda error: listed_in_words([error.validator_value]),
    "minimum": edge("at least", "more than", "exclusiveMinimum"),
    "maximum": edge("at most", "less than", "exclusiveMaximum"),
    "exclusiveMinimum": lambda error: f"must be more than {error.validator_value}",
    "exclusiveMaximum": lambda error: f"must be less than {error.validator_value}",
    "multipleOf": lambda error: f"must be a multiple of {error.validator_value}",
    "minLength": count("at least", "characters"),
    "maxLength": count("at most", "characters"),
    "minItems": count("at least", "items"),
    "maxItems": count("at most", "items"),
    "minProperties": count("at least", "properties"),
    "maxProperties": count("at most", "properties"),
    "pattern": lambda error: f"must match the regular expression {short(error.validator_value)}",
    "format": lambda error: format_in_words(error.validator_value),
    "uniqueItems": lambda _: "must not have an item twice",
    "contains": lambda _: "lacks an item that its schema asks for, or has too many such",
    "items": lambda _: "has too many items",
    "additionalItems": lambda _: "has too many items",
    "unevaluatedItems": lambda _: "has items that are not allowed",
    "unevaluatedProperties": lambda _: "has properties that are not allowed",
    "not": lambda _: "is what the schema rules out",
    "oneOf": lambda _: "fits several of the forms of which it must fit one",
}
"""What each keyword wants, in words."""


def wrong_paths(errors: Iterable[Any]) -> Iterator[Path]:
    """Every place of which something is wrong, under whatever branch of a union."""
    for error in errors:
        path = tuple(error.absolute_path)
        if error.context:
            yield from wrong_paths(error.context)
        yield from (fault.path for fault in faults_of(error)) if not error.context else (path,)
