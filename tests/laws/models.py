"""Models that are passed in, where rules of a target depend on the model or the server."""

MODELS = {
    "anthropic": "claude-sonnet-4-6",
    "openai-chat": "gpt-5",
    "openai-chat:mistral": "mistral-large-latest",
    "openai-chat:deepseek": "deepseek-chat",
    "openai-responses": "gpt-5",
    "gemini": "gemini-3-pro",
}
"""Targets, each with a model."""

OLDER = {
    **MODELS,
    "anthropic": "claude-sonnet-4-5",
    "openai-chat": "gpt-4.1",
    "openai-responses": "gpt-4.1",
    "gemini": "gemini-2.5-flash",
}
"""Targets, each with a model that takes what that one refuses, or the other way round."""
