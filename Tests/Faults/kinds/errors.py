"""Every call on the container answered with every error it may give; judged as it stands, then recovered."""

from run import Point, point
from setting import Case, Result, Setting, answered, verdict

NAME = "error"
SHORT = 40
RENAME = "EXDEV EACCES ENOSPC EIO EROFS EINVAL"
ERRORS = {
    "openat": "EACCES ENOSPC EMFILE EROFS ELOOP EEXIST",
    "openat2": "EACCES EMFILE ELOOP ENOSYS EPERM",
    "read": "EIO EINTR",
    "write": "ENOSPC EIO EINTR EDQUOT",
    "fsync": "EIO ENOSPC EINTR",
    "fdatasync": "EIO ENOSPC EINTR",
    "fchmod": "EPERM",
    "fchown": "EPERM",
    "mkdir": "EEXIST ENOSPC EACCES",
    "flock": "EAGAIN ENOLCK",  # EAGAIN is EWOULDBLOCK, by the name strace knows it by
    "close": "EIO",
    "ftruncate": "EIO",
    "rename": RENAME,
    "renameat2": RENAME + " ENOSYS",
    "unlink": "EACCES EBUSY EIO",
    "rmdir": "EACCES EBUSY EIO",
}
# How a system says that it has no such call; there is another way then, and it must be taken.
MISSING = {"renameat2": ("error=ENOSYS", "error=EINVAL"), "openat2": ("error=ENOSYS", "error=EPERM")}
SAME = {
    "open": "openat", "creat": "openat", "pread64": "read", "pwrite64": "write",
    "fchmodat": "fchmod", "chmod": "fchmod", "fchownat": "fchown", "chown": "fchown", "mkdirat": "mkdir",
    "renameat": "rename", "unlinkat": "unlink",
}


def faults(at: Point) -> list[str]:
    """What strace is told to do in place of a call: errors, and for reads and writes counts that are not true."""
    family = SAME.get(at.call, at.call)
    found = [f"error={name}" for name in ERRORS.get(family, "EIO").split()]
    if family == "write":
        # The bytes that are claimed to be written are lost.
        found += [f"retval={count}" for count in sorted({0, 1, at.length - 1} - {at.length}) if count >= 0]
    if family == "read":
        found += ["retval=0", "retval=1"]
    return found


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    return [
        Case(NAME, job.name, (at.call, str(at.index), what))
        for job in setting.jobs.values() for at in job.points for what in faults(at)]


def run_case(setting: Setting, case: Case, result: Result) -> None:
    job = setting.jobs[case.job]
    at = point(job.points, *case.words[:2])
    what = case.words[2]
    with answered(setting, job.base, lambda root: setting.command(job, root), at, what) as (root, ended, struck):
        if not struck:
            result.missed.append(f"{case} did not strike: status {ended.status}, {ended.text}")
            return
        wrong = verdict(setting, job, root, ended)
        if what in MISSING.get(at.call, ()) and ended.status != 0:
            wrong.append(f"it knows no way without {at.call}: {ended.text}")
        result.judge(case, wrong)
