"""Forms: how arguments go from the terms of the app's schema to those of the adapted one.

A form knows both ways. `forward` writes a value as the model is to see it, `restore` turns back
what the model wrote. Neither ever raises: a value that does not look as it should goes through
as it is, and the validation against the original schema says what is wrong with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from toolbridge.arguments import dump
from toolbridge.schemas.instances import equal
from toolbridge.values import JSON, same

KEY: Final = "key"
VALUE: Final = "value"
"""The two members of an entry, where a map is written as a list of entries."""

JSON_TEXT: Final = "json"
"""The member that holds a value as JSON text, where no other form is left for it."""

ENTRIES: Final = "entries"
"""The member that holds the entries of an object, where a value may be anything."""

ABSENT: Final = {"absent": True}
"""Stands for a property that is left out, where null has a meaning of its own."""


class Form:
    """The form of a value that is the same on both sides."""

    def forward(self, item: JSON) -> JSON:
        """The value in terms of the adapted schema."""
        return item

    def restore(self, item: JSON) -> JSON:
        """The value in terms of the original schema."""
        return item

    def parts(self) -> Sequence[Form]:
        """The forms of what is in the value."""
        return ()

    @property
    def plain(self) -> bool:
        """Whether the form changes nothing beside what its parts change."""
        return True


SAME: Final = Form()


class Property(NamedTuple):
    """A property: its name in the adapted schema, its form, and what stands there where it is
    left out (a list of one, empty if nothing does)."""

    name: str
    form: Form
    absent: tuple[JSON, ...] = ()


class Object(Form):
    """An object: names changed, left out properties marked, further ones as a list of entries
    under `extras`."""

    def __init__(
        self, properties: Mapping[str, Property], extras: tuple[Property, Entries] | None = None
    ) -> None:
        self.properties = properties
        self.originals = {each.name: name for name, each in properties.items()}
        self.extras = extras

    def forward(self, item: JSON) -> JSON:
        if not isinstance(item, dict):
            return item
        made = {}
        for name, known in self.properties.items():
            if name in item:
                made[known.name] = known.form.forward(item[name])
            elif known.absent:
                made[known.name] = known.absent[0]
        rest = {key: member for key, member in item.items() if key not in self.properties}
        if self.extras is None:
            return made | rest
        known, entries = self.extras
        if rest:
            made[known.name] = entries.forward(rest)
        elif known.absent:
            made[known.name] = known.absent[0]
        return made

    def restore(self, item: JSON) -> JSON:
        if not isinstance(item, dict):
            return item
        made: dict[str, JSON] = {}
        for key, member in item.items():
            if self.extras is not None and key == self.extras[0].name:
                further = {} if member is None else self.extras[1].restore(member)
                made |= further if isinstance(further, dict) else {key: member}
                continue
            name = self.originals.get(key)
            if name is None:
                made[key] = member
                continue
            known = self.properties[name]
            if not (known.absent and same(member, known.absent[0])):
                made[name] = known.form.restore(member)
        return made

    def parts(self) -> Sequence[Form]:
        return [each.form for each in self.properties.values()]

    @property
    def plain(self) -> bool:
        known = self.properties.items()
        return self.extras is None and all(
            name == each.name and not each.absent for name, each in known
        )


class Entries(Form):
    """A map as a list of entries; the form of a value is that of the first pattern that its key
    matches, None matches every key."""

    def __init__(self, forms: Sequence[tuple[str | None, Form]]) -> None:
        self.forms = forms

    def form_of(self, key: str) -> Form:
        """The form of the value under a key."""
        return next((form for pattern, form in self.forms if matches(pattern, key)), SAME)

    def forward(self, item: JSON) -> JSON:
        if not isinstance(item, dict):
            return item
        return [
            {KEY: key, VALUE: self.form_of(key).forward(member)} for key, member in item.items()
        ]

    def restore(self, item: JSON) -> JSON:
        if not isinstance(item, list) or not all(map(is_entry, item)):
            return item
        return {each[KEY]: self.form_of(each[KEY]).restore(each[VALUE]) for each in item}

    def parts(self) -> Sequence[Form]:
        return [form for _, form in self.forms]

    @property
    def plain(self) -> bool:
        return False


def is_entry(item: JSON) -> bool:
    """Whether a value is an entry of a map."""
    return isinstance(item, dict) and item.keys() == {KEY, VALUE} and isinstance(item[KEY], str)


def matches(pattern: str | None, key: str) -> bool:
    """Whether a key matches a pattern of a schema; what Python cannot read matches nothing."""
    if pattern is None:
        return True
    try:
        return re.search(pattern, key) is not None
    except re.error:
        return False


class Items(Form):
    """An array: the forms of its first items, and that of the rest."""

    def __init__(self, first: Sequence[Form], rest: Form) -> None:
        self.first, self.rest = first, rest

    def forward(self, item: JSON) -> JSON:
        return self.each(item, "forward")

    def restore(self, item: JSON) -> JSON:
        return self.each(item, "restore")

    def each(self, item: JSON, way: str) -> JSON:
        """Every item, one way or the other."""
        if not isinstance(item, list):
            return item
        count = len(self.first)
        forms = [*self.first, *[self.rest] * (len(item) - count)] if len(item) > count else None
        return [
            getattr(form, way)(each)
            for form, each in zip(forms or self.first[: len(item)], item, strict=True)
        ]

    def parts(self) -> Sequence[Form]:
        return [*self.first, self.rest]


class Positions(Form):
    """A tuple as an object: `names` for its first items, `more` for the list of the rest."""

    def __init__(self, names: Sequence[str], more: str, inside: Form) -> None:
        self.names, self.more, self.inside = names, more, inside

    def forward(self, item: JSON) -> JSON:
        if not isinstance(item, list):
            return item
        made = dict(zip(self.names, item, strict=False))
        if len(item) > len(self.names):
            made[self.more] = item[len(self.names) :]
        return self.inside.forward(made)

    def restore(self, item: JSON) -> JSON:
        made = self.inside.restore(item)
        if not isinstance(made, dict):
            return item
        first = [made[name] for name in self.names if name in made]
        gap = any(name not in made for name in self.names[: len(first)])
        more = made.get(self.more, [])
        if gap or not isinstance(more, list) or not made.keys() <= {*self.names, self.more}:
            return item
        return [*first, *more]

    def parts(self) -> Sequence[Form]:
        return [self.inside]

    @property
    def plain(self) -> bool:
        return False


class Wrapped(Form):
    """A value as the one property of an object."""

    def __init__(self, name: str, inside: Form) -> None:
        self.name, self.inside = name, inside

    def forward(self, item: JSON) -> JSON:
        return {self.name: self.inside.forward(item)}

    def restore(self, item: JSON) -> JSON:
        if not isinstance(item, dict) or item.keys() != {self.name}:
            return item
        return self.inside.restore(item[self.name])

    def parts(self) -> Sequence[Form]:
        return [self.inside]

    @property
    def plain(self) -> bool:
        return False


class Coded(Form):
    """One of a few values, each written as a text."""

    def __init__(self, values: Mapping[str, JSON]) -> None:
        self.values = values

    def forward(self, item: JSON) -> JSON:
        return next((text for text, each in self.values.items() if equal(each, item)), item)

    def restore(self, item: JSON) -> JSON:
        return self.values.get(item, item) if isinstance(item, str) else item

    @property
    def plain(self) -> bool:
        return False


class Text(Form):
    """A value as JSON text."""

    def forward(self, item: JSON) -> JSON:
        return dump(item)

    def restore(self, item: JSON) -> JSON:
        try:
            return json.loads(item)
        except (TypeError, ValueError, RecursionError):
            return item

    @property
    def plain(self) -> bool:
        return False


class Anything(Form):
    """Any value: scalars as they are, and what holds others as JSON text, or with `deep` as
    arrays and entries."""

    def __init__(self, deep: bool) -> None:
        self.deep = deep

    def forward(self, item: JSON) -> JSON:
        if not isinstance(item, (dict, list)):
            return item
        if not self.deep:
            return {JSON_TEXT: dump(item)}
        if isinstance(item, list):
            return [self.forward(each) for each in item]
        return {ENTRIES: [{KEY: key, VALUE: self.forward(item[key])} for key in item]}

    def restore(self, item: JSON) -> JSON:
        if isinstance(item, list):
            return [self.restore(each) for each in item]
        if not isinstance(item, dict):
            return item
        if item.keys() == {JSON_TEXT}:
            return Text().restore(item[JSON_TEXT])
        entries = item.get(ENTRIES)
        if item.keys() != {ENTRIES} or not isinstance(entries, list):
            return item
        return {each[KEY]: self.restore(each[VALUE]) for each in entries if is_entry(each)}

    @property
    def plain(self) -> bool:
        return False


class Named(Form):
    """The form of a definition, which may hold itself."""

    def __init__(self, forms: Mapping[str, Form], name: str) -> None:
        self.forms, self.name = forms, name

    def forward(self, item: JSON) -> JSON:
        return self.forms[self.name].forward(item)

    def restore(self, item: JSON) -> JSON:
        return self.forms[self.name].restore(item)

    def parts(self) -> Sequence[Form]:
        return [self.forms[self.name]]


def pruned(form: Form) -> Form:
    """The form, or SAME where it changes nothing at any depth, as far as that is known."""
    seen: set[int] = set()
    waiting = [form]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            if not each.plain or (isinstance(each, Named) and each.name not in each.forms):
                return form
            waiting += each.parts()
    return SAME
