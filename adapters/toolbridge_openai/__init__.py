"""OpenAI: Chat Completions, the Responses API, and what the two share."""
