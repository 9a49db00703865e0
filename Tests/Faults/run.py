"""One run of the command, bare or under strace, and what strace saw of it."""

import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, Sequence

SECONDS_AT_MOST = 60

# Calls that change something, or bring it to the disk, or say who may.
WRITING = frozenset(
    (
        "write pwrite64 writev pwritev pwritev2 fsync fdatasync sync_file_range rename renameat renameat2 link linkat "
        "symlink symlinkat unlink unlinkat mkdir mkdirat rmdir chmod fchmod fchmodat chown fchown fchownat lchown "
        "truncate ftruncate fallocate flock close copy_file_range sendfile utimensat setxattr fsetxattr creat"
    ).split()
)
READING = frozenset("read pread64 readv".split())
KILL = "signal=KILL"  # what strace does instead of changing a call's result
OPENING = frozenset("open openat openat2".split())


@dataclass(frozen=True)
class Ended:
    """A process that has ended. A status below 0 is a signal."""

    status: int
    out: str
    err: str
    log: str = ""

    @property
    def text(self) -> str:
        return " ".join((self.err + " " + self.out).split())


@dataclass(frozen=True)
class Point:
    """A system call of a traced run that concerns the container."""

    call: str
    nth: int  # among all calls of this name in the process, as strace's when= counts
    index: int  # among those of this name that concern the container; this is what names it in reports
    order: int  # among all calls that concern the container
    writes: bool
    length: int  # the bytes asked for, of reads and writes
    text: str

    def struck(self, what: str) -> tuple[str, int, str]:
        return self.call, self.nth, what


def run(command: Sequence[str | Path], *, strace: Sequence[str] = (), log: Path | None = None) -> Ended:
    """Runs a command to its end. With `log`, under strace, which writes there."""
    words = [str(word) for word in command]
    if log is not None:
        words = ["strace", "-y", "-s", "0", "-o", str(log), *strace, *words]
    environment = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
    try:
        ended = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=SECONDS_AT_MOST, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return Ended(-signal.SIGKILL, "", f"still running after {SECONDS_AT_MOST} s")
    text = log.read_text(errors="replace") if log is not None and log.exists() else ""
    return Ended(ended.returncode, ended.stdout, ended.stderr, text)


class Unsuitable(Exception):
    """A binary that does not do its work even without a fault."""


def done(command: Sequence[str | Path], **options) -> Ended:
    """Runs a command that has to do its work."""
    ended = run(command, **options)
    if ended.status != 0:
        raise Unsuitable(f"{' '.join(str(word) for word in command[1:])} ended with {ended.status}: {ended.text}")
    return ended


TRACED = ["-e", "trace=" + ",".join("?" + name for name in sorted(WRITING | READING | OPENING))]
# The process, where there are several; the call; its result, if it came to one.
LINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)(?:\)\s+= (\S+)| <unfinished)")
# A name that begins at a folder: the descriptor with its path, and the name.
BELOW = re.compile(r'\w+<([^<>]*)>, "([^"/][^"]*)"')


def points(log: str, root: Path) -> list[Point]:
    """The calls of a trace that name something in the container, by path or by descriptor."""
    found: list[Point] = []
    all_of: dict[str, int] = {}
    ours: dict[str, int] = {}
    passed: set[str] = set()  # descriptors of folders that are opened only to reach what stands in them
    for line in log.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        call, arguments, result = match.groups()
        arguments = BELOW.sub(r'"\1/\2"', arguments)
        all_of[call] = all_of.get(call, 0) + 1
        if call in OPENING:
            (passed.add if "O_PATH" in arguments else passed.discard)((result or "").partition("<")[0])
        # An opened descriptor shows the path a second time, so the arguments alone are looked at.
        if f"{root}/" not in arguments and f"{root}>" not in arguments and f'{root}"' not in arguments:
            continue
        ours[call] = ours.get(call, 0) + 1
        writes = call in WRITING or (call in OPENING and ("O_CREAT" in arguments or "O_TRUNC" in arguments))
        if call == "close" and arguments.partition("<")[0] in passed:
            writes = False
        length = arguments.rsplit(", ", 1)[-1] if call in {"read", "write"} else ""
        found.append(
            Point(
                call, all_of[call], ours[call], len(found), writes, int(length) if length.isdigit() else 0,
                arguments.replace(str(root), "") + f" = {result}",
            )
        )
    return found


def point(points: Iterable[Point], call: str, index: str | int) -> Point:
    return {(at.call, at.index): at for at in points}[call, int(index)]


def faulted(*faults: tuple[str, str | int, str]) -> list[str]:
    """strace's arguments for what it does instead of, or before, the n-th call of a name: signal=KILL, error=EIO, retval=0."""
    words = ["-e", "trace=" + ",".join(sorted({call for call, _, _ in faults}))]
    for call, nth, what in faults:
        words += ["-e", f"inject={call}:{what}:when={nth}"]
    return words
