"""A path inside a folder: whatever the model writes, the function gets no other file.

What is refused, and where it is told: CWE-22 (https://cwe.mitre.org/data/definitions/22.html),
names of Windows (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from toolbridge.safe.base import ArgumentType, misdefined, refuse
from toolbridge.safe.text import checked_text, code_of, folded
from toolbridge.values import JSON

LONGEST = 1024
LONGEST_NAME = 255
"""Bytes of a name: NAME_MAX of Linux (https://man7.org/linux/man-pages/man7/path_resolution.7.html)
and, in UTF-16 units, the limit of NTFS."""

SPECIAL = "./\\:~%"
LOOK_ALIKES = frozenset("\u2044\u2215\u2571\u29f8\u2216\u29f5\u29f9\u3002\ua789\u00a5\u20a9")
"""Slashes, dots and colons that no normalization folds, and the yen and won signs, which the code
pages of Windows turn into backslashes (bestfit932.txt and bestfit949.txt,
https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WindowsBestFit/)."""

DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}
    | {f"{device}{number}" for device in ("COM", "LPT") for number in "123456789\u00b9\u00b2\u00b3"}
)
"""Names of devices of Windows, with any suffix and in any case."""

FORBIDDEN = '\\:*?"<>|'
"""Not in names of Windows; `:` also begins an alternate data stream."""

ESCAPE = re.compile(r"%(?:[0-9A-Fa-f]{2}|[uU][0-9A-Fa-f]{4})")
SUFFIX = re.compile(r"\.[A-Za-z0-9._+-]+")


@dataclasses.dataclass(frozen=True)
class PathInside(ArgumentType):
    """A path inside the folder `root`, written relative to it with `/` between the names.

    `check` gives the absolute path with all links resolved, as text; where the annotation is
    `Path`, pydantic makes one of it. Absolute paths are refused, those inside the folder too:
    the model need not know where the folder is, and neither schema nor refusals tell it. `..`
    may stand inside the path if it stays in the folder. Names are those that Linux, macOS and
    Windows take alike.

    `must_exist`: there must be something at the path. `suffixes`: the name must end with one,
    such as ".txt", and so must that of a link's target. A relative `root` is that of the folder
    in which the type is made. Raises ToolDefinitionError for an odd root or suffix.

    Between the check and the use a link may be put in place (CWE-367): where others can write in
    the folder, open the given path with O_NOFOLLOW, or with openat2 and RESOLVE_BENEATH. Hard
    links cannot be told from files.
    """

    root: str | os.PathLike[str]
    must_exist: bool = False
    suffixes: Collection[str] | None = None

    def __post_init__(self) -> None:
        root = os.fspath(self.root)
        if not root or "\0" in root:
            misdefined("PathInside", "the root must be a folder, such as '/srv/files'")
        object.__setattr__(self, "root", str(Path(root).absolute()))
        if self.suffixes is None:
            return
        if isinstance(self.suffixes, str) or not self.suffixes:
            misdefined("PathInside", "suffixes must be a tuple, such as ('.txt', '.md')")
        for suffix in self.suffixes:
            if SUFFIX.fullmatch(suffix) is None:
                misdefined("PathInside", f"{suffix!r} is no suffix such as '.txt'")
        object.__setattr__(self, "suffixes", tuple(self.suffixes))

    def check(self, value: Any) -> str:
        """The absolute path, resolved. Raises ValueError with words for the model."""
        mend = f"Give a path relative to the folder, such as {self.example()}"
        text = checked_text(value, "the path", mend, LONGEST)
        check_written(text, mend)
        names = [name for name in text.split("/") if name not in ("", ".")]
        check_names(names, mend)
        self.check_suffix(names[-1] if names else "", mend)
        root, _ = resolved(Path(self.root), "Tell the user that the folder cannot be used")
        path, exists = resolved(root.joinpath(*names), mend)
        if not path.is_relative_to(root):
            refuse("the path leads out of the folder, through a link", mend)
        if self.must_exist and not exists:
            refuse("there is no such file", "Give the path of one that exists; list them first")
        self.check_suffix(path.name, mend)
        return str(path)

    def check_suffix(self, name: str, mend: str) -> None:
        """Raise where a name does not end as it should."""
        if self.suffixes is None:
            return
        if not any(name.endswith(suffix) and name != suffix for suffix in self.suffixes):
            refuse(f"the name must end with {' or '.join(self.suffixes)}", mend)

    def example(self) -> str:
        """A path that passes."""
        return f"reports/may{next(iter(self.suffixes or ('.txt',)))}"

    def limits(self) -> dict[str, JSON]:
        """A string with its pattern; of the folder's own place nothing is said."""
        words = (
            "A path relative to the folder, with / between the names: not absolute, no .. out of "
            "the folder, no backslash, no ~, no escapes such as %2e."
        )
        ending = ""
        if self.suffixes is not None:
            words += f" It must end with {' or '.join(self.suffixes)}."
            escaped = (re.sub(r"([.+])", r"\\\1", suffix) for suffix in self.suffixes)
            ending = f"({'|'.join(escaped)})"
        forbidden = r"\\:*?\"<>|\x00-\x1f".replace('\\"', '"')
        return {
            "type": "string",
            "description": words,
            "pattern": f"^[^/~{forbidden}][^{forbidden}]*{ending}$",
            "minLength": 1,
            "maxLength": LONGEST,
            "examples": [self.example()],
        }


def check_written(text: str, mend: str) -> None:
    """Raise where a path is written in a way that some program reads otherwise."""
    if text.startswith("/"):
        refuse("the path is absolute", mend)
    if text.startswith("~"):
        refuse("the path begins with ~, the home folder of a user", mend)
    for character in text:
        if character in FORBIDDEN:
            refuse(f"the path has {character}, which names on Windows cannot have", mend)
        if character in LOOK_ALIKES or set(folded(character)) & set(SPECIAL):
            refuse(f"the path has {code_of(character)}, which looks like a dot or a slash", mend)
    if ESCAPE.search(text):
        refuse("the path has an escape with %", f"Write the characters themselves. {mend}")


def check_names(names: list[str], mend: str) -> None:
    """Raise where the names go up out of the folder, or one is none on some system."""
    depth = 0
    for name in names:
        depth += -1 if name == ".." else 1
        if depth < 0:
            refuse("the path goes up out of the folder", mend)
        if name != "..":
            check_name(name, mend)


def check_name(name: str, mend: str) -> None:
    """Raise where a name is none on some system."""
    if name.endswith((".", " ")):
        refuse(f"the name {name!r} ends with a dot or a space, which Windows drops", mend)
    if name.partition(".")[0].rstrip(" ").upper() in DEVICES:
        refuse(f"the name {name!r} is that of a device of Windows", mend)
    if len(name.encode()) > LONGEST_NAME:
        refuse(f"a name is longer than {LONGEST_NAME} bytes", mend)


def resolved(path: Path, mend: str) -> tuple[Path, bool]:
    """A path with all links resolved, and whether there is something. What exists is resolved
    strictly: without, Python stops at a path that grows too long and leaves its links as they
    are (https://nvd.nist.gov/vuln/detail/CVE-2025-4517)."""
    missing: list[str] = []
    while True:
        try:
            found = path.resolve(strict=True)
        except FileNotFoundError:
            if path.is_symlink():
                refuse("the path leads over a link to nowhere", mend)
            if path.name == ".." or path == path.parent:
                refuse("the path goes up with .. from a folder that does not exist", mend)
            missing.append(path.name)
            path = path.parent
        except (OSError, RuntimeError):  # a loop of links is a RuntimeError before Python 3.13
            refuse("the path cannot be used: a part of it is no folder that can be read", mend)
        else:
            return found.joinpath(*reversed(missing)), not missing
