"""What is said in the conversations of the demo, on every vendor alike."""

from __future__ import annotations

from typing import Any, Final

import toolbridge as tb
from toolbridge.demo.conversations import MODELS
from toolbridge.demo.transcript import Said

FORMATS: Final = tuple(MODELS)


def gave(value: Any) -> tuple[bool, tuple[Any, ...]]:
    """A result that went well."""
    return False, (tb.Json(value=value),)


def failed(text: str) -> tuple[bool, tuple[Any, ...]]:
    """A result that tells the model what was wrong."""
    return True, (tb.Text(text=text),)


EARPHONES: Final = {"order_id": "20260801-0012", "item": "무선 이어폰"}
STAND: Final = {"order_id": "20260803-0447", "item": "노트북 거치대"}

SAID: Final = {
    "weather": (
        Said(
            "날씨를 확인해 보겠습니다.",
            (("get_weather", {"city": "서울"}),),
            (gave({"temp_c": 4, "sky": "맑음"}),),
        ),
        Said("서울은 현재 4도, 맑습니다.", (), ()),
    ),
    "orders": (
        Said(
            "이수진님의 주문을 찾아보겠습니다.",
            (("search_orders", {"customer": "이수진님"}),),
            (
                failed(
                    "고객 '이수진님'을(를) 찾을 수 없습니다. 호칭을 빼고 이름만 넣어 다시 "
                    "호출하세요. 예: '이수진'"
                ),
            ),
        ),
        Said("", (("search_orders", {"customer": "이수진"}),), (gave([EARPHONES, STAND]),)),
        Said(
            "주문 두 건의 상태를 확인하겠습니다.",
            (
                ("get_order", {"order_id": "20260801-0012"}),
                ("get_order", {"order_id": "20260803-0447"}),
            ),
            (
                gave({**EARPHONES, "price": 89000, "status": "배송완료"}),
                gave({**STAND, "price": 24000, "status": "배송중"}),
            ),
        ),
        Said(
            "",
            (("request_refund", {"order_id": "20260801-0012", "reason": "단순 변심"}),),
            (gave({"refund_id": "R-20260801-0012", "status": "접수"}),),
        ),
        Said(
            "무선 이어폰(20260801-0012, 89,000원)의 환불을 접수했습니다. 접수번호는 "
            "R-20260801-0012입니다. 노트북 거치대(20260803-0447)는 아직 배송 중이라 받으신 뒤에 "
            "환불할 수 있습니다.",
            (),
            (),
        ),
    ),
    "handover": (
        Said(
            "",
            (("get_weather", {"city": "부산"}),),
            (gave({"temp_c": 9, "sky": "흐림"}),),
        ),
        Said("부산은 현재 9도, 흐립니다.", (), ()),
    ),
}
