"""A request with what is known beside its body, and the checks that several formats share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .places import JSON, Placed, places

Version = tuple[int, int]


@dataclass(frozen=True)
class Asked:
    """A body with what decides which rules are in force for it."""

    body: Mapping[str, Any]
    profile: str | None
    model: str | None

    @classmethod
    def of(cls, body: JSON, format: str, profile: str | None, model: str | None) -> Asked:
        body = body if isinstance(body, dict) else {}
        if format == "gemini":
            body = camel_case(body)
        named = body.get("model")
        return cls(body, profile, model or (named if isinstance(named, str) else None))

    def is_since(self, first: Mapping[str, Version]) -> bool | None:
        """Is the model at least the first of its family? None: of no such family, or not known."""
        for family, version in first.items():
            found = re.search(rf"{family}-?(\d{{1,2}})(?:[.-](\d{{1,2}}))?(?!\d)", self.model or "")
            if found:
                return (int(found[1]), int(found[2] or 0)) >= version
        return None


Rule = Callable[[Asked], Iterator[str]]

# Owned by the user: their keys are nobody's spelling.
GEMINI_FREE = frozenset(
    [
        "args",
        "response",
        "parameters",
        "parametersJsonSchema",
        "responseSchema",
        "responseJsonSchema",
        "labels",
        "partMetadata",
    ]
)


def camel_case(node: JSON) -> JSON:
    """Gemini takes snake_case for every key and null for an absent one; the rules know neither."""
    if isinstance(node, list):
        return [camel_case(member) for member in node]
    if not isinstance(node, dict):
        return node
    spelled = {re.sub(r"_([a-z])", lambda m: m[1].upper(), key): node[key] for key in node}
    return {
        key: member if key in GEMINI_FREE else camel_case(member)
        for key, member in spelled.items()
        if member is not None
    }


def is_unicode(asked: Asked) -> Iterator[str]:
    """A lone surrogate cannot be sent as UTF-8."""
    try:
        json.dumps(asked.body, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        yield f": {error.reason}: {error.object[error.start : error.end]!r}"


def mismatched(found: Iterable[Placed], pattern: str) -> Iterator[str]:
    """The strings that a pattern does not match as a whole."""
    for at, word in found:
        if not isinstance(word, str) or not re.fullmatch(pattern, word):
            yield f"{at}: {word!r} is not {pattern}"


def repeated(found: Iterable[Placed]) -> Iterator[str]:
    seen: dict[Any, str] = {}
    for at, word in found:
        if word in seen:
            yield f"{at}: {word!r} stands at {seen[word]} too"
        seen.setdefault(word, at)


def undeclared(found: Iterable[Placed], declared: Iterable[Placed]) -> Iterator[str]:
    names = [name for _, name in declared]
    for at, name in found:
        if name not in names:
            yield f"{at}: {name!r} is not declared"


def empty_lists(body: JSON, *patterns: str) -> Iterator[str]:
    for at, found in places(body, *patterns):
        if found == []:
            yield f"{at}: is empty"


@dataclass(frozen=True)
class Limit:
    """The least and the most of a number, or of the length of a list or string."""

    at: str
    least: float | None = None
    most: float | None = None

    def breaches(self, body: JSON) -> Iterator[str]:
        for at, found in places(body, self.at):
            size = len(found) if isinstance(found, (str, list, dict)) else found
            if not isinstance(size, (int, float)):
                continue
            if self.least is not None and size < self.least:
                yield f"{at}: {size} is under {self.least}"
            if self.most is not None and size > self.most:
                yield f"{at}: {size} is over {self.most}"
