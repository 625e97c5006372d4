"""The demo, its cassettes, and a real model behind a real server."""
