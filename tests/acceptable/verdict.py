"""Everything that is known against a written body."""

from __future__ import annotations

from collections.abc import Sequence

from .places import JSON
from .rules import rule_errors
from .vendor_types import request_errors, response_errors

__all__ = ["request_findings", "response_errors"]


def request_findings(
    body: JSON,
    format: str,
    *,
    profile: str | None = None,
    model: str | None = None,
    betas: Sequence[str] = (),
) -> list[str]:
    """What the types and the rules of a vendor find in a request; `model` if the body has none."""
    return [
        *request_errors(body, format, betas=betas, profile=profile),
        *rule_errors(body, format, profile, model),
    ]
