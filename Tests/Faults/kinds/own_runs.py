"""A run of the user's own that was killed is recovered, also in a container that was moved. Changed in anything at all, copied, of
another user or another key, it is not.

Both are the same bytes but for one thing, so that the first shows that the second could have gone wrong."""

import json
import os
import re
import shutil
import signal
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Callable

import asking
import forger
import oracle
import stranger
from asking import ASKS
from kinds.forged import TELLING
from kinds.kill import RENAMES, puts
from run import KILL, TRACED, Point, Unsuitable, done, faulted, points, run
from setting import Case, Result, Setting
from stranger import OTHER_USER, Snapshot, World

NAME = "own-runs"
APPLY, CLEANUP = ASKS["apply-yes"].words, ASKS["cleanup-yes"].words
# What is killed, what was done before, and in front of which rename after the journal's.
KILLED = {"apply": (APPLY, (), 1), "cleanup": (CLEANUP, (APPLY,), 2)}
RECOVERING = ("recover", "recover-yes", "apply-yes", "review", "review-lines")
ASKED = (
    "apply", "apply-yes", "cleanup-yes", "rollback-yes", "recover", "recover-yes", "prune", "plan", "history", "review",
    "review-lines",
)
SHORT = 10


def journal(made: World) -> Path:
    return made.state / "journal.json"


def run_folder(made: World) -> Path:
    return made.state / "runs" / json.loads(journal(made).read_text())["run"]


def record(made: World) -> Path:
    return run_folder(made) / "record.json"


def first_copy(made: World) -> Path:
    return next((run_folder(made) / "after").iterdir())


Change = Callable[[dict], object]


def edited(path: Callable[[World], Path], change: Change) -> Callable[[World], None]:
    def tamper(made: World) -> None:
        document = json.loads(path(made).read_text())
        change(document)
        path(made).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")

    return tamper


def in_both(change: Change) -> Callable[[World], None]:
    """The same change to what the journal and what the record say of the first file."""
    def tamper(made: World) -> None:
        edited(record, lambda document: change(document["files"][0]))(made)
        edited(journal, lambda document: change(document["operations"][0]))(made)

    return tamper


def copy_changed(made: World) -> None:
    name = first_copy(made).name
    forger.private(first_copy(made), forger.FORGED)
    in_both(lambda file: file.update(after=forger.state_of(forger.FORGED, name, 0o600)))(made)


def torn(path: Callable[[World], Path]) -> Callable[[World], None]:
    return lambda made: os.truncate(path(made), path(made).stat().st_size // 2)


def earlier_record(made: World) -> None:
    """The record of another run of the same container, under this one's name."""
    other = next(path for path in sorted((made.state / "runs").iterdir()) if path != run_folder(made))
    shutil.copyfile(other / "record.json", record(made))


def earlier_record_renamed(made: World) -> None:
    earlier_record(made)
    edited(record, lambda document: document.update(id=run_folder(made).name))(made)


def given(path: Callable[[World], Path]) -> Callable[[World], None]:
    return lambda made: os.chown(path(made), OTHER_USER, OTHER_USER)


def seal_of_record(made: World) -> None:
    seal = json.loads(record(made).read_text())["seal"]
    edited(journal, lambda document: document.update(seal=seal))(made)


# A seal is over the whole document, so one change stands for all: ForeignStateTests says what else breaks one.
TAMPERS: dict[str, Callable[[World], object]] = {
    "seal-none": edited(journal, lambda document: document.pop("seal")),
    "seal-none-record": edited(record, lambda document: document.pop("seal")),
    "seal-of-record": seal_of_record,
    "path": in_both(lambda file: file.update(path=file["path"].replace("1xAcme", "other"))),
    "after": copy_changed,
    "journal-torn": torn(journal),
    "journal-empty": lambda made: journal(made).write_bytes(b""),
    "record-torn": torn(record),
    "record-gone": lambda made: record(made).unlink(),
    "record-earlier": earlier_record,
    "record-earlier-renamed": earlier_record_renamed,
    "copy-torn": torn(first_copy),
    "copy-gone": lambda made: first_copy(made).unlink(),
    "owner-journal": given(journal),
    "owner-record": given(record),
    "owner-all": lambda made: stranger.give_away(made.state),
}
# What is not done to the state but to where it is, or to whom it is shown. A container that was moved is ForeignStateTests'.
PLACES = ("container-copied", "key-gone")
NEED_EARLIER = ("record-earlier", "record-earlier-renamed")


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    found = []
    for form in ("package", "bare", "folder"):
        for job in KILLED if form == "package" else ("apply",):
            found += [Case(NAME, form, ("recovered", job, ask)) for ask in RECOVERING]
    for name in (*TAMPERS, *PLACES):
        if name.startswith("owner") and os.geteuid() != 0:
            continue
        job, forms = ("cleanup", ("package",)) if name in NEED_EARLIER else ("apply", ("package", "bare"))
        found += [Case(NAME, form, (name, job, ask)) for form in forms for ask in ASKED]
    return found


def run_case(setting: Setting, case: Case, result: Result) -> None:
    judge = recovered if case.words[0] == "recovered" else refused
    result.judge(case, judge(setting, case.job, *case.words))


def command(binary: Path, made: World, *words: str) -> list:
    return [binary, *(made.path if word == "PATH" else word for word in words)]


@lru_cache(maxsize=None)
def learned(binary: Path, directory: Path, form: str, job: str) -> tuple[Point, Snapshot]:
    """Where to kill a job so that it is decided and not complete, and what it leaves when it is not killed."""
    words, steps, number = KILLED[job]
    with stranger.world(directory, form) as made:
        stranger.arrive(binary, made)
        for step in steps:
            done(command(binary, made, *step))
        log = made.home.parent / "trace"
        ended = done(command(binary, made, *words), strace=TRACED, log=log)
        found = points(ended.log, made.root)
        decided = next(at for at in found if puts(at, "journal"))
        renames = [at for at in found if at.order > decided.order and at.call in RENAMES]
        return renames[min(number, len(renames)) - 1], stranger.snapshot(made)


def killed(binary: Path, directory: Path, made: World, job: str) -> None:
    """Does a job in a world and kills it once it is decided."""
    words, steps, _ = KILLED[job]
    at, _ = learned(binary, directory, made.form, job)
    for step in steps:
        done(command(binary, made, *step))
    ended = run(command(binary, made, *words), strace=faulted(at.struck(KILL)), log=made.home.parent / "trace")
    if ended.status != -signal.SIGKILL or not (made.state / "journal.json").is_file():
        raise Unsuitable(f"{job} was not killed: {ended.status}, {ended.text}")


def recovered(setting: Setting, form: str, _: str, job: str, name: str) -> list[str]:
    with stranger.world(setting.directory, form) as made:
        killed(setting.binary, setting.directory, made, job)
        _, wanted = learned(setting.binary, setting.directory, form, job)
        said = asking.answer(setting.binary, ASKS[name], made)
        wrong = stranger.differences(stranger.timeless(stranger.snapshot(made)), stranger.timeless(wanted))
        if said.status != 0:
            wrong.append(f"it ended with {said.line}")
        if journal(made).exists():
            wrong.append("the journal is still there")
        return wrong


def refused(setting: Setting, form: str, what: str, job: str, name: str) -> list[str]:
    with stranger.world(setting.directory, form) as made:
        state = None
        killed(setting.binary, setting.directory, made, job)
        if what == "key-gone":
            state = made.home.parent / "no-state"
        elif what == "container-copied":
            place = Path(shutil.copytree(made.root, made.home.parent / "copied", symlinks=True)).rename(made.home / "copied")
            made = replace(made, path=place / made.path.name if made.form == "bare" else place)
        else:
            TAMPERS[what](made)
        start = stranger.snapshot(made)
        said = asking.answer(setting.binary, ASKS[name], made, state)
        wrong = stranger.differences(stranger.snapshot(made), start)
        if said.status not in oracle.STATUSES:
            wrong.append(f"it ended with {said.line}")
        if (ASKS[name].writes or name in TELLING) and said.status != 5:
            wrong.append(f"it ended not with 5 but with {said.line}")
        if not re.search(r"recover|came|journal", said.text):
            wrong.append(f"it says nothing of what came along: {said.line}")
        return wrong
