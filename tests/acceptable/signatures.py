"""What one vendor signed or encrypted means nothing to another, or brings a 400."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .places import JSON

# anthropic: thinking, redacted_thinking, server tool results, compaction; openai: reasoning and
# compaction items, program; google: parts; openrouter: reasoning_details; Gemini through Chat.
SEALED = frozenset(
    [
        "signature",
        "data",
        "encrypted_content",
        "encrypted_index",
        "encrypted_stdout",
        "fingerprint",
        "thoughtSignature",
        "thought_signature",
    ]
)
SEALED_DATA = ("redacted_thinking", "reasoning.encrypted")

# ai.google.dev thought-signatures: for calls that Gemini did not make; as text and as base64.
PLACEHOLDERS = frozenset(
    {
        "skip_thought_signature_validator",
        "context_engineering_is_the_way_to_go",
        "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
        "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv",
    }
)


def foreign_signatures(source: JSON, written: JSON) -> list[str]:
    """The sealed strings of a body that stand in what was written from it for another vendor."""
    text = json.dumps(written)
    return sorted(seal for seal in set(sealed(source)) if json.dumps(seal)[1:-1] in text)


def sealed(node: JSON) -> Iterator[str]:
    if isinstance(node, list):
        for member in node:
            yield from sealed(member)
    elif isinstance(node, dict):
        for key, member in node.items():
            is_image = key == "data" and node.get("type") not in SEALED_DATA
            if isinstance(member, str) and key in SEALED and member and not is_image:
                yield from () if member in PLACEHOLDERS else (member,)
            else:
                yield from sealed(member)
