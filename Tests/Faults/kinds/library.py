"""An app of the library's, killed at every call with which it writes; then started again.

The app is `LibraryProbe`, which the tests' build makes. Its threads count their calls each for itself, so a point is named
by the thread too, in the order in which the threads came.
"""

from __future__ import annotations

import re
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path

from jobs import Unsuitable
from run import OPENING, TRACED, WRITING, Ended, run
from setting import Case, Result, Setting, thinned

NAME = "library"
JOBS = ("restore", "route", "model")
SHORT = 12  # of each job
TRIES = 3  # threads may come in another order

LINE = re.compile(r"^(\d+) +(\w+)\((.*)")


@dataclass(frozen=True)
class Place:
    """A call that writes into the app's home."""

    call: str
    nth: int  # among all calls of this name of its thread


def probe(setting: Setting) -> Path:
    found = setting.binary.parent / "LibraryProbe"
    if not found.is_file():
        raise Unsuitable(f"{found} is not there; swift build --build-tests builds it")
    return found


def words(setting: Setting, verb: str, job: str, home: Path) -> list:
    return ["env", f"HOME={home}", f"CFFIXED_USER_HOME={home}", "XDG_CONFIG_HOME=" + str(home / ".config"),
            probe(setting), verb, job, home]


def app(setting: Setting, verb: str, job: str, home: Path, strace=(), log: Path | None = None) -> Ended:
    return run(words(setting, verb, job, home), strace=["-f", *strace], log=log)


def home_of(setting: Setting, job: str) -> tempfile.TemporaryDirectory:
    """The home of an app that has run before, with the data of before."""
    folder = tempfile.TemporaryDirectory(prefix="library-", dir=setting.directory)
    home = Path(folder.name) / "home"
    (home / ".config").mkdir(parents=True)
    ended = app(setting, "prepare", job, home)
    if ended.status != 0:
        raise Unsuitable(f"LibraryProbe prepare {job} ended with {ended.status}: {ended.text}")
    return folder


def written(log: str, home: Path) -> list[Place]:
    """The calls of a trace that write into the home. One that a kill struck has no result and counts too."""
    counts: dict[tuple[str, str], int] = {}
    found = []
    for line in log.splitlines():
        match = LINE.match(line)
        if not match or "resumed>" in line:
            continue
        thread, call, rest = match.groups()
        counts[thread, call] = counts.get((thread, call), 0) + 1
        arguments = rest.rpartition(") = ")[0] or rest
        writes = call in WRITING and call != "close"
        writes = writes or call in OPENING and ("O_CREAT" in arguments or "O_TRUNC" in arguments)
        if writes and str(home) in arguments:
            found.append(Place(call, counts[thread, call]))
    return found


def learn(setting: Setting, job: str) -> list[Place]:
    """Does the job once, and checks that it does it, and that a second start writes nothing."""
    with home_of(setting, job) as folder:
        home, log = Path(folder) / "home", Path(folder) / "trace"
        ended = app(setting, "run", job, home, TRACED, log)
        wrong = [ended.text] if ended.status != 0 else settled(setting, job, home)
        if wrong:
            raise Unsuitable(f"LibraryProbe run {job}: " + "; ".join(wrong))
        places = written(ended.log, home)
    if not places:
        raise Unsuitable(f"LibraryProbe run {job} wrote nothing")
    return places


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    found = []
    for job in JOBS:
        places = sorted(set(learn(setting, job)), key=lambda one: (one.call, one.nth))
        if setting.short:
            places = thinned(places, SHORT)
        found += [Case(NAME, job, (one.call, str(one.nth))) for one in places]
    return found


def snapshot(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}


def settled(setting: Setting, job: str, home: Path) -> list[str]:
    """What is wrong with the home of an app that has done its work."""
    checked = app(setting, "check", job, home)
    wrong = [] if checked.status == 0 else [checked.text]
    before = snapshot(home)
    wrong += [f"{path} was left" for path in before if path.endswith((".tmp", ".carryover-copy", "-removal.data"))]
    again = app(setting, "run", job, home)
    if again.status != 0:
        wrong.append(f"a start with nothing to do ended with {again.status}: {again.text}")
    after = snapshot(home)
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    return wrong + [f"a start with nothing to do changed {path}" for path in changed]


def run_case(setting: Setting, case: Case) -> Result:
    result = Result(case)
    call, nth = case.words
    for _ in range(TRIES):
        with home_of(setting, case.job) as folder:
            home, log = Path(folder) / "home", Path(folder) / "trace"
            strace = ["-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={nth}"]
            ended = app(setting, "run", case.job, home, strace, log)
            if ended.status != -signal.SIGKILL:
                continue
            wrong = []
            recovered = app(setting, "run", case.job, home)
            if recovered.status != 0:
                wrong.append(f"the next start ended with {recovered.status}: {recovered.text}")
            result.judge(case, wrong + settled(setting, case.job, home))
            return result
    result.missed.append(f"{case} did not strike: status {ended.status}, {ended.text}")
    return result
