"""Events of servers that speak the Responses API."""

from __future__ import annotations

from typing import Any

from .deviation import ONE, TWO, A, B, Deviation

Json = Any


def item(kind: str, **more: Json) -> Json:
    """An item of a response."""
    return {"type": kind, **more}


def event(kind: str, **more: Json) -> Json:
    """An event of a response."""
    return {"type": f"response.{kind}", **more}


CREATED = event("created", response={"id": "r", "status": "in_progress", "output": []})
CALL = item("function_call", id="fc_1", call_id="c1", name="f", arguments="")
CALLED = {**CALL, "arguments": A}
SECOND = item("function_call", id="fc_2", call_id="c2", name="g", arguments="")
TOLD = item("message", id="m_1", role="assistant", content=[{"type": "output_text", "text": "Hi"}])


def completed(output: Json, status: str = "completed") -> Json:
    """The last event."""
    return event(status, response={"id": "r", "status": status, "output": output})


def piece(delta: str, **more: Json) -> Json:
    """A piece of a call's arguments."""
    return event("function_call_arguments.delta", delta=delta, **more)


RESPONSES: dict[str, Deviation] = {
    "no index": Deviation(
        [
            CREATED,
            event("output_item.added", item=CALL),
            piece('{"n"', item_id="fc_1"),
            event("output_item.added", item=SECOND),
            piece(B, item_id="fc_2"),
            piece(":1}", item_id="fc_1"),
            event("output_item.done", item=CALLED),
            event("output_item.done", item={**SECOND, "arguments": B}),
            completed([CALLED, {**SECOND, "arguments": B}]),
        ],
        calls=TWO,
    ),
    "no index and no id": Deviation(
        [
            CREATED,
            event("output_item.added", item=item("function_call", name="f", call_id="c1")),
            piece(A),
            event("output_item.done", item=CALLED),
            completed(None),
        ],
        calls=ONE,
    ),
    "ids that change": Deviation(
        [
            CREATED,
            event("output_item.added", item={**CALL, "id": "x"}),
            piece(A, item_id="y"),
            event("output_item.done", item={**CALLED, "id": "z"}),
            completed(None),
        ],
        calls=ONE,
    ),
    "ids that change, with an index": Deviation(
        [
            CREATED,
            event("output_item.added", output_index=0, item={**CALL, "id": "x"}),
            piece(A, item_id="y", output_index=0),
            event("output_item.done", output_index=0, item={**CALLED, "id": "z"}),
            completed([]),
        ],
        calls=ONE,
    ),
    "gaps between the indexes": Deviation(
        [
            CREATED,
            event("output_item.added", output_index=3, item=CALL),
            piece(A, output_index=3),
            event("output_item.added", output_index=7, item=SECOND),
            piece(B, output_index=7),
            completed(None),
        ],
        calls=TWO,
    ),
    "nothing is done": Deviation(
        [
            CREATED,
            event("output_item.added", output_index=0, item=CALL),
            piece(A, output_index=0),
            completed([CALLED]),
        ],
        calls=ONE,
    ),
    "nothing is done, output null": Deviation(
        [
            CREATED,
            event("output_item.added", output_index=0, item=CALL),
            piece(A, output_index=0),
            completed(None),
        ],
        calls=ONE,
    ),
    "no pieces": Deviation(
        [CREATED, event("output_item.done", output_index=0, item=CALLED), completed([CALLED])],
        calls=ONE,
    ),
    "the last event alone": Deviation([completed([TOLD, CALLED])], "Hi", calls=ONE),
    "text without an item": Deviation(
        [
            CREATED,
            event("output_text.delta", delta="H"),
            event("output_text.delta", delta="i"),
            completed(None),
        ],
        "Hi",
        stop="end",
    ),
    "pieces that are null": Deviation(
        [
            CREATED,
            event("output_text.delta", output_index=0, delta=None),
            event("output_text.delta", output_index=0, delta="Hi"),
            completed(None),
        ],
        "Hi",
        stop="end",
    ),
    "text done only": Deviation(
        [
            CREATED,
            event("output_text.done", output_index=0, content_index=0, text="Hi"),
            completed(None),
        ],
        "Hi",
        stop="end",
    ),
    "incomplete inside a call": Deviation(
        [
            CREATED,
            event("output_item.added", output_index=0, item=CALL),
            piece('{"n"', output_index=0),
            completed([], "incomplete"),
        ],
        stop="incomplete",
        errors=("f",),
    ),
    "failed": Deviation(
        [
            CREATED,
            event("output_item.done", output_index=0, item=CALLED),
            event(
                "failed",
                response={
                    "id": "r",
                    "status": "failed",
                    "error": {"code": "server_error", "message": "x"},
                    "output": [],
                },
            ),
        ],
        stop="error",
        errors=("f",),
    ),
    "a nested error": Deviation(
        [CREATED, {"type": "error", "error": {"code": "server_error", "message": "x"}}],
        stop="error",
    ),
}
