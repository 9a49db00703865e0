"""An S3 proxy that fails on request: it stands between the tests' stores and moto."""

import http.client
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

# What a fault gives: None to pass the request on, an HTTP status to answer with, or "cut" to send half of the body.
Fault = Callable[[str, str], int | str | None]


class Proxy(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.port = port
        self.fault: Fault = lambda method, path: None
        self.seen: list[tuple[str, str]] = []
        self.guard = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address) -> None:
        """A client that was killed is no news."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def forward(self) -> None:
        path = unquote(self.path)
        with self.server.guard:
            self.server.seen.append((self.command, path))
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fault = self.server.fault(self.command, path)
        if isinstance(fault, int):
            return self.answer(fault, [], b"")
        upstream = http.client.HTTPConnection("127.0.0.1", self.server.port)
        upstream.request(self.command, self.path, body, dict(self.headers))
        got = upstream.getresponse()
        data = got.read()
        headers = [(name, value) for name, value in got.getheaders() if name.lower() not in ("transfer-encoding", "connection")]
        self.answer(got.status, headers, data, cut=fault == "cut")
        upstream.close()

    def answer(self, status: int, headers: list, data: bytes, cut: bool = False) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() != "content-length":
                self.send_header(name, value)
        length = dict((name.lower(), value) for name, value in headers).get("content-length", str(len(data)))
        self.send_header("Content-Length", length)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data[: len(data) // 2] if cut else data)
        self.close_connection = cut

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = forward
