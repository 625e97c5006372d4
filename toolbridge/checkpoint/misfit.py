"""Whether a stored value is of the types that its classes declare: what people and databases kept
is looked at before anything is done with it."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Union

from toolbridge.checkpoint.run_state import RunState
from toolbridge.loss import Loss
from toolbridge.storage import modules
from toolbridge.values import JSON, Value


def misfit(state: RunState) -> str | None:
    """The first place that is of another type than declared, with what stands there; None if all
    fits. What JSON fields hold is looked at for those of the state itself."""
    wrong = in_value(state, "")
    if wrong is not None:
        return wrong
    if not isinstance(state.options, Mapping):
        return f"/options is {state.options!r}"
    if not isinstance(state.options.get("limits", {}), Mapping):
        return f"/options/limits is {state.options['limits']!r}"
    if not (isinstance(state.needs, (list, tuple)) and all(map(is_text, state.needs))):
        return f"/needs is {state.needs!r}"
    return next(filter(None, (losses_misfit(step, n) for n, step in enumerate(state.steps))), None)


def losses_misfit(step: Any, number: int) -> str | None:
    """What is wrong with the losses of a step."""
    code = step.losses
    if not code and isinstance(code, (list, tuple)):
        return None
    if isinstance(code, Mapping) and set(code) == {"first", "last", "new"}:
        counts = [each for each in (code["first"], code["last"]) if fits(each, int) and each >= 0]
        new = code["new"] if isinstance(code["new"], (list, tuple)) else [None]
        if len(counts) == 2 and all(map(is_loss, new)):
            return None
    return f"/steps/{number}/losses is {code!r}"


def is_loss(item: Any) -> bool:
    """Whether something is a list of the fields of Loss."""
    return isinstance(item, (list, tuple)) and len(item) == len(Loss._fields)


def is_text(item: Any) -> bool:
    """Whether something is text."""
    return isinstance(item, str)


def in_value(item: Value, path: str) -> str | None:
    """The first misfit in a value."""
    kind: Any = type(item)
    declared = hints(kind)
    for name, member in vars(item).items():
        if name in ("spelling", "extra") or name in item.json_fields:
            continue
        wrong = in_member(member, declared[name], f"{path}/{name}")
        if wrong is not None:
            return wrong
    return None


def in_member(member: Any, declared: Any, path: str) -> str | None:
    """The first misfit in what stands in a field."""
    if not fits(member, declared):
        return f"{path} is {str(member)[:60]!r}"
    if isinstance(member, Value):
        return in_value(member, path)
    if isinstance(member, tuple):
        places = (in_member(each, Any, f"{path}/{n}") for n, each in enumerate(member))
        return next(filter(None, places), None)
    return None


def fits(member: Any, declared: Any) -> bool:
    """Whether something is of a declared type, its own members aside."""
    if declared in (Any, JSON):
        return True
    origin, arguments = typing.get_origin(declared), typing.get_args(declared)
    if origin in (Union, types.UnionType):
        return any(fits(member, each) for each in arguments)
    if origin is Literal:
        return any(type(member) is type(each) and member == each for each in arguments)
    if origin is tuple:
        return isinstance(member, tuple) and all(fits(each, arguments[0]) for each in member)
    if declared is None or declared is type(None):
        return member is None
    kind = origin or declared
    if kind in (int, float) and isinstance(member, bool):
        return False
    if kind is float:
        return isinstance(member, (int, float))
    return isinstance(member, kind)


@cache
def hints(cls: Any) -> dict[str, Any]:
    """The types of a class's fields, those that its module imports for type checkers only among
    them."""
    names = {name: each for module in modules() for name, each in vars(module).items()}
    return typing.get_type_hints(cls, localns=names)
