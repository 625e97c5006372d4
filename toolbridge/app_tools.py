"""Tools that run: a function of the app's, and how the model sees it.

@tb.tool
def weather(city: str) -> str:
    '''The weather in a city. Call it when the user asks about the weather.

    Args:
        city: such as Seoul
    '''
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import re
import threading
from collections.abc import Callable
from typing import Any, Generic, Literal, overload

from typing_extensions import TypeVar

from toolbridge.checkpoint.handling import NAMES, Handling, check_effect, check_retries, handling_of
from toolbridge.checkpoint.policies import Stance, stance_of
from toolbridge.checkpoint.provenance import take_sources, with_sources
from toolbridge.errors import ToolDefinitionError
from toolbridge.signature import (
    documented,
    hints_of,
    is_context,
    name_of,
    read_free_text,
    read_signature,
)
from toolbridge.tools import HostedTool, ToolGroup, ToolSpec
from toolbridge.validation.validators import schema_validator
from toolbridge.values import JSON

D = TypeVar("D", default=Any)


class CancelToken:
    """Ends a run, and tells its tools that nobody waits for their results any more."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.RLock()
        self._callbacks: dict[object, Callable[[], object]] = {}

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Cancel: every tool that looks will see it, and every callback is called here and now,
        each once. May be called again, from any thread and from a signal handler."""
        with self._lock:
            self._event.set()
            callbacks, self._callbacks = self._callbacks, {}
        with contextlib.ExitStack() as all_of_them:
            for callback in reversed(callbacks.values()):
                all_of_them.callback(callback)

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`, less if cancelled meanwhile; gives whether it was."""
        return self._event.wait(seconds)

    def on_cancel(self, callback: Callable[[], object]) -> Callable[[], None]:
        """Call back at the cancellation, in the thread that cancels; at once if that was before.
        Gives a function that takes the callback back."""
        mark = object()
        with self._lock:
            if not self.cancelled:
                self._callbacks[mark] = callback
                return lambda: self._forget(mark)
        callback()
        return lambda: None

    def _forget(self, mark: object) -> None:
        with self._lock:
            self._callbacks.pop(mark, None)


def no_progress(value: Any) -> None:
    """Nobody listens."""


@dataclasses.dataclass(frozen=True, slots=True)
class Context(Generic[D]):
    """What a tool learns beside its arguments; a parameter of this type is filled by the loop
    and never enters the schema.

    `data` is what the app gave to `run(data=...)`. `call_id` is the vendor's id of the call,
    `call_key` one that stays the same when the same call is run again: a key for idempotent
    work. `cancel` tells whether somebody still waits; `progress` hands a value to who watches.
    """

    call_id: str
    call_key: str
    data: D
    cancel: CancelToken
    progress: Callable[[Any], None] = no_progress


UNHANDLED = Handling()
"""What holds of a tool that says nothing."""


def name_of_spec(spec: ToolSpec | HostedTool | ToolGroup) -> str:
    """The name of a tool, or the vendor's type of one without a name."""
    if isinstance(spec, HostedTool):
        return spec.name or spec.type
    return spec.name or ""


@dataclasses.dataclass(frozen=True, eq=False)
class Tool:
    """A tool that the app runs: `spec` is what the model sees, `function` what is called.

    Still callable as the function. `validate` gives keyword arguments for the JSON object that
    the model wrote, or raises ValueError; `context` names the parameter for the Context,
    `free_text` the one of a tool that takes free text; `handling` says how the loop handles its
    calls. A spec of type HostedTool is a tool
    known by the vendor's type that the app runs, such as Anthropic's bash: its function gets
    the arguments as they came.
    """

    spec: ToolSpec | HostedTool
    function: Callable[..., Any]
    validate: Callable[[dict[str, JSON]], dict[str, Any]] = dict
    context: str | None = None
    free_text: str | None = None
    handling: Handling = UNHANDLED

    @property
    def name(self) -> str:
        """The name by which the model calls it."""
        return name_of_spec(self.spec)

    @property
    def stance(self) -> Stance:
        """What it is taken for: what its spec says, or for a vendor's type its handling."""
        return self.handling.stance or stance_of(self.spec)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.function(*arguments, **named)


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    schema: JSON = None,
    strict: bool | Literal["auto"] | None = None,
    **options: Any,
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    schema: JSON = None,
    strict: bool | Literal["auto"] | None = None,
    **options: Any,
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a function a tool: with types and docstring, or with a JSON Schema of one's own.

    `options` are further fields of ToolSpec, such as `effect`, `sends_out` or `cache`, and of
    Handling, such as `checks`, `timeout` or `repeatable`; with a schema `sources` says which
    arguments come from earlier results, by their path. With `kind="custom"` a function of one
    text takes free text. The function may be sync or async; a generator yields progress and then
    its result. Raises ToolDefinitionError.
    """
    fields = {"name": name, "description": description, "strict": strict, **options}
    told = {key: field for key, field in fields.items() if field is not None}
    handled = {key: told.pop(key) for key in NAMES & told.keys()}

    def make(given: Callable[..., Any]) -> Tool:
        if name is None and name_of(given) == "<lambda>":
            raise ToolDefinitionError("a lambda has no name: tool(name=...)")
        return with_handling(bare(given, schema, dict(told)), handled)

    return make if function is None else make(function)


def bare(function: Callable[..., Any], schema: JSON, told: dict[str, Any]) -> Tool:
    """A tool by its schema, as free text, or by its signature."""
    if schema is not None:
        return from_schema(function, schema, told)
    if "sources" in told:
        raise ToolDefinitionError("sources= goes with schema=: annotate parameters with tb.From")
    return from_free_text(function, told) if is_custom(told) else from_signature(function, told)


def with_handling(made: Tool, handled: dict[str, Any]) -> Tool:
    """The tool with the options that say how its calls are handled."""
    handling = handling_of(made.name, handled, made.handling.sources)
    check_effect(made.name, made.spec)
    check_retries(made.name, made.stance, handling)
    return dataclasses.replace(made, handling=handling)


def is_custom(told: dict[str, Any]) -> bool:
    """Whether a tool takes free text."""
    return bool(told.get("kind") == "custom")


def from_signature(function: Callable[..., Any], told: dict[str, Any]) -> Tool:
    """A tool by the types and the docstring of its function."""
    signature = read_signature(function, Context)
    fields: dict[str, Any] = {"name": name_of(function), "parameters": signature.parameters}
    if signature.description:
        fields["description"] = signature.description
    if signature.output_schema is not None:
        fields["output_schema"] = signature.output_schema
    spec = ToolSpec(**(fields | told))
    handling = Handling(sources=signature.sourced)
    return Tool(spec, function, signature.validate, signature.context, handling=handling)


def from_free_text(function: Callable[..., Any], told: dict[str, Any]) -> Tool:
    """A tool of free text: a function of one text, no parameters are offered."""
    read = read_free_text(function, Context)
    fields: dict[str, Any] = {"name": name_of(function)}
    if read.description:
        fields["description"] = read.description
    spec = ToolSpec(**(fields | told))
    return Tool(spec, function, context=read.context, free_text=read.parameter)


def from_schema(function: Callable[..., Any], schema: JSON, told: dict[str, Any]) -> Tool:
    """A tool by a JSON Schema: the function gets the properties by name, and may take all of
    them as **arguments."""
    name = told.get("name", name_of(function))
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        raise ToolDefinitionError(
            f"{name}: the schema must be that of an object, such as "
            '{"type": "object", "properties": {...}}'
        )
    if is_custom(told):
        raise ToolDefinitionError(f"{name}: free text has no schema. Leave out schema= or kind=")
    offered, sourced = take_sources(with_sources(schema, told.pop("sources", None) or {}))
    fields: dict[str, Any] = {"name": name, "parameters": offered}
    description = documented(function).text
    if description:
        fields["description"] = description
    validate, spec = schema_validator(name, offered), ToolSpec(**(fields | told))
    handling = Handling(sources=sourced)
    return Tool(spec, function, validate, context_of(function), handling=handling)


def context_of(function: Callable[..., Any]) -> str | None:
    """The name of the parameter for the Context, also where annotations cannot be resolved."""
    parameters = inspect.signature(function).parameters
    try:
        hints = hints_of(function)
    except ToolDefinitionError:
        texts = {name: str(each.annotation) for name, each in parameters.items()}
        named = (name for name, text in texts.items() if re.search(r"\bContext\b", text))
        return next(named, None)
    return next((name for name in parameters if is_context(hints.get(name), Context)), None)
