"""An official SDK type as a validator that forbids unknown keys: the recipe of law 3.

Works on copies of the core schemas. The one thing that leaks is `__pydantic_config__`, set on the
SDK's own TypedDicts and global to the process: so this module belongs to the tests alone.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, get_args

import typing_extensions
from pydantic import TypeAdapter
from pydantic_core import ErrorDetails, SchemaValidator, ValidationError

JSON = Any
Node = Any
"""A node of a pydantic core schema: a dict, a list or tuple of nodes, or a leaf."""

Changes = dict[str, Callable[[Node], Node]]
"""What becomes of a node, by its `type`."""

DISCRIMINATORS = frozenset({"type", "role"})


class SdkType:
    """A type of a vendor's SDK that reports every missing, mistyped and unknown key of a body."""

    def __init__(
        self, sdk_type: Any, *, outside_the_body: frozenset[str] = frozenset(), strict: bool = True
    ) -> None:
        schema = closed_schema(sdk_type, outside_the_body)
        # Not the validators that the SDK's models hold ready: those know nothing of `CHANGES`.
        self._validator = SchemaValidator(schema, _use_prebuilt=False)
        self._strict = strict

    def errors(self, body: JSON) -> list[str]:
        try:
            text = json.dumps(body, allow_nan=False)
        except (TypeError, ValueError) as error:
            return [f": not JSON: {error}"]
        try:
            self._validator.validate_json(text, strict=self._strict)
        except ValidationError as error:
            return reported(
                error.errors(include_url=False, include_context=False, include_input=False), body
            )
        return []


def closed_schema(sdk_type: Any, outside_the_body: frozenset[str] = frozenset()) -> Node:
    """The core schema of an SDK type: closed, lists for generators, no response model in a union.

    `outside_the_body` names the parameters that the SDK sends as headers.
    """
    for typed_dict in typed_dicts(sdk_type, set()):
        own = typed_dict.__dict__.get("__pydantic_config__", {})
        typed_dict.__pydantic_config__ = {"extra": "forbid", **own}
    with warnings.catch_warnings():
        # pydantic warns of TypedDicts with `extra_items`, whose extra keys stay allowed.
        warnings.simplefilter("ignore")
        schema = core_schema(sdk_type)
    changes = CHANGES
    if typing_extensions.is_typeddict(sdk_type):
        models = {node["ref"] for node in nodes(schema) if node.get("type") == "model"}
        changes = {**CHANGES, "union": partial(union_without_models, models=models)}
    closed = rewritten(schema, changes)
    for name in outside_the_body:
        root_fields(closed, sdk_type).pop(name)
    return closed


def core_schema(sdk_type: Any) -> Node:
    adapter: TypeAdapter[Any] = TypeAdapter(sdk_type)
    if not adapter.pydantic_complete:  # Google's models put off building it
        adapter.rebuild()
    return adapter.core_schema


def typed_dicts(hint: Any, seen: set[Any]) -> set[Any]:
    """All TypedDicts that can be reached from a type hint."""
    if hint in seen:
        return seen
    if isinstance(hint, type) and typing_extensions.is_typeddict(hint):
        seen.add(hint)
        for member in typing_extensions.get_type_hints(hint, include_extras=True).values():
            typed_dicts(member, seen)
    for argument in get_args(hint):
        if get_args(argument) or isinstance(argument, type):
            typed_dicts(argument, seen)
    return seen


def nodes(node: Node) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for member in node.values():
            yield from nodes(member)
    elif isinstance(node, (list, tuple)):
        for member in node:
            yield from nodes(member)


def rewritten(node: Node, changes: Changes) -> Node:
    """A copy of a core schema with these changes, from the leaves up."""
    if isinstance(node, (list, tuple)):
        return type(node)(rewritten(member, changes) for member in node)
    if not isinstance(node, dict):
        return node
    copy = {key: rewritten(member, changes) for key, member in node.items()}
    kind = copy.get("type")  # of a mapping of fields: the node of the field named "type"
    return changes[kind](copy) if isinstance(kind, str) and kind in changes else copy


def list_for_generator(node: Node) -> Node:
    """A generator validates its items only when it is consumed."""
    kept = {key: node[key] for key in ("items_schema", "ref") if key in node}
    return {"type": "list", **kept}


def union_without_models(node: Node, models: set[str]) -> Node:
    """Anthropic's unions of request blocks end in the response class, which takes any key."""

    def is_model(choice: Node) -> bool:
        choice = choice[0] if isinstance(choice, tuple) else choice
        return choice["type"] == "model" or choice.get("schema_ref") in models

    others = [choice for choice in node["choices"] if not is_model(choice)]
    return {**node, "choices": others} if others else node


def closed_model(node: Node) -> Node:
    """The models of Anthropic and OpenAI take any key; here only those that say which.

    A model with an `__init__` of its own (google.genai's `Part`) would validate itself.
    """
    is_open = "extras_schema" in node["schema"]
    closed = {} if is_open else {"extra_fields_behavior": "forbid"}
    return {**node, "custom_init": False, "config": {**node.get("config", {}), **closed}}


def json_all_through(node: Node) -> Node:
    """google.genai logs mismatches before each model, which makes Python values of strict JSON."""
    logs_only = node["function"]["function"].__name__ == "_check_field_type_mismatches"
    return node["schema"] if logs_only else node


def known_words(node: Node) -> Node:
    """Google's enums take a word in either case, and make a new member, with a warning, of any."""
    words = [member.value for member in node["members"]]
    kept = {"ref": node["ref"]} if "ref" in node else {}
    return {"type": "literal", "expected": words + [word.lower() for word in words], **kept}


CHANGES: Changes = {
    "generator": list_for_generator,
    "model": closed_model,
    "function-before": json_all_through,
    "enum": known_words,
}


def root_fields(schema: Node, sdk_type: Any) -> dict[str, Any]:
    """The fields of the type that a core schema is made for."""
    root = next(node for node in nodes(schema) if node.get("cls") is sdk_type)
    fields: dict[str, Any] = next(node["fields"] for node in nodes(root) if "fields" in node)
    return fields


# --- errors: one line each, with a JSON pointer, and of a union the branch that fits best ---------


def reported(details: Sequence[ErrorDetails], body: JSON) -> list[str]:
    found = [(steps(detail, body), detail) for detail in details]
    return [f"{pointer(path)}: {detail['msg']}" for path, detail in relevant(found, 0)]


Step = tuple[bool, str | int]
"""An element of an error's location: (leads into the body?, key, index or branch of a union)."""
Located = tuple[tuple[Step, ...], ErrorDetails]


def steps(detail: ErrorDetails, body: JSON) -> tuple[Step, ...]:
    path: list[Step] = []
    here = body
    location: list[Any] = [*detail["loc"]]
    for number, item in enumerate(location, 1):
        is_key = isinstance(here, dict) and item in here
        is_index = isinstance(here, list) and isinstance(item, int)
        is_absent_key = detail["type"] == "missing" and number == len(detail["loc"])
        path.append((is_key or is_index or is_absent_key, item))
        if is_key or is_index:
            here = here[item]
    return tuple(path)


def relevant(found: list[Located], depth: int) -> list[Located]:
    """The errors that remain when every union speaks by its best branch only."""
    groups: dict[Step, list[Located]] = {}
    kept = []
    for path, detail in found:
        if len(path) == depth:
            kept.append((path, detail))
        else:
            groups.setdefault(path[depth], []).append((path, detail))
    branches = [group for (leads, _), group in groups.items() if not leads]
    if branches:
        kept += relevant(min(branches, key=lambda group: misfit(group, depth + 1)), depth + 1)
    for (leads, _), group in groups.items():
        if leads:
            kept += relevant(group, depth + 1)
    return kept


def misfit(branch: list[Located], depth: int) -> tuple[int, int]:
    """How badly a branch fits: another kind of value or another `type`, then its errors."""

    def is_other_kind(path: tuple[Step, ...]) -> bool:
        rest = [name for leads, name in path[depth:] if leads]
        return not rest or (len(rest) == 1 and rest[0] in DISCRIMINATORS)

    return sum(is_other_kind(path) for path, _ in branch), len(branch)


def pointer(path: tuple[Step, ...]) -> str:
    return "".join(f"/{name}" for leads, name in path if leads)
