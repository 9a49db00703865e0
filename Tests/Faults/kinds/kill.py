"""The command killed at every call with which it writes; then recovered."""

import signal
from pathlib import Path

import containers
import oracle
from jobs import Job
from run import KILL, Ended, Point, faulted, point, run
from setting import Case, Result, Setting, recovered

NAME = "kill"
RENAMES = frozenset(["rename", "renameat", "renameat2"])
# Calls that can be swallowed, to see that the proof notices: the renames that make a run decided, and put its record in place.
BREAKS = {"journal": '/journal.json"', "record": '/record.json"'}


def puts(at: Point, name: str) -> bool:
    return at.call in RENAMES and BREAKS[name] in at.text


def swallowed(name: str, job: Job) -> Point:
    return next(at for at in job.points if puts(at, name))


def showing(name: str, job: Job) -> list[Point]:
    """The calls at which a kill may show the loss: those after it. strace does one thing to calls of one name at a
    time, so that those of the swallowed one's name are out of reach."""
    if name == "journal" and len(job.changed) == 1:
        return []  # a journal is there for several files at once, one alone is whole without it
    lost = swallowed(name, job)
    return [at for at in job.points if at.writes and at.order > lost.order and at.call != lost.call]


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    return [Case(NAME, job.name, (at.call, str(at.index))) for job in setting.jobs.values() for at in job.points if at.writes]


def kill(setting: Setting, job: Job, root: Path, at: Point) -> Ended:
    lost = [swallowed(setting.broken, job).struck("retval=0")] if setting.broken else []
    return run(setting.command(job, root), strace=faulted(at.struck(KILL), *lost), log=root.parent / "trace")


def run_case(setting: Setting, case: Case, result: Result) -> None:
    job = setting.jobs[case.job]
    at = point(job.points, *case.words)
    with containers.sandbox(setting.directory, job.base) as root:
        ended = kill(setting, job, root, at)
        if ended.status != -signal.SIGKILL:
            result.missed.append(f"{case} did not strike: status {ended.status}, {ended.text}")
            return
        result.fingerprint = containers.fingerprint(root)
        wrong = oracle.neither_side(job, containers.snapshot(root))
        again = at.order % 7 == 0
        result.judge(case, wrong + recovered(setting, job, root, again=again))
