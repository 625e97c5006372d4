"""The wheel: what `pip install toolbridge` puts where.

One test, so that the wheel is built once, on whichever worker it runs.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from email.parser import Parser
from pathlib import Path
from typing import Final

from project import ROOT

PACKAGES: Final = {
    "toolbridge",
    "toolbridge_anthropic",
    "toolbridge_openai",
    "toolbridge_google",
}
ADAPTERS: Final = {
    "anthropic": "toolbridge_anthropic:adapter",
    "openai-chat": "toolbridge_openai.chat:adapter",
    "openai-responses": "toolbridge_openai.responses:adapter",
    "gemini": "toolbridge_google:adapter",
}
STRANGERS: Final = {"adapters", "tests", "docs", "benchmarks", ".ci", "__pycache__"}


def build(folder: Path) -> Path:
    """The wheel of the project; hatchling is there already, so that no network is needed."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    command.append(str(ROOT))
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_holds_the_packages_and_nothing_else(tmp_path: Path) -> None:
    wheel = build(tmp_path)
    assert wheel.name.endswith("-py3-none-any.whl"), "no compiled code"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (information,) = {name.split("/")[0] for name in names if ".dist-info/" in name}
        texts = {
            name: archive.read(f"{information}/{name}").decode()
            for name in ("METADATA", "entry_points.txt", "licenses/LICENSE")
        }
    check_files(names, information)
    check_entry_points(texts["entry_points.txt"])
    check_metadata(texts["METADATA"])
    assert texts["licenses/LICENSE"] == (ROOT / "LICENSE").read_text(encoding="utf-8")


def check_files(names: list[str], information: str) -> None:
    """All modules of the checkout with the marks of typed packages, and the demo's cassettes."""
    assert {name.split("/")[0] for name in names} == {*PACKAGES, information}
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(names)
    assert not [name for name in names if STRANGERS & set(name.split("/"))]
    modules = {
        file.relative_to(base).as_posix()
        for base in (ROOT, ROOT / "adapters")
        for package in PACKAGES
        for file in (base / package).rglob("*.py")
    }
    assert {name for name in names if name.endswith(".py")} == modules
    cassettes = {
        f"toolbridge/demo/{file.relative_to(ROOT).as_posix()}"
        for file in (ROOT / "cassettes").rglob("*.yaml")
    }
    assert cassettes
    assert {name for name in names if name.endswith(".yaml")} == cassettes
    assert "toolbridge/demo/smollm2-tools.jinja" in names


def check_entry_points(text: str) -> None:
    """The command, and every built-in format under the group in which plugins stand."""
    found = ConfigParser()
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read_string(text)
    assert dict(found["console_scripts"]) == {"toolbridge": "toolbridge.cli:main"}
    assert dict(found["toolbridge.adapters"]) == ADAPTERS


def check_metadata(text: str) -> None:
    """No dependencies but those of the loop, the formats that arguments are checked against, the
    progress bar and what an extra names, and the version that the package says."""
    metadata = Parser().parsestr(text)
    from toolbridge import __version__

    assert (metadata["Name"], metadata["Version"]) == ("toolbridge", __version__)
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    needed = metadata.get_all("Requires-Dist") or []
    core = {re.split(r"[<>=]", each)[0] for each in needed if "extra ==" not in each}
    of_the_loop = {"docstring-parser", "jiter", "jsonschema", "pydantic", "typing-extensions"}
    formats = {"fqdn", "isoduration", "jsonpointer", "rfc3339-validator", "rfc3986-validator"}
    assert core == {*of_the_loop, *formats, "tqdm"}
