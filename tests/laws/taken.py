"""Law 3: what is known against a written request, beside what its losses say of it already."""

import toolbridge as tb
from acceptable.signatures import foreign_signatures
from acceptable.verdict import request_findings

from .pointers import Json

REPORTED = {
    "message.none": ("first-user", "parts"),
    "output.json_word": ("json-mode",),
    "text.trailing_space": ("prefill-space",),
}
"""Losses that change nothing: each says which rules its request breaks, since only the caller
can mend that."""


def written_findings(
    body: dict[str, Json], source: str, target: str, model: str | None = None
) -> list[str]:
    """What would be refused of a request that is written for another format."""
    converted = tb.convert(body, source=source, target=target, model=model)
    told = {rule for loss in converted.losses for rule in REPORTED.get(loss.code, ())}
    found = [line for line in findings(converted, target, model) if line.split(":")[0] not in told]
    sealed = foreign_signatures(body, converted.payload)
    return [*found, *(f"the sealed {seal[:20]!r} of another vendor" for seal in sealed)]


def findings(converted: tb.Converted, target: str, model: str | None = None) -> list[str]:
    """What the types and the rules of a target find, in lines that begin with the rule."""
    format, _, profile = target.partition(":")
    return request_findings(
        converted.payload,
        format,
        profile=profile or None,
        model=model,
        betas=converted.envelope.betas,
    )
