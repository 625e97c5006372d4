"""The one spelling of law 2: bodies that say the same become equal trees.

`one_spelling` applies the spellings that law 2 forgives, and nothing else. What each format
forgives stands at the top of its module (`spelling_<format>`); what an absent key is worth
stands in the table `defaults`. A null says nothing, wherever it is not the user's own data or
one of `MEANT_NULLS`: the vendors' own readers cannot tell it from absence. A default is kept
in the tree, but does not count (see `Standing`): where it is missing nothing is missing, where
another value stands that value differs from it.

Not forgiven, though tempting: an absent `args` beside `{}`, empty text beside no text, a
`{}` that switches something on, base64 in its other alphabet, functions spread over several
Gemini tools beside one, two OpenAI messages of one role in a row.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from . import spelling_anthropic, spelling_chat, spelling_gemini, spelling_responses
from .defaults import Default, When, defaults_at, is_default
from .owned import owned
from .pointers import ANY, Json, Path, Patterns
from .reshape import elements
from .tree import Node, Standing, deep_recursion, plain, plant, seal

Kind: TypeAlias = Literal["request", "response"]

_SPELL: dict[tuple[str, Kind], Callable[[Node], None]] = {
    ("anthropic", "request"): spelling_anthropic.spell_request,
    ("anthropic", "response"): spelling_anthropic.spell_response,
    ("openai-chat", "request"): spelling_chat.spell_request,
    ("openai-chat", "response"): spelling_chat.spell_response,
    ("openai-responses", "request"): spelling_responses.spell_request,
    ("openai-responses", "response"): spelling_responses.spell_response,
    ("gemini", "request"): spelling_gemini.spell_request,
    ("gemini", "response"): spelling_gemini.spell_response,
}

MEANT_NULLS = Patterns(("content/*/content",))
"""Nulls with a meaning: `content` of an Anthropic `compaction` block is a failed compaction."""


@dataclass(frozen=True, slots=True, eq=False)
class Spelled:
    """A body and its tree in the one spelling."""

    format: str
    kind: Kind
    body: Json
    root: Node


def base_format(format: str) -> str:
    """The format without its profile."""
    return format.partition(":")[0]


def one_spelling(body: Json, format: str, kind: Kind) -> Spelled:
    """Bring a body to the one spelling of its format. The body is not changed."""
    base = base_format(format)
    with deep_recursion():
        root = plant(body)
        _SPELL[base, kind](root)
        _mark_defaults(root, (), _Body(base, kind, root))
        seal(root)
    return Spelled(format, kind, body, root)


@dataclass(frozen=True, slots=True)
class _Body:
    format: str
    kind: Kind
    root: Node


def _mark_defaults(node: Node, path: Path, body: _Body) -> None:
    """Mark what is worth as much as its absence, the inner parts before the outer."""
    if node.tag or (path and owned(body.format, path)):
        return
    for key, member in node.members.items():
        place = (*path, key)
        _mark_defaults(member, place, body)
        if _worth_nothing(member, place, body):
            member.standing = Standing.DEFAULT
    for element in node.elements:
        _mark_defaults(element, (*path, ANY), body)


def _worth_nothing(node: Node, path: Path, body: _Body) -> bool:
    if node.standing is not Standing.PLAIN:
        return False
    if node.tag:
        return False
    if node.value is None:
        return not MEANT_NULLS.match(path)
    rows = [row for row in defaults_at(body.format, path) if _holds(row, body.root)]
    return any(is_default(plain(node), row) for row in rows)


def _holds(row: Default, root: Node) -> bool:
    tools = elements(root, "tools")
    if row.when is When.TOOLS:
        return bool(tools)
    if row.when is When.NO_TOOLS:
        return not tools
    if row.when is When.ONLY_FUNCTIONS:
        return _only_functions(tools) and not _structured(root)
    return True


def _only_functions(tools: list[Node]) -> bool:
    kinds = {key for tool in tools for key, item in tool.members.items() if item.counted}
    return kinds == {"functionDeclarations"}


def _structured(root: Node) -> bool:
    config = root.members.get("generationConfig")
    return config is not None and "responseJsonSchema" in config.members
