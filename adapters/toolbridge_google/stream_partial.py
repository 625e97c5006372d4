"""Arguments of a call in parts, each a value at a JSON path: what Vertex AI streams.

https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc;
types.PartialArg of `google-genai` 3.6.1. Texts of one path go on; a call ends with a part that says
that it will not continue.
"""

from __future__ import annotations

import json
import re
from typing import Any

from toolbridge.arguments import dump
from toolbridge.values import JSON, thaw
from toolbridge_google.casing import got

PIECES = ("partialArgs", "partial_args", "willContinue", "will_continue")
STEPS = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[(['\"])((?:[^\\]|\\.)*?)\3\]")
"""Steps of a JSON path (RFC 9535) after the `$`: a name, an index, a quoted name."""
VALUES = ("stringValue", "numberValue", "boolValue", "nullValue")

FAR = 1000
"""A path may skip so many elements of a list; more is no answer's."""

Step = str | int


class Growing:
    """A text of the arguments that may go on."""

    def __init__(self, text: str) -> None:
        self.pieces = [text]


class PartialArguments:
    """The arguments so far, and their JSON text as far as it can be told: pieces come in the order
    of the text. Where one goes back, the rest is told at the end: members of the whole that have
    changed since stand there once more, and of two members of one key the last one counts."""

    def __init__(self) -> None:
        self._tree: dict[str, Any] = {}
        self._open: list[tuple[Step | None, str]] = []
        self._leaf: tuple[Step, ...] | None = None
        self._late: dict[Step, None] = {}

    def add(self, piece: dict[str, JSON]) -> str:
        """Put a piece at its path: the text that it adds."""
        steps = steps_of(str(got(piece, "jsonPath") or ""))
        key = next((key for key in VALUES if got(piece, key) is not None), None)
        if not steps or key is None:
            return ""
        member = None if key == "nullValue" else got(piece, key)
        into, fresh = reach(self._tree, steps)
        if steps == self._leaf and isinstance(member, str):
            into[steps[-1]].pieces.append(member)
            return "" if self._late else quoted(member)
        into[steps[-1]] = Growing(member) if isinstance(member, str) else member
        if self._late or not fresh:
            self._late[steps[0]] = None
            return ""
        text = self._move(steps)
        self._leaf = steps if isinstance(member, str) else None
        return text + (f'"{quoted(member)}' if isinstance(member, str) else dump(member))

    def value(self) -> dict[str, JSON]:
        """The arguments so far."""
        whole: dict[str, JSON] = grown(self._tree)
        return whole

    def close(self) -> str:
        """The text that ends the arguments."""
        if not self._open:
            return dump(self.value())
        told, whole = self._end_leaf(), self.value()
        while len(self._open) > 1:
            told += self._open.pop()[1]
        told += "".join(f",{named(key)}{dump(whole[str(key)])}" for key in self._late)
        return told + self._open.pop()[1]

    def _end_leaf(self) -> str:
        ended = '"' if self._leaf is not None else ""
        self._leaf = None
        return ended

    def _move(self, steps: tuple[Step, ...]) -> str:
        """The text from the last value to the one at another path: what closes, what opens."""
        told, first = self._end_leaf(), not self._open
        if first:
            self._open.append((None, "}"))
            told = "{"
        here = [step for step, _ in self._open[1:]]
        shared = 0
        while shared < min(len(here), len(steps) - 1) and here[shared] == steps[shared]:
            shared += 1
        while len(self._open) > shared + 1:
            told += self._open.pop()[1]
        comma = "" if first else ","
        for step, following in zip(steps[shared:-1], steps[shared + 1 :], strict=True):
            begin, end = "[]" if isinstance(following, int) else "{}"
            told += f"{comma}{named(step)}{begin}"
            comma = ""
            self._open.append((step, end))
        return f"{told}{comma}{named(steps[-1])}"


def steps_of(path: str) -> tuple[Step, ...]:
    """The steps of a path."""
    return tuple(
        int(index) if index else name or re.sub(r"\\(.)", r"\1", quoted_name)
        for name, index, _, quoted_name in STEPS.findall(path)
    )


def reach(tree: dict[str, Any], steps: tuple[Step, ...]) -> tuple[Any, bool]:
    """What holds the value at a path, made where there is nothing; and whether the value, and each
    that was made, is the next one there."""
    into: Any = tree
    fresh = True
    for place, step in enumerate(steps):
        have = len(into) > step if isinstance(step, int) else step in into
        if isinstance(step, int):
            fresh = fresh and (have or len(into) == step)
            if step > len(into) + FAR:
                raise IndexError(f"{step} in a list of {len(into)}")
            into.extend([None] * (step + 1 - len(into)))
        if place == len(steps) - 1:
            return into, fresh and not have
        if not have or not isinstance(into[step], (dict, list)):
            fresh = fresh and not have
            into[step] = [] if isinstance(steps[place + 1], int) else {}
        elif not is_last(into, step):
            fresh = False
        into = into[step]
    return into, fresh


def is_last(into: Any, step: Step) -> bool:
    """Whether a member is the last of its container: only that one can still grow."""
    return bool(step == len(into) - 1 if isinstance(step, int) else step == next(reversed(into)))


def grown(item: Any) -> Any:
    """JSON of what may grow."""
    if isinstance(item, Growing):
        return "".join(item.pieces)
    if isinstance(item, dict):
        return {key: grown(member) for key, member in item.items()}
    return [grown(member) for member in item] if isinstance(item, list) else thaw(item)


def named(step: Step) -> str:
    """The key before a value; elements of a list have none."""
    return "" if isinstance(step, int) else f"{dump(step)}:"


def quoted(text: str) -> str:
    """A text as it stands between quotes."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
