#!/usr/bin/env python3
"""Faults the built command in every way there is, and judges what it leaves.

Needs Linux, strace and Python's standard library. Status 1 if a container came out wrong, a fault did not strike, a kind injected
nothing, or the check of itself found nothing."""

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import monotonic

import containers
from jobs import all_jobs, learn, make_key
from kinds import errors, forged, full_disk, kill, library, nested, odd_state, own_runs, races, self_check, together, writer
from run import Unsuitable
from setting import Case, Result, Setting, some

KINDS = {
    kind.NAME: kind
    for kind in (
        self_check, kill, nested, errors, full_disk, together, writer, library, races, forged, own_runs, odd_state,
    )
}
SHORT_JOBS = ("apply", "rollback", "cleanup", "rollback-cleanup", "set", "delete", "set-from")
SHOWN = 10
SOUND = ("ok", "found, as it must be", "not run")

setting: Setting  # of this process; workers are given theirs


def begin(given: Setting) -> None:
    global setting
    setting = given


def work(case: Case) -> Result:
    result = Result(case)
    KINDS[case.kind].run_case(setting, case, result)
    return result


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Tests/Faults", description="Faults the built command in every way there is.")
    parser.add_argument("--binary", type=Path, default=containers.REPOSITORY / ".build/debug/carryover", help="the command to fault")
    parser.add_argument("--short", action="store_true", help="a part of everything, in a minute at most")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="only this kind; repeatable")
    parser.add_argument("--case", type=Case.read, help="one case, as a failure names it")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many cases at once")
    return parser.parse_args()


def prepare(chosen: argparse.Namespace, directory: Path) -> Setting:
    given = Setting(chosen.binary.resolve(), directory, chosen.short)
    make_key(given.binary, directory)
    names = [chosen.case.job] if chosen.case else SHORT_JOBS if chosen.short else None
    for job in all_jobs():
        if names is None or job.name in names:
            learn(job, given.binary, directory)
            given.jobs[job.name] = job
    return given


def faulted(chosen: argparse.Namespace, given: Setting) -> list[Result]:
    if chosen.case:
        begin(given)
        return [work(chosen.case)]
    wanted = set(chosen.kind or KINDS)
    if nested.NAME in wanted:
        wanted.add(kill.NAME)
    results: list[Result] = []
    with ProcessPoolExecutor(chosen.processes, initializer=begin, initargs=(given,)) as pool:
        for name, kind in KINDS.items():
            if name not in wanted:
                continue
            why = kind.unavailable(given) if hasattr(kind, "unavailable") else None
            if why:
                results.append(Result(Case(name, "all"), not_run=why))
                continue
            cases = kind.cases(given, results)
            if given.short and hasattr(kind, "SHORT"):
                cases = of_each_job(cases, kind.SHORT)
            done = list(pool.map(work, cases, chunksize=1))
            found = "found, as they must be" if kind is self_check else "wrong"
            print(f"{name}: {sum(bool(one.wrong) for one in done)} of {len(done)} cases {found}", file=sys.stderr, flush=True)
            results += done
    return results


def of_each_job(cases: list[Case], count: int) -> list[Case]:
    jobs: dict[str, list[Case]] = {}
    for case in cases:
        jobs.setdefault(case.job, []).append(case)
    return [case for found in jobs.values() for case in some(found, count)]


def verdict(results: list[Result]) -> str:
    """What came of the cases of one row. A control, in which a call is swallowed, must leave something wrong."""
    missed = sum(len(one.missed) for one in results)
    wrong = any(one.wrong for one in results)
    if why := next((one.not_run for one in results if one.not_run), ""):
        return f"not run: {why}"
    if missed:
        return f"{missed} DID NOT STRIKE"
    if not any(one.injected for one in results):
        return "NOTHING INJECTED"
    if results[0].case.kind == self_check.NAME:
        return "found, as it must be" if wrong else "THE CHECK IS BLIND"
    return "WRONG" if wrong else "ok"


def show(results: list[Result], chosen: argparse.Namespace) -> bool:
    """Prints everything, and says whether all is sound."""
    again = ["python3", "Tests/Faults", "--binary", str(chosen.binary), "--case"]
    looked = [result for result in results if result.case.kind != self_check.NAME or chosen.case]
    for case, lines in [found for result in looked for found in result.wrong][:SHOWN]:
        print(f"WRONG {case}", *lines, f"again: {shlex.join([*again, str(case)])}", sep="\n  ")
    for line in [line for result in results for line in result.missed][:SHOWN]:
        print(f"DID NOT STRIKE {line}")
    rows: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        case = result.case
        name = f"{case.job}, lost {case.words[0]}" if case.kind == self_check.NAME else case.job
        rows.setdefault((case.kind, name), []).append(result)
    print(f"{'fault':<16}{'job':<30}{'injected':>9}{'wrong':>7}  ")
    for (kind, job), found in rows.items():
        counts = sum(one.injected for one in found), sum(len(one.wrong) for one in found)
        print(f"{kind:<16}{job:<30}{counts[0]:>9}{counts[1]:>7}  {verdict(found)}")
    return bool(rows) and all(verdict(found).startswith(SOUND) for found in rows.values())


def main() -> int:
    chosen = options()
    if sys.platform != "linux":
        print("faults: not run: strace is there for Linux alone")
        return 0
    if not shutil.which("strace"):
        print("faults: strace was not found; Scripts/setup.sh test installs it", file=sys.stderr)
        return 1
    if not chosen.binary.is_file():
        print(f"faults: {chosen.binary} is not there; make build builds it", file=sys.stderr)
        return 1
    start = monotonic()
    # Nothing that kills a process reaches the disk below the files, and memory is quicker.
    memory = "/dev/shm" if chosen.short and os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="carryover-faults-", dir=memory, ignore_cleanup_errors=True) as folder:
        directory = Path(folder).resolve()
        os.environ["XDG_STATE_HOME"] = str(directory / "state")  # where the command keeps its key
        try:
            results = faulted(chosen, prepare(chosen, directory))
        except Unsuitable as problem:
            print(f"faults: {problem}", file=sys.stderr)
            return 1
    sound = show(results, chosen)
    print(f"{monotonic() - start:.0f} s")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
