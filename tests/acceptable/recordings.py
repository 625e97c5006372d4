"""What the vendors themselves recorded as taken, of the recordings beside the checkout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from laws.corpus import Recording, recordings

FIRST_PARTY = {
    "anthropic": "api.anthropic.com",
    "openai-chat": "api.openai.com",
    "openai-responses": "api.openai.com",
    "gemini": "generativelanguage.googleapis.com",
}

# All Anthropic recordings are of the version 2023-06-01, or name none.
PROFILES = {"anthropic": "2023-06-01"}


def accepted(format: str) -> list[Recording]:
    """What the vendor itself answered with success."""
    found = [
        recording
        for recording in recordings(format)
        if recording.host == FIRST_PARTY[format] and 200 <= recording.status < 300
    ]
    assert found, f"no recordings of {format}"
    return found


def betas(recording: Recording) -> Sequence[str] | None:
    """The beta features that a request names; None where its headers were not recorded."""
    if not recording.headers:
        return None
    return [beta for beta in recording.headers.get("anthropic-beta", "").split(",") if beta]


def objects_in(node: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a body, with its pointer."""
    if isinstance(node, dict):
        yield at, node
    members = node.items() if isinstance(node, dict) else enumerate(node or ())
    for key, member in members:
        if isinstance(member, (dict, list)):
            yield from objects_in(member, f"{at}/{key}")
