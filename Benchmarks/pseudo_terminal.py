"""A program on a pseudo-terminal: what it writes, and when it has finished writing it.

Nothing here sleeps and hopes. A frame is over when nothing more came for QUIET seconds, and its time is that of its last
byte, so the waiting itself is never counted.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

# Longer than any of the programs pauses in the middle of a frame; visidata looks for input every 30 ms.
QUIET = 0.06
LONGEST_WAIT = 60

SEQUENCE = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][0-9A-Z]|\x1b.|[\x0e\x0f\r\n\x08]")


class Paint(NamedTuple):
    """What came after a key or a start: seconds until the expected text was there, until the last byte, and of
    processor time; how many bytes."""

    first: float
    last: float
    processor: float
    count: int


class Expected(NamedTuple):
    """What must be on the screen: so many matches of a pattern."""

    pattern: bytes
    times: int = 1

    def is_in(self, text):
        return len(re.findall(self.pattern, text)) >= self.times


class NothingPainted(Exception):
    """A program that did not show what it should."""


class Session:
    def __init__(self, command, size, environment, folder=None):
        self.main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

        def take_terminal():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.name = Path(command[0]).name
        self.started = perf_counter()
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=other, stdout=other, stderr=other, cwd=folder, env=environment,
            start_new_session=True, preexec_fn=take_terminal)
        os.close(other)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends the program by its own id."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        os.close(self.main)
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def painted(self, expected=None, quiet=QUIET):
        """The first frame: until what matches `expected` is on the screen and nothing more comes."""
        return self._read(self.started, 0.0, expected, quiet)

    def press(self, keys, quiet=QUIET):
        """Sends keys in one write, and gives what is painted for them."""
        used = self.processor_seconds()
        start = perf_counter()
        os.write(self.main, keys)
        return self._read(start, used, None, quiet)

    def prepare(self, keys, quiet=QUIET):
        """Sends keys that need not change anything, and waits until the screen is quiet."""
        os.write(self.main, keys)
        self._drain_until_quiet(quiet)

    def stays_silent(self, seconds):
        """How many bytes come in that time without a key, and how much processor time is used: (bytes, ticks)."""
        before = self.ticks()
        content = self._drain(perf_counter() + seconds)
        return len(content), self.ticks() - before

    def processor_seconds(self):
        """Processor time used so far, to the nanosecond where Linux counts it; children are not counted."""
        try:
            return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9
        except (OSError, IndexError):
            return self.ticks() / 100

    def ticks(self):
        """Processor time used so far, in hundredths of a second."""
        try:
            words = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return int(words[11]) + int(words[12])
        except OSError:
            listed = subprocess.run(
                ["ps", "-o", "cputime=", "-p", str(self.process.pid)], capture_output=True, text=True, check=True)
            seconds = 0.0
            for part in re.split("[:-]", listed.stdout.strip()):
                seconds = seconds * 60 + float(part)
            return round(seconds * 100)

    def _read(self, start, used, expected, quiet):
        content = bytearray()
        first = None
        last = start
        while True:
            waiting = not content or (expected is not None and first is None)
            wait = start + LONGEST_WAIT - perf_counter() if waiting else quiet
            if not select.select([self.main], [], [], max(0, wait))[0]:
                break
            try:
                part = os.read(self.main, 1 << 16)
            except OSError:  # Linux says so when the program has ended
                part = b""
            if not part:
                break
            last = perf_counter()
            content += part
            if first is None and (expected is None or expected.is_in(SEQUENCE.sub(b"", bytes(content)))):
                first = last
        if first is None:
            wanted = expected.pattern if expected else "anything"
            shown = SEQUENCE.sub(b" ", bytes(content))[-400:].decode(errors="replace")
            raise NothingPainted(f"{self.name} did not show {wanted!r}; last of what it showed: {shown}")
        return Paint(first - start, last - start, self.processor_seconds() - used, len(content))

    def _drain_until_quiet(self, quiet):
        try:
            while select.select([self.main], [], [], quiet)[0] and os.read(self.main, 1 << 16):
                pass
        except OSError:  # the program has ended
            pass

    def _drain(self, until):
        content = bytearray()
        while (left := until - perf_counter()) > 0:
            if select.select([self.main], [], [], left)[0]:
                try:
                    content += os.read(self.main, 1 << 16)
                except OSError:
                    break
        return content
