"""Responses: what a model answered, why it stopped, and what it cost; or the error instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from toolbridge.parts import Text, ToolCall
from toolbridge.values import JSON, Value, value

if TYPE_CHECKING:
    from toolbridge.parts import Opaque, Part
    from toolbridge.request import Message

StopReason = Literal[
    "end",
    "tool_calls",
    "stop_sequence",
    "length",
    "context_full",
    "filter",
    "refusal",
    "pause",
    "malformed",
    "incomplete",
    "error",
    "unknown",
]


@value
class Usage(Value):
    """Tokens of one call. `input_tokens` counts all that went in, cached or not, `output_tokens`
    all that came out, reasoning included.

    `cache_write_..._tokens` splits what was written to the cache by its lifetime. The
    `..._details` are the vendor's own split by modality. `web_searches` and `web_fetches` count
    runs of vendor-run tools.
    """

    json_fields: ClassVar = frozenset(
        {"input_details", "output_details", "cache_details", "tool_input_details"}
    )

    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    cache_write_5m_tokens: int | None = None
    cache_write_30m_tokens: int | None = None
    cache_write_1h_tokens: int | None = None
    cache_write_12h_tokens: int | None = None
    reasoning_tokens: int | None = None
    tool_input_tokens: int | None = None
    audio_input_tokens: int | None = None
    audio_output_tokens: int | None = None
    accepted_prediction_tokens: int | None = None
    rejected_prediction_tokens: int | None = None
    web_searches: int | None = None
    web_fetches: int | None = None
    input_details: JSON = None
    output_details: JSON = None
    cache_details: JSON = None
    tool_input_details: JSON = None


@value
class Alternative(Value):
    """One answer. Most vendors give one message; OpenAI Responses may give several, as items.

    `stop_reason` is ours, `stop_word` the vendor's, `stop_detail` what the vendor adds to it.
    `grounding` is what the answer rests on, `grounding_supports` which of its characters do, and
    `searches` what was searched for, in the vendor's form.
    """

    json_fields: ClassVar = frozenset(
        {"stop_detail", "logprobs", "grounding", "grounding_supports", "searches"}
    )
    derived: ClassVar = frozenset({"logprobs", "average_logprobs", "grounding_supports"})
    covered: ClassVar = ("messages",)

    messages: tuple[Message, ...] = ()
    stop_reason: StopReason = "unknown"
    stop_word: str | None = None
    stop_sequence: str | None = None
    stop_detail: JSON = None
    logprobs: JSON = None
    average_logprobs: float | None = None
    grounding: JSON = None
    grounding_supports: JSON = None
    searches: JSON = None
    index: int | None = None

    @property
    def parts(self) -> Iterator[Part]:
        """All parts of the answer, in order."""
        return (part for message in self.messages for part in getattr(message, "parts", ()))


@value
class Response(Value):
    """A model's answer. `echo` holds the request settings that the vendor repeats,
    `transformations` what it says it changed in the request.
    """

    json_fields: ClassVar = frozenset(
        {
            "echo",
            "transformations",
            "container",
            "metadata",
            "tool_usage",
            "prompt_feedback",
            "error",
        }
    )
    uncompared: ClassVar = frozenset({"spelling", "profile"})
    derived: ClassVar = frozenset({"output_text"})
    covered: ClassVar = ("alternatives",)

    profile: str | None = None
    id: str | None = None
    model: str | None = None
    created: float | str | None = None
    completed: float | None = None
    alternatives: tuple[Alternative | Opaque, ...] = ()
    usage: Usage | None = None
    service_tier: str | None = None
    system_fingerprint: str | None = None
    echo: JSON = None
    transformations: JSON = None
    container: JSON = None
    metadata: JSON = None
    output_text: str | None = None
    tool_usage: JSON = None
    prompt_feedback: JSON = None
    error: JSON = None

    @property
    def text(self) -> str:
        """The text of the first alternative."""
        return "".join(part.text for part in self._first.parts if isinstance(part, Text))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The complete calls of the first alternative that the app must run."""
        return tuple(call for call in self._client_calls() if call.status == "complete")

    @property
    def broken_calls(self) -> tuple[ToolCall, ...]:
        """The calls that were cut or are no JSON: they are answered, never run."""
        return tuple(call for call in self._client_calls() if call.status != "complete")

    @property
    def stop_reason(self) -> StopReason:
        """Why the first alternative ended, in our words."""
        return self._first.stop_reason

    @property
    def stop_word(self) -> str | None:
        """Why the first alternative ended, in the vendor's words."""
        return self._first.stop_word

    @property
    def _first(self) -> Alternative:
        """The first alternative; where the vendor refused the prompt, one that says so."""
        for answer in self.alternatives[:1]:
            if isinstance(answer, Alternative):
                return answer
        return Alternative(stop_reason="filter" if self.prompt_feedback else "unknown")

    def _client_calls(self) -> Iterator[ToolCall]:
        for part in self._first.parts:
            if isinstance(part, ToolCall) and part.executor == "client":
                yield part


def total_of(fields: Mapping[str, Any]) -> int:
    """All tokens of one call: what a total says where a vendor counts nothing apart."""
    return (fields.get("input_tokens") or 0) + (fields.get("output_tokens") or 0)


ErrorCategory = Literal[
    "rate_limited",
    "overloaded",
    "timeout",
    "connection",
    "authentication",
    "permission",
    "not_found",
    "bad_request",
    "context_too_long",
    "content_refused",
    "server_error",
    "unknown",
]


@value
class ErrorBody(Value):
    """What a vendor answered instead: `category` in our words, the rest in the vendor's."""

    json_fields: ClassVar = frozenset({"code", "param", "details"})

    category: ErrorCategory = "unknown"
    vendor: str | None = None
    status: int | str | None = None
    type: str | None = None
    code: JSON = None
    param: JSON = None
    message: str | None = None
    request_id: str | None = None
    retry_after: float | None = None
    details: JSON = None
