"""Containers to be faulted: three files that matter, made by CPython's plistlib, and what is in them at a moment."""

import hashlib
import os
import plistlib
import re
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import seals

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Examples"))

from samples import basics as SAMPLES  # noqa: E402

NAME = "Acme.xcappdata"
STATE = ".carryover"

# The owner that files get where this runs as root, so that a run has to give its files away.
OWNER = (501, 501)

# A run's moment: in its id, in its record, and there in milliseconds.
MOMENT = re.compile(rb'\d{8}T\d{6}Z|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|(?<="milliseconds": ")\d+')

Entry = tuple  # kind, permission bits, user, group, of a file the time of its last change if that is asked for, bytes
Snapshot = dict[str, Entry]

TARGET = SAMPLES.TARGET
STANDARD = SAMPLES.STANDARD
LEGACY = SAMPLES.LEGACY
CACHED = "AppData/Library/Caches/rsDefaultsPersistence.plist"

# What the app itself keeps in the file that Carryover writes to.
OF_THE_APP = {"app.counter": 0, "app.note": "Größe ✓", "app.list": ["one", 2, 3.5, False]}

# A versioned model of the app's own, which another recipe brings to its newest version.
PERSON = '{"name":"Ada","age":"36"}'
NEW_PERSON = '{"alias":"Ada","email":"---","version":3}'


# What is packed in the app's own preferences.
FLAGS = '{"beta": true, "ratio": 1.0, "ab": {"x": [1, 2]}}'
BLOB = {"inner": {"n": 1, "m": "kept"}}


def make(
    root: Path, *, target: bool = True, cached: bool = False, person: bool = False, packed: bool = False
) -> None:
    """A container with everything to migrate.

    `target` says whether the app has made the target yet; without it, its folder is missing too, and the legacy file is the only
    source. `cached` adds a second legacy file, in Caches, `person` a model to the app's own preferences, `packed`
    values with others in them."""
    values = SAMPLES.good_values()
    files = SAMPLES.legacy_container(values)
    # Without the SDK's own note, which is not migrated, a cleanup removes the file.
    files[LEGACY] = SAMPLES.xml(values)
    if target:
        files[TARGET] = SAMPLES.binary(OF_THE_APP)
    else:
        del files[STANDARD]
    if person:
        files[STANDARD] = SAMPLES.binary({**plistlib.loads(files[STANDARD]), "person": PERSON})
    if packed:
        own = plistlib.loads(files[STANDARD])
        files[STANDARD] = SAMPLES.binary({**own, "flags": FLAGS, "blob": SAMPLES.binary(BLOB)})
    if cached:
        files[CACHED] = SAMPLES.xml(values)
    SAMPLES.write(root, files)
    for path in files:
        (root / path).chmod(0o640 if path == TARGET else 0o644)
        if os.geteuid() == 0:
            os.chown(root / path, *OWNER)


def entries(root: Path, *, inside: str = "", without: frozenset[str] = frozenset(), timed: bool = False) -> Snapshot:
    """Everything below a folder, by relative path; those in `without` are left out with all below them."""
    found: Snapshot = {}
    for entry in os.scandir(root / inside if inside else root):
        path = f"{inside}/{entry.name}" if inside else entry.name
        if path in without:
            continue
        status = entry.stat(follow_symlinks=False)
        fixed = (stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid)
        if entry.is_dir(follow_symlinks=False):
            found[path] = ("folder", *fixed, b"")
            found.update(entries(root, inside=path, without=without, timed=timed))
        elif entry.is_file(follow_symlinks=False):
            found[path] = ("file", *fixed, *[status.st_mtime_ns] * timed, (root / path).read_bytes())
        else:
            found[path] = ("other", *fixed, os.fsencode(os.readlink(entry)) if entry.is_symlink() else b"")
    return found


def snapshot(root: Path) -> Snapshot:
    """The container's own files and folders; the state folder is none of them."""
    return entries(root, without=frozenset({STATE}))


def fingerprint(root: Path) -> str:
    """The same for two containers that differ in nothing but the moment of their runs, and their seals."""
    digest = hashlib.sha256()
    for path, (kind, mode, user, group, content) in sorted(entries(root).items()):
        if path == f"{STATE}/lock":
            content = b""  # the holder's process id
        text = repr((path, kind, mode, user, group)).encode() + content
        digest.update(seals.DIGITS.sub(b"SEAL", MOMENT.sub(b"MOMENT", text)))
    return digest.hexdigest()


def copy(source: Path, destination: Path) -> None:
    """A container with its state folder, modes and owners; its runs are its own there too."""
    subprocess.run(["cp", "-a", str(source), str(destination)], check=True)
    seals.seal_again(destination)


@contextmanager
def sandbox(directory: Path, base: Path | None = None) -> Iterator[Path]:
    """A folder of its own that goes afterwards, with a copy of a container in it."""
    with tempfile.TemporaryDirectory(prefix="case-", dir=directory, ignore_cleanup_errors=True) as folder:
        root = Path(folder, NAME)
        if base is not None:
            copy(base, root)
        yield root
