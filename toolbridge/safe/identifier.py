"""An identifier: of an order, a user, a document; text that is looked up and never parsed."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from toolbridge.safe.base import ArgumentType, misdefined, refuse
from toolbridge.safe.text import checked_text, code_of
from toolbridge.values import JSON

PATTERN = r"[A-Za-z0-9][A-Za-z0-9_-]*"
EXAMPLE = "order-1001"


@dataclasses.dataclass(frozen=True)
class Identifier(ArgumentType):
    """A text that matches `pattern` as a whole and has at most `max_length` characters.

    The pattern is one of Python's `re` in ASCII mode, so that `\\d` and `\\w` take no digits of
    other scripts. Digits beyond ASCII and hidden characters never pass, whatever the pattern
    says. `example` is shown to the model. Raises ToolDefinitionError for a pattern that is none
    or does not take the example. CWE-1333: a pattern of nested repetitions can take forever.
    """

    pattern: str = PATTERN
    max_length: int = 64
    example: str | None = None

    def __post_init__(self) -> None:
        try:
            re.compile(self.pattern, re.ASCII)
        except re.error as error:
            misdefined("Identifier", f"{self.pattern!r} is no pattern: {error}")
        if self.max_length < 1:
            misdefined("Identifier", f"max_length is {self.max_length}, less than 1")
        if self.example is None and self.pattern == PATTERN:
            object.__setattr__(self, "example", EXAMPLE[: self.max_length])
        if self.example is not None:
            self.check_example(self.example)

    def check_example(self, example: str) -> None:
        """Raise where the pattern does not take the example."""
        try:
            self.check(example)
        except ValueError as error:
            misdefined("Identifier", f"the example {example!r} does not pass: {error}")

    def check(self, value: Any) -> str:
        """The text as it came. Raises ValueError with words for the model."""
        mend = self.mend()
        text = checked_text(value, "the identifier", mend, self.max_length)
        for character in text:
            if character.isdigit() and not character.isascii():
                refuse(f"the identifier has {code_of(character)}, no digit of 0-9", mend)
        # `$` would let a newline at the end pass: https://docs.python.org/3/library/re.html
        if re.fullmatch(self.pattern, text, re.ASCII) is None:
            refuse("the identifier is not of the form that is asked for", mend)
        return text

    def mend(self) -> str:
        """How to do better."""
        such_as = "" if self.example is None else f", such as {self.example}"
        return f"Give one that matches {self.pattern}{such_as}"

    def limits(self) -> dict[str, JSON]:
        """A string with its pattern, anchored, and its length."""
        inner = f"({self.pattern})" if "|" in self.pattern else self.pattern
        limits: dict[str, JSON] = {
            "type": "string",
            "description": "An identifier exactly as it was given, nothing around it.",
            "pattern": f"^{inner}$",
            "minLength": 1,
            "maxLength": self.max_length,
        }
        return limits if self.example is None else limits | {"examples": [self.example]}
