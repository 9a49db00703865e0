"""A worker process: `carryover audit --worker`, on two pipes."""

import json
import os
import select
import subprocess
import time

from .failures import Unusable

HELLO = b'{"protocol":"carryover.audit-worker/1"}'
LONGEST_ANSWER = 256 << 20
STARTS = 8


class Ended(Exception):
    """The process ended, or said something that the protocol does not allow."""


class TooSlow(Exception):
    """The process took too long for a container."""


class WorkerProcess:
    """Audits one input after the other. What crashes or takes too long is one row; the process is replaced."""

    def __init__(self, command: list[str], limit: float) -> None:
        """`limit` is how long a container may take, in seconds."""
        self.command, self.limit = command, limit
        self.process: subprocess.Popen | None = None
        self.buffer = bytearray()

    def audit(self, n: int, path: str, shown: str | None) -> bytes:
        """The rows of an input. An input that ends the process twice is a row too."""
        for _ in range(2):
            try:
                return self.ask(n, path, shown)
            except TooSlow:
                self.end()
                return self.row(n, shown, "timeout")
            except Ended:
                self.end()
        return self.row(n, shown, "crashed")

    def row(self, n: int, shown: str | None, outcome: str, code: str | None = None) -> bytes:
        """The row of an input that is not opened."""
        # The process itself writes the row of a path where nothing is, so that all rows are escaped alike. A path
        # cannot contain the text that is replaced: a quote in it is escaped.
        missing = b'"outcome":"unreadable","code":"not-found"'
        try:
            row = self.ask(n, "/nonexistent/carryover-fleet", shown)
        except (Ended, TooSlow) as error:
            self.end()
            raise Unusable("The workers end before they read anything. Check the binary and the memory limit.") from error
        assert row.count(missing) == 1, "the row of a missing path has another form"
        return row.replace(missing, f'"outcome":"{outcome}","code":{json.dumps(code)}'.encode())

    def ask(self, n: int, path: str, shown: str | None) -> bytes:
        self.start()
        assert self.process and self.process.stdin
        question = json.dumps({"n": n, "path": path, "shown": shown}, ensure_ascii=False) + "\n"
        try:
            self.process.stdin.write(question.encode())
            self.process.stdin.flush()
        except OSError as error:
            raise Ended from error
        beginning = b'{"schema":"carryover.audit-row/1","n":%d,"row":' % n
        end = b'{"end":%d}' % n
        rows, size = [], 0
        while (line := self.line()) != end:
            size += len(line)
            # A row about another input would spoil the audit.
            if not line.startswith(beginning) or not line.endswith(b"}") or size > LONGEST_ANSWER:
                raise Ended
            rows += (line, b"\n")
        if not rows:
            raise Ended
        return b"".join(rows)

    def start(self) -> None:
        for _ in range(STARTS):
            if self.process:
                return
            try:
                self.process = subprocess.Popen(
                    self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                if self.line() == HELLO:
                    return
            except (Ended, TooSlow):
                pass
            except OSError as error:
                raise Unusable(f"{self.command[0]} cannot be started: {error.strerror}.") from error
            self.end()
        raise Unusable("The workers end as soon as they start. Check the binary, the options and the memory limit.")

    def line(self) -> bytes:
        """The next line, without its end."""
        assert self.process and self.process.stdout
        pipe = self.process.stdout.fileno()
        deadline = time.monotonic() + self.limit
        searched = 0
        while (place := self.buffer.find(b"\n", searched)) < 0:
            searched = len(self.buffer)
            if searched > LONGEST_ANSWER:
                raise Ended
            if not select.select([pipe], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TooSlow
            piece = os.read(pipe, 1 << 16)
            if not piece:
                raise Ended
            self.buffer += piece
        line = bytes(self.buffer[:place])
        del self.buffer[: place + 1]
        return line

    def end(self) -> None:
        """Ends the process at once, whatever it is doing."""
        if self.process:
            self.process.kill()
            for pipe in (self.process.stdout, self.process.stdin):
                try:
                    pipe.close()
                except OSError:
                    pass
            self.process.wait()
        self.process = None
        self.buffer.clear()
