"""A command from a list with its arguments as a list, never a text for a shell.

CWE-78 and CWE-88 (https://cwe.mitre.org/data/definitions/88.html): a list keeps a value from
becoming a command, yet a value that begins with `-` still becomes an option.
"""

from __future__ import annotations

import dataclasses
import inspect
import unicodedata
from collections.abc import Callable, Collection, Mapping
from typing import Any

from toolbridge.safe.base import ArgumentType, misdefined, refuse
from toolbridge.safe.text import check_visible, code_of
from toolbridge.values import JSON, FrozenDict

LONGEST = 4096

Rule = Collection[str] | Callable[[list[str]], bool] | None
"""What a command may be given: sub commands and options, a function of the app's, or values."""

SHELLS = frozenset(
    {"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "csh", "tcsh", "fish", "busybox"}
    | {"cmd", "command", "powershell", "pwsh"}
)

SOFT_HYPHEN = "\u00ad"
"""Windows makes a `-` of it: https://nvd.nist.gov/vuln/detail/CVE-2024-4577."""


@dataclasses.dataclass(frozen=True, eq=False)
class Command(ArgumentType):
    """A list of texts: the name of a command, then its arguments, for
    `subprocess.run(command)` without a shell.

    `allowed` gives for each command what may follow. Words of a collection that begin with `-` are
    the options that may be used, exactly so written (`-n`, `--oneline`; `--format=` lets
    `--format=` with any value pass); the other words are sub commands, one of which must come
    first. None allows no option. What begins with `-` and is not listed is refused; `--` too must
    be listed, which is right where the command reads all that comes after it as values, and then
    those may begin with `-`. Other values are handed on as they are: list no option that takes a
    program or a file, and no command that runs others, such as `env`, `find` or `xargs`.

    A function gets the arguments and gives whether they are allowed, or raises ValueError with
    words for the model; it decides on options too. The first line of its docstring tells the
    model the rule. Control characters, newlines among them, are refused in any case.

    Raises ToolDefinitionError for a shell, for a path in place of a name, and for batch files, of
    which Windows has a shell read the arguments (https://nvd.nist.gov/vuln/detail/CVE-2024-24576).
    """

    allowed: Mapping[str, Rule]
    max_arguments: int = 32

    def __post_init__(self) -> None:
        if not self.allowed:
            misdefined("Command", "no command is allowed, such as {'git': ('status', 'log')}")
        for name, rule in self.allowed.items():
            check_definition(name, rule)
        kept = {name: kept_rule(rule) for name, rule in self.allowed.items()}
        object.__setattr__(self, "allowed", FrozenDict(kept))

    def check(self, value: Any) -> list[str]:
        """The command as a list of texts. Raises ValueError with words for the model."""
        mend = f"Give a list such as {shown(self.example())}"
        if not isinstance(value, (list, tuple)) or not value:
            refuse("the command must be a list of texts, not one text for a shell", mend)
        words: list[str] = []
        for word in value:
            if not isinstance(word, str):
                refuse("each word of the command must be a text", mend)
            if len(word) > LONGEST:
                refuse(f"a word of the command is longer than {LONGEST} characters", mend)
            check_visible(word, "the command", mend)
            words.append(str(word))
        name, *arguments = words
        if name not in self.allowed:
            refuse(f"the first word must be {' or '.join(self.allowed)} and no more", mend)
        if len(arguments) > self.max_arguments:
            refuse(f"{name} gets more than {self.max_arguments} arguments", mend)
        check_arguments(name, arguments, self.allowed[name], mend)
        return words

    def example(self) -> list[str]:
        """A command that passes, but for the rules of functions."""
        name, rule = next(iter(self.allowed.items()))
        commands = [] if callable(rule) else [word for word in rule or () if word[0] != "-"]
        return [name, *commands[:1]]

    def limits(self) -> dict[str, JSON]:
        """An array of strings; the description tells the commands and what they take."""
        lines = [f"- {name}: {told(rule)}" for name, rule in self.allowed.items()]
        return {
            "type": "array",
            "description": "A command and its arguments, one text each: no shell, so no quotes, "
            "pipes, variables or wildcards. Allowed are\n" + "\n".join(lines),
            "items": {"type": "string", "maxLength": LONGEST},
            "minItems": 1,
            "maxItems": self.max_arguments + 1,
            "examples": [self.example()],
        }


def check_definition(name: str, rule: Rule) -> None:
    """Raise where an app allows what cannot be safe."""
    plain = name.lower().removesuffix(".exe")
    if not name or name.startswith("-") or any(each in name for each in "/\\:\0 "):
        misdefined("Command", f"{name!r} must be the name of a command, such as 'git'")
    if plain in SHELLS:
        misdefined("Command", f"{name!r} is a shell. List the commands that it would run")
    if plain.endswith((".bat", ".cmd")):
        misdefined("Command", f"{name!r} is run by a shell. List the program that it calls")
    if isinstance(rule, str) or (not callable(rule) and not all(rule or ())):
        misdefined("Command", f"{name}: write a tuple of words, such as ('status',), or None")


def kept_rule(rule: Rule) -> Rule:
    """A rule that later changes of a list do not change."""
    return rule if rule is None or callable(rule) else tuple(rule)


def check_arguments(name: str, arguments: list[str], rule: Rule, mend: str) -> None:
    """Raise ValueError where a rule does not allow the arguments."""
    if callable(rule):
        if not rule(list(arguments)):
            refuse(f"{name} may not be called with these arguments: {told(rule)}", mend)
        return
    words = rule or ()
    commands = [word for word in words if word[0] != "-"]
    if commands and (not arguments or arguments[0] not in commands):
        refuse(f"the first argument of {name} must be {' or '.join(commands)}", mend)
    options = [word for word in words if word[0] == "-"]
    for argument in arguments:
        check_option(name, argument, options, mend)
        if argument == "--":
            break


def check_option(name: str, argument: str, options: list[str], mend: str) -> None:
    """Raise where an argument is an option that is not listed, or may become one."""
    first = argument[:1]
    if first and first != "-" and is_dash(first):
        refuse(f"an argument of {name} begins with {code_of(first)}, which looks like -", mend)
    fits = any(
        argument == option or (option.endswith("=") and argument.startswith(option))
        for option in options
    )
    if first == "-" and not fits:
        usable = f"{name} takes only {', '.join(options)}" if options else f"{name} takes none"
        refuse(f"the option {argument[:40]!r} is not allowed: {usable}", mend)


def is_dash(character: str) -> bool:
    """Whether a character may be read as the hyphen of an option."""
    return character in (SOFT_HYPHEN, "\u2212") or unicodedata.category(character) == "Pd"


def told(rule: Rule) -> str:
    """What may follow a command, in words for the model."""
    if callable(rule):
        return (inspect.getdoc(rule) or "arguments that the app allows").partition("\n")[0]
    commands = [word for word in rule or () if word[0] != "-"]
    options = [word for word in rule or () if word[0] == "-"]
    first = f"first {' or '.join(commands)}, then values" if commands else "values"
    return f"{first}; {'options ' + ', '.join(options) if options else 'no options'}"


def shown(words: list[str]) -> str:
    """A list as JSON writes it."""
    import json

    return json.dumps(words, ensure_ascii=False)
