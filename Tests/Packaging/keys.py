"""A command on a pseudo-terminal, in a root of its own: what its screen shows, and keys."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

from installed import REPOSITORY, SAMPLE, different

sys.path += [str(REPOSITORY / ".build/judges"), str(REPOSITORY / "Tests/Terminals")]

from display import Display  # noqa: E402

PATIENCE = 60
SIZE = 40, 120
OPTIONS = ["--write-key", "1xAcmeWriteKey", "--now", "2025-11-20T12:05:00Z"]


class Terminal:
    """Runs a command in a root, and reads its screen."""

    def __init__(self, root: Path, command: list[str], environment: dict[str, str]):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chroot(root)
            os.chdir("/")
            os.execvpe(command[0], command, {"TERM": "xterm-256color", **environment})
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self.display = Display(SIZE[1], SIZE[0])

    def press(self, keys: str, until: str) -> str:
        """Presses keys, and waits for a text on the screen. Fails with what the screen shows."""
        os.write(self.descriptor, keys.encode())
        end = time.monotonic() + PATIENCE
        while until not in (shown := self.display.text):
            try:
                if time.monotonic() > end or select.select([self.descriptor], [], [], 1)[0] and not self.read():
                    raise OSError
            except OSError:
                raise AssertionError(f"after {keys!r}, the screen does not show “{until}” but\n{shown.strip()}") from None
        return shown

    def read(self) -> bool:
        piece = os.read(self.descriptor, 65536)
        self.display.feed(piece)
        return bool(piece)

    def close(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.descriptor)


def reviewed(root: Path, title: str, environment: dict[str, str], command: str = "/usr/bin/carryover") -> list[str]:
    """Decides, applies and rolls back by keys what is at /AcmeShop.xcappdata, and compares every byte."""
    found: list[str] = []
    terminal = Terminal(root, [command, "/AcmeShop.xcappdata", "--no-config", *OPTIONS], environment)
    try:
        for keys, until in [("", "1 undecided"), ("n", "only undecided"), (" ", "1 accepted"), ("a", "y apply"), ("y", "7 written"), ("R", "y roll back"), ("y", "Rolled back")]:
            terminal.press(keys, until)
            if until == "7 written" and not different(SAMPLE, root / "AcmeShop.xcappdata"):
                found.append(f"{title}: apply by keys has written nothing")
    except AssertionError as error:
        found.append(f"{title}: {error}")
    finally:
        terminal.close()
    return found + [f"{title}: after the rollback, {name} differs" for name in different(SAMPLE, root / "AcmeShop.xcappdata") if not name.startswith(".carryover")]
