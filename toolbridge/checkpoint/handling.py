"""How the loop handles the calls of one tool: what it checks before, and how it runs them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args

from toolbridge.checkpoint.policies import Effect
from toolbridge.errors import ToolDefinitionError
from toolbridge.retries import Retries

if TYPE_CHECKING:
    from toolbridge.checkpoint.policies import Stance
    from toolbridge.checkpoint.provenance import Sourced


@dataclasses.dataclass(frozen=True)
class Handling:
    """How the loop handles the calls of a tool.

    `checks` are functions of the app's that look at the arguments before the call; `sources`
    says which arguments come from earlier results. `timeout` is in seconds. `retries` runs the
    tool again after what heals by itself (`heals`). A call of an `exclusive` tool runs alone;
    calls of an `ordered` tool run one after another in the order of the calls, together with
    those of other tools of the same word if it is one. A `repeatable` tool may be called with
    equal arguments for ever. `fence` puts its output between delimiters that it cannot forge.
    `stance` is what a tool known by a vendor's type is taken for, whose spec cannot say it.
    """

    checks: tuple[Callable[..., Any], ...] = ()
    sources: Sourced | None = None
    timeout: float | None = None
    retries: Retries | None = None
    heals: tuple[type[BaseException], ...] = (ConnectionError, TimeoutError)
    exclusive: bool = False
    ordered: bool | str = False
    repeatable: bool = False
    fence: bool = False
    stance: Stance | None = None

    def lane(self, name: str) -> str | None:
        """What the calls of a tool share if they run one after another."""
        if isinstance(self.ordered, str):
            return f"group {self.ordered}"
        return f"tool {name}" if self.ordered else None


NAMES = frozenset(field.name for field in dataclasses.fields(Handling)) - {"sources", "stance"}
"""The options of a tool that are no fields of its spec."""


def handling_of(name: str, options: dict[str, Any], sources: Sourced | None) -> Handling:
    """The Handling of options. Raises ToolDefinitionError for what cannot be."""
    timeout = options.get("timeout")
    if timeout is not None and timeout <= 0:
        raise ToolDefinitionError(f"{name}: timeout is in seconds, and more than 0")
    given = dict(options)
    if "checks" in given:
        checks = given["checks"]
        given["checks"] = (checks,) if callable(checks) else tuple(checks)
    return Handling(sources=sources, **given)


def check_effect(name: str, spec: Any) -> None:
    """Raise for an effect that there is not: a slip of the pen would open the gate."""
    effect, known = getattr(spec, "effect", None), get_args(Effect)
    if effect is not None and effect not in known:
        raise ToolDefinitionError(f"{name}: effect is one of {', '.join(known)}, not {effect!r}")


def check_retries(name: str, stance: Stance, handling: Handling) -> None:
    """Raise where a tool is to be tried again that must not run twice."""
    if handling.retries is not None and not stance.idempotent:
        raise ToolDefinitionError(
            f"{name}: retries run the tool again, though nobody says that it may run twice. "
            'Declare effect="read" or idempotent=True, or leave out retries'
        )
