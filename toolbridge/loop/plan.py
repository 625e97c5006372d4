"""What the app passes to `run`, made into a Plan."""

from __future__ import annotations

import dataclasses
import itertools
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from toolbridge.app_tools import Tool, name_of_spec, tool
from toolbridge.checkpoint.policies import default, for_vendors
from toolbridge.convert import read
from toolbridge.errors import ToolDefinitionError
from toolbridge.loop.gate import OPEN, USUAL, Gate, Limits
from toolbridge.loop.output import output_format, output_tool
from toolbridge.loop.state import Begun, Identity, Plan, Run, said
from toolbridge.model import Model
from toolbridge.parts import Text, ToolCall
from toolbridge.registry import find
from toolbridge.request import Message, Request
from toolbridge.rules import resolve
from toolbridge.tools import HostedTool, ToolChoice, ToolGroup, ToolName, ToolSpec
from toolbridge.values import JSON, Value

Messages = str | Run | Sequence[Any]
Tools = Iterable[Any]


@dataclasses.dataclass(frozen=True)
class Options:
    """The options of a run; `settings` shape its requests."""

    tools: Tools = ()
    system: str | Message | None = None
    output: Any = None
    max_steps: int = 20
    max_parallel: int = 8
    format: str | None = None
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    data: Any = None
    gate: Gate = OPEN
    limits: Limits = USUAL
    run_id: str | None = None
    eager: bool = False

    def __post_init__(self) -> None:
        for name in ("max_steps", "max_parallel"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1, not {getattr(self, name)}")

    def as_json(self) -> dict[str, JSON]:
        """What a state keeps of them; the settings are in its request."""
        kept: dict[str, JSON] = {name: getattr(self, name) for name in KEPT}
        return kept | {"limits": dataclasses.asdict(self.limits)}

    def needs(self) -> list[str]:
        """The names of the options given that are no JSON: whoever goes on in another process
        gives them again."""
        gate = self.gate
        given = {
            "output": self.output is not None,
            "data": self.data is not None,
            "tool_choice": is_by_step(self.settings.get("tool_choice")),
            "gate.policy": gate.policy is not default,
            "gate.ledger": gate.ledger is not None,
            "gate.audit": gate.audit is not None,
        }
        return [name for name, is_given in given.items() if is_given]


KEPT = ("max_steps", "max_parallel", "eager")


def make_plan(model: Model, messages: Messages, options: Options) -> Plan:
    """The Plan of a run. Raises ToolDefinitionError, and TypeError for a wrong option."""
    handlers, offered = sort_tools(options.tools)
    declared = {each for spec in offered for each in identities(spec)} - handlers.keys()
    settings = dict(checked(options.settings))
    choose = chooser(settings)
    fields: dict[str, Any] = {"history": as_history(messages, options.format), **settings}
    if options.system is not None:
        fields["instructions"] = as_system(options.system)
    named = None
    if options.output is not None:
        named = ask_for_output(model, options.output, offered, fields)
    if (None, named) in handlers.keys() | declared:
        raise ToolDefinitionError(
            f"{named!r} is the tool that stands for the output: name yours with tool(name=...)"
        )
    if offered:
        fields["tools"] = tuple(map(for_vendors, offered))
    check_sources(handlers, declared, fields["history"])
    return Plan(
        request=Request(**fields),
        tools=handlers,
        declared=frozenset(declared),
        max_steps=options.max_steps,
        output_type=options.output,
        output_tool=named,
        run_id=options.run_id or secrets.token_hex(16),
        gate=options.gate,
        limits=options.limits,
        data=options.data,
        choose=choose,
        eager=options.eager,
        begun=Begun(model, options),
    )


def check_sources(
    handlers: Mapping[Identity, Tool], declared: Iterable[Identity], history: Iterable[Any]
) -> None:
    """Raise where an argument must come from a tool that nobody knows: no call would ever run."""
    calls = (part for each in history for part in getattr(each, "parts", ()))
    called = {(part.namespace, part.name) for part in calls if isinstance(part, ToolCall)}
    known = {*handlers, *declared} | called
    for (namespace, name), made in handlers.items():
        for source in made.handling.sources.sources if made.handling.sources else ():
            tool, _ = source.resolve(known, namespace)
            if tool not in known and not source.or_user:
                raise ToolDefinitionError(
                    f"{name}: From({source.source!r}) names no tool of this run, or one of several "
                    f"(say namespace=). There are: {', '.join(sorted(name for _, name in known))}"
                )


def is_by_step(choice: Any) -> bool:
    """Whether a tool choice is another for each step."""
    return callable(choice) or isinstance(choice, (list, tuple))


def chooser(settings: dict[str, Any]) -> Callable[[int], ToolChoice | None] | None:
    """The tool choice of each step, counted from 0, where it is not the same for all: of a list
    the last one stays. Takes it out of the settings."""
    choice = settings.get("tool_choice")
    if choice is None:
        return None
    if not is_by_step(choice):
        settings["tool_choice"] = as_choice(choice)
        return None
    del settings["tool_choice"]
    if callable(choice):
        return lambda step: as_choice(choice(step))
    if not choice:
        raise ValueError("tool_choice is a list of none: leave it out, or name a choice a step")
    choices = [*map(as_choice, choice)]
    return lambda step: choices[min(step, len(choices) - 1)]


MODES = ("auto", "required", "none")


def as_choice(choice: Any) -> ToolChoice | None:
    """A tool choice, also as one of the words auto, required and none, or as a tool's name."""
    if isinstance(choice, str):
        if choice in MODES:
            return ToolChoice(mode=choice)  # type: ignore[arg-type]
        return ToolChoice(mode="tool", tools=(ToolName(name=choice),))
    if choice is not None and not isinstance(choice, ToolChoice):
        raise TypeError(f"tool_choice is a ToolChoice, {', '.join(MODES)} or a tool's name")
    return choice


def ask_for_output(
    model: Model, output: Any, offered: list[Any], fields: dict[str, Any]
) -> str | None:
    """Ask for structured output: by a setting, else by a tool, whose name this gives."""
    if has_output(model, bool(offered)):
        fields["output"] = output_format(output)
        return None
    answer = output_tool(output)
    offered.append(answer)
    fields.setdefault("tool_choice", ToolChoice(mode="required"))
    return answer.name


def checked(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Settings that a Request has."""
    known = Request.defaults.keys() - {"spelling", "extra", "history", "tools", "profile", "stream"}
    wrong = [name for name in settings if name not in known]
    if wrong:
        raise TypeError(
            f"no setting {wrong[0]!r}. Settings are the fields of tb.Request, such as "
            "output_limit, temperature, effort, thinking_budget, tool_choice"
        )
    return settings


def has_output(model: Model, with_tools: bool) -> bool:
    """Whether the model answers by a JSON Schema, beside tools if there are any."""
    adapter, profile = find(model.format)
    rules = resolve(adapter.rules, profile, model.id)
    return rules.schema_output and (rules.output_with_tools or not with_tools)


def sort_tools(given: Tools) -> tuple[dict[Identity, Tool], list[Any]]:
    """The tools that run here, and all that the model is offered."""
    handlers: dict[Identity, Tool] = {}
    offered: list[Any] = []
    names: set[Identity] = set()
    for each in given:
        made = tool(each) if callable(each) and not isinstance(each, Tool) else each
        spec = made.spec if isinstance(made, Tool) else made
        if not isinstance(spec, (ToolSpec, HostedTool, ToolGroup)):
            raise ToolDefinitionError(
                f"{each!r} is no tool: pass functions, tb.tool(...), ToolSpec or HostedTool"
            )
        for key in identities(spec):
            if key in names and not isinstance(each, HostedTool):
                raise ToolDefinitionError(
                    f"two tools are named {key[1]!r}: name one with tool(name=...)"
                )
            names.add(key)
            if isinstance(made, Tool):
                handlers[key] = made
        offered.append(spec)
    return handlers, offered


def identities(spec: Any, group: str | None = None) -> list[Identity]:
    """The namespaces and names by which a tool may be called; those of a group's members."""
    if isinstance(spec, ToolGroup):
        return [key for each in spec.tools for key in identities(each, spec.name)]
    if isinstance(spec, ToolSpec):
        return [(spec.namespace or group, spec.name)]
    return [(None, name_of_spec(spec))] if isinstance(spec, HostedTool) else []


def as_history(messages: Messages, format: str | None) -> tuple[Value, ...]:
    """Text, canonical messages, dicts of a vendor's, or all of them in turn, as a history."""
    if isinstance(messages, Run):
        return messages.messages
    if isinstance(messages, str):
        return (said(messages),)
    history: list[Value] = []
    for are_dicts, run in itertools.groupby(messages, lambda each: isinstance(each, dict)):
        given = [*run]
        history += read_vendors(given, format) if are_dicts else map(as_message, given)
    return tuple(history)


def as_message(given: Any) -> Value:
    """Text as words of the user's; a canonical message or item as it is."""
    if isinstance(given, str):
        return said(given)
    if not isinstance(given, Value):
        raise TypeError(f"{type(given).__name__} is no message: pass text, tb.Message or dicts")
    return given


def read_vendors(messages: list[JSON], format: str | None) -> tuple[Value, ...]:
    """Messages as a vendor writes them."""
    if format is None:
        raise TypeError("messages as dicts need their format: run(..., format='openai-chat')")
    adapter, _ = find(format)
    key = adapter.shapes["request"].writers["history"].path[0]
    request: Request = read({key: messages}, format)
    leading = (request.instructions,) if request.instructions is not None else ()
    return (*leading, *request.history)


def as_system(system: str | Message) -> Message:
    """System text as a message."""
    if isinstance(system, Message):
        return system
    return Message(role="system", parts=(Text(text=system),))
