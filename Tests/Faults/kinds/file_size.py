"""A limit on how large a file may become, in steps: a write is cut short and the next fails, or the signal kills."""

import resource
import signal

import containers
import oracle
from run import run
from setting import Case, Result, Setting, recovered, thinned, verdict

NAME = "file-size"
STEP = 128


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    found = []
    for job in setting.jobs.values():
        largest = max((at.length for at in job.points if at.call == "write"), default=0)
        limits = [*range(0, largest, STEP), largest - 1] if largest else []
        for disposition in ("error", "signal"):
            limits = thinned(limits, 6) if setting.short else limits
            found += [Case(NAME, job.name, (disposition, str(limit))) for limit in limits]
    return found


def run_case(setting: Setting, case: Case, result: Result) -> None:
    job = setting.jobs[case.job]
    disposition, limit = case.words

    def restrict() -> None:
        # The disposition outlives the exec.
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if disposition == "signal" else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))

    with containers.sandbox(setting.directory, job.base) as root:
        ended = run(setting.command(job, root), prepare=restrict, restore_signals=False)
        if ended.status == -signal.SIGXFSZ and disposition == "signal":
            lines = oracle.neither_side(job, containers.snapshot(root))
            result.judge(case, lines + recovered(setting, job, root))
        elif ended.status == 0:
            result.missed.append(f"{case} did not strike")
        else:
            result.judge(case, verdict(setting, job, root, ended))
