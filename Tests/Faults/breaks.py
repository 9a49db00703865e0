"""Calls of the command that are swallowed, to see that the proof notices: strace reports success and does nothing."""

from jobs import Job
from run import Fault, Point
from setting import Setting

RENAMES = frozenset(["rename", "renameat", "renameat2"])


def is_journal(at: Point) -> bool:
    """The rename that makes a run decided."""
    return at.call in RENAMES and '/journal.json"' in at.text


def is_record(at: Point) -> bool:
    """The rename that puts a run's record in place."""
    return at.call in RENAMES and '/record.json"' in at.text


BREAKS = {"journal": is_journal, "record": is_record}


class NothingToBreak(Exception):
    """A job that makes no such call."""


def shows(name: str, job: Job) -> bool:
    """Whether the loss can show: a journal is there for several files at once, one alone is whole without it."""
    return name != "journal" or len(job.changed) > 1


def swallowed(name: str, job: Job) -> Point:
    for at in job.points:
        if BREAKS[name](at):
            return at
    raise NothingToBreak(f"{job.name} makes no call that puts a {name} in place")


def kills(name: str, job: Job) -> list[Point]:
    """The calls at which a kill may show the loss: those after it. strace does one thing to calls of one name at a
    time, so that those of the swallowed one's name are out of reach."""
    if not shows(name, job):
        return []
    lost = swallowed(name, job)
    return [at for at in job.points if at.writes and at.order > lost.order and at.call != lost.call]


def faults(setting: Setting, job: Job) -> list[Fault]:
    if setting.broken not in BREAKS:
        return []
    at = swallowed(setting.broken, job)
    return [Fault(at.call, at.nth, "retval=0")]
