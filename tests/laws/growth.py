"""Law 4: the lengths of a history, and where a longer one changes what is written for a shorter."""

from collections.abc import Iterator

import toolbridge as tb

from .history import all_answered, awaits_the_model, cut, history_of, leading
from .pointers import Json
from .prefix import Block, blocks, is_prefix

Body = dict[str, Json]


def answered_lengths(body: Body, format: str) -> list[int]:
    """The lengths of a history at which all calls are answered, leading system text whole."""
    history = history_of(body, format)
    lengths = range(leading(history), len(history) + 1)
    return [end for end in lengths if all_answered(history[:end], format)]


def awaiting_lengths(body: Body, format: str) -> list[int]:
    """Those of them at which the model is to go on: a model that refuses a prefill gets a last
    word of the user's where there is none, and a server may have one place for all thoughts of
    a turn that is not over."""
    history = history_of(body, format)
    return [end for end in answered_lengths(body, format) if awaits_the_model(history[:end])]


def broken_prefixes(
    body: Body, source: str, target: str, lengths: list[int], model: str | None = None
) -> Iterator[str]:
    """Where a longer history changes a shorter one: for one element more, and for the next
    of the lengths."""

    def written(end: int) -> list[Block]:
        shorter = cut(body, source, end)
        payload = tb.convert(shorter, source=source, target=target, model=model).payload
        return blocks(payload, target)

    whole = len(history_of(body, source))
    for end in lengths:
        following = next((each for each in lengths if each > end), whole)
        for longer in {min(end + 1, whole), following} - {end}:
            if not is_prefix(written(end), written(longer)):
                yield f"the first {end} of {longer}"
