"""Every call on the container answered with every error it may give; judged as it stands, then recovered."""

import containers
import matrix
from run import Fault, Point, faulted, point, run
from setting import Case, Result, Setting, thinned, verdict

NAME = "error"


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    found = []
    for job in setting.jobs.values():
        of_job = [Case(NAME, job.name, (at.call, str(at.index), what.partition("=")[2])) for at in job.points for what in matrix.faults(at)]
        found += thinned(of_job, 40) if setting.short else of_job
    return found


def fault(at: Point, word: str) -> Fault:
    return Fault(at.call, at.nth, f"retval={word}" if word.isdigit() else f"error={word}")


def run_case(setting: Setting, case: Case) -> Result:
    result = Result(case)
    job = setting.jobs[case.job]
    at = point(job.points, *case.words[:2])
    injected = fault(at, case.words[2])
    with containers.sandbox(setting.directory, job.base) as root:
        ended = run(setting.command(job, root), strace=faulted([injected]), log=root.parent / "trace")
        if "(INJECTED)" not in ended.log:
            result.missed.append(f"{case} did not strike: status {ended.status}, {ended.text}")
            return result
        wrong = verdict(setting, job, root, ended)
        if matrix.is_missing_call(at, injected.what) and ended.status != 0:
            wrong.append(f"it knows no way without {at.call}: {ended.text}")
        result.judge(case, wrong)
    return result
