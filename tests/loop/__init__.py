"""The loop: tools from functions, the conversation, runs through the vendors' SDKs."""
