"""Runs that Carryover itself has made in a stranger's world: finished, or killed once they were decided."""

from __future__ import annotations

import signal
from functools import lru_cache
from pathlib import Path

import stranger
from containers import SAMPLES
from kinds.kill import RENAMES, puts
from run import TRACED, Point, Unsuitable, done, faulted, points, run
from stranger import Snapshot, World

APPLY = ("apply", "PATH", "--write-key", SAMPLES.WRITE_KEY, "--now", "2025-11-20T12:05:00Z", "--yes")
CLEANUP = ("cleanup", "PATH", "--write-key", SAMPLES.WRITE_KEY, "--yes")
# What is killed, what was done before, and in front of which rename after the journal's.
KILLED = {"apply": (APPLY, (), 1), "cleanup": (CLEANUP, (APPLY,), 2)}


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


def killed(binary: Path, directory: Path, made: World, job: str, state: Path | None = None) -> None:
    """Does a job in a world and kills it once it is decided. `state` is where its user keeps the key."""
    words, steps, _ = KILLED[job]
    at, _ = learned(binary, directory, made.form, job)
    for step in steps:
        done(command(binary, made, *step), state=state)
    ended = run(command(binary, made, *words), strace=faulted(at.struck("signal=KILL")), log=made.home.parent / "trace", state=state)
    if ended.status != -signal.SIGKILL or not (made.state / "journal.json").is_file():
        raise Unsuitable(f"{job} was not killed: {ended.status}, {ended.text}")


def other_user(binary: Path, directory: Path) -> Path:
    """Where another user keeps a key; it is there."""
    place = directory / "state-of-another"
    with stranger.world(directory, "package") as made:
        done(command(binary, made, *APPLY), state=place)
    return place
