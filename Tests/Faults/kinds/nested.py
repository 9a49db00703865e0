"""The recovery of a killed command killed itself, at every call with which it writes, and its calls answered with errors; then
recovered again. Kills that leave the same container have the same recovery, so that one of them stands for all. Recoveries
resemble each other: each is given a part of all errors, another part than the one before."""

import containers
import oracle
from kinds import errors, kill
from run import KILL, TRACED, point, points, run
from setting import Case, Result, Setting, answered, recovered, some

NAME = "nested"
PARTS, SHORT = 5, 8


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    """One kill for each container that kills have left."""
    kills = [result for result in earlier if result.case.kind == kill.NAME and result.fingerprint]
    distinct = {(result.case.job, result.fingerprint): result.case for result in reversed(kills)}
    return [Case(NAME, case.job, case.words) for case in distinct.values()]


def run_case(setting: Setting, case: Case, result: Result) -> None:
    job = setting.jobs[case.job]
    with containers.sandbox(setting.directory, job.base) as killed:
        first = point(job.points, *case.words[:2])
        kill.kill(setting, job, killed, first)
        start = containers.snapshot(killed)
        # Learned on a copy.
        with containers.sandbox(setting.directory, killed) as root:
            calls = points(run(setting.recovery(root), strace=TRACED, log=root.parent / "trace").log, root)
        if case.words[2:]:
            chosen = [(point(calls, *case.words[2:4]), case.words[4])]
        else:
            kills = [(at, KILL) for at in calls if at.writes]
            wrong = [(at, what) for at in calls for what in errors.faults(at)]
            chosen = some(kills, 3) + some(wrong, 3) if setting.short else kills + wrong[first.order % PARTS :: PARTS]
        for at, what in chosen:
            inner = Case(NAME, case.job, case.words[:2] + (at.call, str(at.index), what))
            with answered(setting, killed, setting.recovery, at, what) as (root, ended, struck):
                if not struck:
                    result.missed.append(f"{inner} did not strike: status {ended.status}, {ended.text}")
                    continue
                if what == KILL:
                    lines = oracle.neither_side(job, containers.snapshot(root))
                else:
                    lines = oracle.as_stated(job, ended, root, start)
                    lines += oracle.settled(job, root) if ended.status == 0 else []
                result.judge(inner, lines + [f"after recovery, {line}" for line in recovered(setting, job, root)])
