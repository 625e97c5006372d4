"""The errors of toolbridge.

ToolbridgeError
├── WireError           the input is not readable as the format it is said to be
├── ConversionError     no valid payload exists in the target format
├── LossError           losses of severity warning under on_loss="raise"
├── VendorError         the vendor answered with an error body
└── UnknownFormatError  no such format, profile or kind (also a ValueError)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolbridge.loss import Loss
    from toolbridge.response import ErrorBody


class ToolbridgeError(Exception):
    """The base of every error raised here."""


class WireError(ToolbridgeError):
    """The input cannot be read: `path` is a JSON pointer to the place, `expected` says what
    should stand there and `mend` how to get it right."""

    def __init__(self, path: str, expected: str, found: str, mend: str) -> None:
        super().__init__(f"at {path or 'the top'!s}: expected {expected}, found {found}. {mend}")
        self.path = path
        self.expected = expected
        self.found = found
        self.mend = mend

    def __reduce__(self) -> tuple[Any, ...]:
        return WireError, (self.path, self.expected, self.found, self.mend)


class ConversionError(ToolbridgeError):
    """No payload that the target would take can say this: `path` points at what stands in the
    way, `mend` says what to change."""

    def __init__(self, path: str, reason: str, mend: str) -> None:
        super().__init__(f"at {path or 'the top'!s}: {reason}. {mend}")
        self.path = path
        self.reason = reason
        self.mend = mend

    def __reduce__(self) -> tuple[Any, ...]:
        return ConversionError, (self.path, self.reason, self.mend)


class LossError(ToolbridgeError):
    """A conversion would lose meaning; `losses` holds every loss of severity warning."""

    def __init__(self, losses: tuple[Loss, ...]) -> None:
        shown = "; ".join(f"{loss.code} at {loss.path or 'the top'}" for loss in losses[:3])
        more = f" and {len(losses) - 3} more" if len(losses) > 3 else ""
        super().__init__(
            f"the conversion loses meaning: {shown}{more}. Name the codes in ignore=(...) to "
            "accept them, or use on_loss='collect'"
        )
        self.losses = losses

    def __reduce__(self) -> tuple[Any, ...]:
        return LossError, (self.losses,)


class VendorError(ToolbridgeError):
    """A vendor answered with an error; `body` is its ErrorBody."""

    def __init__(self, body: ErrorBody) -> None:
        who = body.vendor or "the vendor"
        super().__init__(f"{who} answered {body.status or 'an error'}: {body.message or body.type}")
        self.body = body

    def __reduce__(self) -> tuple[Any, ...]:
        return VendorError, (self.body,)


class UnknownFormatError(ToolbridgeError, ValueError):
    """A format, profile or kind of which nobody here knows; the message lists those there are."""
