"""What a user asks of a container that a stranger has sent: every command, on lines, with lines piped and on a terminal."""

import os
import re
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from containers import REPOSITORY
from forger import RUN
from jobs import CHOICES, MOMENT
from stranger import World

sys.path.append(str(REPOSITORY / "Tests/Terminals"))

from session import Session, Stuck, plain_environment  # noqa: E402

PLANNING = (*CHOICES, *MOMENT)
SECONDS_AT_MOST = 60
ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][0-9A-B]|[=>78M])")


@dataclass(frozen=True)
class Ask:
    """A command line. PATH stands for the container."""

    name: str
    words: tuple[str, ...]
    writes: bool = False  # whether it is one of those that write, so that a journal which came along stops it
    keys: tuple[str, ...] = ()  # typed on a terminal, one after the other, whatever is on the screen
    lines: str | None = None  # typed on a terminal at once, or piped where `piped`
    piped: bool = False


@dataclass(frozen=True)
class Answer:
    status: int
    text: str  # what it said anywhere
    seconds: float
    peak: int  # KiB of memory

    @property
    def line(self) -> str:
        return f"{self.status}: {' '.join(self.text.split())[:400]}"


REVIEW = ("review", "PATH", *PLANNING)
BLIND = ("\r", "y", "\r", "j", " ", "a", "y", "\r", "R", "y", "\r", "H", "\r", "\x1b", "\x1b", "\x1b", "q", "y")
ASKS = {
    ask.name: ask for ask in (
        Ask("apply", ("apply", "PATH", *PLANNING), True),
        Ask("apply-yes", ("apply", "PATH", *PLANNING, "--yes"), True),
        Ask("cleanup-yes", ("cleanup", "PATH", *CHOICES, "--yes"), True),
        Ask("rollback-yes", ("rollback", "PATH", "--yes"), True),
        Ask("rollback-run", ("rollback", "PATH", "--run", RUN, "--yes"), True),
        Ask("recover", ("recover", "PATH"), True),
        Ask("recover-yes", ("recover", "PATH", "--yes"), True),
        Ask("recover-keep", ("recover", "PATH", "--keep", "--yes"), True),
        Ask("prune", ("history", "prune", "PATH", "--keep", "0", "--yes"), True),
        Ask("plan", ("plan", "PATH", *PLANNING)),
        Ask("inspect", ("inspect", "PATH")),
        Ask("report", ("report", "PATH", *PLANNING)),
        Ask("history", ("history", "PATH")),
        Ask("browse", ("browse", "PATH"), keys=("j", "\r", "j", "y", "\x1b", "\x1b", "q")),
        Ask("review", REVIEW, keys=BLIND),
        Ask("review-lines", (*REVIEW, "--accessible"), lines="\ny\nyes\nnext\nquit\nyes\n", piped=True),
        Ask("review-terminal", (*REVIEW, "--accessible"), lines="\ny\nyes\nnext\nquit\nyes\n"),
        Ask("recover-terminal", ("recover", "PATH"), True, lines="\nn\nno\n"),
    )
}


def answer(binary: Path, ask: Ask, made: World, state: Path | None = None) -> Answer:
    words = [str(binary), *(str(made.path) if word == "PATH" else word for word in ask.words)]
    variables = {**plain_environment(), "HOME": str(made.home), "SWIFT_BACKTRACE": "enable=no"}
    variables |= {"XDG_STATE_HOME": str(state)} if state else {}
    if ask.keys or (ask.lines is not None and not ask.piped):
        return on_terminal(words, ask, variables, made.home)
    return on_lines(words, (ask.lines or "").encode(), variables, made.home)


def on_lines(words: list[str], data: bytes, variables: dict[str, str], folder: Path) -> Answer:
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(data)
        given.seek(0)
        process = subprocess.Popen(words, stdin=given, stdout=said, stderr=said, env=variables, cwd=folder)
        limit = threading.Timer(SECONDS_AT_MOST, process.kill)
        limit.start()
        _, status, used = os.wait4(process.pid, 0)
        limit.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)  # it is waited for already
        said.seek(0)
        text = said.read().decode(errors="replace")
        return Answer(process.returncode, text, used.ru_utime + used.ru_stime, used.ru_maxrss)


def on_terminal(words: list[str], ask: Ask, variables: dict[str, str], folder: Path) -> Answer:
    """Runs a command on a terminal and types blindly. One that does not take its keys ends with a signal here."""
    with Session(words, environment=variables, columns=120, rows=40, directory=str(folder)) as session:
        peak, status = 0, -9
        # Afterwards, whatever screen this is, away with it.
        keys = (*ask.keys, "\x1b", "\x1b", "q", "y", "q", "\x03") if ask.keys else ()
        try:
            for key in keys:
                session.settle(SECONDS_AT_MOST)
                if session.status is not None:
                    break
                with suppress(OSError):  # it may end just now
                    peak = max(peak, session.peak_memory())
                session.type(key)
            if not keys:
                session.type(ask.lines.replace("\n", "\r") + "\x04" * 3)
            status = session.ended(SECONDS_AT_MOST)
        except Stuck:
            pass
        text = ESCAPES.sub(" ", bytes(session.output).decode(errors="replace"))
        return Answer(128 - status if status > 128 else status, text, 0, peak)
