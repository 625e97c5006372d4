"""Formats by name: built-in ones, profiles, and those that other packages offer."""

from __future__ import annotations

import dataclasses
import importlib.metadata
from collections.abc import Callable
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any, Final

import pytest

import toolbridge as tb
from bodies import FORMATS, body
from toolbridge import registry
from toolbridge.adapter import Adapter
from toolbridge.describe import adapters
from toolbridge.registry import BUILT_IN, GROUP, adapter_named, find


def copy_of(name: str, **changes: Any) -> Adapter:
    """An adapter that speaks a built-in format under a name of its own."""
    adapter = adapter_named("openai-chat")
    assert adapter is not None
    return dataclasses.replace(adapter, name=name, vendor="somebody", **changes)


FILM: Final = copy_of("film", profiles={"silent": "without sound"})
USURPER: Final = copy_of("anthropic")

Offer = Callable[..., None]


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Offer:
    """Installs entry points, as packages would: name to object of this module."""
    monkeypatch.setattr(registry, "_adapters", {})

    def install(**offered: str) -> None:
        points = EntryPoints(
            EntryPoint(name.replace("_", "-"), f"{__name__}:{attribute}", GROUP)
            for name, attribute in offered.items()
        )
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda **by: points.select(**by))

    return install


# names


@pytest.mark.parametrize("name", FORMATS)
def test_a_built_in_format_has_its_adapter(name: str) -> None:
    adapter, profile = find(name)
    assert (adapter.name, profile) == (name, None)
    assert find(name)[0] is adapter, "loaded once"


def test_every_profile_can_be_named() -> None:
    for info in tb.formats():
        for profile in info.profiles:
            adapter, found = find(f"{info.name}:{profile}")
            assert (adapter.name, found) == (info.name, profile)


@pytest.mark.parametrize("name", ["", "openai", "OpenAI-Chat", " anthropic", ":mistral"])
def test_an_unknown_format_is_an_error_that_names_those_there_are(name: str) -> None:
    with pytest.raises(tb.UnknownFormatError) as caught:
        tb.read({}, name)
    for known in BUILT_IN:
        assert known in str(caught.value)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("openai-chat:nobody", "mistral"),
        ("openai-chat:", "mistral"),
        ("gemini:vertex:x", "gemini-3"),
        ("anthropic:2023", "2023-06-01"),
    ],
)
def test_an_unknown_profile_is_an_error_that_names_those_there_are(name: str, known: str) -> None:
    with pytest.raises(tb.UnknownFormatError, match="has no profile") as caught:
        tb.convert({}, source="anthropic", target=name)
    assert known in str(caught.value)


@pytest.mark.parametrize("kind", ["streams", "Request", "", "messages"])
def test_an_unknown_kind_is_an_error_that_names_those_there_are(kind: str) -> None:
    for call in (
        lambda: tb.read({}, "anthropic", kind),
        lambda: tb.convert({}, source="anthropic", target="gemini", kind=kind),
    ):
        with pytest.raises(tb.UnknownFormatError) as caught:
            call()
        for known in ("request", "response", "tools", "error"):
            assert known in str(caught.value)


# plugins


def test_a_package_can_offer_a_format(offer: Offer) -> None:
    offer(film="FILM")
    assert find("film:silent") == (FILM, "silent")
    chat = body("openai-chat", "request")
    assert tb.convert(chat, source="anthropic", target="film", model="m").envelope.path
    read = tb.read(chat, "film")
    assert read.model == "m"
    assert tb.formats()[-1] == tb.FormatInfo("film", "somebody", ("silent",))
    assert [adapter.name for adapter in adapters()] == [*BUILT_IN, "film"]


def test_an_unknown_format_names_those_of_packages_too(offer: Offer) -> None:
    offer(film="FILM")
    with pytest.raises(tb.UnknownFormatError, match="film"):
        find("flim")


def test_a_package_cannot_replace_a_built_in_format(offer: Offer) -> None:
    """Installing a package must not change what a program already does."""
    offer(anthropic="USURPER", film="FILM")
    adapter, _ = find("anthropic")
    assert adapter is not USURPER
    assert adapter.vendor == "anthropic"
    assert [info.name for info in tb.formats()] == [*BUILT_IN, "film"]
    assert {info.vendor for info in tb.formats()} == {"anthropic", "openai", "google", "somebody"}


def test_the_entry_points_of_this_package_are_no_second_formats(offer: Offer) -> None:
    """Installed, the built-in formats stand among the entry points themselves."""
    offer(anthropic="USURPER", gemini="USURPER", openai_chat="USURPER", openai_responses="USURPER")
    assert tuple(info.name for info in tb.formats()) == FORMATS


def test_a_package_that_cannot_be_imported_harms_no_other(offer: Offer) -> None:
    """Its own format fails; the built-in ones do not look at it."""
    offer(broken="NOWHERE")
    assert find("anthropic")[0].vendor == "anthropic"
    with pytest.raises(AttributeError, match="NOWHERE"):
        find("broken")


# adapters


@pytest.mark.parametrize("adapter", adapters(), ids=lambda adapter: adapter.name)
def test_an_adapter_reads_and_writes_every_kind(adapter: Adapter) -> None:
    """Tools are the request's; all else has its own function both ways."""
    kinds = {"request", "response", "error"}
    assert set(adapter.reads) == set(adapter.writes) == kinds
    assert {shape.format for shape in adapter.shapes.values()} == {adapter.name}


@pytest.mark.parametrize("adapter", adapters(), ids=lambda adapter: adapter.name)
def test_paths_and_versions_are_of_profiles_that_there_are(adapter: Adapter) -> None:
    assert "" in adapter.paths
    named = set(adapter.paths) | set(adapter.versions)
    assert named - {""} <= set(adapter.profiles)
