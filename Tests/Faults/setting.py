"""What every kind of fault is given, and what it gives back."""

import random
import signal
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Iterator, Sequence

import containers
import oracle
from jobs import Job, arguments
from run import KILL, TRACED, Ended, Point, faulted, points, run

TRIES = 5


@dataclass(frozen=True)
class Case:
    """One fault, or several of a kind that share their preparation. Its text names it in a command line."""

    kind: str
    job: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "/".join((self.kind, self.job, *self.words))

    @staticmethod
    def read(text: str) -> "Case":
        kind, job, *words = text.split("/")
        return Case(kind, job, tuple(words))


@dataclass
class Result:
    case: Case
    injected: int = 0
    wrong: list[tuple[Case, list[str]]] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)  # faults that were meant and did not strike
    not_run: str = ""  # why nothing of the kind could be done here
    fingerprint: str = ""  # of the container as a kill left it

    def judge(self, case: Case, lines: list[str]) -> None:
        self.injected += 1
        if lines:
            self.wrong.append((case, lines))


@dataclass
class Setting:
    binary: Path
    directory: Path
    short: bool = False
    jobs: dict[str, Job] = field(default_factory=dict)
    broken: str | None = None  # which of the binary's own calls is swallowed, to see whether that is noticed

    def command(self, job: Job, root: Path) -> list:
        return [self.binary, *arguments(job.command, root)]

    def recovery(self, root: Path) -> list:
        return [self.binary, *arguments("recover", root)]


def some(items: Sequence, count: int) -> list:
    """At most so many, the same each time."""
    return random.Random(1).sample(items, min(count, len(items)))


@contextmanager
def answered(
    setting: Setting, base: Path, command: Callable[[Path], list], at: Point, what: str
) -> Iterator[tuple[Path, Ended, bool]]:
    """Runs a command on a copy of a container while strace changes the result of one call or kills the process there. Yields the
    copy, the run, and whether strace struck that call. strace counts all calls of a name, and how often a process reads
    /proc/self/maps depends on its addresses: if strace struck another call, this tries again."""
    for tried in range(1, TRIES + 1):
        with containers.sandbox(setting.directory, base) as root:
            ended = run(command(root), strace=faulted(at.struck(what)), log=root.parent / "trace")
            injected = "\n".join(line for line in ended.log.splitlines() if "(INJECTED)" in line)
            struck = ended.status == -signal.SIGKILL if what == KILL else bool(points(injected, root))
            if struck or tried == TRIES:
                yield root, ended, struck
                return


def recovered(setting: Setting, job: Job, root: Path, side: str | None = None, *, again: bool = False) -> list[str]:
    """Recovers a container and judges it. With `again`, a second recovery must not write anything."""
    start = containers.snapshot(root)
    ended = run(setting.recovery(root))
    wrong = [f"recovery: {line}" for line in oracle.as_stated(job, ended, root, start)]
    if ended.status != 0:
        wrong.append(f"recovery ended with {ended.status}: {ended.text}")
    wrong += oracle.settled(job, root, side)
    return wrong + (idle(setting, root) if again else [])


def idle(setting: Setting, root: Path) -> list[str]:
    """The calls with which a recovery that has nothing to do writes all the same, those on the lock file excepted."""
    lock = f"{containers.STATE}/lock"
    before = containers.entries(root, without=frozenset({lock}))
    ended = run(setting.recovery(root), strace=TRACED, log=root.parent / "trace-again")
    lines = [f"a second recovery ended with {ended.status}: {ended.text}"] if ended.status != 0 else []
    for point in points(ended.log, root):
        if point.writes and point.call != "close" and lock not in point.text:
            lines.append(f"a second recovery does {point.call}({point.text})")
    return lines + oracle.differences(containers.entries(root, without=frozenset({lock})), before)


def verdict(setting: Setting, job: Job, root: Path, ended: Ended) -> list[str]:
    if ended.status == 0:
        job = oracle.excused(job, ended)
    wrong = oracle.as_stated(job, ended, root, job.before)
    side = None
    if ended.status == 0:
        side = "after"
        wrong += oracle.settled(job, root, side)
    elif oracle.NOTHING_CHANGED in ended.err or oracle.TAKEN_BACK in ended.err:
        side = "before"
    return wrong + [f"after recovery, {line}" for line in recovered(setting, job, root, side)]
