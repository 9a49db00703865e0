"""The app at work: a second writer replaces the target again and again while every rename of an apply is held up. The app's last
write must be what the app's own key holds at the end, whoever won."""

import os
import plistlib
import random
import threading
from pathlib import Path

import containers
import oracle
from containers import OF_THE_APP, SAMPLES, STATE, TARGET
from run import Ended, run
from setting import Case, Result, Setting

NAME = "writer"
CASES, SHORT = 60, 6
RENAMES = "?rename,?renameat,?renameat2"


class App(threading.Thread):
    """Writes its preferences the way apps do: a new file beside the old one, renamed into its place."""

    def __init__(self, root: Path, aimed: bool, first: float, pause: float, writes: int) -> None:
        super().__init__()
        self.target, self.journal = root / TARGET, root / STATE / "journal.json"
        self.aimed, self.first, self.pause, self.writes = aimed, first, pause, writes
        self.ended = threading.Event()
        self.last = 0

    def run(self) -> None:
        # The journal comes right before the rename that puts the new file in place.
        while self.aimed and not self.journal.exists() and not self.ended.is_set():
            self.ended.wait(0.001)
        self.ended.wait(self.first)
        while not self.ended.is_set() and self.last < self.writes:
            self.write(self.last + 1)
            self.ended.wait(self.pause)

    def write(self, counter: int) -> None:
        temporary = self.target.parent / ".app-writes"
        temporary.write_bytes(SAMPLES.binary({**OF_THE_APP, "app.counter": counter}))
        os.replace(temporary, self.target)
        self.last = counter


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    names = [name for name in ("apply", "rollback", "set") if name in setting.jobs]
    return [Case(NAME, name, (str(number),)) for name in names for number in range(CASES)]


def run_case(setting: Setting, case: Case, result: Result) -> None:
    """Some apps write once or twice, when the run is about to replace the file; some go on and on all the time."""
    job = setting.jobs[case.job]
    chance = random.Random(str(case))
    delay = chance.choice((20, 60))
    aimed = chance.random() < 0.6
    with containers.sandbox(setting.directory, job.base) as root:
        first = chance.uniform(0, 2 * delay / 1000 if aimed else 0.3)
        app = App(root, aimed, first, chance.choice((0, 0.002, 0.02, 0.05)), chance.choice((1, 2, 100000)))
        app.start()
        strace = ["-e", f"trace={RENAMES}"]
        for call in ("renameat", "renameat2"):
            strace += ["-e", f"inject=?{call}:delay_enter={delay}ms:delay_exit={delay // 2}ms"]
        ended = run(setting.command(job, root), strace=strace, log=root.parent / "trace")
        app.ended.set()
        app.join()
        if app.last == 0:
            app.write(1)  # it came too late to disturb; its write must still be there in the end
        result.judge(case, judged(setting, root, app.last, ended))


def judged(setting: Setting, root: Path, last: int, ended: Ended) -> list[str]:
    lines = []
    if ended.status not in oracle.STATUSES:
        lines.append(f"status {ended.status}: {ended.text}")
    lines += kept(root, last, f"status {ended.status}, {ended.text}")
    recovery = run(setting.recovery(root))
    # Where the app wrote between two steps of a run, a person has to say what becomes of it.
    if recovery.status not in (0, 5):
        lines.append(f"recovery ended with {recovery.status}: {recovery.text}")
    lines += kept(root, last, f"after recovery, {recovery.text}")
    return lines + (oracle.temporaries(root) if recovery.status == 0 else [])


def kept(root: Path, last: int, when: str) -> list[str]:
    try:
        held = plistlib.loads((root / TARGET).read_bytes()).get("app.counter")
    except (OSError, plistlib.InvalidFileException) as problem:
        return [f"the app's file cannot be read: {problem} ({when})"]
    return [] if held == last else [f"the app wrote {last} last, and the file holds {held} ({when})"]
