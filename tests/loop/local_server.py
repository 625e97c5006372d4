"""A server of one's own on this machine: what a client opened here really sends to it."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .answers import Answer, body_of

Handle = Callable[["Handler"], None]


class Local(ThreadingHTTPServer):
    """Plays answers of a format, and keeps the paths, headers and bodies of the requests. With
    `drops` it closes the connection after each answer, though it had offered to keep it."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, format: str, answers: list[Answer | None], drops: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.format = format
        self.answers = answers
        self.drops = drops
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.connections = 0
        self.silence = threading.Event()

    @property
    def url(self) -> str:
        """The address, with the part of it that the vendor's client wants in its base URL."""
        path = "/v1" if self.format.startswith("openai") else ""
        return f"http://127.0.0.1:{self.server_address[1]}{path}"

    def get_request(self) -> tuple[socket.socket, Any]:
        self.connections += 1
        return super().get_request()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    @property
    def local(self) -> Local:
        """The server, as what it is."""
        assert isinstance(self.server, Local)
        return self.server

    def do_POST(self) -> None:
        """Answer with the next answer; None for none at all."""
        length = int(self.headers["content-length"])
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(self.rfile.read(length))
        turn = len(self.local.requests)
        self.local.requests.append((self.path, headers, body))
        answer = self.local.answers.pop(0)
        if answer is None:
            self.local.silence.wait(20)
            self.close_connection = True
            return
        sent = json.dumps(body_of(answer, self.local.format, turn)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)
        if self.local.drops:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextlib.contextmanager
def local(format: str, answers: list[Answer | None], drops: bool = False) -> Generator[Local]:
    """A server that runs while it is used."""
    server = Local(format, answers, drops)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.silence.set()
        server.shutdown()
        server.server_close()
        thread.join()
