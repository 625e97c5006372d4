"""Which objects of a body belong to the user and not to the vendor.

Inside them keys are data: they are never re-cased, a null is a value and not an absence, no
default applies, and no unknown key is put in. Patterns are over paths (see `pointers`);
those of Gemini are in camelCase and compared with the path in camelCase.
"""

from .pointers import Path, Patterns, camel_path

_OWNED = {
    "anthropic": Patterns(
        (
            "content/*/input",  # arguments of tool_use, server_tool_use, mcp_tool_use
            "tools/*/input_schema",  # JSON Schema, also in pinned MCP listings
            "tools/*/input_examples/*",  # each an instance of the schema
            "tools/*/configs",  # map from the user's tool names
            "definition/input_schema",  # tool_definition in a tool_addition block
            "format/schema",  # output_config.format
        )
    ),
    "openai-chat": Patterns(
        (
            "function/parameters",
            "functions/*/parameters",  # the old form of tools
            "function/arguments",  # some compatible servers send an object, not text
            "json_schema/schema",  # response_format
            "/json_schema",  # llama.cpp server: a schema at the top level
            "/metadata",
            "/logit_bias",
        )
    ),
    "openai-responses": Patterns(
        (
            "tools/*/parameters",  # also inside namespaces and search outputs
            "tools/*/output_schema",
            "tools/*/input_schema",  # mcp_list_tools
            "tools/*/headers",  # HTTP headers of an MCP server
            "format/schema",  # text.format
            "arguments",  # tool_search_call has an object where others have text
            "action/env",  # local_shell_call
            "results/*/attributes",  # file_search_call
            "/metadata",
        )
    ),
    "gemini": Patterns(
        (
            "functionCall/args",
            "toolCall/args",
            "functionResponse/response",
            "toolResponse/response",
            "parameters",
            "parametersJsonSchema",
            "functionDeclarations/*/response",
            "responseSchema",
            "responseJsonSchema",
            "partMetadata",
            "streamableHttpTransport/headers",
            "/labels",
        )
    ),
}


def owned(format: str, path: Path) -> bool:
    """Whether the value at this path of a body is a map (or schema) of the user."""
    if format == "gemini":
        path = camel_path(path)
    return _OWNED[format].match(path)
