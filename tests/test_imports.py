"""What `import toolbridge` and a conversion load, seen from a fresh interpreter.

Counts of modules and not times: they are the same on every machine.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from typing import Final

import pytest

from project import python
from toolbridge.registry import BUILT_IN

HEAVY: Final = (
    "anthropic",
    "openai",
    "google",
    "pydantic",
    "pydantic_core",
    "jsonschema",
    "referencing",
    "docstring_parser",
    "jiter",
    "tqdm",
    "httpx",
    "httpx2",
    "importlib.metadata",
    "asyncio",
    "argparse",
    "socket",
    "ssl",
    "urllib.request",
)
"""Packages of vendors and modules of the standard library that cost more than toolbridge itself."""

MODULES_OF_THE_CORE: Final = 50
MODULES_IN_ALL: Final = 104
"""With those of the standard library that `dataclasses`, `json` and `re` bring along."""

CONVERT: Final = "import toolbridge\ntoolbridge.convert"

BODIES: Final = {
    "anthropic": {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]},
    "openai-chat": {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    "openai-responses": {"model": "m", "input": "hi"},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
}


@cache
def loaded(code: str) -> frozenset[str]:
    """The modules that a fresh interpreter loads for this code, beyond those of its start."""
    whole = f"before = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before))"
    done = subprocess.run(python(whole), capture_output=True, text=True, check=True, timeout=60)
    return frozenset(done.stdout.split())


def heavy(modules: frozenset[str]) -> list[str]:
    return sorted(
        each
        for each in modules
        if any(each == name or each.startswith(f"{name}.") for name in HEAVY)
    )


def adapters_in(modules: frozenset[str]) -> set[str]:
    """The formats of which the adapter was loaded."""
    return {name for name, module in BUILT_IN.items() if module in modules}


def conversion(source: str, target: str) -> str:
    body = json.dumps(BODIES[source])
    return f"{CONVERT}({body}, source={source!r}, target={target!r}, model='m')"


def test_importing_loads_nothing_heavy_and_no_adapter() -> None:
    modules = loaded(CONVERT)
    assert "toolbridge.convert" in modules
    assert heavy(modules) == []
    assert adapters_in(modules) == set()


def test_importing_loads_few_modules() -> None:
    modules = loaded(CONVERT)
    assert len([each for each in modules if each.startswith("toolbridge")]) <= MODULES_OF_THE_CORE
    assert len(modules) <= MODULES_IN_ALL


@pytest.mark.parametrize("target", BUILT_IN)
@pytest.mark.parametrize("source", BUILT_IN)
def test_a_conversion_loads_the_two_adapters_that_it_uses(source: str, target: str) -> None:
    modules = loaded(conversion(source, target))
    assert heavy(modules) == []
    assert adapters_in(modules) == {source, target}


def test_an_unknown_format_may_look_for_plugins() -> None:
    """Only then are entry points needed: they make importlib.metadata worth its price."""
    code = f"{CONVERT}\ntry: toolbridge.read({{}}, 'nobody-knows-this')\nexcept ValueError: pass"
    assert "importlib.metadata" in loaded(code)


def test_storage_and_the_command_line_are_loaded_when_they_are_used() -> None:
    late = {"toolbridge.storage", "toolbridge.cli", "toolbridge.describe"}
    assert not late & loaded(CONVERT)
    assert "toolbridge.storage" in loaded(f"{CONVERT}\ntoolbridge.to_json")


@pytest.mark.parametrize("package", ["toolbridge_anthropic", "toolbridge_google"])
def test_an_adapter_can_be_imported_by_itself(package: str) -> None:
    """Entry points and tests do: no circle of imports may hide behind the usual order."""
    assert package in loaded(f"import {package}")


SDKS: Final = {"anthropic": "anthropic", "openai": "openai", "google": "google.genai"}
WEATHER: Final = "import toolbridge\n@toolbridge.tool\ndef weather(city: str) -> str: ..."


def test_the_loop_loads_no_sdk_and_no_pydantic_before_they_are_used() -> None:
    modules = loaded(f"{CONVERT}\ntoolbridge.run, toolbridge.tool, toolbridge.Model")
    assert "toolbridge.loop.drive" in modules
    assert not modules & {"pydantic", "jsonschema", "docstring_parser", *SDKS.values()}
    assert adapters_in(modules) == set()
    assert not {"toolbridge.loop", "toolbridge.app_tools"} & loaded(CONVERT)


def test_a_tool_loads_what_reads_it_and_no_sdk() -> None:
    modules = loaded(WEATHER)
    assert "pydantic" in modules
    assert not modules & {"jsonschema", "docstring_parser", "asyncio", *SDKS.values()}


@pytest.mark.parametrize(
    ("format", "sdk"),
    [
        ("anthropic", "anthropic"),
        ("openai-chat", "openai"),
        ("openai-responses", "openai"),
        ("gemini", "google"),
    ],
)
def test_a_model_loads_the_sdk_of_its_vendor_alone(format: str, sdk: str) -> None:
    model = f"toolbridge.Model('{format}/some-model', api_key='key')"
    assert not loaded(f"import toolbridge\n{model}") & set(SDKS.values())
    modules = loaded(f"import toolbridge\n{model}.open(asynchronous=False).close()")
    assert modules & set(SDKS.values()) == {SDKS[sdk]}
    assert adapters_in(modules) == {format}
