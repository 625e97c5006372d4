"""Law 1: a body that says one thing under two keys keeps both, whatever they say."""

import pytest

import toolbridge as tb

from .inject import strict_equal
from .not_yet import HI, OBJECT, WEATHER, A, C, Row, chat

SAID_TWICE = {
    "output limit": Row(C, chat(HI, max_tokens=16, max_completion_tokens=1)),
    "tools": Row(C, chat(HI, tools=[WEATHER], functions=[{"name": "f"}])),
    "choice": Row(
        C, chat(HI, tools=[WEATHER], functions=[], tool_choice="none", function_call="auto")
    ),
    "effort": Row(C, chat(HI, reasoning_effort="low", reasoning={"effort": "high"})),
    "schema": Row(
        A,
        {
            "messages": [HI],
            "output_config": {"format": {"type": "json_schema", "schema": {}}},
            "output_format": {"type": "json_schema", "schema": OBJECT},
        },
    ),
}


@pytest.mark.parametrize("row", SAID_TWICE.values(), ids=SAID_TWICE)
def test_what_is_said_twice_is_kept(row: Row) -> None:
    value = tb.read(row.body, row.source)
    for written in (
        tb.write(value, row.source),
        tb.write(tb.from_json(tb.to_json(value)), row.source),
    ):
        assert strict_equal(row.body, written.payload)
        assert written.losses == ()
