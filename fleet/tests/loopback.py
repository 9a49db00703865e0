"""A small S3 on this machine: what boto3 asks of one for an audit, with any name of an object, and with faults."""

import hashlib
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

PAGE = 1_000


class Loopback(ThreadingHTTPServer):
    """`fault` sees every request: it gives None to answer it, a status to refuse it, or "cut" for half of an answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.buckets: dict[str, dict[str, bytes]] = {}
        self.guard = threading.Lock()
        # The access keys of the requests.
        self.keys: set[str] = set()
        # The entries that a bucket lists, if they are not its objects.
        self.forged: list[tuple[str, int, str]] | None = None
        self.fault: Callable[[str, str], int | str | None] = lambda method, key: None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address) -> None:
        """A client that was killed is no news."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Loopback

    def answer(self) -> None:
        url = urlsplit(self.path)
        bucket, _, key = unquote(url.path[1:]).partition("/")
        asked = {name: values[0] for name, values in parse_qs(url.query, keep_blank_values=True).items()}
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.keys.add(self.headers["Authorization"].split("Credential=")[-1].split("/")[0])
        fault = self.server.fault(self.command, key)
        objects = self.server.buckets.get(bucket)
        if isinstance(fault, int):
            self.fail(fault, {403: "AccessDenied", 503: "SlowDown"}.get(fault, "InternalError"))
        elif objects is None:
            self.fail(404, "NoSuchBucket")
        elif not key:
            self.send(200, self.listing(objects, asked))
        elif self.command == "PUT":
            with self.server.guard:
                if self.headers.get("If-None-Match") == "*" and key in objects:
                    return self.fail(412, "PreconditionFailed")
                objects[key] = data
            self.send(200, b"", tag(data))
        elif key not in objects:
            self.fail(404, "NoSuchKey")
        elif self.headers.get("If-Match") not in (None, tag(objects[key])):
            self.fail(412, "PreconditionFailed")
        else:
            self.send(200, objects[key], tag(objects[key]), fault == "cut")

    do_GET = do_PUT = answer

    def listing(self, objects: dict[str, bytes], asked: dict[str, str]) -> bytes:
        with self.server.guard:
            entries = self.server.forged or sorted((key, len(data), tag(data)) for key, data in objects.items())
        entries = [one for one in entries if one[0].startswith(asked.get("prefix", "")) or self.server.forged]
        start, count = int(asked.get("continuation-token", 0)), int(asked.get("max-keys", PAGE))
        more = f"<NextContinuationToken>{start + count}</NextContinuationToken>" if start + count < len(entries) else ""
        contents = "".join(
            f"<Contents><Key>{quote(key)}</Key><Size>{size}</Size><ETag>{escape(etag)}</ETag></Contents>"
            for key, size, etag in entries[start:start + count])
        return (
            f"<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>{str(bool(more)).lower()}</IsTruncated>"
            f"{more}{contents}</ListBucketResult>").encode()

    def fail(self, status: int, code: str) -> None:
        self.send(status, f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode())

    def send(self, status: int, data: bytes, etag: str = "", is_cut: bool = False) -> None:
        self.send_response_only(status)
        self.send_header("Content-Length", str(len(data)))
        if etag:
            self.send_header("ETag", etag)
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if is_cut else data)
        self.close_connection = is_cut


def tag(data: bytes) -> str:
    return f'"{hashlib.md5(data).hexdigest()}"'
