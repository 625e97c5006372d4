"""Over the real schemas, for every target: what is sent is taken, what is valid has a form that
comes back equal, and what is invalid does not slip through."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from laws.corpus import requires_shared
from schemas.proof import FILE, TARGETS, counted, figures

WITHIN: Final = 5.0
"""Points that a target may refuse less than the original, of what it could prevent."""


def checked_in() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@requires_shared
@pytest.mark.parametrize("target", TARGETS)
def test_every_real_schema_becomes_a_tool_that_loses_nothing_silently(target: str) -> None:
    made = counted(target)
    print(target, json.dumps(figures(target)))
    assert made.problems == []
    assert made.numbers["all", "schemas"] == 2233
    assert figures(target)["preventable refused"] >= 100 - WITHIN
    had = checked_in()[target]
    now = figures(target)
    assert now["families"].keys() == had["families"].keys()
    fallen = [
        family for family, share in now["families"].items() if share < had["families"][family]
    ]
    assert fallen == []
    for name in ("as strict as asked", "valid kept", "invalid refused", "preventable refused"):
        assert now[name] >= had[name], name
