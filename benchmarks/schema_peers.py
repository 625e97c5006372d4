"""What other libraries do to the schema of a tool, where they are installed.

They are installed as for `peers.py`, with two more:

    python -m venv peers
    peers/bin/pip install litellm llm-rosetta pydantic-ai-slim anthropic openai google-genai
    peers/bin/pip install "jsonschema>=4.25" jiter
    PYTHONPATH=.:adapters peers/bin/python benchmarks/schemas.py

Each is called as its own code calls it on the way to the vendor, with the copy that its own code
makes where it writes into what it is given. What has no function for a target is not listed:
llm-rosetta and litellm's Messages never mark a tool strict, litellm does not send
`parametersJsonSchema`.
"""

from __future__ import annotations

import copy
import importlib
import os
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

Adapt = Callable[[Any], Any]
"""From the schema of a tool to that which is sent."""

NOTHING: Final = {"type": "object", "properties": {}}
"""What a tool without a schema means."""


class Peer(NamedTuple):
    """A function of another library: the module to look for, the package it comes with, the head
    of its column, its name, how to get it, and how to empty what it remembers."""

    module: str
    package: str
    column: str
    function: str
    make: Callable[[], Adapt]
    forget: Callable[[], None] = lambda: None


def found(target: str) -> list[Peer]:
    """Those for a target that are installed."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # it would ask GitHub otherwise
    return [peer for peer in PEERS[target] if find_spec(peer.module) is not None]


def told(peer: Peer) -> str:
    """What its column is."""
    return f"{peer.function}, {peer.package} {version(peer.package)}"


def load(name: str) -> Any:
    """A module of a library that may not be there."""
    return importlib.import_module(name)


def litellm_openai() -> Adapt:
    """As `OpenAIGPTConfig` cleans the tools of Chat Completions; `strict` stays as it was given."""
    utils = load("litellm.litellm_core_utils.prompt_templates.json_schema_utils")
    adapt: Adapt = utils.flatten_combinators_and_drop_non_python_regex_patterns
    return adapt


def litellm_anthropic() -> Adapt:
    """As `AnthropicConfig` maps a tool."""
    utils = load("litellm.litellm_core_utils.prompt_templates.common_utils")
    adapt: Adapt = utils.sanitize_input_schema_for_anthropic
    return adapt


def litellm_output() -> Adapt:
    """As `AnthropicConfig` prepares the schema of an output format: the same grammar as strict
    tools, which it does not know."""
    config = load("litellm.llms.anthropic.chat.transformation").AnthropicConfig()
    adapt: Adapt = config.native_output_format_schema
    return adapt


def litellm_gemini() -> Adapt:
    """As `VertexGeminiConfig` maps tools."""
    utils, vertex = load("litellm.utils"), load("litellm.llms.vertex_ai.common_utils")

    def run(schema: Any) -> Any:
        given = copy.deepcopy(schema)
        utils.remove_additional_properties(given)
        utils.remove_strict_from_schema(given)
        return vertex.build_vertex_schema(given)

    return run


def rosetta(module: str, name: str, find: Adapt) -> Adapt:
    """As llm-rosetta's converters write a tool."""
    write = getattr(load(f"llm_rosetta.converters.{module}.tool_ops"), name).ir_tool_definition_to_p
    return lambda schema: find(write({"type": "function", "name": "t", "parameters": schema}))


def rosetta_forget() -> None:
    """Empty what llm-rosetta remembers."""
    load("llm_rosetta.converters.base.helpers.cache").clear_all_caches()


def pydantic_ai(module: str, name: str, strict: bool | None) -> Adapt:
    """As a model class of pydantic-ai customises a tool."""
    transformer = getattr(load(f"pydantic_ai.{module}"), name)
    return lambda schema: transformer(schema, strict=strict).walk()


def pydantic_ai_openai() -> Adapt:
    """As above, with the transformer that the provider for OpenAI itself picks."""
    profile = load("pydantic_ai.providers.openai").OpenAIProvider.model_profile("gpt-5")
    transformer = profile["json_schema_transformer"]
    return lambda schema: transformer(schema, strict=True).walk()


def pydantic_ai_live() -> Adapt:
    """As pydantic-ai declares a function to the Live API, but for the model class that holds it."""
    google = load("pydantic_ai.profiles.google")
    fields = load("google.genai.types").Schema.model_fields.items()
    accepted = frozenset(field.alias or name for name, field in fields)
    drop = google._drop_unsupported_schema_keywords

    def run(schema: Any) -> Any:
        made = google.GoogleOpenAPISchemaTransformer(schema, strict=None).walk()
        return drop(made, accepted_keywords=accepted)

    return run


def sdk_anthropic() -> Adapt:
    """The function that Anthropic's SDK has for output formats; pydantic-ai calls it too."""
    adapt: Adapt = load("anthropic").transform_schema
    return adapt


def sdk_openai() -> Adapt:
    """As OpenAI's SDK makes the schema of a pydantic model strict."""
    ensure = load("openai.lib._pydantic")._ensure_strict_json_schema

    def run(schema: Any) -> Any:
        given = copy.deepcopy(schema)
        return ensure(given, path=(), root=given)

    return run


def of_litellm(function: str, make: Callable[[], Adapt]) -> Peer:
    """A column of litellm."""
    return Peer("litellm", "litellm", "litellm", function, make)


def of_rosetta(module: str, name: str, find: Adapt) -> Peer:
    """A column of llm-rosetta."""
    make = partial(rosetta, module, name, find)
    function = f"{name}.ir_tool_definition_to_p"
    return Peer("llm_rosetta", "llm-rosetta", "llm-rosetta", function, make, rosetta_forget)


def of_pydantic_ai(module: str, name: str, strict: bool | None) -> Peer:
    """A column of pydantic-ai."""
    make = partial(pydantic_ai, module, name, strict)
    function = f"{name}(strict={strict})"
    return Peer("pydantic_ai", "pydantic-ai-slim", "pydantic-ai", function, make)


LITELLM_OPENAI: Final = of_litellm(
    "flatten_combinators_and_drop_non_python_regex_patterns", litellm_openai
)
OPENAI: Final = ("profiles.openai", "OpenAIJsonSchemaTransformer")
ANTHROPIC: Final = ("providers.anthropic", "AnthropicJsonSchemaTransformer")
GOOGLE: Final = ("profiles.google", "GoogleJsonSchemaTransformer")

PEERS: Final[dict[str, tuple[Peer, ...]]] = {
    "openai-chat strict": (
        LITELLM_OPENAI,
        of_pydantic_ai(*OPENAI, strict=True),
        Peer(
            "pydantic_ai",
            "pydantic-ai-slim",
            "OpenAIProvider",
            "its json_schema_transformer(strict=True)",
            pydantic_ai_openai,
        ),
        Peer("openai", "openai", "openai SDK", "_ensure_strict_json_schema", sdk_openai),
    ),
    "openai-chat": (
        LITELLM_OPENAI,
        of_rosetta(
            "openai_chat",
            "OpenAIChatToolOps",
            lambda made: made["function"].get("parameters", NOTHING),
        ),
        of_pydantic_ai(*OPENAI, strict=False),
    ),
    "anthropic strict": (
        of_litellm("native_output_format_schema (of output formats)", litellm_output),
        of_pydantic_ai(*ANTHROPIC, strict=True),
        Peer("anthropic", "anthropic", "anthropic SDK", "transform_schema", sdk_anthropic),
    ),
    "anthropic": (
        of_litellm("sanitize_input_schema_for_anthropic", litellm_anthropic),
        of_rosetta("anthropic", "AnthropicToolOps", lambda made: made["input_schema"]),
        of_pydantic_ai(*ANTHROPIC, strict=False),
    ),
    "gemini": (of_pydantic_ai(*GOOGLE, strict=None),),
    "gemini:parameters": (
        of_litellm("build_vertex_schema, as _map_function calls it", litellm_gemini),
        of_rosetta(
            "google_generate",
            "GoogleGenerateToolOps",
            lambda made: made["function_declarations"][0].get("parameters", NOTHING),
        ),
        Peer(
            "pydantic_ai",
            "pydantic-ai-slim",
            "pydantic-ai",
            "GoogleOpenAPISchemaTransformer, as the Live API gets it",
            pydantic_ai_live,
        ),
    ),
}
"""The functions for each target."""
