"""Judges a container after a fault, and what the command said about it. A judgement is a list of what is wrong."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import containers
from containers import REPOSITORY, STATE, Snapshot
from jobs import Job, record, run_ids
from run import Ended

NOTHING_CHANGED = "Nothing was changed."
TAKEN_BACK = "every file is as it was."

TEMPORARY = re.compile(r"(^|/)\.carryover-[^/]*\.tmp$")

# Everything a state folder may hold once no run is at work.
IN_STATE = re.compile(r"lock|runs|runs/[^/]+(/(record\.json|before|after|(before|after)/[^/]+))?")
# The exit statuses that Documentation/Command.md lists.
LISTED = (REPOSITORY / "Documentation/Command.md").read_text().split("## Exit statuses", 1)[1].split("\n## ", 1)[0]
STATUSES = frozenset(int(number) for number in re.findall(r"^\| (\d+) \|", LISTED, re.MULTILINE))


def differences(found: Snapshot, wanted: Snapshot) -> list[str]:
    """How a container differs from what it should be, a line for each path."""
    lines = []
    for path in sorted(found.keys() | wanted.keys()):
        if path not in found:
            lines.append(f"{path} is missing")
        elif path not in wanted:
            lines.append(f"{path} is there and should not be")
        elif found[path] != wanted[path]:
            (kind, *fixed, content), (wanted_kind, *wanted_fixed, wanted_content) = found[path], wanted[path]
            if content != wanted_content:
                lines.append(f"{path} has {len(content)} other bytes than its {len(wanted_content)}")
            if (kind, fixed) != (wanted_kind, wanted_fixed):
                (mode, *owner), (wanted_mode, *wanted_owner) = fixed, wanted_fixed
                lines.append(f"{path} is a {kind} {mode:o} of {owner} instead of {wanted_mode:o} of {wanted_owner}")
    return lines


def temporaries(root: Path) -> list[str]:
    """What must not stay: temporaries, a journal, and whatever else the state folder does not keep."""
    found = containers.entries(root)
    lines = [f"{path} was left" for path in found if TEMPORARY.search(path)]
    for path, (kind, mode, *_) in found.items():
        if path.startswith(STATE + "/") and not IN_STATE.fullmatch(path.removeprefix(STATE + "/")):
            lines.append(f"{path} was left")
        if path.split("/")[0] == STATE and mode != (0o700 if kind == "folder" else 0o600):
            lines.append(f"{path} has the mode {mode:o}, and others may read it")
    return lines


def as_stated(job: Job, ended: Ended, root: Path, start: Snapshot) -> list[str]:
    """Whether the exit status is documented and the sentence true. The container may still await its recovery. `start` is what the
    container held when the command began."""
    wrong: list[str] = []
    if ended.status < 0:
        return [f"it died of signal {-ended.status}: {ended.text}"]
    if ended.status not in STATUSES:
        wrong.append(f"the exit status {ended.status} is not documented: {ended.text}")
    now = containers.snapshot(root)
    wrong += neither_side(job, now)
    if ended.status == 0:
        return wrong
    if not ended.err.startswith("carryover: "):
        wrong.append(f"status {ended.status} without a sentence: {ended.text}")
    if ended.out:
        wrong.append(f"status {ended.status} with something on standard output: {ended.text}")
    wrong += [f"it says “{ended.text}”, but {line}" for line in untrue(ended, now, start)]
    return wrong


def untrue(ended: Ended, now: Snapshot, start: Snapshot) -> list[str]:
    """How the container contradicts a command that failed. One that owns up to work not ended may leave it so."""
    if NOTHING_CHANGED not in ended.err and TAKEN_BACK not in ended.err:
        if "recover" in ended.err or ended.status == 5:
            return []
    return differences(without_leftovers(now, start), without_leftovers(start, now))


def without_leftovers(held: Snapshot, other: Snapshot) -> Snapshot:
    """Without what any command that writes may remove: temporaries, and folders with nothing but those in them."""

    def is_leftover(path: str) -> bool:
        if held[path][0] == "folder":
            return path not in other and all(is_leftover(inner) for inner in held if inner.startswith(path + "/"))
        return TEMPORARY.search(path) is not None

    return {path: entry for path, entry in held.items() if not is_leftover(path)}


def neither_side(job: Job, now: Snapshot) -> list[str]:
    """Files that are neither as they were nor as they are to be, which no file may be at any moment."""
    return [f"{path} is neither the old one nor the new one" for path in sorted(job.before.keys() | job.after.keys())
            if now.get(path) not in (job.before.get(path), job.after.get(path))]


def excused(job: Job, ended: Ended) -> Job:
    """The job without the files that a cleanup could not see and left alone, which is right if it says so; and with
    new files of our own where they could not be given to the app's owner."""
    named = set(re.findall(r'nothing was removed from "([^"]*)"', ended.err)) & set(job.changed)
    for folder in re.findall(r'"([^"]*)" could not be listed', ended.err):
        named |= {path for path in job.changed if path.startswith(folder + "/")}
    after = {path: entry for path, entry in job.after.items() if path not in named}
    if re.search(r"fchown\(.*EPERM.*INJECTED", ended.log):
        for path in after.keys() - job.before.keys():
            kind, mode, _, _, content = after[path]
            after[path] = (kind, mode, os.geteuid(), os.getegid(), content)
    return replace(job, after={**after, **{path: job.before[path] for path in named if path in job.before}})


def settled(job: Job, root: Path, side: str | None = None) -> list[str]:
    """Whether all is on one side with nothing left over, and the backup whole. `side` says which side it must be."""
    now = containers.snapshot(root)
    wrong = temporaries(root)
    new = run_ids(root) - job.runs
    gone = job.runs - run_ids(root)
    if gone:
        wrong.append(f"the runs {', '.join(sorted(gone))} are gone")
    if now == job.after and side != "before":
        if len(new) != 1:
            wrong.append(f"{len(new)} runs stand for what was done")
        return wrong + [line for run_id in new for line in stands(job, root, run_id)]
    if now == job.before and side != "after":
        return wrong + [f"the run {run_id} was left, though all is as it was" for run_id in sorted(new)]
    wrong.append("the container is " + ("on the other side" if now in (job.before, job.after) else "on neither side"))
    wanted = job.after if side == "after" else job.before
    return wrong + differences(now, wanted)


def stands(job: Job, root: Path, run_id: str) -> list[str]:
    """Whether a run's record says that it is done, and its backup holds the old bytes."""
    try:
        found = record(root, run_id)
    except (OSError, json.JSONDecodeError, UnicodeDecodeError) as error:
        return [f"the record of {run_id} cannot be read: {error}"]
    wrong = []
    if found.get("state") != "done" or found.get("kind") != job.kind:
        wrong.append(f"the record says {found.get('kind')}, {found.get('state')}")
    if sorted(file["path"] for file in found["files"]) != job.changed:
        wrong.append(f"the record names other files than {', '.join(job.changed)}")
    for file in found["files"]:
        for side, snapshot in (("before", job.before), ("after", job.after)):
            wrong += copy_problem(root, run_id, file, side, snapshot.get(file["path"]))
    return wrong


def copy_problem(root: Path, run_id: str, file: dict, side: str, entry) -> list[str]:
    if (file[side] == "absent") != (entry is None):
        return [f"the record has {file['path']} {side} the run as {file[side]}"]
    if entry is None:
        return []
    path = Path(STATE) / "runs" / run_id / side / file[side]["name"]
    try:
        content = (root / path).read_bytes()
    except OSError as error:
        return [f"{path}: {error.strerror}"]
    wrong = [] if content == entry[4] else [f"{path} does not hold the bytes of {file['path']} {side} the run"]
    if int(file[side]["mode"], 8) != entry[1]:
        wrong.append(f"the record has the mode {file[side]['mode']} for {file['path']} {side} the run")
    return wrong
