"""The command on a pseudo-terminal, and the processor time it takes to paint. A frame is over when nothing more came for
QUIET seconds."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
from pathlib import Path
from time import monotonic
from typing import NamedTuple

QUIET = 0.06
LONGEST_WAIT = 60
SIZE = 40, 120


class Paint(NamedTuple):
    """Milliseconds of processor time until all is painted, and how many bytes that is."""

    processor: float
    count: int


class Screen:
    def __init__(self, command: list, environment: dict):
        self.main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=other, stdout=other, stderr=other, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(other)

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        os.close(self.main)
        self.process.wait()

    def painted(self, expected: bytes) -> Paint:
        """The first frame, which must have a text."""
        content = self.read(expected)
        if expected not in content:
            raise SystemExit(f"bench: the screen does not show {expected!r}: {content[-400:]!r}")
        return Paint(self.processor() * 1000, len(content))

    def press(self, keys: bytes) -> Paint:
        """Sends keys in one write, and gives what is painted for them."""
        used = self.processor()
        os.write(self.main, keys)
        content = self.read(b"")
        return Paint((self.processor() - used) * 1000, len(content))

    def idle(self, seconds: float) -> Paint:
        used, content, end = self.processor(), b"", monotonic() + seconds
        while (left := end - monotonic()) > 0:
            if select.select([self.main], [], [], left)[0]:
                content += os.read(self.main, 1 << 16)
        return Paint((self.processor() - used) * 1000, len(content))

    def processor(self) -> float:
        """Seconds of processor time so far, which Linux counts to the nanosecond."""
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    def read(self, expected: bytes) -> bytes:
        """What comes until a text is there and nothing more comes. A key may paint nothing."""
        content = b""
        while True:
            waits = LONGEST_WAIT if expected not in content else QUIET if content or expected else 1
            if not select.select([self.main], [], [], waits)[0]:
                return content
            try:
                content += os.read(self.main, 1 << 16)
            except OSError:  # it has ended
                return content
