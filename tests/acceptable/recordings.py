"""Real vendor traffic that lies beside the checkout, not in it: third-party test data."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"

needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir() and os.environ.get("CI") != "true",
    reason="the recordings are not beside the checkout",
)

FIRST_PARTY = {
    "anthropic": "api.anthropic.com",
    "openai-chat": "api.openai.com",
    "openai-responses": "api.openai.com",
    "gemini": "generativelanguage.googleapis.com",
}

# All Anthropic recordings are of the version 2023-06-01, or name none.
PROFILES = {"anthropic": "2023-06-01"}


@dataclass(frozen=True)
class Recording:
    name: str
    format: str
    host: str
    status: int
    model: str | None
    kinds: Sequence[str]
    request: Any
    response: Any
    betas: Sequence[str] | None
    """None: the headers were not recorded."""

    @property
    def is_first_party(self) -> bool:
        return self.host == FIRST_PARTY[self.format]

    @property
    def is_accepted(self) -> bool:
        return 200 <= self.status < 300

    @property
    def profile(self) -> str | None:
        return PROFILES.get(self.format)


@cache
def recordings(format: str) -> tuple[Recording, ...]:
    return tuple(read(path, format) for path in sorted((CORPUS / format).glob("*.json")))


def read(path: Path, format: str) -> Recording:
    record = json.loads(path.read_text(encoding="utf-8"))
    headers = record.get("protocol_headers")
    betas = (headers or {}).get("anthropic-beta", "")
    return Recording(
        name=path.stem,
        format=format,
        host=record["compatible_host"],
        status=record["status"],
        model=record["model"],
        kinds=record["kinds"],
        request=record["request"],
        response=record.get("response"),
        betas=[beta for beta in betas.split(",") if beta] if headers else None,
    )


def accepted(format: str) -> list[Recording]:
    """What the vendor itself answered with success."""
    found = [r for r in recordings(format) if r.is_first_party and r.is_accepted]
    assert found, f"no recordings in {CORPUS / format}"
    return found


def objects_in(node: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a body, with its pointer."""
    if isinstance(node, dict):
        yield at, node
    members = node.items() if isinstance(node, dict) else enumerate(node or ())
    for key, member in members:
        if isinstance(member, (dict, list)):
            yield from objects_in(member, f"{at}/{key}")
