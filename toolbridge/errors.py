"""The errors of toolbridge.

ToolbridgeError
├── WireError           the input is not readable as the format it is said to be
├── ConversionError     no valid payload exists in the target format
├── LossError           losses of severity warning under on_loss="raise"
├── VendorError         the vendor answered with an error, by kind:
│   ├── RateLimitedError, OverloadedError, VendorTimeoutError, VendorConnectionError, ServerError
│   └── AuthenticationError, PermissionDeniedError, NotFoundError, BadRequestError,
│       ContextTooLongError, ContentRefusedError
├── ToolError           a tool says to the model that it failed
├── StateError          a run that was put down cannot be taken up
├── ToolDefinitionError a function cannot become a tool (also a TypeError)
├── MissingKeyError     no key for a vendor
├── MissingSDKError     a vendor's SDK is not installed (also an ImportError)
└── UnknownFormatError  no such format, profile or kind (also a ValueError)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolbridge.loop.state import Run
    from toolbridge.loss import Loss
    from toolbridge.parts import Part
    from toolbridge.response import ErrorBody, ErrorCategory, Response


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


LONGEST = 1000
"""Characters of a vendor's message in the text of an error: a proxy answers with whole pages."""


class VendorError(ToolbridgeError):
    """A vendor answered with an error, or did not answer; `body` is what it said.

    `vendor`, `status` (of HTTP), `code` (the vendor's), `request_id` and `retry_after` (seconds)
    are None where nobody said. `retryable` tells whether the same request can work later.
    """

    category: ErrorCategory = "unknown"
    retryable = False
    run: Run | None = None
    """Where a run ended by it: the run as it stands, for `resume`."""
    partial: Response | None = None
    """What there was of a streamed answer that broke off."""

    def __init__(
        self,
        body: ErrorBody,
        *,
        status: int | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.body = body
        self.vendor = body.vendor
        self.status = status if status is not None else as_status(body.status)
        self.code = body.code if body.code is not None else body.type
        self.request_id = request_id or body.request_id
        self.retry_after = retry_after if retry_after is not None else body.retry_after
        super().__init__(self.told())

    def told(self) -> str:
        """The error as a sentence: who said what, and whether it helps to try again."""
        who = self.vendor or "the vendor"
        what = f"{self.status or self.category}"
        named = f" ({self.code})" if self.code is not None else ""
        later = f"; try again in {self.retry_after:g} s" if self.retry_after else ""
        request = f" [request {self.request_id}]" if self.request_id else ""
        said = str(self.body.message or "no message")
        short = said if len(said) <= LONGEST else f"{said[:LONGEST]}..."
        return f"{who} answered {what}{named}: {short}{later}{request}"

    def __reduce__(self) -> tuple[Any, ...]:
        details = {
            "status": self.status,
            "request_id": self.request_id,
            "retry_after": self.retry_after,
        }
        ended = {name: vars(self)[name] for name in ("run", "partial") if name in vars(self)}
        return rebuild, (type(self), self.body, details), ended


def rebuild(kind: type[VendorError], body: ErrorBody, details: dict[str, Any]) -> VendorError:
    """The inverse of pickling a VendorError."""
    return kind(body, **details)


def as_status(status: int | str | None) -> int | None:
    """A status of HTTP, where a body names one."""
    return status if isinstance(status, int) and 100 <= status <= 599 else None


class RateLimitedError(VendorError):
    """Too many requests or tokens for now."""

    category = "rate_limited"
    retryable = True


class OverloadedError(VendorError):
    """The vendor has no capacity for now."""

    category = "overloaded"
    retryable = True


class VendorTimeoutError(VendorError):
    """No answer in time."""

    category = "timeout"
    retryable = True


class VendorConnectionError(VendorError):
    """No connection, or one that broke."""

    category = "connection"
    retryable = True


class AuthenticationError(VendorError):
    """The key is missing, wrong or expired."""

    category = "authentication"


class PermissionDeniedError(VendorError):
    """The key may not do this, or its credit is used up."""

    category = "permission"


class NotFoundError(VendorError):
    """No such model, file or address."""

    category = "not_found"


class BadRequestError(VendorError):
    """The vendor does not take the request as it is."""

    category = "bad_request"


class ContextTooLongError(VendorError):
    """The history is longer than the model's context, or the body than the vendor takes."""

    category = "context_too_long"


class ContentRefusedError(VendorError):
    """The vendor's filters refuse the content."""

    category = "content_refused"


class ServerError(VendorError):
    """The vendor's server failed."""

    category = "server_error"
    retryable = True


KINDS: dict[str, type[VendorError]] = {
    kind.category: kind
    for kind in (
        RateLimitedError,
        OverloadedError,
        VendorTimeoutError,
        VendorConnectionError,
        AuthenticationError,
        PermissionDeniedError,
        NotFoundError,
        BadRequestError,
        ContextTooLongError,
        ContentRefusedError,
        ServerError,
    )
}
"""The kind of VendorError for each category of an ErrorBody."""


def vendor_error(body: ErrorBody, **details: Any) -> VendorError:
    """The VendorError of a body, of the kind that its category says."""
    return KINDS.get(body.category, VendorError)(body, **details)


class ToolError(ToolbridgeError):
    """What a tool raises to tell the model that it failed: `content` goes to the model as it is,
    a text or parts. Say what was wrong and how to do better."""

    def __init__(self, content: str | tuple[Part, ...]) -> None:
        super().__init__(content if isinstance(content, str) else "the tool failed")
        self.content = content

    def __reduce__(self) -> tuple[Any, ...]:
        return ToolError, (self.content,)


class StateError(ToolbridgeError):
    """A run that was put down cannot be taken up: its state is malformed, changed, signed with
    another key or taken up already, or what it needs was not given. The message says which."""


class ToolDefinitionError(ToolbridgeError, TypeError):
    """A function cannot become a tool: the message says why and how to mend it."""


class MissingKeyError(ToolbridgeError):
    """No key for a vendor: the message names the environment variable and where keys are made."""


class MissingSDKError(ToolbridgeError, ImportError):
    """A vendor's SDK is not installed: the message has the command that installs it."""


class UnknownFormatError(ToolbridgeError, ValueError):
    """A format, profile or kind of which nobody here knows; the message lists those there are."""
