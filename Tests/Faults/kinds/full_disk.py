"""A disk that fills up: a small tmpfs with room for one page, or one file, more each time, until the job fits. And one that
is mounted read-only."""

import os
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import containers
import oracle
from jobs import CHOICES, Job
from run import run
from setting import Case, Result, Setting, verdict

NAME = "full-disk"
PAGE = 4096
STEPS_AT_MOST = 400
ROOMY = "size=64m,nr_inodes=10000"


@contextmanager
def on_disk(setting: Setting, base: Path | None) -> Iterator[Path]:
    with containers.sandbox(setting.directory) as outer:
        disk = outer.parent / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", ROOMY, "tmpfs", disk], check=True, capture_output=True)
        try:
            if base:
                containers.copy(base, disk / containers.NAME)
            yield disk / containers.NAME
        finally:
            subprocess.run(["umount", "-l", disk], check=False)


def remount(root: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", root.parent], check=True)


def unavailable(setting: Setting) -> str | None:
    """Why no file system can be mounted here, which needs root; None where one can."""
    try:
        with on_disk(setting, None):
            return None
    except (subprocess.CalledProcessError, OSError) as problem:
        return f"nothing can be mounted: {problem}"


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    return [Case(NAME, name, (what,)) for name in setting.jobs for what in ("pages", "files", "read-only")]


def run_case(setting: Setting, case: Case, result: Result) -> None:
    what, *step = case.words
    if what == "read-only":
        result.judge(case, read_only(setting, setting.jobs[case.job]))
        return
    for room in [int(step[0])] if step else range(0, STEPS_AT_MOST, 3 if setting.short else 1):
        if not fill(setting, Case(NAME, case.job, (what, str(room))), what, room, result):
            return
    if not step:
        result.missed.append(f"{case}: {STEPS_AT_MOST} {what} of room are not enough")


def fill(setting: Setting, case: Case, what: str, room: int, result: Result) -> bool:
    """Does the job with so much room, and says whether it was too little."""
    job = setting.jobs[case.job]
    with on_disk(setting, job.base) as root:
        used = os.statvfs(root)
        if what == "pages":
            limit = f"size={(used.f_blocks - used.f_bfree) * used.f_frsize + room * PAGE}"
        else:
            limit = f"nr_inodes={used.f_files - used.f_ffree + room}"
        remount(root, limit)
        ended = run(setting.command(job, root))
        first = run(setting.recovery(root))  # while there is still no room
        lines = [f"recovery on the full disk died: {first.text}"] if first.status < 0 else []
        remount(root, ROOMY)
        if ended.status == 0:
            return False
        result.judge(case, lines + verdict(setting, job, root, ended))
        return True


def read_only(setting: Setting, job: Job) -> list[str]:
    """A command that writes ends with an error and changes nothing; those that only read do their work."""
    with on_disk(setting, job.base) as root:
        before = containers.entries(root)
        remount(root, "ro")
        ended = run(setting.command(job, root))
        lines = oracle.as_stated(job, ended, root, job.before)
        lines += ["it ended with 0 on a read-only file system"] if ended.status == 0 else []
        for words in (["inspect"], ["plan", *CHOICES], ["recover"]):
            looked = run([setting.binary, words[0], str(root), *words[1:]])
            if looked.status != 0:
                lines.append(f"{words[0]} ended with {looked.status}: {looked.text}")
        return lines + oracle.differences(containers.entries(root), before)
