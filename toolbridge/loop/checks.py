"""The meaning of arguments: what the app's own checks say, before a call runs.

def is_yours(order_id: str, context: tb.Context) -> str | None:
    '''None, or what is wrong in words for the model.'''
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from toolbridge.app_tools import Context, Tool, context_of
from toolbridge.errors import ToolDefinitionError, ToolError
from toolbridge.loop.state import Job
from toolbridge.loop.work import is_async

CONTEXT = "context"


def check_job(job: Job) -> Job:
    """A job that runs the checks of a call's tool: it fails with what the model is to hear."""
    checks = job.tool.handling.checks
    function = later(checks) if any(map(is_async, checks)) else now(checks)
    looks = Tool(job.tool.spec, function, context=CONTEXT, handling=job.tool.handling)
    return Job(job.call, looks, {"given": job.arguments}, job.key, check=True)


def now(checks: tuple[Callable[..., Any], ...]) -> Callable[..., None]:
    """All checks, one after another; a ValueError says what is wrong."""

    def look(given: Any, context: Context) -> None:
        for check in checks:
            try:
                said = check(**named(check, given, context))
            except ValueError as error:
                said = str(error)
            verdict(check, said)

    return look


def later(checks: tuple[Callable[..., Any], ...]) -> Callable[..., Any]:
    """The same where one of them is async."""

    async def look(given: Any, context: Context) -> None:
        for check in checks:
            try:
                said = check(**named(check, given, context))
                said = await said if inspect.isawaitable(said) else said
            except ValueError as error:
                said = str(error)
            verdict(check, said)

    return look


def named(check: Callable[..., Any], given: Any, context: Context) -> dict[str, Any]:
    """The arguments that a check takes, by name, and the context. One that the model left out
    comes as its default in the check."""
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
