"""The recovery of a killed command, its calls answered with errors; then recovered again. Recoveries resemble each other: each is
given a part of all its faults, another part than the one before."""

import containers
import oracle
from kinds import errors, kill, nested
from run import faulted, point, run
from setting import Case, Result, Setting, recovered, thinned

NAME = "recovery-error"
PARTS, SHORT = 5, 8


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    return [Case(NAME, case.job, case.words) for case in nested.distinct(earlier)]


def run_case(setting: Setting, case: Case, result: Result) -> None:
    job = setting.jobs[case.job]
    with containers.sandbox(setting.directory, job.base) as killed:
        first = point(job.points, *case.words[:2])
        kill.kill(setting, job, killed, first)
        start = containers.snapshot(killed)
        calls = nested.recovery_points(setting, killed)
        if case.words[2:]:
            chosen = [(point(calls, *case.words[2:4]), case.words[4])]
        else:
            chosen = [(at, what) for at in calls for what in errors.faults(at)]
            chosen = thinned(chosen, 3) if setting.short else chosen[first.order % PARTS :: PARTS]
        for at, what in chosen:
            inner = Case(NAME, case.job, case.words[:2] + (at.call, str(at.index), what))
            with containers.sandbox(setting.directory, killed) as root:
                ended = run(setting.recovery(root), strace=faulted(at.struck(what)), log=root.parent / "trace")
                if "(INJECTED)" not in ended.log:
                    result.missed.append(f"{inner} did not strike: status {ended.status}, {ended.text}")
                    continue
                lines = oracle.as_stated(job, ended, root, start)
                lines += oracle.settled(job, root) if ended.status == 0 else []
                result.judge(inner, lines + [f"after recovery, {line}" for line in recovered(setting, job, root)])
