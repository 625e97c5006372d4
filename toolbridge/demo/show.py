"""The demo on a terminal: each step of a conversation, and the vendors side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.json import JSON
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from toolbridge.demo.play import Played
from toolbridge.demo.transcript import call_text, pairs, result_text, transcript
from toolbridge.loop import Answered, Run, Step
from toolbridge.parts import Reasoning, ToolCall, ToolResult

CALL, RESULT, FAILED = "→", "←", "✗"
LONGEST: Final = 56
"""Columns of a result where the vendors stand side by side."""

NEVER_RUN: Final = {"cut": "cut off: never run", "invalid": "no JSON object: never run"}


def show(console: Console, played: Played, wire: bool) -> None:
    """A conversation, step by step."""
    conversation = played.conversation
    console.print(Rule(f"{conversation.title} · {played.model.name}", align="left"))
    grid = speakers()
    begun = conversation.begun
    if begun is not None:
        grid.add_row("", Text(f"(after {begun.conversation!r}, held with {begun.format})", "dim"))
    if conversation.system is not None:
        grid.add_row("system", conversation.system)
    grid.add_row("user", conversation.question)
    console.print(grid)
    steps: Sequence[Step | None] = played.run.steps if played.run else [None] * len(played.answers)
    for answered, step in zip(played.answers, steps, strict=True):
        if wire:
            show_wire(console, answered)
        console.print(exchange(step or Step(answered.response)))
    console.print(ending(played))
    console.print()


def speakers() -> Table:
    """A grid: who says it, and what."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold cyan", min_width=6)
    grid.add_column(overflow="fold")
    return grid


def exchange(step: Step) -> Table:
    """What the model said and called, then what its calls gave."""
    grid = speakers()
    calls = pairs(step)
    said = [*thoughts(step), *([Text(step.response.text)] if step.response.text else [])]
    grid.add_row(
        "model", Group(*said, *(call_line(n, call) for n, (call, _) in enumerate(calls, 1)))
    )
    results = [result_line(n, result) for n, (_, result) in enumerate(calls, 1) if result]
    if results:
        grid.add_row("tools", Group(*results))
    return grid


def thoughts(step: Step) -> Iterator[Text]:
    """What the model thought, where it tells."""
    for answer in step.response.alternatives[:1]:
        for part in getattr(answer, "parts", ()):
            if isinstance(part, Reasoning):
                yield Text(f"(thinks) {part.text or 'in secret'}", "dim italic")


def call_line(number: int, call: ToolCall) -> Text:
    """A call, with the number that pairs it with its result."""
    line = Text(f"{number} {CALL} {call_text(call)}", "yellow")
    if call.status != "complete":
        line.append(f"  {NEVER_RUN[call.status]}", "bold red")
    return line


def result_line(number: int, result: ToolResult) -> Text:
    """A result; a failed one says so in words as well as in colour."""
    if result.is_error:
        return Text(f"{number} {FAILED} error: {result_text(result)}", "red")
    return Text(f"{number} {RESULT} {result_text(result)}", "green")


def ending(played: Played) -> Text:
    """How it ended, and what it took."""
    if played.run is None:
        return Text(f"        ended by {type(played.error).__name__}: {played.error}", "bold red")
    return Text(f"        {how_it_ended(played.run)} · {cost(played.run)}", "dim")


def how_it_ended(run: Run) -> str:
    """Our stop reason, and the vendor's word."""
    word = stop_word(run.steps[-1])
    return f"{run.stop_reason} ({word})" if word else run.stop_reason


def stop_word(step: Step) -> str:
    """The vendor's word for why an answer ended."""
    return next((getattr(each, "stop_word", None) or "" for each in step.response.alternatives), "")


def cost(run: Run) -> str:
    """Requests and tokens."""
    usage = run.usage
    tokens = f"{usage.input_tokens or 0} tokens in, {usage.output_tokens or 0} out"
    return f"{len(run.steps)} requests, {tokens}"


def show_wire(console: Console, answered: Answered) -> None:
    """What went over the wire for one answer, and what the request could not carry."""
    console.print(Text(f"\n>>> POST {answered.call.path}", "bold magenta"))
    for name, told in answered.call.headers.items():
        console.print(Text(f"{name}: {told}", "magenta"))
    console.print(JSON.from_data(answered.call.body), soft_wrap=True)
    for loss in answered.losses:
        if loss.severity == "warning":
            console.print(Text(f"    {loss.effect}: {loss.code} at {loss.path}", "yellow"))
    console.print(Text("<<< 200", "bold magenta"))
    console.print(JSON.from_data(answered.reply.body), soft_wrap=True)
    console.print()


def compare(console: Console, played: Sequence[Played]) -> bool:
    """The same conversation on several vendors, side by side; gives whether all said the same."""
    runs = [each.run for each in played if each.run is not None]
    table = Table(title=f"{played[0].conversation.title}, side by side", show_lines=True)
    for each in played:
        table.add_column(each.model.format, overflow="fold", ratio=1)
    for number in range(max(len(run.steps) for run in runs)):
        table.add_row(*(cell(run.steps[number]) if number < len(run.steps) else "" for run in runs))
    table.add_row(*(Text(f"{run.stop_reason}\n{cost(run)}", "dim") for run in runs))
    console.print(table)
    same = all(transcript(run) == transcript(runs[0]) for run in runs)
    told = "the same texts, calls and results on each" if same else "they did not say the same"
    console.print(Text(f"{told}\n", "green" if same else "yellow"))
    return same


def cell(step: Step) -> RenderableType:
    """One step of one vendor in few lines, with its stop word and its ids below."""
    lines = [Text(step.response.text)] if step.response.text else []
    own = [f"stop: {stop_word(step)}"]
    for number, (call, result) in enumerate(pairs(step), 1):
        lines.append(call_line(number, call))
        if result is not None:
            lines.append(shortened(result_line(number, result)))
        own.append(f"id: {call.id}")
    own_lines = [Text(each, "dim", no_wrap=True, overflow="ellipsis") for each in own]
    return Group(*lines, *own_lines)


def shortened(line: Text) -> Text:
    """The beginning of a line."""
    line.truncate(LONGEST, overflow="ellipsis")
    return line
