"""Two commands on one container at once. What is left must be what some order of them, one after the other, leaves."""

import random
import subprocess
from pathlib import Path
from time import sleep

import containers
import jobs
import oracle
from containers import Snapshot
from run import Ended, done, run
from setting import Case, Result, Setting

NAME = "together"

# The commands, and what was done to the container before.
PAIRS = {
    "apply+apply": (("apply", "apply"), ()),
    "apply+rollback": (("apply", "rollback"), ("apply-some",)),
    "cleanup+apply": (("cleanup", "apply"), ("apply-some",)),
    "cleanup+rollback": (("cleanup", "rollback"), ("apply",)),
    "recover+apply": (("recover", "apply"), ("apply-some",)),
    "set-from+apply": (("set-from", "apply"), ()),
    "set+rollback": (("set", "rollback"), ("apply",)),
    "set+delete": (("set", "delete"), ()),
}
CASES, ROUNDS, SHORT = 6, 20, 1


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    return [Case(NAME, pair, (str(number),)) for pair in PAIRS for number in range(CASES)]


def run_case(setting: Setting, case: Case, result: Result) -> None:
    pair, steps = PAIRS[case.job]
    chance = random.Random(str(case))
    with containers.sandbox(setting.directory) as base:
        containers.make(base, cached=True, packed=True)
        for step in steps:
            done([setting.binary, *jobs.arguments(step, base)])
        allowed = outcomes(setting, base, pair)
        for _ in range(4 if setting.short else ROUNDS):
            with containers.sandbox(setting.directory, base) as root:
                ended = at_once(setting, root, pair, chance.uniform(-0.03, 0.03))
                result.judge(case, judged(setting, root, allowed, ended))


def outcomes(setting: Setting, base: Path, pair: tuple[str, str]) -> list[Snapshot]:
    """What the container holds after any of the two, both in either order, or none."""
    found = [containers.snapshot(base)]
    for order in ((0,), (1,), (0, 1), (1, 0)):
        with containers.sandbox(setting.directory, base) as root:
            words = [jobs.arguments(name, root) for name in pair]  # a rollback takes back what both of them found
            for number in order:
                run([setting.binary, *words[number]])
            found.append(containers.snapshot(root))
    return found


def at_once(setting: Setting, root: Path, pair: tuple[str, str], lead: float) -> list[Ended]:
    """Starts both, the second by so many seconds later; earlier, if that is below 0."""
    words = [[str(word) for word in (setting.binary, *jobs.arguments(name, root))] for name in pair]
    started = []
    for command in words if lead >= 0 else words[::-1]:
        started.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        sleep(abs(lead) if len(started) == 1 else 0)
    ended = []
    for process in started:
        out, err = process.communicate()
        ended.append(Ended(process.returncode, out.decode(errors="replace"), err.decode(errors="replace")))
    return ended


def judged(setting: Setting, root: Path, allowed: list[Snapshot], ended: list[Ended]) -> list[str]:
    lines = []
    for one in ended:
        if one.status not in oracle.STATUSES:
            lines.append(f"status {one.status}: {one.text}")
        elif one.status != 0 and not one.err.startswith("carryover: "):
            lines.append(f"status {one.status} without a sentence: {one.text}")
    if all(one.status != 0 for one in ended):
        lines.append("neither did its work: " + " / ".join(one.text for one in ended))
    now = containers.snapshot(root)
    if now not in allowed:
        lines += ["no order of the two leaves this", *oracle.differences(now, allowed[-1])]
    lines += oracle.temporaries(root)
    lines += [f"the run {run_id} is not done" for run_id in jobs.run_ids(root) if jobs.record(root, run_id)["state"] != "done"]
    again = run(setting.recovery(root))
    if again.status != 0 or containers.snapshot(root) != now:
        lines.append(f"a recovery afterwards has something to do: {again.text}")
    return lines
