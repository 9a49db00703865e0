"""Installing and removing, in a folder that stands for the root of a system, and the installed command at work."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import contents

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "Examples/AcmeShop.xcappdata"
OPTIONS = ["--write-key", "1xAcmeWriteKey", "--now", "2025-11-20T12:05:00Z"]


def packaging(*arguments: object, status: int = 0) -> str:
    run = subprocess.run([sys.executable, "-B", REPOSITORY / "Packaging", *map(str, arguments)], capture_output=True, text=True)
    if run.returncode != status:
        raise AssertionError(f"Packaging {' '.join(map(str, arguments))} ends with {run.returncode}: {run.stdout}{run.stderr}")
    return run.stdout


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def problems(binary: Path, folder: Path) -> list[str]:
    """Leaves an installation in the folder."""
    root = folder / "root"
    options = ["--prefix", "/usr/local", "--destination", root, "--binary", binary]
    other = root / "usr/local/share/man/man1/other.1"
    other.parent.mkdir(parents=True)
    other.write_text("other")
    packaging("install", *options)
    first = files(root)
    modes = {path: path.stat().st_mode & 0o777 for path in root.rglob("*") if path.is_file() and path != other}
    found = [f"{path} has the mode {mode:o}" for path, mode in modes.items() if mode != (0o755 if path.parent.name == "bin" else 0o644)]
    # What an earlier version has installed and this one does not is removed.
    old = root / "usr/local/share/man/man1/carryover-old.1"
    old.touch()
    with (root / "usr/local/share/doc/carryover/INSTALLED").open("a") as listed:
        listed.write("share/man/man1/carryover-old.1\n")
    packaging("install", *options)
    if files(root) != first:
        found.append(f"installing again changes {set(files(root)) ^ set(first)}")
    found += at_work([root / "usr/local/bin/carryover"], folder / "work", folder / "work")
    packaging("uninstall", *options)
    packaging("uninstall", *options)
    if files(root) != [str(other.relative_to(root))] or (root / "usr/local/share/doc/carryover").exists():
        found.append(f"uninstall leaves {files(root)}")
    listed = root / "usr/local/share/doc/carryover/INSTALLED"
    listed.parent.mkdir(parents=True)
    listed.write_text("../../../etc/passwd\n")
    packaging("uninstall", *options, status=1)
    listed.unlink()
    packaging("install", *options)
    return found


def at_work(command: list, home: Path, folder: Path, place: str | None = None) -> list[str]:
    """Plans, applies and rolls back a copy of the sample in a folder.
    - place: the folder's path as the command sees it."""
    found = []
    sample = Path(place or folder, SAMPLE.name)
    shutil.copytree(SAMPLE, folder / SAMPLE.name)
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}

    def run(*arguments: object) -> str:
        ran = subprocess.run([*command, *map(str, arguments)], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if ran.returncode:
            found.append(f"{' '.join(map(str, arguments))} ends with {ran.returncode}: {ran.stderr}")
        return ran.stdout

    run("plan", sample, *OPTIONS)
    run("apply", sample, *OPTIONS, "--set", "user_id=42", "--set", "rudder.app_build=420", "--yes")
    if "1xAcmeWriteKey" not in run("inspect", sample, "--store", "com.acme.shop.analytics.1xAcmeWriteKey.plist"):
        found.append("the target is not there after apply")
    run("rollback", sample, "--yes")
    return found + [f"after the rollback, {name} is not as it was" for name in different(SAMPLE, folder / SAMPLE.name) if not name.startswith(".carryover")]


def different(one: Path, other: Path) -> list[str]:
    first, second = ({name: (root / name).read_bytes() for name in files(root)} for root in (one, other))
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
