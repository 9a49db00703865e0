"""What is done to the containers: each job with the container it starts from, its command line, and both sides."""

import json
import plistlib
from dataclasses import dataclass, field
from pathlib import Path

import containers
from containers import (
    BLOB, CACHED, FLAGS, LEGACY, NAME, NEW_PERSON, OF_THE_APP, PERSON, SAMPLES, STANDARD, STATE, TARGET, Snapshot,
)
from run import TRACED, Point, Unsuitable, done, points

CHOICES = ["--write-key", SAMPLES.WRITE_KEY]
MOMENT = ["--now", SAMPLES.NOW]
LEGACY_KEYS = set(SAMPLES.good_values())

# Changes by hand: the words of the command, and what the stores hold then instead.
CHANGES = Path(__file__).with_name("changes.json")
EDITS = {
    "set": [TARGET, "app\\.list[1]", "5"],
    "delete": [STANDARD, "flags.beta"],
    "set-from": ["--from", str(CHANGES)],
}
EDITED = {
    "set": {TARGET: {"app.list": ["one", 5, 3.5, False]}},
    "delete": {STANDARD: {"flags": FLAGS.replace('"beta": true, ', "")}},
    "set-from": {
        TARGET: {"app.note": "changed"},
        STANDARD: {"flags": FLAGS.replace("2]", "7]"), "blob": {"inner": {"n": 2, "m": "kept"}}},
    },
}


def arguments(name: str, root: Path) -> list[str]:
    if name == "rollback":
        newest = max(run_ids(root), key=lambda run_id: int(run_id.rpartition("-")[2]))
        return ["rollback", str(root), "--run", newest, "--yes"]
    if name == "cleanup":
        return ["cleanup", str(root), *CHOICES, "--yes"]
    if name == "recover":
        return ["recover", str(root)]
    if name in EDITS:
        return ["set" if name == "set-from" else name, str(root), *EDITS[name], "--yes"]
    more = {"apply-some": ["--only", "anonymous_id", "--only", "traits"], "apply-recipes": ["--recipe", "all"]}
    return ["apply", str(root), *CHOICES, *MOMENT, *more.get(name, []), "--yes"]


@dataclass
class Job:
    """A job, the container it starts from, and what the container holds before and after it."""

    name: str
    command: str  # which command line it is
    steps: tuple[str, ...]  # what was done to the container before it
    options: dict = field(default_factory=dict)  # of the container
    base: Path = Path()
    before: Snapshot = field(default_factory=dict)
    after: Snapshot = field(default_factory=dict)
    runs: frozenset[str] = frozenset()  # the runs that the container has before it
    points: list[Point] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return "edit" if self.command in EDITS else self.command.removesuffix("-recipes")

    @property
    def changed(self) -> list[str]:
        return sorted(
            path for path in self.before.keys() | self.after.keys()
            if self.before.get(path) != self.after.get(path)
            and "file" in (self.before.get(path, " ")[0], self.after.get(path, " ")[0])
        )


def all_jobs() -> list[Job]:
    three = {"cached": True}
    return [
        Job("apply", "apply", ()),
        Job("rollback", "rollback", ("apply",)),
        Job("cleanup", "cleanup", ("apply",), three),
        Job("apply-new", "apply", (), {"target": False}),
        Job("rollback-new", "rollback", ("apply",), {"target": False}),
        Job("rollback-cleanup", "rollback", ("apply", "cleanup"), three),
        Job("apply-recipes", "apply-recipes", (), {"person": True}),
        Job("rollback-recipes", "rollback", ("apply-recipes",), {"person": True}),
        *(Job(name, name, (), {"packed": True}) for name in EDITS),
        Job("rollback-set-from", "rollback", ("set-from",), {"packed": True}),
    ]


def make_key(binary: Path, directory: Path) -> None:
    """Does something once, so that the user's key is there: a job makes the same calls every time then."""
    with containers.sandbox(directory) as root:
        containers.make(root)
        done([binary, *arguments("apply", root)])


def learn(job: Job, binary: Path, directory: Path) -> None:
    """Does the job once without a fault, to know its two sides and its calls, and checks them without the product."""
    folder = directory / f"job-{job.name}"
    folder.mkdir()
    folder.chmod(0o755)
    job.base = folder / NAME
    containers.make(job.base, **job.options)
    for step in job.steps:
        done([binary, *arguments(step, job.base)])
    job.before = containers.snapshot(job.base)
    job.runs = run_ids(job.base)
    with containers.sandbox(directory, job.base) as root:
        log = root.parent / "trace"
        ended = done([binary, *arguments(job.command, root)], strace=TRACED, log=log)
        job.after = containers.snapshot(root)
        job.points = points(ended.log, root)
    check_sides(job)


def check_sides(job: Job) -> None:
    """The two sides of a job as they must be; the product's own word does not count."""
    if not job.changed:
        raise Unsuitable(f"{job.name} changed nothing")
    name = job.name.removeprefix("rollback-")
    if name in EDITS:
        check_edit(job, EDITED[name])
        return
    files = {"cleanup": [STANDARD, LEGACY, CACHED], "recipes": [STANDARD, TARGET]}
    expected = files.get(job.name.removeprefix("rollback-").removeprefix("apply-"), [TARGET])
    if sorted(expected) != job.changed:
        raise Unsuitable(f"{job.name} changed {', '.join(job.changed)} instead of {', '.join(sorted(expected))}")
    undone = job.command == "rollback"
    old, new = (job.after, job.before) if undone else (job.before, job.after)
    if TARGET in job.changed:
        held = plistlib.loads(new[TARGET][4])
        if held.get("anonymous_id") != SAMPLES.ANONYMOUS_ID or held.get("user_id") != "u-1001":
            raise Unsuitable(f"{job.name} migrated other values: {held}")
        own = plistlib.loads(old[TARGET][4]) if TARGET in old else {}
        if {key: held[key] for key in own} != own:
            raise Unsuitable(f"{job.name} did not keep the app's own values")
        if STANDARD in job.changed:
            people = [plistlib.loads(side[STANDARD][4]).get("person") for side in (old, new)]
            if people != [PERSON, NEW_PERSON]:
                raise Unsuitable(f"{job.name} migrated another person: {people}")
    else:
        if LEGACY_KEYS & set(plistlib.loads(new[STANDARD][4])):
            raise Unsuitable(f"{job.name} left legacy keys")
        if LEGACY in new or CACHED in new:
            raise Unsuitable(f"{job.name} left an empty legacy file")


def check_edit(job: Job, edited: dict) -> None:
    """The stores of a change by hand: the changed values are so, and all others are as they were."""
    if sorted(edited) != job.changed:
        raise Unsuitable(f"{job.name} changed {', '.join(job.changed)} instead of {', '.join(sorted(edited))}")
    old, new = (job.after, job.before) if job.command == "rollback" else (job.before, job.after)
    for path, values in edited.items():
        first = {**OF_THE_APP} if path == TARGET else {"flags": FLAGS, "blob": BLOB}
        held, left = (opened(plistlib.loads(side[path][4])) for side in (old, new))
        if {key: held[key] for key in first} != first or left != {**held, **values}:
            raise Unsuitable(f"{job.name} made other values of {path}: {left}")


def opened(values: dict) -> dict:
    return {**values, **{key: plistlib.loads(values[key]) for key in ("blob",) if key in values}}


def run_ids(root: Path) -> frozenset[str]:
    folder = root / STATE / "runs"
    return frozenset(entry.name for entry in folder.iterdir()) if folder.is_dir() else frozenset()


def record(root: Path, run_id: str) -> dict:
    return json.loads((root / STATE / "runs" / run_id / "record.json").read_text())
