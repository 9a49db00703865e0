"""Processes, and threads of one process, that do the same at once: migrate a model with its version beside it, or look up a
visitor's id for the first time.

One of them makes the model's one step, or the id, and all others must get what that one has made, also where one of them is killed
meanwhile; and so must whoever looks afterwards."""

import random
import re
import select
import subprocess
import tempfile
from pathlib import Path
from time import monotonic, sleep

from kinds import library
from run import SECONDS_AT_MOST
from setting import Case, Result, Setting

NAME = "races"
JOBS = [f"{place}{shapes}" for place in ("files", "encrypted", "defaults") for shapes in ("", "-shapes")] + ["identity"]
# How many processes, the rounds, and those of the short form.
WAYS = {"two": (2, 500, 10), "six": (6, 100, 0), "threads": (1, 500, 5), "killed": (2, 200, 5), "killed-six": (6, 100, 0)}
MADE = re.compile(r'\{"amount":500,"by":"[0-9A-F-]{36}"\}|[0-9A-F-]{36}')
ROUNDS_AT_ONCE = 50  # of one set of processes: every suite that a process has opened stays in its memory


class App:
    """A process that answers lines with lines."""

    def __init__(self, setting: Setting, job: str, home: Path) -> None:
        self.process = subprocess.Popen(
            [str(word) for word in library.words(setting, "race", job, home)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )

    def ask(self, line: str) -> None:
        print(line, file=self.process.stdin, flush=True)

    def answer(self) -> str:
        if not select.select([self.process.stdout], [], [], SECONDS_AT_MOST)[0]:
            return f"nothing in {SECONDS_AT_MOST} s"
        return self.process.stdout.readline().rstrip("\n")

    def kill(self) -> None:
        self.process.kill()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    found = []
    for job in JOBS:
        for way, (_, rounds, short) in WAYS.items():
            rounds = short if setting.short else rounds
            found += [Case(NAME, job, (way, str(first), str(min(ROUNDS_AT_ONCE, rounds - first))))
                      for first in range(0, rounds, ROUNDS_AT_ONCE)]
    return found


def run_case(setting: Setting, case: Case, result: Result) -> None:
    way, first, rounds = case.words[0], int(case.words[1]), int(case.words[2])
    chance = random.Random(str(case))
    with tempfile.TemporaryDirectory(prefix="races-", dir=setting.directory) as folder:
        home = Path(folder)
        (home / ".config").mkdir()
        # The last one only looks afterwards, so that it has nothing in its memory.
        apps = [App(setting, case.job, home) for _ in range(WAYS[way][0] + 1)]
        try:
            whole = lasts(apps[0])
            for number in range(first, first + rounds):
                wait = chance.uniform(0, whole) if way.startswith("killed") else None
                lines = raced(setting, case.job, home, apps, way, number, wait)
                result.judge(Case(NAME, case.job, (way, str(number), "1")), lines)
        finally:
            for app in apps:
                app.kill()


def lasts(app: App) -> float:
    """How many seconds a run takes. The first one, which also loads the program, does not count."""
    for line in ("prepare warm", "run warm", "prepare timed"):
        app.ask(line)
        app.answer()
    begun = monotonic()
    app.ask("run timed")
    app.answer()
    return monotonic() - begun


def raced(setting: Setting, job: str, home: Path, apps: list[App], way: str, number: int, wait: float | None) -> list[str]:
    """One round: all but the last at once, the first of them killed after so many seconds. Then the last."""
    apps[0].ask(f"prepare {number}")
    said = apps[0].answer()
    if said != "ready":
        return [f"prepare: {said}"]
    *racing, last = apps
    for app in racing:
        app.ask(f"{'threads' if way == 'threads' else 'run'} {number}")
    if wait is not None:
        sleep(wait)
        racing.pop(0).kill()
        apps[0] = App(setting, job, home)
    answers = [app.answer() for app in racing]
    for line in (f"run {number}", f"check {number}"):
        last.ask(line)
        answers.append(last.answer())
    if len(set(answers)) == 1 and MADE.fullmatch(answers[0]):
        return []
    return [f"those that raced: {said}" for said in sorted(set(answers[:-2]))] + [f"then: {said}" for said in answers[-2:]]
