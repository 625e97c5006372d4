"""A loss made by hand, for tests of the harness."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Loss:
    """As much of a loss as counting reads."""

    path: str
    effect: str = "dropped"
    code: str = "some.code"
    severity: str = "warning"
    target_path: str | None = None
