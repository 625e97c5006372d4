"""What OpenAI's models take: facts that depend on the model, and are silent without one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .asked import Asked, Version
from .places import JSON, places

O_SERIES = r"(?:^|/)o\d"
ALWAYS: dict[str, Version] = {"gpt": (5, 0)}
ON_REQUEST: dict[str, Version] = {"gpt": (5, 1)}
BY_DEFAULT: dict[str, Version] = {"gpt": (5, 5)}


def is_openais(asked: Asked) -> bool:
    return asked.profile in (None, "azure")


def is_reasoning_model(asked: Asked) -> bool:
    is_o = re.search(O_SERIES, asked.model or "") is not None
    return is_openais(asked) and (is_o or asked.is_since(ALWAYS) is True)


def reasons(asked: Asked, effort: str | None) -> bool:
    """Is reasoning on? pydantic-ai profiles/openai.py, "verified live 2026-07"."""
    if not is_reasoning_model(asked) or "chat" in (asked.model or ""):
        return False
    if asked.is_since(BY_DEFAULT):
        return effort != "none"
    if asked.is_since(ON_REQUEST):
        return effort not in (None, "none")
    return True


def unusual_sampling(body: JSON) -> Iterator[str]:
    """Sampling parameters that are not at their default."""
    for key, default in (("temperature", 1), ("top_p", 1), ("logprobs", False)):
        for at, value in places(body, key):
            if value not in (None, default):
                yield f"{at}: {value!r} while the model reasons"
