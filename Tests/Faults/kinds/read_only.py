"""Folders that may not be written to, one at a time, and a file system that is mounted read-only."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import containers
import oracle
from containers import SAMPLES, STATE, Snapshot
from jobs import CHOICES, Job
from kinds import full_disk
from run import run
from setting import Case, Result, Setting, verdict

NAME = "read-only"
FOLDERS = {
    "root": "", "state": STATE, "runs": f"{STATE}/runs", "library": "AppData/Library",
    "preferences": SAMPLES.PREFERENCES,
}
# Modes mean nothing to root; this is whom it becomes.
NOBODY = 65534


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    found = []
    for job in setting.jobs.values():
        found += [Case(NAME, job.name, (name,)) for name, path in FOLDERS.items() if (job.base / path).is_dir()]
        if not full_disk.unavailable(setting):
            found.append(Case(NAME, job.name, ("mount",)))
    return found


def run_case(setting: Setting, case: Case) -> Result:
    result = Result(case)
    if case.words == ("mount",):
        result.judge(case, mounted(setting, setting.jobs[case.job]))
        return result
    user = NOBODY if os.geteuid() == 0 else None
    job = owned(setting.jobs[case.job], user)
    with containers.sandbox(setting.directory, job.base) as root:
        if user is not None:
            give(root.parent, user)
            if run([setting.binary, "--version"], user=user).status != 0:
                result.missed.append(f"{case}: nobody but root may run {setting.binary}")
                return result
        folder = root / FOLDERS[case.words[0]]
        mode = stat.S_IMODE(folder.stat().st_mode)
        folder.chmod(mode & ~0o222)
        ended = run(setting.command(job, root), user=user)
        folder.chmod(mode)
        result.judge(case, verdict(setting, job, root, ended))
    return result


def mounted(setting: Setting, job: Job) -> list[str]:
    """A command that writes ends with an error and changes nothing; those that only read do their work."""
    with containers.sandbox(setting.directory) as outer, full_disk.small_disk(outer.parent / "disk", "size=64m"):
        disk = outer.parent / "disk"
        root = disk / containers.NAME
        containers.copy(job.base, root)
        before = containers.entries(root)
        full_disk.remount(disk, "ro")
        ended = run(setting.command(job, root))
        lines = oracle.as_stated(job, ended, root, job.before)
        lines += ["it ended with 0 on a read-only file system"] if ended.status == 0 else []
        for words in (["inspect"], ["plan", *CHOICES], ["recover"]):
            looked = run([setting.binary, words[0], str(root), *words[1:]])
            if looked.status != 0:
                lines.append(f"{words[0]} ended with {looked.status}: {looked.text}")
        return lines + oracle.differences(containers.entries(root), before)


def owned(job: Job, user: int | None) -> Job:
    """The job in a container that belongs to one user."""

    def given(held: Snapshot) -> Snapshot:
        if user is None:
            return held
        return {path: (kind, mode, user, user, content) for path, (kind, mode, _, _, content) in held.items()}

    return replace(job, before=given(job.before), after=given(job.after))


def give(folder: Path, user: int) -> None:
    os.chown(folder, user, user)
    for path in folder.rglob("*"):
        os.chown(path, user, user, follow_symlinks=False)
