"""The transport through the SDK of Anthropic (`anthropic` 2.14.0, on httpx2)."""

import anthropic
import httpx2

from toolbridge.generated_sdk import GeneratedTransport


class Transport(GeneratedTransport):
    """POST through `anthropic.Anthropic` or `anthropic.AsyncAnthropic`."""

    sdk = anthropic
    sync_client = anthropic.Anthropic
    async_client = anthropic.AsyncAnthropic
    response_type = httpx2.Response
    lost = httpx2.TransportError
