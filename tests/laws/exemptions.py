"""Exemptions from laws 2 and 3: the recordings that they are not asked of, each with its reason.

An exemption names a whole interaction, but each reason excuses one body of it only.
"""

from enum import Enum
from typing import Literal

from .corpus import BodyKind, Recording

MOST = 20
"""So many of the interactions of the first four formats may be exempt."""


class Reason(Enum):
    """The only reasons for an exemption."""

    INVALID = "the request was invalid at its own vendor"
    SERVER_HELD = "its history is held on the vendor's server"
    SIBLING = "it is for a sibling endpoint"


_PYDANTIC = "openai-responses/pydantic-ai__test_openai_responses__test_openai_"
_COMPACT = f"{_PYDANTIC}responses_compact_with_auto_previous_response_id_chain__"
_DATADOG = "openai-responses/dd-trace-py__v1__response_with_"
_RIG = "openai-responses/rig__error_identity_edge__"
_SERVER_HELD = (
    f"{_DATADOG}file_inputs__0",
    f"{_DATADOG}mixed_prompt_url_preserved__0",
    f"{_DATADOG}mixed_prompt_url_stripped__0",
    f"{_DATADOG}prompt__0",
    f"{_PYDANTIC}conversation_id_tool_call_continuation__1",
    f"{_PYDANTIC}previous_response_id_seed_auto_chains_through_retries__2",
    f"{_RIG}nonexistent_previous_response_reference_carries_identity__0",
    "gemini/rig__cached_content_matrix__use_streaming__1",
)

EXEMPT: dict[str, Reason] = {
    **dict.fromkeys(_SERVER_HELD, Reason.SERVER_HELD),
    f"{_COMPACT}2": Reason.SIBLING,  # POST /v1/responses/compact
    f"{_COMPACT}4": Reason.SIBLING,
    "openai-chat/rig__multimodal_matrix__malformed_data_uri__0": Reason.INVALID,  # status 400
}
"""By format and name of the recording."""


def is_exempt(recording: Recording, kind: BodyKind, law: Literal[2, 3, 4]) -> bool:
    """Whether a law is not asked of this body. A request that was invalid is converted all the
    same, without losing anything silently."""
    reason = EXEMPT.get(str(recording))
    if reason is Reason.SIBLING:
        return True
    return kind == "request" and (
        reason is Reason.SERVER_HELD or (reason is Reason.INVALID and law == 3)
    )
