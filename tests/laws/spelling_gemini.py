"""One spelling of Gemini generateContent bodies.

- Keys in camelCase, outside what the user owns. The Schema fields (`parameters`,
  `response`, `responseSchema`) are messages of the vendor with keys of their own, so their
  keywords are brought to camelCase too, names of properties are not.
- `parameters` is `parametersJsonSchema`, and so for `response` and `responseSchema`; type
  names have no case.
- `contents` and `tools` may be one object; an absent role is `user`; the role of
  `systemInstruction` is ignored by the server (API reference) and so here.
- Consecutive turns of one role are one.
"""

from .owned import owned
from .pointers import ANY, Path, camel
from .reshape import as_list, each, elements, free, merge_turns, optional, rename
from .tree import Node

SCHEMA_FIELDS = ("parameters", "response", "responseSchema")
TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
MAPS = frozenset({"properties", "patternProperties", "$defs", "defs", "definitions"})
SCHEMAS = frozenset(
    {"items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf", "not"}
    | {"if", "then", "else"}
)
# Fields of the Schema message with more than one word (SDK types.py Schema).
SCHEMA_KEYWORDS = frozenset(
    {"additional_properties", "any_of", "max_items", "max_length", "max_properties"}
    | {"min_items", "min_length", "min_properties", "property_ordering"}
)


def spell_request(root: Node) -> None:
    """Bring a request to the one spelling."""
    _camelise(root, ())
    as_list(root, "contents")
    as_list(root, "tools")
    for tool in elements(root, "tools"):
        each(elements(tool, "functionDeclarations"), _spell_function)
    _spell_output(root)
    instruction = root.members.get("systemInstruction")
    if instruction is not None and isinstance(instruction.value, dict):
        free(instruction, "role")
    each(elements(root, "contents"), _spell_content)
    merge_turns(root, "contents", "parts")


def spell_response(root: Node) -> None:
    """Bring a response to the one spelling."""
    _camelise(root, ())


def _camelise(node: Node, path: Path) -> None:
    if owned("gemini", path):
        return
    for key in list(node.members):
        rename(node, key, camel(key))
    for key, member in node.members.items():
        _camelise(member, (*path, key))
    for element in node.elements:
        _camelise(element, (*path, ANY))


def _spell_content(content: Node) -> None:
    optional(content, "role", "user")


def _spell_function(function: Node) -> None:
    for field, twin in (("parameters", "parametersJsonSchema"), ("response", "responseJsonSchema")):
        _spell_schema_field(function, field, twin)


def _spell_output(root: Node) -> None:
    config = root.members.get("generationConfig")
    if config is not None:
        _spell_schema_field(config, "responseSchema", "responseJsonSchema")


def _spell_schema_field(holder: Node, field: str, twin: str) -> None:
    schema = holder.members.get(field)
    if schema is not None:
        _spell_schema(schema, of_vendor=True)
    if twin in holder.members:
        _spell_schema(holder.members[twin], of_vendor=False)
    rename(holder, field, twin)


def _spell_schema(schema: Node, *, of_vendor: bool) -> None:
    """Fold the type names of a schema and of all schemas in it."""
    if of_vendor:
        for key in SCHEMA_KEYWORDS.intersection(schema.members):
            rename(schema, key, camel(key))
    for key, member in schema.members.items():
        if key == "type":
            each_type = member.elements or [member]
            for name in each_type:
                _fold_type(name)
        elif key in MAPS:
            for below in member.members.values():
                _spell_schema(below, of_vendor=of_vendor)
        elif key in SCHEMAS:
            for below in member.elements or [member]:
                _spell_schema(below, of_vendor=of_vendor)


def _fold_type(name: Node) -> None:
    if isinstance(name.value, str) and name.value.lower() in TYPES:
        name.value = name.value.lower()
