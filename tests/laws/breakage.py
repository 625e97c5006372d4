"""Hypothesis strategies that break a body of any format: its history, or any value in it."""

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from .history import LISTS, history_of
from .pointers import Json, child, tokens, value_at
from .spelling import base_format
from .strategies import Body, Draw
from .widths import words


def parts_of(element: Any) -> list[Json] | None:
    """The list of parts in an element of a history, if it has one with elements."""
    for key in ("content", "parts"):
        found = element.get(key) if isinstance(element, dict) else None
        if isinstance(found, list) and found:
            return found
    return None


@st.composite
def disturbed(draw: Draw, body: Body, format: str) -> Body:
    """The body with elements or parts of its history left out, doubled or exchanged."""
    history = deepcopy(history_of(body, format))
    for _ in range(draw(st.integers(0, 2))):
        lists = [history, *(parts for each in history if (parts := parts_of(each)))]
        chosen = draw(st.sampled_from(lists))
        if len(chosen) > 1:
            one, other = (draw(st.integers(0, len(chosen) - 1)) for _ in range(2))
            action = draw(words("leave out", "double", "exchange"))
            if action == "leave out":
                del chosen[one]
            elif action == "double":
                chosen.insert(other, deepcopy(chosen[one]))
            else:
                chosen[one], chosen[other] = chosen[other], chosen[one]
    return {**body, LISTS[base_format(format)]: history}


ODD_VALUES: tuple[Json, ...] = (None, True, 0, -1, 1.5, "", "new", [], {}, [1], {"type": "new"})


@st.composite
def exchanged(draw: Draw, body: Body) -> tuple[str, Body]:
    """The body with another value at one place, and the pointer to it."""
    pointer = draw(st.sampled_from(list(places(body))))
    changed = deepcopy(body)
    holder: Any = value_at(changed, pointer.rpartition("/")[0])
    key = tokens(pointer)[-1]
    holder[int(key) if isinstance(holder, list) else key] = draw(words(*ODD_VALUES))
    return pointer, changed


def places(value: Json, pointer: str = "") -> list[str]:
    """The pointers to everything in a body but the body itself."""
    found: list[str] = []
    members = value.items() if isinstance(value, dict) else ()
    elements = enumerate(value) if isinstance(value, list) else ()
    for key, member in (*members, *elements):
        found += [child(pointer, key), *places(member, child(pointer, key))]
    return found
