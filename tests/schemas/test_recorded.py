"""The table of strict schemas against what Anthropic answered: recordings of the corpus."""

from __future__ import annotations

from typing import Any, Final

from laws.corpus import Recording, recordings, requires_shared
from schemas.proof import dialect_of
from toolbridge.schemas.budget import Spent, spend
from toolbridge.schemas.check import findings

NOT_KNOWN: Final = {
    "rig__strict_schema_limits__twenty_four_optional_parameters_in_one_schema_hit_internal_limit__0"
}
"""Refused for a limit of the compiler that no page tells."""

CAUTIOUS: Final = {"rig__strict_schema_matrix__root_ref_preserves_sibling_all_of__0"}
"""Taken: an allOf at the root. The table refuses those everywhere, as the pages do at the root."""


def objections(recording: Recording) -> list[str]:
    """What the tables say against the strict tools of a request."""
    dialect, spent, found = dialect_of("anthropic", True), Spent(), list[str]()
    for tool in strict_tools(recording):
        schema = tool["input_schema"]
        found += [finding.why for finding in findings(schema, dialect)]
        more = spend(spent, schema, dialect)
        if isinstance(more, str):
            found.append(more)
        else:
            spent = more
    return found


def strict_tools(recording: Recording) -> list[Any]:
    """The strict tools of a request."""
    tools: Any = (recording.request or {}).get("tools") or []
    return [tool for tool in tools if isinstance(tool, dict) and tool.get("strict") is True]


@requires_shared
def test_the_table_says_what_the_vendor_answered() -> None:
    seen = {"taken": 0, "refused": 0}
    for recording in recordings("anthropic"):
        if not strict_tools(recording) or recording.name in NOT_KNOWN | CAUTIOUS:
            continue
        taken = recording.status == 200
        seen["taken" if taken else "refused"] += 1
        assert (objections(recording) == []) is taken, (recording.name, objections(recording))
    print(seen)
    assert seen["taken"] >= 10
    assert seen["refused"] >= 7
