"""A Messages request as turns, as the server sees it: neighbours of one role are merged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .places import JSON, objects

Block = tuple[str, dict[str, Any]]


@dataclass
class Turn:
    """What one role says in consecutive messages, as blocks with their places."""

    role: str = ""
    blocks: list[Block] = field(default_factory=list)

    def of(self, *types: str) -> list[Block]:
        return [(at, block) for at, block in self.blocks if block.get("type") in types]

    @property
    def types(self) -> list[str]:
        return [str(block.get("type")) for _, block in self.blocks]


def turns(body: JSON) -> list[Turn]:
    merged: list[Turn] = []
    for at, message in objects(body, "messages/*"):
        role = str(message.get("role"))
        if not merged or merged[-1].role != role:
            merged.append(Turn(role))
        content = message.get("content")
        if isinstance(content, str):
            merged[-1].blocks.append((f"{at}/content", {"type": "text", "text": content}))
        merged[-1].blocks += objects(message, "content/*", at=at)
    return merged


def neighbours(body: JSON) -> Iterator[tuple[Turn, Turn, Turn]]:
    """Every turn between the one before and the one after, empty at both ends."""
    padded = [Turn(), *turns(body), Turn()]
    return zip(padded, padded[1:], padded[2:], strict=False)


def last_turn(body: JSON) -> Turn:
    return [Turn(), *turns(body)][-1]
