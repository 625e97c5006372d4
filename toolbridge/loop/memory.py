"""What the loop remembers of the steps before: where values come from, whose words the model has
read, what failed, and what was asked for already.

All of it follows from the history and the steps, so a run that was saved remembers the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from toolbridge.checkpoint.evidence import Evidence
from toolbridge.checkpoint.policies import stance_of
from toolbridge.checkpoint.questions import Untrusted
from toolbridge.loop.dossier import RAN
from toolbridge.loop.fence import shown
from toolbridge.loop.state import Plan
from toolbridge.parts import Text, ToolCall, ToolResult
from toolbridge.request import Message
from toolbridge.storage import encode
from toolbridge.values import thaw

EXCERPT = 200
"""Characters of an untrusted result that a question shows."""

FAILED = frozenset({"invalid", "error", "timeout"})
MENDED = frozenset({"ok", "recorded"})


class Memory:
    """Grows with the steps; see the module."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.evidence = Evidence()
        self.untrusted: list[Untrusted] = []
        self.failures: dict[str, int] = {}
        self.names = frozenset(name for _, name in (*plan.tools, *plan.declared))
        self._gave: dict[str, list[str]] = {}
        self._refused: dict[str, int] = {}

    def begin(self, history: Iterable[Any]) -> None:
        """Remember what came before the run."""
        calls: dict[str, ToolCall] = {}
        for message in history:
            for part in getattr(message, "parts", ()):
                if isinstance(part, ToolCall):
                    calls[part.id] = part
                elif isinstance(part, ToolResult) and part.call_id in calls:
                    self._result(calls[part.call_id], part, 0)
                elif isinstance(part, Text) and is_users(message):
                    self.evidence.add_user(part.text)

    def absorb(self, step: int, calls: list[tuple[ToolCall, ToolResult, str]]) -> None:
        """Remember the calls of a step, counted from 1, with their results and outcomes."""
        outcomes: dict[str, set[str]] = {}
        for call, result, outcome in calls:
            outcomes.setdefault(call.name, set()).add(outcome)
            self._asked(call, result, outcome)
            if outcome in RAN:
                self._result(call, result, step)
        for name, found in outcomes.items():
            if found & MENDED:
                self.failures.pop(name, None)
            elif found & FAILED:
                self.failures[name] = self.failures.get(name, 0) + 1

    def _result(self, call: ToolCall, result: ToolResult, step: int) -> None:
        """Where values may come from now, and whose words the model reads."""
        if not result.is_error:
            self.evidence.add_result(call.name, result)
        tool = self._plan.tools.get((call.namespace, call.name))
        if call.executor == "vendor" or stance_of(tool and tool.spec).untrusted_output:
            said = "\n".join(filter(None, map(shown, result.parts)))
            self.untrusted.append(
                Untrusted(call_id=call.id, tool=call.name, step=step, excerpt=said[:EXCERPT])
            )

    def _asked(self, call: ToolCall, result: ToolResult, outcome: str) -> None:
        """Remember what a call gave; a tool that is said to change something makes asking the
        others again worth while."""
        asked = asked_for(call)
        if outcome == "repeated":
            self._refused[asked] = self._refused.get(asked, 0) + 1
            return
        tool = self._plan.tools.get((call.namespace, call.name))
        if outcome in MENDED and getattr(tool and tool.spec, "effect", None) not in (None, "read"):
            self._gave = {asked: self._gave.get(asked, [])}
            self._refused = {asked: self._refused.get(asked, 0)}
        given = json.dumps(encode(result.replace(call_id="", spelling=None)), sort_keys=True)
        self._gave.setdefault(asked, []).append(sha256(given.encode()).hexdigest())

    def repeats(self, call: ToolCall, most: int) -> int:
        """How often a call was asked for in vain: 0 where its last `most` results do not all say
        the same, else 1 and one more for each time that it was refused."""
        asked = asked_for(call)
        gave = self._gave.get(asked, ())[-most:]
        if len(gave) < most or len(set(gave)) > 1:
            return 0
        return 1 + self._refused.get(asked, 0)


def asked_for(call: ToolCall) -> str:
    """What makes two calls the same: the tool and the arguments, in any order of keys."""
    return json.dumps([call.namespace, call.name, thaw(call.arguments)], sort_keys=True)


def is_users(message: Any) -> bool:
    """Whether a message is what the user wrote."""
    return isinstance(message, Message) and message.role == "user"
