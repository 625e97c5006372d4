"""The transport through SDKs of one generator: those of Anthropic and OpenAI are built alike.

Their `client.post(path, cast_to=<the HTTP library's Response>)` signs and raises like any
call of theirs, and gives the body as it came.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

from toolbridge.errors import WireError
from toolbridge.streams.text import StreamText
from toolbridge.transport import Call, Connection, Reply, TransportError
from toolbridge.values import JSON


class GeneratedTransport:
    """A Transport; an adapter names the `sdk` module, its two clients, the `response_type` of
    the HTTP library, `lost`, its error for a connection that breaks off, and the part of a path
    that the client's base URL holds already."""

    sdk: Any
    sync_client: Any
    async_client: Any
    response_type: type
    lost: type[Exception]
    in_base_url = ""

    def __init__(self, connection: Connection, asynchronous: bool) -> None:
        self._own = connection.client is None
        self._headers = dict(connection.headers)
        self._client = connection.client
        if self._own:
            settings = {
                "api_key": connection.api_key,
                "base_url": connection.base_url,
                "timeout": connection.timeout,
                "max_retries": 0,
            }
            given = {name: setting for name, setting in settings.items() if setting is not None}
            self._client = (self.async_client if asynchronous else self.sync_client)(**given)
        check_client(self._client, asynchronous)
        if not self._own:
            self._client = self._client.with_options(max_retries=0)

    def _post(self, call: Call, **options: Any) -> Any:
        return self._client.post(
            call.path.removeprefix(self.in_base_url),
            body=call.body,
            cast_to=self.response_type,
            options={"headers": {**call.headers, **self._headers}},
            **options,
        )

    def stream(self, call: Call) -> Iterator[JSON]:
        text, response = StreamText(), None
        try:
            response = self._post(call, stream=True, stream_cls=self.sdk.Stream[object])
            for chunk in response.iter_bytes():
                yield from text.feed(chunk)
            yield from text.end()
        except self.sdk.APIError as error:
            raise self._error(error) from error
        except (self.lost, WireError) as error:
            raise lost_midway(error) from error
        finally:
            if response is not None:
                response.close()

    async def astream(self, call: Call) -> AsyncIterator[JSON]:
        text, response = StreamText(), None
        try:
            response = await self._post(call, stream=True, stream_cls=self.sdk.AsyncStream[object])
            async for chunk in response.aiter_bytes():
                for data in text.feed(chunk):
                    yield data
            for data in text.end():
                yield data
        except self.sdk.APIError as error:
            raise self._error(error) from error
        except (self.lost, WireError) as error:
            raise lost_midway(error) from error
        finally:
            if response is not None:
                await response.aclose()

    def send(self, call: Call) -> Reply:
        try:
            return as_reply(self._post(call))
        except self.sdk.APIError as error:
            raise self._error(error) from error

    async def asend(self, call: Call) -> Reply:
        try:
            return as_reply(await self._post(call))
        except self.sdk.APIError as error:
            raise self._error(error) from error

    def close(self) -> None:
        if self._own:
            self._client.close()

    async def aclose(self) -> None:
        if self._own:
            await self._client.close()

    def _error(self, error: Any) -> TransportError:
        if isinstance(error, self.sdk.APIStatusError):
            response = error.response
            return TransportError(
                str(error),
                status=response.status_code,
                body=body_of(response),
                headers=lowered(response.headers),
            )
        if isinstance(error, self.sdk.APITimeoutError):
            return TransportError(str(error), cause="timeout")
        return TransportError(told(error), cause="connection", dead=is_dead(error.__cause__))


def check_client(client: Any, asynchronous: bool) -> None:
    """Raise where a client of the app's own is not of the kind that is needed."""
    if inspect.iscoroutinefunction(client.post) != asynchronous:
        needed, runs = ("async", "arun") if asynchronous else ("sync", "run")
        raise TypeError(f"{runs} needs the {needed} client of the SDK, not {type(client).__name__}")


def lost_midway(error: Exception) -> TransportError:
    """A stream that broke off, or whose text is none of a stream's."""
    if isinstance(error, WireError):
        return TransportError(str(error), status=200, body=str(error))
    late = "Timeout" in type(error).__name__
    said = f"{type(error).__name__}: {error}"
    return TransportError(said, cause="timeout" if late else "connection")


def as_reply(response: Any) -> Reply:
    """The reply of an HTTP response."""
    return Reply(body_of(response), lowered(response.headers))


def body_of(response: Any) -> Any:
    """The JSON of an HTTP response, or its text where that is none."""
    try:
        return response.json()
    except ValueError:
        return response.text


def lowered(headers: Any) -> dict[str, str]:
    """Headers by lower-case names."""
    return {str(name).lower(): str(held) for name, held in headers.items()}


def told(error: BaseException) -> str:
    """An error with what caused it: SDKs say no more than that there was none."""
    cause = error.__cause__
    return f"{error}" if cause is None else f"{error} ({type(cause).__name__}: {cause})"


def is_dead(cause: BaseException | None) -> bool:
    """Whether a server closed a connection that it had offered to keep, before it answered:
    `RemoteProtocolError` of httpx2 says so in words only; where the end comes while the next
    request is on its way, the system says that the connection was reset."""
    if "disconnected without sending a response" in str(cause):
        return True
    return any(isinstance(each, RESET) for each in causes(cause))


RESET = (ConnectionResetError, BrokenPipeError, ConnectionAbortedError)


def causes(error: BaseException | None) -> list[BaseException]:
    """An error and all that led to it; some SDKs build chains that lead back to themselves."""
    chain: list[BaseException] = []
    while error is not None and all(error is not each for each in chain):
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain
