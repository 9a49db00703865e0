"""The recovery of a killed command killed itself, at every call with which it writes; then recovered again. Kills that leave the
same container have the same recovery, so that one of them stands for all."""

from __future__ import annotations

import signal
from pathlib import Path

import containers
import oracle
from kinds import kill
from run import TRACED, Point, faulted, point, points, run
from setting import Case, Result, Setting, recovered, thinned

NAME = "nested"
SHORT = 12


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    return [Case(NAME, case.job, case.words) for case in distinct(earlier)]


def distinct(earlier: list[Result]) -> list[Case]:
    """One kill for each container that kills have left."""
    kills = [result for result in earlier if result.case.kind == kill.NAME and result.fingerprint]
    return list({(result.case.job, result.fingerprint): result.case for result in reversed(kills)}.values())


def run_case(setting: Setting, case: Case, result: Result) -> None:
    job = setting.jobs[case.job]
    with containers.sandbox(setting.directory, job.base) as killed:
        kill.kill(setting, job, killed, point(job.points, *case.words[:2]))
        writing = [one for one in recovery_points(setting, killed) if one.writes]
        if case.words[2:]:
            writing = [point(writing, *case.words[2:])]
        elif setting.short:
            writing = thinned(writing, 3)
        for at in writing:
            inner = Case(NAME, case.job, case.words[:2] + (at.call, str(at.index)))
            with containers.sandbox(setting.directory, killed) as root:
                log = root.parent / "trace"
                ended = run(setting.recovery(root), strace=faulted(at.struck("signal=KILL")), log=log)
                if ended.status != -signal.SIGKILL:
                    result.missed.append(f"{inner} did not strike: status {ended.status}, {ended.text}")
                    continue
                wrong = oracle.neither_side(job, containers.snapshot(root))
                result.judge(inner, wrong + recovered(setting, job, root))


def recovery_points(setting: Setting, killed: Path) -> list[Point]:
    """The calls of a killed container's recovery, learned on a copy."""
    with containers.sandbox(setting.directory, killed) as root:
        return points(run(setting.recovery(root), strace=TRACED, log=root.parent / "trace").log, root)
