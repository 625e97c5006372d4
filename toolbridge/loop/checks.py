"""The meaning of arguments: what the app's own checks say, before a call runs.

def is_yours(order_id: str, context: tb.Context) -> str | None:
    '''None, or what is wrong in words for the model.'''

What a check raises is told to the model only if it is a ToolError: other exceptions come about by
accident too, and their texts hold what no model should read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from toolbridge.app_tools import Context, Tool, context_of
from toolbridge.errors import ToolDefinitionError, ToolError
from toolbridge.loop.effective import with_defaults
from toolbridge.loop.state import Job
from toolbridge.loop.work import is_async

CONTEXT = "context"


def check_job(job: Job) -> Job:
    """A job that runs the checks of a call's tool: it fails with what the model is to hear."""
    checks = job.tool.handling.checks
    function = later(checks) if any(map(is_async, checks)) else now(checks)
    looks = Tool(job.tool.spec, function, context=CONTEXT, handling=job.tool.handling)
    given = with_defaults(job.tool.function, job.arguments)
    return Job(job.call, looks, {"given": given}, job.key, check=True)


def now(checks: tuple[Callable[..., Any], ...]) -> Callable[..., None]:
    """All checks, one after another."""

    def look(given: Any, context: Context) -> None:
        for check in checks:
            verdict(check, check(**named(check, given, context)))

    return look


def later(checks: tuple[Callable[..., Any], ...]) -> Callable[..., Any]:
    """The same where one of them is async."""

    async def look(given: Any, context: Context) -> None:
        for check in checks:
            said = check(**named(check, given, context))
            verdict(check, await said if inspect.isawaitable(said) else said)

    return look


def named(check: Callable[..., Any], given: Any, context: Context) -> dict[str, Any]:
    """The arguments that a check takes, by name, and the context; what the model left out comes
    with the tool's default."""
    parameters = inspect.signature(check).parameters
    place = context_of(check)
    arguments = given if isinstance(given, dict) else {}
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        taken = dict(arguments)
    else:
        taken = {name: arguments[name] for name in parameters if name in arguments}
    if place is not None:
        taken[place] = context
    return taken


def verdict(check: Callable[..., Any], said: Any) -> None:
    """Raise ToolError where a check says that something is wrong."""
    if said is None or said is True:
        return
    if said is False:
        said = f"the check {getattr(check, '__name__', 'of the app')} says no"
    if not isinstance(said, str):
        raise ToolDefinitionError(f"a check gives None, a text or a bool, not {said!r}")
    raise ToolError(f"- {said}")
