"""The README and the documents say what is so: examples run, tables are those of the code."""

from __future__ import annotations

import re
import runpy
import shlex
import tomllib
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from typing import Any, Final

import pytest

from command_line import Run
from project import ROOT
from toolbridge import describe
from toolbridge.cli import main
from toolbridge.demo.tape import playing

README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
UPDATE: Final = "run `python docs/update_tables.py` and look at what it changed"


DOCUMENTS: Final = (
    "README.md",
    "docs/tools.md",
    "docs/running.md",
    "docs/streams.md",
    "docs/vendors.md",
    "docs/schemas.md",
    "docs/security-types.md",
    "docs/checkpoint.md",
)


def blocks(language: str, text: str = README) -> list[str]:
    """The code blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def table(name: str) -> str:
    """What stands between the marks of a table."""
    (found,) = re.findall(rf"<!-- table: {name} -->\n(.*?)\n<!-- end -->", README, flags=re.DOTALL)
    return str(found)


PLAYED: Final = {
    "anthropic/claude-opus-5": ("weather", "anthropic"),
    "gemini/gemini-3.5-flash": ("handover", "gemini"),
}
"""The cassette that answers where an example runs a model."""


@contextmanager
def answered(block: str) -> Generator[None, None, None]:
    """Vendors that answer an example; nobody, where it asks nobody."""
    asked = re.search(r'tb\.run\(\s*"([^"]+)"', block)
    conversation, format = PLAYED[asked[1]] if asked else ("", "")
    if 'CONVERSATIONS["orders"]' in block:
        conversation = "orders"
    with playing(conversation, format) if asked else nullcontext():
        yield


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_python_blocks_run_in_order_in_one_namespace(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader pastes one after the other into one session."""
    for key in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(key, "a key")
    monkeypatch.chdir(ROOT)
    namespace: dict[str, Any] = {}
    examples = blocks("python", (ROOT / name).read_text(encoding="utf-8"))
    assert examples
    for number, block in enumerate(examples, 1):
        with answered(block):
            exec(compile(block, f"{name}, block {number}", "exec"), namespace)


def test_the_loop_takes_ten_lines_and_the_hand_over_five() -> None:
    loop, handover, *_ = (block.rstrip().splitlines() for block in blocks("python"))
    assert 'tb.run("anthropic/' in "\n".join(loop) and 'tb.run("gemini/' in handover[0]
    assert len([line for line in loop if line and not line.startswith("import")]) <= 10
    assert len(handover) <= 5


def test_the_first_command_is_the_demo_and_prints_what_stands_below_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = blocks("sh")[0]
    assert first.count("\n") == 1 and first.endswith(" && .venv/bin/toolbridge demo\n")
    assert "pip install -q '.[demo]'" in first
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["demo"]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    shown = blocks("text")[0].splitlines()
    start = printed.index(shown[0])
    assert printed[start : start + len(shown)] == shown


def test_the_example_command_prints_what_stands_below_it(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (command,) = (
        line.partition("/toolbridge ")[2]
        for line in "".join(blocks("sh")).splitlines()
        if "/toolbridge convert" in line
    )
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(command)) == 0
    printed = capfdbinary.readouterr()
    assert printed.err.decode() == blocks("text")[1]
    assert printed.out.startswith(b'{\n  "model": ')


COMMANDS: Final = [
    line
    for block in blocks("sh", (ROOT / "docs" / "streams.md").read_text(encoding="utf-8"))
    for line in block.splitlines()
]


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_for_streams_and_lines_write_what_they_read(line: str, run: Run) -> None:
    piped, _, command = line.rpartition("toolbridge ")
    file = piped.removeprefix("cat ").removesuffix(" | ")
    arguments = [str(ROOT / each) if "/" in each else each for each in shlex.split(command)]
    ran = run(*arguments, stdin=(ROOT / file).read_bytes() if file else b"")
    assert ran.code == 0
    assert ran.out


@pytest.mark.parametrize("name", ["places", "losses"])
def test_a_table_of_the_readme_is_that_of_the_code(name: str) -> None:
    made = describe.as_markdown(getattr(describe, name)())
    assert table(name) == made, UPDATE


def test_the_settings_document_is_that_of_the_code() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    head, _, rows = text.partition("\n| ")
    assert head.startswith("# Settings\n")
    assert f"| {rows}" == f"{describe.as_markdown(describe.settings())}\n", UPDATE


def test_updating_the_tables_changes_nothing() -> None:
    """The script that mends the tables agrees with the tests above."""
    script = runpy.run_path(str(ROOT / "docs" / "update_tables.py"))
    for name in script["TABLES"]:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert script["with_tables"](text, name) == text, UPDATE
    assert script["settings"]() == (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")


def test_the_check_of_everything_begins_with_the_command_of_the_readme() -> None:
    """What readers are told to run is what is run, and there is one such line to find."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert 'grep -- "pytest -n auto" README.md' in script
    (line,) = (line for line in README.splitlines() if "pytest -n auto" in line)
    assert line in "".join(blocks("sh")).splitlines()
    for tool in ("ruff check .", "ruff format --check .", "mypy", "pyright"):
        assert f".venv/bin/{tool}\n" in script


def test_what_the_test_command_installs_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[\[>=]", each)[0] for each in project["optional-dependencies"]["test"]}
    assert {"pytest", "pytest-xdist", "ruff", "mypy", "pyright", "build", "hatchling"} <= needed


LINK: Final = re.compile(r"\]\((?!https?:)([^)#]+)")


@pytest.mark.parametrize(
    "name", [*DOCUMENTS, "docs/design.md", "CHANGELOG.md", "cassettes/README.md"]
)
def test_links_lead_to_files_that_there_are(name: str) -> None:
    page = ROOT / name
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
