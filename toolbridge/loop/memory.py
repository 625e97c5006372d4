"""What the loop remembers of the steps before: where values come from, whose words the model has
read, what failed, and what was asked for already.

All of it follows from the history and the steps, so a run that was saved remembers the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from toolbridge.checkpoint.evidence import Evidence
from toolbridge.checkpoint.policies import UNDECLARED
from toolbridge.checkpoint.questions import Untrusted
from toolbridge.loop.dossier import RAN
from toolbridge.loop.fence import shown
from toolbridge.loop.output import OF_THE_LOOP
from toolbridge.loop.state import Identity, Plan
from toolbridge.parts import Text, ToolCall, ToolResult
from toolbridge.request import Message

EXCERPT = 200
"""Characters of an untrusted result that a question shows."""

UNNAMED = "a tool of the vendor's"

FAILED = frozenset({"invalid", "error", "timeout", "unknown"})
MENDED = frozenset({"ok", "recorded"})


class Memory:
    """Grows with the steps; see the module."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.evidence = Evidence()
        self.untrusted: list[Untrusted] = []
        self._failures: dict[Identity, int] = {}
        self.names = frozenset((*plan.tools, *plan.declared))
        self._gave: dict[str, list[tuple[Any, bool]]] = {}
        self._refused: dict[str, int] = {}

    def begin(self, history: Iterable[Any]) -> None:
        """Remember what came before the run."""
        calls: dict[str, list[ToolCall]] = {}
        for message in history:
            parts = getattr(message, "parts", ())
            self.hear(0, vendors_own(parts))
            for part in parts:
                if isinstance(part, ToolCall):
                    calls.setdefault(part.id, []).append(part)
                elif isinstance(part, ToolResult):
                    self._handed_over(calls.get(part.call_id, []), part)
                elif isinstance(part, Text) and is_users(message, part.text):
                    self.evidence.add_user(part.text)

    def _handed_over(self, calls: list[ToolCall], result: ToolResult) -> None:
        """Remember a result that came before the run: that of the oldest call of its id, and as
        untrusted as any of them. Whose call nobody knows is anybody's."""
        if not calls:
            self._distrust(result.call_id, result.name or "a tool that nobody knows", result, 0)
            return
        self._gave_values(calls[0], result)
        distrusted = next((call for call in calls if self._is_untrusted(call)), None)
        if distrusted is not None:
            self._distrust(distrusted.id, distrusted.name, result, 0)
        if len(calls) > 1:
            calls.pop(0)

    def hear(self, step: int, parts: Iterable[Any]) -> None:
        """Remember what a vendor's own tools brought into an answer: the model has read it."""
        self.untrusted += brought_in(step, parts)

    def absorb(self, step: int, calls: list[tuple[ToolCall, ToolResult, str]]) -> None:
        """Remember the calls of a step, counted from 1, with their results and outcomes."""
        outcomes: dict[Identity, set[str]] = {}
        for call, result, outcome in calls:
            outcomes.setdefault((call.namespace, call.name), set()).add(outcome)
            self._asked(call, result, outcome)
            if outcome in RAN:
                self._gave_values(call, result)
                if self._is_untrusted(call):
                    self._distrust(call.id, call.name, result, step)
        for name, found in outcomes.items():
            if found & MENDED:
                self._failures.pop(name, None)
            elif found & FAILED:
                self._failures[name] = self._failures.get(name, 0) + 1

    def failed(self, call: ToolCall) -> int:
        """In how many steps, one after another, the tool of a call has failed."""
        return self._failures.get((call.namespace, call.name), 0)

    def _gave_values(self, call: ToolCall, result: ToolResult) -> None:
        """Remember where values may come from."""
        if not result.is_error:
            self.evidence.add_result((call.namespace, call.name), result)

    def _is_untrusted(self, call: ToolCall) -> bool:
        """Whether others than the app and its user write what a call gives."""
        tool = self._plan.tools.get((call.namespace, call.name))
        stance = UNDECLARED if tool is None else tool.stance
        return call.executor == "vendor" or stance.untrusted_output

    def _distrust(self, call_id: str, name: str, result: ToolResult, step: int) -> None:
        """Remember whose words the model reads."""
        self.untrusted.append(untrusted(call_id, name, step, result.parts))

    def _asked(self, call: ToolCall, result: ToolResult, outcome: str) -> None:
        """Remember what a call gave; a tool that is said to change something makes asking the
        others again worth while."""
        asked = asked_for(call)
        if outcome == "repeated":
            self._refused[asked] = self._refused.get(asked, 0) + 1
            return
        tool = self._plan.tools.get((call.namespace, call.name))
        changes = tool is not None and tool.stance.declared and tool.stance.effect != "read"
        if outcome in MENDED and changes:
            self._gave = {asked: self._gave.get(asked, [])}
            self._refused = {asked: self._refused.get(asked, 0)}
        self._gave.setdefault(asked, []).append((result.parts, bool(result.is_error)))

    def repeats(self, call: ToolCall, most: int) -> int:
        """How often a call was asked for in vain: 0 where its last `most` results do not all say
        the same, else 1 and one more for each time that it was refused."""
        asked = asked_for(call)
        gave = self._gave.get(asked, [])[-most:]
        if len(gave) < most or any(each != gave[0] for each in gave[1:]):
            return 0
        return 1 + self._refused.get(asked, 0)


def asked_for(call: ToolCall) -> str:
    """What makes two calls the same: the tool and the arguments, in any order of keys."""
    return json.dumps([call.namespace, call.name, call.arguments], sort_keys=True)


def is_users(message: Any, text: str) -> bool:
    """Whether a text is what the user wrote. The loop speaks to the model as the user, and may
    repeat what the model made up."""
    wrote = isinstance(message, Message) and message.role == "user"
    return wrote and not text.startswith(OF_THE_LOOP)


def untrusted(call_id: str, name: str, step: int, parts: Iterable[Any]) -> Untrusted:
    """A result as a question names it."""
    said = "\n".join(filter(None, map(shown, parts)))
    return Untrusted(call_id=call_id, tool=name, step=step, excerpt=said[:EXCERPT])


def vendors_own(parts: Iterable[Any]) -> list[ToolCall]:
    """The calls that a vendor ran itself and shows no result of."""
    given = list(parts)
    answered = {part.call_id for part in given if isinstance(part, ToolResult)}
    return [
        part
        for part in given
        if isinstance(part, ToolCall) and part.executor == "vendor" and part.id not in answered
    ]


def brought_in(step: int, parts: Iterable[Any]) -> list[Untrusted]:
    """What a vendor's own tools brought into an answer. Some show no result of their own: OpenAI's
    search is a call alone."""
    given = list(parts)
    names = {part.id: part.name for part in given if isinstance(part, ToolCall)}
    found = [
        untrusted(each.call_id, names.get(each.call_id, each.name or UNNAMED), step, each.parts)
        for each in given
        if isinstance(each, ToolResult)
    ]
    return found + [untrusted(call.id, call.name, step, ()) for call in vendors_own(given)]
