"""What stands between a model and its vendor's SDK: one call out, one reply back, as plain JSON.

Each adapter names a module with a `Transport`, the one place that imports the vendor's SDK; it is
loaded with the first call. The SDK keeps connections and signs; what it receives comes back
untouched, for a typed reply loses or mangles members that the SDK does not know. Its own retries
are off: the app's (`retries`) would multiply with them.
"""

from __future__ import annotations

import dataclasses
import importlib
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from toolbridge.errors import MissingKeyError, MissingSDKError, ToolbridgeError
from toolbridge.values import JSON

if TYPE_CHECKING:
    from toolbridge.adapter import Adapter, Vendor


class Call(NamedTuple):
    """One request of HTTP: the path after the vendor's host, headers beside the SDK's own."""

    path: str
    body: dict[str, JSON]
    headers: dict[str, str]


class Reply(NamedTuple):
    """What came back: the JSON of the body, and the headers with lower-case names."""

    body: JSON
    headers: Mapping[str, str]


class TransportError(ToolbridgeError):
    """No reply of status 200. `cause` is `timeout` or `connection` where there was none at all;
    `dead` says that a connection that was kept open turned out closed, so that the server has
    not seen the request. `body` is JSON, or text
    where it is none."""

    def __init__(
        self,
        message: str,
        *,
        cause: str | None = None,
        dead: bool = False,
        status: int | None = None,
        body: JSON = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.dead = dead
        self.status = status
        self.body = body
        self.headers = headers or {}


@dataclasses.dataclass(frozen=True)
class Connection:
    """How to reach a vendor; what is None is left to the SDK. `client` is an SDK client of the
    app's own, sync for `run` and async for `arun`; `timeout` is in seconds."""

    client: Any = None
    api_key: str | None = None
    base_url: str | None = None
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    timeout: float | None = None
    profile: str | None = None


class Transport(Protocol):
    """A vendor's SDK, sync or async. Raises TransportError."""

    def __init__(self, connection: Connection, asynchronous: bool) -> None: ...

    def send(self, call: Call) -> Reply:
        """Send and wait."""
        ...

    async def asend(self, call: Call) -> Reply:
        """The same in an event loop."""
        ...

    def stream(self, call: Call) -> Iterator[JSON]:
        """Send, and give each data object as it comes; closing the iterator closes the
        connection. Raises TransportError, at the first object or later."""
        ...

    def astream(self, call: Call) -> AsyncIterator[JSON]:
        """The same in an event loop."""
        ...

    def close(self) -> None:
        """Close what was opened here."""
        ...

    async def aclose(self) -> None:
        """The same in an event loop."""
        ...


def open_transport(adapter: Adapter, connection: Connection, asynchronous: bool) -> Transport:
    """The transport of a format. Raises MissingSDKError and MissingKeyError, which say how to
    get what is missing."""
    vendor = adapter.service
    if vendor is None:
        raise MissingSDKError(f"the adapter of {adapter.name} has no transport: it only converts")
    try:
        module = importlib.import_module(vendor.transport)
    except ImportError as error:
        if error.name is None or not error.name.startswith(vendor.sdk.partition(".")[0]):
            raise
        raise MissingSDKError(
            f"{adapter.name} needs the package {vendor.package}: "
            f'pip install "toolbridge[{vendor.extra}]"'
        ) from error
    settled = settle(adapter.name, vendor, connection)
    made: Transport = module.Transport(settled, asynchronous)
    return made


NO_KEY = "no-key-needed"
"""What is sent as a key to a server of one's own that was given none: SDKs want one. The key of
the environment is the vendor's, and goes to the vendor only."""


def settle(format: str, vendor: Vendor, connection: Connection) -> Connection:
    """The connection with the server of its profile, and a key."""
    profile = connection.profile or ""
    server = vendor.servers.get(profile)
    if connection.client is not None:
        return connection
    if connection.base_url is not None:
        return dataclasses.replace(connection, api_key=connection.api_key or NO_KEY)
    if server is None:
        raise MissingKeyError(
            f"{format}:{profile} has no server of its own: pass tb.Model(..., base_url=...)"
        )
    found = (os.environ[name] for name in server.key_variables if os.environ.get(name))
    key = connection.api_key or next(found, None)
    if key is None and server.key_variables:
        names = " or ".join(server.key_variables)
        raise MissingKeyError(
            f"no key for {format}{':' if profile else ''}{profile}: set {names} "
            f"(keys are made at {server.keys_at}), or pass tb.Model(..., api_key=...)"
        )
    return dataclasses.replace(connection, api_key=key, base_url=server.base_url)
