"""Command against known attacks: shells (CWE-78) and arguments that become options (CWE-88).

Attacks after https://sonarsource.github.io/argument-injection-vectors/ and
https://github.com/swisskyrepo/PayloadsAllTheThings/tree/master/Command%20Injection.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

import toolbridge as tb
from safe.helpers import fits, given, may_be, offered, refusal
from toolbridge import safe

OPTIONS: Final = ("--oneline", "-n", "--format=", "--")
KIND: Final = safe.Command({"git": ("status", "log", *OPTIONS), "ls": None, "tar": ("-tf",)})

ATTACKS: Final[tuple[tuple[Any, str], ...]] = (
    # a text for a shell
    ("git status", "not one text"),
    ("git status; rm -rf /", "not one text"),
    ("", "not one text"),
    (["git status"], "the first word"),
    (["git", "status; rm -rf /"], "the first argument of git"),
    (["git", "status && id"], "the first argument of git"),
    (["git", "$(id)"], "the first argument of git"),
    (["git;id"], "the first word"),
    # another program
    (["rm", "-rf", "/"], "the first word"),
    (["/usr/bin/git", "status"], "the first word"),
    (["./git", "status"], "the first word"),
    (["../bin/git", "status"], "the first word"),
    (["GIT", "status"], "the first word"),
    (["git.exe", "status"], "the first word"),
    (["git ", "status"], "the first word"),
    ([""], "the first word"),
    (["sh", "-c", "id"], "the first word"),
    (["g\u0131t", "status"], "the first word"),
    (["--help"], "the first word"),
    # another sub command
    (["git"], "the first argument of git"),
    (["git", "push"], "the first argument of git"),
    (["git", "clone", "ext::sh -c id"], "the first argument of git"),
    (["git", "stat"], "the first argument of git"),
    (["git", ""], "the first argument of git"),
    # options that run programs or write files
    (["git", "-c", "core.pager=id", "log"], "the first argument of git"),
    (["git", "--exec-path=/tmp", "status"], "the first argument of git"),
    (["git", "log", "--output=/etc/cron.d/x"], "is not allowed"),
    (["git", "log", "--upload-pack=id"], "is not allowed"),
    (["git", "log", "--ext-diff"], "is not allowed"),
    (["git", "log", "-O/tmp/x"], "is not allowed"),
    (["git", "log", "HEAD", "--output=x"], "is not allowed"),  # after a value, too
    (["git", "log", "--onelin"], "is not allowed"),  # git completes what is unique
    (["git", "log", "--oneline=x"], "is not allowed"),
    (["git", "log", "-n1"], "is not allowed"),
    (["git", "log", "-nO/tmp/x"], "is not allowed"),
    (["git", "log", "--format"], "is not allowed"),
    (["ls", "-oProxyCommand=id"], "is not allowed"),  # ssh, CVE-2017-1000117
    (["ls", "-"], "is not allowed"),
    (["ls", "--"], "is not allowed"),
    (["ls", "--", "-l"], "is not allowed"),
    (["tar", "-tf", "x", "--checkpoint=1", "--checkpoint-action=exec=id"], "is not allowed"),
    (["tar", "-tf", "x", "-I", "id"], "is not allowed"),
    (["tar", "-t", "-f"], "is not allowed"),
    # hyphens of other kinds, which Windows makes one of
    (["git", "log", "\u00adn"], "U+00AD"),  # CVE-2024-4577
    (["git", "log", "\u2010n"], "looks like -"),
    (["git", "log", "\u2013n"], "looks like -"),
    (["git", "log", "\u2212n"], "looks like -"),
    (["git", "log", "\uff0dn"], "looks like -"),
    # hidden characters
    (["git", "log", "a\0b"], "U+0000"),
    (["git", "log", "a\nid"], "U+000A"),
    (["git", "log", "a\rid"], "U+000D"),
    (["git", "log", "\x1b[2J"], "U+001B"),
    (["git", "log", "a\u202eb"], "U+202E"),
    (["git", "log", "\udcff"], "U+DCFF"),
    (["git\0", "status"], "U+0000"),
    # too much, no texts
    (["ls", *["a"] * 33], "more than 32"),
    (["ls", "a" * 4097], "longer than 4096"),
    ([], "must be a list"),
    (None, "must be a list"),
    ({"git": "status"}, "must be a list"),
    (["git", 1], "must be a text"),
    (["git", ["status"]], "must be a text"),
    (["git", None], "must be a text"),
)


@pytest.mark.parametrize(("value", "why"), ATTACKS, ids=lambda each: ascii(each)[:50])
def test_an_attack_is_refused(value: Any, why: str) -> None:
    words = refusal(KIND, value, list[str])
    assert why in words
    assert words.endswith('Give a list such as ["git", "status"]')


@pytest.mark.parametrize(
    "value",
    [
        ["git", "status"],
        ["git", "log", "--oneline", "-n", "3"],
        ["git", "log", "--format=%H %s", "HEAD~2..HEAD"],
        ["git", "log", "--", "-odd-name", "--output=x"],  # files: git reads no options there
        ["ls"],
        ["ls", "a; rm -rf /", "$(id)", "`id`", "*", "", "보고서.txt"],  # no shell reads them
        ["tar", "-tf", "a.tar"],
    ],
    ids=" ".join,
)
def test_a_good_command_is_given_as_a_list(value: list[str]) -> None:
    taken = given(KIND, value, list[str])
    assert taken == value and taken is not value
    assert fits(KIND, value)


def test_the_annotation_may_be_a_tuple() -> None:
    assert given(safe.Command({"ls": None}), ["ls"], list[str]) == ["ls"]
    assert safe.Command({"ls": None}).check(("ls", "a")) == ["ls", "a"]


def numbers_only(arguments: list[str]) -> bool:
    """One number, with or without -n.

    Of more it does not say.
    """
    if arguments and arguments[0] == "forbidden":
        raise ValueError("seq counts no words. Give a number")
    return arguments[-1:] != [] and all(each == "-n" or each.isdecimal() for each in arguments)


def test_a_function_of_the_app_decides_and_tells() -> None:
    """On options too; hidden characters and lengths are refused before it is asked."""
    kind = safe.Command({"seq": numbers_only})
    assert given(kind, ["seq", "-n", "3"], list[str]) == ["seq", "-n", "3"]
    assert "these arguments: One number, with or without -n." in refusal(kind, ["seq", "x"], list)
    assert refusal(kind, ["seq", "forbidden"], list) == "seq counts no words. Give a number"
    assert "U+000A" in refusal(kind, ["seq", "3\n"], list)


def test_a_value_of_a_path_can_be_checked_as_one(tmp_path: Path) -> None:
    """Types of this layer go together in a function of the app's."""
    inside = safe.PathInside(tmp_path)
    kind = safe.Command({"cat": lambda arguments: bool([inside.check(each) for each in arguments])})
    assert "is absolute" in refusal(kind, ["cat", "/etc/passwd"], list[str])
    assert given(kind, ["cat", "a.txt"], list[str]) == ["cat", "a.txt"]


def test_the_schema_tells_the_limits() -> None:
    assert offered(KIND, list[str]) == {
        "type": "array",
        "description": "A command and its arguments, one text each: no shell, so no quotes, pipes, "
        "variables or wildcards. Allowed are\n"
        "- git: first status or log, then values; options --oneline, -n, --format=, --\n"
        "- ls: values; no options\n"
        "- tar: values; options -tf",
        "items": {"type": "string", "maxLength": 4096},
        "minItems": 1,
        "maxItems": 33,
        "examples": [["git", "status"]],
    }
    assert not fits(KIND, "git status") and not fits(KIND, [])
    told = offered(safe.Command({"seq": numbers_only, "true": lambda _: True}), list[str])
    assert told["description"].endswith(
        "- seq: One number, with or without -n.\n- true: arguments that the app allows"
    )


@pytest.mark.parametrize(
    "allowed",
    [
        {},
        {"": None},
        {"/bin/ls": None},
        {"..\\ls": None},
        {"C:ls": None},
        {"git status": None},
        {"-x": None},
        {"sh": None},
        {"Bash": ("-c",)},
        {"powershell.exe": None},
        {"build.bat": None},
        {"npm.CMD": None},
        {"git": "status"},
        {"git": ("",)},
    ],
    ids=str,
)
def test_what_the_app_says_wrong_is_told_to_the_app(allowed: dict[str, Any]) -> None:
    with pytest.raises(tb.ToolDefinitionError, match="Command"):
        safe.Command(allowed)


def test_later_changes_of_what_is_allowed_change_nothing() -> None:
    words = ["status"]
    allowed = {"git": words}
    kind = safe.Command(allowed)
    words.append("push")
    allowed["rm"] = []
    assert refusal(kind, ["git", "push"], list[str]) and refusal(kind, ["rm"], list[str])


PIECES: Final = st.sampled_from(["git", "ls", "log", "status", *OPTIONS, "-", "a", "\u2013", "="])
WORDS: Final = st.lists(st.one_of(st.text(), st.lists(PIECES, max_size=3).map("".join)), max_size=6)


@settings(deadline=None)
@drawn(
    value=st.builds(
        lambda start, rest: [*start, *rest], st.sampled_from((["git", "log"], ["ls"], [])), WORDS
    )
)
def test_no_option_passes_that_is_not_listed(value: list[str]) -> None:
    command = may_be(KIND, value)
    if command is None:
        return
    assert command == value
    before = command[: command.index("--")] if "--" in command else command
    options = [word for word in before[1:] if word.startswith("-")]
    assert all(word in OPTIONS or word.startswith("--format=") for word in options)
    assert not options or command[0] == "git"


@settings(deadline=None)
@drawn(value=st.lists(st.text(), max_size=3))
def test_the_program_gets_each_argument_as_it_was(value: list[str]) -> None:
    """What passes can be handed to the system: nothing in it ends or splits an argument."""
    command = may_be(safe.Command({"ls": None}), ["ls", *value])
    if command is not None:
        assert subprocess.list2cmdline(command)
        assert [each.encode() for each in command]


def test_a_program_sees_what_was_checked() -> None:
    words = safe.Command({"ls": None}).check(["ls", "a b", "$HOME", "'", "*", "한"])[1:]
    shown = "import sys; sys.stdout.buffer.write(ascii(sys.argv[1:]).encode())"
    ran = subprocess.run([sys.executable, "-c", shown, *words], capture_output=True, check=True)
    assert ran.stdout.decode() == ascii(words)
