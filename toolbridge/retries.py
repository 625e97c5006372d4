"""When to try again what failed in between: the app's own retries, which the model never sees.

The schedule is a pure function; whoever sleeps does so elsewhere. Full jitter as in
https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from toolbridge.errors import VendorError

LASTING_CODES = frozenset(
    {
        "insufficient_quota",
        "billing_error",
        "enforced_spend_limit_reached",
        "contract_spend_limit_reached",
    }
)
"""Codes of errors that look like a rate limit but do not heal by waiting: OpenAI's quota
(platform.openai.com/docs/guides/error-codes), Anthropic's spend caps
(platform.claude.com/docs/en/api/rate-limits)."""


@dataclasses.dataclass(frozen=True)
class Retries:
    """How often, and how long to wait in between, in seconds; around requests, and around a tool
    that asks for it.

    The k-th wait is up to `base * 2**k`, at most `cap`; what the vendor asks for is obeyed up to
    `longest`, beyond which the error is raised at once. `after_first_event` allows to try a
    stream again that broke off: what was told already is told again.
    """

    attempts: int = 5
    base: float = 0.5
    cap: float = 8.0
    longest: float = 60.0
    after_first_event: bool = False

    def nominal(self, retry: int) -> float:
        """The longest wait before a retry, counted from 0."""
        return min(self.cap, self.base * 2.0**retry)

    def delay(self, retry: int, random: Callable[[], float]) -> float | None:
        """The seconds to wait before a retry, counted from 0; None after the last one. `random`
        gives a number from 0 to 1."""
        return self.nominal(retry) * random() if retry < self.attempts else None

    def wait(self, retry: int, error: VendorError, random: Callable[[], float]) -> float | None:
        """The same after an error of a vendor's, which may ask for another wait; None also where
        waiting does not help."""
        seconds = self.delay(retry, random)
        if seconds is None or not can_heal(error):
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.longest else None
        return seconds


def can_heal(error: VendorError) -> bool:
    """Whether the same request can work later."""
    codes = {error.code, error.body.type, error.body.code}
    details = error.body.details
    if isinstance(details, dict):
        codes.add(details.get("error_code"))
    return error.retryable and LASTING_CODES.isdisjoint(
        code for code in codes if isinstance(code, str)
    )
