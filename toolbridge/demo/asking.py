"""The one question of the demo: whether what cannot be undone may be done.

At a terminal whoever sits there is asked, once for all vendors. Elsewhere the demo says yes to its
own play-acting, and says so.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from rich.console import Console

from toolbridge.checkpoint.questions import Approve, Decision, Deny, Question
from toolbridge.demo.transcript import call_text

PERSON: Final = "whoever ran the demo"
ANSWERS: Final = "[y]es, [n]o"


class Asking:
    """Asks about a call of each kind once. With cassettes a no ends the conversation there: they
    hold no answer to it; a vendor is told."""

    def __init__(self, console: Console, from_cassettes: bool) -> None:
        self._console = console
        self._from_cassettes = from_cassettes
        self._said: dict[str, bool] = {}

    def __call__(self, question: Question) -> Decision | None:
        """The answer to a question; None where the run is to wait."""
        asked = json.dumps([question.name, question.arguments], sort_keys=True)
        if asked not in self._said:
            self._said[asked] = self.ask(question)
        if self._said[asked]:
            return Approve(by=PERSON)
        return None if self._from_cassettes else Deny("the user said no", by=PERSON)

    def ask(self, question: Question) -> bool:
        """Show a question, and take the answer."""
        show = self._console.print
        show("\nMay this be done? It waits for a person:", style="bold yellow")
        show(f"        {call_text(question.call)}", markup=False)
        show(f"        because {question.reason}", markup=False, style="dim")
        for each in question.untrusted:
            said: Any = each.excerpt.replace("\n", " ")
            show(f"        {each.tool} had said: {said}", markup=False, style="dim")
        if not sys.stdin.isatty():
            show("        nobody is at the terminal: the demo says yes\n", style="yellow")
            return True
        while True:
            try:
                word = self._console.input(f"        {ANSWERS}: ").strip().lower()
            except EOFError:
                return False
            if word in ("y", "yes", "n", "no"):
                show()
                return word.startswith("y")
