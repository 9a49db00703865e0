"""The command killed at every call with which it writes; then recovered."""

import signal
from pathlib import Path

import breaks
import containers
import oracle
from jobs import Job
from run import Ended, Fault, Point, faulted, point, run
from setting import Case, Result, Setting, recovered

NAME = "kill"


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    found = []
    for job in setting.jobs.values():
        found += [Case(NAME, job.name, (one.call, str(one.index))) for one in job.points if one.writes]
    return found


def kill(setting: Setting, job: Job, root: Path, at: Point) -> Ended:
    """Does a job and kills it as it enters a call."""
    faults = [Fault(at.call, at.nth, "signal=KILL")] + breaks.faults(setting, job)
    return run(setting.command(job, root), strace=faulted(faults), log=root.parent / "trace")


def run_case(setting: Setting, case: Case) -> Result:
    result = Result(case)
    job = setting.jobs[case.job]
    at = point(job.points, *case.words)
    with containers.sandbox(setting.directory, job.base) as root:
        ended = kill(setting, job, root, at)
        if ended.status != -signal.SIGKILL:
            result.missed.append(f"{case} did not strike: status {ended.status}, {ended.text}")
            return result
        result.fingerprint = containers.fingerprint(root)
        wrong = oracle.neither_side(job, containers.snapshot(root))
        again = at.order % 7 == 0
        result.judge(case, wrong + recovered(setting, job, root, again=again))
    return result
