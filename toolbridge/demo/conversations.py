"""The conversations of the demo: a question, and tools with the data of an app behind them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple

from toolbridge.app_tools import Tool, tool
from toolbridge.checkpoint.provenance import From
from toolbridge.errors import ToolError

MODELS: Final[Mapping[str, str]] = {
    "anthropic": "claude-opus-5",
    "openai-chat": "gpt-5.4",
    "openai-responses": "gpt-5.5",
    "gemini": "gemini-3.5-flash",
}
"""The model that each vendor's cassettes name; the one that `--live` asks without `--model`."""


class Begun(NamedTuple):
    """The conversation that came before, and the format in which it was held."""

    conversation: str
    format: str


@dataclasses.dataclass(frozen=True)
class Conversation:
    """A conversation that is the same on every vendor but for the name of the model. One that is
    handed over goes on from the end of another, held elsewhere."""

    name: str
    title: str
    question: str
    tools: tuple[Tool, ...]
    system: str | None = None
    begun: Begun | None = None


WEATHER: Final = {"서울": {"temp_c": 4, "sky": "맑음"}, "부산": {"temp_c": 9, "sky": "흐림"}}


@tool(effect="read", untrusted_output=False)
def get_weather(city: str) -> dict[str, Any]:
    """특정 도시의 현재 날씨를 조회한다. 사용자가 현재 기상 정보를 물을 때 호출하라.

    Args:
        city: 도시 이름. 예: '서울'
    """
    if city not in WEATHER:
        raise ToolError(f"도시 '{city}'의 날씨는 모릅니다. 아는 도시: {', '.join(WEATHER)}.")
    return WEATHER[city]


@dataclasses.dataclass(frozen=True)
class Order:
    """An order as a list shows it."""

    order_id: str
    item: str


@dataclasses.dataclass(frozen=True)
class Details:
    """All that the shop knows of an order."""

    order_id: str
    item: str
    price: int
    status: str


@dataclasses.dataclass(frozen=True)
class Refund:
    """What the shop says to a refund."""

    refund_id: str
    status: str


CUSTOMERS: Final = {"이수진": ("20260801-0012", "20260803-0447")}
ORDERS: Final = {
    each.order_id: each
    for each in (
        Details("20260801-0012", "무선 이어폰", 89000, "배송완료"),
        Details("20260803-0447", "노트북 거치대", 24000, "배송중"),
    )
}


@tool(effect="read", untrusted_output=False)
def search_orders(customer: str) -> list[Order]:
    """고객 이름으로 그 사람의 주문 목록을 가져옵니다.

    주문번호를 모르는 상태에서 주문을 찾아야 할 때 먼저 호출합니다.
    주문번호를 이미 알고 있다면 get_order를 쓰세요.

    Args:
        customer: 고객 이름. 예: '이수진'
    """
    if customer not in CUSTOMERS:
        raise ToolError(
            f"고객 '{customer}'을(를) 찾을 수 없습니다. 호칭을 빼고 이름만 넣어 다시 호출하세요. "
            "예: '이수진'"
        )
    return [Order(each, ORDERS[each].item) for each in CUSTOMERS[customer]]


@tool(effect="read", untrusted_output=False)
def get_order(order_id: str) -> Details:
    """주문번호로 주문 한 건의 금액과 배송 상태를 가져옵니다.

    Args:
        order_id: 주문번호. 예: '20260801-0012'
    """
    if order_id not in ORDERS:
        raise ToolError(f"주문번호 {order_id}을(를) 찾을 수 없습니다. search_orders로 확인하세요.")
    return ORDERS[order_id]


@tool(effect="irreversible")
def request_refund(order_id: Annotated[str, From("search_orders.order_id")], reason: str) -> Refund:
    """환불을 접수합니다. 고객이 환불을 명시적으로 요청했을 때만 호출합니다.

    Args:
        order_id: 주문번호
        reason: 고객이 말한 환불 사유
    """
    if get_order(order_id).status != "배송완료":
        raise ToolError(f"{order_id}은(는) 아직 배송 중이라 환불할 수 없습니다.")
    return Refund(f"R-{order_id}", "접수")


@tool(name="get_weather", effect="read", untrusted_output=False)
def get_weather_in_english(city: str) -> dict[str, Any]:
    """The current weather in a city. Call it when the user asks about the weather.

    Args:
        city: such as Seoul
    """
    return {"city": city, "temp_c": 4, "sky": "clear"}


CONVERSATIONS: Final[Mapping[str, Conversation]] = {
    each.name: each
    for each in (
        Conversation("weather", "The weather in Seoul", "서울 지금 날씨 어때?", (get_weather,)),
        Conversation(
            "orders",
            "Find a customer's orders, then act on one",
            "이수진님이 주문한 것 중에 배송완료된 건 환불해 줘. 단순 변심이래.",
            (search_orders, get_order, request_refund),
            "당신은 온라인 상점의 상담원입니다. 주문번호를 지어내지 말고 도구로 확인하세요.",
        ),
        Conversation(
            "handover",
            "The weather in Busan, in a conversation begun on Anthropic",
            "부산은?",
            (get_weather,),
            begun=Begun("weather", "anthropic"),
        ),
    )
}

LOCAL: Final = Conversation(
    "weather",
    "The weather in Seoul, asked of a model on this machine",
    "What is the weather in Seoul?",
    (get_weather_in_english,),
)
"""For the small model, which knows English only."""
