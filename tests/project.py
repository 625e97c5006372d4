"""Where the project's files are, for tests that read them or run Python over them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import toolbridge
import toolbridge_anthropic

ROOT: Final = Path(__file__).parents[1]
CORE: Final = ROOT / "toolbridge"
ADAPTERS: Final = ROOT / "adapters"

IMPORT_FOLDERS: Final = tuple(
    dict.fromkeys(
        str(Path(file).parents[1])
        for file in (toolbridge.__file__, toolbridge_anthropic.__file__)
        if file
    )
)
"""The folders from which the packages under test were imported: a checkout or site-packages."""

SKIPPED: Final = frozenset({".git", ".venv", "__pycache__", "dist", ".hypothesis"})


def sources(*folders: Path) -> Iterator[Path]:
    """The Python files below these folders, in order."""
    return (file for folder in folders for file in sorted(folder.rglob("*.py")))


def tree(file: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def shown(file: Path) -> str:
    """A file's path within the project, as messages name it."""
    return file.relative_to(ROOT).as_posix()


def python(*arguments: str) -> list[str]:
    """A command: a fresh, isolated interpreter in which the packages under test can be found."""
    start = f"import sys; sys.path[:0] = {list(IMPORT_FOLDERS)!r}"
    return [sys.executable, "-I", "-c", f"{start}\n{arguments[0]}", *arguments[1:]]
