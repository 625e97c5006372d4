"""What a function will get: the arguments of a call with the defaults of what the model left out.

A policy, a check and a person look at the whole: who reads `{"to": "kim"}` must see the amount that
goes there by default.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any

from toolbridge.values import JSON, same


def with_defaults(function: Callable[..., Any], values: Any) -> Any:
    """The keyword arguments that a function will see, its own defaults among them."""
    return defaults_of(function) | values if isinstance(values, dict) else values


def defaults_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The defaults of a function, also of a callable that nobody can remember."""
    known = looked_up if isinstance(function, Hashable) else looked_up.__wrapped__
    return known(function)


@lru_cache(maxsize=1024)
def looked_up(function: Callable[..., Any]) -> dict[str, Any]:
    """The defaults of a function."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # some callables of C say nothing of themselves
        return {}
    return {
        name: each.default for name, each in parameters.items() if each.default is not each.empty
    }


def filled(written: JSON, function: Callable[..., Any], values: Any) -> JSON:
    """The arguments as the model wrote them, as JSON, with all defaults that come in: those of the
    function, and those of the models and dataclasses inside."""
    from pydantic_core import PydanticSerializationError, to_jsonable_python

    if not isinstance(written, dict):
        return written
    if not defaults_of(function) and same(written, values):
        return written
    try:
        whole = to_jsonable_python(
            with_defaults(function, values), by_alias=True, fallback=str, inf_nan_mode="strings"
        )
    except (PydanticSerializationError, ValueError):
        return written
    return completed(written, whole)


def completed(written: JSON, whole: JSON) -> JSON:
    """What was written, and what only the whole has."""
    if isinstance(written, dict) and isinstance(whole, dict):
        told = {name: completed(each, whole.get(name)) for name, each in written.items()}
        return told | {name: each for name, each in whole.items() if name not in written}
    if isinstance(written, list) and isinstance(whole, list) and len(written) == len(whole):
        return [completed(*pair) for pair in zip(written, whole, strict=True)]
    return written
