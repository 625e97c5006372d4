"""Formats by name: the built-in ones first, then those that packages offer as entry points."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

from toolbridge.errors import UnknownFormatError

if TYPE_CHECKING:
    from toolbridge.adapter import Adapter

BUILT_IN = {
    "anthropic": "toolbridge_anthropic",
    "openai-chat": "toolbridge_openai.chat",
    "openai-responses": "toolbridge_openai.responses",
    "gemini": "toolbridge_google",
}
"""Modules that hold an `adapter`. By name, so that using one format loads one adapter, and
looking up a built-in one loads no importlib.metadata (45 ms)."""

GROUP = "toolbridge.adapters"
"""The entry point group of adapters. A plugin cannot replace a built-in format."""

_adapters: dict[str, Adapter] = {}


class FormatInfo(NamedTuple):
    """A format that can be read and written."""

    name: str
    vendor: str
    profiles: tuple[str, ...]


def adapter_named(name: str) -> Adapter | None:
    """The adapter of a format without its profile, or None."""
    if name not in _adapters:
        module = BUILT_IN.get(name)
        found = importlib.import_module(module).adapter if module else _plugin(name)
        if found is None:
            return None
        _adapters[name] = found
    return _adapters[name]


def find(format: str) -> tuple[Adapter, str | None]:
    """The adapter and the profile of a format such as `openai-chat:mistral`.

    Raises UnknownFormatError, which names what there is.
    """
    name, colon, profile = format.partition(":")
    adapter = adapter_named(name)
    if adapter is None:
        known = ", ".join(sorted({*BUILT_IN, *_plugins()}))
        raise UnknownFormatError(f"no format {name!r}; there are {known}")
    if not colon:
        return adapter, None
    if profile not in adapter.profiles:
        known = ", ".join(adapter.profiles) or "none"
        raise UnknownFormatError(f"{name} has no profile {profile!r}; it has {known}")
    return adapter, profile


def formats() -> tuple[FormatInfo, ...]:
    """All formats that can be read and written."""
    found = [adapter_named(name) for name in (*BUILT_IN, *_plugins())]
    return tuple(
        FormatInfo(adapter.name, adapter.vendor, tuple(adapter.profiles))
        for adapter in found
        if adapter is not None
    )


def _plugins() -> tuple[str, ...]:
    from importlib.metadata import entry_points

    names = (point.name for point in entry_points(group=GROUP))
    return tuple(dict.fromkeys(name for name in names if name not in BUILT_IN))


def _plugin(name: str) -> Adapter | None:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP, name=name):
        return point.load()  # type: ignore[no-any-return]
    return None
