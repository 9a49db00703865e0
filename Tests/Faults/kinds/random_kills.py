"""The command killed at a moment that chance picks, whatever it is doing then."""

from __future__ import annotations

import signal
import subprocess
from time import monotonic, sleep

import containers
import oracle
from run import run
from setting import Case, Result, Setting, recovered

NAME = "random-kill"
CASES, ROUNDS = 20, 25  # rounds in each case, for each job


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    count = 2 if setting.short else CASES
    return [Case(NAME, name, (str(number),)) for name in setting.jobs for number in range(count)]


def run_case(setting: Setting, case: Case) -> Result:
    result = Result(case)
    job = setting.jobs[case.job]
    chance = setting.random(case)
    with containers.sandbox(setting.directory, job.base) as root:
        begun = monotonic()
        run(setting.command(job, root))
        whole = monotonic() - begun
    for _ in range(5 if setting.short else ROUNDS):
        wait = chance.uniform(0.2, 1) * whole
        with containers.sandbox(setting.directory, job.base) as root:
            with subprocess.Popen(
                [str(word) for word in setting.command(job, root)], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            ) as process:
                sleep(wait)
                process.kill()
                status = process.wait()
            if status != -signal.SIGKILL:
                continue  # it was quicker; that is a round that does not count
            lines = oracle.neither_side(job, containers.snapshot(root)) + recovered(setting, job, root)
            result.judge(case, lines)
    return result
