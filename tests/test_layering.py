"""Who may import whom, and how large a file and a function may be: read from the sources."""

from __future__ import annotations

import ast
import dataclasses
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from project import ADAPTERS, CORE, ROOT, SKIPPED, shown, sources, tree
from toolbridge import registry
from toolbridge.adapter import Adapter
from toolbridge.describe import adapters
from toolbridge.parameters import PARAMETERS
from toolbridge.request import Request

LINES_OF_A_FILE: Final = 350
LINES_OF_A_FUNCTION: Final = 40
ABOVE_ADAPTERS: Final = (
    "lower",
    "convert",
    "growing",
    "cli",
    "describe",
    "storage",
    "registry",
    "loop",
    "model",
    "app_tools",
    "signature",
    "validation",
    "checkpoint",
    "safe",
    "plain_schema",
    "demo",
    "recognise",
    "batch_lines",
    "bulk",
    "commands",
)
"""Modules of the core that use adapters; an adapter that imports one makes a circle."""

SDKS: Final = ("anthropic", "openai", "google", "httpx", "httpx2")
CLIENT: Final = "client.py"
"""The one file of an adapter that imports its vendor's SDK, to make calls."""

LATE: Final = (
    "pydantic",
    "pydantic_core",
    "jsonschema",
    "referencing",
    "docstring_parser",
    "jiter",
    "tqdm",
)
"""What tools, structured output, partial arguments and the progress bar need: loaded with the
first of them."""

FILES_OF_AN_ADAPTER: Final = {
    "parts",
    "calls",
    "messages",
    "tools",
    "request",
    "response",
    "rules",
    "stream_reader",
    "stream_writer",
}
FOLDERS: Final = {
    "anthropic": ADAPTERS / "toolbridge_anthropic",
    "openai-chat": ADAPTERS / "toolbridge_openai" / "chat",
    "openai-responses": ADAPTERS / "toolbridge_openai" / "responses",
    "gemini": ADAPTERS / "toolbridge_google",
}
PACKAGES: Final = tuple(sorted(path.name for path in ADAPTERS.iterdir() if path.is_dir()))
ALL: Final = (*sources(CORE), *sources(ADAPTERS))
OF_ADAPTERS: Final = tuple(sources(ADAPTERS))


def imported(file: Path) -> Iterator[str]:
    """The dotted names that a file imports by statement, wherever the statement stands; a
    relative one begins with its dots."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (f"{module}.{alias.name}" for alias in node.names)


def is_below(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def offences(files: tuple[Path, ...], *packages: str) -> list[str]:
    """Each import of one of these packages in these files."""
    return [
        f"{shown(file)} imports {name}"
        for file in files
        for name in imported(file)
        if any(is_below(name, package) for package in packages)
    ]


def test_the_sources_are_there() -> None:
    """The tests below would pass over no files at all."""
    assert len(ALL) > len(OF_ADAPTERS) > 30
    assert PACKAGES == ("toolbridge_anthropic", "toolbridge_google", "toolbridge_openai")
    assert set(FOLDERS) == set(registry.BUILT_IN)


def test_every_way_to_import_is_seen(tmp_path: Path) -> None:
    """A check that overlooks a form of the statement would pass over what it is there for."""
    file = tmp_path / "module.py"
    file.write_text(
        "import a.b as c\nfrom a import d\nfrom . import e\nfrom .f import g\n"
        "if a:\n    import h\ndef run():\n    from i.j import k\n",
        encoding="utf-8",
    )
    assert sorted(imported(file)) == ["..e", ".f.g", "a.b", "a.d", "h", "i.j.k"]


def test_imports_are_absolute() -> None:
    """A relative import would hide from the tests below which package it reaches into."""
    relative = [shown(file) for file in ALL for name in imported(file) if name.startswith(".")]
    assert relative == []


@pytest.mark.parametrize("package", PACKAGES)
def test_an_adapter_imports_no_other(package: str) -> None:
    """Each vendor can be understood, tested and replaced alone."""
    others = [each for each in PACKAGES if each != package]
    assert offences(tuple(sources(ADAPTERS / package)), *others) == []


def test_the_two_formats_of_openai_share_their_common_module_only() -> None:
    """The adapter of one format is not the base of the other's."""
    chat, responses = FOLDERS["openai-chat"], FOLDERS["openai-responses"]
    assert offences(tuple(sources(chat)), "toolbridge_openai.responses") == []
    assert offences(tuple(sources(responses)), "toolbridge_openai.chat") == []


def test_adapters_import_nothing_that_stands_above_them() -> None:
    above = [f"toolbridge.{name}" for name in ABOVE_ADAPTERS]
    assert offences(OF_ADAPTERS, *above) == []


def test_adapters_import_modules_and_not_the_public_package() -> None:
    """`import toolbridge` in an adapter would load all that stands above it."""
    names = {name for file in OF_ADAPTERS for name in imported(file)}
    files = (file.relative_to(CORE).with_suffix("") for file in sources(CORE))
    modules = {".".join(("toolbridge", *file.parts)) for file in files}
    ours = {name for name in names if is_below(name, "toolbridge")}
    assert ours
    assert {name for name in ours if not any(is_below(name, module) for module in modules)} == set()


def test_the_core_imports_no_adapter_by_statement() -> None:
    """Using one format loads one adapter: the registry imports them by name."""
    assert offences(tuple(sources(CORE)), *PACKAGES) == []


def test_nothing_imports_the_folder_of_the_adapters() -> None:
    """`adapters.` resolves in a checkout only; in an installation the packages stand on top."""
    tests = tuple(sources(ROOT / "tests", ROOT / "benchmarks"))
    assert offences((*ALL, *tests), "adapters") == []


def test_an_sdk_is_imported_in_one_file_of_its_adapter() -> None:
    """Converting needs Python alone; what calls a vendor is replaced in one place."""
    importing = {offence.partition(" ")[0] for offence in offences(ALL, *SDKS)}
    assert importing == {shown(ADAPTERS / package / CLIENT) for package in PACKAGES}


def at_import(file: Path) -> Iterator[str]:
    """The names that a file imports when it is loaded itself."""
    for node in tree(file).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_what_tools_need_is_imported_where_it_is_used() -> None:
    """Inside functions, and in the core alone: no adapter needs pydantic."""
    early = [
        f"{shown(file)} imports {name}"
        for file in ALL
        for name in at_import(file)
        if any(is_below(name, package) for package in LATE)
    ]
    assert early == []
    assert offences(OF_ADAPTERS, *LATE) == []
    assert offences(tuple(sources(CORE)), *LATE), "the check above would pass over nothing"


@pytest.mark.parametrize("file", ALL, ids=shown)
def test_a_file_and_its_functions_are_short(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count("\n") <= LINES_OF_A_FILE
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(tree(file))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= LINES_OF_A_FUNCTION
    ]
    assert long == []


@pytest.mark.parametrize("file", ALL, ids=shown)
def test_a_file_says_what_it_is_for_and_waives_no_rule_of_the_linter(file: Path) -> None:
    assert ast.get_docstring(tree(file))
    waivers = re.compile(r"#\s*(noqa|ruff:|pylint:|flake8:|fmt:\s*(off|skip))", re.IGNORECASE)
    assert waivers.search(file.read_text(encoding="utf-8")) is None


COMPLEXITY: Final = ("C901", "PLR0911", "PLR0912", "PLR0915", "PLR0917")


def test_the_linter_measures_complexity_everywhere() -> None:
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"][
        "lint"
    ]
    assert {"C90", "PLR09"} <= set(lint["select"])
    assert lint["mccabe"]["max-complexity"] <= 10
    waived = [
        *lint["ignore"],
        *(code for codes in lint["per-file-ignores"].values() for code in codes),
    ]
    assert [code for code in waived for rule in COMPLEXITY if rule.startswith(code)] == []


@pytest.mark.parametrize("format", FOLDERS)
def test_every_adapter_has_the_same_files(format: str) -> None:
    """Whoever knows one adapter finds the same thing under the same name in each."""
    assert {file.stem for file in FOLDERS[format].glob("*.py")} >= FILES_OF_AN_ADAPTER


@pytest.mark.parametrize("adapter", adapters(), ids=lambda adapter: adapter.name)
def test_every_rule_and_place_says_who_says_so(adapter: Adapter) -> None:
    """A fact about a vendor without its source and date can be neither checked nor renewed."""
    assert adapter.rules and adapter.places
    for row in adapter.rules:
        assert row.source.strip(), row
        assert re.fullmatch(r"20\d\d(-\d\d){0,2}", row.date), row
    for name, place in adapter.places.items():
        assert place.source.strip(), name
        assert place.carried in (True, False, "part"), name


@pytest.mark.parametrize("adapter", adapters(), ids=lambda adapter: adapter.name)
def test_every_rule_is_for_a_profile_that_there_is(adapter: Adapter) -> None:
    """A row for a profile that nobody can name never acts."""
    assert {row.profile for row in adapter.rules} - {"*"} <= set(adapter.profiles)


def test_all_formats_say_of_the_same_things_whether_they_carry_them() -> None:
    first, *others = (set(adapter.places) for adapter in adapters())
    assert all(each == first for each in others)


NOT_SETTINGS: Final = {"profile", "extra", "spelling"}


def test_every_field_of_a_request_has_a_meaning_in_the_table() -> None:
    fields = {field.name for field in dataclasses.fields(Request)}
    assert set(PARAMETERS) == fields - NOT_SETTINGS
    assert all(PARAMETERS.values())


MACHINE: Final = re.compile(r"(?<![\w.])/(work|tmp|home|root|Users)/|[A-Z]:\\Users")
TEXT: Final = {".py", ".md", ".toml", ".json", ".yml", ".yaml", ".cfg", ".txt", "", ".typed"}


def project_files() -> Iterator[Path]:
    for file in sorted(ROOT.rglob("*")):
        parts = file.relative_to(ROOT).parts
        hidden = any(part in SKIPPED or part.endswith(("_cache", ".egg-info")) for part in parts)
        if file.is_file() and not hidden and file.suffix in TEXT:
            yield file


def test_no_file_names_a_folder_of_somebody_s_machine() -> None:
    files = [file for file in project_files() if file != Path(__file__)]
    assert len(files) > len(ALL)
    found = [shown(file) for file in files if MACHINE.search(file.read_text(encoding="utf-8"))]
    assert found == []
