"""The options of the checkpoint: who decides, who records, and how far a run may go."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from toolbridge.checkpoint import policies
from toolbridge.checkpoint.questions import Decision, Question

if TYPE_CHECKING:
    from toolbridge.checkpoint.audit import AuditRecord
    from toolbridge.checkpoint.ledger import Ledger

Approver = Callable[[Question], Decision | Awaitable[Decision | None] | None]


@dataclasses.dataclass(frozen=True)
class Gate:
    """What stands between a call that the model asks for and its execution.

    `policy` says what runs, asks or is refused (`checkpoint.policies`). `approve` is asked where
    the policy asks, one question after another; None from it, or none of it, pauses the run.
    `ledger` sees to it that no call runs twice (`checkpoint.ledger`). `audit` gets a record of
    every call. `key` signs the state of the run, a secret of the app's of 16 bytes or more.
    `save` gets that state as JSON after each answer and each step, so that the run can go on
    where the process died.
    """

    policy: policies.Policy = policies.default
    approve: Approver | None = None
    ledger: Ledger | None = None
    audit: Callable[[AuditRecord], None] | None = None
    key: str | bytes | None = dataclasses.field(default=None, repr=False)
    save: Callable[[str], None] | None = None


@dataclasses.dataclass(frozen=True)
class Limits:
    """How far a run may go; what is None is unlimited.

    `timeout` is for the whole run and `tool_timeout` for each call of a tool that has none of its
    own, in seconds. A tool may fail in `tool_retries` steps more after the first before the run
    ends. After `equal_results` equal results of equal arguments the same call is refused, and
    the one after that ends the run. With `closing_answer` the last answer that `max_steps` allows
    is asked for without tools, so that the run ends in words.
    """

    timeout: float | None = None
    tool_timeout: float | None = None
    tool_retries: int | None = 3
    equal_results: int | None = 2
    closing_answer: bool = False

    def __post_init__(self) -> None:
        for name, least in LEAST.items():
            given: Any = getattr(self, name)
            if given is not None and not given >= least:
                raise ValueError(f"{name} is at least {least}, not {given}")


LEAST = {"timeout": 0, "tool_timeout": 0, "tool_retries": 0, "equal_results": 1}


OPEN: Final = Gate()
USUAL: Final = Limits()
"""What holds where the app says nothing."""
