"""The words of a tool: from the docstring in three styles, from annotations, and one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field

import toolbridge as tb


def parameters(function: Callable[..., Any]) -> Any:
    spec = tb.tool(function).spec
    assert isinstance(spec, tb.ToolSpec)
    return spec.parameters


def properties(function: Callable[..., Any]) -> Any:
    return parameters(function)["properties"]


# --- words


def google(city: str, days: int = 1) -> str:
    """The weather in a city.

    Call it when the user asks about the weather.

    Args:
        city: such as Seoul
        days (int): how many days,
            today included

    Returns:
        a sentence
    """
    return f"{city} {days}"


def numpy(city: str, days: int = 1) -> str:
    """The weather in a city.

    Call it when the user asks about the weather.

    Parameters
    ----------
    city : str
        such as Seoul
    days : int
        how many days,
        today included

    Returns
    -------
    str
        a sentence
    """
    return f"{city} {days}"


def sphinx(city: str, days: int = 1) -> str:
    """The weather in a city.

    Call it when the user asks about the weather.

    :param city: such as Seoul
    :param int days: how many days,
        today included
    :returns: a sentence
    """
    return f"{city} {days}"


@pytest.mark.parametrize("function", [google, numpy, sphinx])
def test_a_docstring_of_each_style_gives_all_words(function: Callable[..., Any]) -> None:
    spec = tb.tool(function).spec
    assert isinstance(spec, tb.ToolSpec)
    assert spec.name == function.__name__
    assert spec.description == (
        "The weather in a city.\n\nCall it when the user asks about the weather."
    )
    assert spec.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "such as Seoul"},
            "days": {
                "type": "integer",
                "description": "how many days,\ntoday included",
                "default": 1,
            },
        },
        "required": ["city"],
        "additionalProperties": False,
    }


def test_a_broken_docstring_is_a_description_all_the_same() -> None:
    def broken(city: str) -> str:
        """The weather.

        :param
        """
        return city

    assert "The weather." in str(tb.tool(broken).spec.set_fields()["description"])


def test_a_function_without_words_has_no_description() -> None:
    def bare(city: str) -> str:
        return city

    assert tb.tool(bare).spec == tb.ToolSpec(name="bare", parameters=parameters(bare))


def test_annotated_outweighs_the_docstring() -> None:
    def search(
        query: Annotated[str, Field(description="what to look for", min_length=2)],
        limit: Annotated[int, "not for pydantic"] = 5,
    ) -> str:
        """Search.

        Args:
            query: not this
            limit: at most so many
        """
        return query * limit

    assert properties(search) == {
        "query": {"type": "string", "description": "what to look for", "minLength": 2},
        "limit": {"type": "integer", "description": "at most so many", "default": 5},
    }


def test_names_and_words_of_ones_own_outweigh_those_of_the_function() -> None:
    @tb.tool(name="get.weather", description="자세히", strict=True, deferred=True)
    def weather(city: str) -> str:
        """The weather."""
        return city

    assert weather.spec == tb.ToolSpec(
        name="get.weather",
        description="자세히",
        strict=True,
        deferred=True,
        parameters=parameters(weather.function),
    )
    assert weather.name == "get.weather"
