"""What all argument types have in common: with pydantic, without, beside each other."""

from __future__ import annotations

import copy
import subprocess
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, ValidationError

import toolbridge as tb
from project import python
from safe.helpers import given, offered, tool_of
from toolbridge import safe

Address = Annotated[str, safe.URL()]

KINDS: tuple[safe.ArgumentType, ...] = (
    safe.PathInside("files"),
    safe.URL(),
    safe.Identifier(),
    safe.Command({"ls": None}),
    safe.SQL({"count": "SELECT :a"}),
)


def test_importing_toolbridge_loads_none_of_them() -> None:
    """And they load pydantic only where a tool is made."""
    shown = "import sys\nprint([m for m in ('toolbridge.safe', 'pydantic') if m in sys.modules])"
    for code, loaded in (
        ("import toolbridge", "[]"),
        ("import toolbridge\nfrom toolbridge import safe", "['toolbridge.safe']"),
        ("from toolbridge import safe\nsafe.URL().check('https://a.b/')", "['toolbridge.safe']"),
    ):
        ran = subprocess.run(
            python(f"{code}\n{shown}"), capture_output=True, text=True, check=True, timeout=60
        )
        assert ran.stdout.strip() == loaded


@pytest.mark.parametrize("kind", KINDS, ids=lambda each: type(each).__name__)
def test_the_example_of_the_schema_passes_and_cannot_be_changed(kind: Any) -> None:
    """The words of each refusal rest on it."""
    (example,) = kind.json_schema()["examples"]
    assert kind.check(example)
    with pytest.raises(AttributeError):
        kind.description = "other"


@pytest.mark.parametrize("format", [info.name for info in tb.formats()])
@pytest.mark.parametrize("strict", [True, False])
def test_each_vendor_is_told_the_limits(format: str, strict: bool) -> None:
    """Where a keyword has no place in a vendor's schema, the words are still there."""
    annotations = (str, str, str, list[str], safe.BoundStatement)
    tools = []
    for kind, annotation in zip(KINDS, annotations, strict=True):
        spec = tool_of(kind, annotation).spec
        assert isinstance(spec, tb.ToolSpec)
        name = type(kind).__name__
        tools.append(tb.ToolSpec(name=name, description="Use it.", parameters=spec.parameters))
    adapted = str(tb.adapt_tools(tools, format, strict=strict).payload)
    for kind in KINDS:
        assert repr(kind.limits()["description"])[1:-1] in adapted


@pytest.mark.parametrize("kind", KINDS, ids=lambda each: type(each).__name__)
def test_a_copy_checks_the_same(kind: safe.ArgumentType) -> None:
    """Frameworks copy the metadata of annotations."""
    assert copy.deepcopy(kind).json_schema() == kind.json_schema()


def test_types_of_the_same_class_stay_apart() -> None:
    """`typing` remembers annotations by their equality: a tool would get the rules of another."""
    first, second = safe.Command({"ls": None}), safe.Command({"cat": None})
    assert first != second
    assert offered(first, list[str]) != offered(second, list[str])
    assert safe.SQL({"a": "SELECT 1"}) != safe.SQL({"a": "SELECT 2"})
    assert safe.URL() != safe.URL(hosts=("a.example.com",))
    assert safe.Identifier() == safe.Identifier() != safe.Identifier(max_length=9)


def test_they_stand_in_lists_unions_defaults_and_models() -> None:
    class Page(BaseModel):
        url: Address

    def fetch(page: Page, more: list[Address], last: Address | None = None) -> None: ...

    fetch.__annotations__["page"] = Page
    made = tb.tool(fetch)
    good = {"page": {"url": "https://a.example.com"}, "more": ["HTTPS://a.example.com/b"]}
    taken = made.validate(good)
    assert (taken["page"].url, taken["more"]) == (
        "https://a.example.com/",
        ["https://a.example.com/b"],
    )
    bad = {"page": {"url": "http://a"}, "more": ["//a"], "last": "https://127.1/"}
    with pytest.raises(ValueError) as refused:
        made.validate(bad)
    lines = str(refused.value).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["- page.url", "- more.0", "- last"]


def test_constraints_of_pydantic_hold_beside_them() -> None:
    class Order(BaseModel):
        id: Annotated[str, safe.Identifier(), Field(max_length=3)]

    assert Order(id="abc").id == "abc"
    for value in ("abcd", "a b"):
        with pytest.raises(ValidationError):
            Order(id=value)


def test_without_pydantic_a_tool_of_a_schema_uses_the_same() -> None:
    """The schema goes into that of the tool, the check into its function."""
    kind = safe.Identifier()
    schema = {"type": "object", "properties": {"order": kind.json_schema()}, "required": ["order"]}

    @tb.tool(name="get", description="An order.", schema=schema)
    def get(order: str) -> str:
        return kind.check(order)

    with pytest.raises(ValueError, match="order"):
        get.validate({"order": "a b"})
    assert get("a") == "a"


def test_words_with_braces_are_told_as_they_are() -> None:
    """pydantic's own errors fill in what stands in braces."""

    class Odd(safe.ArgumentType):
        def check(self, value: Any) -> Any:
            if value == "bad":
                raise ValueError("no {brace} here. Give {input}")
            return value

        def limits(self) -> dict[str, Any]:
            return {"type": "string", "description": "Anything."}

    def use(argument: Any) -> None: ...

    use.__annotations__ = {"argument": Annotated[str, Odd()]}
    with pytest.raises(ValueError, match=r"argument: no \{brace\} here\. Give \{input\}"):
        tb.tool(use).validate({"argument": "bad"})
    assert given(Odd(description="What."), "good") == "good"
    assert offered(Odd(description="What."))["description"] == "What. Anything."


def test_the_bare_base_checks_nothing_and_says_so() -> None:
    """A forgotten method must not let everything in."""
    for method in (lambda: safe.ArgumentType().check(1), safe.ArgumentType().json_schema):
        with pytest.raises(NotImplementedError):
            method()
