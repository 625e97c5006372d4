"""The transport through the SDK of OpenAI (`openai` 3.57.0, on httpx2)."""

import httpx2
import openai

from toolbridge.generated_sdk import GeneratedTransport


class Transport(GeneratedTransport):
    """POST through `openai.OpenAI` or `openai.AsyncOpenAI`."""

    sdk = openai
    sync_client = openai.OpenAI
    async_client = openai.AsyncOpenAI
    response_type = httpx2.Response
    lost = httpx2.TransportError
    in_base_url = "/v1"
