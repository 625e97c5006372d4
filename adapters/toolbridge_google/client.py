"""The transport through the SDK of Google (`google-genai` 3.6.1, on httpx2).

Its typed calls drop members that they do not know, so the plain request below them is used; the
SDK has no public name for it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
from google import genai
from google.auth import exceptions as auth
from google.genai import errors, types

from toolbridge.errors import MissingKeyError
from toolbridge.generated_sdk import body_of, is_dead, lowered
from toolbridge.transport import Call, Connection, Reply, TransportError
from toolbridge.values import JSON

ONCE = types.HttpRetryOptions(attempts=1)
"""No retries of the SDK's own, also where a client of the app's asks for some."""


class Transport:
    """POST through `genai.Client`."""

    def __init__(self, connection: Connection, asynchronous: bool) -> None:
        self._own = connection.client is None
        self._headers = dict(connection.headers)
        self._client: Any = connection.client or open_client(connection)

    def send(self, call: Call) -> Reply:
        try:
            answered = self._client._api_client.request(*self._post(call))
        except (errors.APIError, httpx2.RequestError, auth.GoogleAuthError) as error:
            raise self._error(error) from error
        return as_reply(answered)

    async def asend(self, call: Call) -> Reply:
        try:
            answered = await self._client._api_client.async_request(*self._post(call))
        except (errors.APIError, httpx2.RequestError, auth.GoogleAuthError) as error:
            raise self._error(error) from error
        return as_reply(answered)

    def stream(self, call: Call) -> Iterator[JSON]:
        try:
            for chunk in self._client._api_client.request_streamed(*self._post(call)):
                yield parsed(chunk.body)
        except (errors.APIError, httpx2.RequestError, auth.GoogleAuthError) as error:
            raise self._error(error) from error

    async def astream(self, call: Call) -> AsyncIterator[JSON]:
        try:
            chunks = await self._client._api_client.async_request_streamed(*self._post(call))
            async for chunk in chunks:
                yield parsed(chunk.body)
        except (errors.APIError, httpx2.RequestError, auth.GoogleAuthError) as error:
            raise self._error(error) from error

    def close(self) -> None:
        if self._own:
            self._client.close()

    async def aclose(self) -> None:
        if self._own:
            await self._client.aio.aclose()

    def _error(self, error: Exception) -> TransportError:
        """An error of the SDK, or of the HTTP library that it lets through."""
        if isinstance(error, errors.APIError):
            headers = getattr(error.response, "headers", None) or {}
            is_read = isinstance(getattr(error.response, "text", None), str)
            body = body_of(error.response) if is_read else error.details
            return TransportError(
                str(error), status=error.code, body=body, headers=lowered(headers)
            )
        if isinstance(error, httpx2.TimeoutException):
            return TransportError(str(error) or type(error).__name__, cause="timeout")
        said = f"{type(error).__name__}: {error}"
        if isinstance(error, auth.GoogleAuthError) and not isinstance(error, auth.TransportError):
            return TransportError(said, status=401)
        return TransportError(said, cause="connection", dead=is_dead(error))

    def _post(self, call: Call) -> tuple[Any, ...]:
        _, _version, path = call.path.split("/", 2)
        options = types.HttpOptions(headers={**call.headers, **self._headers}, retry_options=ONCE)
        return "post", path, dict(call.body), options


def open_client(connection: Connection) -> genai.Client:
    """A client; async calls through httpx2 as well, even where aiohttp is installed."""
    options = types.HttpOptions(
        base_url=connection.base_url,
        timeout=None if connection.timeout is None else round(connection.timeout * 1000),
        async_client_args={"transport": httpx2.AsyncHTTPTransport()},
    )
    # Said outright: the environment (GOOGLE_GENAI_USE_ENTERPRISE) might choose another server.
    vertex = connection.profile == "vertex"
    try:
        return genai.Client(enterprise=vertex, api_key=connection.api_key, http_options=options)
    except auth.GoogleAuthError as error:
        raise MissingKeyError(f"no credentials for Google: {error}") from error


def as_reply(answered: Any) -> Reply:
    """The reply of the SDK's own response."""
    return Reply(parsed(answered.body), lowered(answered.headers or {}))


def parsed(text: str) -> Any:
    """JSON, or the text where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text
