"""Two conversations: the weather in two cities, and a customer's orders: a chain, a step of two
calls, and a failure that the model mends."""

from __future__ import annotations

import itertools
from typing import Any

import toolbridge as tb

from .answers import Called, calling, said

ORDERS: dict[str, dict[str, Any]] = {
    "A-1": {"order": "A-1", "state": "shipped"},
    "A-2": {"order": "A-2", "state": "open"},
}


@tb.tool
def weather(city: str) -> dict[str, Any]:
    """The weather in a city.

    Args:
        city: such as Seoul
    """
    return {"city": city, "degrees": len(city)}


@tb.tool
async def find_customer(name: str) -> dict[str, Any]:
    """Find a customer by name."""
    return {"customer": 7, "name": name, "orders": [*ORDERS]}


@tb.tool(name="orders.get")
def get_order(order: str) -> dict[str, Any]:
    """Get an order. Not every vendor takes the name."""
    return ORDERS[order]


@tb.tool
def cancel_order(order: str) -> str:
    """Cancel an order that is still open."""
    if ORDERS[order]["state"] != "open":
        raise tb.ToolError(
            f"{order} is {ORDERS[order]['state']}: only open orders can be cancelled"
        )
    return f"{order} is cancelled"


TOOLS = (weather, find_customer, get_order, cancel_order)

WEATHER = (
    calling(
        Called("weather", {"city": "서울"}, "call_1"),
        Called("weather", {"city": "부산시"}, "call_2"),
        text="두 도시를 볼게요.",
    ),
    said("서울은 2도, 부산은 3도예요."),
)

CHAIN = (
    calling(Called("find_customer", {"name": "김하나"}, "call_1", signed=True)),
    calling(
        Called("orders.get", {"order": "A-1"}, "call_2", signed=True),
        Called("orders.get", {"order": "A-2"}, "call_3"),
    ),
    calling(Called("cancel_order", {"order": "A-1"}, "call_4", signed=True), text="취소할게요."),
    calling(Called("cancel_order", {"order": "A-2"}, "call_5", signed=True)),
    said("A-2를 취소했어요."),
)


def transcript(messages: Any) -> list[Any]:
    """What was said, called and answered, without what is a vendor's own. Responses has no
    border around the items of one answer: neighbours of one role are one."""
    return [
        (role, [plain(part) for message in run for part in message.parts])
        for role, run in itertools.groupby(messages, lambda message: message.role)
    ]


def plain(part: Any) -> Any:
    if isinstance(part, tb.ToolCall):
        return part.id, part.name, dict(part.arguments)
    if isinstance(part, tb.ToolResult):
        return part.call_id, bool(part.is_error), [plain(each) for each in part.parts]
    return part.text if isinstance(part, tb.Text) else part.value
