"""A home with a container in it that somebody else has sent, in each form, and what is in that home at a moment."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

import containers
import oracle
from containers import SAMPLES, STATE, Snapshot

# What a stranger would like to have changed, in a home and in a container.
PRECIOUS = {
    ".profile": b"PATH=/usr/bin\n", ".ssh/known_hosts": b"host key\n", ".local/bin/tool": b"#!/bin/sh\n",
    "taxes.ods": b"taxes", "notes.txt": b"notes",
}
# Files of the user's with the names that the temporaries of a run that never happened would have.
LEFTOVERS = tuple(f".carryover-20250101T000000Z-1-{number}.tmp" for number in (1, 2))
OTHER_USER = 12345

KINDS = {"bare": "property-list", "package": "xcappdata", "folder": "folder", "zip": "xcappdata"}
FORMS = tuple(KINDS)


@dataclass
class World:
    """A home, and the container that came into it."""

    home: Path
    form: str
    path: Path  # what the command is given

    @property
    def root(self) -> Path:
        """The folder that the container's paths are relative to."""
        return self.path.parent if self.form == "bare" else self.path

    @property
    def state(self) -> Path:
        return self.root / STATE

    @property
    def kind(self) -> str:
        return KINDS[self.form]

    def inside(self, path: str) -> str:
        """A path of the package's data, as this form has it."""
        if self.form == "bare":
            return Path(path).name
        return path.removeprefix("AppData/") if self.kind == "folder" else path

    @property
    def target(self) -> str:
        return self.inside(SAMPLES.TARGET)

    @property
    def legacy(self) -> str:
        return self.inside(SAMPLES.STANDARD)


@contextmanager
def world(directory: Path, form: str) -> Iterator[World]:
    """A home with a container, which both go afterwards. Archives are packed and taken out later: see `arrive`."""
    with tempfile.TemporaryDirectory(prefix="home-", dir=directory, ignore_cleanup_errors=True) as place:
        home = Path(place, "home")
        furnish(home)
        yield make(home, form)


def make(home: Path, form: str) -> World:
    files = SAMPLES.legacy_container(SAMPLES.good_values())
    files[SAMPLES.TARGET] = SAMPLES.binary(containers.OF_THE_APP)
    path = home / {"bare": Path(SAMPLES.STANDARD).name, "package": containers.NAME, "zip": "Out"}.get(form, "Acme")
    made = World(home, form, path)
    part = {"bare": SAMPLES.PREFERENCES, "folder": "AppData/"}.get(form, "")
    for name, content in files.items():
        if name.startswith(part):
            write(made.root / made.inside(name), content)
    documents = home if form == "bare" else made.root / made.inside("AppData/Documents")
    furnish(documents)
    for folder in {documents, (made.root / made.target).parent}:
        for name in LEFTOVERS:
            write(folder / name, b"the user's own")
    return made


def furnish(folder: Path) -> None:
    for name, content in PRECIOUS.items():
        write(folder / name, content)
    (folder / ".config/empty").mkdir(parents=True, exist_ok=True)


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755 if content.startswith(b"#!") else 0o644)


def give_away(path: Path) -> None:
    for one in (path, *path.rglob("*")):
        os.chown(one, OTHER_USER, OTHER_USER, follow_symlinks=False)


def arrive(binary: Path, made: World) -> None:
    """Packs what was made, as a stranger sends it, and takes it out with its state, as a user does who wants that."""
    if made.form != "zip":
        return
    packed = made.path.rename(made.home / containers.NAME)
    archive = shutil.make_archive(str(made.home / "case"), "zip", made.home, containers.NAME)
    shutil.rmtree(packed)
    words = [str(binary), "extract", archive, "--output", str(made.path)]
    for options in (["--with-state"], []):
        ended = subprocess.run([*words, *options], capture_output=True, check=False)
        if ended.returncode == 0:
            return
    raise RuntimeError(f"{made.form} was not extracted: {ended.stderr.decode(errors='replace')}")


def snapshot(made: World) -> Snapshot:
    """Everything in the home by its path, but for the container's own state folder."""
    return containers.entries(made.home, without=frozenset({str(made.state.relative_to(made.home))}), timed=True)


def differences(now: Snapshot, start: Snapshot, like: Snapshot | None = None) -> list[str]:
    """What differs from the start, a line for each path. What differs just as in `like` may."""
    if like is None:
        return oracle.differences(now, start)
    same = {path for path in now.keys() | start.keys() if timeless(now).get(path) == timeless(like).get(path)}
    lines = oracle.differences(*({path: entry for path, entry in held.items() if path not in same} for held in (now, start)))
    return lines + [f"{path} is not there" for path in sorted(like.keys() - now.keys() - start.keys())]


def timeless(found: Snapshot) -> Snapshot:
    return {path: (*entry[:4], entry[-1]) for path, entry in found.items()}
