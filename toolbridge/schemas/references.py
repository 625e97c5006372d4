"""What the references of a JSON Schema refer to, in every draft; never looked up on the net.

Pointers are followed here. Where a schema has ids within, or a reference names an anchor or a
known metaschema, the library `referencing` does it, which is loaded then.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any, Final, NamedTuple

from toolbridge.locate import escape, unescape
from toolbridge.schemas.words import Schema
from toolbridge.values import JSON

DRAFTS: Final = {
    **{f"draft-0{number}": f"DRAFT{number}" for number in (3, 4, 6, 7)},
    "2019-09": "DRAFT201909",
    "2020-12": "DRAFT202012",
}
"""The drafts as `$schema` names them, and as `referencing` does."""

BROKEN: Final = (AttributeError, LookupError, TypeError, ValueError)
"""What `referencing` raises where something else stands than a schema, or an id is no URI."""


class NamesError(ValueError):
    """The ids in a schema cannot be made out."""


class Scope(NamedTuple):
    """What a schema inherits: its draft, what looks references up (None: pointers are followed
    from the root), and whether it stands outside the input."""

    draft: str
    resolver: Any = None
    outside: bool = False


class Target(NamedTuple):
    """A schema that is referred to, and its place."""

    raw: JSON
    at: str
    scope: Scope


def draft_of(schema: JSON, otherwise: str) -> str:
    """The draft that a schema, or a URI, names."""
    said = schema.get("$schema") if isinstance(schema, dict) else schema
    if not isinstance(said, str):
        return otherwise
    found = re.match(r"https?://json-schema\.org/(?:draft/)?([a-z0-9-]+)(?:[/#]|$)", said)
    return found[1] if found and found[1] in DRAFTS else otherwise


def id_word(draft: str) -> str:
    """The keyword under which a schema has its id."""
    return "id" if draft in ("draft-03", "draft-04") else "$id"


class References:
    """The references of a schema: each target has one name, and waits in `targets` once."""

    def __init__(self, schema: Schema) -> None:
        draft = draft_of(schema, "2020-12")
        word = id_word(draft)
        self.schema = schema
        self.names: dict[int, str] = {}
        self.targets: deque[tuple[str, Target]] = deque()
        self._taken: dict[str, int] = {}
        self._draft = draft
        self.embedded = any(
            isinstance(each.get(word), str) for each, _ in objects(schema) if each is not schema
        )
        self.scope = Scope(draft, self._resolver if self.embedded else None)

    def name(self, keyword: str, said: str, at: str, scope: Scope) -> str | None:
        """The name of what a reference at a place refers to; None if the schema has no such."""
        if scope.resolver is None and (said in ("", "#") or said.startswith("#/")):
            target = self._walked(said)
        else:
            target = self._looked_up(keyword, said, at, scope)
        if target is None or not isinstance(target.raw, (dict, bool)):
            return None
        if id(target.raw) not in self.names:
            name = self._new_name(said)
            self.names[id(target.raw)] = name
            self.targets.append((name, target))
        return self.names[id(target.raw)]

    def below(self, scope: Scope, raw: JSON) -> Scope:
        """What a schema that stands in another inherits."""
        if scope.resolver is None or not isinstance(raw, dict):
            return scope
        if not isinstance(raw.get(id_word(scope.draft)), str):
            return scope
        try:
            resource = specification(scope.draft).create_resource(raw)
            return scope._replace(resolver=scope.resolver.in_subresource(resource))
        except BROKEN:
            raise NamesError from None

    def _new_name(self, said: str) -> str:
        """A free name after the last step of a reference."""
        last = steps_of(said)[-1].strip("#").rpartition("#")[2]
        name = made = re.sub(r"[^A-Za-z0-9_-]", "_", last) or "root"
        while made in self._taken:
            self._taken[name] += 1
            made = f"{name}_{self._taken[name]}"
        self._taken[made] = 1
        return made

    def _walked(self, said: str) -> Target | None:
        """What a pointer points to."""
        found: JSON = self.schema
        steps = steps_of(said)[1:]
        for step in steps:
            if isinstance(found, dict) and step in found:
                found = found[step]
            elif isinstance(found, list) and re.fullmatch(r"\d{1,9}", step):
                found = found[int(step)] if int(step) < len(found) else None
            else:
                return None
        return Target(found, "".join(f"/{escape(step)}" for step in steps), self.scope)

    def _looked_up(self, keyword: str, said: str, at: str, scope: Scope) -> Target | None:
        """What a reference refers to that is more than a pointer, or stands below an id."""
        from referencing.exceptions import Unresolvable
        from referencing.jsonschema import lookup_recursive_ref

        resolver = scope.resolver or self._resolver
        try:
            recursive = keyword == "$recursiveRef"
            found = lookup_recursive_ref(resolver) if recursive else resolver.lookup(said)
        except (Unresolvable, *BROKEN):
            return None
        place = self._places.get(id(found.contents))
        if place is None:
            outside = Scope(draft_of(said, scope.draft), found.resolver, outside=True)
            return Target(found.contents, at, outside)
        inside = self.scope._replace(resolver=found.resolver if self.embedded else None)
        return Target(found.contents, place, inside)

    @cached_property
    def _resolver(self) -> Any:
        """Looks references up that stand at the root."""
        known = import_module("jsonschema_specifications").REGISTRY  # without types
        try:
            resource = specification(self._draft).create_resource(self.schema)
            uri = resource.id() or ""
            return known.with_resource(uri, resource).crawl().resolver(uri)
        except BROKEN:
            raise NamesError from None

    @cached_property
    def _places(self) -> dict[int, str]:
        """The places of the objects of the input."""
        return {id(each): pointer(trail) for each, trail in objects(self.schema)}


Trail = tuple[Any, Any] | None
"""The way to a place: the way to what holds it, and the last step."""


def objects(schema: JSON) -> Iterator[tuple[dict[str, Any], Trail]]:
    """Every object in a JSON value, data and schemas alike, and the way to it."""
    waiting: list[tuple[JSON, Trail]] = [(schema, None)]
    while waiting:
        item, trail = waiting.pop()
        if isinstance(item, dict):
            yield item, trail
            waiting += [(each, (trail, key)) for key, each in item.items() if is_nested(each)]
        elif isinstance(item, list):
            waiting += [(each, (trail, key)) for key, each in enumerate(item) if is_nested(each)]


def is_nested(item: JSON) -> bool:
    """Whether a JSON value holds others."""
    return isinstance(item, (dict, list))


def pointer(trail: Trail) -> str:
    """The JSON pointer of a place."""
    steps: list[str] = []
    while trail is not None:
        trail, step = trail
        steps.append(f"/{escape(str(step))}")
    return "".join(reversed(steps))


def steps_of(said: str) -> list[str]:
    """The steps of a reference as keys; the first is what stands before the pointer."""
    if "%" in said:
        from urllib.parse import unquote

        said = unquote(said)
    return [unescape(step) for step in said.split("/")]


def specification(draft: str) -> Any:
    """What `referencing` knows of a draft."""
    import referencing.jsonschema

    return getattr(referencing.jsonschema, DRAFTS[draft])
