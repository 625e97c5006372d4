"""A changed copy of a JSON body: places and what stands there instead."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final

from .places import JSON

Change = Mapping[str, JSON]
"""Places such as `messages/1/content`, each with what stands there instead."""

GONE: Final = object()
"""Nothing stands there."""


def changed(body: JSON, change: Change) -> JSON:
    made = copy.deepcopy(body)
    for place, value in change.items():
        steps: list[Any] = [int(step) if step.isdigit() else step for step in place.split("/")]
        *way, last = steps
        holder: Any = made
        for step in way:
            holder = holder[step]
        if value is GONE:
            del holder[last]
        elif isinstance(holder, list) and last == len(holder):
            holder.append(value)
        else:
            holder[last] = value
    return made
