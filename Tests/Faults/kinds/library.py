"""An app of the library's, killed at every call with which it writes; then started again.

The app is `LibraryProbe`, which the tests' build makes. It does everything on one thread, so that a call is named by its number and
every start makes the same calls: each write into the app's home is struck exactly once. A new order of writes at an app's start is a
job of `LibraryProbe`, listed in JOBS; where several processes may write at once, it is a race too."""

import re
import signal
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Iterator

import containers
import oracle
from run import KILL, TRACED, Ended, Point, Unsuitable, done, faulted, points, run
from setting import Case, Result, Setting

NAME = "library"
JOBS = ("restore", "route", "model", "version")
# Notes of what is about to be removed. With one lost, a value that the app has set is replaced by the one from before, or
# a value that was carried over is carried over again.
BREAKS = {"theme-note": "/theme.carryover-removal", "stamp-note": "/stamp.carryover-removal"}
BROKEN_JOB = "route"

# What differs from start to start in the text of a call.
CHANCE = re.compile(r"[0-9a-f]+-[0-9a-f]+-[0-9a-f]+\.tmp|\d+<|, \d+\)|\.sb-[0-9a-f-]+|= .*")


def words(setting: Setting, verb: str, job: str, home: Path) -> list:
    homes = [f"HOME={home}", f"CFFIXED_USER_HOME={home}", f"XDG_CONFIG_HOME={home}/.config"]
    return ["env", *homes, setting.binary.parent / "LibraryProbe", verb, job, home]


def app(setting: Setting, verb: str, job: str, home: Path, strace=(), log: Path | None = None) -> Ended:
    return run(words(setting, verb, job, home), strace=["-f", *strace], log=log)


@contextmanager
def home_of(setting: Setting, job: str) -> Iterator[Path]:
    """The home of an app that has run before, with the data of before."""
    with tempfile.TemporaryDirectory(prefix="library-", dir=setting.directory) as folder:
        home = Path(folder) / "home"
        (home / ".config").mkdir(parents=True)
        done(words(setting, "prepare", job, home))
        yield home


def written(log: str, home: Path) -> list[Point]:
    """The calls of a trace that write into the home. One that a kill struck has no result and counts too."""
    return [replace(at, index=0, order=0, text=CHANCE.sub("", at.text)) for at in points(log, home) if at.writes and at.call != "close"]


def learn(setting: Setting, job: str) -> list[Point]:
    """Does the job once, and checks that it does it, and that a second start writes nothing."""
    with home_of(setting, job) as home:
        log = home.parent / "trace"
        ended = done(words(setting, "run", job, home), strace=["-f", *TRACED], log=log)
        if wrong := settled(setting, job, home):
            raise Unsuitable(f"LibraryProbe run {job}: " + "; ".join(wrong))
        writers = {line.split()[0] for line in ended.log.splitlines() if written(line, home)}
        if len(writers) != 1:
            raise Unsuitable(f"LibraryProbe run {job} writes in {len(writers)} threads")
        return written(ended.log, home)


def learned(setting: Setting, job: str) -> list[Point]:
    """The places at which a job writes, which must be the same every time."""
    places, again = learn(setting, job), learn(setting, job)
    if places != again:
        raise Unsuitable(f"LibraryProbe run {job} does not write the same twice: {places}, then {again}")
    return places


def broken(places: list[Point], name: str) -> list[tuple[str, ...]]:
    """A note to lose, with the calls behind the write of its value at which a kill may show the loss. strace does one thing
    to calls of one name at a time, so that those of the lost one's name are out of reach."""
    index = next((at for at, place in enumerate(places) if place.call.startswith("rename") and BREAKS[name] in place.text), None)
    if index is None:
        raise Unsuitable(f"LibraryProbe writes no {name}")
    note = places[index]
    value = next(at for at in range(index + 1, len(places)) if places[at].call == note.call)
    kills = [place for place in places[value + 1:] if place.call != note.call][:6]
    return [(name, f"{note.call}:{note.nth}", place.call, str(place.nth)) for place in kills]


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    return [Case(NAME, job, (one.call, str(one.nth))) for job in JOBS for one in learned(setting, job)]


def broken_cases(setting: Setting, kind: str) -> list[Case]:
    places = learned(setting, BROKEN_JOB)
    return [Case(kind, BROKEN_JOB, words) for name in BREAKS for words in broken(places, name)]


def values(setting: Setting, job: str, home: Path) -> dict[str, str]:
    ended = app(setting, "values", job, home)
    return dict(line.split("=", 1) for line in ended.out.splitlines() if "=" in line)


def settled(setting: Setting, job: str, home: Path) -> list[str]:
    before = containers.entries(home)
    wrong = [f"{path} was left" for path in before if path.endswith((".tmp", ".carryover-copy", "-removal.data"))]
    again = app(setting, "again", job, home)
    if again.status != 0:
        wrong.append(f"a start with nothing to do ended with {again.status}: {again.text}")
    return wrong + [f"after a start with nothing to do, {line}" for line in oracle.differences(containers.entries(home), before)]


def run_case(setting: Setting, case: Case, result: Result) -> None:
    """Kills a start at a call; with a note to lose, which the words name before it, swallows that one's call too."""
    *_, call, nth = case.words
    swallowed = case.words[1:-2]
    with home_of(setting, case.job) as home:
        log = home.parent / "trace"
        strace = faulted((call, nth, KILL), *((*note.split(":"), "retval=0") for note in swallowed))
        ended = app(setting, "run", case.job, home, strace, log)
        at = [place for place in written(ended.log, home) if (place.call, place.nth) == (call, int(nth))]
        if ended.status != -signal.SIGKILL or not at:
            result.missed.append(f"{case} did not strike: status {ended.status}, {ended.text}")
            return
        stood = values(setting, case.job, home)
        recovered = app(setting, "run", case.job, home)
        wrong = []
        if recovered.status != 0:
            wrong.append(f"the next start ended with {recovered.status}: {recovered.text}")
        stands = values(setting, case.job, home)
        for name, value in stood.items():
            if stands.get(name) != value:
                wrong.append(f"{name} stood already as {value!r} and was replaced by {stands.get(name)!r}")
        result.judge(case, wrong + settled(setting, case.job, home))
