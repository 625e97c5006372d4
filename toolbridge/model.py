"""Which model answers, and how it is reached."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from toolbridge.adapter import Adapter
from toolbridge.errors import UnknownFormatError
from toolbridge.registry import find
from toolbridge.retries import Retries
from toolbridge.transport import Connection, Transport, open_transport

OF_CLIENT = ("api_key", "base_url", "timeout")
"""What a client of the app's own has settled already."""


@dataclasses.dataclass(frozen=True)
class Model:
    """A model behind a vendor's SDK, or behind any server that speaks the vendor's format.

    `name` is `<format>/<model id>`, split at the first slash: `anthropic/claude-opus-5-5`,
    `openai-chat:openrouter/anthropic/claude-opus-5.5`. Keys come from the vendor's environment
    variables unless `api_key` is given; with a `base_url` the environment's key is not sent.
    `client` is an SDK client of one's own (async for `arun`); `timeout` is in seconds.
    What fails in between is tried again as `retries` says; `max_retries` sets its attempts alone.
    """

    name: str
    client: Any = None
    api_key: str | None = dataclasses.field(default=None, repr=False)
    base_url: str | None = None
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict, repr=False)
    timeout: float | None = None
    max_retries: int | None = None
    retries: Retries = dataclasses.field(default_factory=Retries)

    def __post_init__(self) -> None:
        if not self.format or not self.id:
            missing = "model" if self.format and "/" in self.name else "format"
            raise UnknownFormatError(
                f"{self.name!r} names no {missing}: write <format>/<model id>, such as "
                "anthropic/claude-opus-5-5 or openai-chat/gpt-5"
            )
        find(self.format)
        beside = [name for name in OF_CLIENT if getattr(self, name) is not None]
        if self.client is not None and beside:
            raise TypeError(f"a client has its own {beside[0]}: pass one or the other")

    @property
    def format(self) -> str:
        """The format, with its profile."""
        return self.name.partition("/")[0]

    @property
    def id(self) -> str:
        """The vendor's name of the model."""
        return self.name.partition("/")[2]

    @property
    def adapter(self) -> Adapter:
        """The adapter of the format."""
        return find(self.format)[0]

    @property
    def schedule(self) -> Retries:
        """How often to try again, and how long to wait."""
        if self.max_retries is None:
            return self.retries
        return dataclasses.replace(self.retries, attempts=self.max_retries)

    def open(self, asynchronous: bool) -> Transport:
        """A transport to the model; whoever opens it closes it."""
        connection = Connection(
            client=self.client,
            api_key=self.api_key,
            base_url=self.base_url,
            headers=self.headers,
            timeout=self.timeout,
            profile=find(self.format)[1],
        )
        return open_transport(self.adapter, connection, asynchronous)


def as_model(model: str | Model) -> Model:
    """A Model, also by its name alone."""
    return Model(model) if isinstance(model, str) else model
